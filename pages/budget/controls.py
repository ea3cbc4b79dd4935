"""Controls of the Budget page."""

from __future__ import annotations

from dpcore.experiments.budget import BudgetParams, split
from ui.figure_kit.controls import PageControl, grouped, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

CONTROLS = page_controls(
    text.load_text(__file__),
    BudgetParams,
    look=[
        "epsilon",
        PageControl("topic", hidden=True),
        *(PageControl(f"weight_{one.name}", mode="local") for one in split.STATISTICS),
        PageControl("n_steps", mode="local", play=True, asked=True),
        PageControl("noise_multiplier", mode="local"),
        PageControl("answer_epsilon", mode="local"),
    ],
    understand=[
        *grouped("answer", "mechanism", PageControl("sample_rate", mode="local"), "delta"),
        *grouped("who", PageControl("group", mode="local"), "seed"),
    ],
    check=[PageControl("ledger", hidden=True)],
)
