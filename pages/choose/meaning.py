"""Sentence that summarizes the figure of the Choose ε page."""

from __future__ import annotations

from dpcore.estimate import Estimate
from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, Costs, Problem
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.guarantee import Guarantee
from pages.choose.reading import Reading, in_figure, reading
from ui.live import Text
from ui.runner import PageState
from ui.words import text
from ui.words.numbers import tenths_at_most

__all__ = ["attacker", "cost", "in_full", "meaning", "worst_off"]

T = text.load_text(__file__)


def meaning(state: PageState[ChooseParams]) -> Text:
    """Return the sentence that summarizes the figure, for every ε."""
    params, problem, costs = state.params, state.problem, state["costs"]
    chosen = params.chosen(problem.methods)
    if costs is None or (chosen != "best" and chosen not in costs.tried):
        return Text(strings=[T("meaning.waiting")])
    promises = choose.guarantee(params, problem).tabulated(EPSILON_GRID)
    return Text(
        strings=[_decision(problem, params, costs, k, one) for k, one in enumerate(promises)],
        dims=("epsilon",),
    )


def in_full(problem: Problem, params: ChooseParams, costs: Costs) -> str:
    """Return the summary sentence at the page's ε: the method's error, its spread, and the worst-off group.

    The worst-off group is the group of records with the largest error. The sentence is "" if the chosen method has
    not been run yet.
    """
    chosen, k = params.chosen(problem.methods), EPSILON_GRID.index(params.epsilon)
    if chosen != "best" and chosen not in costs.tried:
        return ""
    return _sentence(problem, params, costs, k, worst_off(problem, params, costs, chosen, k))


def _decision(
    problem: Problem, params: ChooseParams, costs: Costs, k: int, promise: Guarantee
) -> str:
    """Return the short sentence on the error at the k-th ε, and on an attacker's largest accuracy at this ε."""
    name = str(choose.methods_at(params, problem, costs)[k])
    estimate, display = cost(problem, params, costs, name, k), reading(problem, params)
    about: dict[str, object] = {
        "epsilon": promise.epsilon,
        "attacker": attacker(promise, problem.records),
    }
    if estimate.value < costs.trivial:
        sentence = T(
            "meaning.decision", error=display.sentence.format(display.number(estimate.value)),
            plain=display.number(costs.best), **about,
        )  # fmt: skip
    elif params.chosen(problem.methods) == "best" and costs.fixed is None:
        sentence = T("meaning.decision_none", **about)
    else:
        sentence = T("meaning.decision_not", method=problem.names[name], **about)
    if not costs.whole:
        return _first_look(costs, sentence)
    return sentence[0].upper() + sentence[1:]


def attacker(promise: Guarantee, records: str) -> str:
    """Return a phrase with the largest accuracy, rounded up, that a guarantee allows an attacker's guess.

    If the guarantee is only nominal, the phrase says that no limit is proved.
    """
    if promise.status == "nominal":
        return T("meaning.attacker_nominal")
    right = tenths_at_most(promise.accuracy_bound())
    if right >= 100:
        return T("meaning.attacker_often", records=records)
    return T("meaning.attacker", records=records, right=right)


def _first_look(costs: Costs, sentence: str) -> str:
    return T("meaning.first_look", draws=costs.draws, n_draws=choose.N_DRAWS, sentence=sentence)


def worst_off(problem: Problem, params: ChooseParams, costs: Costs, method: str, k: int) -> str:
    """Return a sentence that compares the largest error of a group at the k-th ε with the error of all records.

    It is "" if the page shows no groups.
    """
    display, groups = reading(problem, params), problem.groups(params.group, params.least)
    if not groups:
        return ""
    rows = costs.by_group(problem, params.group, method, params.least)
    every = costs.everybody(problem, method)
    at = rows[:, k].argmax()
    return T(
        "meaning.worst_off", everybody=display.number(every[k]), worst=display.number(rows[at, k]),
        group=in_figure(groups[at][0]), members=groups[at][1].sum(),
    )  # fmt: skip


def cost(problem: Problem, params: ChooseParams, costs: Costs, method: str, k: int) -> Estimate:
    """Return the median error of a method's runs at the k-th ε, with the middle 80 % of the runs."""
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
        return _first_look(costs, sentence)
    return sentence[0].upper() + sentence[1:]


def _error(display: Reading, method: str, estimate: Estimate, costs: Costs) -> str:
    """Return the sentence that compares a method's error with the error of the best method without privacy."""
    return T(
        "meaning.error", method=method, error=display.sentence.format(display.number(estimate.value)),
        n_tries=estimate.n_draws, low=display.number(estimate.low), high=display.number(estimate.high),
        plain=display.number(costs.best),
    )  # fmt: skip
