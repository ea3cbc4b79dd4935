"""Arrays that the figure of the Relevance matrix page draws: trained models, repeated draws, and previews."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.estimate import middle
from dpcore.experiments import relevance
from dpcore.experiments.grids import EPOCHS_GRID
from dpcore.experiments.matrix import (
    LINE_TIMES,
    Line,
    MatrixOutcomes,
    MatrixParams,
    MatrixProblem,
    MatrixView,
    Study,
    sample,
)
from dpcore.experiments.relevance import expected_lot, index_table, real_epsilons, sigma_grid
from ui import live
from ui.figure_kit.common import EPSILONS, array, in_bytes, interleave
from ui.figure_kit.estimates import median_arrays, unknown_arrays
from ui.figure_kit.preview import Previews, instead_of
from ui.prototypes.estimates import NAMES, draw_arrays, draws_of, estimate_arrays
from ui.prototypes.figure import PROGRESS, on_plane, separability
from ui.words import escape

__all__ = [
    "EVEN",
    "Seen",
    "arrays",
    "coords",
    "feature_axis",
    "heat_bytes",
    "heat_top",
    "line_arrays",
    "named_features",
    "plane_points",
    "seen",
    "turned",
    "worlds",
]

Arrays = dict[str, live.Array]
MOST_NAMED = 8
"""Largest number of features shown as bars with names.

More names cannot be read side by side."""
EVEN = 1.5
"""Relevance of the first feature, in equal shares, below which all features are said to count alike."""
_FEW_NAMED, _OF_THE_BEST_MODEL = 6, 3
# Arrays that the trainings along a handle know nothing of; and those of the best model, which they may know.
_UNKNOWN = (
    "curve", "band_low", "band_middle", "band_high", "draws", "spread", "spread_with_record",
    "spread_without_record", "with_record", "without_record", "with_record_counts",
    "without_record_counts", "guessed", "overlap_median", *NAMES, "matrix_noise_private", "matrix_noise_private_now",
)  # fmt: skip
_OF_THE_BEST = (
    "matrix_noise_low", "matrix_noise_best", "matrix_noise_high", "matrix_noise_lambda",
    "matrix_noise_best_now",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Seen:
    """The n records on the maps of a figure, which include the record of the chosen person.

    - ``rows`` (n,): indices of the n records in the training data.
    - ``person``: index of the person's record among the n records.
    - ``X`` (n, d): the records, minus the origin of the problem's plane.
    - ``X_without`` (n, d): the same for the neighbouring data set. The row ``person`` has the replacing record, or
      NaN if the person's record is removed.
    - ``replaced``: whether the person's record is replaced by another record, not removed.
    """

    rows: NDArray[np.int64]
    person: int
    X: NDArray[np.float32]
    X_without: NDArray[np.float32]
    replaced: bool


def seen(problem: MatrixProblem, params: MatrixParams) -> Seen:
    """Return the records on the maps: a fixed sample of all records, and the record of the chosen person."""
    who = relevance.chosen_person(problem, params)
    rows = np.union1d(sample(problem), [who.row])
    origin, _ = problem.plane
    X = (problem.X[rows] - origin).astype(np.float32)
    person = int(np.searchsorted(rows, who.row))
    X[person] = np.array(who.x) - origin
    replaced, without = relevance.neighbouring(params) == "replace_one", X.copy()
    without[person] = (
        problem.X[relevance.replacement(problem, who.row)] - origin if replaced else np.nan
    )
    return Seen(rows=rows, person=person, X=X, X_without=without, replaced=replaced)


def arrays(
    problem: MatrixProblem, params: MatrixParams, study: Study, outcomes: MatrixOutcomes | None
) -> Arrays:
    """Return all arrays of the figure for the available results."""
    on_maps = seen(problem, params)
    by_name = _training(problem, params, study) | _looks(problem, study, on_maps)
    by_name |= _matrix_noise(study)
    by_name |= _scalars(problem, params) | estimate_arrays(draws_of(problem, outcomes))
    by_name |= unknown_arrays("overlap_median")
    if outcomes is not None:
        by_name |= _outcomes(problem, params, study, outcomes) | _overlaps(study, outcomes)
    return by_name


def coords(known: Mapping[str, live.Array]) -> dict[str, str]:
    """Return, for each axis of the results, the name of the array with the positions of slider values on the axis."""
    axes = {"u": "u_of", "t": "t_of", "v": "v_of", "s": "s_of"}
    return {axis: name for axis, name in axes.items() if name in known}


def _overlaps(study: Study, outcomes: MatrixOutcomes) -> Arrays:
    """Return the overlap of the private and the non-private relevance profile, as the median over repeated draws."""
    if study.best is None:
        return {}
    both = np.minimum(outcomes.profiles, study.best.relevances).sum(-1)
    return median_arrays("overlap_median", both, "v")


def named_features(study: Study) -> NDArray[np.int64]:
    """Return the indices of the features that the figure shows as bars, the same ones at every ε.

    If there are at most eight features, all have bars. Otherwise bars are shown for the features that the sentence on
    the private models names at some ε, and for the three most relevant features without privacy. If these are fewer
    than six features, the next most relevant features without privacy are added. The indices are sorted by relevance
    without privacy as soon as it is known.
    """
    shares = study.sweep.relevances()
    n_features = shares.shape[-1]
    leading = shares.argsort(-1)[:, ::-1][shares.max(-1) >= EVEN / n_features]
    order = np.arange(n_features)
    if study.best is not None:
        order = np.argsort(-study.best.relevances, kind="stable")
    named = dict.fromkeys(leading[:, 0].tolist())
    for k in [*order[:_OF_THE_BEST_MODEL].tolist(), *leading[:, 1:2].ravel().tolist()]:
        if len(named) < MOST_NAMED:
            named.setdefault(k)
    for k in order.tolist():
        if len(named) < (_FEW_NAMED if n_features > MOST_NAMED else n_features):
            named.setdefault(k)
    return order[np.isin(order, list(named))]


def heat_top(study: Study) -> float:
    """Return the largest element of the non-private matrix Λ.

    It sets the colour scale of the heat maps.
    """
    known = study.best.matrix if study.best is not None else study.views.matrix
    return max(float(np.abs(known).max()), 1e-6)


def _index(params: MatrixParams, nodes: NDArray[np.float64]) -> NDArray[np.float32]:
    return index_table(params, nodes)[:, :, EPOCHS_GRID.index(params.epochs)]


def _training(problem: MatrixProblem, params: MatrixParams, study: Study) -> Arrays:
    sweep = study.sweep
    accuracy = 1 - sweep.errors
    u = _index(params, sweep.nodes)
    time = np.interp(
        np.array(PROGRESS) / 100 * sweep.epochs[-1], sweep.epochs, np.arange(len(sweep.epochs))
    )
    whole = len(sweep.nodes) > 1  # else a first look at one ε: a flat line would claim too much
    curve = [
        np.interp(row, np.arange(len(sweep.nodes)), accuracy[:, -1]) if whole else row + np.nan
        for row in u.T
    ]
    return {
        "u_of": array(u, "epsilon", "delta"),
        "t_of": array(time, "progress"),
        **draw_arrays(sweep, array(study.best_accuracy), "u", "t"),
        "best_accuracy": array(study.best_accuracy),
        "clipped": array(sweep.clipped, "u"),
        "curve": array(np.array(curve), "delta"),
    }


def _on_map(on_maps: Seen, view: MatrixView, *dims: str) -> Arrays:
    """Return the positions of all records, and of the person's record alone, on the maps of models."""
    places = on_maps.X @ view.axes
    return {
        "places": array(places, *dims),
        "chosen": array(places[..., [on_maps.person], :], *dims),
    }


def _looks(problem: MatrixProblem, study: Study, on_maps: Seen) -> Arrays:
    views, best, top = study.views, study.best, heat_top(study)
    named = named_features(study)
    by_name = _on_map(on_maps, views, "u", "t") | {
        "point_labels": live.Array(problem.y[on_maps.rows].astype(np.int32), (None,)),
        "labels": live.Array(problem.labels.astype(np.int32), (None,)),
        "proto": array(views.prototypes, "u", "t"),
        "profile": array(interleave(views.relevances[..., named]), "u", "t"),
        "heat": heat_bytes(views.matrix, top, "u", "t"),
    }
    by_name |= _eigenvectors("eigen", problem, study, views, "u")
    if best is None:
        return by_name
    by_name |= {
        "best_places": array(on_maps.X @ best.axes),
        "best_proto": array(best.prototypes),
        "best_profile": array(interleave(best.relevances[named])),
        "best_heat": heat_bytes(best.matrix, top),
        "overlap": array(np.minimum(views.relevances, best.relevances).sum(-1), "u", "t"),
    }
    return by_name | _eigenvectors("best_eigen", problem, study, best)


def heat_bytes(matrix: NDArray[np.float32], top: float, *dims: str) -> live.Array:
    """Return matrices of F features (..., F, F) as bytes (..., 1, F²) for heat maps.

    The bytes encode the signed square root of each element, after division by ``top``.
    """
    flat = matrix.reshape(*matrix.shape[:-2], 1, -1) / top
    return in_bytes(np.sign(flat) * np.sqrt(np.abs(flat)), *dims, low=-1.0)


def _eigenvectors(
    name: str, problem: MatrixProblem, study: Study, matrix_view: MatrixView, dim: str = ""
) -> Arrays:
    """Return the leading eigenvectors of relevance matrices Λ as an array called ``name``.

    If the records are images, the array has the first two eigenvectors as images. Otherwise it has the elements
    of the first eigenvector that belong to the features shown as bars. ``dim`` names the axis of several
    matrices; it is "" for a single matrix.
    """
    ends = turned(problem, matrix_view.directions[:, -1] if dim else matrix_view.directions)
    if problem.dataset.image_shape is not None:
        return {name: _as_images(problem, ends[..., :2, :], dim)}
    bars = interleave(ends[..., 0, named_features(study)])
    return {name: array(bars, *filter(None, [dim]))}


def turned(problem: MatrixProblem, ends: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return eigenvectors (..., d) with a sign that is the same in all trainings.

    The sign of an eigenvector is arbitrary. It is chosen such that the component along the direction of largest
    variance is not negative.
    """
    _, axes = problem.plane
    along = ends @ axes[:, :1].astype(np.float32)
    return np.where(along < 0, -ends, ends)


def _as_images(problem: MatrixProblem, ends: NDArray[np.float32], dim: str) -> live.Array:
    """Return eigenvectors as images with values from -1 to 1."""
    data = problem.dataset
    flat = ends if data.decode is None else data.decode(ends) - data.decode(np.zeros_like(ends))
    flat = flat / np.maximum(np.abs(flat).max(-1, keepdims=True), 1e-12)
    return in_bytes(flat, *([dim] if dim else []), low=-1.0)


def plane_points(problem: MatrixProblem, on_maps: Seen) -> live.Array:
    """Return the records on the maps, projected on the plane of largest variance."""
    return array(on_maps.X @ problem.plane[1].astype(np.float32))


def _matrix_noise(study: Study) -> Arrays:
    """Return test accuracies after noise is added to the relevance matrix of a trained model.

    The models are the non-private one, and a private one at every ε.
    """
    if study.noised_errors is None or study.best_noised_errors is None:
        return {}
    best = 1 - study.best_noised_errors  # (2, V, D)
    low, high = np.quantile(best[0], [0.1, 0.9], axis=-1)
    private = (1 - study.noised_errors).mean(-1)  # (K, 2, V)
    return {
        "matrix_noise_low": array(low),
        "matrix_noise_best": array(best[0].mean(-1)),
        "matrix_noise_high": array(high),
        "matrix_noise_lambda": array(best[1].mean(-1)),
        "matrix_noise_private": array(private[:, 0], "u"),
        "matrix_noise_best_now": array(best[0].mean(-1), "matrix_noise_std"),
        "matrix_noise_private_now": array(private[:, 0], "u", "matrix_noise_std"),
        "matrix_noise_at": array(np.arange(best.shape[1]), "matrix_noise_std"),
    }


def _scalars(problem: MatrixProblem, params: MatrixParams) -> Arrays:
    sigma = sigma_grid(params)[:, :, EPOCHS_GRID.index(params.epochs)]
    lot = expected_lot(params, problem.n_declared)
    return {
        "epsilon_now": array(EPSILONS, "epsilon"),
        "real_epsilon": array(real_epsilons(params), "epsilon"),
        "sigma": array(sigma, "epsilon", "delta"),
        "noise_to_pull": array(sigma / lot, "epsilon", "delta"),
    }


def _outcomes(
    problem: MatrixProblem, params: MatrixParams, study: Study, outcomes: MatrixOutcomes
) -> Arrays:
    named = named_features(study)
    table = _index(params, outcomes.nodes)
    index = np.arange(len(outcomes.nodes))
    low, median, high = (
        np.array([[np.interp(row, index, part) for row in table.T]])[0]
        for part in middle(1 - outcomes.errors)
    )
    released = outcomes.released()
    shape = (*outcomes.with_record.shape[:2], len(problem.labels), problem.n_features)
    size = shape[2] * shape[3]
    worlds = {
        name: on_plane(problem, values[:, :, 0, :size].reshape(shape)).swapaxes(0, 1)
        for name, values in (
            ("with_record", outcomes.with_record),
            ("without_record", outcomes.without_record),
        )
    }
    return {
        "v_of": array(table, "epsilon", "delta"),
        "band_low": array(low, "delta"),
        "band_middle": array(median, "delta"),
        "band_high": array(high, "delta"),
        "draws": array(outcomes.prototypes.swapaxes(0, 1), "v"),
        "spread": _whiskers(outcomes.profiles[..., named]),
        "spread_with_record": _tops(outcomes.profiles[..., named]),
        "spread_without_record": _tops(outcomes.without_record_profiles[..., named]),
        **{name: array(values, "v") for name, values in worlds.items()},
        **separability(released),
    }


def worlds(
    study: Study, on_maps: Seen, outcomes: MatrixOutcomes | None, reach: float
) -> dict[str, tuple[live.Array, live.Array]]:
    """Return relevances and maps in repeated draws, as pairs of arrays: with the removed record, and without it.

    The key of a pair is the name of the array that the pair replaces. Without draws the result is empty. ``reach`` is
    a coordinate just outside of the maps; positions beyond it, and those of removed records, are moved to it.
    """
    if outcomes is None:
        return {}
    named = named_features(study)

    def both(here: NDArray[Any], there: NDArray[Any]) -> tuple[live.Array, live.Array]:
        """Return the results (D, K, ...) of D draws at K noise levels as arrays, for both data sets."""
        one, other = (array(x.swapaxes(0, 1), "v", live.OUTCOME) for x in (here, there))
        return one, other

    def in_frame(places: NDArray[np.float32]) -> live.Array:
        """Return positions (D, K, n, 2) as bytes, with NaN replaced by a position just outside of the maps."""
        seen = np.nan_to_num(places.swapaxes(0, 1), nan=reach)
        return in_bytes(seen, "v", live.OUTCOME, low=-reach, high=reach)

    here, there = (
        on_maps.X @ outcomes.axes,
        on_maps.X_without @ outcomes.without_record_axes,
    )
    person, stranger = here[..., [on_maps.person], :], there[..., [on_maps.person], :]
    nobody = np.full_like(person, np.nan)
    by_name = {
        "profile": both(
            interleave(outcomes.profiles[..., named]),
            interleave(outcomes.without_record_profiles[..., named]),
        ),
        "proto": both(outcomes.prototypes, outcomes.without_record_prototypes),
        "places": (in_frame(here), in_frame(there)),
        "chosen": both(person, nobody),
    }
    if on_maps.replaced:
        by_name["stranger"] = both(nobody, stranger)
    return by_name


def _whiskers(profiles: NDArray[np.float32]) -> live.Array:
    """Return one line segment for each of F features at K noise levels, (K, 3F).

    A segment covers the middle 80 % of a feature's relevance over the draws. It has three values, the last of which
    is NaN and separates the segments.
    """
    low, _, high = middle(profiles)
    strokes = np.stack([low, high, np.full_like(low, np.nan)], -1)
    return array(strokes.reshape(len(low), -1), "v")


def _tops(profiles: NDArray[np.float32]) -> live.Array:
    """Return the mean relevances of F features over the draws, at K noise levels, with a gap after each, (K, 2F)."""
    return array(interleave(profiles.mean(0)), "v")


def feature_axis(
    problem: MatrixProblem, named: Sequence[int] | NDArray[np.int64]
) -> dict[str, Any]:
    """Return range, ticks and tick labels of an axis on which each of the features ``named`` has a bar."""
    names = problem.dataset.feature_names
    return {
        "range": (0.0, float(len(named))),
        "ticks": tuple(k + 0.5 for k in range(len(named))),
        "words": tuple(escape.tame(names[k], 30) for k in named),
    }


def line_arrays(
    problem: MatrixProblem, params: MatrixParams, study: Study, lines: Mapping[str, Line]
) -> Previews:
    """Return the arrays that are drawn while a slider moves and, for each slider, which arrays they replace.

    Arrays without a replacement are hidden while the slider moves.
    """
    if not lines:
        return {}, {}
    on_maps = seen(problem, params)
    by_control = {
        name: _line_numbers(problem, params, study, name, line)
        | _line_views(problem, study, on_maps, name, line)
        for name, line in lines.items()
    }
    along, previews = instead_of(by_control, _UNKNOWN)
    for name, line in lines.items():
        previews[name] |= dict.fromkeys(_OF_THE_BEST if line.bests else (), "")
    shares = np.array(PROGRESS) / PROGRESS[-1]
    along["s_of"] = array(np.interp(shares, LINE_TIMES, np.arange(len(LINE_TIMES))), "progress")
    return along, previews


def _line_numbers(
    problem: MatrixProblem, params: MatrixParams, study: Study, name: str, line: Line
) -> Arrays:
    best = study.best_accuracy if line.best_accuracies is None else line.best_accuracies
    grid = params.controls()[name].grid or ()
    here = [params.but(**{name: value}) for value in grid]
    lots = np.array([expected_lot(each, problem.n_declared) for each in here])
    return {
        **draw_arrays(line, array(best), name, "s"),
        "clipped": array(line.clipped, name),
        "sigma": array(line.noise_multipliers, name),
        "noise_to_pull": array(line.noise_multipliers / lots, name),
        "real_epsilon": array(line.real_epsilons, name),
    }


def _line_views(
    problem: MatrixProblem, study: Study, on_maps: Seen, name: str, line: Line
) -> Arrays:
    views, named = line.views, named_features(study)
    by_name = _on_map(on_maps, views, name, "s") | {
        "proto": array(views.prototypes, name, "s"),
        "profile": array(interleave(views.relevances[..., named]), name, "s"),
        "heat": heat_bytes(views.matrix, heat_top(study), name, "s"),
    }
    if study.best is not None:
        best = study.best.relevances if line.bests is None else line.bests.relevances[:, None]
        by_name["overlap"] = array(np.minimum(views.relevances, best).sum(-1), name, "s")
    by_name |= _eigenvectors("eigen", problem, study, views, name)
    return by_name | _models(problem, study, on_maps, name, line)


def _models(problem: MatrixProblem, study: Study, on_maps: Seen, name: str, line: Line) -> Arrays:
    """Return the arrays of non-private models trained at every value of the slider ``name``.

    The result is empty if the slider does not change the non-private model.
    """
    if line.bests is None or line.best_accuracies is None:
        return {}
    # Pictures have no way to show what is not known: middle grey, no relevance at all.
    bests = replace(
        line.bests,
        matrix=np.nan_to_num(line.bests.matrix),
        directions=np.nan_to_num(line.bests.directions)[:, None],
    )
    by_name = {
        "labels": live.Array(line.labels.astype(np.int32), (name, None)),
        "best_accuracy": array(line.best_accuracies, name),
        "best_places": array(on_maps.X @ bests.axes, name),
        "best_proto": array(bests.prototypes, name),
        "best_profile": array(interleave(bests.relevances[..., named_features(study)]), name),
        "best_heat": heat_bytes(bests.matrix, heat_top(study), name),
    }
    return by_name | _eigenvectors("best_eigen", problem, study, bests, name)
