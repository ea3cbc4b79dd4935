"""The live figure: it is described here, and drawn and moved in the browser (docs/live.md)."""

from ui.live.component import Event, event, show
from ui.live.figure import Array, Axis, Busy, Figure, Panel, Readout, Text
from ui.live.inputs import Buttons, Choice, Control, Number, Slider, Toggle, Value

__all__ = [
    "Array",
    "Axis",
    "Busy",
    "Buttons",
    "Choice",
    "Control",
    "Event",
    "Figure",
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
