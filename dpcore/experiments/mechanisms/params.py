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
        choices=(
            ("count", "How many are at the meeting?"),
            ("heights", "Sum of heights, each at most 7 feet"),
            ("salaries", "Salaries, teams of 4, at most £50k each"),
            ("mean", "Mean of n values between 0 and 1"),
        ),
        label="question",
    )
    relation: str = control(
        "usual",
        choices=(
            ("usual", "as usual for the question"),
            ("add_remove", "one record more or less"),
            ("replace_one", "one record replaced, n is public"),
        ),
        label="neighbours",
    )
    noise: str = control(
        "laplace",
        choices=(
            ("laplace", "Laplace"),
            ("gaussian", "Gaussian, exact σ"),
            ("classical", "Gaussian as Sarkar prints it"),
            ("staircase", "Staircase"),
        ),
        label="noise",
    )
    epsilon: float = shared.epsilon()
    delta: float = shared.delta()
    group: int = control(1, grid=GROUP_GRID, symbol="k", label="people who differ")
    n_people: int = control(1000, grid=PEOPLE_GRID, symbol="n", label="people")
    example: str = control(
        "movies",
        choices=(
            ("movies", "Most popular movie (votes)"),
            ("meeting", "Best meeting date (attendance)"),
            ("ratings", "Best rated idea (−1 to +1 each)"),
        ),
        label="choice to make",
    )
    seed: int = shared.seed()
