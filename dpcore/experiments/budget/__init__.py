"""The experiment of the page Budget: the ε of many answers by every composition rule, and the remaining budget."""

from dpcore.experiments.budget.curves import (
    RULES,
    BudgetParams,
    Curves,
    guarantee,
    place,
    real_epsilon,
    run,
    step,
    used_up,
    whole,
)
from dpcore.experiments.budget.ledger import (
    Entry,
    Totals,
    canonical,
    entries,
    totals,
    tradeoff,
    written,
)

__all__ = [
    "RULES",
    "BudgetParams",
    "Curves",
    "Entry",
    "Totals",
    "canonical",
    "entries",
    "guarantee",
    "place",
    "real_epsilon",
    "run",
    "step",
    "totals",
    "tradeoff",
    "used_up",
    "whole",
    "written",
]
