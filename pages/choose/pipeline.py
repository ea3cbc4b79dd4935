"""Computations of the Choose ε page.

Quick methods are computed at once, everything else in the background.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpcore.datasets import Dataset, OwnTable, RegressionDataset
from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, Costs, People, Problem
from ui.live.depth import Depth
from ui.runner import Context, Data, Pipeline, Stage
from ui.words import text

__all__ = ["OWN", "PIPELINE"]

T = text.load_text(__file__)

OWN = "own_choice"  # a class or a number: pages that know of classes alone do not meet it
_WORK = ("dataset", "shown", "delta", "seed")


def _problem(
    own: OwnTable[Dataset] | OwnTable[RegressionDataset] | None,
    params: ChooseParams,
    context: Context,
) -> Problem:
    if own is None:
        return choose.named_problem(params.dataset)
    ready = own.under("replace_one")
    table = Problem(ready.data, ready.groups, ready)
    return choose.lookalike(table, 0) if params.shown == "madeup" else table


def _costs(problem: Problem, params: ChooseParams, context: Context) -> Iterator[Costs]:
    for costs in choose.grow(problem, params, check=context.check):
        part = costs.draws / choose.N_DRAWS
        context.progress(part, T("doing.draws", draws=costs.draws, n_draws=choose.N_DRAWS))
        yield costs


def _attack(problem: Problem, params: ChooseParams, context: Context) -> Any:
    return choose.sees_model(problem, params, context.check)


def _hulls(problem: Problem, params: ChooseParams, context: Context) -> Any:
    return choose.hulls_together(problem, params.delta, params.n_releases, context.check)


def _far(problem: Problem, params: ChooseParams, context: Context) -> Any:
    return choose.far_values(problem, params, context.check)


def _people(problem: Problem, params: ChooseParams, context: Context) -> People:
    chosen = params.chosen(problem.methods)
    quick = "softmax" if problem.classifies else "adassp"
    method = quick if chosen == "best" else chosen
    return choose.enough_people(problem, params, method, context.progress, context.check)


PIPELINE = Pipeline[ChooseParams](
    name="choose",
    data=Data(
        "data", _problem, uses=("dataset", "shown"), own=OWN, instead={"dataset": "breast_cancer"},
        shown=T("doing.instead"),
    ),
    stages=[
        Stage("costs", _costs, uses=_WORK, ships=True, wait=1.0, doing=T("doing.costs")),
        Stage("attack", _attack, uses=_WORK, ships=True, wait=0.5, doing=T("doing.attack")),
        Stage("hulls", _hulls, uses=("dataset", "shown", "delta", "releases", "years", "tables"),
              when=lambda problem, params: params.chosen(problem.methods) == "hulls", depth=Depth.LOOK,
              doing=T("doing.hulls")),
        Stage("far", _far, uses=(*_WORK, "epsilon"), after="costs",
              when=lambda problem, params: problem.is_own and "bounds" in problem.dataset.estimated,
              doing=T("doing.far")),
        Stage("people", _people, uses=(*_WORK, "method"), tabs=(T("tabs.people"),), depth=Depth.UNDERSTAND,
              doing=T("doing.people")),
    ],
    words=("costs", "people", "far"),
    tab=T("tabs.whom"),
)  # fmt: skip
