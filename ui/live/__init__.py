"""Descriptions of interactive figures, sent by `ui.live.component` and drawn in the browser (docs/live.md)."""

from ui.live.array import Array
from ui.live.breathing import OUTCOME, Breathing
from ui.live.figure import NAMES, NO_DIFFERENCE, Axis, Busy, Figure, Panel, Readout, Text
from ui.live.inputs import Buttons, Choice, Control, Number, Slider, Toggle, Value
from ui.live.predict import Bets, FaceOff, Guess

__all__ = [
    "NAMES",
    "NO_DIFFERENCE",
    "OUTCOME",
    "Array",
    "Axis",
    "Bets",
    "Breathing",
    "Busy",
    "Buttons",
    "Choice",
    "Control",
    "FaceOff",
    "Figure",
    "Guess",
    "Number",
    "Panel",
    "Readout",
    "Slider",
    "Text",
    "Toggle",
    "Value",
]
