"""The live figure: described here, shown by `ui.live.component`, moved in the browser (docs/live.md)."""

from ui.live.figure import Array, Axis, Busy, Figure, Panel, Readout, Text
from ui.live.inputs import Buttons, Choice, Control, Number, Slider, Toggle, Value

__all__ = [
    "Array",
    "Axis",
    "Busy",
    "Buttons",
    "Choice",
    "Control",
    "Figure",
    "Number",
    "Panel",
    "Readout",
    "Slider",
    "Text",
    "Toggle",
    "Value",
]
