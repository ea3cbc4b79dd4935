"""Relevance learning: what does a private prototype remember?"""

import streamlit as st

from dpcore.experiments.relevance import PAPER, RelevanceParams
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
    controls.store(params, PAGE)


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


@st.fragment
def laboratory() -> None:
    """Ask, run, draw, explain."""
    params: RelevanceParams = st.session_state[f"params.{PAGE}"]
    house.problems(st.session_state[f"problems.{PAGE}"])
    own = st.session_state.get("own_data")
    try:
        problem = compute.problem_of(params, own)
        dragging = live.event(PAGE).phase == "drag"
        answer = compute.answer(problem, params, dragging=dragging)
    except ValueError as error:
        house.problems([str(error)])
        params = params.but(dataset="blobs")
        problem = compute.problem_of(params, None)
        answer = compute.answer(problem, params, dragging=False)
    live.show(view.lab(problem, params, answer), key=PAGE, on_event=on_event)
    if answer.error:
        st.error(answer.error)
    view.explain(problem, params, answer)


house.enter()
house.header("Relevance learning", "What does a private classifier remember about one person?")
controls.current(RelevanceParams, PAGE)
laboratory()
view.own_data()
