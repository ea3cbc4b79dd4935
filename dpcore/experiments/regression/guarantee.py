"""What a private fit promises, what all fits of the figure cost, and the estimator that makes one."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np

from dpcore import accounting, mechanisms
from dpcore.accounting import Event
from dpcore.datasets.dataset import mismatch
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.regression.fits import DESCENT, N_DRAWS, noise_multipliers, problem_of
from dpcore.experiments.regression.params import RegressionParams, repair_of
from dpcore.experiments.regression.problem import Problem
from dpcore.guarantee import Guarantee, Part
from dpcore.regression.guarantee import ARGUMENTS, fit_guarantee, release_event, steps_name
from dpcore.regression.splits import budget_share

__all__ = ["estimator_call", "guarantee", "guarantees", "shown_epsilon"]

_NAMES = {
    "joint": ("the distinct entries of A and c together", "Laplace"),
    "gaussian": ("A and c together", "analytic Gaussian"),
    "adassp": ("smallest eigenvalue, A and c, composed exactly", "three Gaussians"),
    "output": ("coefficients", "analytic Gaussian"),
}


def guarantee(params: RegressionParams, problem: Problem | None = None) -> Guarantee:
    """Return what one fit with these parameters promises.

    Parameters
    ----------
    params : RegressionParams
        ε, δ and the method.
    problem : Problem or None
        The data, for the public facts; those of ``params.dataset`` when not given.

    Returns
    -------
    Guarantee
        Replace-one neighbours, n public.
    """
    problem = problem or problem_of(params)
    setting = problem.setting(params)
    argument = ARGUMENTS["split" if params.separate else params.method]
    found = fit_guarantee(
        _parts(params, setting.n_features), setting.bounds, setting.n_samples, argument=argument,
        epsilon=params.epsilon, delta=0.0 if params.pure else params.delta,
        event=_event(params, setting.n_features), unit=problem.dataset.unit,
    )  # fmt: skip
    data = problem.dataset
    return replace(
        found.having_read(*data.undeclared, *mismatch(data, "replace_one")),
        public=(*data.public, *found.public),
        not_protected=(
            *found.not_protected,
            "the dots and the errors on this page: you see them because you hold the data",
        ),
    )


def guarantees(params: RegressionParams, problem: Problem | None = None) -> list[Guarantee]:
    """Return what a fit promises at every ε of the grid, and there at every δ where the method has one."""
    base = guarantee(params, problem)
    if params.pure:
        return base.tabulated(EPSILON_GRID)
    places = list(product(EPSILON_GRID, DELTA_GRID))
    return base.tabulated([epsilon for epsilon, _ in places], [delta for _, delta in places])


def _event(params: RegressionParams, n_features: int) -> Event:
    method = "joint" if params.pure else params.method
    split = budget_share(params.split, n_features) if params.separate else None
    return release_event(
        method, params.epsilon, params.delta, split=split, n_steps=int(DESCENT["n_steps"]),
        sample_rate=params.sample_rate, noise_multiplier=_multiplier(params),
    )  # fmt: skip


def _multiplier(params: RegressionParams) -> float | None:
    """The z of a descent's steps: what the fits of the page are made with."""
    if not params.stepwise:
        return None
    return float(noise_multipliers(params, np.array([params.epsilon]))[0])


def shown_epsilon(params: RegressionParams, n_fits: int = N_DRAWS) -> float:
    """Return the ε of ``n_fits`` ≥ 1 such fits together, at the same δ (0 for Laplace noise).

    Laplace: the sum. A descent on samples: the account of all steps. All others are Gaussian noise that costs
    exactly (ε, δ), composed exactly.

    Examples
    --------
    >>> round(shown_epsilon(RegressionParams(method="gaussian", epsilon=1.0, delta=1e-5)), 3)
    8.17
    """
    if params.pure:
        return n_fits * params.epsilon
    if params.stepwise and params.sample_rate < 1:
        event = _event(params, n_features=1)
        return accounting.spent(
            accounting.Repeated(event, n_fits), params.delta, neighbouring="replace_one"
        )
    sigma = mechanisms.gaussian_sigma(1.0, params.epsilon, delta=params.delta)
    return mechanisms.gaussian_epsilon(sigma / n_fits**0.5, 1.0, delta=params.delta)


def _parts(params: RegressionParams, d: int) -> tuple[Part, ...]:
    epsilon, delta = params.epsilon, 0.0 if params.pure else params.delta
    if params.separate:
        first = budget_share(params.split, d) * epsilon
        return (
            Part(name="the quadratic part A", epsilon=first, delta=0.0, mechanism="Laplace"),
            Part(name="the linear part c", epsilon=epsilon - first, delta=0.0, mechanism="Laplace"),
        )
    if params.method == "descent":
        name = steps_name(int(DESCENT["n_steps"]), params.sample_rate)
        mechanism = f"Gaussian, z = {_multiplier(params):.3g}"
    else:
        name, mechanism = _NAMES[params.method]
    return (Part(name=name, epsilon=epsilon, delta=delta, mechanism=mechanism),)


def estimator_call(params: RegressionParams) -> tuple[str, dict[str, object]]:
    """Return the class in `dpcore.regression` of the estimator that makes one such fit, and its arguments.

    Examples
    --------
    >>> estimator_call(RegressionParams(method="adassp", epsilon=0.5))
    ('AdaSSP', {'epsilon': 0.5, 'delta': 1e-05})
    """
    epsilon: dict[str, object] = {"epsilon": params.epsilon}
    if params.pure:
        noise = epsilon | {"sensitivity": params.method}
        split = {"split": params.split} if params.separate else {}
        return "FunctionalMechanismRegression", noise | split | _repair_arguments(params)
    both = epsilon | {"delta": params.delta}
    calls: dict[str, tuple[str, dict[str, object]]] = {
        "gaussian": ("SufficientStatisticsRegression", both | _repair_arguments(params)),
        "adassp": ("AdaSSP", both),
        "output": ("OutputPerturbationRegression", both),
        "descent": ("DPGradientDescentRegression", both | _step_arguments(params)),
    }
    return calls[params.method]


def _step_arguments(params: RegressionParams) -> dict[str, object]:
    return {"clip_norm": params.clip_norm, "sample_rate": params.sample_rate}


def _repair_arguments(params: RegressionParams) -> dict[str, object]:
    repair = repair_of(params)
    arguments: dict[str, object] = {"repair": repair.kind}
    return arguments | {"floor": repair.floor} if repair.kind == "floor" else arguments
