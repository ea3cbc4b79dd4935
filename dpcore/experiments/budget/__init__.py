"""The experiment behind the page Budget: what is left after k questions."""

from dpcore.experiments.budget.curves import RULES, Curves, run
from dpcore.experiments.budget.guarantee import guarantee, place, real_epsilon, step, used_up, whole
from dpcore.experiments.budget.ledger import (
    Entry,
    Totals,
    canonical,
    entries,
    totals,
    tradeoff,
    written,
)
from dpcore.experiments.budget.params import BudgetParams

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
