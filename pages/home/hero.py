"""Large figure at the top of the start page: a map that steps through noise draws, with labelled numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpcore._types import AnyArray
from dpcore.experiments import relevance
from ui.figure_kit.common import array
from ui.live import Axis, Figure, Panel, Readout, layers
from ui.live.layer import Layer
from ui.words import text
from ui.words.numbers import one_in
from ui.words.odds import belief_shown

__all__ = ["hero"]

T = text.load_text(__file__)
_CORNER = 0.8  # of the way from the middle of the map to its edge
_ROOM = 1.12  # around the records, so that a prototype moved by noise stays in view


def hero(small: Figure) -> Figure:
    """Return the figure at the top of the start page: a map of the Relevance learning page in full width.

    Parameters
    ----------
    small : Figure
        Figure on the card of the Relevance learning page, with one map and two readouts, for the default parameters.

    Returns
    -------
    Figure
        The figure of the card with a wider map and a third readout, an upper bound on how sure somebody can be that
        a person took part.
    """
    (panel,) = small.panels
    wide = _wide(panel, small.arrays["points"].values[:, :2])
    params = relevance.RelevanceParams()
    promised = relevance.guarantees(params, relevance.problem_of(params))
    right, plain = small.readouts
    regions = _regions(wide, params)
    wide = replace(wide, layers=[*wide.layers, *(layer for layer, _ in regions.values())])
    sure = T.readout(Readout(value="sure", format="bound in 100"), rare=one_in(params.delta))
    return replace(
        small,
        panels=[wide],
        arrays={
            **small.arrays,
            **{name: array(place) for name, (_, place) in regions.items()},
            "of_region": array(np.zeros(1, np.int32)),
            "sure": array([belief_shown(one) / 100 for one in promised], "epsilon"),
        },
        readouts=[right, replace(plain, note=""), sure],
        texts=[],
    )


def _regions(panel: Panel, params: relevance.RelevanceParams) -> dict[str, tuple[Layer, AnyArray]]:
    """Return the label of each class on the map, as a layer and its position (1, 2), by the name of the position.

    The position is a corner of the map: the one for which the distance to the mean of the other records exceeds the
    distance to the mean of the class by the most.
    """
    problem = relevance.problem_of(params)
    ends = [
        (middle - _CORNER * half, middle + _CORNER * half)
        for axis in (panel.x, panel.y)
        for middle, half in [(sum(axis.range) / 2, (axis.range[1] - axis.range[0]) / 2)]
    ]
    corners = np.array([(x, y) for x in ends[0] for y in ends[1]])
    found: dict[str, tuple[Layer, AnyArray]] = {}
    for k, name in enumerate(problem.dataset.classes):
        own, other = (problem.X[known].mean(axis=0) for known in (problem.y == k, problem.y != k))
        nearer = np.linalg.norm(corners - other, axis=1) - np.linalg.norm(corners - own, axis=1)
        layer = layers.Points(
            xy=f"region{k}",
            labels="of_region",
            role=k,
            size=0,
            alpha=0,
            label=T("region", name=name),
        )
        found[f"region{k}"] = (layer, corners[[nearer.argmax()]])
    return found


def _wide(panel: Panel, points: AnyArray) -> Panel:
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, _ROOM * (high - low) / 2
    x, y = (Axis(range=(float(m - h), float(m + h))) for m, h in zip(middle, half, strict=True))
    return replace(panel, x=x, y=y, fills=True)
