"""The live figure: a lab is described here, and drawn and moved in the browser (docs/live.md)."""

from ui.live.component import Event, event, show
from ui.live.lab import (
    Array,
    Axis,
    Busy,
    Buttons,
    Choice,
    Control,
    Lab,
    Layer,
    Number,
    Panel,
    Readout,
    Slider,
    Text,
    Toggle,
)

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
