"""The controls of a live figure, as descriptions: what they hold and how they are dimensions of arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ui.frame.depth import Depth

__all__ = ["Buttons", "Choice", "Control", "Number", "Slider", "Toggle", "Value"]

Value = str | float | bool  # what a control may hold
Mode = Literal["server", "local"]  # who draws while a handle moves: Python, or the browser alone


@dataclass(frozen=True, kw_only=True)
class _Control:
    name: str
    label: str = ""
    symbol: str = ""
    help: str = ""
    mode: Mode = "server"
    more: bool = False
    disabled: bool = False
    why: str = ""  # in words: why it is disabled, or what its values are worth
    hidden: bool = False
    depth: Depth = Depth.LOOK
    kind: ClassVar[str] = ""

    def size(self) -> int | None:
        """How many values it has as a dimension, or None when it cannot be one."""
        return None

    def allowed(self, value: object) -> Value | None:
        """Return the control's value that somebody else's value stands for, or None."""
        return None

    def index(self, value: Value) -> int:
        raise ValueError(f"{self.name} cannot be a dimension of an array.")


@dataclass(frozen=True, kw_only=True)
class Slider(_Control):
    """A slider over a grid of numbers, or of ``words`` for them.

    ``play`` adds play, pause and step; ``press`` is the label of a button that moves it one place on.
    """

    grid: Sequence[float]
    words: Sequence[str] = ()
    ends: tuple[str, str] = ("", "")
    play: bool = False
    unit: str = ""
    press: str = ""
    format: str = ""
    kind: ClassVar[str] = "slider"

    def size(self) -> int:
        """The length of the grid."""
        return len(self.grid)

    def allowed(self, value: object) -> Value | None:
        """The nearest grid value of a finite number."""
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
        ):
            return None
        return self.grid[self.index(value)]

    def index(self, value: Value) -> int:
        """The place of the nearest grid value."""
        if value in self.grid:  # nearly always, and fifty times faster than looking for the nearest
            return self.grid.index(value)
        return int(np.abs(np.asarray(self.grid, float) - float(value)).argmin())


@dataclass(frozen=True, kw_only=True)
class Choice(_Control):
    """A choice among (value, words)."""

    options: Sequence[tuple[Value, str]]
    few: Sequence[Value] = ()  # the options of the first depth, where it does not offer all of them
    kind: ClassVar[str] = "choice"

    def size(self) -> int:
        """The number of options."""
        return len(self.options)

    def allowed(self, value: object) -> Value | None:
        """The option of that value."""
        return next((option for option, _ in self.options if option == value), None)

    def index(self, value: Value) -> int:
        """The place of the option, or 0."""
        values = [option[0] for option in self.options]
        return values.index(value) if value in values else 0


@dataclass(frozen=True, kw_only=True)
class Toggle(_Control):
    """A switch: False or True."""

    kind: ClassVar[str] = "toggle"

    def size(self) -> int:
        """Two."""
        return 2

    def allowed(self, value: object) -> Value | None:
        """On or off."""
        return value if isinstance(value, bool) else None

    def index(self, value: Value) -> int:
        """0 or 1."""
        return int(bool(value))


@dataclass(frozen=True, kw_only=True)
class Number(_Control):
    """A whole number from ``low`` to ``high``."""

    low: int | None = 0
    high: int | None = 10**6
    kind: ClassVar[str] = "number"


@dataclass(frozen=True, kw_only=True)
class Buttons(_Control):
    """A row of (action, label, title): pressing one sends its action to Python."""

    actions: Sequence[tuple[str, str, str]]
    kind: ClassVar[str] = "buttons"


Control = Slider | Choice | Toggle | Number | Buttons
