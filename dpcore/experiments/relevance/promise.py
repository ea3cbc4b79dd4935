"""The guarantee of the relevance-learning experiment, and the code that reproduces it."""

from __future__ import annotations

from dpcore.accounting import tables
from dpcore.experiments.relevance import budget
from dpcore.experiments.relevance.params import RelevanceParams
from dpcore.experiments.relevance.problem import Problem
from dpcore.grids import EPSILON_GRID
from dpcore.guarantee import Guarantee, Part

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
        Add-or-remove neighbours; ``claimed_epsilon`` is set for the paper's recipe.
    """
    sigma = budget.noise_multipliers(params)[EPSILON_GRID.index(params.epsilon)]
    parts = (*_start(params), _steps(params, float(sigma)))
    estimated = problem.dataset.bounds_status == "estimated"
    return Guarantee(
        epsilon=sum(part.epsilon for part in parts),
        delta=params.delta,
        neighbouring="add_remove",
        status="proved_under_assumption" if estimated else "proved",
        argument=_ARGUMENT + (_ESTIMATED if estimated else ""),
        public=(
            f"the bounds of the {problem.X.shape[1]} features"
            + (" (ESTIMATED from the data: this leaks)" if estimated else ""),
            f"the number of records the step is divided by (qN = {_lot(params, problem):g})",
            f"the {problem.n_classes} class names",
            "every setting on this page",
        ),
        not_protected=(
            "the records drawn on the map and the test accuracy: you see them as the data's keeper",
            "what a person shares with the whole group: a model may well reveal that",
            "choosing settings by looking at private results",
            "floating-point side channels: noise here is for display, not for release",
        ),
        parts=parts,
        claimed_epsilon=params.epsilon,
    )


def code(params: RelevanceParams) -> str:
    """Return the program that reproduces the figure, and the estimator that trains one model."""
    return (
        "from dpcore.experiments import relevance\n\n"
        f"params = relevance.{params.to_code()}\n"
        "sweep = relevance.run(params)          # every noise level and epoch at once\n"
        "model = sweep.at(params.epsilon)       # what the handle shows\n"
        'print(f"accuracy {model.accuracy:.3f}, noise multiplier {model.noise_multiplier:.3f}")\n'
    )


def _start(params: RelevanceParams) -> tuple[Part, ...]:
    share = params.init_share * params.epsilon
    if params.recipe == "tight":
        return (Part(name="start: class sizes and sums together", epsilon=share,
                     delta=params.delta / 2, mechanism="analytic Gaussian"),)  # fmt: skip
    return (
        Part(name="start: class sizes", epsilon=share / 2, delta=0.0, mechanism="Laplace"),
        Part(name="start: class sums", epsilon=share / 2, delta=0.0, mechanism="Laplace"),
    )


def _steps(params: RelevanceParams, sigma: float) -> Part:
    steps = budget.n_steps(params.epochs, params.sample_rate)
    name, mechanism = f"{steps} steps", f"Poisson-subsampled Gaussian, σ = {sigma:.4g}"
    if params.recipe == "tight":
        epsilon, delta = (1 - params.init_share) * params.epsilon, params.delta / 2
    else:
        delta = params.delta
        epsilon = float(tables.epsilons([sigma], delta, params.sample_rate, params.epochs)[0])
    return Part(name=name, epsilon=epsilon, delta=delta, mechanism=mechanism)


def _lot(params: RelevanceParams, problem: Problem) -> float:
    return params.sample_rate * len(problem.y)


_ARGUMENT = (
    "Each step adds Gaussian noise once to the sum of gradients clipped at C, over a Poisson "
    "sample; its privacy loss distribution is composed over all steps. The noisy start is a "
    "mechanism of its own; both are added up. Averaging, projection and drawing are "
    "post-processing and cost nothing."
)
_ESTIMATED = (
    " The bounds were estimated from the data, which this account does not pay for: "
    "a demonstration only."
)
