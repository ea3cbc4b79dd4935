"""The parameters of the experiment on answers: how a question is asked, and what is done to its answer."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.experiments import shared
from dpcore.experiments.params import Params, control
from dpcore.experiments.queries.own_options import canonical

__all__ = ["ANSWERS", "CHANCES", "GROUPS", "NUMBERS", "PEOPLE", "VALUES", "QueriesParams"]

ANSWERS: tuple[int, ...] = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
GROUPS: tuple[int, ...] = (1, 2, 3, 4, 5, 7, 10)
NUMBERS: tuple[int, ...] = (1, 2, 3, 5, 7, 10, 12, 15, 20, 30, 50, 100)
PEOPLE: tuple[int, ...] = (10, 30, 100, 300, 1000)
CHANCES: tuple[float, ...] = (1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1)
VALUES: tuple[int, ...] = (0, 5, 10, 20, 50, 100)


@dataclass(frozen=True, kw_only=True)
class QueriesParams(Params):
    """Which way of asking, how private, and what each way needs besides.

    ``epsilon`` in [0.05, 20], ``delta`` in [1e-8, 1e-3]; of the others each serves the topics that its
    label names.

    Examples
    --------
    >>> QueriesParams(topic="group", group=3).to_link()
    {'topic': 'group', 'group': '3'}
    """

    topic: str = control(
        "again",
        choices=(
            ("again", "Ask the same again"),
            ("group", "Hide a group of people"),
            ("neighbours", "Add a person, or replace one"),
            ("numbers", "Publish many numbers"),
            ("processing", "Process the answer"),
            ("choosing", "Choose among your own options"),
            ("bounds", "Read the bounds from the data"),
            ("publish", "Publish a whole record, rarely"),
        ),
        label="way of asking",
    )
    epsilon: float = shared.epsilon()
    n_answers: int = control(20, grid=ANSWERS, symbol="k", label="answers")
    group: int = control(5, grid=GROUPS, symbol="k", label="people in the group")
    noise: str = control(
        "laplace", choices=(("laplace", "Laplace"), ("gaussian", "Gaussian")), label="noise"
    )
    relation: str = control(
        "add_remove",
        choices=(
            ("add_remove", "one record more or less"),
            ("replace_one", "one record replaced, n is public"),
        ),
        label="neighbours",
    )
    query: str = control(
        "sum",
        choices=(
            ("count", "How many people"),
            ("sum", "Sum of values from 0 to 1"),
            ("mean", "Mean of values from 0 to 1"),
            ("histogram", "Histogram of ages"),
        ),
        label="question",
    )
    shape: str = control(
        "histogram",
        choices=(
            ("histogram", "one of k cells (histogram)"),
            ("vector", "all k numbers (k yes/no questions)"),
        ),
        label="one person counts in",
    )
    n_numbers: int = control(10, grid=NUMBERS, symbol="k", label="numbers")
    step: int = control(
        1,
        choices=((0, "not at all"), (1, "to whole numbers"), (5, "to fives"), (10, "to tens")),
        label="round",
    )
    clamp: bool = control(True, choices=((True, "yes"), (False, "no")), label="put negatives to 0")
    average: bool = control(
        False, choices=((True, "yes"), (False, "no")), label="average two answers of ε/2"
    )
    options: str = control("Alien 9, Brazil 7, Coco 7, Dune 4", text=canonical, label="options")
    monotone: bool = control(
        True, choices=((True, "yes"), (False, "no")), label="scores are counts"
    )
    reading: str = control(
        "range",
        choices=(
            ("declared", "declared: 0 to 100"),
            ("largest", "0 to the largest value there"),
            ("range", "smallest to largest value there"),
        ),
        label="bounds",
    )
    value: int = control(100, grid=VALUES, symbol="v", label="Ada's value")
    others: int = control(20, grid=VALUES, symbol="w", label="everybody else's value")
    how: str = control(
        "each",
        choices=(("each", "each record with probability δ"), ("one", "one record at random")),
        label="what is published",
    )
    chance: float = control(0.01, grid=CHANCES, symbol="δ", label="probability of a record")
    n_people: int = control(100, grid=PEOPLE, symbol="n", label="people")
    delta: float = shared.delta()
    seed: int = shared.seed()
