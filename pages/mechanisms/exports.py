"""What may be taken along from Mechanisms."""

from __future__ import annotations

import pandas as pd

from dpcore.experiments import mechanisms
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.mechanisms import MechanismsParams
from dpcore.guarantee import Guarantee
from pages.mechanisms.figure import figure
from ui.export import downloads, from_figure
from ui.runner import PageState

__all__ = ["bundle", "draw_table"]


def bundle(state: PageState[MechanismsParams], guarantee: Guarantee) -> downloads.Bundle:
    """Return what can be taken along; it is made when it is asked for."""
    asked, made = mechanisms.query(state.params), mechanisms.mechanism(state.params)
    return from_figure.taken(
        figure,
        state,
        draws="worlds",
        panels=("errors",),
        tables={"draws": draw_table},
        name="mechanisms",
        title=f"{made.name} noise: {asked.record} hidden",
        guarantee=guarantee,
        code=mechanisms.code,
    )


def draw_table(state: PageState[MechanismsParams]) -> pd.DataFrame:
    """Return the draws of both worlds at the values chosen."""
    params, found = state.params, state["outputs"]
    asked = mechanisms.query(params)
    row = found.draws[EPSILON_GRID.index(params.epsilon)]
    noise = asked.sensitivity * row[0 if found.pure else DELTA_GRID.index(params.delta)]
    other = asked.answer - asked.differing(params.group) * asked.sensitivity
    table = pd.DataFrame({"with": asked.answer + noise, "without": other + noise})
    table.attrs["note"] = (
        f"{len(table)} answers from each of two data sets, each a release of its own: together epsilon = "
        f"{mechanisms.shown_epsilon(params, len(table)):.3g}"
    )
    return table
