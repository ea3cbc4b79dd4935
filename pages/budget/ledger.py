"""The ledger: releases a person enters, what each costs alone, and all together."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams, Entry, Totals
from ui.frame import controls
from ui.words import escape
from ui.words.numbers import short

__all__ = ["draw", "table"]

_KINDS = {
    "Laplace answer": "L",
    "Gaussian answer": "G",
    "DP-SGD (sampled Gaussian)": "S",
    "A choice (exponential mechanism)": "E",
    "Post-processing": "P",
}


@lru_cache(maxsize=256)
def _totals(text: str, delta: float) -> Totals:
    return budget.totals(budget.entries(text), delta)


@lru_cache(maxsize=256)
def _tradeoff(text: str) -> list[float]:
    entry = [e.event for e in budget.entries(text)]
    from dpcore.accounting import Sequence

    return [float(beta) for beta in budget.tradeoff(Sequence(tuple(entry)), _alphas())]


def _alphas() -> np.ndarray:
    return np.concatenate([[0, 1e-3, 5e-3], np.linspace(0.01, 1, 60)])


def draw(params: BudgetParams) -> None:
    """Draw the ledger: what was released, a form for more, totals, and an attacker's errors."""
    st.markdown("## Ledger: everything released from the same data")
    st.caption(
        "Enter what was published about the same people, here or elsewhere. The total is what counts."
    )
    found = budget.entries(params.ledger)
    left, right = st.columns([1, 1.15], gap="large")
    with left:
        _form(params, found)
    with right:
        if found:
            _sums(params, found)
        else:
            st.caption("Nothing yet. Add a release: the totals under each account appear here.")


def _form(params: BudgetParams, found: tuple[Entry, ...]) -> None:
    kind = st.selectbox("Release", list(_KINDS), key="ledger_kind")
    letter = _KINDS[kind]
    numbers = _numbers(letter)
    count = 1 if letter == "P" else st.number_input("times", 1, 10_000, 1, key="ledger_count")
    add, undo, clear = st.columns(3)
    if add.button("Add", type="primary", width="stretch"):
        try:
            _keep(params, budget.written((*found, Entry(letter, numbers, int(count)))))
        except ValueError as error:
            st.warning(escape.plain(error))
    if undo.button("Undo", disabled=not found, width="stretch"):
        _keep(params, budget.written(found[:-1]))
    if clear.button("Clear", disabled=not found, width="stretch"):
        _keep(params, "")


def _numbers(letter: str) -> tuple[float, ...]:
    def ask(label: str, value: float, low: float, high: float) -> float:
        return float(st.number_input(label, low, high, value, key=f"ledger_{letter}_{label}",
                                     format="%g"))  # fmt: skip

    match letter:
        case "L":
            return (ask("ε₀", 0.5, 0.001, 100.0),)
        case "G":
            return (ask("σ", 5.0, 0.1, 1000.0),)
        case "S":
            first, second, third = st.columns(3)
            with first:
                sigma = ask("σ", 1.0, 0.3, 1000.0)
            with second:
                rate = ask("q", 0.01, 0.0001, 1.0)
            with third:
                steps = ask("T", 1000.0, 1.0, 100_000.0)
            return sigma, rate, float(round(steps))
        case "E":
            return (ask("ε", 1.0, 0.001, 100.0),)
    return ()


def _keep(params: BudgetParams, text: str) -> None:
    try:
        controls.store(params.but(ledger=text), "budget")
    except ValueError as error:
        st.warning(escape.plain(error))
        return
    st.rerun(scope="fragment")


def table(params: BudgetParams) -> pd.DataFrame:
    """Return the ledger with the ε of each entry alone at δ."""
    found = budget.entries(params.ledger)
    single = _totals(params.ledger, params.delta).single if found else ()
    return pd.DataFrame(
        {
            "release": [entry.words for entry in found],
            "times": [entry.count for entry in found],
            "epsilon_alone": list(single),
        }
    )


def _sums(params: BudgetParams, found: tuple[Entry, ...]) -> None:
    with st.spinner("Adding up …"):
        all_ = _totals(params.ledger, params.delta)
        shown = table(params).rename(
            columns={"epsilon_alone": f"ε alone at δ = {short(params.delta)}"}
        )
    st.dataframe(shown, hide_index=True, width="stretch")
    first, second, third = st.columns(3)
    over = f"of a budget of {short(params.epsilon)}"
    first.metric(
        "true total" if all_.tight else "upper bound (too large to refine)",
        short(all_.pld),
        over,
        delta_color="off",
        delta_arrow="off",
    )
    second.metric(
        "Rényi", short(all_.rdp), help="An upper bound by another account, quick to compute."
    )
    third.metric(
        "simply added up", short(all_.basic), help="Basic composition, with δ split evenly."
    )
    if all_.pld > params.epsilon:
        st.warning(f"The ledger costs more than your budget of ε = {short(params.epsilon)}.")
    if any(entry.kind == "P" for entry in found):
        st.caption(
            "Post-processing costs nothing: it uses only what is published already, never the data again."
        )
    st.plotly_chart(_picture(found), key="ledger_tradeoff", config={"displayModeBar": False})


def _picture(found: tuple[Entry, ...]) -> go.Figure:
    alphas = _alphas()
    made = go.Figure()
    made.add_scatter(
        x=[0, 1], y=[1, 0], name="pure guessing", line={"color": "gray", "dash": "dot"}
    )
    for k, entry in enumerate(found):
        if entry.kind != "P":
            made.add_scatter(x=alphas, y=_tradeoff(entry.text), name=f"{k + 1}: {entry.text}",
                             line={"width": 1.2})  # fmt: skip
    made.add_scatter(x=alphas, y=_tradeoff(budget.written(found)), name="all together",
                     line={"width": 3.5, "color": "#4f46e5"})  # fmt: skip
    made.update_xaxes(title="false alarm α", range=[0, 1])
    made.update_yaxes(title="miss β of the best test", range=[0, 1])
    made.update_layout(height=330, margin={"l": 0, "r": 0, "t": 10, "b": 0})
    return made
