"""Controls of the Relevance learning page."""

from __future__ import annotations

from dpcore.experiments.relevance import RelevanceParams
from ui.figure_kit.controls import PageControl
from ui.prototypes.controls import prototype_controls
from ui.words import text

__all__ = ["CONTROLS"]

CONTROLS = prototype_controls(
    text.load_text(__file__),
    RelevanceParams,
    look=["prototypes_per_class"],
    epochs=PageControl("epochs", mode="local"),
    person="person",
)
