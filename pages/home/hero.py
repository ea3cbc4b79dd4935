"""The figure that Home opens with: a wide map that steps through outcomes, with one dot that has a name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpcore._types import AnyArray
from dpcore.experiments import relevance
from ui import live
from ui.live import Axis, Figure, Panel, layers
from ui.words import text

__all__ = ["hero"]

T = text.beside(__file__)
_ASPECT = 2.55  # of the map at 1440 pixels, where it is as wide as the page beside its handle
_ROOM = 1.12  # around the records, so that a prototype moved by noise stays in view


def hero(small: Figure) -> Figure:
    """Return the figure of Home's head: its map as wide as the page, and Ada named.

    Parameters
    ----------
    small : Figure
        Relevance learning's map with its handle, at the page's first settings.

    Returns
    -------
    Figure
        The record that Relevance learning takes out is called Ada: she has a ring in the picture, and neither
        dot nor ring in the world without her.
    """
    points = small.arrays["points"].values[:, :2]
    (panel,) = small.panels
    wide = _wide(panel, points)
    if small.breathing is None:
        return replace(small, compact=False, panels=[wide])
    row = _ada()
    ada = points[row]
    others = points.copy()
    others[row] = np.nan  # left out of the picture, as out of the training
    ring = layers.Markers(
        xy="ada", labels=[0], role="danger", hollow=True, size=9, label=T("hero.ada")
    )
    breathing = replace(
        small.breathing,
        without={**small.breathing.without, "points": "points_without_ada", "ada": ""},
        label_without=T("outcomes.without"),
        take_out=T("outcomes.take_out"),
        put_back=T("outcomes.put_back"),
        person="ada",
    )
    return replace(
        small,
        compact=False,
        panels=[replace(wide, layers=[*wide.layers, ring])],
        arrays={
            **small.arrays,
            "ada": live.Array(ada[None].astype(np.float32), (None, None)),
            "points_without_ada": live.Array(others.astype(np.float32), (None, None)),
        },
        breathing=breathing,
    )


def _ada() -> int:
    params = relevance.RelevanceParams()
    return relevance.chosen_person(relevance.problem_of(params), params).row


def _wide(panel: Panel, points: AnyArray) -> Panel:
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, _ROOM * (high - low) / 2
    half = np.maximum(half, [_ASPECT * half[1], half[0] / _ASPECT])
    x, y = (Axis(range=(float(m - h), float(m + h))) for m, h in zip(middle, half, strict=True))
    return replace(panel, x=x, y=y)
