"""Controls of Gradient descent."""

from __future__ import annotations

from dpcore.experiments.descent import DescentParams
from ui.figure_kit.controls import PageControl, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

CONTROLS = page_controls(
    text.beside(__file__),
    DescentParams,
    look=[
        PageControl("noise_multiplier", mode="local"),
        PageControl("budget", mode="local"),
        "parts",
    ],
    understand=[
        "asked",
        "dataset",
        "model",
        "clip_norm",
        "sample_rate",
        "n_steps",
        "learning_rate",
        "delta",
        "regularisation",
        PageControl("width", mode="local"),
        "person",
        "seed",
    ],
    check=["clipping", "noise"],
)
