"""Choose ε backwards, in words: which ε is enough, which method, with how many people."""

from __future__ import annotations

import streamlit as st

from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, Costs, People, Problem
from pages.choose.reading import Reading, reading
from ui.runner import PageState
from ui.words import escape, text
from ui.words.numbers import short, show

__all__ = ["draw", "enough", "people", "within"]

T = text.beside(__file__)


def draw(state: PageState[ChooseParams]) -> None:
    """Draw the answers to the three questions that start from the end."""
    st.markdown("## The other way round")
    costs: Costs | None = state["costs"]
    if costs is None:
        st.caption("The answers come with the curves.")
        return
    if not costs.whole:
        st.caption(
            f"First answers, from {costs.draws} of {choose.N_DRAWS} tries: they may still change."
        )
    st.markdown(enough(state.problem, state.params, costs))
    st.markdown(
        f"**With how many {state.problem.records} would it be good enough?** "
        + escape.plain(people(state.problem, state.params, state["people"]))
    )
    st.markdown(within(state.problem, state.params, costs))


def enough(problem: Problem, params: ChooseParams, costs: Costs) -> str:
    """Return the sentence that answers: I can live with so many mistakes; which ε?"""
    told, chosen = reading(problem, params), params.chosen(problem.methods)
    error = choose.goal_error(problem, params.goal)
    limit = f"**At most {told.number(error)} ({escape.plain(told.note)}): which ε?** "
    usual = choose.needed(costs, error, chosen)
    if usual is None and error < costs.best:
        return limit + (
            f"No ε: without privacy the best method of this page already has {told.number(costs.best)} "
            f"({escape.plain(told.note)}). Choose a larger limit."
        )
    if usual is None:
        return limit + (
            f"No ε up to 20 is enough for the methods of this page; without privacy it is "
            f"{told.number(costs.best)}. Whether more {problem.records} would help: see *{T('tabs.people')}*."
        )
    text = f"ε = **{short(usual.epsilon)}** is enough in half of the tries, with {problem.names[usual.method]}"
    safer = choose.needed(costs, error, chosen, tries=0.9)
    if safer is None:
        return f"{limit}{text}; no ε up to 20 is enough in 9 of 10."
    return f"{limit}{text}. In 9 of 10 tries it takes ε = **{short(safer.epsilon)}**."


def people(problem: Problem, params: ChooseParams, found: People | None) -> str:
    """Return the sentence that says how many records the limit takes at this ε, and how we know."""
    if found is None:
        return f"The answer comes with the tab “{T('tabs.people')}”."
    told, error = reading(problem, params), choose.goal_error(problem, params.goal)
    start = (
        f"At ε = {short(params.epsilon)} and at most {told.number(error)} ({told.note}), with "
        f"{problem.names[found.method]}: "
    )
    answer, most = found.smallest(error, params.epsilon), show(found.beyond[-1], ".3g")
    if answer is None:
        return f"{start}we found no number up to {most} {problem.records}, sixteen times as many as there are."
    n, guessed = answer
    if guessed:
        return f"{start}about {show(n, '.3g')} {problem.records} (extrapolated, not measured)."
    fewest = ", the fewest that were tried" if n == found.sizes[0] else ""
    return f"{start}{show(n, 'd')} {problem.records} (measured{fewest})."


def within(problem: Problem, params: ChooseParams, costs: Costs) -> str:
    """Return the table that answers: ε may be at most this; which method, and how good?"""
    told: Reading = reading(problem, params)
    rows = [
        f"| {problem.names[name]} | {told.number(error)} |"
        for name, error in choose.ranked(costs, params.epsilon)
    ]
    return (
        f"**ε at most {short(params.epsilon)}: which method?** The median of the tries "
        f"({escape.plain(told.note)}):\n\n"
        "| method | median |\n|---|---|\n" + "\n".join(rows)
        + f"\n| *the same answer for all* | {told.number(costs.trivial)} |"
        f"\n| *without privacy* | {told.number(costs.best)} |"
    )  # fmt: skip
