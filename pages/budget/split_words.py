"""Texts of the topic "four statistics" on the Budget page: formulas with numbers, exports, tasks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import streamlit as st

from dpcore import accounting
from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams
from dpcore.experiments.budget.split import (
    BOUNDS,
    N_DRAWS,
    N_PEOPLE,
    STATISTICS,
    closed_error,
    mechanisms,
    shares,
    smallest_worst,
)
from dpcore.guarantee import Guarantee
from pages.budget.figure import figure
from ui.export import from_figure
from ui.frame.explanation import Explanation
from ui.runner import PageState
from ui.words import text
from ui.words.numbers import short, show

__all__ = ["account", "formula", "words"]

T = text.load_text(__file__)


def words(
    state: PageState[BudgetParams], privacy: Guarantee, *, code: Callable[[BudgetParams], str]
) -> Explanation:
    """Return the explanatory text below the figure of the four statistics.

    ``code(params)`` returns the source code of the downloadable program.
    """
    return Explanation(
        shown=T("split.shown", n=N_DRAWS, together=privacy.repeated(N_DRAWS).epsilon),
        formula=lambda: st.markdown(formula(state)),
        checks={T("split.check.title"): lambda: st.markdown(account(state))},
        bundle=from_figure.taken(
            figure, state, draws="errors", tables={"statistics": table}, name="budget",
            title=T("split.export"), guarantee=privacy, code=code,
        ),
        tasks=T("tasks_split"),
    )  # fmt: skip


def table(state: PageState[BudgetParams]) -> pd.DataFrame:
    """Return a table with a row for each statistic: weight, ε, noise scale and errors."""
    params, found = state.params, state.now("split")
    scales = np.array([one.scale for one in mechanisms(params)])
    return pd.DataFrame(
        {
            "statistic": [one.name for one in STATISTICS],
            "weight": budget.split.weights(params),
            "epsilon": shares(params),
            "sensitivity": found.sensitivity,
            "noise_scale": scales,
            "median_error": found.error * scales,
            "true_size": found.truth,
        }
    )


def formula(state: PageState[BudgetParams]) -> str:
    """Return the formulas in Markdown, with the current numbers of every statistic."""
    params, parts = state.params, shares(state.params)
    declared = {one.name: one.declared for one in STATISTICS}
    rows = [
        T("split.formula.row", name=T(f"split.names.{row.statistic}"), sensitivity=row.sensitivity, share=row.epsilon,
          scale=row.noise_scale, measured=row.median_error, unit=T(f"split.units.{row.statistic}"))
        for row in table(state).itertuples()
    ]  # fmt: skip
    return "\n\n".join([
        T("split.formula.title"),
        T("split.formula.sum", shares=" + ".join(map(short, parts)), sum=budget.guarantee(params).epsilon),
        T("split.formula.sensitivity", n=N_PEOPLE, hours=BOUNDS["hours a week"][1],
          minutes=BOUNDS["minutes to work"][1]),
        "\n".join(f"- {row}" for row in rows),
        T("split.formula.rules", **declared, weights=_listed(budget.split.PRESETS["smallest_worst"]())),
    ])  # fmt: skip


def _listed(weights: tuple[int, ...]) -> str:
    return " : ".join(show(weight, "d") for weight in weights)


def account(state: PageState[BudgetParams]) -> str:
    """Return the checks of the page in Markdown.

    They are the measured errors next to their formula, the total ε by two composition rules, and the weights that
    are best if the true sizes of the statistics are known.
    """
    params, found = state.params, state.now("split")
    rows = [
        T("split.check.row", name=T(f"split.names.{one.name}"), n=N_DRAWS, measured=error * noise.scale,
          closed=closed_error(one) * noise.scale, unit=T(f"split.units.{one.name}"))
        for one, error, noise in zip(STATISTICS, found.error, mechanisms(params), strict=True)
    ]  # fmt: skip
    pld = accounting.spent(
        budget.split.event(params), params.delta, neighbouring=budget.split.RELATION
    )
    best = smallest_worst(tuple(found.truth))
    button = budget.split.PRESETS["smallest_worst"]()
    return "\n\n".join([
        "\n".join(f"- {row}" for row in rows),
        T("split.check.account", basic=budget.guarantee(params).epsilon, delta=params.delta, pld=pld),
        T("split.check.better", weights=_listed(best), best=_worst(state, best), button=_worst(state, button)),
    ])  # fmt: skip


def _worst(state: PageState[BudgetParams], weights: tuple[int, ...]) -> float:
    """Return the largest relative error that is expected of a statistic, with these weights at the page's ε."""
    found, parts = state.now("split"), np.array(weights)
    errors = found.sensitivity / found.truth * parts.sum() / parts / state.params.epsilon
    return float(errors.max())
