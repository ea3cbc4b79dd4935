"""Parts of exercises that ask for numbers: one number, an interval, or a curve."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dpcore.exercises.formulas import Formula
from dpcore.exercises.part import APART, Known, Part, Wrong
from dpcore.exercises.words import read_number

__all__ = ["Curve", "Interval", "Number"]


@dataclass(frozen=True, kw_only=True)
class Number(Part):
    """Question for a number that is right within a relative ``tolerance``.

    ``also`` lists formulas of other numbers that count as right, such as a sharper bound. ``span`` is an interval
    that contains the right answer for every set of parameters, such as (0, 1) for a probability.
    """

    right: Formula
    also: tuple[Formula, ...] = ()
    span: tuple[float, float] = (-math.inf, math.inf)
    tolerance: float = 0.02
    unit: str = ""
    kind: ClassVar[str] = "number"

    def ask(self, known: Known) -> dict[str, Any]:
        return super().ask(known) | {"unit": self.unit}

    def read(self, raw: Any, known: Known) -> float:
        return read_number(raw)

    def is_right(self, answer: float, known: Known) -> bool:
        formulas = (self.right, *self.also)
        return any(self._near(answer, formula.number(known.values)) for formula in formulas)

    def is_wrong(self, answer: float, wrong: Wrong, known: Known) -> bool:
        return self._near(answer, wrong.value[0].number(known.values))

    def show_right(self, known: Known) -> float:
        return self.right.number(known.values)

    def collisions(self, known: Known) -> list[str]:
        listed = {wrong.name: wrong.value[0].number(known.values) for wrong in self.wrong}
        also = [formula.number(known.values) for formula in self.also]
        low, high = self.span
        outside = [
            f"the right answer {value:.6g} lies outside of the range from {low:g} to {high:g}"
            for value in (self.show_right(known), *also)
            if not low <= value <= high
        ]
        return [
            *outside,
            *_too_near({"the right answer": self.show_right(known)} | listed, self.tolerance),
            *(
                f"{name} ({value:.6g}) is too near to {other:.6g}, which counts as right, too"
                for other in also
                for name, value in listed.items()
                if abs(value - other) <= 1.5 * self.tolerance * max(abs(value), abs(other))
            ),
        ]

    def _near(self, answer: float, target: float) -> bool:
        return abs(answer - target) <= max(self.tolerance * abs(target), 1e-12)


def _too_near(targets: Mapping[str, float], tolerance: float) -> list[str]:
    """Return the pairs of named numbers ``targets`` that are too close, one sentence each.

    Numbers are too close if their relative difference is at most 5 % or 1.5 ``tolerance``, whichever is larger.
    """
    least = max(APART, 1.5 * tolerance)
    return [
        f"{second} ({b:.6g}) is not more than {least:.0%} away from {first} ({a:.6g})"
        for (first, a), (second, b) in itertools.combinations(targets.items(), 2)
        if abs(a - b) <= least * max(abs(a), abs(b))
    ]


@dataclass(frozen=True, kw_only=True)
class Interval(Part):
    """Question for an interval. An answer is right if each end has a relative error of at most ``tolerance``."""

    low: Formula
    high: Formula
    tolerance: float = 0.05
    unit: str = ""
    kind: ClassVar[str] = "interval"

    def ask(self, known: Known) -> dict[str, Any]:
        return super().ask(known) | {"unit": self.unit}

    def read(self, raw: Any, known: Known) -> tuple[float, float]:
        if not isinstance(raw, Sequence) or isinstance(raw, str) or len(raw) != 2:
            raise ValueError("An interval has two ends: give the lower and the upper one.")
        low, high = (read_number(end) for end in raw)
        if low > high:
            raise ValueError("The lower end is above the upper one: exchange them.")
        return low, high

    def is_right(self, answer: tuple[float, float], known: Known) -> bool:
        return self._off(answer, self.show_right(known)) <= self.tolerance

    def is_wrong(self, answer: tuple[float, float], wrong: Wrong, known: Known) -> bool:
        return self._off(answer, self._ends(wrong.value, known)) <= self.tolerance

    def show_right(self, known: Known) -> tuple[float, ...]:
        return self._ends((self.low, self.high), known)

    def collisions(self, known: Known) -> list[str]:
        least, right = max(APART, 1.5 * self.tolerance), self.show_right(known)
        return [
            f"{wrong.name} is not more than {least:.0%} away from the right answer"
            for wrong in self.wrong
            if self._off(self._ends(wrong.value, known), right) <= least
        ]

    @staticmethod
    def _ends(formulas: tuple[Formula, ...], known: Known) -> tuple[float, ...]:
        return tuple(formula.number(known.values) for formula in formulas)

    @staticmethod
    def _off(answer: Sequence[float], target: Sequence[float]) -> float:
        return max(abs(a - b) / max(abs(b), 1e-12) for a, b in zip(answer, target, strict=True))


@dataclass(frozen=True, kw_only=True)
class Curve(Part):
    """Question for a curve, given by its heights at the positions ``x``.

    ``right`` is the formula of the height. An answer is right if its largest error is at most ``tolerance`` times the
    length of the vertical axis, from ``low`` to ``high``.
    """

    x: tuple[float, ...]
    right: Formula
    low: float
    high: float
    x_label: str = "x"
    y_label: str = "y"
    tolerance: float = 0.05
    kind: ClassVar[str] = "curve"

    def ask(self, known: Known) -> dict[str, Any]:
        axes = {"x": list(self.x), "x_label": self.x_label, "y_label": self.y_label}
        return super().ask(known) | axes | {"range": [self.low, self.high]}

    def read(self, raw: Any, known: Known) -> tuple[float, ...]:
        if not isinstance(raw, Sequence) or isinstance(raw, str) or len(raw) != len(self.x):
            raise ValueError(f"The curve needs a height at each of its {len(self.x)} places.")
        return tuple(read_number(height) for height in raw)

    def is_right(self, answer: tuple[float, ...], known: Known) -> bool:
        return self._off(answer, self._heights(self.right, known)) <= self.tolerance

    def is_wrong(self, answer: tuple[float, ...], wrong: Wrong, known: Known) -> bool:
        return self._off(answer, self._heights(wrong.value[0], known)) <= self.tolerance

    def show_right(self, known: Known) -> list[float]:
        return self._heights(self.right, known)

    def collisions(self, known: Known) -> list[str]:
        right, least = self.show_right(known), max(APART, 1.5 * self.tolerance)
        collisions = [
            f"{wrong.name} is not more than {least:.0%} of the axis away from the right curve"
            for wrong in self.wrong
            if self._off(self._heights(wrong.value[0], known), right) <= least
        ]
        inside = all(self.low <= height <= self.high for height in right)
        return collisions if inside else [*collisions, "the right curve leaves the axis"]

    def _heights(self, formula: Formula, known: Known) -> list[float]:
        return [formula.number({**known.values, "x": place}) for place in self.x]

    def _off(self, answer: Sequence[float], target: Sequence[float]) -> float:
        return max(abs(a - b) for a, b in zip(answer, target, strict=True)) / (self.high - self.low)
