"""The live figure: it is described here, and drawn and moved in the browser (docs/live.md)."""

from typing import Any

from ui.live import layers
from ui.live.component import Event, event, show
from ui.live.figure import Array, Axis, Busy, Figure, Panel, Readout, Text
from ui.live.inputs import Buttons, Choice, Control, Number, Slider, Toggle, Value

Lab = Figure


class _Layer(layers.Layer):
    """A layer by the name of its kind."""

    def __new__(cls, kind: str, **arguments: Any) -> Any:
        return layers.LAYERS[kind](**arguments)


Layer = _Layer

__all__ = [
    "Array",
    "Axis",
    "Busy",
    "Buttons",
    "Choice",
    "Control",
    "Event",
    "Figure",
    "Lab",
    "Layer",
    "Number",
    "Panel",
    "Readout",
    "Slider",
    "Text",
    "Toggle",
    "Value",
    "event",
    "show",
]
