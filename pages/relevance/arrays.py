"""Arrays that the figure of the Relevance learning page draws: prototypes at every ε, and repeated draws."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.grids import DELTA_GRID, EPOCHS_GRID, EPSILON_GRID
from dpcore.experiments.relevance import (
    Line,
    Outcomes,
    Problem,
    RelevanceParams,
    Sweep,
    expected_lot,
    index_table,
    real_epsilons,
    sigma_grid,
)
from ui import live
from ui.figure_kit.common import in_bytes
from ui.figure_kit.preview import Previews, instead_of
from ui.prototypes.estimates import NAMES, draw_arrays
from ui.prototypes.figure import PROGRESS, on_plane, separability
from ui.prototypes.person import map_records

__all__ = [
    "arrays",
    "coords",
    "line_arrays",
    "main_arrays",
    "outcome_arrays",
    "still_arrays",
]

_PICTURE_BYTES = 400_000
Arrays = dict[str, live.Array]
_UNKNOWN = (
    "norms", "curve",
    "band_low", "band_middle", "band_high", "with_record", "without_record", "with_record_counts",
    "without_record_counts", "guessed", *NAMES,
)  # fmt: skip


def arrays(
    problem: Problem, params: RelevanceParams, sweep: Sweep, outcomes: Outcomes | None
) -> Arrays:
    """Return the arrays of the data, the trainings and the repeated draws.

    The figure has further arrays, of initializations and of estimates.
    """
    known = still_arrays(problem) | main_arrays(problem, params, sweep) | _scalars(problem, params)
    return known if outcomes is None else known | outcome_arrays(problem, params, outcomes)


def coords(known: Arrays) -> dict[str, str]:
    """Return, for each axis of the results, the name of the array with the positions of slider values on the axis."""
    axes = {"u": "u_of", "t": "t_of", "iu": "iu_of", "it": "it_of", "v": "v_of"}
    return {axis: name for axis, name in axes.items() if name in known}


def _scalars(problem: Problem, params: RelevanceParams) -> Arrays:
    lot = expected_lot(params, problem.n_declared)
    return {
        "epsilon_now": live.Array(np.array(EPSILON_GRID, np.float32), ("epsilon",)),
        "real_epsilon": live.Array(real_epsilons(params), ("epsilon",)),
        "noise_to_pull": live.Array(sigma_grid(params) / lot, ("epsilon", "delta", "epochs")),
    }


def still_arrays(problem: Problem) -> Arrays:
    """Return the arrays that are the same at every ε: the records, and the best prototypes without privacy.

    For a public data set the arrays are cached as soon as the best prototypes are known.
    """
    shared = problem.dataset.name != "own" and problem.best_known
    return _shared(problem) if shared else _still(problem)


@lru_cache(maxsize=32)
def _shared(problem: Problem) -> Arrays:
    return _still(problem)


def _still(problem: Problem) -> Arrays:
    """Return the arrays of the records and of the best non-private prototypes.

    Until these prototypes are known, their array is NaN, and there are no images of them.
    """
    chosen = map_records(problem)
    origin, axes = problem.plane
    points = live.Array((problem.X[chosen] - origin) @ axes, (None, None))
    known = problem.best_known
    shape = len(problem.labels), problem.X.shape[1]
    best = problem.best if known else np.full(shape, np.nan, np.float32)
    still = {
        "points": points,
        "records": points,  # where all are drawn in either world
        "point_labels": live.Array(problem.y[chosen].astype(np.int32), (None,)),
        "labels": live.Array(problem.labels.astype(np.int32), (None,)),
        "best": live.Array(on_plane(problem, best), (None, None)),
        "best_accuracy": live.Array(_best_accuracy(problem), ()),
    }
    if problem.dataset.image_shape is not None:
        shown = best if known else best[:0]  # no grey squares for what is not known
        still["best_pictures"] = _pictures(problem, shown)
    return still


def _best_accuracy(problem: Problem) -> np.float32:
    return np.float32(1 - problem.best_error if problem.best_known else np.nan)


def main_arrays(problem: Problem, params: RelevanceParams, sweep: Sweep) -> Arrays:
    """Return the arrays of prototypes, accuracies and gradient norms, for every noise level and training progress."""
    proto = on_plane(problem, sweep.prototypes)
    best = live.Array(_best_accuracy(problem), ())
    moving = {
        "u_of": live.Array(index_table(params, sweep.nodes), ("epsilon", "delta", "epochs")),
        "t_of": live.Array(_training_time(sweep), ("epochs", "progress")),
        "proto": live.Array(proto, ("u", "t", None, None)),
        "path": live.Array(proto, ("u", None, None, None)),
        **draw_arrays(sweep, best, "u", "t"),
        "sigma": live.Array(sigma_grid(params), ("epsilon", "delta", "epochs")),
        "norms": live.Array(sweep.norm_counts, ("u", None)),
        "clipped": live.Array(sweep.clipped, ("u",)),
        "curve": live.Array(_curve(params, sweep), ("delta", "epochs", None)),
    }
    if problem.dataset.image_shape is not None:
        moving |= _moving_pictures(problem, params, sweep)
    return moving


def outcome_arrays(problem: Problem, params: RelevanceParams, outcomes: Outcomes) -> Arrays:
    """Return the arrays of repeated draws at every noise level.

    The arrays hold prototypes released with and without the removed record, quantiles of the accuracy, and the
    success of an attacker who tells from a release whether the record was used.
    """
    table = index_table(params, outcomes.nodes)
    at = _at(params, table)
    accuracy = 1 - outcomes.errors  # (D, K)
    on_grid = np.array([np.interp(at, np.arange(len(outcomes.nodes)), row) for row in accuracy])
    low, middle, high = np.quantile(on_grid, [0.1, 0.5, 0.9], axis=0).astype(np.float32)
    with_record, without_record = (
        on_plane(problem, world).swapaxes(0, 1)
        for world in (outcomes.with_record, outcomes.without_record)
    )
    many = {
        "v_of": live.Array(table, ("epsilon", "delta", "epochs")),
        "band_low": live.Array(low, (None,)),
        "band_middle": live.Array(middle, (None,)),
        "band_high": live.Array(high, (None,)),
        "with_record": live.Array(with_record, ("v", None, None, None)),
        "without_record": live.Array(without_record, ("v", None, None, None)),
    }
    return many | separability(outcomes)


def line_arrays(problem: Problem, params: RelevanceParams, lines: Mapping[str, Line]) -> Previews:
    """Return the arrays that are drawn while a slider moves and, for each slider, which arrays they replace.

    Arrays without a replacement are hidden while the slider moves.
    """
    known = {}
    best = live.Array(_best_accuracy(problem), ())
    for name, line in lines.items():
        proto = on_plane(problem, line.prototypes)
        by_name = {
            "proto": live.Array(proto, (name, "t", None, None)),
            "path": live.Array(proto, (name, None, None, None)),
            **draw_arrays(line, best, name, "t"),
            "sigma": live.Array(line.noise_multipliers, (name,)),
            "noise_to_pull": live.Array(
                line.noise_multipliers / _lots(problem, params, name), (name,)
            ),
            "clipped": live.Array(line.clipped, (name,)),
        }
        if problem.dataset.image_shape is not None:
            last = line.prototypes[:, -1]
            by_name["pictures"] = _pictures(problem, last, name)
        if line.labels is not None and line.bests is not None and line.best_errors is not None:
            by_name |= {
                "labels": live.Array(line.labels.astype(np.int32), (name, None)),
                "best": live.Array(on_plane(problem, line.bests), (name, None, None)),
                "best_accuracy": live.Array(1 - line.best_errors, (name,)),
            }
            by_name |= draw_arrays(line, by_name["best_accuracy"], name, "t")
        known[name] = by_name
    return instead_of(known, _UNKNOWN)


def _lots(problem: Problem, params: RelevanceParams, name: str) -> NDArray[np.float64]:
    """Return the expected lot size at every value of the slider ``name``."""
    grid = params.controls()[name].grid or ()
    sizes = [expected_lot(params.but(**{name: value}), problem.n_declared) for value in grid]
    return np.array(sizes, float)


def _at(params: RelevanceParams, table: NDArray[np.float32]) -> NDArray[np.float32]:
    return table[:, DELTA_GRID.index(params.delta), EPOCHS_GRID.index(params.epochs)]


def _training_time(sweep: Sweep) -> NDArray[np.float32]:
    wanted = np.outer(EPOCHS_GRID, np.array(PROGRESS) / PROGRESS[-1])
    return np.asarray(np.interp(wanted, sweep.epochs, np.arange(len(sweep.epochs))), np.float32)


def _curve(params: RelevanceParams, sweep: Sweep) -> NDArray[np.float32]:
    if (
        len(sweep.nodes) == 1
    ):  # a first look at one ε: a flat line would be a claim about all others
        return np.full((len(DELTA_GRID), len(EPOCHS_GRID), len(EPSILON_GRID)), np.nan, np.float32)
    table = index_table(params, sweep.nodes)
    ends = np.rint(np.interp(EPOCHS_GRID, sweep.epochs, np.arange(len(sweep.epochs)))).astype(int)
    index = np.arange(len(sweep.nodes))
    curve = np.empty((len(DELTA_GRID), len(EPOCHS_GRID), len(EPSILON_GRID)), np.float32)
    for j in range(len(DELTA_GRID)):
        for k, end in enumerate(ends):
            curve[j, k] = 1 - np.interp(table[:, j, k], index, sweep.errors[:, end])
    return curve


def _pictures(problem: Problem, prototypes: NDArray[np.float32], *dims: str) -> live.Array:
    images = problem.dataset.to_images(prototypes)
    assert images is not None
    flat = images.reshape(*images.shape[:-2], images.shape[-2] * images.shape[-1])
    return in_bytes(flat, *dims, low=-1.0)


def _moving_pictures(problem: Problem, params: RelevanceParams, sweep: Sweep) -> Arrays:
    height, width = problem.dataset.image_shape or (1, 1)
    each = height * width * len(problem.labels)
    n_nodes = max(k for k in (25, 13, 9, 7, 5) if k * 9 * each <= _PICTURE_BYTES or k == 5)
    n_nodes = min(n_nodes, len(sweep.nodes))
    n_times = int(np.clip(_PICTURE_BYTES // (each * n_nodes), 5, 25))
    nodes = np.unique(np.linspace(0, len(sweep.nodes) - 1, n_nodes).round().astype(int))
    times = np.unique(np.linspace(0, len(sweep.epochs) - 1, n_times).round().astype(int))
    u = index_table(params, sweep.nodes)
    return {
        "pictures": _pictures(problem, sweep.prototypes[np.ix_(nodes, times)], "iu", "it"),
        "iu_of": live.Array(
            np.interp(u, nodes, np.arange(len(nodes))).astype(np.float32),
            ("epsilon", "delta", "epochs"),
        ),
        "it_of": live.Array(
            np.interp(_training_time(sweep), times, np.arange(len(times))).astype(np.float32),
            ("epochs", "progress"),
        ),
    }
