"""The relevance page around its sweep: the lab, and the words under it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpcore import accounting
from dpcore.experiments import relevance
from dpcore.experiments.relevance import Problem, RelevanceParams, Sweep
from dpcore.grids import EPSILON_GRID
from pages.relevance import figure
from pages.relevance import figure_arrays as arrays_of
from pages.relevance import pipeline as compute
from pages.relevance.pipeline import Answer
from ui import export, guarantee, live, shell, uploads
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.figure_kit.prototypes import readouts
from ui.prototype_words import shown, table_1, words_of_reading

__all__ = ["act", "drawn", "explain", "lab", "own_data"]


_HIDDEN = ("person_dx", "person_dy")
_LATE = ("curve", "norms", "clipped")  # of the whole sweep: a quick answer keeps the last ones


def lab(params: RelevanceParams, dragging: bool) -> live.Figure:
    """Return the lab for the best answer there is."""
    problem, params, said = _asked(params)
    found = compute.answer(problem, params, dragging=dragging)
    shell.problems([sentence for sentence in (said, found.error) if sentence])
    return drawn(problem, params, found)


def _asked(params: RelevanceParams) -> tuple[Problem, RelevanceParams, str]:
    """The data and the parameters of the page; own data that is not there is said."""
    try:
        return compute.problem_of(params, st.session_state.get("own_data")), params, ""
    except ValueError as error:
        params = params.but(dataset="moons")
        return compute.problem_of(params, None), params, str(error)


def act(action: str, params: RelevanceParams) -> RelevanceParams:
    """Answer the page's own buttons: the paper's settings, and stop."""
    match action:
        case "paper":
            return params.but(**relevance.PAPER)
        case "cancel":
            compute.cancel(params)
    return params


def drawn(problem: Problem, params: RelevanceParams, answer: Answer) -> live.Figure:
    """Return the lab of an answer."""
    arrays = arrays_of.still_arrays(problem) | arrays_of.main_arrays(problem, params, answer.sweep)
    coords = {"u": "u_of", "t": "t_of"}
    if "pictures" in arrays:
        coords |= {"iu": "iu_of", "it": "it_of"}
    if answer.outcomes is not None:
        arrays |= arrays_of.outcome_arrays(problem, params, answer.outcomes)
        coords["v"] = "v_of"
    arrays |= _scalars(problem, params)
    previews: dict[str, Any] = {}
    if answer.lines:
        along, previews = arrays_of.line_arrays(problem, answer.lines)
        arrays |= along
    asked = live_controls(params, hide=_HIDDEN)
    row = common.buttons(("paper", "Paper's settings", "Its σ, its Laplace start, δ, q, C and E"))
    return live.Figure(
        controls=[*asked, *common.hidden(params, *_HIDDEN), figure.progress_slider(), row],
        values=common.values(params, progress=arrays_of.PROGRESS[-1]),
        arrays=arrays,
        coords=coords,
        previews=previews,
        panels=figure.panels(problem, params, arrays),
        readouts=readouts(params, arrays),
        texts=figure.texts(params),
        busy=live.Busy(progress=answer.progress, text=answer.text) if answer.busy else None,
    )


def _scalars(problem: Problem, params: RelevanceParams) -> dict[str, live.Array]:
    sigma = relevance.sigma_grid(params)
    lot = params.sample_rate * len(problem.y)
    return {
        "epsilon_now": live.Array(np.array(EPSILON_GRID, np.float32), ("epsilon",)),
        "real_epsilon": live.Array(relevance.real_epsilons(params), ("epsilon",)),
        "noise_to_pull": live.Array(sigma / lot, ("epsilon", "delta", "epochs")),
    }


def explain(params: RelevanceParams) -> None:
    """Draw what stands under the figure: guarantee, formula, code, exports, tasks."""
    problem, params, _ = _asked(params)
    promise = relevance.guarantee(params, problem)
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        guarantee.card(promise, shown=shown(params, compute.N_DRAWS))
    with right:
        _formula(params)
    with st.expander("The paper's Table 1 beside ours"):
        st.markdown(table_1())
    with st.expander("Code: the call that reproduces this figure"):
        export.show_code(_code(problem, params))
    with st.expander("Take it along: link, data, figure, report, notebook"):
        export.take_along(_bundle(problem, params, promise))
    with st.expander("Try this"):
        st.markdown(_TASKS)
    shell.page_link("matrix", "Which features count: Relevance matrix (DP-GMLVQ)")


def _code(problem: Problem, params: RelevanceParams) -> str:
    target = st.session_state.get("own_data_class", "your class column")
    return relevance.code(params, problem, target)


def _formula(params: RelevanceParams) -> None:
    steps = max(1, round(params.epochs / params.sample_rate))
    rest = (1 - params.init_share) * params.epsilon
    sigma = relevance.noise_multipliers(params)[EPSILON_GRID.index(params.epsilon)]
    tight = params.but(recipe="tight")
    needed = relevance.noise_multipliers(tight)[EPSILON_GRID.index(params.epsilon)]
    printed = accounting.paper_noise_multiplier(rest, params.delta, params.sample_rate, steps)
    real = relevance.real_epsilons(params.but(recipe="paper"))
    claim = real[EPSILON_GRID.index(params.epsilon)]
    st.markdown("#### The formula, with your numbers")
    st.latex(
        rf"W \leftarrow W - \tfrac{{\eta}}{{qN}}\Big(\sum_i \mathrm{{clip}}_C(g_i) + "
        rf"\sigma C Z\Big),\quad \sigma = {sigma:.4g},\ C = {params.clip_norm:g}"
    )
    st.markdown(
        f"**Tight accountant**: the smallest σ at which T = E/q = {steps} steps cost "
        f"ε₂ = (1 − {params.init_share:g})·{params.epsilon:g} = {rest:.3g} at δ/2 is "
        f"**{needed:.4g}**."
    )
    st.markdown("**The paper prints** (Brinkrolf, Berger and Hammer 2018)")
    st.latex(
        rf"\sigma = \frac{{2q\sqrt{{T\ln(1/\delta)}}}}{{\varepsilon_2}} = "
        rf"\frac{{2\cdot {params.sample_rate:g}\sqrt{{{steps}\cdot {math.log(1 / params.delta):.4g}}}}}"
        rf"{{{rest:.3g}}} = {printed:.4g}"
    )
    st.markdown(
        f"With it the whole training really costs ε = **{claim:.3g}** when its start and its steps are added "
        f"up (**{relevance.joint_epsilon(params.but(recipe='paper')):.3g}** when they are composed together), "
        f"not {params.epsilon:g}. " + words_of_reading(claim, params.epsilon)
    )


def _bundle(problem: Problem, params: RelevanceParams, promise: Any) -> export.Bundle:
    def found() -> Answer:
        return compute.complete(problem, params)

    return export.Bundle(
        name="relevance",
        title=f"Private prototypes on {problem.dataset.title}",
        params=params,
        guarantee=promise,
        code=lambda chosen: _code(problem, chosen),
        figure=lambda: curve_figure(problem, params, found()),
        tables={
            "curve": lambda: curve_table(problem, params, found()),
            "prototypes": lambda: prototype_table(problem, params, found().sweep),
        },
        facts=lambda: _facts(problem, params, found().sweep),
    )


def _facts(problem: Problem, params: RelevanceParams, sweep: Sweep) -> dict[str, str]:
    model = sweep.at(params.epsilon)
    return {
        "records for training / test": f"{len(problem.y)} / {len(problem.dataset.y_test)}",
        "accuracy, private": f"{model.accuracy:.1%}",
        "accuracy, without privacy": f"{1 - problem.best_error:.1%}",
        "noise multiplier σ": f"{model.noise_multiplier:.4g}",
    }


def curve_table(problem: Problem, params: RelevanceParams, answer: Answer) -> pd.DataFrame:
    """Return accuracy against ε, with the band of other draws when it is there."""
    table = pd.DataFrame(
        {
            "epsilon": EPSILON_GRID,
            "noise_multiplier": relevance.noise_multipliers(params),
            "accuracy": [answer.sweep.at(e).accuracy for e in EPSILON_GRID],
            "accuracy_without_privacy": 1 - problem.best_error,
        }
    )
    if answer.outcomes is not None:
        band = arrays_of.outcome_arrays(problem, params, answer.outcomes)
        for name in ("low", "middle", "high"):
            table[f"draws_{name}"] = band[f"band_{name}"].values
    return table


def prototype_table(problem: Problem, params: RelevanceParams, sweep: Sweep) -> pd.DataFrame:
    """Return the private prototypes at ε in the units of the data, one row each."""
    data = problem.dataset
    half, middle = (data.high - data.low) / 2, (data.high + data.low) / 2
    found = sweep.at(params.epsilon).prototypes * half + middle
    table = pd.DataFrame(found, columns=list(data.feature_names))
    table.insert(0, "class", [data.classes[label] for label in problem.labels])
    return table


def curve_figure(problem: Problem, params: RelevanceParams, answer: Answer) -> go.Figure:
    """Return accuracy against ε as a Plotly figure, for taking along."""
    table = curve_table(problem, params, answer)
    made = go.Figure()
    if "draws_low" in table:
        made.add_scatter(x=table.epsilon, y=table.draws_high, mode="lines", line_width=0,
                         showlegend=False)  # fmt: skip
        made.add_scatter(x=table.epsilon, y=table.draws_low, mode="lines", line_width=0,
                         fill="tonexty", name="80 % of draws")  # fmt: skip
    made.add_scatter(x=table.epsilon, y=table.accuracy, name="this draw")
    made.add_hline(y=float(table.accuracy_without_privacy[0]), line_dash="dash",
                   annotation_text="without privacy")  # fmt: skip
    made.add_vline(x=params.epsilon, line_dash="dot")
    made.update_xaxes(type="log", title="ε")
    made.update_yaxes(title="test accuracy", tickformat=".0%")
    made.update_layout(title=f"{problem.dataset.title}, δ = {params.delta:g}")
    return made


def own_data() -> None:
    """Draw the place where a person gives their own table."""
    with st.expander("Your own data (CSV)"):
        uploads.classification_csv("own_data")


_TASKS = """
1. **How little privacy is enough?** Drag ε from 20 down until the accuracy leaves the band of its
   best values. Where is the knee? Do the same with *Digits 8×8*: why is it elsewhere?
2. **Clip too hard, clip too little.** Move C from 0.05 to 5 at ε = 1. Watch what *the method*
   and *the noise* cost: which one pays for which mistake?
3. **More prototypes for free.** Take *Three spirals* and raise m from 1 to 8. The guarantee does
   not change. Why not? (The tab *Gradient norms* tells.)
4. **A formula that breaks its promise.** Choose the paper's formula, E = 1, ε = 10, and read what it
   really costs.
"""
