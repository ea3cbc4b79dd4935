"""Interactive figure of one formula: published and corrected values against one quantity in the formula."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.formulas import Entry, Number
from ui import live
from ui.figure_kit.common import array
from ui.live import Axis, Figure, Panel, Readout, layers
from ui.words import text

__all__ = ["figure", "values"]

T = text.load_text(__file__)
_ROLES = {"printed": "other", "right": "private"}
_WIDE = 20  # a range of more than this factor is drawn on a logarithmic axis


@lru_cache(maxsize=256)
def values(entry: Entry) -> tuple[NDArray[np.float64] | None, NDArray[np.float64]]:
    """Return the published and the corrected values of a formula, at each grid point of the quantity that varies.

    The published values are None if the document has no formula to compute.
    """
    number = entry.number
    right = np.array([number.right(x) for x in number.grid])
    if number.printed is None:
        return None, right
    return np.array([number.printed(x) for x in number.grid]), right


def figure(entry: Entry, *, height: int = 370) -> Figure:
    """Return the figure of a formula: curves of its published and corrected values, and a slider along the x axis.

    If all published values are equal to the corrected ones, one curve is drawn.
    """
    number, (printed, right) = entry.number, values(entry)
    both = right if printed is None else np.concatenate([printed, right])
    kind = _kind(number, printed, right)
    numbers = {"right": right}
    if printed is not None and kind != "same":
        numbers = {"printed": printed, "right": right}
    panel = Panel(
        key="number", title=number.title, height=height, x=_axis(np.array(number.grid)), y=_axis(both),
        layers=[
            *(_curve(number, name, kind) for name in numbers),
            layers.VLine(at="place", role="muted", dash=True),
        ],
    )  # fmt: skip
    about = {"what": number.what, "symbol": number.symbol, "moves": number.moves}
    panel = T.panel(panel, "beside" if "printed" in numbers else "", **about)
    slider = live.Slider(
        name="at", symbol=number.symbol, label=number.moves, grid=number.grid, mode="local"
    )
    return Figure(
        controls=[slider],
        values={"at": number.middle},
        compact=True,
        panels=[panel],
        readouts=[T.readout(Readout(value=name, role=_ROLES[name]), kind) for name in numbers],
        arrays={
            **{f"{name}_curve": array(np.where(np.isfinite(x), x, np.nan)) for name, x in numbers.items()},
            **{name: array(x, "at") for name, x in numbers.items()},
            "place": array(number.grid, "at"),
        },
    )  # fmt: skip


def _kind(number: Number, printed: NDArray[np.float64] | None, right: NDArray[np.float64]) -> str:
    """Return the kind of a figure, which selects the names of the corrected values.

    "alone" is a figure without published values, "same" one with equal values. Otherwise the kind is "epsilon" if
    the values are ε, or "number".
    """
    if printed is None:
        return "alone"
    if np.allclose(printed, right, rtol=1e-3, atol=0):
        return "same"
    return "epsilon" if number.is_epsilon else "number"


def _curve(number: Number, name: str, kind: str) -> layers.Line:
    label = T("panels.number.line_printed" if name == "printed" else f"panels.number.line_{kind}")
    return layers.Line(
        x=list(number.grid),
        y=f"{name}_curve",
        role=_ROLES[name],
        label=label,
        dash=name == "printed",
    )


def _axis(numbers: NDArray[np.float64]) -> Axis:
    known = numbers[np.isfinite(numbers)]
    low, high = float(known.min()), float(known.max())
    if low > 0 and high / low > _WIDE:
        return Axis(range=(low / 1.3, high * 1.3), log=True)
    room = 0.08 * (high - low) or 0.5 * abs(high) or 1.0
    least = 0.0 if 0 <= low < 3 * (high - low) else low - room
    return Axis(range=(least, high + room if math.isfinite(high) else 1.0))
