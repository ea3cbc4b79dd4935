"""What the handles of C, q, E, η, m and the start's share draw on the matrix page while they move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from dpcore.experiments.matrix import LINE_TIMES, Line, MatrixParams, MatrixProblem, Study
from dpcore.experiments.relevance import expected_lot
from pages.matrix.figure_arrays import eigen_pictures, heat_bytes, heat_top, side_by_side
from ui.figure_kit.common import array
from ui.figure_kit.preview import Previews, instead_of
from ui.live import Array
from ui.prototypes.estimates import NAMES
from ui.prototypes.figures import PROGRESS

__all__ = ["COORD", "line_arrays"]

COORD = {"s": "s_of"}
_UNKNOWN = (
    "curve", "band_low", "band_middle", "band_high", "draws", "spread", "spread_with_record",
    "spread_without_record", "with_record", "without_record", "with_record_counts",
    "without_record_counts", "guessed", "overlap_median", *NAMES, "matrix_noise_private", "matrix_noise_private_now",
)  # fmt: skip
_OF_THE_BEST = (
    "matrix_noise_low", "matrix_noise_best", "matrix_noise_high", "matrix_noise_lambda",
    "matrix_noise_best_now",
)  # fmt: skip
Arrays = dict[str, Array]


def line_arrays(
    problem: MatrixProblem, params: MatrixParams, study: Study, lines: Mapping[str, Line]
) -> Previews:
    """Return what the handles draw while they move, and which arrays that stands in for.

    Arrays that the lines know nothing of stand empty ("") while a handle moves.
    """
    if not lines:
        return {}, {}
    found = {
        name: _numbers(problem, params, name, line) | _pictures(problem, study, name, line)
        for name, line in lines.items()
    }
    made, previews = instead_of(found, _UNKNOWN)
    for name, line in lines.items():
        previews[name] |= dict.fromkeys(_OF_THE_BEST if line.bests else (), "")
    shares = np.array(PROGRESS) / PROGRESS[-1]
    made["s_of"] = array(np.interp(shares, LINE_TIMES, np.arange(len(LINE_TIMES))), "progress")
    return made, previews


def _numbers(problem: MatrixProblem, params: MatrixParams, name: str, line: Line) -> Arrays:
    accuracy, method, plain = 1 - line.errors, 1 - line.method_errors, 1 - line.plain_errors
    grid = params.controls()[name].grid or ()
    here = [params.but(**{name: value}) for value in grid]
    lots = np.array([expected_lot(each, problem.n_declared) for each in here])
    return {
        "accuracy": array(accuracy, name, "s"),
        "method": array(method, name, "s"),
        "plain": array(plain, name, "s"),
        "clipped": array(line.clipped, name),
        "sigma": array(line.noise_multipliers, name),
        "noise_to_pull": array(line.noise_multipliers / lots, name),
        "real_epsilon": array(line.real_epsilons, name),
    }


def _pictures(problem: MatrixProblem, study: Study, name: str, line: Line) -> Arrays:
    views = line.views
    found = {
        "proto": array(views.prototypes, name, "s"),
        "places": array(views.places[:, :, None], name, "s"),
        "profile": array(side_by_side(views.relevances), name, "s"),
        "heat": heat_bytes(views.matrix, heat_top(study), name, "s"),
    }
    if study.best is not None:
        best = study.best.relevances if line.bests is None else line.bests.relevances[:, None]
        found["overlap"] = array(np.minimum(views.relevances, best).sum(-1), name, "s")
    pictures = eigen_pictures(problem, views, name)
    if pictures is not None:
        found["eigen"] = pictures
    return found | _models(problem, study, name, line)


def _models(problem: MatrixProblem, study: Study, name: str, line: Line) -> Arrays:
    """The classes of the prototypes and the models without privacy, where m decides them."""
    if line.bests is None or line.best_accuracies is None:
        return {}
    # Pictures have no way to show what is not known: middle grey, no relevance at all.
    bests = replace(
        line.bests,
        matrix=np.nan_to_num(line.bests.matrix),
        directions=np.nan_to_num(line.bests.directions)[:, None],
    )
    found = {
        "labels": Array(line.labels.astype(np.int32), (name, None)),
        "best_accuracy": array(line.best_accuracies, name),
        "best_places": array(bests.places, name),
        "best_proto": array(bests.prototypes, name),
        "best_profile": array(side_by_side(bests.relevances), name),
        "best_heat": heat_bytes(bests.matrix, heat_top(study), name),
    }
    pictures = eigen_pictures(problem, bests, name)
    return found if pictures is None else found | {"best_eigen": pictures}
