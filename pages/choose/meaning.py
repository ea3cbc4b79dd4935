"""Sentence that summarizes the figure of the page Choose ε."""

from __future__ import annotations

from dpcore.estimate import Estimate
from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, Costs, Problem
from dpcore.experiments.grids import EPSILON_GRID
from pages.choose.reading import Reading, in_figure, reading
from ui.live import Text
from ui.runner import PageState
from ui.words import text

__all__ = ["cost", "meaning", "worst_off"]

T = text.beside(__file__)


def meaning(state: PageState[ChooseParams]) -> Text:
    """Return the sentence that summarizes the figure, for every ε."""
    params, problem, costs = state.params, state.problem, state["costs"]
    chosen = params.chosen(problem.methods)
    if costs is None or (chosen != "best" and chosen not in costs.tried):
        return Text(strings=[T("meaning.waiting")])
    worst = worst_off(problem, params, costs, chosen)
    return Text(
        strings=[_sentence(problem, params, costs, k, worst[k]) for k in range(len(EPSILON_GRID))],
        dims=("epsilon",),
    )


def worst_off(problem: Problem, params: ChooseParams, costs: Costs, method: str) -> list[str]:
    """Return, for every ε, a sentence comparing the group with the largest error to all records; "" if no group is
    shown.
    """
    display, groups = reading(problem, params), problem.groups(params.group, params.least)
    if not groups:
        return [""] * len(EPSILON_GRID)
    rows = costs.by_group(problem, params.group, method, params.least)
    every = costs.everybody(problem, method)
    return [
        T("meaning.worst_off", everybody=display.number(every[k]), worst=display.number(rows[at, k]),
          group=in_figure(groups[at][0]), members=groups[at][1].sum())
        for k, at in enumerate(rows.argmax(axis=0))
    ]  # fmt: skip


def cost(problem: Problem, params: ChooseParams, costs: Costs, method: str, k: int) -> Estimate:
    """Return the error of a method at the k-th ε: the median over its runs, with their middle 80 %."""
    low, value, high = (float(one) for one in costs.quantiles(method)[:, k])
    return Estimate(
        value=value, low=low, high=high, n_draws=len(costs.tried[method].errors), over="noise",
        unit=reading(problem, params).note, direction="lower",
    )  # fmt: skip


def _sentence(problem: Problem, params: ChooseParams, costs: Costs, k: int, worst: str) -> str:
    name = str(choose.methods_at(params, problem, costs)[k])
    estimate = cost(problem, params, costs, name, k)
    best = params.chosen(problem.methods) == "best"
    if estimate.value >= costs.trivial and best and costs.fixed is None:
        sentence = T("meaning.none_better")
    elif estimate.value >= costs.trivial:
        sentence = T("meaning.not_better", method=problem.names[name])
    else:
        method = problem.names[name]
        if best:
            method = T(
                "meaning.best" if costs.fixed is None else "meaning.best_made_up", method=method
            )
        sentence = f"{_error(reading(problem, params), method, estimate, costs)} {worst}".rstrip()
    if not costs.whole:
        return T("meaning.first_look", draws=costs.draws, n_draws=choose.N_DRAWS, sentence=sentence)
    return sentence[0].upper() + sentence[1:]


def _error(display: Reading, method: str, estimate: Estimate, costs: Costs) -> str:
    """Return the sentence on the error of a method, compared with the error of the best method without privacy."""
    return T(
        "meaning.error", method=method, error=display.sentence.format(display.number(estimate.value)),
        n_tries=estimate.n_draws, low=display.number(estimate.low), high=display.number(estimate.high),
        plain=display.number(costs.best),
    )  # fmt: skip
