"""The experiment of the Asking again page: ten ways of asking, each with its results and its guarantee.

A way of asking is a topic of `QueriesParams`, such as repeated answers, groups or many numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries import answers, records, sensitivity
from dpcore.experiments.queries.answers import (
    PLACES,
    Again,
    Choosing,
    Processing,
    Remembered,
    again,
    choosing,
    hit_rate,
    noisy_best,
    noisy_winner,
    processed,
    processing,
)
from dpcore.experiments.queries.params import ANSWERS, CHANCES, Options, QueriesParams, options
from dpcore.experiments.queries.records import (
    AGES,
    DIAGNOSES,
    N_BLOCK,
    N_DRAWS,
    N_GUESSES,
    N_PATIENTS,
    N_RESIDENTS,
    Joined,
    Publish,
    Publishing,
    Reconstructed,
    Tables,
    determined_blocks,
    joined,
    people_block,
    publish,
    reconstructed,
    recovered_in_draws,
    somebody,
    tables,
    town,
)
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
    "AGES", "ASKED", "DIAGNOSES", "N_BLOCK", "N_DRAWS", "N_GUESSES", "N_PATIENTS", "N_RESIDENTS", "PLACES",
    "Again", "Bounds", "Choosing", "Found", "Group", "Joined", "Neighbours", "Numbers", "Options",
    "Processing", "Publish", "Publishing", "QueriesParams", "Reconstructed", "Remembered", "Tables",
    "again", "bounds", "choosing", "determined_blocks", "for_group", "for_one", "group", "guarantee",
    "guarantees", "hit_rate", "joined", "neighbours", "noisy_best", "noisy_winner", "numbers", "options",
    "people_block", "processed", "processing", "publish", "reconstructed", "recovered_in_draws", "run",
    "sensitivities", "somebody", "tables", "town", "worst_pair",
]  # fmt: skip

Found = (
    answers.Again
    | sensitivity.Bounds
    | answers.Choosing
    | sensitivity.Group
    | sensitivity.Neighbours
    | sensitivity.Numbers
    | answers.Processing
    | records.Publish
    | records.Joined
    | records.Tables
)
_RUNS: dict[str, Callable[[QueriesParams], Found]] = {
    "again": answers.again,
    "group": sensitivity.group,
    "neighbours": sensitivity.neighbours,
    "numbers": sensitivity.numbers,
    "processing": answers.processing,
    "choosing": answers.choosing,
    "bounds": sensitivity.bounds,
    "publish": records.publish,
    "reconstruct": records.tables,
    "linkage": records.joined,
}
_PROMISES: dict[str, Callable[[QueriesParams], Guarantee]] = {
    "again": lambda params: answers.repeated_guarantee(params.epsilon, params.n_answers),
    "group": lambda params: sensitivity.group_guarantee(
        params.noise, params.epsilon, params.delta, params.group, wide=True
    ),
    "neighbours": sensitivity.relation_guarantee,
    "numbers": sensitivity.numbers_guarantee,
    "processing": answers.processed_guarantee,
    "choosing": answers.choice_guarantee,
    "bounds": sensitivity.bounds_guarantee,
    "publish": lambda params: (
        records.Publishing(
            n_people=params.n_people, chance=None if params.how == "one" else params.chance
        ).privacy
    ),
    "reconstruct": records.tables_guarantee,
    "linkage": records.diagnoses_guarantee,
}


def run(params: QueriesParams) -> Found:
    """Return the results of the chosen way of asking, for every slider value."""
    return _RUNS[params.topic](params)


def guarantees(params: QueriesParams) -> list[Guarantee]:
    """Return the guarantees of the chosen way of asking, one for each value of a slider.

    - Most topics: one guarantee for each ε of the grid.
    - Topic "again" (repeated answers): one guarantee for each pair of an ε and a number of answers.
      The guarantees for all numbers of answers at the first ε come first, then those at the second.
    - Topic "publish": one guarantee for each probability that a record is published.
    """
    if params.topic == "publish":
        return [guarantee(params.but(chance=chance)) for chance in CHANCES]
    if params.topic == "again":
        each = [guarantee(params.but(epsilon=epsilon, n_answers=1)) for epsilon in EPSILON_GRID]
        return [row for one in each for row in one.tabulated(k * one.epsilon for k in ANSWERS)]
    return [guarantee(params.but(epsilon=epsilon)) for epsilon in EPSILON_GRID]


def guarantee(params: QueriesParams) -> Guarantee:
    """Return the guarantee of the chosen way of asking.

    Examples
    --------
    >>> guarantee(QueriesParams(n_answers=10, epsilon=0.5)).epsilon
    5.0
    """
    return _PROMISES[params.topic](params)
