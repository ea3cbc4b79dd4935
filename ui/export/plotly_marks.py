"""Drawing of a figure's layers in Plotly, with the colours and labels that they have in the browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.live import Axis, Panel, layers
from ui.words import escape

__all__ = [
    "CLASSES",
    "RECORDS",
    "ROLES",
    "Read",
    "colour",
    "draw",
    "is_curve",
    "name_curves",
    "spread",
]

# Those of assets/live/draw/theme.js on a light ground.
ROLES = {
    "private": "#4f46e5", "nonprivate": "#6b7280", "danger": "#c2321f", "muted": "#9aa3b5",
    "other": "#b45309", "pinned": "#0f766e", "text": "#1c2333",
}  # fmt: skip
CLASSES = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9",
    "#d55e00", "#8c6bb1", "#b8a800", "#7f7f7f", "#8b5a2b",
)  # fmt: skip
_APART = 0.055  # between two labels, in heights of the picture
RECORDS = layers.Points | layers.Markers | layers.Cloud
Read = Callable[[Any], NDArray[np.float64]]


def draw(chart: go.Figure, read: Read, layer: layers.Layer) -> None:
    """Draw one layer into a Plotly figure, if Plotly can draw it."""
    for kind, drawing in _DRAW.items():
        if isinstance(layer, kind):
            drawing(chart, read, layer)


def name_curves(chart: go.Figure, panel: Panel, read: Read) -> None:
    """Label curves, bands and horizontal lines at their right ends without overlap.

    A bar chart has its label at the highest bar.
    """
    ends = []
    for layer in panel.layers:
        if isinstance(layer, layers.Bars) and layer.label:
            _name_bars(chart, panel.x, read, layer)
        at_end = isinstance(layer, layers.HLine | layers.Band) or is_curve(layer, panel)
        if at_end and layer.label:
            end = _end(layer, read)
            place = None if end is None else _place(end, panel.y)
            if place is not None:
                ends.append((place, layer.label, colour(layer)))
    ends.sort()
    heights = spread([place for place, *_ in ends], _APART)
    for at, (_, label, shade) in zip(heights, ends, strict=True):
        chart.add_annotation(
            x=1.0, y=at, xref="paper", yref="paper", xanchor="left", yanchor="middle", xshift=6, showarrow=False,
            text=escape.hyper(label), font={"color": shade, "size": 13},
        )  # fmt: skip
    widest = max((len(label) for _, label, _ in ends), default=0)
    chart.update_layout(margin={"r": 40 + 7 * widest})


def spread(places: Sequence[float], distance: float) -> list[float]:
    """Return ascending label heights near the preferred heights, at least ``distance`` apart and at most 1.

    Parameters
    ----------
    places : sequence of float
        The preferred heights of the labels in ascending order, as fractions of the plot's height.
    distance : float
        Height of a label.

    Returns
    -------
    list of float

    Examples
    --------
    >>> [round(place, 2) for place in spread([0.5, 0.52, 1.0], 0.1)]
    [0.5, 0.6, 1.0]
    """
    at, moved = -1.0, []
    for place in places:
        at = max(place, at + distance)
        moved.append(at)
    top = 1.0 + distance
    for k in range(len(moved) - 1, -1, -1):
        moved[k] = top = min(moved[k], top - distance)
    return moved


def is_curve(layer: layers.Layer, panel: Panel) -> bool:
    """Return whether a line runs from left to right.

    Such a line is labelled at its right end.
    """
    return isinstance(layer, layers.Line) and panel.kind != "map"


def _name_bars(chart: go.Figure, axis: Axis, read: Read, layer: layers.Bars) -> None:
    """Label the highest bar of a bar chart with an arrow; the label is above those of earlier bar charts."""
    edges, heights = read(layer.edges), read(layer.heights)
    if not np.isfinite(heights).any():
        return
    at = int(np.nanargmax(heights))
    middle = (edges[at] + edges[at + 1]) / 2
    above = sum(bool(note.showarrow) for note in chart.layout.annotations)
    chart.add_annotation(
        x=np.log10(middle) if axis.log else middle, y=heights[at], ax=0, ay=-18 - 20 * above, showarrow=True,
        arrowwidth=1, arrowcolor=colour(layer), text=escape.hyper(layer.label),
        font={"color": colour(layer), "size": 13},
    )  # fmt: skip


def colour(layer: layers.Layer) -> str:
    """Return the colour of a layer's role.

    A layer without a role has the colour of private results.
    """
    role = getattr(layer, "role", None)
    if isinstance(role, int):
        return CLASSES[role % len(CLASSES)]
    return ROLES.get(role or "private", str(role))


def _end(layer: Any, read: Read) -> float | None:
    if isinstance(layer, layers.HLine):
        return float(read(layer.at))
    band = isinstance(layer, layers.Band)
    known = (read(layer.low) + read(layer.high)) / 2 if band else read(layer.y)
    known = known[np.isfinite(known)]
    return float(known[-1]) if len(known) else None


def _place(value: float, axis: Axis) -> float | None:
    """Return the height of a value in the panel, clipped to 0 (bottom) to 1 (top).

    Return None if the value is not finite.
    """
    low, high = axis.range
    if axis.log:
        if value <= 0:
            return 0.0
        value, low, high = np.log10([value, low, high])
    return float(np.clip((value - low) / (high - low), 0, 1)) if np.isfinite(value) else None


def _faint(layer: Any, alpha: float) -> str:
    """Return the colour of a layer with the opacity ``alpha``."""
    shade = colour(layer).lstrip("#")
    red, green, blue = (int(shade[k : k + 2], 16) for k in (0, 2, 4))
    return f"rgba({red},{green},{blue},{alpha if layer.alpha is None else layer.alpha})"


def _line(chart: go.Figure, read: Read, layer: Any) -> None:
    style = {"color": _faint(layer, 1.0), "width": layer.width or 2}
    chart.add_scatter(
        x=read(layer.x), y=read(layer.y), mode="lines", name=_name(layer, layer.y), showlegend=False,
        line=style | {"dash": "dash" if layer.dash else "solid"},
    )  # fmt: skip


def _band(chart: go.Figure, read: Read, layer: Any) -> None:
    x, style = read(layer.x), {"mode": "lines", "line_width": 0}
    chart.add_scatter(x=x, y=read(layer.low), showlegend=False, **style)
    chart.add_scatter(
        x=x, y=read(layer.high), fill="tonexty", fillcolor=_faint(layer, 0.18),
        name=_name(layer, layer.high), showlegend=False, **style,
    )  # fmt: skip


def _bars(chart: go.Figure, read: Read, layer: Any) -> None:
    edges = read(layer.edges)
    chart.add_bar(
        x=(edges[1:] + edges[:-1]) / 2, width=np.diff(edges), y=read(layer.heights),
        marker_color=_faint(layer, 0.75), name=_name(layer, layer.heights), showlegend=False,
    )  # fmt: skip
    chart.update_layout(barmode="overlay")


def _records(chart: go.Figure, read: Read, layer: Any) -> None:
    places = read(layer.xy)
    places = places.reshape(-1, places.shape[-1])
    labels = np.resize(read(layer.labels), len(places)).astype(int)
    one = getattr(layer, "role", None) is not None
    shades = colour(layer) if one else [CLASSES[label % len(CLASSES)] for label in labels]
    chart.add_scatter(
        x=places[:, 0], y=places[:, 1], mode="markers", name=_name(layer, layer.xy),
        showlegend=False, marker={"color": shades, "size": 2 * (layer.size or 3)},
    )  # fmt: skip


def _dot(chart: go.Figure, read: Read, layer: Any) -> None:
    chart.add_scatter(
        x=[float(read(layer.x))], y=[float(read(layer.y))], mode="markers", showlegend=False,
        marker={"color": colour(layer), "size": 12}, name=_name(layer),
    )  # fmt: skip


def _coins(chart: go.Figure, read: Read, layer: Any) -> None:
    left = 1 - float(read(layer.spent)) / float(read(layer.budget))
    chart.add_bar(
        x=[layer.x], width=[layer.width], y=[min(max(left, 0.0), 1.0)],
        marker_color=colour(layer), name=_name(layer, layer.spent), showlegend=False,
    )  # fmt: skip


def _rain(chart: go.Figure, read: Read, layer: Any) -> None:
    places = read(layer.xy)[: int(read(layer.upto)), 0]
    chart.add_scatter(
        x=places, y=np.full(len(places), layer.floor), mode="markers",
        marker={"color": colour(layer), "size": 5, "opacity": 0.6}, name=_name(layer, layer.xy), showlegend=False,
    )  # fmt: skip


def _counted(chart: go.Figure, read: Read, layer: Any) -> None:
    upto = np.nan_to_num(float(read(layer.upto)))
    places = read(layer.xy)[: round(float(upto))]
    chart.add_scatter(
        x=places[:, 0], y=places[:, 1], mode="markers", showlegend=False,
        marker={"color": colour(layer), "size": 20 * layer.radius}, name=_name(layer, layer.upto),
    )  # fmt: skip


def _upright(chart: go.Figure, read: Read, layer: Any) -> None:
    chart.add_vline(
        x=float(read(layer.at)), line={"color": colour(layer), "width": layer.width or 1},
        line_dash="dash" if layer.dash else "solid", annotation_text=_name(layer),
    )  # fmt: skip


def _level(chart: go.Figure, read: Read, layer: Any) -> None:
    chart.add_hline(
        y=float(read(layer.at)), line={"color": colour(layer), "width": layer.width or 1},
        line_dash="dash" if layer.dash else "solid",
    )  # fmt: skip


def _name(layer: layers.Layer, slot: Any = None) -> str:
    name = slot.replace("_", " ") if isinstance(slot, str) else ""
    return escape.hyper(layer.label or name)


_DRAW: dict[Any, Callable[[go.Figure, Read, Any], None]] = {
    layers.Line: _line,
    layers.Band: _band,
    layers.Bars: _bars,
    RECORDS: _records,
    layers.Dot: _dot,
    layers.Coins: _coins,
    layers.Rain: _rain,
    layers.Counted: _counted,
    layers.VLine: _upright,
    layers.HLine: _level,
}
