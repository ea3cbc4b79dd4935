"""The trainings along C, q, E, η, m and the start's share at one ε: a handle is drawn without a server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore._types import Integers
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.matrix.disk_cache import Hooks, cached
from dpcore.experiments.matrix.matrix_view import MatrixView, matrix_view
from dpcore.experiments.matrix.params import MatrixParams
from dpcore.experiments.matrix.problem import MatrixProblem, problem_of
from dpcore.experiments.matrix.sweep import MatrixSweep, run_sweep
from dpcore.experiments.relevance import budget, padded, padded_labels, with_prototypes

__all__ = ["LINES", "LINE_TIMES", "Line", "run_line"]

LINES = (
    "clip_norm",
    "sample_rate",
    "epochs",
    "learning_rate",
    "init_share",
    "prototypes_per_class",
)
_DRAFT_SIZE = 20_000  # numbers in the data up to which the best pair takes less than half a second
LINE_TIMES = np.linspace(0, 1, 5) ** 2  # shares of the training: every other one of the sweep's


@dataclass(frozen=True, kw_only=True)
class Line:
    """One ε at each of the V values of one parameter, at the S shares ``LINE_TIMES`` of training.

    ``looks`` over (V, S); ``errors`` (V, S) on the test part, ``method_errors`` and ``plain_errors``
    (V, S) without noise, clipped and not; ``noise_multipliers`` (V,) σ; ``clipped`` (V,) the share
    of records above C at the end; ``real_epsilons`` (V,) what start and steps really cost.
    ``labels`` (V, P) the classes of the prototypes, of which fewer than P are NaN. ``bests`` (V,) the
    models without privacy and ``best_accuracies`` (V,), NaN where nobody has asked for them yet:
    they are the same for all values but of m.
    """

    views: MatrixView
    errors: NDArray[np.float64]
    method_errors: NDArray[np.float64]
    plain_errors: NDArray[np.float64]
    noise_multipliers: NDArray[np.float64]
    clipped: NDArray[np.float64]
    real_epsilons: NDArray[np.float64]
    labels: NDArray[np.int64]
    bests: MatrixView | None
    best_accuracies: NDArray[np.float64] | None


def run_line(
    problem: MatrixProblem,
    params: MatrixParams,
    name: str,
    *,
    progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> Line:
    """Train at ``params.epsilon`` for every value that the slider ``name`` has.

    Parameters
    ----------
    problem : MatrixProblem
        The data.
    params : MatrixParams
        Everything else.
    name : str
        One of ``LINES``.
    progress, check : callables, optional
        As in `run_sweep`.

    Returns
    -------
    Line
        Lines of large data sets are kept on disk, see `disk_cache.cached`.
    """
    still = {name: params.controls()[name].default, "matrix_noise_std": 0.025, "person": 0}
    return cached(_line, name, params.but(**still), problem, (progress, check))


def _line(what: str, params: MatrixParams, problem: MatrixProblem, hooks: Hooks) -> Line:
    progress, check = hooks
    grid = params.controls()[what].grid or ()
    problems, found = [], []
    for k, value in enumerate(grid):
        here = params.but(**{what: value})
        problems.append(with_prototypes(problem, here, problem_of))
        found.append(_one(problems[-1], here, check))
        if progress is not None:
            progress((k + 1) / len(grid))
    views, errors, sigmas, clipped, real = (list(part) for part in zip(*found, strict=True))
    each = np.array(errors)
    bests, accuracies = (
        _bests(problems, views[0], check) if what == "prototypes_per_class" else (None, None)
    )
    return Line(
        views=_stacked(views),
        errors=each[:, 0], method_errors=each[:, 1], plain_errors=each[:, 2],
        noise_multipliers=np.array(sigmas), clipped=np.array(clipped),
        real_epsilons=np.array(real),
        labels=padded_labels(problems),
        bests=bests, best_accuracies=accuracies,
    )  # fmt: skip


def _stacked(views: Sequence[MatrixView]) -> MatrixView:
    """Looks as one, with NaN for prototypes that some have and others do not."""
    made = {field: [getattr(one, field) for one in views] for field in vars(views[0])}
    prototypes = padded(made.pop("prototypes"))
    others = {field: np.array(parts) for field, parts in made.items()}
    return MatrixView(prototypes=prototypes, **others)


def _bests(
    problems: Sequence[MatrixProblem], private: MatrixView, check: Callable[[], None] | None
) -> tuple[MatrixView, NDArray[np.float64]]:
    """The models without privacy where they are known or quick to find, else NaN."""
    nothing = MatrixView(
        **{field: np.full_like(part[0], np.nan) for field, part in vars(private).items()}
    )
    views, scores = [], []
    for one in problems:
        known = one.best_known or one.X.size < _DRAFT_SIZE
        views.append(matrix_view(one, *one.best_pair) if known else nothing)
        scores.append(1 - one.best_error if known else np.nan)
        if check is not None:
            check()
    return _stacked(views), np.array(scores)


def _one(
    problem: MatrixProblem, params: MatrixParams, check: Callable[[], None] | None
) -> tuple[MatrixView, list[NDArray[np.float64]], float, float, float]:
    """One training: its look, its errors (private, clipped, plain), σ, share clipped and real ε."""
    sigma = budget.noise_multipliers(params)[[EPSILON_GRID.index(params.epsilon)]]
    sweep = run_sweep(problem, params, nodes=sigma, threads=1, check=check)
    at = _times(sweep)
    errors = [sweep.errors[0, at], sweep.method_errors[at], sweep.plain_errors[at]]
    seen = matrix_view(problem, sweep.prototypes[0, at], sweep.omegas[0, at])
    return seen, errors, float(sigma[0]), float(sweep.clipped[0]), _real(params, float(sigma[0]))


def _real(params: MatrixParams, sigma: float) -> float:
    """What one ε really costs: `budget.real_epsilons` at the one σ that is asked for."""
    if params.recipe == "tight":
        return params.epsilon
    return params.init_share * params.epsilon + float(budget.steps_epsilons(params, [sigma])[0])


def _times(sweep: MatrixSweep) -> NDArray[np.int64]:
    """The snapshots nearest to ``LINE_TIMES``: a short training has fewer than them."""
    shares = sweep.epochs / sweep.epochs[-1]
    return cast(Integers, np.abs(shares[:, None] - LINE_TIMES).argmin(0))
