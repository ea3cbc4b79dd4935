"""The records the regression page works on: known by name and read behind, or a person's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from dpcore.datasets import RegressionDataset
from dpcore.experiments import regression
from dpcore.experiments.regression import Problem, RegressionParams
from ui import own, shell
from ui.jobs import Stage

__all__ = ["OWN", "Waiting", "own_token", "problem_of"]

OWN = "own_regression"


@dataclass(frozen=True)
class Waiting(Exception):
    """The data are being read; ``text`` says which."""

    text: str


def problem_of(params: RegressionParams, *, wait: float = 1.0) -> Problem:
    """Return the data the page works on; a person's own stay in their session.

    Raises
    ------
    Waiting
        While a data set is being read.
    ValueError
        When own data were not given, or a data set is not to be had.
    """
    if params.dataset != "own":
        return _named(params.dataset, wait)
    data: RegressionDataset | None = st.session_state.get(OWN)
    if data is None:
        raise ValueError("Give a CSV file under “Your own data” below, or choose another data set.")
    kept: Problem | None = st.session_state.get(f"{OWN}_problem")
    if kept is None or kept.dataset is not data:
        kept = st.session_state[f"{OWN}_problem"] = Problem(data)
        st.session_state.pop("regression_kept", None)  # of the last table, if there was one
    return kept


def _named(name: str, wait: float) -> Problem:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        report(Stage(regression.named_problem(name), 1.0))

    missing = st.session_state.setdefault("regression_missing", {})
    if name in missing:  # asked for again when the person has turned to others meanwhile
        raise ValueError(missing[name])
    key = ("regression data", name)
    found = shell.jobs().poll(key, work, wait=wait)
    if found.value is not None:
        return found.value
    if found.error:
        shell.jobs().forget(key)
        missing[name] = found.error
        raise ValueError(found.error)
    raise Waiting("Reading the data set and summing it up, once")


def own_token(params: RegressionParams) -> str:
    """Return the name of the table a person gave; "" for data known by name."""
    return own.token(OWN) if params.dataset == "own" else ""
