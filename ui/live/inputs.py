"""Controls of an interactive figure: their allowed values, and their use as dimensions of arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ui.live.depth import Depth

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
    group: str = ""  # the heading under which it stands with others; "" for none
    tab: str = ""  # the tab in which its group stands; "" for a place beside the figure
    kind: ClassVar[str] = ""

    def size(self) -> int | None:
        """Return the number of the control's values.

        Return None if it cannot be a dimension of arrays.
        """
        return None

    def allowed(self, value: object) -> Value | None:
        """Return the value that the control takes if the browser sends ``value``.

        Return None if ``value`` is invalid.
        """
        return None

    def index(self, value: Value) -> int:
        raise ValueError(f"{self.name} cannot be a dimension of an array.")


@dataclass(frozen=True, kw_only=True)
class Slider(_Control):
    """Slider over a grid of numbers, or over ``words`` that name them.

    - ``play``: whether there are buttons to play, pause and step; a full playback takes ``seconds``.
    - ``press``: label of a button that moves the slider one step on. From the value ``press_anew`` on, the button
      moves the slider back to its first value.
    - ``own``: whether the position belongs to the user and exists only in the browser. Messages from Python then do
      not change it. The same holds for a slider that plays.
    - ``sways``: whether the slider moves to its ends and back, once, when the figure comes into view.
    - ``rises``: whether the slider instead moves, once, from its first value to its current value in ``seconds``.
    - ``asked``: whether the introduction of the page asks users to move the slider. On a phone the slider then stands
      above the figure.
    - ``band``: range of values (low, high) that an exercise asks for, drawn green along the slider; () for none.
    """

    grid: Sequence[float]
    words: Sequence[str] = ()
    ends: tuple[str, str] = ("", "")
    play: bool = False
    unit: str = ""
    press: str = ""
    press_anew: float | None = None
    seconds: float = 6.0
    own: bool = False
    sways: bool = False
    rises: bool = False
    asked: bool = False
    band: tuple[float, ...] = ()
    format: str = ""
    kind: ClassVar[str] = "slider"

    def size(self) -> int:
        """Return the number of values of the grid."""
        return len(self.grid)

    def allowed(self, value: object) -> Value | None:
        """Return the grid value nearest to ``value`` if this is a finite number, else None."""
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
        ):
            return None
        return self.grid[self.index(value)]

    def index(self, value: Value) -> int:
        """Return the index of the nearest grid value."""
        if value in self.grid:  # nearly always, and fifty times faster than looking for the nearest
            return self.grid.index(value)
        return int(np.abs(np.asarray(self.grid, float) - float(value)).argmin())


@dataclass(frozen=True, kw_only=True)
class Choice(_Control):
    """Choice among options, given as pairs (value, words)."""

    options: Sequence[tuple[Value, str]]
    few: Sequence[Value] = ()  # the options of the first depth, where it does not offer all of them
    kind: ClassVar[str] = "choice"

    def size(self) -> int:
        """Return the number of options."""
        return len(self.options)

    def allowed(self, value: object) -> Value | None:
        """Return the value if it is one of the options, else None."""
        return next((option for option, _ in self.options if option == value), None)

    def index(self, value: Value) -> int:
        """Return the index of the option with this value.

        Return 0 if there is none.
        """
        values = [option[0] for option in self.options]
        return values.index(value) if value in values else 0


@dataclass(frozen=True, kw_only=True)
class Toggle(_Control):
    """Switch with the values False and True.

    - ``panel``: key of a map in which a click on a person also turns the switch; "" for none.
    - ``place``: name of the array (1, 2) with the person's position in this map.
    """

    panel: str = ""
    place: str = ""

    kind: ClassVar[str] = "toggle"

    def size(self) -> int:
        """Return 2, the number of values."""
        return 2

    def allowed(self, value: object) -> Value | None:
        """Return the value if it is a bool, else None."""
        return value if isinstance(value, bool) else None

    def index(self, value: Value) -> int:
        """Return the index of a value: 0 for False and 1 for True."""
        return int(bool(value))


@dataclass(frozen=True, kw_only=True)
class Number(_Control):
    """Field for a whole number from ``low`` to ``high``."""

    low: int | None = 0
    high: int | None = 10**6
    kind: ClassVar[str] = "number"


@dataclass(frozen=True, kw_only=True)
class Buttons(_Control):
    """Row of buttons, given as (action, label, title).

    Pressing a button sends its action to Python.
    """

    actions: Sequence[tuple[str, str, str]]
    kind: ClassVar[str] = "buttons"


Control = Slider | Choice | Toggle | Number | Buttons
