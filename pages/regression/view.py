"""The linear regression page around its fits: the lab, and the words under it."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpcore.accounting import gaussian_tail
from dpcore.experiments import regression
from dpcore.experiments.regression import DOCUMENT, METHODS, Problem, RegressionParams
from dpcore.grids import DELTA_GRID, EPSILON_GRID
from pages.regression import figure
from pages.regression import pipeline as compute
from pages.regression.data import OWN, Waiting, problem_of
from pages.regression.figure_arrays import arrays as arrays_of
from pages.regression.words import TASKS, formula
from ui import escape, export, guarantee, live, shell, uploads
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.figure_kit.preview import ahead
from ui.numbers_in_words import short
from ui.odds import odds_sentence

__all__ = ["act", "drawn", "explain", "lab", "loss_table", "miniature", "own_data"]

_HIDDEN = ("person_dx", "person_dy")
_DOCUMENT = (
    "document",
    "As in the document",
    "The size and method of Jiang's slides, on made-up persons of a census. The slides do not state d: 13 is "
    "our choice",
)
_WAITS = "regression_waits"


def asked(*, quiet: bool = False) -> tuple[Problem, RegressionParams]:
    """Return the data and the parameters of the page; data that are not to be had are said."""
    params: RegressionParams = st.session_state["params.regression"]
    try:
        problem = problem_of(params)
        st.session_state.pop("regression_missing", None)
        return problem, params
    except ValueError as error:
        if not quiet:
            shell.problems([str(error), "The line with noise is shown instead."])
        params = params.but(dataset="synth1d")
        return problem_of(params, wait=30.0), params


def lab(params: RegressionParams, dragging: bool) -> live.Figure:
    """Return the lab for the best answer there is."""
    try:
        problem, params = asked()
    except Waiting as wait:
        st.session_state[_WAITS] = True
        return _waiting_lab(params, wait.text)
    if st.session_state.pop(_WAITS, False):
        st.rerun()  # the words under the figure wait for the data as well
    answer = compute.answer(problem, params, dragging=dragging)
    if answer.error:
        st.error(escape.plain(answer.error))
    return drawn(problem, params, answer)


def drawn(problem: Problem, params: RegressionParams, answer: compute.Answer) -> live.Figure:
    """Return the lab of an answer."""
    arrays = arrays_of(params, answer)
    previews = {}
    for name, lines in answer.lines.items():
        made, previews[name] = _ahead(params, name, [line.nodes for line in lines])
        arrays |= made
    return live.Figure(
        controls=_controls(params),
        values=common.values(params),
        arrays=arrays,
        panels=figure.panels(problem, params, answer, arrays),
        readouts=figure.readouts(params, arrays),
        texts=[_odds(params)],
        busy=live.Busy(progress=answer.progress, text=answer.text) if answer.busy else None,
        previews=previews,
    )


def _odds(params: RegressionParams) -> live.Text:
    """The odds sentence, which follows δ as well where there is one."""
    if params.pure:
        return common.odds(EPSILON_GRID, 0.0, neighbouring="replace_one")
    sentences = [
        odds_sentence(
            epsilon, delta, tail=gaussian_tail(epsilon, delta), neighbouring="replace_one"
        )
        for epsilon in EPSILON_GRID
        for delta in DELTA_GRID
    ]
    return live.Text(strings=sentences, dims=("epsilon", "delta"))


def _shown(params: RegressionParams) -> str:
    """What all fits of the figure cost together."""
    return (
        f"this page draws {regression.N_DRAWS} fits, each with noise of its own, and each costs ε = "
        f"{params.epsilon:g}. Whoever sees them all has ε = "
        f"**{regression.shown_epsilon(params):.3g}**{_same_delta(params)}. The curves over ε are further "
        "fits. Publish one."
    )


def _same_delta(params: RegressionParams) -> str:
    return "" if params.pure else f" at the same δ = {short(params.delta)}"


def _ahead(
    params: RegressionParams, name: str, nodes: list[Any]
) -> tuple[dict[str, live.Array], dict[str, str]]:
    """What a handle draws while it moves; made anew only for another ε or another line."""
    at = EPSILON_GRID.index(params.epsilon)
    store = st.session_state.setdefault("regression_ahead", {})
    place, known, found = store.get(name, (-1, [], None))
    if place != at or len(known) != len(nodes) or any(map(operator.is_not, known, nodes)):
        found = ahead(name, params.controls()[name].grid or (), nodes, at)
        store[name] = at, nodes, found
    return found


def _waiting_lab(params: RegressionParams, text: str) -> live.Figure:
    return live.Figure(
        controls=_controls(params), values=common.values(params), arrays={}, panels=[],
        busy=live.Busy(progress=0.3, text=text),
    )  # fmt: skip


def _controls(params: RegressionParams) -> list[Any]:
    idle = [] if params.separate else ["split"]
    idle += [] if params.objective else ["repair"]
    idle += ["delta"] if params.pure else []
    asked = live_controls(params, hide=_HIDDEN, disabled=tuple(idle))
    return [*asked, *common.hidden(params, *_HIDDEN), common.buttons(_DOCUMENT)]


def act(action: str, params: RegressionParams) -> RegressionParams:
    """Answer the page's own buttons."""
    if action == "document":
        return params.but(**DOCUMENT)
    if action == "cancel":
        compute.cancel(params)
    return params


def miniature() -> live.Figure:
    """Return the figure of the first settings, as while a handle moves."""
    params = RegressionParams()
    problem = regression.named_problem(params.dataset)
    return drawn(problem, params, compute.answer(problem, params, dragging=True))


def explain(params: RegressionParams) -> None:
    """Draw what stands under the figure: guarantee, formulas, code, exports, tasks."""
    try:
        problem, params = asked(quiet=True)
    except Waiting:
        st.caption("The guarantee and the formulas come when the data are there.")
        return
    setting = problem.setting(params)
    promise = regression.guarantee(params, problem)
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        guarantee.card(promise, shown=_shown(params))
    with right:
        formula(params, setting)
    with st.expander("Code: the call that reproduces this figure"):
        export.show_code(regression.code(params, problem))
    with st.expander("Take it along: link, data, figure, report, notebook"):
        export.take_along(_bundle(problem, params, promise))
    with st.expander("Try this"):
        st.markdown(TASKS)


def _bundle(problem: Problem, params: RegressionParams, promise: Any) -> export.Bundle:
    return export.Bundle(
        name="regression",
        title=f"Private linear regression on {problem.dataset.title}",
        params=params,
        guarantee=promise,
        code=lambda chosen: regression.code(chosen, problem),
        figure=lambda: loss_figure(problem, params),
        tables={
            "loss": lambda: loss_table(problem, params),
            "fits": lambda: fits_table(problem, params),
        },
        facts=lambda: _facts(problem, params),
    )


def _facts(problem: Problem, params: RegressionParams) -> dict[str, str]:
    fits, setting = compute.fits_now(problem, params), problem.setting(params)
    at = EPSILON_GRID.index(params.epsilon)
    return {
        "method": METHODS[params.method],
        "records for training / test": f"{setting.n_samples} / {setting.test.n_samples}",
        "features": ", ".join(problem.dataset.feature_names[i] for i in setting.columns),
        "error, private (median of 40 draws)": f"{np.median(fits.test[:, at]):.4g}",
        "error, without privacy": f"{fits.best_test:.4g}",
        "error of predicting the mean": f"{setting.guess_mse:.4g}",
    }


def loss_table(problem: Problem, params: RegressionParams) -> pd.DataFrame:
    """Return the quantiles of the loss of every method at every ε."""
    found = compute.comparison_now(problem, params)
    columns: dict[str, Any] = {"epsilon": EPSILON_GRID}
    for which in ("test", "train"):
        for name, quantiles in getattr(found, which).items():
            for word, row in zip(("low", "median", "high"), quantiles, strict=True):
                columns[f"{which}_{name}_{word}"] = row
    return pd.DataFrame(columns)


def fits_table(problem: Problem, params: RegressionParams) -> pd.DataFrame:
    """Return the private coefficients at ε, one draw a row, everything scaled to [-1, 1]."""
    fits, setting = compute.fits_now(problem, params), problem.setting(params)
    names = ["intercept", *(problem.dataset.feature_names[i] for i in setting.columns)]
    at = EPSILON_GRID.index(params.epsilon)
    table = pd.DataFrame(fits.coefficients[:, at], columns=names)
    table = table.assign(train_mse=fits.train[:, at], test_mse=fits.test[:, at])
    together = regression.shown_epsilon(params, len(table))
    table.attrs["note"] = (
        f"{len(table)} fits, each a release of its own at epsilon = {params.epsilon:g}: together epsilon = "
        f"{together:.4g}" + ("" if params.pure else f" at delta = {params.delta:g}")
    )
    return table


def loss_figure(problem: Problem, params: RegressionParams) -> go.Figure:
    """Return the test loss of all methods against ε as a Plotly figure, for taking along."""
    found, setting = compute.comparison_now(problem, params), problem.setting(params)
    made = go.Figure()
    for name, (_, middle, _) in found.test.items():
        width = 4 if name == params.method else 1.5
        made.add_scatter(x=EPSILON_GRID, y=middle, name=METHODS[name], line_width=width)
    best = float(setting.test.mse(setting.best))
    made.add_hline(y=best, line_dash="dash", annotation_text="without privacy")
    made.add_vline(x=params.epsilon, line_dash="dot")
    made.update_xaxes(type="log", title="ε")
    made.update_yaxes(type="log", title="mean squared error on new records (median)")
    made.update_layout(title=f"{problem.dataset.title}, δ = {params.delta:g}")
    return made


def own_data() -> None:
    """Draw the place where a person gives their own table."""
    uploads.regression_csv(OWN)
