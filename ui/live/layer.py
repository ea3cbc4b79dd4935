"""Base class of panel layers.

Arguments of a layer may name arrays, controls and coordinates.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, get_type_hints

from ui.live.depth import Depth

__all__ = [
    "LAYERS",
    "Dimension",
    "Extent",
    "Layer",
    "Pinned",
    "Role",
    "ScalarSlot",
    "SliderName",
    "Slot",
]

# What an argument names: the second part is read by `Layer.named` and by `ui.live.describe`.
Slot = Annotated[str | Sequence[float], "array"]  # an array's name, or the numbers themselves
ScalarSlot = Annotated[str | float, "scalar"]  # a scalar array's name, or a number
Dimension = Annotated[str, "dimension"]  # a control or a coordinate
SliderName = Annotated[str, "slider"]
Extent = tuple[float, float, float, float]  # x0, x1, y0, y1 in data units
Role = (
    str | int
)  # "private", "nonprivate", "other", "danger", "good", "muted", "text", or the number of a class
Pinned = Literal["", "private", "moving"]
LAYERS: dict[str, type[Layer]] = {}  # by kind


@dataclass(frozen=True, kw_only=True)
class Layer:
    """Layer of a panel.

    The button *Pin* keeps a copy of a layer, called *ghost*. The browser makes this copy.

    - ``under``: whether it is drawn below the panel's frame.
    - ``front``: whether it is drawn above moving layers, even if it does not move.
    - ``pinned``: condition under which the button *Pin* copies the layer. "private": the role of the layer is
      "private" or not given. "moving": the first array of the layer depends on a control. "": never.
    - ``label``: text next to the layer. In narrow panels ``label_short`` replaces it. If not all labels fit, those of
      the layers drawn first are dropped.
    - ``label_on_hover``: whether the label is shown only while a pointer or the focus is on the panel.
    - ``depth``: first level of detail that shows the layer; it is not sent to the browser.
    """

    kind: ClassVar[str] = ""
    under: ClassVar[bool] = False
    pinned: ClassVar[Pinned] = ""
    front: bool = False
    label: str = ""
    label_short: str = ""
    label_on_hover: bool = False
    depth: Depth = Depth.LOOK

    def __init_subclass__(cls, *, under: bool = False, pinned: Pinned = "") -> None:
        cls.kind, cls.under, cls.pinned = cls.__name__.lower(), under, pinned
        if not cls.__name__.startswith("_"):
            LAYERS[cls.kind] = cls

    @classmethod
    @cache
    def named(cls) -> dict[str, str]:
        """Return the arguments that may be names, each with the kind of thing that it names.

        Kinds are "array", "scalar", "dimension" and "slider".
        """
        hints = get_type_hints(cls, include_extras=True).items()
        return {name: hint.__metadata__[0] for name, hint in hints if hasattr(hint, "__metadata__")}

    def arguments(self) -> dict[str, object]:
        """Return the arguments that differ from their defaults, by name.

        Only these arguments are sent to the browser.
        """
        own = vars(self)
        return {f.name: own[f.name] for f in self.sent() if own[f.name] is not f.default}

    def texts(self) -> tuple[str, ...]:
        """Return the texts of the layer, which may contain ``{name}`` for the value of a control or scalar array."""
        return (self.label, self.label_short)

    @classmethod
    def sent(cls) -> list[dataclasses.Field[Any]]:
        """Return the dataclass fields of the layer that are sent to the browser."""
        return [field for field in fields(cls) if field.name != "depth"]

    def array_names(self) -> list[str]:
        """Return the names of the arrays that the layer draws."""
        return self._names("array", "scalar")

    def dimension_names(self) -> list[str]:
        """Return the names of controls and coordinates that are arguments of the layer."""
        return self._names("dimension")

    def _names(self, *wanted: str) -> list[str]:
        slots = (getattr(self, slot) for slot, what in self.named().items() if what in wanted)
        return [value for value in slots if isinstance(value, str)]
