"""What a private fit promises, and the code that reproduces the figure."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from dpcore import mechanisms
from dpcore.accounting import Event
from dpcore.datasets.dataset import mismatch
from dpcore.experiments import own_code
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.regression.fits import DESCENT, N_DRAWS, problem_of
from dpcore.experiments.regression.params import RegressionParams
from dpcore.experiments.regression.problem import Problem
from dpcore.guarantee import Guarantee, Part
from dpcore.regression.descent import descent_noise
from dpcore.regression.guarantee import ARGUMENTS, fit_guarantee, release_event
from dpcore.regression.splits import budget_share

__all__ = ["code", "estimator_call", "guarantee", "guarantees", "shown_epsilon"]

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


def _event(params: RegressionParams, n_features: int) -> Event | None:
    method = "joint" if params.pure else params.method
    split = budget_share(params.split, n_features) if params.separate else None
    steps = int(DESCENT["n_steps"])
    return release_event(method, params.epsilon, params.delta, split=split, n_steps=steps)


def shown_epsilon(params: RegressionParams, n_fits: int = N_DRAWS) -> float:
    """Return the ε of ``n_fits`` ≥ 1 such fits together, at the same δ (0 for Laplace noise).

    Laplace: the sum. All others are Gaussian noise that costs exactly (ε, δ), composed exactly.

    Examples
    --------
    >>> round(shown_epsilon(RegressionParams(method="gaussian", epsilon=1.0, delta=1e-5)), 3)
    8.17
    """
    if params.pure:
        return n_fits * params.epsilon
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
        steps = int(DESCENT["n_steps"])
        z = float(descent_noise(epsilon, params.delta, steps)[0])
        name, mechanism = f"{steps} full-batch steps", f"Gaussian, z = {z:.3g}"
    else:
        name, mechanism = _NAMES[params.method]
    return (Part(name=name, epsilon=epsilon, delta=delta, mechanism=mechanism),)


def estimator_call(params: RegressionParams) -> tuple[str, str]:
    """Return the class and the arguments of the scikit-learn model that makes one such fit."""
    repair = f', repair="{params.repair[:5] if params.repair != "none" else "none"}"'
    repair = repair.replace("trim", "trim")
    if params.repair.startswith("floor"):
        repair += f", floor={float(params.repair[-1])}"
    if params.pure:
        split = f', split="{params.split}"' if params.separate else ""
        return (
            "FunctionalMechanismRegression",
            f'epsilon={params.epsilon!r}, sensitivity="{params.method}"{split}{repair}',
        )
    both = f"epsilon={params.epsilon!r}, delta={params.delta!r}"
    return {
        "gaussian": ("SufficientStatisticsRegression", both + repair),
        "adassp": ("AdaSSP", both),
        "output": ("OutputPerturbationRegression", both),
        "descent": ("DPGradientDescentRegression", both),
    }[params.method]


def code(params: RegressionParams, problem: Problem | None = None) -> str:
    """Return the program that draws the error of every method, and makes one fit for release."""
    model, arguments = estimator_call(params)
    make = (
        _own_code(problem) if params.dataset == "own" else "problem = regression.problem_of(params)"
    )
    return f"""\
import plotly.graph_objects as go
from dpcore.experiments import regression
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.regression import {model}

params = regression.{params.to_code()}
{make}
part = problem.setting(params)
*_, (found, _) = regression.compare(part, params)  # many draws of every method at every ε

figure = go.Figure()
for name, (low, median, high) in found.test.items():
    width = 4 if name == params.method else 1.5
    figure.add_scatter(x=EPSILON_GRID, y=median, name=regression.METHODS[name], line_width=width)
figure.add_hline(y=float(part.test.mse(part.best)), line_dash="dash", annotation_text="without privacy")
figure.update_xaxes(type="log", title="ε")
figure.update_yaxes(type="log", title="mean squared error on new records (median)")
figure.show()
model = {model}(  # one fit, as scikit-learn makes it
    {arguments}, random_state=params.seed,
    bounds=(part.bounds.low, part.bounds.high),
    target_bounds=(part.bounds.target_low, part.bounds.target_high),
).fit(part.X[:, list(part.columns)], part.y)
print(model.intercept_, model.coef_, model.privacy_)
"""


def _own_code(problem: Problem | None) -> str:
    if problem is None:
        return "problem = ...  # regression.Problem(own_regression(read_csv('your.csv'), ...))"
    data = problem.dataset
    return (
        "from dpcore.datasets import own_regression, read_csv\n\n"
        f"{own_code.remark(data)}"
        "data = own_regression(\n"
        f"    read_csv('your.csv'), {data.target_name!r}, {list(data.feature_names)!r},\n"
        f"    {own_code.options(data)},\n"
        ")\n"
        "problem = regression.Problem(data)"
    )
