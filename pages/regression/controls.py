"""Depth of each control of Linear regression."""

from __future__ import annotations

from dpcore.experiments.regression import RegressionParams
from ui.figure_kit.availability import is_here
from ui.figure_kit.controls import PageControl, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

T = text.beside(__file__)


CONTROLS = page_controls(
    T,
    RegressionParams,
    look=[
        "epsilon",
        PageControl("method", few=("joint", "descent")),
        PageControl("clip_norm", absent=lambda params: not params.stepwise),
        PageControl("sample_rate", absent=lambda params: not params.stepwise),
        PageControl("delta", absent=lambda params: params.pure),
        "n_samples",
        PageControl("dataset", offered=is_here),
    ],
    understand=[
        PageControl("repair", absent=lambda params: not params.objective),
        "n_features",
        "feature",
        "person",
        PageControl("answers", mode="local"),
        PageControl("person_dx", hidden=True),
        PageControl("person_dy", hidden=True),
        "seed",
    ],
    check=[PageControl("split", absent=lambda params: not params.separate)],
)
