"""The parameters of the mechanisms experiment."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.experiments import shared
from dpcore.experiments.params import Params, control

__all__ = ["GROUP_GRID", "PEOPLE_GRID", "MechanismsParams"]

GROUP_GRID: tuple[int, ...] = (1, 2, 3, 4, 5, 7, 10)
PEOPLE_GRID: tuple[int, ...] = (10, 30, 100, 300, 1000, 3000, 10_000)


@dataclass(frozen=True, kw_only=True)
class MechanismsParams(Params):
    """Which question, which noise, how private.

    ``epsilon`` in [0.05, 20], ``delta`` in [1e-8, 1e-3], ``group`` ≥ 1 records, ``n_people`` ≥ 10.

    Examples
    --------
    >>> MechanismsParams(noise="gaussian", group=3).to_link()
    {'noise': 'gaussian', 'group': '3'}
    """

    question: str = control(
        "count",
        choices=("count", "heights", "salaries", "mean"),
    )
    relation: str = control(
        "usual",
        choices=("usual", "add_remove", "replace_one"),
    )
    noise: str = control(
        "laplace",
        choices=("laplace", "gaussian", "classical", "staircase"),
    )
    epsilon: float = shared.epsilon()
    delta: float = shared.delta()
    group: int = control(1, grid=GROUP_GRID, symbol="k")
    n_people: int = control(1000, grid=PEOPLE_GRID, symbol="n")
    example: str = control(
        "movies",
        choices=("movies", "meeting", "ratings"),
    )
    seed: int = shared.seed()
