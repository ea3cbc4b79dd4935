"""What can be taken along from the matrix page: tables, the profile, facts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpcore.experiments import matrix, relevance
from dpcore.experiments.matrix import MatrixParams, MatrixProblem, Study
from dpcore.grids import EPSILON_GRID
from ui import escape, export, own
from ui.runner import PageState

__all__ = ["bundle", "curve_table", "matrix_table", "profile_figure", "profile_table"]


def bundle(state: PageState[MatrixParams]) -> export.Bundle:
    """Return what can be taken along; it is made when it is asked for."""
    problem, params, target = state.problem, state.params, own.target("own_data")

    def study() -> Study:
        found: Study = state.now("study")
        return found

    return export.Bundle(
        name="matrix",
        title=f"A private relevance matrix on {problem.dataset.title}",
        params=params,
        guarantee=matrix.guarantee(params, problem),
        code=lambda chosen: matrix.code(chosen, problem, target),
        figure=lambda: profile_figure(problem, params, study()),
        tables={
            "relevances": lambda: profile_table(problem, params, study()),
            "curve": lambda: curve_table(params, study()),
            "matrix": lambda: matrix_table(problem, params, study()),
        },
        facts=lambda: _facts(problem, params, study()),
    )


def profile_table(problem: MatrixProblem, params: MatrixParams, study: Study) -> pd.DataFrame:
    """Return the relevance of every feature, private at ε and without privacy."""
    best = study.best.relevances if study.best is not None else np.nan
    return pd.DataFrame(
        {
            "feature": list(problem.dataset.feature_names),
            "private": study.sweep.at(params.epsilon).relevances,
            "without_privacy": best,
        }
    )


def curve_table(params: MatrixParams, study: Study) -> pd.DataFrame:
    """Return accuracy against ε."""
    sweep = study.sweep
    return pd.DataFrame(
        {
            "epsilon": EPSILON_GRID,
            "noise_multiplier": relevance.noise_multipliers(params),
            "accuracy": [sweep.at(e).accuracy for e in EPSILON_GRID],
            "accuracy_without_privacy": study.best_accuracy,
        }
    )


def matrix_table(problem: MatrixProblem, params: MatrixParams, study: Study) -> pd.DataFrame:
    """Return the released Ω, one row each, on features scaled by their public bounds."""
    omega = study.sweep.at(params.epsilon).omega
    return pd.DataFrame(omega, columns=list(problem.dataset.feature_names))


def profile_figure(problem: MatrixProblem, params: MatrixParams, study: Study) -> go.Figure:
    """Return the relevance profile as a Plotly figure, for taking along."""
    table = profile_table(problem, params, study)
    made = go.Figure()
    features = [escape.hyper(name) for name in table.feature]
    made.add_bar(x=features, y=table.private, name="private")
    made.add_bar(x=features, y=table.without_privacy, name="without privacy")
    made.update_yaxes(title="relevance", tickformat=".0%")
    made.update_layout(
        barmode="group",
        title=f"{problem.dataset.title}, ε = {params.epsilon:g}, δ = {params.delta:g}",
    )
    return made


def _facts(problem: MatrixProblem, params: MatrixParams, study: Study) -> dict[str, str]:
    model = study.sweep.at(params.epsilon)
    return {
        "records for training / test": f"{len(problem.y)} / {len(problem.dataset.y_test)}",
        "shape of Ω": f"{problem.rows} × {problem.n_features}",
        "accuracy, private": f"{model.accuracy:.1%}",
        "accuracy, without privacy": f"{study.best_accuracy:.1%}",
        "noise multiplier σ": f"{model.noise_multiplier:.4g}",
    }
