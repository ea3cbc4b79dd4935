"""What stands under the figure of Linear regression: guarantee, formulas, program, exports, tasks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpcore.experiments import regression
from dpcore.experiments.regression import METHODS, RegressionParams
from dpcore.grids import EPSILON_GRID
from pages.regression.formulas import TASKS, formula
from ui import export
from ui.explanation import Explanation
from ui.numbers_in_words import short
from ui.runner import PageState

__all__ = ["words"]

State = PageState[RegressionParams]


def words(state: State) -> Explanation | None:
    """Return what stands under the figure, once the data are there."""
    params, problem = state.params, state.problem
    if problem is None:
        st.caption("The guarantee and the formulas come when the data are there.")
        return None
    return Explanation(
        shown=_shown(params),
        formula=lambda: formula(params, problem.setting(params)),
        bundle=export.Bundle(
            name="regression",
            title=f"Private linear regression on {problem.dataset.title}",
            params=params,
            guarantee=regression.guarantee(params, problem),
            code=lambda chosen: regression.code(chosen, problem),
            figure=lambda: loss_figure(state),
            tables={"loss": lambda: loss_table(state), "fits": lambda: fits_table(state)},
            facts=lambda: _facts(state),
        ),
        tasks=TASKS,
    )


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


def _facts(state: State) -> dict[str, str]:
    problem, params = state.problem, state.params
    fits, setting = state.now("fits"), problem.setting(params)
    at = EPSILON_GRID.index(params.epsilon)
    return {
        "method": METHODS[params.method],
        "records for training / test": f"{setting.n_samples} / {setting.test.n_samples}",
        "features": ", ".join(problem.dataset.feature_names[i] for i in setting.columns),
        "error, private (median of 40 draws)": f"{np.median(fits.test[:, at]):.4g}",
        "error, without privacy": f"{fits.best_test:.4g}",
        "error of predicting the mean": f"{setting.guess_mse:.4g}",
    }


def loss_table(state: State) -> pd.DataFrame:
    """Return the quantiles of the loss of every method at every ε."""
    found = state.now("comparison")
    columns: dict[str, Any] = {"epsilon": EPSILON_GRID}
    for which in ("test", "train"):
        for name, quantiles in getattr(found, which).items():
            for word, row in zip(("low", "median", "high"), quantiles, strict=True):
                columns[f"{which}_{name}_{word}"] = row
    return pd.DataFrame(columns)


def fits_table(state: State) -> pd.DataFrame:
    """Return the private coefficients at ε, one draw a row, everything scaled to [-1, 1]."""
    problem, params = state.problem, state.params
    fits, setting = state.now("fits"), problem.setting(params)
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


def loss_figure(state: State) -> go.Figure:
    """Return the test loss of all methods against ε as a Plotly figure, for taking along."""
    problem, params = state.problem, state.params
    found, setting = state.now("comparison"), problem.setting(params)
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
