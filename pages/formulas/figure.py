"""The live figure of one formula: its number as printed and as it should be, along what can be moved."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.formulas import Entry, Number
from ui import live
from ui.figure_kit.common import array
from ui.live import Axis, Figure, Panel, Readout, layers

__all__ = ["figure", "values"]

_WIDE = 20  # a range of more than this factor is drawn on a logarithmic axis


@lru_cache(maxsize=256)
def values(entry: Entry) -> tuple[NDArray[np.float64] | None, NDArray[np.float64]]:
    """Return the numbers along the grid: as printed (None where nothing is), and as they should be."""
    number = entry.number
    right = np.array([number.right(x) for x in number.grid])
    if number.printed is None:
        return None, right
    return np.array([number.printed(x) for x in number.grid]), right


def figure(entry: Entry) -> Figure:
    """Return the figure of an entry."""
    number, (printed, right) = entry.number, values(entry)
    both = right if printed is None else np.concatenate([printed, right])
    curves = [] if printed is None else [_curve(number, "printed", "other", "as printed")]
    found = {} if printed is None else {"printed": printed}
    found["right"] = right
    panel = Panel(
        key="number", title=number.title, height=260,
        layers=[
            *curves, _curve(number, "right", "private", "right"),
            layers.VLine(at="place", role="muted", dash=True),
        ],
        x=_axis(np.array(number.grid), f"{number.symbol} ({number.moves})"), y=_axis(both, ""),
        alt=_words(number, printed is not None),
    )  # fmt: skip
    slider = live.Slider(
        name="at", symbol=number.symbol, label=number.moves, grid=number.grid, mode="local"
    )
    return Figure(
        controls=[slider],
        values={"at": number.start},
        compact=True,
        panels=[panel],
        readouts=[_readout(name) for name in found],
        arrays={
            **{f"{name}_curve": array(np.where(np.isfinite(x), x, np.nan)) for name, x in found.items()},
            **{name: array(x, "at") for name, x in found.items()},
            "place": array(number.grid, "at"),
        },
    )  # fmt: skip


def _curve(number: Number, name: str, role: str, label: str) -> layers.Line:
    return layers.Line(
        x=list(number.grid), y=f"{name}_curve", role=role, label=label, dash=name == "printed"
    )


def _readout(name: str) -> Readout:
    words = {"printed": "follows from what is printed", "right": "is right"}[name]
    return Readout(label=words, value=name, role="private" if name == "right" else "other")


def _words(number: Number, printed: bool) -> str:
    first = " As printed it is {printed:.3g}." if printed else ""
    return (
        f"{number.what} against {number.symbol}, {number.moves}.{first} It should be {{right:.3g}}."
    )


def _axis(found: NDArray[np.float64], title: str) -> Axis:
    known = found[np.isfinite(found)]
    low, high = float(known.min()), float(known.max())
    if low > 0 and high / low > _WIDE:
        return Axis(range=(low / 1.3, high * 1.3), title=title, log=True)
    room = 0.08 * (high - low) or 0.5 * abs(high) or 1.0
    least = 0.0 if 0 <= low < 3 * (high - low) else low - room
    return Axis(range=(least, high + room if math.isfinite(high) else 1.0), title=title)
