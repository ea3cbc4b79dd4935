"""The composition of the parameters as an event, its guarantee, and the code for it."""

from __future__ import annotations

from dpcore import accounting
from dpcore.accounting import Event, Gaussian, Laplace, Repeated, sampled
from dpcore.experiments.budget.params import BudgetParams
from dpcore.guarantee import Guarantee, Part

__all__ = ["code", "guarantee", "step", "whole"]


def step(params: BudgetParams) -> Event:
    """Return one answer as an event."""
    one = (
        Gaussian(params.noise_multiplier)
        if params.mechanism == "gaussian"
        else Laplace(1 / params.answer_epsilon)
    )
    return sampled(one, params.sample_rate)


def whole(params: BudgetParams) -> Event:
    """Return all answers as an event."""
    return Repeated(step(params), params.n_steps)


def guarantee(params: BudgetParams, epsilon: float) -> Guarantee:
    """Return what all answers together promise; ``epsilon`` ≥ 0 is their PLD account at δ."""
    noise = (
        f"Gaussian, σ = {params.noise_multiplier:g}"
        if params.mechanism == "gaussian"
        else f"Laplace, ε₀ = {params.answer_epsilon:g}"
    )
    sampled = f" on a Poisson sample of rate {params.sample_rate:g}" * (params.sample_rate < 1)
    return Guarantee(
        epsilon=epsilon,
        delta=params.delta,
        neighbouring="add_remove",
        status="proved",
        argument="The privacy loss distributions of all answers are composed, also when later questions "
        "depend on earlier answers."
        + " Each answer uses a Poisson sample, and who is in it stays secret." * bool(sampled),
        loss_tail=accounting.loss_tail(whole(params), epsilon),
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
                name=f"{params.n_steps} answers", epsilon=epsilon, delta=params.delta,
                mechanism=noise + sampled,
            ),
        ),
    )  # fmt: skip


def code(params: BudgetParams) -> str:
    """Return the program that reproduces the numbers at the handles."""
    kind = "Gaussian" if params.mechanism == "gaussian" else "Laplace"
    value = params.noise_multiplier if kind == "Gaussian" else 1 / params.answer_epsilon
    one = f"accounting.{kind}({value!r})"
    if params.sample_rate < 1:
        one = f"accounting.PoissonSampled({params.sample_rate!r}, {one})"
    lines = [
        "from dpcore import accounting",
        "",
        f"answers = accounting.Repeated({one}, {params.n_steps})",
        f"print(accounting.spent(answers, {params.delta!r}))              # PLD, tight",
    ]
    if params.mechanism == "gaussian":
        lines += [
            f'print(accounting.spent(answers, {params.delta!r}, accountant="rdp"))',
            f"print(accounting.noise_multiplier({params.epsilon!r}, {params.delta!r}, "
            f"{params.sample_rate!r}, {params.n_steps}))   # the σ that the budget asks for",
        ]
    return "\n".join(lines) + "\n"


def real_epsilon(params: BudgetParams) -> float:
    """Return ε of all answers by PLD: computed now (up to a second), add-or-remove neighbours."""
    return accounting.spent(whole(params), params.delta)
