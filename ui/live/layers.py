"""Layers of a panel, one class for each kind: arguments, stacking order, and what the button *Pin* copies.

`ui.live.describe` generates from these classes what the browser and docs/live.md know about layers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ui.live.layer import LAYERS, Dimension, Extent, Layer, Role, ScalarSlot, SliderName, Slot

__all__ = [
    "LAYERS", "Annotation", "Arrows", "Band", "Bars", "Boundary", "Cards", "Cloud", "Coins", "Counted", "Dot",
    "Field", "HLine", "Handle", "Layer", "Line", "Markers", "Parabolas", "Paths", "Phones", "Points", "Rain",
    "Readings", "Regions", "Shade", "VLine",
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class _Stroke(Layer):
    role: Role | None = None
    alpha: float | None = None
    width: float | None = None
    dash: bool = False


@dataclass(frozen=True, kw_only=True)
class Regions(Layer, under=True, pinned="moving"):
    """Regions of the plane, with edges. A point z is in the region of the centre c with the least |z − c|² + r².

    Each centre has its own r², which is 0 if it is not given.
    """

    centres: Annotated[Slot, "(P, 2), or (P, 3) with the squared rest r²"]
    labels: Annotated[Slot, "(P,)"]
    alpha: float | None = None


@dataclass(frozen=True, kw_only=True)
class Boundary(Layer):
    """Edges between regions of different labels, without filled regions."""

    centres: Annotated[Slot, "(P, 2) or (P, 3)"]
    labels: Annotated[Slot, "(P,)"]
    role: Role | None = None


@dataclass(frozen=True, kw_only=True)
class Shade(Layer, under=True):
    """Shading of a map by values on a grid, opaque at the low end of ``range`` and transparent at the high end."""

    values: Annotated[Slot, "(G, G), rows from the bottom"]
    extent: Extent
    range: tuple[float, float]
    role: Role | None = None
    alpha: float | None = None


@dataclass(frozen=True, kw_only=True)
class Field(Layer, under=True, pinned="moving"):
    """Probability of one of two classes on a grid, with its contour at one half.

    ``line`` draws only the contour.
    """

    values: Annotated[Slot, "(G, G), rows from the bottom"]
    extent: Extent
    line: bool = False
    role: str | None = None


@dataclass(frozen=True, kw_only=True)
class Points(Layer):
    """Records as points, with colour and shape by label.

    - ``leaves``: whether a NaN position means that the record has been removed from the data.
    - ``roles``: role of each label, in place of the colours and shapes of classes.
    - ``within``: extent in data units. A record outside it is drawn as a hollow point where the line from the middle
      of the extent to the record crosses its edge.
    """

    xy: Annotated[Slot, "(n, 2)"]
    labels: Annotated[Slot, "(n,)"]
    role: Role | None = None
    size: float | None = None
    alpha: float | None = None
    leaves: bool = False
    roles: tuple[str, ...] | None = None
    within: Extent | None = None


@dataclass(frozen=True, kw_only=True)
class Markers(Layer, pinned="moving"):
    """Prototypes as large marks with a rim.

    ``hollow`` marks show what is drawn below them.
    """

    xy: Annotated[Slot, "(P, ≥ 2)"]
    labels: Annotated[Slot, "(P,)"]
    role: Role | None = None
    size: float | None = None
    alpha: float | None = None
    hollow: bool = False


@dataclass(frozen=True, kw_only=True)
class Cloud(Layer):
    """P prototypes in each of D outcomes (random draws), as P·D small points.

    The points are round if a role is given.
    """

    xy: Annotated[Slot, "(D, P, ≥ 2)"]
    labels: Annotated[Slot, "(P,)"]
    role: Role | None = None
    size: float | None = None
    alpha: float | None = None


@dataclass(frozen=True, kw_only=True)
class Paths(Layer):
    """Polylines through S snapshots of P prototypes, up to the fractional index ``upto``."""

    xy: Annotated[Slot, "(S, P, ≥ 2)"]
    labels: Annotated[Slot, "(P,)"]
    upto: Dimension
    role: Role | None = None
    width: float | None = None


@dataclass(frozen=True, kw_only=True)
class Arrows(_Stroke):
    """Arrows from the origin to points, without arrows to NaN points."""

    xy: Annotated[Slot, "(n, 2)"]


@dataclass(frozen=True, kw_only=True)
class Line(_Stroke, pinned="private"):
    """Curve, interrupted where y is NaN.

    One layer can therefore contain many curves.
    """

    x: Annotated[Slot, "(n,)"]
    y: Annotated[Slot, "(n,)"]
    keep: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Band(Layer):
    """Filled area between two curves."""

    x: Annotated[Slot, "(n,)"]
    low: Annotated[Slot, "(n,)"]
    high: Annotated[Slot, "(n,)"]
    role: Role | None = None
    alpha: float | None = None


@dataclass(frozen=True, kw_only=True)
class Parabolas(_Stroke, pinned="private"):
    """Curves at² − 2bt, one for each row (a, b, flag).

    Curves with the flag 1 have the warning colour.
    """

    xy: Annotated[Slot, "(m, 3): a, b and 0 or 1"]
    keep: bool | None = None


@dataclass(frozen=True, kw_only=True)
class VLine(_Stroke):
    """Vertical line across the panel, at one x."""

    at: ScalarSlot


@dataclass(frozen=True, kw_only=True)
class HLine(_Stroke):
    """Horizontal line across the panel, at one y."""

    at: ScalarSlot


@dataclass(frozen=True, kw_only=True)
class Dot(Layer, pinned="private"):
    """Point with a rim, at the current values of the controls."""

    x: ScalarSlot
    y: ScalarSlot
    role: Role | None = None
    size: float | None = None
    keep: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Bars(Layer, pinned="private"):
    """Histogram with given bin edges.

    ``hollow`` bars have only an outline.
    """

    edges: Annotated[Slot, "(n + 1,)"]
    heights: Annotated[Slot, "(n,)"]
    role: Role | None = None
    alpha: float | None = None
    hollow: bool = False
    keep: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Coins(Layer):
    """Pictogram of a budget from 0 to 1 as a hundred coins.

    Coins already spent are drawn as empty rims. Above the coins stands a text: one of ``words_left`` while coins are
    left, with ``{coins}`` for their number, and then one of ``words_empty``. It is the first text for which there is
    room, or the last text if there is room for none.
    """

    x: float
    width: float
    spent: ScalarSlot
    budget: ScalarSlot
    words_left: tuple[str, ...] | None = None
    words_empty: tuple[str, ...] | None = None
    role: Role | None = None

    def texts(self) -> tuple[str, ...]:
        """Return the texts of the layer, which may have ``{name}`` for the value of a control or array."""
        return (*super().texts(), *(self.words_left or ()), *(self.words_empty or ()))


@dataclass(frozen=True, kw_only=True)
class Rain(Layer):
    """Animated random draws that fall one by one into a dot plot between ``floor`` and ``top``.

    The last draw is large. ``like`` has the draws of a second dot plot with the same scale: if the highest pile of
    either plot is too high for the panel, the dots of all piles overlap vertically in both.
    """

    xy: Annotated[Slot, "(n, 2): where each lands, and the height it falls from"]
    upto: ScalarSlot
    floor: float
    top: float
    like: Slot = ()
    role: Role | None = None
    size: float | None = None


@dataclass(frozen=True, kw_only=True)
class Cards(Layer):
    """People who raise their cards, first one by one, then all.

    A full card means yes, an empty card means no. A person whose position is NaN is not drawn.

    - ``person``: index of a labelled person.
    - ``raised``: slider that the browser sets to the number of raised cards, so that numbers that depend on this
      slider grow with the cards.
    - ``wheel``: share of the field "tell the truth" on the wheel that each person spins before raising a card; 0
      draws no wheel.
    - ``large``: (x, y, radius), in units of x, of a large picture of the wheel of ``person``. The wheel turns before
      this person's card is raised; where it stops is not shown.
    - ``words``: the words on the fields of the large wheel (truth, lie), below it, and the name of ``person``,
      which is written left of them.
    """

    xy: Annotated[Slot, "(n, 2)"]
    answers: Annotated[Slot, "(n,): 1 for yes"]
    person: int | None = None
    raised: SliderName = ""
    wheel: ScalarSlot = 0.0
    large: tuple[float, ...] | None = None
    words: tuple[str, ...] | None = None
    role: Role | None = None


@dataclass(frozen=True, kw_only=True)
class Counted(Layer):
    """Pictogram of a number as discs at the first ``upto`` of n positions.

    ``radius`` is the radius of a disc in units of x. If ``hollow``, the discs are rings.
    """

    xy: Annotated[Slot, "(n, 2)"]
    upto: ScalarSlot
    radius: float
    role: Role | None = None
    hollow: bool = False


@dataclass(frozen=True, kw_only=True)
class Phones(Layer):
    """Phones that answer a yes/no question one after the other, each after the toss of a coin.

    - ``device``: 1 for a phone on which a second coin answers instead of its person.
    - ``upto``: number of phones that have answered.
    - ``words``: five texts: for the answers no and yes, for an answer given by the person and one given by the coin,
      and a text that precedes the true answer.
    """

    xy: Annotated[Slot, "(n, 2)"]
    answers: Annotated[Slot, "(n,): 1 for yes"]
    device: Annotated[Slot, "(n,)"]
    truth: Annotated[Slot, "(n,): 1 for yes"]
    upto: ScalarSlot
    words: tuple[str, ...]
    role: Role | None = None


@dataclass(frozen=True, kw_only=True)
class Readings(Layer):
    """Predicted class of each image of a mosaic, written below the image.

    ``marks`` emphasizes wrong classes. The opacity of a class is its share of the votes. While votes are interpolated
    between two outcomes, two classes fade into each other.
    """

    votes: Annotated[Slot, "(n, classes)"]
    truth: Annotated[Slot, "(n,)"]
    role: Role | None = None
    marks: bool = False


@dataclass(frozen=True, kw_only=True)
class Annotation(Layer):
    """Words at a fixed position of the panel, unlike labels of curves, which are placed where there is room.

    - ``words`` may contain ``{name}`` for the value of a control or scalar array. In narrow panels ``words_short``
      replaces them.
    - ``align``: part of the words that lies at x: "left", "center" or "right".
    - ``dx`` and ``dy``: distance from the position in pixels, to the right and down.
    - ``stamped``: whether the words have a background in the colour of their role.

    Where x or y is NaN nothing is written.
    """

    x: ScalarSlot
    y: ScalarSlot
    words: str
    words_short: str = ""
    align: Literal["left", "center", "right"] = "left"
    dx: float | None = None
    dy: float | None = None
    role: Role | None = None
    stamped: bool = False

    def texts(self) -> tuple[str, ...]:
        """Return the texts of the layer, which may have ``{name}`` for the value of a control or array."""
        return (*super().texts(), self.words, self.words_short)


@dataclass(frozen=True, kw_only=True)
class Handle(Layer):
    """Draggable point that sets two sliders by its offset from the origin."""

    x: SliderName
    y: SliderName
    origin: Annotated[Slot, "(2,)"]
    label: str
