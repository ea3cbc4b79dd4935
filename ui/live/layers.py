"""The layers of a panel, one class each: what it is given, where it lies and what *Pin* keeps.

`ui.live.describe` writes from these classes what the browser and docs/live.md say about layers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, get_type_hints

from ui.depth import Depth

__all__ = [
    "LAYERS", "Arrows", "Band", "Bars", "Boundary", "Cloud", "Dot", "Field", "HLine", "Handle", "Layer",
    "Line", "Markers", "Parabolas", "Paths", "Points", "Regions", "Shade", "VLine",
]  # fmt: skip

# What an argument names: the second part is read by `Layer.named` and by `ui.live.describe`.
Slot = Annotated[str | Sequence[float], "array"]  # an array's name, or the numbers themselves
ScalarSlot = Annotated[str | float, "scalar"]  # a scalar array's name, or a number
Dimension = Annotated[str, "dimension"]  # a control or a coordinate
SliderName = Annotated[str, "slider"]
Extent = tuple[float, float, float, float]  # x0, x1, y0, y1 in data units
Role = (
    str | int
)  # "private", "nonprivate", "other", "danger", "muted", "text", or the number of a class
Pinned = Literal["", "private", "moving"]
LAYERS: dict[str, type[Layer]] = {}  # by kind


@dataclass(frozen=True, kw_only=True)
class Layer:
    """One layer of a panel; a `ghost` is its pinned copy, made by the browser.

    ``under``: it lies under the frame; ``front``: drawn over what moves, even when it stands still.
    ``pinned``: *Pin* keeps what shows the private result ("private": its role is so or not given),
    what follows a control by its first array ("moving"), or nothing ("").
    ``label``: words written beside it; ``label_short`` in narrow panels. Where there is no room
    for all, the layer drawn first goes without. ``depth``: the first depth of a page that shows it,
    which the browser need not know.
    """

    kind: ClassVar[str] = ""
    under: ClassVar[bool] = False
    pinned: ClassVar[Pinned] = ""
    front: bool = False
    label: str = ""
    label_short: str = ""
    depth: Annotated[Depth, "server"] = Depth.LOOK

    def __init_subclass__(cls, *, under: bool = False, pinned: Pinned = "") -> None:
        cls.kind, cls.under, cls.pinned = cls.__name__.lower(), under, pinned
        if not cls.__name__.startswith("_"):
            LAYERS[cls.kind] = cls

    @classmethod
    @cache
    def named(cls) -> dict[str, str]:
        """What the arguments of this kind name: "array", "scalar", "dimension" or "slider"."""
        hints = get_type_hints(cls, include_extras=True).items()
        return {name: hint.__metadata__[0] for name, hint in hints if hasattr(hint, "__metadata__")}

    def arguments(self) -> dict[str, object]:
        """The arguments that were given, those of the browser."""
        own = vars(self)
        return {f.name: own[f.name] for f in self.sent() if own[f.name] is not f.default}

    @classmethod
    def sent(cls) -> list[dataclasses.Field[Any]]:
        """The fields that travel to the browser."""
        return [field for field in fields(cls) if cls.named().get(field.name) != "server"]

    def array_names(self) -> list[str]:
        """The arrays the layer reads."""
        return self._names("array", "scalar")

    def dimension_names(self) -> list[str]:
        """The controls and coordinates that the layer follows by name."""
        return self._names("dimension")

    def _names(self, *wanted: str) -> list[str]:
        found = (getattr(self, slot) for slot, what in self.named().items() if what in wanted)
        return [value for value in found if isinstance(value, str)]


@dataclass(frozen=True, kw_only=True)
class _Stroke(Layer):
    role: Role | None = None
    alpha: float | None = None
    width: float | None = None
    dash: bool = False


@dataclass(frozen=True, kw_only=True)
class Regions(Layer, under=True, pinned="moving"):
    """The nearest centre c, argmin |z − c|² + r², on a raster: translucent, edges drawn."""

    centres: Annotated[Slot, "(P, 2), or (P, 3) with the squared rest r²"]
    labels: Annotated[Slot, "(P,)"]
    alpha: float | None = None


@dataclass(frozen=True, kw_only=True)
class Boundary(Layer):
    """The edges alone between regions of different labels."""

    centres: Annotated[Slot, "(P, 2) or (P, 3)"]
    labels: Annotated[Slot, "(P,)"]
    role: Role | None = None


@dataclass(frozen=True, kw_only=True)
class Shade(Layer, under=True):
    """A field over the map: full colour at the low end of its range, nothing from the high end on."""

    values: Annotated[Slot, "(G, G), rows from the bottom"]
    extent: Extent
    range: tuple[float, float]
    role: Role | None = None
    alpha: float | None = None


@dataclass(frozen=True, kw_only=True)
class Field(Layer, under=True, pinned="moving"):
    """A probability between two classes and its border at one half; only the border with ``line``."""

    values: Annotated[Slot, "(G, G), rows from the bottom"]
    extent: Extent
    line: bool = False
    role: str | None = None


@dataclass(frozen=True, kw_only=True)
class Points(Layer):
    """Records, each with the colour and the shape of its label."""

    xy: Annotated[Slot, "(n, 2)"]
    labels: Annotated[Slot, "(n,)"]
    role: Role | None = None
    size: float | None = None
    alpha: float | None = None


@dataclass(frozen=True, kw_only=True)
class Markers(Layer, pinned="moving"):
    """Prototypes: large marks with a rim; ``hollow`` ones show what lies under them."""

    xy: Annotated[Slot, "(P, ≥ 2)"]
    labels: Annotated[Slot, "(P,)"]
    role: Role | None = None
    size: float | None = None
    alpha: float | None = None
    hollow: bool = False


@dataclass(frozen=True, kw_only=True)
class Cloud(Layer):
    """Many outcomes D of P prototypes; round where a role is given."""

    xy: Annotated[Slot, "(D, P, ≥ 2)"]
    labels: Annotated[Slot, "(P,)"]
    role: Role | None = None
    size: float | None = None
    alpha: float | None = None


@dataclass(frozen=True, kw_only=True)
class Paths(Layer):
    """Polylines through S snapshots of P prototypes, up to a fractional index."""

    xy: Annotated[Slot, "(S, P, ≥ 2)"]
    labels: Annotated[Slot, "(P,)"]
    upto: Dimension
    role: Role | None = None
    width: float | None = None


@dataclass(frozen=True, kw_only=True)
class Arrows(_Stroke):
    """Arrows from the origin; NaN leaves one out."""

    xy: Annotated[Slot, "(n, 2)"]


@dataclass(frozen=True, kw_only=True)
class Line(_Stroke, pinned="private"):
    """A curve; it lifts its pen where y is NaN, so that one layer holds many."""

    x: Annotated[Slot, "(n,)"]
    y: Annotated[Slot, "(n,)"]
    keep: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Band(Layer):
    """The area between two curves."""

    x: Annotated[Slot, "(n,)"]
    low: Annotated[Slot, "(n,)"]
    high: Annotated[Slot, "(n,)"]
    role: Role | None = None
    alpha: float | None = None


@dataclass(frozen=True, kw_only=True)
class Parabolas(_Stroke, pinned="private"):
    """Curves at² − 2bt; those with a third number 1 in the colour of danger."""

    xy: Annotated[Slot, "(m, 3): a, b and 0 or 1"]
    keep: bool | None = None


@dataclass(frozen=True, kw_only=True)
class VLine(_Stroke):
    """An upright line across the panel."""

    at: ScalarSlot


@dataclass(frozen=True, kw_only=True)
class HLine(_Stroke):
    """A level line across the panel."""

    at: ScalarSlot


@dataclass(frozen=True, kw_only=True)
class Dot(Layer, pinned="private"):
    """One point with a rim: where the handles are now."""

    x: ScalarSlot
    y: ScalarSlot
    role: Role | None = None
    size: float | None = None
    keep: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Bars(Layer, pinned="private"):
    """A histogram; its outline alone when ``hollow``."""

    edges: Annotated[Slot, "(n + 1,)"]
    heights: Annotated[Slot, "(n,)"]
    role: Role | None = None
    alpha: float | None = None
    hollow: bool = False
    keep: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Handle(Layer):
    """A point that can be dragged: its offset from the origin is the values of two sliders."""

    x: SliderName
    y: SliderName
    origin: Annotated[Slot, "(2,)"]
    label: str
