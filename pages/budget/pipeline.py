"""Computation of the Budget page: tables of ε by every composition rule.

The tables run over noise levels, sampling rates, δ and numbers of answers.
"""

from __future__ import annotations

from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams, Curves, Split
from ui.runner import Context, Pipeline, Stage

__all__ = ["PIPELINE"]


def _curves(problem: None, params: BudgetParams, context: Context) -> Curves:
    return budget.run(params.mechanism)


def _split(problem: None, params: BudgetParams, context: Context) -> Split:
    return budget.split.run(params)


PIPELINE = Pipeline[BudgetParams](
    name="budget",
    stages=[
        Stage("curves", _curves, uses=("mechanism",), behind=False),
        Stage(
            "split",
            _split,
            uses=("seed",),
            behind=False,
            when=lambda problem, params: params.topic == "split",
        ),
    ],
)
