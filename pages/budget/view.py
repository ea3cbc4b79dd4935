"""The budget page around its curves: the lab, the ledger, and the words under it."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpcore import accounting
from dpcore.accounting.surfaces import RATE_GRID, STEPS_GRID
from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams, Curves
from dpcore.grids import DELTA_GRID, EPSILON_GRID
from pages.budget import figure, ledger
from ui import export, guarantee, live
from ui.figure_kit import common

__all__ = ["explain", "lab", "miniature"]


@lru_cache(maxsize=2)
def _curves(mechanism: str) -> Curves:
    return budget.run(mechanism)


@lru_cache(maxsize=512)
def _real(params: BudgetParams) -> float:
    return accounting.spent(budget.whole(params), params.delta)


def lab(params: BudgetParams, dragging: bool) -> live.Figure:
    """Return the lab; everything but the choice of the mechanism is drawn in the browser."""
    other = {"noise_multiplier", "answer_epsilon"} - {figure.noise_name(params)}
    hide = ("ledger", *other)
    values = {name: value for name, value in common.values(params).items() if name not in hide}
    return live.Figure(
        controls=common.controls_of(params, common.buttons(redraw=False), hide=hide),
        values=values,
        arrays=figure.arrays(params, _curves(params.mechanism)),
        panels=figure.panels(params),
        readouts=figure.readouts(params),
    )


def miniature() -> live.Figure:
    """Return the figure of the first settings."""
    return lab(BudgetParams(), False)


def explain(params: BudgetParams) -> None:
    """Draw what stands under the figure: guarantee, inverse, groups, ledger, code, exports."""
    promise = budget.guarantee(params, _real(params.but(ledger="", epsilon=1.0, group=1)))
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        guarantee.card(promise, draws=False)
        if promise.epsilon > params.epsilon:
            st.warning(f"That is more than the budget ε = {params.epsilon:g}.")
    with right:
        _formula(params, promise.epsilon)
    ledger.draw(params)
    with st.expander("Code: the call that reproduces these numbers"):
        export.show_code(budget.code(params))
    with st.expander("Take it along: link, data, figure, report, notebook"):
        export.take_along(_bundle(params, promise))
    with st.expander("Try this"):
        st.markdown(_TASKS)


def _formula(params: BudgetParams, real: float) -> None:
    st.markdown("#### The formulas, with your numbers")
    q, steps = params.sample_rate, params.n_steps
    each = float(
        _curves(params.mechanism).one[_noise_index(params), DELTA_GRID.index(params.delta)]
    )
    slide = each
    if params.mechanism == "gaussian":
        slide = float(accounting.printed_epsilon(params.noise_multiplier, params.delta))
    root, total = (_curve(params, name) for name in ("printed_root", "printed_sum"))
    st.markdown(
        f"**The slides print** two rules for T = {steps} steps. Their own σ formula gives one step "
        f"ε = {slide:.4g} at δ; at the δ/(qT) that the first rule leaves a step, ε = {total / (q * steps):.4g}."
    )
    st.latex(
        rf"(qT\varepsilon,\ qT\delta) = ({total:.4g},\ {params.delta:g}),\qquad "
        rf"(q\varepsilon\sqrt{{T}},\ \delta) = ({root:.4g},\ {params.delta:g})"
    )
    verdict = "safe here" if root >= real else ":red[**less than the truth: not a guarantee**]"
    st.markdown(f"The true cost is ε = **{real:.4g}**; the second is {verdict}.")
    st.markdown(
        f"**One step on a sample** (Poisson sampling, add or remove one). Accounted exactly, one step on "
        f"everybody costs ε = {each:.4g}:"
    )
    amplified = float(accounting.amplified(each, q))
    st.latex(
        rf"\varepsilon' = \ln(1+q(e^\varepsilon-1)) = {amplified:.4g},\quad "
        rf"2q\varepsilon = {2 * q * each:.4g}"
    )
    _inverse(params)
    _group(params, real)


def _curve(params: BudgetParams, name: str) -> float:
    """The ε of a rule at the chosen noise, q, δ and T: the number under the figure."""
    place = (
        RATE_GRID.index(params.sample_rate), DELTA_GRID.index(params.delta),
        STEPS_GRID.index(params.n_steps),
    )  # fmt: skip
    return float(getattr(_curves(params.mechanism), name)[(_noise_index(params), *place)])


def _needed(params: BudgetParams) -> float:
    """The noise that the budget asks for: the number under the figure."""
    return float(
        _curves(params.mechanism).needed[
            RATE_GRID.index(params.sample_rate), DELTA_GRID.index(params.delta),
            STEPS_GRID.index(params.n_steps), EPSILON_GRID.index(params.epsilon),
        ]
    )  # fmt: skip


def _noise_index(params: BudgetParams) -> int:
    name = figure.noise_name(params)
    return (params.controls()[name].grid or ()).index(getattr(params, name))


def _inverse(params: BudgetParams) -> None:
    if params.mechanism != "gaussian":
        st.markdown(
            f"**From budget to noise**: adding up would allow ε₀ = ε/T = {params.epsilon / params.n_steps:.3g} "
            "an answer. T equal questions are better asked once: the mean of T answers at ε/T each errs "
            "√T times more than one answer at ε."
        )
        return
    sigma = _needed(params)
    st.markdown(
        f"**From budget to noise**: {params.n_steps} steps within ε = {params.epsilon:g} need "
        f"σ = **{sigma:.3g}** (read off the table of true costs, as under the figure)."
    )


def _group(params: BudgetParams, real: float) -> None:
    if params.group == 1 or math.isinf(real):
        return
    epsilon, delta = accounting.group_privacy(real, params.delta, params.group)
    verdict = "" if delta < 0.5 else " That promises next to nothing."
    st.markdown(
        f"**{params.group} people together**: (kε, δ(e^kε − 1)/(e^ε − 1)) = "
        f"({epsilon:.4g}, {delta:.3g}).{verdict}"
    )


def _bundle(params: BudgetParams, promise: Any) -> export.Bundle:
    return export.Bundle(
        name="budget",
        title=f"What {params.n_steps} answers cost",
        params=params,
        guarantee=promise,
        code=budget.code,
        figure=lambda: curve_figure(params),
        tables={"curves": lambda: curve_table(params), "ledger": lambda: ledger.table(params)},
        facts=lambda: {"answers": str(params.n_steps), "true ε": f"{promise.epsilon:.4g}"},
    )


def curve_table(params: BudgetParams) -> pd.DataFrame:
    """Return ε by every rule against the number of answers, at the values chosen."""
    found = _curves(params.mechanism)
    rate = (params.controls()["sample_rate"].grid or ()).index(params.sample_rate)
    place = (_noise_index(params), rate, DELTA_GRID.index(params.delta))
    names = ("pld", "exact", "rdp", "basic", "advanced", "optimal", "printed_sum", "printed_root")
    rows = {name: getattr(found, name)[place] for name in names}
    return pd.DataFrame({"answers": STEPS_GRID, **rows})


def curve_figure(params: BudgetParams) -> go.Figure:
    """Return the curves as a Plotly figure, for taking along."""
    table = curve_table(params)
    made = go.Figure()
    for name in table.columns[1:]:
        if np.isfinite(table[name]).any():
            made.add_scatter(x=table.answers, y=table[name], name=name)
    made.update_xaxes(type="log", title="answers T")
    made.update_yaxes(type="log", title=f"ε at δ = {params.delta:g}")
    return made


_TASKS = """
1. **Where √T breaks.** With Gaussian noise, T = 5000 and q = 0.01, lower σ from 5 to 0.5. Where does the
   slides' second rule turn red, and by how much is it wrong at σ = 0.6?
2. **One question.** Set T = 1: why is qε too small even then?
3. **Ask once.** In the ledger add 25 Laplace answers of ε₀ = 0.04, then one of ε₀ = 1. Which total is smaller,
   and which tells you more about the data?
4. **Free lunch.** Add *post-processing* to the ledger. What does it cost, and why?
"""
