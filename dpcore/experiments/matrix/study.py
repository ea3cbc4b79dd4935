"""Everything a settled page draws of one sweep, and the quick part of it for a moving handle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.matrix.disk_cache import Hooks, cached
from dpcore.experiments.matrix.matrix_view import MatrixView, matrix_view
from dpcore.experiments.matrix.noise import matrix_noise
from dpcore.experiments.matrix.params import MatrixParams
from dpcore.experiments.matrix.problem import MatrixProblem
from dpcore.experiments.matrix.sweep import MatrixSweep, run_sweep
from dpcore.experiments.relevance import budget

__all__ = ["Study", "draft_epochs", "draft_study", "run_study"]

_DRAFT_SECONDS = 0.025  # of training on a free core; the rest of an answer takes as long again


@dataclass(frozen=True, kw_only=True)
class Study:
    """A sweep and what it looks like.

    ``looks`` over (K, S); ``best`` the model without privacy, or None while it is not known, with
    its ``best_accuracy``; ``noised_errors`` (K, 2, V, D) and ``best_noised_errors`` (2, V, D) errors with noise on
    the matrix, None in a quick study; ``upto`` the epochs trained, fewer than asked for in a quick study.
    """

    sweep: MatrixSweep
    views: MatrixView
    best: MatrixView | None
    best_accuracy: float
    noised_errors: NDArray[np.float64] | None
    best_noised_errors: NDArray[np.float64] | None
    upto: float


def run_study(
    problem: MatrixProblem,
    params: MatrixParams,
    *,
    progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> Study:
    """Return the whole study.

    Studies of large data sets are kept on disk, see `disk_cache.cached`.

    Parameters
    ----------
    problem : MatrixProblem
        The data.
    params : MatrixParams
        Everything; ε and the noise on the finished matrix do not matter.
    progress, check : callables, optional
        As in `run_sweep`.

    Returns
    -------
    Study
    """
    still = params.but(epsilon=1.0, matrix_noise_std=0.025, person=0)
    return cached(_study, "study", still, problem, (progress, check))


def _study(what: str, params: MatrixParams, problem: MatrixProblem, hooks: Hooks) -> Study:
    progress, check = hooks
    sweep = run_sweep(
        problem, params, check=check,
        progress=None if progress is None else lambda part: progress(0.8 * part),
    )  # fmt: skip
    W, Omega = problem.best_pair
    if check is not None:
        check()
    views = matrix_view(problem, sweep.prototypes, sweep.omegas)
    ends = zip(sweep.prototypes[:, -1], sweep.omegas[:, -1], strict=True)
    noised_errors = np.array([matrix_noise(problem, w, o, n_draws=8) for w, o in ends])
    return Study(
        sweep=sweep,
        views=views,
        best=matrix_view(problem, W, Omega),
        best_accuracy=1 - problem.best_error,
        noised_errors=noised_errors,
        best_noised_errors=matrix_noise(problem, W, Omega),
        upto=float(sweep.epochs[-1]),
    )


def draft_epochs(problem: MatrixProblem, params: MatrixParams) -> float:
    """Return how many epochs one training may take while a handle moves: all, or a first part.

    By a model of the time of a step fitted to measured ones: overhead, noise and small products
    grow with d l, the rest with the lot.
    """
    d, rows = problem.n_features, problem.rows
    lot = params.sample_rate * len(problem.y)
    step = 2e-6 + 4.5e-9 * d * rows + 1.5e-10 * d * rows * lot + 1e-9 * d * lot
    return float(min(params.epochs, max(1.0, _DRAFT_SECONDS / step * params.sample_rate)))


def draft_study(problem: MatrixProblem, params: MatrixParams) -> Study:
    """Return the study of the single noise level (K = 1) that ``params.epsilon`` asks for."""
    node = budget.noise_multipliers(params)[[EPSILON_GRID.index(params.epsilon)]]
    upto = draft_epochs(problem, params)
    sweep = run_sweep(problem, params, nodes=node, last_epoch=upto, references=False, threads=1)
    known = problem.best_known
    return Study(
        sweep=sweep,
        views=matrix_view(problem, sweep.prototypes, sweep.omegas),
        best=matrix_view(problem, *problem.best_pair) if known else None,
        best_accuracy=1 - problem.best_error if known else float("nan"),
        noised_errors=None,
        best_noised_errors=None,
        upto=upto,
    )
