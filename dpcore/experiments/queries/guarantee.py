"""What each way of asking computes, and what it promises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries import (
    afterwards,
    choices,
    groups,
    read_bounds,
    records,
    relations,
    repeats,
    vectors,
)
from dpcore.experiments.queries.params import ANSWERS, CHANCES, QueriesParams
from dpcore.guarantee import Guarantee

__all__ = ["Found", "guarantee", "guarantees", "run"]

Found = (
    repeats.Again
    | read_bounds.Bounds
    | choices.Choosing
    | groups.Group
    | relations.Neighbours
    | vectors.Numbers
    | afterwards.Processing
    | records.Publish
)
_RUNS: dict[str, Callable[[QueriesParams], Found]] = {
    "again": repeats.again,
    "group": groups.group,
    "neighbours": relations.neighbours,
    "numbers": vectors.numbers,
    "processing": afterwards.processing,
    "choosing": choices.choosing,
    "bounds": read_bounds.bounds,
    "publish": records.publish,
}
_PROMISES: dict[str, Callable[[QueriesParams], Guarantee]] = {
    "again": lambda params: repeats.promise(params.epsilon, params.n_answers),
    "group": lambda params: groups.promise(
        params.noise, params.epsilon, params.delta, params.group, wide=True
    ),
    "neighbours": relations.promise,
    "numbers": vectors.promise,
    "processing": afterwards.promise,
    "choosing": choices.promise,
    "bounds": read_bounds.promise,
    "publish": lambda params: (
        records.Publishing(
            n_people=params.n_people, chance=None if params.how == "one" else params.chance
        ).privacy
    ),
}


def run(params: QueriesParams) -> Found:
    """Return what the chosen way of asking gives away, at every value that a slider can take."""
    return _RUNS[params.topic](params)


def guarantees(params: QueriesParams) -> list[Guarantee]:
    """Return what the chosen way of asking promises at every ε of the grid, or with records at every chance.

    Of repeated answers: at every ε, and there for every number of answers.
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
    """Return what the chosen way of asking promises.

    Examples
    --------
    >>> guarantee(QueriesParams(n_answers=10, epsilon=0.5)).epsilon
    5.0
    """
    return _PROMISES[params.topic](params)
