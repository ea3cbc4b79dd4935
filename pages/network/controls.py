"""Controls of the Deep networks page, each with the level of detail from which it is shown."""

from __future__ import annotations

from dpcore.experiments.network import NetworkParams
from ui.figure_kit.controls import PageControl, grouped, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

# Python answers ε and δ: the network is trained anew for each.
CONTROLS = page_controls(
    text.load_text(__file__),
    NetworkParams,
    look=[
        PageControl("epsilon"),
        *grouped("learns", "clip_norm", "sample_rate", PageControl("delta")),
    ],
    understand=[*grouped("learns", "epochs", "learning_rate", "schedule"), *grouped("who", "seed")],
)
