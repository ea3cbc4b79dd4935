"""The person whose record a user removes, on the prototype pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments import relevance
from dpcore.experiments.relevance import Problem, RelevanceParams
from ui import live
from ui.figure_kit import bets, outcomes
from ui.figure_kit.common import array
from ui.figure_kit.outcomes import Someone, someone

if TYPE_CHECKING:
    from ui.prototypes.estimates import Draws

__all__ = ["map_records", "person_on_map", "person_seen", "stepped"]

_MAX_POINTS = 2000


def map_records(problem: Problem) -> NDArray[np.int64]:
    """Return the indices of the records on the map.

    If there are many records, a random subset is on the map.
    """
    rows = np.arange(len(problem.y))
    if len(rows) <= _MAX_POINTS:
        return rows
    return np.sort(np.random.default_rng(0).choice(rows, _MAX_POINTS, replace=False))


def person_on_map(problem: Problem, params: RelevanceParams, points: live.Array) -> Someone:
    """Return the person to mark on the map of `map_records`.

    The record of this person is removed or replaced in the neighbouring data set.
    """
    person = relevance.chosen_person(problem, params)
    usual = relevance.chosen_person(problem, params.but(person=0, record=0))
    origin, axes = problem.plane
    place = (np.array(person.x) - origin) @ axes
    away = None
    if relevance.neighbouring(params) == "replace_one":  # the record that stands in her place
        away = (problem.X[relevance.replacement(problem, person.row)] - origin) @ axes
    return someone(
        place,
        points,
        person.row,
        first=usual.row,
        unit=problem.dataset.unit,
        rows=map_records(problem),
        away=away,
    )


def person_seen(
    problem: Problem, params: RelevanceParams, rows: NDArray[np.int64], *, dots: str
) -> Someone:
    """Return the person to mark on a map whose points move from outcome to outcome.

    The positions are not in the result, but in arrays of the figure: ``chosen`` has the person, the array named
    ``dots`` has all drawn records, and ``stranger`` has the record that replaces the person's record, if there is
    one. ``rows`` are the indices of the drawn records, in the order of the array named ``dots``.
    """
    nowhere = np.full((len(rows), 2), np.nan)
    person = relevance.chosen_person(problem, params)
    found = someone(
        nowhere[0],
        array(nowhere),
        person.row,
        first=relevance.chosen_person(problem, params.but(person=0, record=0)).row,
        unit=problem.dataset.unit,
        rows=rows,
        away=nowhere[0] if relevance.neighbouring(params) == "replace_one" else None,
        dots=dots,
    )
    kept = {
        name: found.arrays[name] for name in ("dot_numbers", "stranger") if name in found.arrays
    }
    return replace(found, arrays=kept, without={})


def stepped(
    params: RelevanceParams,
    problem: Problem,
    person: Someone,
    draws: Draws | None,
    worlds: Mapping[str, tuple[live.Array, live.Array]],
    *,
    hidden: tuple[str, ...] = (),
) -> tuple[dict[str, live.Array], live.Breathing | None]:
    """Return the arrays of the outcomes with and without the person's record, and the animation through them.

    The arrays include the largest accuracy of a bet on the record (``bet_bound``). With too few draws there are no
    arrays, and the animation is None.
    """
    if draws is None:
        return {}, None
    right = array(draws.private.T, "v", live.OUTCOME)
    found, stepping = outcomes.stepped(person, right, worlds, hidden=hidden)
    if stepping is None:
        return {}, None
    bound = bets.bound_array(relevance.guarantees(params, problem), "epsilon")
    return {**found, "bet_bound": bound}, stepping
