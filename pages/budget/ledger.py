"""Ledger of the Budget page: a list of releases that the reader enters, with the ε of each and the total ε."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpcore.accounting import Sequence
from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams, Entry, Totals
from ui.frame import controls
from ui.words import escape, text
from ui.words.numbers import short

__all__ = ["draw", "table"]

T = text.load_text(__file__)


@lru_cache(maxsize=256)
def _totals(ledger: str, delta: float) -> Totals:
    return budget.totals(budget.entries(ledger), delta)


@lru_cache(maxsize=256)
def _tradeoff(ledger: str) -> list[float]:
    events = tuple(entry.event for entry in budget.entries(ledger))
    return [float(beta) for beta in budget.tradeoff(Sequence(events), _alphas())]


def _alphas() -> np.ndarray:
    return np.concatenate([[0, 1e-3, 5e-3], np.linspace(0.01, 1, 60)])


def draw(params: BudgetParams) -> None:
    """Draw the ledger: a form to add a release, the total ε, and the error rates of an attacker."""
    st.markdown(T("ledger.title"))
    st.caption(T("ledger.note"))
    entries = budget.entries(params.ledger)
    left, right = st.columns([1, 1.15], gap="large")
    with left:
        _form(params, entries)
    with right:
        if entries:
            _sums(params, entries)
        else:
            st.caption(T("ledger.empty"))


def _form(params: BudgetParams, entries: tuple[Entry, ...]) -> None:
    letters = {words: letter for letter, words in T.group("ledger.kinds").items()}
    letter = letters[st.selectbox(T("ledger.release"), list(letters), key="ledger_kind")]
    numbers = _numbers(letter)
    count = (
        1 if letter == "P" else st.number_input(T("ledger.times"), 1, 10_000, 1, key="ledger_count")
    )
    add, undo, clear = st.columns(3)
    if add.button(T("ledger.add"), type="primary", width="stretch"):
        try:
            _store(params, budget.written((*entries, Entry(letter, numbers, int(count)))))
        except ValueError as error:
            st.warning(escape.plain(error))
    if undo.button(T("ledger.undo"), disabled=not entries, width="stretch"):
        _store(params, budget.written(entries[:-1]))
    if clear.button(T("ledger.clear"), disabled=not entries, width="stretch"):
        _store(params, "")


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


def _store(params: BudgetParams, ledger: str) -> None:
    try:
        controls.store(params.but(ledger=ledger), "budget")
    except ValueError as error:
        st.warning(escape.plain(error))
        return
    st.rerun(scope="fragment")


def table(params: BudgetParams) -> pd.DataFrame:
    """Return the ledger as a table of releases, with the ε of each single release at the chosen δ."""
    entries = budget.entries(params.ledger)
    single = _totals(params.ledger, params.delta).single if entries else ()
    return pd.DataFrame(
        {
            "release": [entry.words for entry in entries],
            "times": [entry.count for entry in entries],
            "epsilon_alone": list(single),
        }
    )


def _sums(params: BudgetParams, entries: tuple[Entry, ...]) -> None:
    with st.spinner(T("ledger.adding")):
        totals = _totals(params.ledger, params.delta)
        alone = {"epsilon_alone": T("ledger.alone", delta=params.delta)}
        shown = table(params).rename(columns=alone)
    st.dataframe(shown, hide_index=True, width="stretch")
    first, second, third = st.columns(3)
    first.metric(
        T("ledger.total.tight" if totals.tight else "ledger.total.bound"),
        short(totals.pld),
        T("ledger.of_budget", epsilon=params.epsilon),
        delta_color="off",
        delta_arrow="off",
    )
    second.metric(T("ledger.rdp.label"), short(totals.rdp), help=T("ledger.rdp.help"))
    third.metric(T("ledger.basic.label"), short(totals.basic), help=T("ledger.basic.help"))
    if totals.pld > params.epsilon:
        st.warning(T("ledger.over", epsilon=params.epsilon))
    if any(entry.kind == "P" for entry in entries):
        st.caption(T("ledger.free"))
    st.plotly_chart(_errors(entries), key="ledger_tradeoff", config={"displayModeBar": False})


def _errors(entries: tuple[Entry, ...]) -> go.Figure:
    """Return a plot of the smallest type II error of a membership test, against the type I error.

    The test decides from the releases whether a record is in the data. The plot has a curve for each release and
    one for all releases together.
    """
    alphas, figure = _alphas(), go.Figure()
    figure.add_scatter(
        x=[0, 1], y=[1, 0], name=T("ledger.errors.guessing"), line={"color": "gray", "dash": "dot"}
    )
    for k, entry in enumerate(entries):
        if entry.kind != "P":
            figure.add_scatter(x=alphas, y=_tradeoff(entry.text), name=f"{k + 1}: {entry.text}",
                               line={"width": 1.2})  # fmt: skip
    figure.add_scatter(x=alphas, y=_tradeoff(budget.written(entries)), name=T("ledger.errors.all"),
                       line={"width": 3.5, "color": "#4f46e5"})  # fmt: skip
    figure.update_xaxes(title=T("ledger.errors.x"), range=[0, 1])
    figure.update_yaxes(title=T("ledger.errors.y"), range=[0, 1])
    figure.update_layout(height=330, margin={"l": 0, "r": 0, "t": 10, "b": 0})
    return figure
