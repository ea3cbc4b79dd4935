"""The parameters of the budget experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dpcore.experiments import shared
from dpcore.experiments.budget.ledger import canonical
from dpcore.experiments.composition_tables import ANSWER_GRID, NOISE_GRID, RATE_GRID, STEPS_GRID
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

    former_defaults: ClassVar[Mapping[str, Mapping[str, str]]] = {"1": {"n_steps": "1000"}}

    mechanism: str = control(
        "gaussian",
        choices=("gaussian", "laplace"),
    )
    epsilon: float = shared.epsilon(2.0)
    n_steps: int = control(20, grid=STEPS_GRID, symbol="T")
    noise_multiplier: float = control(1.0, grid=NOISE_GRID, symbol="σ")
    answer_epsilon: float = control(0.1, grid=ANSWER_GRID, symbol="ε₀")
    sample_rate: float = shared.sample_rate(0.01, grid=RATE_GRID)
    delta: float = shared.delta()
    group: int = control(1, grid=GROUP_GRID, symbol="k")
    ledger: str = control("", text=canonical)
