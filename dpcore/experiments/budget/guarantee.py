"""The composition of the parameters as an event, its guarantee, and the code for it."""

from __future__ import annotations

from dpcore.accounting import Event, GaussianEvent, LaplaceEvent, Repeated, sampled
from dpcore.experiments import composition_tables
from dpcore.experiments.budget.params import BudgetParams
from dpcore.experiments.composition_tables import ANSWER_GRID, NOISE_GRID, RATE_GRID, STEPS_GRID
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.guarantee import Guarantee, Part, from_event

__all__ = ["code", "guarantee", "step", "used_up", "whole"]


_RULES = {
    "pld": "true cost", "exact": "exact formula", "rdp": "Rényi", "basic": "adding up",
    "advanced": "advanced composition", "optimal": "optimal composition",
    "printed_sum": "Sarkar's qTε", "printed_root": "Sarkar's qε√T",
}  # fmt: skip


def step(params: BudgetParams) -> Event:
    """Return one answer as an event."""
    one = (
        GaussianEvent(params.noise_multiplier)
        if params.mechanism == "gaussian"
        else LaplaceEvent(1 / params.answer_epsilon)
    )
    return sampled(one, params.sample_rate)


def whole(params: BudgetParams) -> Event:
    """Return all answers as an event."""
    return Repeated(step(params), params.n_steps)


def guarantee(params: BudgetParams) -> Guarantee:
    """Return what all answers together promise, at the account of the figure."""
    epsilon = real_epsilon(params)
    noise = (
        f"Gaussian, σ = {params.noise_multiplier:g}"
        if params.mechanism == "gaussian"
        else f"Laplace, ε₀ = {params.answer_epsilon:g}"
    )
    sampled = f" on a Poisson sample of rate {params.sample_rate:g}" * (params.sample_rate < 1)
    return from_event(
        whole(params),
        params.delta,
        at_most=epsilon,
        neighbouring="add_remove",
        argument="The privacy loss distributions of all answers are composed, also when later questions "
        "depend on earlier answers."
        + " Each answer uses a Poisson sample, and who is in it stays secret." * bool(sampled),
        public=(
            "the number of answers T, the sampling rate q, the questions and "
            "the size of the noise",
            "the bounds from which each answer has its sensitivity",
        ),
        not_protected=(
            "groups: k people together have k times the loss",
            "anything else released from the same data: enter it in the ledger",
        ),
        parts=(
            Part(
                name=f"{params.n_steps} answer{'' if params.n_steps == 1 else 's'}",
                epsilon=epsilon, delta=params.delta,
                mechanism=noise + sampled,
            ),
        ),
    )  # fmt: skip


def used_up(params: BudgetParams) -> list[Guarantee]:
    """Return what answers promise that use up a budget of every ε of the grid, whatever their number."""
    return guarantee(params).tabulated(EPSILON_GRID)


def code(params: BudgetParams) -> str:
    """Return the program that draws ε against the number of answers, by every rule."""
    grid, noise = (
        ("NOISE_GRID", params.noise_multiplier)
        if params.mechanism == "gaussian"
        else ("ANSWER_GRID", params.answer_epsilon)
    )
    words = [f"{rule!r}: {name!r}," for rule, name in _RULES.items()]
    rules = "".join(f"    {' '.join(words[k : k + 3])}\n" for k in range(0, len(words), 3))
    return f"""\
import numpy as np
import plotly.graph_objects as go
from dpcore.experiments.composition_tables import {grid}, RATE_GRID, STEPS_GRID
from dpcore.experiments import budget
from dpcore.experiments.grids import DELTA_GRID

rules = {{
{rules}}}
found = budget.run({params.mechanism!r})  # every rule at all values of the sliders
k = {grid}.index({noise!r}), RATE_GRID.index({params.sample_rate!r}), DELTA_GRID.index({params.delta!r})
figure = go.Figure()
for rule, name in rules.items():
    epsilon = getattr(found, rule)[k]
    there = np.isfinite(epsilon)  # the others are off the tables
    if there.any():
        figure.add_scatter(x=np.array(STEPS_GRID)[there], y=epsilon[there], name=name)
figure.add_hline(y={params.epsilon!r}, line_dash="dash", annotation_text="the budget")
figure.update_xaxes(type="log", title="answers T")
figure.update_yaxes(type="log", title="ε of all answers at δ = {params.delta:g}")
figure.show()
"""


def real_epsilon(params: BudgetParams) -> float:
    """Return ε of all answers as the figure has it, add-or-remove neighbours: from the account's table."""
    gaussian = params.mechanism == "gaussian"
    noise = (
        NOISE_GRID.index(params.noise_multiplier)
        if gaussian
        else ANSWER_GRID.index(params.answer_epsilon)
    )
    place = RATE_GRID.index(params.sample_rate), DELTA_GRID.index(params.delta)
    table = composition_tables.exact(params.mechanism)
    return float(table[(noise, *place, STEPS_GRID.index(params.n_steps))])
