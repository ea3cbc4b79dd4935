"""Live figures of arrays of one's own, for notebooks: a small library.

A `Figure` has controls, arrays over the values of these controls, and panels of layers that draw the arrays. The
browser draws the value under a handle itself, so that everything that lies in an array moves without Python.
"""

from __future__ import annotations

from dp_explorer import _home  # noqa: F401  before what it puts on the path
from ui.live import (
    Array,
    Axis,
    Buttons,
    Choice,
    Number,
    Panel,
    Readout,
    Slider,
    Text,
    Toggle,
    layers,
)  # fmt: skip
from ui.notebook.widget import Figure

__all__ = [
    "Array", "Axis", "Buttons", "Choice", "Figure", "Number", "Panel", "Readout", "Slider", "Text", "Toggle",
    "layers",
]  # fmt: skip
