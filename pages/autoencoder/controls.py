"""Depth of each control of Autoencoder."""

from __future__ import annotations

from dpcore.experiments.autoencoder import AutoencoderParams
from ui.figure_kit.availability import is_here
from ui.figure_kit.controls import PageControl, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

CONTROLS = page_controls(  # a person is the number of a picture: no rank in per cent
    text.beside(__file__),
    AutoencoderParams,
    look=["epsilon", "digit", "real"],
    understand=[
        PageControl("kind", mode="local"),
        "person",
        PageControl("draws", mode="local"),
        "delta",
        "other",
        PageControl("dataset", offered=is_here),
        "trained_on",
        "seed",
    ],
)
