"""The guarantee of the relevance-learning experiment, and the code that reproduces it."""

from __future__ import annotations

from dpcore.accounting import tables
from dpcore.experiments.relevance import budget
from dpcore.experiments.relevance.params import RelevanceParams
from dpcore.experiments.relevance.problem import Problem
from dpcore.grids import EPSILON_GRID
from dpcore.guarantee import Guarantee, Part
from dpcore.lvq.promise import promise, start_parts

__all__ = ["code", "guarantee"]


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
        Add-or-remove neighbours; ``claimed_epsilon`` is the ε that was asked for.
    """
    kind = "gaussian" if params.recipe == "tight" else "laplace"
    first = params.init_share * params.epsilon
    parts = (*start_parts(kind, first, params.delta / 2), _steps(params))
    return promise(
        parts,
        epsilon=sum(part.epsilon for part in parts),
        delta=params.delta,
        neighbouring="add_remove",
        claimed_epsilon=params.epsilon,
        estimated=problem.dataset.bounds_status == "estimated",
        expected_lot=params.sample_rate * len(problem.y),
        not_protected=(
            "the records drawn here and the test accuracy: you see them as the data's keeper",
        ),
    )


def code(params: RelevanceParams) -> str:
    """Return the program that reproduces the figure."""
    return (
        "from dpcore.experiments import relevance\n\n"
        f"params = relevance.{params.to_code()}\n"
        "sweep = relevance.run(params)          # every noise level and epoch at once\n"
        "model = sweep.at(params.epsilon)       # what the handle shows\n"
        'print(f"accuracy {model.accuracy:.3f}, noise multiplier {model.noise_multiplier:.3f}")\n'
    )


def _steps(params: RelevanceParams) -> Part:
    steps = budget.n_steps(params.epochs, params.sample_rate)
    sigma = float(budget.noise_multipliers(params)[EPSILON_GRID.index(params.epsilon)])
    name, mechanism = f"{steps} steps", f"Poisson-subsampled Gaussian, σ = {sigma:.4g}"
    if params.recipe == "tight":
        epsilon, delta = (1 - params.init_share) * params.epsilon, params.delta / 2
    else:
        delta = params.delta
        epsilon = float(tables.epsilons([sigma], delta, params.sample_rate, params.epochs)[0])
    return Part(name=name, epsilon=epsilon, delta=delta, mechanism=mechanism)
