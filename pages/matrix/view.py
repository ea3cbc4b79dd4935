"""The matrix page around its study: the lab, the card and what can be taken along."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcore.experiments import matrix
from dpcore.experiments.matrix import FITTING, PAPER, MatrixParams, MatrixProblem
from dpcore.experiments.relevance import real_epsilons
from pages.matrix import figure, words
from pages.matrix import figure_arrays as arrays_of
from pages.matrix import pipeline as compute
from pages.matrix.figure_lines import COORD, line_arrays
from ui import escape, export, guarantee, live, shell, uploads
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.prototype_words import shown, table_1

__all__ = ["act", "drawn", "explain", "lab", "miniature", "own_data"]

_HIDDEN = ("person_dx", "person_dy")


def lab(params: MatrixParams, dragging: bool) -> live.Figure:
    """Return the lab for the best answer there is."""
    problem, params, said = compute.problem_of(params)
    found = compute.answer(problem, params, dragging=dragging)
    shell.problems([sentence for sentence in (said, found.error) if sentence])
    return drawn(problem, params, found)


def drawn(problem: MatrixProblem, params: MatrixParams, found: compute.Answer) -> live.Figure:
    """Return the lab of an answer."""
    arrays = arrays_of.arrays(problem, params, found.study, found.outcomes)
    along, previews = line_arrays(problem, params, found.study, found.lines)
    arrays |= along
    coords = arrays_of.COORDS | ({"v": "v_of"} if "v_of" in arrays else {})
    coords |= COORD if along else {}
    asked = live_controls(params, hide=_HIDDEN)
    row = common.buttons(*_buttons(params))
    return live.Figure(
        controls=[*asked, figure.progress_slider(), row],
        values=common.values(params, progress=arrays_of.PROGRESS[-1]),
        arrays=arrays,
        coords=coords,
        previews=previews,
        panels=figure.panels(problem, params, found.study, arrays),
        readouts=figure.readouts(params, found.study, arrays),
        texts=[
            live.Text(strings=words.looks_at(problem, params, found.study), dims=("epsilon",)),
            live.Text(strings=words.losses(params, found.study), dims=("epsilon",)),
            common.odds(real_epsilons(params), params.delta),
        ],
        busy=live.Busy(progress=found.progress, text=found.text) if found.busy else None,
    )


def _buttons(params: MatrixParams) -> list[tuple[str, str, str]]:
    found = [("paper", "Paper's settings", "Its σ, its Laplace start, δ, q, C and E")]
    if params.dataset in FITTING:
        said = "A C and η that fit these data; found by test errors, which no ε here pays for"
        found.append(("fit", "Settings that fit", said))
    return found


def act(action: str, params: MatrixParams) -> MatrixParams:
    """Answer the page's own buttons: the paper's settings, those that fit the data, and stop."""
    match action:
        case "paper":
            return params.but(**PAPER)
        case "fit":
            return params.but(**FITTING.get(params.dataset, {}))
        case "cancel":
            compute.cancel(params)
    return params


def miniature() -> live.Figure:
    """Return the figure of the first settings, before any other draw of the noise is known."""
    params = MatrixParams()
    return drawn(matrix.problem_of(params), params, compute.still(params))


def explain(params: MatrixParams) -> None:
    """Draw what stands under the figure: guarantee, formula, the paper, code, exports, tasks."""
    problem, params, _ = compute.problem_of(params)
    promise = matrix.guarantee(params, problem)
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        guarantee.card(promise, shown=shown(params, matrix.n_draws_for(problem)))
        st.markdown(words.BOTH)
    with right:
        words.formula(params)
    st.markdown("#### What the paper found, and what we found")
    st.markdown(words.noise_experiment())
    with st.expander("The paper's Table 1 beside ours"):
        st.markdown(table_1())
    with st.expander("The names of the features"):
        st.markdown(words.names(problem))
    with st.expander("The paper's sweep over C, q and E, beside ours"):
        _spread(problem, params)
    with st.expander("Code: the call that reproduces this figure"):
        export.show_code(_code(problem, params))
    with st.expander("Take it along: link, data, figure, report, notebook"):
        export.take_along(_bundle(problem, params, promise))
    with st.expander("Try this"):
        st.markdown(words.TASKS)
    shell.page_link("relevance", "Prototypes without a matrix: Relevance learning")


def _code(problem: MatrixProblem, params: MatrixParams) -> str:
    return matrix.code(params, problem, st.session_state.get("own_data_class", "your class column"))


def _spread(problem: MatrixProblem, params: MatrixParams) -> None:
    st.markdown(words.SPREAD)
    kept = st.session_state.get("spread.matrix")
    asked = params.but(epsilon=1.0, touch=0.025, person=0)
    if st.button(
        "Train them all", help=f"{matrix.N_SETTINGS} settings at three ε, in the background"
    ) or (kept == asked):
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
        st.markdown(escape.plain(known.error or "Stopped."))
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
        code=lambda chosen: _code(problem, chosen),
        figure=lambda: words.profile_figure(problem, params, found().study),
        tables={
            "relevances": lambda: words.profile_table(problem, params, found().study),
            "curve": lambda: words.curve_table(params, found()),
            "matrix": lambda: words.matrix_table(problem, params, found().study),
        },
        facts=lambda: words.facts(problem, params, found().study),
    )


def own_data() -> None:
    """Draw the place where a person gives their own table."""
    uploads.classification_csv("own_data", "matrix")
