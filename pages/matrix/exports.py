"""What can be taken along from the matrix page."""

from __future__ import annotations

import numpy as np
import pandas as pd

from dpcore.experiments import matrix
from dpcore.experiments.matrix import MatrixParams
from pages.matrix.figure import figure
from ui.export import downloads, from_figure
from ui.runner import PageState
from ui.upload import tokens

__all__ = ["bundle", "matrix_table", "profile_table"]


def bundle(state: PageState[MatrixParams]) -> downloads.Bundle:
    """Return what can be taken along; it is made when it is asked for."""
    problem, target = state.problem, tokens.target("own_data")
    return from_figure.taken(
        figure,
        state,
        draws="profile",
        panels=("curve",),
        whole=("study",),
        tables={"relevances": profile_table, "matrix": matrix_table},
        name="matrix",
        title=f"A private relevance matrix on {problem.dataset.title}",
        guarantee=matrix.guarantee(state.params, problem),
        code=lambda chosen: matrix.code(chosen, problem, target),
    )


def profile_table(state: PageState[MatrixParams]) -> pd.DataFrame:
    """Return the relevance of every feature, private at ε and without privacy."""
    study = state["study"]
    return pd.DataFrame(
        {
            "feature": list(state.problem.dataset.feature_names),
            "private": study.sweep.at(state.params.epsilon).relevances,
            "without_privacy": study.best.relevances if study.best is not None else np.nan,
        }
    )


def matrix_table(state: PageState[MatrixParams]) -> pd.DataFrame:
    """Return the released Ω, one row each, on features scaled by their public bounds."""
    omega = state["study"].sweep.at(state.params.epsilon).omega
    return pd.DataFrame(omega, columns=list(state.problem.dataset.feature_names))
