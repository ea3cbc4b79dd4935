"""Controls of the Relevance matrix page."""

from __future__ import annotations

from dpcore.experiments.matrix import MatrixParams
from ui.figure_kit.controls import PageControl
from ui.prototypes.controls import prototype_controls
from ui.words import text

__all__ = ["CONTROLS"]

CONTROLS = prototype_controls(
    text.load_text(__file__),
    MatrixParams,
    epochs="epochs",
    person=PageControl("person", mode="local"),
    understand=["rank"],
    check=[PageControl("matrix_noise_std", mode="local")],
)
