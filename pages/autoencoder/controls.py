"""Which parameters of Autoencoder are set at which depth."""

from __future__ import annotations

from dataclasses import replace

from dpcore.experiments.autoencoder import AutoencoderParams
from ui.figure_kit.availability import is_here
from ui.figure_kit.controls import PageControl, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

_CONTROLS = page_controls(
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
CONTROLS = tuple(  # the number of a picture: elsewhere a person's rank, in per cent
    replace(item, unit="") if item.name == "person" else item for item in _CONTROLS
)
