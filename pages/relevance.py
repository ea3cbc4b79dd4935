"""Relevance learning: what does a private prototype remember?"""

import streamlit as st

from dpcore.experiments.relevance import PAPER, Problem, RelevanceParams
from ui import controls, house, live
from ui import relevance as compute
from ui.views import relevance as view

PAGE = "relevance"


def on_event() -> None:
    """Take in what the browser told: values are checked like those of a link."""
    event = live.event(PAGE)
    params = st.session_state[f"params.{PAGE}"]
    if event.phase in ("drag", "commit", "action"):
        params, problems = controls.apply(params, event.values)
        st.session_state[f"problems.{PAGE}"] = problems
    if event.phase == "action":
        params = _act(event.action, params)
    controls.store(params, PAGE, link=event.phase != "drag")
    if event.phase in ("commit", "action"):
        st.rerun(["laboratory", "words"])


def _act(action: str, params: RelevanceParams) -> RelevanceParams:
    match action:
        case "redraw":
            return params.but(seed=(params.seed + 1) % 1_000_000)
        case "paper":
            return params.but(**PAPER)
        case "reset":
            st.session_state.pop("pinned", None)
            return RelevanceParams(dataset=params.dataset)
        case "pin":
            st.session_state["pin_next"] = True
        case "cancel":
            compute.cancel(params)
    return params


def asked() -> tuple[Problem, RelevanceParams]:
    """Return the data and the parameters of the page; own data that is not there is said."""
    params: RelevanceParams = st.session_state[f"params.{PAGE}"]
    try:
        return compute.problem_of(params, st.session_state.get("own_data")), params
    except ValueError as error:
        house.problems([str(error)])
        params = params.but(dataset="blobs")
        return compute.problem_of(params, None), params


@st.fragment(key="laboratory")
def laboratory() -> None:
    """Ask, run, draw."""
    house.problems(st.session_state[f"problems.{PAGE}"])
    problem, params = asked()
    answer = compute.answer(problem, params, dragging=live.event(PAGE).phase == "drag")
    live.show(view.lab(problem, params, answer), key=PAGE, on_event=on_event)
    if answer.error:
        st.error(answer.error)


@st.fragment(key="words")
def words() -> None:
    """Explain: only when a handle is let go, so that dragging has the server to itself."""
    view.explain(*asked())


house.enter()
house.header("Relevance learning", "What does a private classifier remember about one person?")
controls.current(RelevanceParams, PAGE)
laboratory()
words()
view.own_data()
