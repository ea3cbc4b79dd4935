"""What can be taken along from the relevance page: tables, the curve, facts."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from dpcore.experiments import relevance
from dpcore.experiments.relevance import Outcomes, Problem, RelevanceParams, Sweep
from dpcore.grids import EPSILON_GRID
from pages.relevance import figure_arrays as arrays_of
from ui import export, own
from ui.runner import PageState

__all__ = ["bundle", "curve_figure", "curve_table", "prototype_table"]


def bundle(state: PageState[RelevanceParams]) -> export.Bundle:
    """Return what can be taken along; it is made when it is asked for."""

    problem, params, target = state.problem, state.params, own.target("own_data")

    def curve() -> pd.DataFrame:
        return curve_table(problem, params, state.now("sweep"), state.newest("outcomes"))

    return export.Bundle(
        name="relevance",
        title=f"Private prototypes on {problem.dataset.title}",
        params=params,
        guarantee=relevance.guarantee(params, problem),
        code=lambda chosen: relevance.code(chosen, problem, target),
        figure=lambda: curve_figure(problem, params, curve()),
        tables={
            "curve": curve,
            "prototypes": lambda: prototype_table(problem, params, state.now("sweep")),
        },
        facts=lambda: _facts(problem, params, state.now("sweep")),
    )


def _facts(problem: Problem, params: RelevanceParams, sweep: Sweep) -> dict[str, str]:
    model = sweep.at(params.epsilon)
    return {
        "records for training / test": f"{len(problem.y)} / {len(problem.dataset.y_test)}",
        "accuracy, private": f"{model.accuracy:.1%}",
        "accuracy, without privacy": f"{1 - problem.best_error:.1%}",
        "noise multiplier σ": f"{model.noise_multiplier:.4g}",
    }


def curve_table(
    problem: Problem, params: RelevanceParams, sweep: Sweep, outcomes: Outcomes | None = None
) -> pd.DataFrame:
    """Return accuracy against ε, with the band of other draws when it is there."""
    table = pd.DataFrame(
        {
            "epsilon": EPSILON_GRID,
            "noise_multiplier": relevance.noise_multipliers(params),
            "accuracy": [sweep.at(e).accuracy for e in EPSILON_GRID],
            "accuracy_without_privacy": 1 - problem.best_error,
        }
    )
    if outcomes is not None:
        band = arrays_of.outcome_arrays(problem, params, outcomes)
        for name in ("low", "middle", "high"):
            table[f"draws_{name}"] = band[f"band_{name}"].values
    return table


def prototype_table(problem: Problem, params: RelevanceParams, sweep: Sweep) -> pd.DataFrame:
    """Return the private prototypes at ε in the units of the data, one row each."""
    data = problem.dataset
    half, middle = (data.high - data.low) / 2, (data.high + data.low) / 2
    found = sweep.at(params.epsilon).prototypes * half + middle
    table = pd.DataFrame(found, columns=list(data.feature_names))
    table.insert(0, "class", [data.classes[label] for label in problem.labels])
    return table


def curve_figure(problem: Problem, params: RelevanceParams, table: pd.DataFrame) -> go.Figure:
    """Return accuracy against ε as a Plotly figure, for taking along."""
    made = go.Figure()
    if "draws_low" in table:
        made.add_scatter(x=table.epsilon, y=table.draws_high, mode="lines", line_width=0,
                         showlegend=False)  # fmt: skip
        made.add_scatter(x=table.epsilon, y=table.draws_low, mode="lines", line_width=0,
                         fill="tonexty", name="80 % of draws")  # fmt: skip
    made.add_scatter(x=table.epsilon, y=table.accuracy, name="this draw")
    made.add_hline(y=float(table.accuracy_without_privacy[0]), line_dash="dash",
                   annotation_text="without privacy")  # fmt: skip
    made.add_vline(x=params.epsilon, line_dash="dot")
    made.update_xaxes(type="log", title="ε")
    made.update_yaxes(title="test accuracy", tickformat=".0%")
    made.update_layout(title=f"{problem.dataset.title}, δ = {params.delta:g}")
    return made
