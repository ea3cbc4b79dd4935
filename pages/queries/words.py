"""Texts of the page "Asking again": guarantee, formulas with numbers, the user's options, downloads, and tasks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

from dpcore.experiments import queries
from dpcore.experiments.queries import QueriesParams
from pages.queries import formulas
from pages.queries.figure import figure, topic
from ui.export import from_figure
from ui.frame import controls
from ui.frame.explanation import Explanation
from ui.live.depth import Depth
from ui.program import filled
from ui.runner import PageState
from ui.words import escape, text

__all__ = ["program", "task", "words"]

T = text.load_text(__file__)


def task(params: QueriesParams) -> str:
    """Return the opening sentences of the page: what was done to the data, and what to try first."""
    match params.topic:
        case "again":
            return T("opening")
        case "reconstruct":
            return T(f"tasks.reconstruct_{params.counts}")
        case "linkage":
            return T(f"tasks.linkage_{params.release}")
        case other:
            return T(f"tasks.{other}")


def words(state: PageState[QueriesParams]) -> Explanation:
    """Return the explanatory text below the figure, for the current parameters and results."""
    params, one = state.params, topic(state.params)
    return Explanation(
        shown=_shown(params),
        formula=lambda: formulas.draw(params, state.now("found")),
        claims=partial(_own_options, params) if params.topic == "choosing" else None,
        claims_from=Depth.LOOK,
        checks=_checks(params),
        bundle=from_figure.taken(
            figure, state, draws=one.draws, panels=one.tables, whole=one.stages, name="queries", title=one.title,
            guarantee=queries.guarantee(params), code=program,
        ),
        tasks=T("words.tasks"),
        other=("budget", T("words.next")),
    )  # fmt: skip


def program(params: QueriesParams) -> str:
    """Return the source code of the downloadable program on the chosen topic, with the parameters filled in."""
    file = Path(__file__).parent / "programs" / f"{params.topic}.py"
    return filled(file, params=f"queries.{params.to_code()}")


def _checks(params: QueriesParams) -> dict[str, Callable[[], object]]:
    """Return the sections on what Sarkar's lecture and published papers say about the chosen topic, by title.

    The dictionary is empty if they say nothing about it.
    """
    paths = {
        T(f"words.{source}.title"): f"words.{source}.by_topic.{params.topic}"
        for source in ("lecture", "papers")
    }
    return {title: partial(_section, path) for title, path in paths.items() if path in T}


def _section(path: str) -> None:
    st.markdown(T(path))


def _shown(params: QueriesParams) -> str:
    """Return the guarantee card's sentence on all answers in the figure.

    If one question is repeated, the sentence states the total ε of its answers. Without noise the result is "",
    since each release is the same.
    """
    if not params.draws_noise:
        return ""
    if params.topic == "again":
        return T("words.shown_again", together=1000 * params.epsilon)
    return T("words.shown")


def _own_options(params: QueriesParams) -> None:
    """Draw the text field in which the user enters the options of the private choice, with their scores."""
    st.markdown(T("words.options.title"))
    options = st.text_input(
        T("words.options.entry"), params.options, key="own_options", max_chars=300
    )
    if not st.button(T("words.options.button")):
        return
    try:
        controls.store(params.but(options=options), "queries")
    except ValueError as error:
        st.warning(escape.plain(error))
        return
    st.rerun()
