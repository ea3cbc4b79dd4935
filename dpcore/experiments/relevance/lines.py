"""The trainings along C and along q at one ε: what a handle needs to be drawn without a server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore.experiments.relevance import budget
from dpcore.experiments.relevance.params import RelevanceParams
from dpcore.experiments.relevance.problem import Problem
from dpcore.experiments.relevance.sweep import Sweep, run_sweep, starts
from dpcore.grids import CLIP_NORM_GRID, EPSILON_GRID, SAMPLE_RATE_GRID
from dpcore.lvq import train

__all__ = ["Line", "run_lines"]


@dataclass(frozen=True, kw_only=True)
class Line:
    """One ε at every value of one other parameter, on the time line of a sweep.

    ``prototypes`` (V, S, P, d), ``errors`` (V, S), ``noise_multipliers`` (V,).
    """

    prototypes: NDArray[np.float32]
    errors: NDArray[np.float64]
    noise_multipliers: NDArray[np.float64]

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays, for bounded caches."""
        return self.prototypes.nbytes + self.errors.nbytes


def run_lines(
    problem: Problem,
    params: RelevanceParams,
    sweep: Sweep,
    cancelled: Callable[[], bool] | None = None,
    names: Sequence[str] = ("clip_norm", "sample_rate"),
) -> dict[str, Line]:
    """Train at ``params.epsilon`` for every clipping norm and every sampling rate of the grids.

    Parameters
    ----------
    problem : Problem
        The data.
    params : RelevanceParams
        Everything else.
    sweep : Sweep
        Its epochs are those of the lines; they reach to ``params.epochs``, later ones repeat it.
    cancelled : callable, optional
        Asked whether to stop.
    names : sequence of str
        Which lines.

    Returns
    -------
    dict of str to Line
        By name.
    """
    made = {"clip_norm": _along_clip_norm, "sample_rate": _along_sample_rate}
    return {name: made[name](problem, params, sweep, cancelled) for name in names}


def _along_clip_norm(
    problem: Problem,
    params: RelevanceParams,
    sweep: Sweep,
    cancelled: Callable[[], bool] | None,
) -> Line:
    sigma = budget.noise_multipliers(params)[[EPSILON_GRID.index(params.epsilon)]]
    last = budget.n_steps(params.epochs, params.sample_rate)
    wanted = np.minimum(np.rint(sweep.epochs / params.sample_rate).astype(np.int64), last)
    kept, back = np.unique(wanted, return_inverse=True)
    chance = sgd.Streams.of(params.seed, 0)
    n_values = len(CLIP_NORM_GRID)
    start = starts(problem, params, sigma, chance.start)[:1]
    paths = train.sweep(
        problem.X, problem.y, np.repeat(start, n_values, axis=0), problem.labels,
        sgd.poisson_lots(len(problem.y), params.sample_rate, last, chance.lots),
        noise_multiplier=np.repeat(sigma, n_values), clip_norm=np.array(CLIP_NORM_GRID),
        learning_rate=params.learning_rate, expected_lot=params.sample_rate * len(problem.y),
        key=chance.key, snapshots=kept, bounds=(-1.0, 1.0) if params.project else None,
        cancelled=cancelled,
    )[:, back]  # fmt: skip
    return Line(
        prototypes=paths,
        errors=problem.errors(paths),
        noise_multipliers=np.repeat(sigma, n_values),
    )


def _along_sample_rate(
    problem: Problem,
    params: RelevanceParams,
    sweep: Sweep,
    cancelled: Callable[[], bool] | None,
) -> Line:
    paths, errors, sigmas = [], [], []
    for rate in SAMPLE_RATE_GRID:
        here = params.but(sample_rate=rate)
        sigma = budget.noise_multipliers(here)[[EPSILON_GRID.index(params.epsilon)]]
        found = run_sweep(
            problem, here, nodes=sigma, last_epoch=params.epochs, references=False, threads=1,
            cancelled=cancelled,
        )  # fmt: skip
        at = np.abs(found.epochs[:, None] - np.minimum(sweep.epochs, params.epochs)).argmin(0)
        paths.append(found.prototypes[0, at])
        errors.append(found.errors[0, at])
        sigmas.append(sigma[0])
    return Line(
        prototypes=np.array(paths), errors=np.array(errors), noise_multipliers=np.array(sigmas)
    )
