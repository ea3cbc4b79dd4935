"""Depth of each control of Linear regression."""

from __future__ import annotations

from dpcore.experiments.regression import RegressionParams
from ui.figure_kit.availability import is_here
from ui.figure_kit.controls import PageControl, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

T = text.beside(__file__)


def _without_delta(params: RegressionParams) -> str:
    return T("fields.delta.idle") if params.pure else ""


def _without_objective(params: RegressionParams) -> str:
    return "" if params.objective else T("fields.repair.idle")


def _without_split(params: RegressionParams) -> str:
    return "" if params.separate else T("fields.split.idle")


CONTROLS = page_controls(
    T,
    RegressionParams,
    look=["epsilon", "n_samples", PageControl("dataset", offered=is_here)],
    understand=[
        PageControl("delta", idle=_without_delta),
        "method",
        PageControl("repair", idle=_without_objective),
        "n_features",
        "feature",
        "person",
        PageControl("answers", mode="local"),
        PageControl("person_dx", hidden=True),
        PageControl("person_dy", hidden=True),
        "seed",
    ],
    check=[PageControl("split", idle=_without_split)],
)
