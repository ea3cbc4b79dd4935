"""The one sentence of Choose ε that says what its figure shows now."""

from __future__ import annotations

from dpcore.estimate import Estimate
from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, Costs, Problem
from dpcore.experiments.grids import EPSILON_GRID
from pages.choose.reading import in_figure, reading
from ui.live import Text
from ui.runner import PageState

__all__ = ["cost", "meaning", "worst_off"]

_LATER = "We are trying the quick methods first: the curves appear in a moment."


def meaning(state: PageState[ChooseParams]) -> Text:
    """Return the sentence for every ε."""
    params, problem, costs = state.params, state.problem, state["costs"]
    chosen = params.chosen(problem.methods)
    if costs is None or (chosen != "best" and chosen not in costs.tried):
        return Text(strings=[_LATER])
    worst = worst_off(problem, params, costs, chosen)
    return Text(
        strings=[_said(problem, params, costs, k, worst[k]) for k in range(len(EPSILON_GRID))],
        dims=("epsilon",),
    )


def worst_off(problem: Problem, params: ChooseParams, costs: Costs, method: str) -> list[str]:
    """Return who has the most mistakes at every ε, and how many, beside everybody's: "" where no group is told."""
    told, groups = reading(problem, params), problem.groups(params.group, params.least)
    if not groups:
        return [""] * len(EPSILON_GRID)
    rows = costs.by_group(problem, params.group, method, params.least)
    every = costs.everybody(problem, method)
    return [
        f"On average over the tries it is {told.number(every[k])} for everybody, and {told.number(rows[at, k])} in "
        f"the worst-off group ({in_figure(groups[at][0])}, {groups[at][1].sum()} in the test)."
        for k, at in enumerate(rows.argmax(axis=0))
    ]


def cost(problem: Problem, params: ChooseParams, costs: Costs, method: str, k: int) -> Estimate:
    """Return the error of a method at the k-th ε: the median of its tries with their middle 80 %."""
    low, value, high = (float(one) for one in costs.quantiles(method)[:, k])
    return Estimate(
        value=value, low=low, high=high, n_draws=len(costs.tried[method].errors), over="noise",
        unit=reading(problem, params).note, direction="lower",
    )  # fmt: skip


def _said(problem: Problem, params: ChooseParams, costs: Costs, k: int, worst: str) -> str:
    told = reading(problem, params)
    name = str(choose.methods_at(params, problem, costs)[k])
    found = cost(problem, params, costs, name, k)
    first = "" if costs.whole else f"First look, {costs.draws} of {choose.N_DRAWS} tries: "
    best = params.chosen(problem.methods) == "best"
    if found.value >= costs.trivial and best and costs.fixed is None:
        text = "at this ε no method is better than giving everybody the same prediction."
    elif found.value >= costs.trivial:
        text = f"at this ε {problem.names[name]} is no better than giving everybody the same prediction."
    else:
        said = told.sentence.format(told.number(found.value))
        which = (
            "the best method" if costs.fixed is None else "the method that is best on made-up data"
        )
        method = f"{which} ({problem.names[name]})" if best else problem.names[name]
        text = (
            f"with {method}, {said} (median of {found.n_draws} tries; 8 of 10 lie between "
            f"{told.number(found.low)} and {told.number(found.high)}); without privacy it is "
            f"{told.number(costs.best)}. {worst}".rstrip()
        )
    return first + text if first else text[0].upper() + text[1:]
