"""The experiment of the Budget page: the ε of many answers by every composition rule, and the remaining budget.

The topic "split" has four statistics that share the budget.
"""

from dpcore.experiments.budget import curves, split
from dpcore.experiments.budget.curves import (
    RULES,
    BudgetParams,
    Curves,
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
from dpcore.experiments.budget.split import Split
from dpcore.guarantee import Guarantee

__all__ = [
    "RULES",
    "BudgetParams",
    "Curves",
    "Entry",
    "Split",
    "Totals",
    "canonical",
    "entries",
    "guarantee",
    "place",
    "real_epsilon",
    "run",
    "split",
    "step",
    "totals",
    "tradeoff",
    "used_up",
    "whole",
    "written",
]


def guarantee(params: BudgetParams) -> Guarantee:
    """Return the guarantee of all answers together or, for the topic "split", of the four statistics together."""
    return split.guarantee(params) if params.topic == "split" else curves.guarantee(params)
