"""Names at the curves of a Plotly figure instead of a key; Plotly itself is not needed here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpcore._types import Floats

__all__ = ["apart", "name_curves"]

_COLOURS = ("#4f46e5", "#b45309", "#0f766e", "#c2321f", "#6b7280", "#0072b2", "#8c6bb1")
_APART = 0.07  # between two names, in heights of the picture
_AWAY = 34  # pixels from a point to its name
# Where the first, second and third heap are pointed at.
_SIDES = (0.0, 1.0), (-1.0, 0.0), (1.0, 0.0)


def name_curves(figure: Any) -> Any:
    """Write the name of every trace at it: of a curve at its right end, of bars and points with an arrow.

    Names at the right are apart from each other and have the colour of their curve. A curve that ends on the
    floor is named at its top.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        With traces of x and y; it is changed.

    Returns
    -------
    plotly.graph_objects.Figure
        The same one.

    Examples
    --------
    >>> import plotly.graph_objects as go
    >>> figure = go.Figure()
    >>> _ = figure.add_scatter(x=[1, 2], y=[0, 1], name="error")
    >>> name_curves(figure).layout.annotations[0].text
    'error'
    """
    low, high = _ends(figure)
    figure.update_yaxes(range=[low, high])
    at_end = []
    for k, trace in enumerate(figure.data):
        colour = _coloured(trace, k)
        places = (_scaled(figure.layout.yaxis, trace.y) - low) / (high - low)
        if _is_line(trace) and (places[-1] > 0.08 or places.max() < 0.5):
            at_end.append((float(places[-1]), str(trace.name), colour))
        else:
            _point_at(figure, trace, places, k, colour)
    at_end.sort()
    heights = apart([place for place, *_ in at_end], _APART)
    for y, (_, name, colour) in zip(heights, at_end, strict=True):
        figure.add_annotation(
            x=1, y=y, xref="paper", yref="paper", xanchor="left", xshift=6, text=name, showarrow=False,
            font={"color": colour},
        )  # fmt: skip
    longest = max((len(name) for _, name, _ in at_end), default=0)
    return figure.update_layout(showlegend=False, margin={"r": 40 + 7 * longest})


def _ends(figure: Any) -> tuple[float, float]:
    """The ends of the upright axis, of its logarithm where it has one, with some room."""
    levels = [shape.y0 for shape in figure.layout.shapes if shape.yref == "y"]
    floor = [0.0] if any(trace.type == "bar" for trace in figure.data) else []
    every = np.concatenate([np.asarray(trace.y, float) for trace in figure.data])
    found = _scaled(figure.layout.yaxis, [*every, *levels, *floor])
    found = found[np.isfinite(found)]
    room = 0.06 * (found.max() - found.min()) or 1.0
    return float(found.min() - room), float(found.max() + room)


def _scaled(axis: Any, values: Any) -> Floats:
    found = np.asarray(values, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(found) if axis.type == "log" else found


def _is_line(trace: Any) -> bool:
    return trace.type == "scatter" and "lines" in (trace.mode or "lines")


def _coloured(trace: Any, k: int) -> str:
    """Give a trace the k-th colour, where it has not one for each point."""
    colour = _COLOURS[k % len(_COLOURS)]
    if _is_line(trace):
        trace.line.color = colour
    elif trace.marker.color is not None:
        return "#1c2333"
    if trace.marker.color is None:
        trace.marker.color = colour
    return colour


def _point_at(figure: Any, trace: Any, places: Floats, k: int, colour: str) -> None:
    """An arrow to the highest place of a curve or of bars; to the outermost of points, on a side of their own."""
    heap = trace.type == "scatter" and not _is_line(trace) and np.ptp(places) > 0
    across, up = _SIDES[k % len(_SIDES)] if heap else (0.0, 1.0)
    at = int(np.nanargmax(places if up else across * np.asarray(trace.x, float)))
    x = trace.x[at]
    figure.add_annotation(
        x=math.log10(x) if figure.layout.xaxis.type == "log" else x,
        y=float(_scaled(figure.layout.yaxis, trace.y)[at]),
        ax=_AWAY * across, ay=-(_AWAY + 18 * (k % 2)) * up, text=str(trace.name), showarrow=True, arrowwidth=1,
        arrowcolor=colour, font={"color": colour},
    )  # fmt: skip


def apart(places: Sequence[float], distance: float) -> list[float]:
    """Return heights near ascending ones, at least a distance apart and none above the picture.

    Parameters
    ----------
    places : sequence of float
        Where names would stand best, from the lowest to the highest, as shares of the height.
    distance : float
        How high a name is.

    Returns
    -------
    list of float

    Examples
    --------
    >>> [round(place, 2) for place in apart([0.5, 0.52, 1.0], 0.1)]
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
