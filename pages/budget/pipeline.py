"""Computations of the page Budget: ε by every composition rule, for all noises, sampling rates, δ and numbers
of answers.
"""

from __future__ import annotations

from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams, Curves
from ui.runner import Context, Pipeline, Stage

__all__ = ["PIPELINE"]


def _curves(problem: None, params: BudgetParams, context: Context) -> Curves:
    return budget.run(params.mechanism)


PIPELINE = Pipeline[BudgetParams](
    name="budget", stages=[Stage("curves", _curves, uses=("mechanism",), behind=False)]
)
