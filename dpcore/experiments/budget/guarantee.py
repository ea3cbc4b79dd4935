"""The composition of the parameters as an event, and its guarantee."""

from __future__ import annotations

from dpcore.accounting import Event, GaussianEvent, LaplaceEvent, Repeated, sampled
from dpcore.experiments import composition_tables
from dpcore.experiments.budget.params import BudgetParams
from dpcore.experiments.composition_tables import ANSWER_GRID, NOISE_GRID, RATE_GRID, STEPS_GRID
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.guarantee import Guarantee, Part, from_event

__all__ = ["guarantee", "place", "real_epsilon", "step", "used_up", "whole"]


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


def place(params: BudgetParams) -> tuple[int, int, int]:
    """Return where the noise, the sampling rate and δ stand in their grids: the first axes of `Curves`."""
    noise = (
        NOISE_GRID.index(params.noise_multiplier)
        if params.mechanism == "gaussian"
        else ANSWER_GRID.index(params.answer_epsilon)
    )
    return noise, RATE_GRID.index(params.sample_rate), DELTA_GRID.index(params.delta)


def real_epsilon(params: BudgetParams) -> float:
    """Return ε of all answers as the figure has it, add-or-remove neighbours: from the account's table."""
    table = composition_tables.exact(params.mechanism)
    return float(table[(*place(params), STEPS_GRID.index(params.n_steps))])
