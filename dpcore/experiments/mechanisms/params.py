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
            ("heights", "Sum of heights, each at most 7 ft"),
            ("salaries", "Salaries, teams of 4, at most £50k each"),
            ("mean", "Mean of n values between 0 and 1"),
        ),
        label="question",
        help="Its sensitivity Δ is how far one record (one team, for salaries) can move the answer.",
    )
    noise: str = control(
        "laplace",
        choices=(
            ("laplace", "Laplace"),
            ("gaussian", "Gaussian, exact σ"),
            ("classical", "Gaussian, the slide's σ"),
            ("staircase", "Staircase"),
        ),
        label="noise",
        help="Laplace and staircase are pure (δ = 0). The slide's Gaussian σ is proved for ε < 1.",
    )
    epsilon: float = shared.epsilon(
        help="No output may become more likely by a factor above e^ε because of one record."
    )
    delta: float = shared.delta(
        help="By how much the probability of any set of answers may exceed that bound. Only Gaussian noise uses it."
    )
    group: int = control(
        1,
        grid=GROUP_GRID,
        symbol="k",
        label="people who differ",
        ends=("one person", "a group"),
        moves="local",
        help="How many records D and D′ differ in. The promise for a group is k times weaker.",
    )
    n_people: int = control(
        1000,
        grid=PEOPLE_GRID,
        symbol="n",
        label="people",
        ends=("few", "many"),
        help="Size of the data for the mean, for local noise and for randomized response.",
    )
    example: str = control(
        "movies",
        choices=(
            ("movies", "Most popular movie (votes)"),
            ("meeting", "Best meeting date (attendance)"),
            ("ratings", "Best rated idea (−1 to +1 each)"),
        ),
        label="choice to make",
        advanced=True,
        help="For the exponential mechanism: the best of several options. Ratings are not monotone.",
    )
    seed: int = shared.seed(help="The same seed gives the same draws; ε only scales them.")
