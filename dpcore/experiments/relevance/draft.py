"""Answers for a moving handle: the one noise level that is asked for, nothing else."""

from __future__ import annotations

import numpy as np

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.relevance import budget
from dpcore.experiments.relevance.outcomes import Outcomes, chosen_person, run_outcomes
from dpcore.experiments.relevance.params import RelevanceParams
from dpcore.experiments.relevance.problem import Problem
from dpcore.experiments.relevance.sweep import Sweep, run_sweep

__all__ = ["draft_outcomes", "draft_sweep"]


def draft_sweep(problem: Problem, params: RelevanceParams) -> Sweep:
    """Return a sweep of the single noise level (K = 1) that ``params.epsilon`` asks for."""
    return run_sweep(
        problem, params, nodes=_node(params), last_epoch=params.epochs, references=False, threads=1
    )


def draft_outcomes(problem: Problem, params: RelevanceParams, n_draws: int = 8) -> Outcomes:
    """Return a few draws at the single noise level that ``params.epsilon`` asks for."""
    person = chosen_person(problem, params)
    *_, last = run_outcomes(
        problem, params, person, n_draws=n_draws, nodes=_node(params), threads=1
    )
    return last


def _node(params: RelevanceParams) -> np.ndarray:
    return budget.noise_multipliers(params)[[EPSILON_GRID.index(params.epsilon)]]
