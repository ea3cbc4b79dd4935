"""The experiment of the page Asking again: eight ways of asking, each with its results and its guarantee.

The ways of asking are the topics of `QueriesParams`, such as repeated answers, groups and many
numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries import answers, choices, sensitivity
from dpcore.experiments.queries.answers import (
    PLACES,
    Again,
    Processing,
    Remembered,
    again,
    hit_rate,
    processed,
    processing,
)
from dpcore.experiments.queries.choices import (
    Choosing,
    Publish,
    Publishing,
    choosing,
    noisy_best,
    noisy_winner,
    publish,
    somebody,
)
from dpcore.experiments.queries.params import ANSWERS, CHANCES, Options, QueriesParams, options
from dpcore.experiments.queries.sensitivity import (
    ASKED,
    Bounds,
    Group,
    Neighbours,
    Numbers,
    bounds,
    for_group,
    for_one,
    group,
    neighbours,
    numbers,
    sensitivities,
    worst_pair,
)
from dpcore.guarantee import Guarantee

__all__ = [
    "ASKED", "PLACES", "Again", "Bounds", "Choosing", "Found", "Group", "Neighbours", "Numbers", "Options",
    "Processing", "Publish", "Publishing", "QueriesParams", "Remembered", "again", "bounds", "choosing",
    "for_group", "for_one", "group", "guarantee", "guarantees",
    "hit_rate", "neighbours", "noisy_best", "noisy_winner",
    "numbers", "options", "processed", "processing", "publish", "run", "sensitivities", "somebody",
    "worst_pair",
]  # fmt: skip

Found = (
    answers.Again
    | sensitivity.Bounds
    | choices.Choosing
    | sensitivity.Group
    | sensitivity.Neighbours
    | sensitivity.Numbers
    | answers.Processing
    | choices.Publish
)
_RUNS: dict[str, Callable[[QueriesParams], Found]] = {
    "again": answers.again,
    "group": sensitivity.group,
    "neighbours": sensitivity.neighbours,
    "numbers": sensitivity.numbers,
    "processing": answers.processing,
    "choosing": choices.choosing,
    "bounds": sensitivity.bounds,
    "publish": choices.publish,
}
_PROMISES: dict[str, Callable[[QueriesParams], Guarantee]] = {
    "again": lambda params: answers.repeated_guarantee(params.epsilon, params.n_answers),
    "group": lambda params: sensitivity.group_guarantee(
        params.noise, params.epsilon, params.delta, params.group, wide=True
    ),
    "neighbours": sensitivity.relation_guarantee,
    "numbers": sensitivity.numbers_guarantee,
    "processing": answers.processed_guarantee,
    "choosing": choices.choice_guarantee,
    "bounds": sensitivity.bounds_guarantee,
    "publish": lambda params: (
        choices.Publishing(
            n_people=params.n_people, chance=None if params.how == "one" else params.chance
        ).privacy
    ),
}


def run(params: QueriesParams) -> Found:
    """Return the results of the way of asking that the parameters choose, for every slider value."""
    return _RUNS[params.topic](params)


def guarantees(params: QueriesParams) -> list[Guarantee]:
    """Return the guarantee of the chosen way to ask, at every ε of the grid.

    For the topic "again" (repeated answers): at every ε and, varying faster, every number of
    answers. For the topic "publish": at every probability of publication instead of ε.
    """
    if params.topic == "publish":
        return [guarantee(params.but(chance=chance)) for chance in CHANCES]
    if params.topic == "again":
        each = [guarantee(params.but(epsilon=epsilon, n_answers=1)) for epsilon in EPSILON_GRID]
        return [
            replace(one, epsilon=k * one.epsilon, event=None, parts=())
            for one in each
            for k in ANSWERS
        ]
    return [guarantee(params.but(epsilon=epsilon)) for epsilon in EPSILON_GRID]


def guarantee(params: QueriesParams) -> Guarantee:
    """Return the guarantee of the way of asking that the parameters choose.

    Examples
    --------
    >>> guarantee(QueriesParams(n_answers=10, epsilon=0.5)).epsilon
    5.0
    """
    return _PROMISES[params.topic](params)
