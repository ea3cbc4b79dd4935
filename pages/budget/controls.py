"""Controls of the page Budget."""

from __future__ import annotations

from dpcore.experiments.budget import BudgetParams
from ui.figure_kit.controls import PageControl, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

CONTROLS = page_controls(
    text.beside(__file__),
    BudgetParams,
    look=[
        "epsilon",
        PageControl("n_steps", mode="local", play=True),
        PageControl("noise_multiplier", mode="local"),
        PageControl("answer_epsilon", mode="local"),
    ],
    understand=[
        "mechanism",
        PageControl("sample_rate", mode="local"),
        "delta",
        PageControl("group", mode="local"),
    ],
    check=[PageControl("ledger", hidden=True)],
)
