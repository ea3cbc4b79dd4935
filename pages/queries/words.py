"""The words under the page on answers: guarantee, formulas with numbers, own options, exports, tasks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dpcore.experiments import queries
from dpcore.experiments.queries import QueriesParams
from pages.queries import formulas
from pages.queries.figure import figure, topic
from ui.export import from_figure
from ui.frame import controls
from ui.frame.depth import Depth
from ui.frame.explanation import Explanation
from ui.runner import PageState
from ui.words import escape
from ui.words.numbers import short

__all__ = ["words"]


def words(state: PageState[QueriesParams]) -> Explanation:
    """Return what stands under the figure."""
    params, one = state.params, topic(state.params)
    return Explanation(
        shown=_shown(params),
        formula=lambda: formulas.draw(params, state.now("found")),
        claims=partial(_own_options, params) if params.topic == "choosing" else None,
        claims_from=Depth.LOOK,
        checks=_checks(params),
        bundle=from_figure.taken(
            figure, state, draws=one.draws, panels=one.tables, name="queries", title=one.title,
            guarantee=queries.guarantee(params), code=queries.code,
        ),
        tasks=_TASKS,
        other=("budget", "What do many answers cost together? See Budget"),
    )  # fmt: skip


def _checks(params: QueriesParams) -> dict[str, Callable[[], object]]:
    """The lecture's words on this way of asking, where it has any."""
    said = formulas.LECTURE.get(params.topic)
    if said is None:
        return {}
    return {"What Sarkar's lecture says, and what is right": lambda: st.markdown(said)}


def _shown(params: QueriesParams) -> str:
    """What all that the figure draws costs together, said for the card."""
    if params.topic == "again":
        return (
            f"the figure draws up to 1000 answers. Whoever saw them all would have ε = "
            f"**{short(1000 * params.epsilon)}**."
        )
    return "the figure draws many answers that could have been published. Publish one."


def _own_options(params: QueriesParams) -> None:
    """Ask for the reader's own options and scores."""
    st.markdown("## Your own options")
    text = st.text_input(
        "Options with their scores, separated by commas", params.options, key="own_options", max_chars=300,
    )  # fmt: skip
    if not st.button("Choose among these"):
        return
    try:
        controls.store(params.but(options=text), "queries")
    except ValueError as error:
        st.warning(escape.plain(error))
        return
    st.rerun()


_TASKS = """
1. **When is it over?** Set ε = 0.5. From how many answers on does an attacker guess right 9 times in 10? What does
   the same answer every time leave them?
2. **A family of five.** At *Understand*, choose *Hide a group of people*. Which ε for one person gives a group
   of five ε = 1? Compare it with noise that is made for the group.
3. **Certainty at ε = 0.05.** Choose *Read the bounds from the data*, and let everybody else have 0. With which of
   the three choices of bounds does the answer reveal Ada?
4. **A whole record, rarely.** Choose *Publish a whole record, rarely*, with 100 people and δ = 0.01. How often is
   somebody published? Which δ would you accept?
5. **Processing does not help the attacker.** Choose *Process the answer*. Find a processing that makes the
   answer better. Does it help the attacker?
"""
