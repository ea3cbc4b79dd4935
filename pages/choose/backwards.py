"""Answers to three questions that start from a limit: which ε, which method, and how many people suffice?"""

from __future__ import annotations

import streamlit as st

from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, Costs, People, Problem
from pages.choose.reading import reading
from ui.runner import PageState
from ui.words import escape, text

__all__ = ["draw", "enough", "people", "within"]

T = text.load_text(__file__)


def draw(state: PageState[ChooseParams]) -> None:
    """Display the answers to the three questions: which ε, which method, and how many people suffice."""
    st.markdown(f"## {T('backwards.title')}")
    costs: Costs | None = state["costs"]
    if costs is None:
        st.caption(T("backwards.waiting"))
        return
    if not costs.whole:
        st.caption(T("backwards.first_look", draws=costs.draws, n_draws=choose.N_DRAWS))
    st.markdown(enough(state.problem, state.params, costs))
    question = T("how_many.question", records=state.problem.records)
    answer = people(state.problem, state.params, state["people"])
    st.markdown(f"{question} {escape.plain(answer)}")
    st.markdown(within(state.problem, state.params, costs))


def enough(problem: Problem, params: ChooseParams, costs: Costs) -> str:
    """Return the question of which ε keeps the error below the chosen limit, and its answer."""
    display = reading(problem, params)
    number, note = (
        display.number(choose.goal_error(problem, params.goal)),
        escape.plain(display.note),
    )
    return f"{T('backwards.limit', number=number, note=note)} {_epsilon(problem, params, costs)}"


def _epsilon(problem: Problem, params: ChooseParams, costs: Costs) -> str:
    """Return a sentence with the ε that keeps the error below the limit in half of the runs.

    If there is one, the sentence also has the ε that does so in 9 of 10 runs. If there is no ε for half of the runs,
    the sentence states the reason.
    """
    display, chosen = reading(problem, params), params.chosen(problem.methods)
    error, plain = choose.goal_error(problem, params.goal), display.number(costs.best)
    usual = choose.needed(costs, error, chosen)
    if usual is None and error < costs.best:
        return T("backwards.above_plain", plain=plain, note=escape.plain(display.note))
    if usual is None:
        return T("backwards.above_20", plain=plain, records=problem.records, tab=T("tabs.people"))
    safer = choose.needed(costs, error, chosen, tries=0.9)
    method = problem.names[usual.method]
    if safer is None:
        return T("backwards.half", epsilon=usual.epsilon, method=method)
    return T("backwards.most", epsilon=usual.epsilon, method=method, safer=safer.epsilon)


def people(problem: Problem, params: ChooseParams, study: People | None) -> str:
    """Return a sentence with the number of records that keeps the error below the limit at the chosen ε.

    The sentence states whether this number was measured or extrapolated. ``study`` has the errors at various
    numbers of records.
    """
    if study is None:
        return T("how_many.waiting", tab=T("tabs.people"))
    display, error = reading(problem, params), choose.goal_error(problem, params.goal)
    fields = {
        "epsilon": params.epsilon, "number": display.number(error), "note": display.note,
        "method": problem.names[study.method], "records": problem.records,
    }  # fmt: skip
    answer = study.smallest(error, params.epsilon)
    if answer is None:
        return T("how_many.none", most=study.beyond[-1], **fields)
    n, guessed = answer
    measured = "fewest" if n == study.sizes[0] else "measured"
    return T(f"how_many.{'guessed' if guessed else measured}", n=n, **fields)


def within(problem: Problem, params: ChooseParams, costs: Costs) -> str:
    """Return a Markdown table of all methods with their median errors at the chosen ε, the best method first."""
    display = reading(problem, params)
    rows = [
        f"| {problem.names[name]} | {display.number(error)} |"
        for name, error in choose.ranked(costs, params.epsilon)
    ]
    return T(
        "backwards.within", epsilon=params.epsilon, note=escape.plain(display.note), rows="\n".join(rows),
        trivial=display.number(costs.trivial), plain=display.number(costs.best),
    )  # fmt: skip
