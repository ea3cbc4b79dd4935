"""The code that reproduces the matrix figure; the guarantee is that of the prototype page."""

from __future__ import annotations

from dpcore.experiments.matrix.params import MatrixParams
from dpcore.experiments.matrix.problem import MatrixProblem
from dpcore.experiments.relevance.guarantee import guarantee, guarantees, own_data

__all__ = ["code", "guarantee", "guarantees"]


def code(
    params: MatrixParams, problem: MatrixProblem | None = None, target: str = "your class column"
) -> str:
    """Return the program that draws the relevance of every feature.

    Of own data ``problem`` tells the features and bounds, ``target`` the column with the class.
    """
    make = "matrix.problem_of(params)"
    if params.dataset == "own":
        make = f"matrix.MatrixProblem(data, {params.prototypes_per_class}, {params.rank!r})"
    return f"""\
import plotly.graph_objects as go
from dpcore.experiments import matrix

params = matrix.{params.to_code()}
{own_data(params, problem, target)}problem = {make}
sweep = matrix.run_sweep(problem, params)  # every noise level at once
model = sweep.at(params.epsilon)
names = list(problem.dataset.feature_names)
best = matrix.relevances(problem.best_pair[1])  # without privacy

figure = go.Figure()
figure.add_bar(x=names, y=model.relevances, name=f"with privacy, ε = {{params.epsilon:g}}")
figure.add_bar(x=names, y=best, name="without privacy")
figure.update_layout(barmode="group", title=f"accuracy {{model.accuracy:.1%}}")
figure.update_yaxes(title="relevance", tickformat=".0%")
figure.show()
"""
