"""The trainings along C, q, η, m and the start's share at one ε: a handle is drawn without a server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore.experiments.grids import CLIP_NORM_GRID, EPOCHS_GRID, EPSILON_GRID
from dpcore.experiments.relevance import budget
from dpcore.experiments.relevance.params import RelevanceParams
from dpcore.experiments.relevance.problem import Problem, problem_of, with_prototypes
from dpcore.experiments.relevance.sweep import run_sweep, starts, timeline
from dpcore.lvq import train

__all__ = ["LINES", "Line", "padded", "padded_labels", "run_line"]

LINES = ("clip_norm", "sample_rate", "learning_rate", "init_share", "prototypes_per_class")


@dataclass(frozen=True, kw_only=True)
class Line:
    """One ε at every value of one other parameter, on the time line of a sweep.

    ``prototypes`` (V, S, P, d), ``errors`` (V, S), ``noise_multipliers`` (V,). Along m, ``labels``
    (V, P) are their classes, and ``bests`` (V, P, d) with ``best_errors`` (V,) without privacy, NaN where
    nobody has asked for them yet; prototypes beyond those there are, are NaN.
    """

    prototypes: NDArray[np.float32]
    errors: NDArray[np.float64]
    noise_multipliers: NDArray[np.float64]
    labels: NDArray[np.int64] | None = None
    bests: NDArray[np.float32] | None = None
    best_errors: NDArray[np.float64] | None = None


def run_line(
    problem: Problem,
    params: RelevanceParams,
    name: str,
    *,
    progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> Line:
    """Train at ``params.epsilon`` for every value that the slider ``name`` has.

    Parameters
    ----------
    problem : Problem
        The data.
    params : RelevanceParams
        Everything else; the epochs are those of a sweep at their ``sample_rate``, and those after
        ``params.epochs`` repeat it.
    name : str
        One of ``LINES``.
    progress, check : callables, optional
        As in `run_sweep`.

    Returns
    -------
    Line
    """
    steps = timeline(params.sample_rate, EPOCHS_GRID[-1])
    epochs = (steps * params.sample_rate).astype(np.float64)
    if name == "clip_norm":
        return _along_clip_norm(problem, params, epochs, progress, check)
    return _along(name, problem, params, epochs, progress, check)


def _along_clip_norm(
    problem: Problem,
    params: RelevanceParams,
    epochs: NDArray[np.float64],
    progress: Callable[[float], None] | None,
    check: Callable[[], None] | None,
) -> Line:
    sigma = budget.noise_multipliers(params)[[EPSILON_GRID.index(params.epsilon)]]
    last = budget.n_steps(params.epochs, params.sample_rate)
    wanted = np.minimum(np.rint(epochs / params.sample_rate).astype(np.int64), last)
    kept, back = np.unique(wanted, return_inverse=True)
    chance = sgd.Streams.of(params.seed, 0)
    n_values = len(CLIP_NORM_GRID)
    start = starts(problem, params, sigma, chance.start)[:1]
    paths = train.sweep(
        problem.X, problem.y, np.repeat(start, n_values, axis=0), problem.labels,
        budget.lots(params, len(problem.y), last, chance.lots),
        noise_multiplier=np.repeat(sigma, n_values), clip_norm=np.array(CLIP_NORM_GRID),
        learning_rate=params.learning_rate, expected_lot=budget.expected_lot(params, problem.n_declared),
        key=chance.key, snapshots=kept, bounds=(-1.0, 1.0) if params.project else None,
        progress=progress, check=check,
    )[:, back]  # fmt: skip
    return Line(
        prototypes=paths,
        errors=problem.errors(paths),
        noise_multipliers=np.repeat(sigma, n_values),
    )


def _along(
    name: str,
    problem: Problem,
    params: RelevanceParams,
    epochs: NDArray[np.float64],
    progress: Callable[[float], None] | None,
    check: Callable[[], None] | None,
) -> Line:
    paths, errors, sigmas, problems = [], [], [], []
    grid = params.controls()[name].grid or ()
    for k, value in enumerate(grid):
        here = params.but(**{name: value})
        problems.append(with_prototypes(problem, here, problem_of))
        sigma = budget.noise_multipliers(here)[[EPSILON_GRID.index(params.epsilon)]]
        found = run_sweep(
            problems[-1], here, nodes=sigma, last_epoch=params.epochs, references=False, threads=1,
            check=check,
        )  # fmt: skip
        at = np.abs(found.epochs[:, None] - np.minimum(epochs, params.epochs)).argmin(0)
        paths.append(found.prototypes[0, at])
        errors.append(found.errors[0, at])
        sigmas.append(sigma[0])
        if progress is not None:
            progress((k + 1) / len(grid))
    more = _models(problems) if name == "prototypes_per_class" else {}
    return Line(
        prototypes=padded(paths),
        errors=np.array(errors),
        noise_multipliers=np.array(sigmas),
        **more,
    )


def _models(problems: Sequence[Problem]) -> dict[str, Any]:
    """The classes of the prototypes, and the best ones where they are known or quick to find."""
    known = [one.best_known for one in problems]
    bests = [
        one.best if there else np.full((len(one.labels), one.X.shape[1]), np.nan, np.float32)
        for one, there in zip(problems, known, strict=True)
    ]
    return {
        "labels": padded_labels(problems),
        "bests": padded(bests),
        "best_errors": np.array(
            [
                one.best_error if there else np.nan
                for one, there in zip(problems, known, strict=True)
            ]
        ),
    }


def padded_labels(problems: Sequence[Problem]) -> NDArray[np.int64]:
    """Return the classes of the prototypes of each problem, (V, P): 0 beside what `padded` leaves out."""
    most = max(len(one.labels) for one in problems)
    return np.array([np.pad(one.labels, (0, most - len(one.labels))) for one in problems])


def padded(parts: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Return sets of prototypes (..., P, k), P of each its own, as one array: the rest is NaN."""
    most = max(part.shape[-2] for part in parts)
    return np.array([
        np.pad(part, [(0, 0)] * (part.ndim - 2) + [(0, most - part.shape[-2]), (0, 0)],
               constant_values=np.nan)
        for part in parts
    ])  # fmt: skip
