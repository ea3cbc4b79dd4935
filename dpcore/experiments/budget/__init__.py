"""The experiment behind the page Budget: what is left after k questions."""

from dpcore.experiments.budget.curves import Curves, run
from dpcore.experiments.budget.guarantee import code, guarantee, step, used_up, whole
from dpcore.experiments.budget.ledger import Entry, Totals, canonical, entries, totals, written
from dpcore.experiments.budget.params import BudgetParams
from dpcore.experiments.budget.tests import tradeoff

__all__ = [
    "BudgetParams",
    "Curves",
    "Entry",
    "Totals",
    "canonical",
    "code",
    "entries",
    "guarantee",
    "run",
    "step",
    "totals",
    "tradeoff",
    "used_up",
    "whole",
    "written",
]
