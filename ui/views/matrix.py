"""The matrix page around its study: the lab, the card and what can be taken along."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcore.experiments import matrix
from dpcore.experiments.matrix import PAPER, MatrixParams, MatrixProblem, Study
from dpcore.experiments.relevance import real_epsilons
from ui import controls, export, guarantee, house, live
from ui import matrix as compute
from ui.figures import common
from ui.figures import matrix as figure
from ui.figures import matrix_arrays as arrays_of
from ui.room import pinned
from ui.views import matrix_words as words

__all__ = ["act", "drawn", "explain", "lab"]

_HIDDEN = ("person_dx", "person_dy")


def lab(params: MatrixParams, dragging: bool) -> live.Lab:
    """Return the lab for the best answer there is."""
    problem, params, said = compute.problem_of(params)
    found = compute.answer(problem, params, dragging=dragging)
    house.problems([sentence for sentence in (said, found.error) if sentence])
    return drawn(problem, params, found)


def drawn(problem: MatrixProblem, params: MatrixParams, found: compute.Answer) -> live.Lab:
    """Return the lab of an answer."""
    arrays = arrays_of.arrays(problem, params, found.study, found.outcomes)
    arrays |= _pinned(problem, params, found.study)
    coords = arrays_of.COORDS | ({"v": "v_of"} if "v_of" in arrays else {})
    asked = controls.live_controls(params, hide=_HIDDEN)
    row = common.buttons(("paper", "Paper's settings", "Its σ, its Laplace start, δ, q, C and E"))
    return live.Lab(
        controls=[*asked, figure.progress_slider(), row],
        values=common.values(params, progress=arrays_of.PROGRESS[-1]),
        arrays=arrays,
        coords=coords,
        panels=figure.panels(problem, params, found.study, arrays),
        readouts=figure.readouts(params, found.study, arrays),
        texts=[
            live.Text(strings=words.looks_at(problem, found.study), dims=("epsilon",)),
            common.odds(real_epsilons(params), params.delta),
        ],
        busy=live.Busy(progress=found.progress, text=found.text) if found.busy else None,
    )


def _pinned(problem: MatrixProblem, params: MatrixParams, study: Study) -> dict[str, live.Array]:
    def now() -> tuple[Any, ...]:
        model = study.sweep.at(params.epsilon)
        return params.dataset, model.relevances, model.accuracy

    kept = pinned("matrix", now)
    if kept is None or kept[0] != params.dataset:
        return {}
    return {
        "pinned": common.array(arrays_of.side_by_side(kept[1])),
        "pinned_accuracy": common.array(kept[2]),
    }


def act(action: str, params: MatrixParams) -> MatrixParams:
    """Answer the page's own buttons: the paper's settings, and stop."""
    match action:
        case "paper":
            return params.but(**PAPER)
        case "cancel":
            compute.cancel(params)
    return params


def explain(params: MatrixParams) -> None:
    """Draw what stands under the figure: guarantee, formula, the paper, code, exports, tasks."""
    problem, params, _ = compute.problem_of(params)
    promise = matrix.guarantee(params, problem)
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        guarantee.card(promise)
        st.markdown(words.BOTH)
    with right:
        words.formula(params)
    st.markdown("#### What the paper found, and what we found")
    st.markdown(words.noise_experiment())
    with st.expander("The names of the features"):
        st.markdown(words.names(problem))
    with st.expander("The paper's sweep over C, q and E, beside ours"):
        _spread(problem, params)
    with st.expander("Code: the call that reproduces this figure"):
        st.code(matrix.code(params), language="python")
    with st.expander("Take it along: link, data, figure, report, notebook"):
        export.take_along(_bundle(problem, params, promise))
    with st.expander("Try this"):
        st.markdown(words.TASKS)
    st.page_link("pages/relevance.py", label="Prototypes without a matrix: Relevance learning")


def _spread(problem: MatrixProblem, params: MatrixParams) -> None:
    st.markdown(words.SPREAD)
    kept = st.session_state.get("spread.matrix")
    asked = params.but(epsilon=1.0, touch=0.025, person=0)
    if st.button("Train them all", help="23 settings at three ε, in the background") or (
        kept == asked
    ):
        st.session_state["spread.matrix"] = asked
        _spread_table(problem, params)


@st.fragment(run_every=1.0)
def _spread_table(problem: MatrixProblem, params: MatrixParams) -> None:
    """The table, or how far it is: asked for every second, so that it goes on."""
    known = compute.spread(problem, params)
    if known.value is None and not known.done:
        left = known.seconds_left
        text = "" if left is None else f", about {max(1, round(left))} s left"
        st.progress(known.fraction, f"Training {problem.dataset.title} at every setting{text}")
        if st.button("Cancel", key="spread.cancel"):
            compute.cancel(params)
            st.session_state.pop("spread.matrix", None)
    elif known.value is None:
        st.markdown(known.error or "Stopped.")
    else:
        st.markdown(words.spread_table(problem, known.value))


def _bundle(problem: MatrixProblem, params: MatrixParams, promise: Any) -> export.Bundle:
    def found() -> compute.Answer:
        return compute.complete(problem, params)

    return export.Bundle(
        name="matrix",
        title=f"A private relevance matrix on {problem.dataset.title}",
        params=params,
        guarantee=promise,
        code=matrix.code(params),
        figure=lambda: words.profile_figure(problem, params, found().study),
        tables={
            "relevances": lambda: words.profile_table(problem, params, found().study),
            "curve": lambda: words.curve_table(params, found()),
            "matrix": lambda: words.matrix_table(problem, params, found().study),
        },
        facts=lambda: words.facts(problem, params, found().study),
    )
