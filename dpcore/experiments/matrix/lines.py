"""The trainings along C, q, E and η at one ε: what a handle needs to be drawn without a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.accounting import tables
from dpcore.experiments.matrix.kept import Hooks, kept, stop
from dpcore.experiments.matrix.look import Look, look
from dpcore.experiments.matrix.params import MatrixParams
from dpcore.experiments.matrix.problem import MatrixProblem
from dpcore.experiments.matrix.sweep import MatrixSweep, run_sweep
from dpcore.experiments.relevance import budget
from dpcore.experiments.sized import Sized
from dpcore.grids import EPSILON_GRID

__all__ = ["LINES", "LINE_TIMES", "Line", "run_line"]

LINES = ("clip_norm", "sample_rate", "epochs", "learning_rate")
LINE_TIMES = np.linspace(0, 1, 5) ** 2  # shares of the training: every other one of the sweep's


@dataclass(frozen=True, kw_only=True)
class Line(Sized):
    """One ε at each of the V values of one parameter, at the S shares ``LINE_TIMES`` of training.

    ``looks`` over (V, S); ``errors`` (V, S) on the test part, ``method_errors`` and ``plain_errors``
    (V, S) without noise, clipped and not; ``noise_multipliers`` (V,) σ; ``clipped`` (V,) the share
    of records above C at the end; ``real_epsilons`` (V,) what start and steps really cost.
    """

    looks: Look
    errors: NDArray[np.float64]
    method_errors: NDArray[np.float64]
    plain_errors: NDArray[np.float64]
    noise_multipliers: NDArray[np.float64]
    clipped: NDArray[np.float64]
    real_epsilons: NDArray[np.float64]


def run_line(
    problem: MatrixProblem,
    params: MatrixParams,
    name: str,
    *,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Line | None:
    """Train at ``params.epsilon`` for every value that the slider ``name`` has.

    Parameters
    ----------
    problem : MatrixProblem
        The data.
    params : MatrixParams
        Everything else.
    name : str
        One of ``LINES``.
    progress, cancelled : callables, optional
        Told the fraction done; asked whether to stop.

    Returns
    -------
    Line or None
        None when it was cancelled. Lines of large data sets are kept on disk, see `kept`.
    """
    still = {name: params.controls()[name].default, "touch": 0.025, "person": 0}
    return kept(_line, name, params.but(**still), problem, (progress, cancelled))


def _line(
    version: str, what: str, params: MatrixParams, problem: MatrixProblem, hooks: Hooks
) -> Line:
    progress, cancelled = hooks
    grid = params.controls()[what].grid or ()
    found = []
    for k, value in enumerate(grid):
        found.append(_one(problem, params.but(**{what: value}), cancelled))
        stop(cancelled)
        if progress is not None:
            progress((k + 1) / len(grid))
    looks, errors, sigmas, clipped, real = (list(part) for part in zip(*found, strict=True))
    each = np.array(errors)
    return Line(
        looks=Look(**{field: np.array([getattr(a, field) for a in looks]) for field in vars(looks[0])}),
        errors=each[:, 0], method_errors=each[:, 1], plain_errors=each[:, 2],
        noise_multipliers=np.array(sigmas), clipped=np.array(clipped),
        real_epsilons=np.array(real),
    )  # fmt: skip


def _one(
    problem: MatrixProblem, params: MatrixParams, cancelled: Callable[[], bool] | None
) -> tuple[Look, list[NDArray[np.float64]], float, float, float]:
    """One training: its look, its errors (private, clipped, plain), σ, share clipped and real ε."""
    sigma = budget.noise_multipliers(params)[[EPSILON_GRID.index(params.epsilon)]]
    sweep = run_sweep(problem, params, nodes=sigma, threads=1, cancelled=cancelled)
    at = _times(sweep)
    errors = [sweep.errors[0, at], sweep.method_errors[at], sweep.plain_errors[at]]
    seen = look(problem, sweep.prototypes[0, at], sweep.omegas[0, at])
    return seen, errors, float(sigma[0]), float(sweep.clipped[0]), _real(params, float(sigma[0]))


def _real(params: MatrixParams, sigma: float) -> float:
    """What one ε really costs: `budget.real_epsilons` at the one σ that is asked for."""
    if params.recipe == "tight":
        return params.epsilon
    spent = tables.epsilons([sigma], params.delta, params.sample_rate, params.epochs)[0]
    return params.init_share * params.epsilon + float(spent)


def _times(sweep: MatrixSweep) -> NDArray[np.int64]:
    """The snapshots nearest to ``LINE_TIMES``: a short training has fewer than them."""
    shares = sweep.epochs / sweep.epochs[-1]
    return np.abs(shares[:, None] - LINE_TIMES).argmin(0)
