"""The guarantee of the relevance-learning experiments: start and steps, added up and composed."""

from __future__ import annotations

from dataclasses import replace

from dpcore import _noise, accounting
from dpcore.accounting import LaplaceEvent, Repeated, Sequence
from dpcore.accounting.accountant import steps_event
from dpcore.datasets.dataset import mismatch
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.relevance import budget
from dpcore.experiments.relevance.params import RelevanceParams
from dpcore.experiments.relevance.problem import Problem
from dpcore.guarantee import Guarantee, Part
from dpcore.lvq.guarantee import STEPS_OF, start_event, start_parts, training_guarantee

__all__ = [
    "guarantee",
    "guarantees",
    "joint_epsilon",
    "release",
    "shown_epsilon",
]

_UNPAID = {
    "mnist_pca": (
        "the principal components and their scales: read from the records, paid for by no ε",
    )
}


def guarantee(params: RelevanceParams, problem: Problem) -> Guarantee:
    """Return what training with these parameters really costs (ε by PLD, parts added up).

    Parameters
    ----------
    params : RelevanceParams
        ε, δ, recipe and sampling.
    problem : Problem
        The data, for the public facts.

    Returns
    -------
    Guarantee
        About a record added or removed, or replaced where lots have a fixed size; ``claimed_epsilon`` is
        the ε that was asked for.
    """
    kind = "gaussian" if params.recipe == "tight" else "laplace"
    first = params.init_share * params.epsilon
    parts = (*start_parts(kind, first, params.delta / 2), _steps(params))
    steps = budget.n_steps(params.epochs, params.sample_rate)
    sigma = float(budget.noise_multipliers(params)[EPSILON_GRID.index(params.epsilon)])
    reach = (2 if params.lots == "fixed" else 1) / sigma
    found = training_guarantee(
        parts,
        epsilon=sum(part.epsilon for part in parts),
        delta=params.delta,
        neighbouring=budget.neighbouring(params),
        claimed_epsilon=params.epsilon,
        estimated=problem.dataset.bounds_status == "estimated",
        undeclared=problem.dataset.undeclared,
        expected_lot=budget.expected_lot(params, problem.n_declared),
        lots=params.lots,
        event=release(params),
        n_records=problem.n_declared,
        unit=problem.dataset.unit,
        missing=_noise.missing_mass(steps * problem.n_noisy),
        beyond=_noise.beyond_reach(steps * problem.n_noisy, reach),
        not_protected=(
            "the records and the test accuracy on this page: you see them because you hold the data",
            *_UNPAID.get(problem.dataset.name, ()),
        ),
    )
    data = problem.dataset
    declared = f"the number of training records that lots are planned for, n = {problem.n_declared}"
    found = replace(found, public=(declared, *data.public, *found.public))
    if found.status != "nominal":
        found = found.having_read(*data.undeclared)
    return found.having_read(*mismatch(data, found.neighbouring))


def guarantees(params: RelevanceParams, problem: Problem) -> list[Guarantee]:
    """Return what a training promises at every ε of the grid, where all else stays as it is."""
    return guarantee(params, problem).tabulated(budget.real_epsilons(params))


def release(params: RelevanceParams) -> Sequence:
    """Return what is released, start and steps, as an event for an account of both together."""
    kind, delta = ("gaussian", params.delta / 2) if params.recipe == "tight" else ("laplace", 0.0)
    start = start_event(
        kind, params.init_share * params.epsilon, delta, budget.neighbouring(params)
    )
    steps = budget.n_steps(params.epochs, params.sample_rate)
    sigma = float(budget.noise_multipliers(params)[EPSILON_GRID.index(params.epsilon)])
    return Sequence(
        (start, steps_event(sigma, params.sample_rate, n_steps=steps, lots=params.lots))
    )


def joint_epsilon(params: RelevanceParams) -> float:
    """Return the ε of start and steps composed together (PLD), at most that of adding them up.

    The printed recipe's two Laplace releases of the start are accounted for as Laplace noise.
    """
    relation = budget.neighbouring(params)
    if params.recipe == "tight":
        return accounting.spent(release(params), params.delta, neighbouring=relation)
    # Each has the scale of its own sensitivity over ε₁/2; replacing counts as twice one record.
    scale = 2 / (params.init_share * params.epsilon) * (2 if relation == "replace_one" else 1)
    both = Sequence((Repeated(LaplaceEvent(scale), 2), release(params).events[1]))
    return accounting.spent(both, params.delta, neighbouring=relation)


def shown_epsilon(params: RelevanceParams, n_releases: int) -> float:
    """Return the ε of ``n_releases`` ≥ 0 such trainings together, at the same δ."""
    everything = Repeated(release(params), n_releases)
    return accounting.spent(everything, params.delta, neighbouring=budget.neighbouring(params))


def _steps(params: RelevanceParams) -> Part:
    steps = budget.n_steps(params.epochs, params.sample_rate)
    sigma = float(budget.noise_multipliers(params)[EPSILON_GRID.index(params.epsilon)])
    name, mechanism = f"{steps} steps", f"{STEPS_OF[params.lots]}, σ = {sigma:.3g}"
    if params.recipe == "tight":
        epsilon, delta = (1 - params.init_share) * params.epsilon, params.delta / 2
    else:
        delta = params.delta
        epsilon = float(budget.steps_epsilons(params, [sigma])[0])
    return Part(name=name, epsilon=epsilon, delta=delta, mechanism=mechanism)
