"""The live figure: a lab is described here, and drawn and moved in the browser (docs/live.md)."""

from ui.live.component import Event, event, show
from ui.live.inputs import Buttons, Choice, Control, Number, Slider, Toggle
from ui.live.lab import Array, Axis, Busy, Lab, Layer, Panel, Readout, Text

__all__ = [
    "Array",
    "Axis",
    "Busy",
    "Buttons",
    "Choice",
    "Control",
    "Event",
    "Lab",
    "Layer",
    "Number",
    "Panel",
    "Readout",
    "Slider",
    "Text",
    "Toggle",
    "event",
    "show",
]
