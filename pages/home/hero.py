"""Large figure at the top of Home: a map in full width that steps through outcomes of private training."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpcore._types import AnyArray
from ui.live import Axis, Figure, Panel

__all__ = ["hero"]

_ASPECT = 2.55  # of the map at 1440 pixels, where it is as wide as the page beside its handle
_ROOM = 1.12  # around the records, so that a prototype moved by noise stays in view


def hero(small: Figure) -> Figure:
    """Return the figure at the top of Home: the map of the page Relevance learning in full width.

    Parameters
    ----------
    small : Figure
        The same map with its sliders in card size, at the page's default parameters.

    Returns
    -------
    Figure
    """
    (panel,) = small.panels
    wide = _wide(panel, small.arrays["points"].values[:, :2])
    return replace(small, compact=False, panels=[wide])


def _wide(panel: Panel, points: AnyArray) -> Panel:
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, _ROOM * (high - low) / 2
    half = np.maximum(half, [_ASPECT * half[1], half[0] / _ASPECT])
    x, y = (Axis(range=(float(m - h), float(m + h))) for m, h in zip(middle, half, strict=True))
    return replace(panel, x=x, y=y)
