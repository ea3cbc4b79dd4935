"""Controls of the Gradient descent page."""

from __future__ import annotations

from dpcore.experiments.descent import DescentParams
from ui.figure_kit.controls import PageControl, grouped, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

CONTROLS = page_controls(
    text.load_text(__file__),
    DescentParams,
    look=[
        PageControl("budget", mode="local"),
        PageControl("noise_multiplier", mode="local"),
        *grouped("learns", "clip_norm", "sample_rate", "delta"),
        "parts",
    ],
    understand=[
        "asked",
        *grouped("learns", "n_steps", "learning_rate", "regularisation"),
        *grouped("starts", "dataset", "model", PageControl("width", mode="local")),
        *grouped("who", "person", "seed"),
        PageControl("record", hidden=True),
    ],
    check=grouped("learns", "clipping", "noise"),
)
