"""What may be taken along from Budget, and single numbers of its curves."""

from __future__ import annotations

import pandas as pd

from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams
from dpcore.experiments.composition_tables import RATE_GRID, STEPS_GRID
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.guarantee import Guarantee
from pages.budget import ledger
from pages.budget.figure import RULES, figure, noise_name
from ui.export import downloads, from_figure
from ui.runner import PageState
from ui.words.numbers import show

__all__ = ["at_present", "bundle", "curve_table", "needed", "one_answer"]


def _noise(params: BudgetParams) -> int:
    name = noise_name(params)
    return (params.controls()[name].grid or ()).index(getattr(params, name))


def _place(params: BudgetParams) -> tuple[int, int, int]:
    """Where the noise, the sampling rate and δ stand in their grids."""
    return _noise(params), RATE_GRID.index(params.sample_rate), DELTA_GRID.index(params.delta)


def one_answer(state: PageState[BudgetParams]) -> float:
    """Return the ε of one answer on everybody."""
    noise, _, delta = _place(state.params)
    return float(state.now("curves").one[noise, delta])


def at_present(state: PageState[BudgetParams], name: str) -> float:
    """Return the ε of a rule at the chosen noise, q, δ and T: the number under the figure."""
    steps = STEPS_GRID.index(state.params.n_steps)
    return float(getattr(state.now("curves"), name)[(*_place(state.params), steps)])


def needed(state: PageState[BudgetParams]) -> float:
    """Return the noise that the budget asks for: the number under the figure."""
    _, rate, delta = _place(state.params)
    steps = STEPS_GRID.index(state.params.n_steps)
    budgeted = EPSILON_GRID.index(state.params.epsilon)
    return float(state.now("curves").needed[rate, delta, steps, budgeted])


def bundle(state: PageState[BudgetParams], privacy: Guarantee) -> downloads.Bundle:
    """Return what can be taken along; it is made when it is asked for."""
    return from_figure.taken(
        figure,
        state,
        draws="spent",
        tables={"curves": curve_table, "ledger": lambda state: ledger.table(state.params)},
        name="budget",
        title=f"The cost of {show(state.params.n_steps, 'count answer')}",
        guarantee=privacy,
        code=budget.code,
    )


def curve_table(state: PageState[BudgetParams]) -> pd.DataFrame:
    """Return ε by every rule against the number of answers, at the values chosen."""
    found, place = state.now("curves"), _place(state.params)
    rows = {name: getattr(found, name)[place] for name in RULES}
    return pd.DataFrame({"answers": STEPS_GRID, **rows})
