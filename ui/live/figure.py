"""Description of an interactive figure: controls, arrays over named dimensions, panels of layers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ui.live.array import Array
from ui.live.breathing import OUTCOME, Breathing
from ui.live.checks import check
from ui.live.depth import Depth
from ui.live.inputs import Control, Value
from ui.live.layers import Layer, Line
from ui.live.predict import Bets, FaceOff, Guess
from ui.words.numbers import show
from ui.words.text import load_text

__all__ = ["NAMES", "NO_DIFFERENCE", "Axis", "Busy", "Figure", "Panel", "Readout", "Text"]

T = load_text(__file__)

NAMES = re.compile(r"\{(?:trend:)?(\w+)(?::[^}]*)?\}")
"""Pattern of the names of arrays and controls in a sentence."""
NO_DIFFERENCE = T("readout.no_difference")
"""Text of a readout for a difference whose interval contains 0."""


@dataclass(frozen=True, kw_only=True)
class Axis:
    """An axis: ``range`` in data units (also if ``log``), title, number format, and optionally ticks with labels."""

    range: tuple[float, float] = (-1.0, 1.0)
    title: str = ""
    log: bool = False
    ticks: tuple[float, ...] | None = None
    words: tuple[str, ...] | None = None
    format: str = ""


@dataclass(frozen=True, kw_only=True)
class Panel:
    """A panel: ``map`` (equal aspect, no axes), ``plot`` (with axes) or ``mosaic`` (grid of images).

    - ``link``: panels with the same link zoom together.
    - ``tab``: name of the tab that contains the panel.
    - ``rows``: names of the rows of a mosaic; ``captions`` are then drawn only once, below the columns.
    - ``still``: array of images that come before the images of the array ``tiles`` in a mosaic.
    - ``top``: second scale of the horizontal axis, above the panel: ``ticks`` in units of ``x``, each with its
      ``words``, and a title. It has the range of ``x``.
    - ``alt``: text alternative; if empty, it is generated from the panel, its axes and its curves.
    - ``depth``: level of detail from which the panel is shown.
    - ``leads``: whether the panel comes first on a phone.
    - ``fills``: whether a map uses the whole area of the panel, even if it then shows more of the plane than the
      ranges of its axes.
    """

    key: str
    title: str = ""
    kind: Literal["map", "plot", "mosaic"] = "plot"
    layers: Sequence[Layer] = ()
    x: Axis = field(default_factory=Axis)
    y: Axis = field(default_factory=Axis)
    top: Axis | None = None
    caption: str = ""
    alt: str = ""
    link: str = ""
    tab: str = ""
    height: int = 380
    fixed: bool = False
    fills: bool = False
    tiles: str = ""
    shape: tuple[int, int] = (8, 8)
    columns: int = 5
    range: tuple[float, float] = (-1.0, 1.0)
    captions: Sequence[str] = ()
    rows: Sequence[str] = ()
    still: str = ""
    guess: Guess | None = None
    bets: Bets | None = None
    face_off: FaceOff | None = None
    leads: bool = False
    depth: Depth = Depth.LOOK

    def __post_init__(self) -> None:
        if not self.alt:
            object.__setattr__(self, "alt", self._alternative())

    def at(self, depth: Depth) -> Panel:
        """Return the panel as shown at a level of detail.

        A generated text alternative is generated again from the layers that are shown; any other is kept.
        """
        shown = [layer for layer in self.layers if layer.depth <= depth]
        return replace(self, layers=shown, alt="" if self.alt == self._alternative() else self.alt)

    def question_arrays(self) -> list[str]:
        """Return the names of the arrays that the panel's games (``guess``, ``bets``, ``face_off``) need."""
        return [
            name
            for part in (self.guess, self.bets, self.face_off)
            if part
            for name in part.arrays()
        ]

    def _alternative(self) -> str:
        axes = " against ".join(title for title in (self.y.title, self.x.title) if title)
        curves = [
            layer.y for layer in self.layers if isinstance(layer, Line) and isinstance(layer.y, str)
        ]
        code = self.y.format or ".3g"
        trends = [T("alternative.trend", trend=f"{{trend:{name}:{code}}}") for name in curves]
        return " ".join([f"{self.title}{': ' if axes else ''}{axes}.", *trends])


@dataclass(frozen=True, kw_only=True)
class Readout:
    """Number below the figure: a scalar array, its format, and words.

    - ``depth``: level of detail from which the number is shown.
    - ``value``: name of the array with the number, usually a median of draws. Until it is computed, the number in the
      array ``draw``, the value for the displayed draw, is shown with the note ``alone``.
    - ``note``: text that may contain ``{name}`` for the value of a control or scalar array.
    - ``brief``: short form of ``note``, perhaps "". It is shown at first, with the whole note folded behind it. If it
      is None, the note itself is shown.
    - ``to``: name of the array with the upper end of a range that begins at ``value``; "" for a single number.
    - ``low`` and ``high``: interval of a difference. The number is shown only if the interval excludes 0; otherwise
      the text `NO_DIFFERENCE` is shown.
    - ``tab``: tab of the figure with which the number is shown; "" for a number that is always shown.
    - ``about``: whether the number describes how "good" or how "private" the result is. From the level
      *Understand* on, the two kinds are in separate rows.
    """

    value: str
    label: str = ""
    format: str = ".3g"
    note: str = ""
    brief: str | None = None
    help: str = ""
    role: str = ""
    depth: Depth = Depth.LOOK
    draw: str = ""
    alone: str = ""
    to: str = ""
    low: str = ""
    high: str = ""
    tab: str = ""
    about: Literal["good", "private"] = "good"

    def arrays(self) -> list[str]:
        """Return the names of the arrays in the readout's number and note."""
        noted = [
            name
            for text in (self.note, self.brief or "", self.alone)
            for name in NAMES.findall(text)
        ]
        return [
            name for name in (self.value, self.draw, self.to, self.low, self.high, *noted) if name
        ]


@dataclass(frozen=True, kw_only=True)
class Text:
    """Sentence with one string for each combination of values of the controls ``dims``.

    The strings are in row-major order. A string may contain ``{name}`` for the value of a control or scalar array.

    - ``along``: for a control with a preview, the text that is shown while its slider moves.
    - ``role``: "meaning" places the sentence directly below the figure.
    - ``bounds``: the ε for each string. The sentence then states an attacker's odds, with a pictogram of a hundred
      people. ``{before}`` and ``{after}`` are the attacker's belief before and after the release. The user sets
      the former.
    - ``reached``: for each string, the log odds that a present-day attack achieves.
    - ``refuted``: for each of the ``bounds``, whether it is a lower bound on ε, found by an attack that refutes the
      claimed ε.
    - ``brief``: short forms shown at first, one for each string, or one for all. The whole sentences are folded
      behind them. For odds, the first line is the question, and each further line is a limitation.
    """

    strings: Sequence[str]
    dims: Sequence[str] = ()
    brief: Sequence[str] = ()
    role: Literal["", "meaning"] = ""
    bounds: Sequence[float] = ()
    reached: Sequence[float] = ()
    refuted: Sequence[bool] = ()
    along: Mapping[str, Text] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Busy:
    """Progress of running work: the fraction done and a text."""

    progress: float
    text: str


@dataclass(frozen=True, kw_only=True)
class Figure:
    """Description of an interactive figure, validated on creation.

    - ``previews``: for a control whose changes are computed in Python, the names of precomputed arrays that are drawn
      while its slider moves, by the name of the array that each replaces; "" hides this array during the move. A
      control that is a dimension of the arrays needs no previews.
    - ``main_tab``: label of a tab with the panels that have no ``tab``. All tabs are then above the panels, and
      figure, controls and readouts fit on one screen.
    - ``terms``: explanations of the words marked ``[[word]]`` in captions and texts.
    - ``breathing``: animation through outcomes of other random draws while no slider moves.
    - ``awaits_outcomes``: whether these outcomes are still being computed. The place of the animation's buttons is
      then kept free, and progress is not shown before the user moves a slider.

    Raises
    ------
    ValueError
        When a name is undefined, sizes differ, a layer lacks an argument, a coordinate depends on
        itself, or a value is missing or not on its grid.
    """

    controls: Sequence[Control]
    values: Mapping[str, Value]
    arrays: Mapping[str, Array]
    panels: Sequence[Panel]
    coords: Mapping[str, str] = field(default_factory=dict)
    readouts: Sequence[Readout] = ()
    texts: Sequence[Text] = ()
    terms: Mapping[str, str] = field(default_factory=dict)
    busy: Busy | None = None
    compact: bool = False
    main_tab: str = ""
    previews: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    breathing: Breathing | None = None
    awaits_outcomes: bool = False

    def __post_init__(self) -> None:
        check(self)

    def still(self) -> Figure:
        """Return the figure for exports and other static output: without its animation and the bets on it."""
        arrays = {name: one for name, one in self.arrays.items() if OUTCOME not in one.dims}
        panels = [
            replace(panel, bets=None) if panel.bets and not panel.bets.inside else panel
            for panel in self.panels
        ]
        return replace(self, arrays=arrays, panels=panels, breathing=None)

    def by_name(self) -> dict[str, Control]:
        """Return the controls of the figure, by name."""
        return {control.name: control for control in self.controls}

    def evaluate(self, name: str, values: Mapping[str, Value] | None = None) -> NDArray[np.float64]:
        """Return an array of the figure at given values of the controls, as drawn in the browser.

        Parameters
        ----------
        name : str
            Name of the array.
        values : mapping, optional
            Values of the controls. A missing control has its value in ``self.values``.

        Returns
        -------
        ndarray
            The array without its named dimensions, interpolated along coordinates as in the browser.
        """
        values = {**self.values, **(values or {})}
        array = self.arrays[name]
        numbers = array.values.astype(float)
        if array.scale:
            numbers = array.scale[0] + numbers * (array.scale[1] - array.scale[0]) / 255
        for dim in array.dims:
            if dim is None:
                break
            place = min(max(self._place(dim, values), 0.0), len(numbers) - 1.0)
            low = int(place)
            part = place - low
            numbers = (
                numbers[low] if part == 0 else (1 - part) * numbers[low] + part * numbers[low + 1]
            )
        return np.asarray(numbers)

    def read(self, readout: Readout) -> tuple[str, str]:
        """Return the number of a readout as text, and its note.

        The text is "–" if the number is not computed yet.

        The counterpart in the browser is ``assets/live/frame/sentences.js``.
        """
        alone = math.isnan(self._scalar(readout.value))
        value = self._scalar(readout.draw if alone and readout.draw else readout.value)
        note = readout.note
        if alone and readout.draw:
            note = "" if math.isnan(value) else readout.alone
        if not alone and self._scalar(readout.low) <= 0 <= self._scalar(readout.high):
            return NO_DIFFERENCE, self.filled(note)
        if math.isnan(value):
            return "–", self.filled(note)
        ends = [value, *([self._scalar(readout.to)] if readout.to and not alone else [])]
        return " to ".join(show(end, readout.format) for end in ends), self.filled(note)

    def _scalar(self, name: str) -> float:
        return float(self.evaluate(name)) if name in self.arrays else math.nan

    def filled(self, template: str) -> str:
        """Return a text in which each ``{name}`` is replaced by the value of the control or scalar array ``name``."""

        def value(match: re.Match[str]) -> str:
            name, code = match[1], match[0].strip("{}").partition(":")[2]
            if name in self.arrays:
                return show(self._scalar(name), code or ".3g")
            return (
                show(float(self.values[name]), code or ".3g") if name in self.values else match[0]
            )

        return NAMES.sub(value, template)

    def _place(self, dim: str, values: Mapping[str, Value]) -> float:
        if dim == OUTCOME:
            return 0.0
        if dim in self.coords:
            return float(self.evaluate(self.coords[dim], values))
        return float(self.by_name()[dim].index(values[dim]))
