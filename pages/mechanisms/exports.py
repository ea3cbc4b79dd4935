"""What may be taken along from Mechanisms: draws, errors, the two densities."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpcore.experiments import mechanisms
from dpcore.experiments.mechanisms import MechanismsParams
from dpcore.grids import DELTA_GRID, EPSILON_GRID
from dpcore.guarantee import Guarantee
from ui import export
from ui.runner import PageState

__all__ = ["bundle", "density_figure", "draw_table", "error_table"]


def bundle(state: PageState[MechanismsParams], guarantee: Guarantee) -> export.Bundle:
    """Return data, figure, facts and program."""
    params = state.params
    asked = mechanisms.query(params)
    made = mechanisms.mechanism(params)
    return export.Bundle(
        name="mechanisms",
        title=f"{made.name} noise: {asked.record} hidden",
        params=params,
        guarantee=guarantee,
        code=mechanisms.code,
        figure=lambda: density_figure(params),
        tables={"draws": lambda: draw_table(state), "errors": lambda: error_table(params)},
        facts=lambda: {
            "true answer": f"{asked.answer:g} {asked.unit}",
            "sensitivity": f"{asked.sensitivity:g} {asked.unit}",
            "noise scale": f"{made.scale:.4g}",
            "mean error": f"{made.mean_error():.4g}",
        },
    )


def draw_table(state: PageState[MechanismsParams]) -> pd.DataFrame:
    """Return the draws of both worlds at the values chosen."""
    params, found = state.params, state.now("outputs")
    asked = mechanisms.query(params)
    row = found.draws[EPSILON_GRID.index(params.epsilon)]
    noise = asked.sensitivity * row[0 if found.pure else DELTA_GRID.index(params.delta)]
    other = asked.answer - params.group * asked.sensitivity
    table = pd.DataFrame({"with": asked.answer + noise, "without": other + noise})
    table.attrs["note"] = (
        f"{len(table)} answers from each of two data sets, each a release of its own: together epsilon = "
        f"{mechanisms.shown_epsilon(params, len(table)):.4g}"
    )
    return table


def error_table(params: MechanismsParams) -> pd.DataFrame:
    """Return the mean error of every mechanism at every ε, in the unit of the question."""
    found = mechanisms.compare().errors
    unit = mechanisms.query(params).sensitivity
    column = DELTA_GRID.index(params.delta)
    flat = {k: unit * (v if v.ndim == 1 else v[:, column]) for k, v in found.items()}
    return pd.DataFrame({"epsilon": EPSILON_GRID, **flat})


def density_figure(params: MechanismsParams) -> go.Figure:
    """Return the two densities as a Plotly figure, for taking along."""
    asked, noise = mechanisms.query(params), mechanisms.mechanism(params)
    other = asked.answer - params.group * asked.sensitivity
    x = np.linspace(
        asked.answer - 14 * asked.sensitivity, asked.answer + 8 * asked.sensitivity, 1200
    )
    made = go.Figure()
    made.add_scatter(x=x, y=noise.density(x, asked.answer), name="D")
    made.add_scatter(x=x, y=noise.density(x, other), name="D′")
    made.update_layout(title=f"{noise.name} noise, ε = {params.epsilon:g}")
    made.update_xaxes(title=f"published answer {asked.unit}")
    made.update_yaxes(title="density")
    return made
