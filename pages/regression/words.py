"""What stands under the figure of Linear regression: guarantee, formulas, program, exports, tasks."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dpcore.experiments import regression
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression import RegressionParams
from pages.regression.figure import figure
from pages.regression.formulas import TASKS, derivation, formula
from pages.regression.printed import printed
from pages.regression.words_opening import opening_example
from ui.export import from_figure
from ui.frame.explanation import Explanation
from ui.runner import PageState
from ui.words.numbers import short

__all__ = ["words"]

State = PageState[RegressionParams]


def words(state: State) -> Explanation | None:
    """Return what stands under the figure, once the data are there."""
    params, problem = state.params, state.problem
    if problem is None:
        st.caption("We are reading the data. The guarantee comes with them.")
        return None
    setting = problem.setting(params)
    return Explanation(
        shown=_shown(params),
        formula=lambda: formula(params, setting),
        sections={
            "The opening example: two tables that differ in one person": lambda: opening_example(
                params
            ),
            "Where the sensitivities come from": lambda: derivation(setting.n_features),
        },
        checks={"What Jiang's slides print, and what is right": lambda: printed(params, setting)},
        bundle=from_figure.taken(
            figure,
            state,
            draws="loss_test",
            panels=("loss_test", "loss_train"),
            whole=("fits", "comparison"),
            tables={"fits": fits_table},
            name="regression",
            title=f"Private linear regression on {problem.dataset.title}",
            guarantee=regression.guarantee(params, problem),
            code=lambda chosen: regression.code(chosen, problem),
        ),
        tasks=TASKS,
    )


def _shown(params: RegressionParams) -> str:
    """What all fits of the figure cost together."""
    return (
        f"the figure draws {regression.N_DRAWS} fits, each with fresh noise, and each costs ε = "
        f"{short(params.epsilon)}. Whoever saw them all would have ε = "
        f"**{short(regression.shown_epsilon(params))}**{_same_delta(params)}. The curves over ε are further "
        "fits. Publish one."
    )


def _same_delta(params: RegressionParams) -> str:
    return "" if params.pure else f" at the same δ = {short(params.delta)}"


def fits_table(state: State) -> pd.DataFrame:
    """Return the private coefficients at ε, one draw a row, everything scaled to [-1, 1]."""
    problem, params = state.problem, state.params
    fits, setting = state["fits"], problem.setting(params)
    names = ["intercept", *(problem.dataset.feature_names[i] for i in setting.columns)]
    at = EPSILON_GRID.index(params.epsilon)
    table = pd.DataFrame(fits.coefficients[:, at], columns=names)
    table = table.assign(train_mse=fits.train[:, at], test_mse=fits.test[:, at])
    together = regression.shown_epsilon(params, len(table))
    table.attrs["note"] = (
        f"{len(table)} fits, each a release of its own at epsilon = {params.epsilon:g}: together epsilon = "
        f"{together:.3g}" + ("" if params.pure else f" at delta = {params.delta:g}")
    )
    return table
