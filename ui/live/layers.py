"""Layers of a panel, one class for each kind: arguments, stacking order, and what the button *Pin* copies.

`ui.live.describe` generates from these classes what the browser and docs/live.md know about layers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ui.live.layer import LAYERS, Dimension, Extent, Layer, Role, ScalarSlot, SliderName, Slot

__all__ = [
    "LAYERS", "Arrows", "Band", "Bars", "Boundary", "Cards", "Cloud", "Coins", "Dot", "Field", "HLine", "Handle",
    "Layer", "Line", "Markers", "Parabolas", "Paths", "Points", "Rain", "Readings", "Regions", "Shade", "VLine",
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class _Stroke(Layer):
    role: Role | None = None
    alpha: float | None = None
    width: float | None = None
    dash: bool = False


@dataclass(frozen=True, kw_only=True)
class Regions(Layer, under=True, pinned="moving"):
    """Regions of the plane, with edges: points z for which the same centre c minimises |z − c|² + r².

    Each centre has its own r², which is 0 if it is not given.
    """

    centres: Annotated[Slot, "(P, 2), or (P, 3) with the squared rest r²"]
    labels: Annotated[Slot, "(P,)"]
    alpha: float | None = None


@dataclass(frozen=True, kw_only=True)
class Boundary(Layer):
    """Edges between regions of different labels; the regions are not filled."""

    centres: Annotated[Slot, "(P, 2) or (P, 3)"]
    labels: Annotated[Slot, "(P,)"]
    role: Role | None = None


@dataclass(frozen=True, kw_only=True)
class Shade(Layer, under=True):
    """Shading of a map by grid values: full colour at the low end of ``range``, transparent from its high end on."""

    values: Annotated[Slot, "(G, G), rows from the bottom"]
    extent: Extent
    range: tuple[float, float]
    role: Role | None = None
    alpha: float | None = None


@dataclass(frozen=True, kw_only=True)
class Field(Layer, under=True, pinned="moving"):
    """Probability of one of two classes on a grid, with its contour at one half; with ``line`` the contour alone."""

    values: Annotated[Slot, "(G, G), rows from the bottom"]
    extent: Extent
    line: bool = False
    role: str | None = None


@dataclass(frozen=True, kw_only=True)
class Points(Layer):
    """Records as points, with colour and shape by label.

    ``leaves``: NaN marks a record that has been removed from the data. ``within``: extent in data units; a
    record outside is drawn as a hollow point at its edge.
    """

    xy: Annotated[Slot, "(n, 2)"]
    labels: Annotated[Slot, "(n,)"]
    role: Role | None = None
    size: float | None = None
    alpha: float | None = None
    leaves: bool = False
    within: Extent | None = None


@dataclass(frozen=True, kw_only=True)
class Markers(Layer, pinned="moving"):
    """Prototypes as large marks with a rim; ``hollow`` ones show what is drawn below them."""

    xy: Annotated[Slot, "(P, ≥ 2)"]
    labels: Annotated[Slot, "(P,)"]
    role: Role | None = None
    size: float | None = None
    alpha: float | None = None
    hollow: bool = False


@dataclass(frozen=True, kw_only=True)
class Cloud(Layer):
    """P prototypes in each of D outcomes as P·D small points; the points are round if a role is given."""

    xy: Annotated[Slot, "(D, P, ≥ 2)"]
    labels: Annotated[Slot, "(P,)"]
    role: Role | None = None
    size: float | None = None
    alpha: float | None = None


@dataclass(frozen=True, kw_only=True)
class Paths(Layer):
    """Polylines through S snapshots of P prototypes, drawn up to a fractional index ``upto``."""

    xy: Annotated[Slot, "(S, P, ≥ 2)"]
    labels: Annotated[Slot, "(P,)"]
    upto: Dimension
    role: Role | None = None
    width: float | None = None


@dataclass(frozen=True, kw_only=True)
class Arrows(_Stroke):
    """Arrows from the origin to points; NaN points have none."""

    xy: Annotated[Slot, "(n, 2)"]


@dataclass(frozen=True, kw_only=True)
class Line(_Stroke, pinned="private"):
    """Curve; NaN in y interrupts it, so that one layer can contain many curves."""

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
    """Curves at² − 2bt from rows (a, b, flag); those with the flag 1 in the warning colour."""

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
    """Histogram with given bin edges; ``hollow`` ones have only an outline."""

    edges: Annotated[Slot, "(n + 1,)"]
    heights: Annotated[Slot, "(n,)"]
    role: Role | None = None
    alpha: float | None = None
    hollow: bool = False
    keep: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Coins(Layer):
    """Pictogram of a budget from 0 to 1 as a hundred coins; those already spent are empty rims."""

    x: float
    width: float
    spent: ScalarSlot
    budget: ScalarSlot
    role: Role | None = None


@dataclass(frozen=True, kw_only=True)
class Rain(Layer):
    """Animated draws that fall one by one into a dot plot between ``floor`` and ``top``; the last is drawn large."""

    xy: Annotated[Slot, "(n, 2): where each lands, and the height it falls from"]
    upto: ScalarSlot
    floor: float
    top: float
    role: Role | None = None
    size: float | None = None


@dataclass(frozen=True, kw_only=True)
class Cards(Layer):
    """People who raise their cards one by one, then all: a full card says yes, an empty one no.

    ``person`` is the index of a person who is labelled. A person whose position is NaN is not drawn.
    """

    xy: Annotated[Slot, "(n, 2)"]
    answers: Annotated[Slot, "(n,): 1 for yes"]
    person: int | None = None
    role: Role | None = None


@dataclass(frozen=True, kw_only=True)
class Readings(Layer):
    """Predicted class of each image of a mosaic, written below it; ``marks`` emphasizes wrong ones.

    Every class is written as opaquely as its share of the votes: one class if it has all votes, and two that fade
    into each other while votes are interpolated between two outcomes.
    """

    votes: Annotated[Slot, "(n, classes)"]
    truth: Annotated[Slot, "(n,)"]
    role: Role | None = None
    marks: bool = False


@dataclass(frozen=True, kw_only=True)
class Handle(Layer):
    """Draggable point whose offset from the origin sets two sliders."""

    x: SliderName
    y: SliderName
    origin: Annotated[Slot, "(2,)"]
    label: str
