"""The parameters of the budget experiment."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.accounting.surfaces import ANSWER_GRID, NOISE_GRID, RATE_GRID, STEPS_GRID
from dpcore.experiments import shared
from dpcore.experiments.budget.ledger import canonical
from dpcore.experiments.params import Params, control

__all__ = ["GROUP_GRID", "BudgetParams"]

GROUP_GRID: tuple[int, ...] = (1, 2, 3, 5, 10)


@dataclass(frozen=True, kw_only=True)
class BudgetParams(Params):
    """Which mechanism, how often, on which sample, against which budget.

    ``noise_multiplier`` σ > 0 or ``answer_epsilon`` ε₀ > 0 of one answer, ``sample_rate`` in (0, 1],
    ``n_steps`` T ≥ 1, ``epsilon`` and ``delta`` the budget, ``ledger`` releases in short form.

    Examples
    --------
    >>> BudgetParams(mechanism="laplace", n_steps=100).to_link()
    {'mechanism': 'laplace', 'n_steps': '100'}
    """

    mechanism: str = control(
        "gaussian",
        choices=(("gaussian", "Gaussian noise"), ("laplace", "Laplace noise")),
        label="mechanism",
        help="What answers every question: a sum with Gaussian noise (as in DP-SGD), or Laplace noise.",
    )
    epsilon: float = shared.epsilon(
        2.0, label="the whole budget", help="How much privacy loss all questions together may cost."
    )
    n_steps: int = control(
        1000,
        grid=STEPS_GRID,
        symbol="T",
        label="questions",
        ends=("one", "many"),
        moves="local",
        help="How often the mechanism answers, each time on the same data.",
    )
    noise_multiplier: float = control(
        1.0,
        grid=NOISE_GRID,
        symbol="σ",
        label="noise multiplier",
        ends=("little noise", "much noise"),
        moves="local",
        help="Standard deviation of the noise over the sensitivity.",
    )
    answer_epsilon: float = control(
        0.1,
        grid=ANSWER_GRID,
        symbol="ε₀",
        label="loss of one answer",
        ends=("more noise", "less noise"),
        moves="local",
        help="What one answer costs on its own: Laplace noise of scale Δ/ε₀.",
    )
    sample_rate: float = shared.sample_rate(
        0.01,
        grid=RATE_GRID,
        ends=("few records", "all records"),
        moves="local",
        help="Chance that a record takes part in an answer, by a coin of its own.",
    )
    delta: float = shared.delta(
        help="By how much the probability of any set of results, all questions together, may exceed the bound by e^ε."
    )
    group: int = control(
        1,
        grid=GROUP_GRID,
        symbol="k",
        label="people protected together",
        ends=("one person", "a group"),
        moves="local",
        advanced=True,
        help="The promise to a group of k people who may all be in or out.",
    )
    ledger: str = control(
        "",
        text=canonical,
        label="ledger",
        advanced=True,
        help="Releases in short form: L0.5*3 (Laplace), G2 (Gaussian), S1/0.01/500 (sampled), "
        "E1 (any ε-DP choice), P (post-processing).",
    )
