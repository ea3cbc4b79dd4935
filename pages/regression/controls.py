"""Controls of the Linear regression page, each with the level of detail from which it is shown."""

from __future__ import annotations

from dpcore.experiments.regression import RegressionParams
from ui.figure_kit.availability import is_here
from ui.figure_kit.controls import PageControl, grouped, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

T = text.load_text(__file__)


CONTROLS = page_controls(
    T,
    RegressionParams,
    look=[
        "epsilon",
        PageControl("method", few=("joint", "descent")),
        *grouped(
            "learns",
            PageControl("clip_norm", absent=lambda params: not params.stepwise),
            PageControl("sample_rate", absent=lambda params: not params.stepwise),
            PageControl("delta", absent=lambda params: params.pure),
        ),
        PageControl("dataset", offered=is_here),
    ],
    understand=[
        *grouped("learns", PageControl("repair", absent=lambda params: not params.objective)),
        *grouped("starts", "n_samples", "n_features", "feature"),
        *grouped("who", "person", PageControl("answers", mode="local"), "seed"),
        PageControl("record", hidden=True),
        PageControl("person_dx", hidden=True),
        PageControl("person_dy", hidden=True),
    ],
    check=grouped("learns", PageControl("split", absent=lambda params: not params.separate)),
)
