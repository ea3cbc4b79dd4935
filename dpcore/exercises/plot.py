"""Figures that exercises define themselves: curves of formulas over one quantity, explored with a slider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpcore.exercises.formulas import Formula, Value

__all__ = ["Curves", "Plot"]

_N_PLACES = 61


@dataclass(frozen=True, kw_only=True)
class Curves:
    """Computed curves: the heights of each curve, by its label, at common places ``x``."""

    label: str
    y_label: str
    x: tuple[float, ...]
    heights: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, kw_only=True)
class Plot:
    """Specification of curves over the quantity ``name`` from ``low`` to ``high``, each as (label, formula)."""

    name: str
    label: str
    y_label: str
    low: float
    high: float
    curves: tuple[tuple[str, Formula], ...]

    def computed(self, values: Mapping[str, Value]) -> Curves:
        """Return the curves, computed with the given values of the other names in their formulas."""
        step = (self.high - self.low) / (_N_PLACES - 1)
        x = tuple(round(self.low + k * step, 9) for k in range(_N_PLACES))
        heights = {
            label: tuple(formula.number({**values, self.name: place}) for place in x)
            for label, formula in self.curves
        }
        return Curves(label=self.label, y_label=self.y_label, x=x, heights=heights)
