"""Released models of repeated matrix trainings on neighbouring data sets, and test errors at other settings.

The settings are clipping norm, sampling rate and number of epochs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore._types import AnyArray
from dpcore.experiments import relevance
from dpcore.experiments.grids import CLIP_NORM_GRID, EPOCHS_GRID, EPSILON_GRID, SAMPLE_RATE_GRID
from dpcore.experiments.matrix.params import MatrixParams, MatrixProblem
from dpcore.experiments.matrix.training import Hooks, cached, matrix_view, relevances, run_sweep
from dpcore.experiments.relevance import budget, chosen_person
from dpcore.experiments.relevance.outcomes import run_worlds
from dpcore.experiments.relevance.training import Paths

__all__ = [
    "N_SETTINGS",
    "PAPER_SPREAD",
    "SPREAD_EPSILONS",
    "MatrixOutcomes",
    "draft_outcomes",
    "n_draws_for",
    "run_outcomes",
    "run_spread",
    "whole_outcomes",
]

_NODES = 7


@dataclass(frozen=True, kw_only=True)
class MatrixOutcomes:
    """Released models of D trainings at K noise levels, with and without one person's record.

    A model has P prototypes of d features, and a matrix Ω of l rows.

    - ``nodes`` (K,): noise multipliers σ.
    - ``errors`` (D, K): test errors of models trained with the record.
    - ``prototypes`` and ``without_record_prototypes`` (D, K, P, 3): prototypes of models with and
      without the record, as two map coordinates and the squared distance to the map's plane.
    - ``axes`` and ``without_record_axes`` (D, K, d, 2): the maps, see `MatrixView`.
    - ``method_errors`` and ``plain_errors`` (D,): test errors of the same steps without noise.
      ``method_errors`` are with clipping, ``plain_errors`` without clipping.
    - ``profiles`` and ``without_record_profiles`` (D, K, d): relevances with and without the
      record.
    - ``with_record`` and ``without_record`` (D, K, 1, P d + l d): all released numbers as one
      vector.
    """

    params: MatrixParams
    nodes: NDArray[np.float64]
    errors: NDArray[np.float64]
    method_errors: NDArray[np.float64]
    plain_errors: NDArray[np.float64]
    prototypes: NDArray[np.float32]
    axes: NDArray[np.float32]
    without_record_prototypes: NDArray[np.float32]
    without_record_axes: NDArray[np.float32]
    profiles: NDArray[np.float32]
    without_record_profiles: NDArray[np.float32]
    with_record: NDArray[np.float32]
    without_record: NDArray[np.float32]

    def released(self) -> relevance.Outcomes:
        """Return the models as `relevance.Outcomes`, the form that the attack on prototypes needs."""
        return relevance.Outcomes(
            params=self.params, nodes=self.nodes, errors=self.errors,
            method_errors=self.method_errors, plain_errors=self.plain_errors,
            with_record=self.with_record, without_record=self.without_record,
        )  # fmt: skip


def n_draws_for(problem: MatrixProblem) -> int:
    """Return the number of repeated trainings: 30, or 10 if one takes long."""
    return 30 if problem.X.size < 200_000 else 10


def run_outcomes(
    problem: MatrixProblem,
    params: MatrixParams,
    *,
    n_draws: int | None = None,
    nodes: NDArray[np.float64] | None = None,
    threads: int = 1,
    check: Callable[[], None] | None = None,
) -> Iterator[MatrixOutcomes]:
    """Yield released models (`MatrixOutcomes`) on two neighbouring data sets, after each repeated training.

    The data sets differ in one person's record. Repetition j uses the noise of (seed, j) for both
    of them.

    Parameters
    ----------
    problem : MatrixProblem
        The data, including the person's record.
    params : MatrixParams
        All settings except ε.
    n_draws : int, optional
        Number of draws for each of the two data sets.
    nodes : ndarray (K,), optional
        Noise multipliers; by default a grid that covers all ε.
    threads, check
        Number of threads, and a function that is called regularly and may raise to stop the work.

    Yields
    ------
    MatrixOutcomes
    """
    nodes = budget.noise_nodes(params, _NODES) if nodes is None else nodes
    person = chosen_person(problem, params)
    series: dict[str, list[AnyArray]] = {name: [] for name in _KEPT}
    wanted = n_draws or n_draws_for(problem)
    for with_person, without in run_worlds(
        problem, params, person, n_draws=wanted, nodes=nodes, threads=threads, check=check
    ):
        for name, value in _numbers(problem, with_person, without).items():
            series[name].append(value)
        yield MatrixOutcomes(
            params=params, nodes=nodes, **{k: np.array(v) for k, v in series.items()}
        )


def draft_outcomes(
    problem: MatrixProblem, params: MatrixParams, n_draws: int = 6
) -> MatrixOutcomes:
    """Return preliminary released models from a few repeated trainings, only at the ε of ``params``."""
    nodes = budget.chosen_multiplier(params)
    *_, last = run_outcomes(problem, params, n_draws=n_draws, nodes=nodes)
    return last


def whole_outcomes(
    problem: MatrixProblem,
    params: MatrixParams,
    *,
    report: Callable[[MatrixOutcomes], None] | None = None,
    check: Callable[[], None] | None = None,
) -> MatrixOutcomes:
    """Return the released models on two neighbouring data sets after all repeated trainings.

    For large data sets the models are stored on disk, see `cached`.

    Parameters
    ----------
    problem : MatrixProblem
        The data, including the person's record.
    params : MatrixParams
        All settings except ε.
    report, check : callables, optional
        ``report`` is called with the outcomes after every draw. ``check`` is called
        regularly and may raise to stop the work.

    Returns
    -------
    MatrixOutcomes
    """
    still = params.but(epsilon=1.0, matrix_noise_std=0.025)
    return cached(_whole, "outcomes", still, problem, (report, check))


def _whole(what: str, params: MatrixParams, problem: MatrixProblem, hooks: Hooks) -> MatrixOutcomes:
    report, check = hooks
    for outcomes in run_outcomes(problem, params, check=check):
        if report is not None:
            report(outcomes)
    return outcomes


_KEPT = (
    "errors",
    "method_errors",
    "plain_errors",
    "prototypes",
    "axes",
    "without_record_prototypes",
    "without_record_axes",
    "profiles",
    "without_record_profiles",
    "with_record",
    "without_record",
)


def _numbers(problem: MatrixProblem, one: Paths, other: Paths) -> dict[str, AnyArray]:
    errors = problem.matrix_errors(one.prototypes[:, 0], one.matrices[:, 0])
    one = Paths(one.prototypes[:-2], one.matrices[:-2])  # all but the references
    W, Omega = one.prototypes[:, 0], one.matrices[:, 0]
    here = matrix_view(problem, W, Omega)
    there = matrix_view(problem, other.prototypes[:, 0], other.matrices[:, 0])
    return {
        "errors": errors[:-2],
        "method_errors": errors[-2],
        "plain_errors": errors[-1],
        "prototypes": here.prototypes,
        "axes": here.axes,
        "without_record_prototypes": there.prototypes,
        "without_record_axes": there.axes,
        "profiles": relevances(Omega).astype(np.float32),
        "without_record_profiles": relevances(other.matrices[:, 0]).astype(np.float32),
        "with_record": _released(one),
        "without_record": _released(other),
    }


def _released(path: Paths) -> NDArray[np.float32]:
    """Return all released numbers of K models as vectors (K, 1, P d + l d).

    A model has P prototypes of d features and a matrix Ω of l rows.
    """
    parts = [part.reshape(len(part), -1) for part in (path.prototypes, path.matrices)]
    return np.concatenate(parts, axis=1)[:, None]


SPREAD_EPSILONS = (0.75, 1.0, 2.5)
PAPER_SPREAD = {
    "clip_norm": (0.1275, 0.0412, 0.0062),
    "sample_rate": (0.0899, 0.0370, 0.0062),
    "epochs": (0.0361, 0.0081, 0.0060),
}
"""Published standard deviations of the test error on Motion data at three ε, by the varied setting.

They are from section 4 of the paper by Brinkrolf et al.
"""
_VALUES: dict[str, tuple[float, ...]] = {
    "clip_norm": tuple(c for c in CLIP_NORM_GRID if 0.05 <= c <= 2),
    "sample_rate": tuple(q for q in SAMPLE_RATE_GRID if q <= 0.1),
    "epochs": tuple(e for e in EPOCHS_GRID if 10 <= e <= 100),
}
N_SETTINGS = sum(map(len, _VALUES.values()))
"""Number of settings of the training that are compared."""


def run_spread(
    problem: MatrixProblem,
    params: MatrixParams,
    *,
    progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> dict[str, NDArray[np.float64]]:
    """Return the test errors at ε = 0.75, 1 and 2.5 while one setting is varied at a time.

    The settings are the clipping norm C, the sampling rate q and the number of epochs E.

    Parameters
    ----------
    problem : MatrixProblem
        The data.
    params : MatrixParams
        All other settings.
    progress, check : callables, optional
        ``progress`` is called with the fraction done. ``check`` is called regularly and may raise
        to stop the work.

    Returns
    -------
    dict of str to ndarray (V, 3)
        Test errors at the V values of each setting and the three ε, by the name of the setting. The
        standard deviation of the errors over the values of a setting is comparable with
        ``PAPER_SPREAD``.
    """
    errors = {name: np.full((len(v), 3), np.nan) for name, v in _VALUES.items()}
    done = 0
    where = [EPSILON_GRID.index(epsilon) for epsilon in SPREAD_EPSILONS]
    for name, values in _VALUES.items():
        for k, value in enumerate(values):
            here = params.but(**{name: value})
            nodes = budget.noise_multipliers(here)[where]
            sweep = run_sweep(problem, here, nodes=nodes, references=False, check=check)
            errors[name][k] = sweep.errors[:, -1]
            done += 1
            if progress is not None:
                progress(done / N_SETTINGS)
    return errors
