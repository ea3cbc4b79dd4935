"""The one sentence of Choose ε that says what its figure shows now."""

from __future__ import annotations

from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, Costs, Problem
from dpcore.grids import EPSILON_GRID
from pages.choose.reading import in_figure, reading
from ui.live import Text
from ui.runner import PageState

__all__ = ["meaning", "method_at"]

_LATER = "We are trying the quick methods first: the curves appear in a moment."


def meaning(state: PageState[ChooseParams]) -> Text:
    """Return the sentence for every ε."""
    params, problem, costs = state.params, state.problem, state["costs"]
    chosen = params.chosen(problem.methods)
    if costs is None or (chosen != "best" and chosen not in costs.tried):
        return Text(strings=[_LATER])
    worst = _worst(problem, params, costs)
    return Text(
        strings=[_said(problem, params, costs, k, worst[k]) for k in range(len(EPSILON_GRID))],
        dims=("epsilon",),
    )


def method_at(problem: Problem, params: ChooseParams, costs: Costs, k: int) -> str:
    """Return the key of the method that is shown at the k-th ε."""
    chosen = params.chosen(problem.methods)
    return list(costs.tried)[costs.winners()[k]] if chosen == "best" else chosen


def _worst(problem: Problem, params: ChooseParams, costs: Costs) -> list[str]:
    """Who has the most mistakes at every ε, and how many."""
    told, groups = reading(problem, params), problem.groups(params.group)
    rows = costs.by_group(problem, params.group, params.chosen(problem.methods))
    return [
        f"In the worst-off group ({in_figure(groups[at][0])}) it is {told.number(rows[at, k])}."
        for k, at in enumerate(rows.argmax(axis=0))
    ]


def _said(problem: Problem, params: ChooseParams, costs: Costs, k: int, worst: str) -> str:
    told, name = reading(problem, params), method_at(problem, params, costs, k)
    error = costs.quantiles(name)[1, k]
    first = "" if costs.whole else f"First look, {costs.draws} of {choose.N_DRAWS} tries: "
    best = params.chosen(problem.methods) == "best"
    if error >= costs.trivial and best:
        text = "with so much noise no method beats the same answer for all."
    elif error >= costs.trivial:
        text = (
            f"with so much noise, {problem.names[name]} is no better than the same answer for all."
        )
    else:
        said = told.sentence.format(told.number(error))
        method = "the best method" if best else problem.names[name]
        text = f"with {method}, {said}; without privacy it is {told.number(costs.best)}. {worst}"
    return first + text if first else text[0].upper() + text[1:]
