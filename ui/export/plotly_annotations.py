"""Texts of exported panels, as Plotly annotations.

Labels of points, marks and lines of a map have arrows. Annotations of a panel are at their positions in
the panel.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.export import plotly_marks as marks
from ui.export.plotly_marks import Read
from ui.live import Axis, Panel, layers
from ui.words import escape

__all__ = ["annotate", "name_heaps"]

_CANDIDATES = 12  # places of a heap at which its label may stand


def name_heaps(chart: go.Figure, panel: Panel, read: Read) -> None:
    """Label groups of records and lines of a map, with an arrow to the edge of each group or line."""
    heaps = [
        layer
        for layer in panel.layers
        if isinstance(layer, marks.RECORDS)
        or (isinstance(layer, layers.Line) and not marks.is_curve(layer, panel))
    ]
    places = [_shares(panel, _xy(layer, read)) for layer in heaps]
    taken = np.full((1, 2), 9.0)  # where labels stand, far away
    for k, layer in enumerate(heaps):
        if not layer.label or not len(places[k]):
            continue
        others = np.concatenate([part for j, part in enumerate(places) if j != k] + [taken])
        middle = places[k].mean(axis=0)
        rim = np.argsort(-np.square(places[k] - middle).sum(axis=1), kind="stable")[:_CANDIDATES]
        room = [np.abs(others - place).sum(axis=1).min() for place in places[k][rim]]
        at = places[k][rim[int(np.argmax(room))]]
        away = np.where(at < 0.5, 1, -1)  # towards the middle: there is room for words
        taken = np.concatenate([taken, [at + 0.1 * away]])
        chart.add_annotation(
            **_on_axes(panel, at), ax=26 * int(away[0]), ay=-26 * int(away[1]), showarrow=True, arrowwidth=1,
            arrowcolor=marks.colour(layer), text=escape.hyper(layer.label), bgcolor="rgba(255,255,255,0.75)",
            xanchor="left" if away[0] > 0 else "right", font={"color": marks.colour(layer), "size": 13},
        )  # fmt: skip


def annotate(chart: go.Figure, panel: Panel, read: Read, fill: Callable[[str], str]) -> None:
    """Write the annotations of a panel at their positions.

    ``fill`` replaces names in braces by the present values.
    """
    for layer in panel.layers:
        if not isinstance(layer, layers.Annotation):
            continue
        x, y = (
            np.log10(place) if axis.log and place > 0 else place
            for axis, place in ((panel.x, float(read(layer.x))), (panel.y, float(read(layer.y))))
        )
        if math.isnan(x + y):
            continue
        ground = marks.colour(layer) if layer.stamped else "rgba(255,255,255,0.75)"
        chart.add_annotation(
            x=x, y=y, xshift=layer.dx or 0, yshift=-(layer.dy or 0), xanchor=layer.align, yanchor="middle",
            showarrow=False, text=escape.hyper(fill(layer.words)), bgcolor=ground,
            font={"color": "#ffffff" if layer.stamped else marks.colour(layer), "size": 13},
        )  # fmt: skip


def _xy(layer: Any, read: Read) -> NDArray[np.float64]:
    if isinstance(layer, layers.Line):
        return np.column_stack([read(layer.x), read(layer.y)])
    return read(layer.xy)


def _shares(panel: Panel, places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the positions of records as fractions of the panel's width and height.

    Records outside the panel are left out.
    """
    flat = places.reshape(-1, places.shape[-1])[:, :2].T
    shares = np.transpose(
        [_share(axis, part) for axis, part in zip((panel.x, panel.y), flat, strict=True)]
    )
    return shares[((shares >= 0) & (shares <= 1)).all(axis=1)]


def _share(axis: Axis, values: NDArray[np.float64]) -> NDArray[np.float64]:
    low, high = axis.range
    if axis.log:
        with np.errstate(divide="ignore", invalid="ignore"):
            low, high, values = np.log10(low), np.log10(high), np.log10(values)
    return (values - low) / (high - low)


def _on_axes(panel: Panel, at: NDArray[np.float64]) -> dict[str, float]:
    """Convert a position ``at``, in fractions of the panel, to the units of Plotly annotations.

    On log axes these units are exponents.
    """
    anchors = {}
    for name, axis, share in zip("xy", (panel.x, panel.y), at, strict=True):
        low, high = np.log10(axis.range) if axis.log else axis.range
        anchors[name] = float(low + share * (high - low))
    return anchors
