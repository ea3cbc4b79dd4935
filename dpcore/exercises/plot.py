"""Figures that exercises define themselves: curves of formulas over one quantity.

A slider moves a handle on which the curves depend. Without a handle it moves a position on the axis of the quantity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpcore.exercises.formulas import Formula, Value

__all__ = ["Curves", "Handle", "Moving", "Plot"]

_N_PLACES = 61
_N_HANDLE = 45


@dataclass(frozen=True, kw_only=True)
class Moving:
    """Computed curves at every value of a handle, and a gauge that follows the handle.

    - ``grid`` (H,): values of the handle.
    - ``heights`` (H, n): heights of each curve, by its label, at every value of the handle.
    - ``gauge`` (H,): values of the gauge; the exercise asks for the handle's value at which the gauge is ``goal``.
    """

    label: str
    grid: tuple[float, ...]
    heights: Mapping[str, tuple[tuple[float, ...], ...]]
    gauge_label: str
    gauge: tuple[float, ...]
    goal: float


@dataclass(frozen=True, kw_only=True)
class Curves:
    """Computed curves: heights (n,) by the curve's label, at common positions ``x`` (n,).

    ``moving``: the curves at every value of a handle, if they depend on one. In this case ``heights`` are those at
    the middle value of the handle.
    """

    label: str
    y_label: str
    x: tuple[float, ...]
    heights: Mapping[str, tuple[float, ...]]
    moving: Moving | None = None


@dataclass(frozen=True, kw_only=True)
class Handle:
    """Slider (handle) ``name`` from ``low`` to ``high``, and a gauge, a number that depends on the slider's value.

    The formulas of the curves may depend on the slider's value too. The exercise asks for the slider's value at which
    the formula ``gauge`` has the value of the formula ``goal``.
    """

    name: str
    label: str
    low: float
    high: float
    gauge_label: str
    gauge: Formula
    goal: Formula


@dataclass(frozen=True, kw_only=True)
class Plot:
    """Specification of curves over the quantity ``name`` from ``low`` to ``high``.

    ``curves`` are pairs (label, formula).
    """

    name: str
    label: str
    y_label: str
    low: float
    high: float
    curves: tuple[tuple[str, Formula], ...]
    handle: Handle | None = None

    def computed(self, values: Mapping[str, Value]) -> Curves:
        """Return the curves, computed for given values of the other names in their formulas."""
        x = _places(self.low, self.high, _N_PLACES)
        moving = None if self.handle is None else self._moving(self.handle, x, values)
        if moving is None:
            heights = self._heights(x, values)
        else:
            heights = {label: rows[_N_HANDLE // 2] for label, rows in moving.heights.items()}
        return Curves(label=self.label, y_label=self.y_label, x=x, heights=heights, moving=moving)

    def _heights(
        self, x: tuple[float, ...], values: Mapping[str, Value]
    ) -> dict[str, tuple[float, ...]]:
        return {
            label: tuple(formula.number({**values, self.name: place}) for place in x)
            for label, formula in self.curves
        }

    def _moving(self, handle: Handle, x: tuple[float, ...], values: Mapping[str, Value]) -> Moving:
        grid = _places(handle.low, handle.high, _N_HANDLE)
        here = [{**values, handle.name: place} for place in grid]
        rows = [self._heights(x, known) for known in here]
        return Moving(
            label=handle.label,
            grid=grid,
            heights={label: tuple(row[label] for row in rows) for label, _ in self.curves},
            gauge_label=handle.gauge_label,
            gauge=tuple(handle.gauge.number(known) for known in here),
            goal=handle.goal.number(values),
        )


def _places(low: float, high: float, n: int) -> tuple[float, ...]:
    """Return n numbers at equal distances from ``low`` to ``high``."""
    step = (high - low) / (n - 1)
    return tuple(round(low + k * step, 9) for k in range(n))
