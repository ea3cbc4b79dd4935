"""The one sentence of Budget that says what its figure shows now."""

from __future__ import annotations

from dpcore.experiments.budget import BudgetParams
from ui.live import Text
from ui.runner import PageState

__all__ = ["meaning"]


def meaning(state: PageState[BudgetParams]) -> Text:
    """Return the sentence; its numbers follow every handle."""
    return Text(
        strings=[
            "Giving {n_steps:count answer} costs ε = {pld_now} in all. Your budget of {epsilon} is enough for "
            "{affordable_now:about such answer to 10000}."
        ]
    )
