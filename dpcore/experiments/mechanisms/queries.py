"""The lecture's questions: their answers, units and sensitivities."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore import sensitivity
from dpcore.experiments.mechanisms.params import MechanismsParams
from dpcore.guarantee import Neighbouring

__all__ = ["QUERIES", "Query", "query"]


@dataclass(frozen=True, kw_only=True)
class Query:
    """A question with a number for an answer.

    ``answer`` f(D) in ``unit``; ``sensitivity`` Δ in the same unit; ``record`` says what one record
    is, ``why`` derives Δ; ``bounds`` are the public limits of the answer.
    """

    answer: float
    unit: str
    sensitivity: float
    neighbouring: Neighbouring
    record: str
    why: str
    bounds: tuple[float, float] = (0.0, float("inf"))


QUERIES: dict[str, Query] = {
    "count": Query(
        answer=100.0,
        unit="people",
        sensitivity=sensitivity.count(neighbouring="add_remove"),
        neighbouring="add_remove",
        record="one person",
        why="one person more or less changes a count by 1",
    ),
    "heights": Query(
        answer=226.0,
        unit="ft",
        sensitivity=7.0,
        neighbouring="add_remove",
        record="one person",
        why="heights are capped at 7 ft, so one person adds at most 7",
    ),
    "salaries": Query(
        answer=1740.0,
        unit="£k",
        sensitivity=4 * 50.0,
        neighbouring="add_remove",
        record="one team of four",
        why="a team is there or not: 4 salaries of at most £50k",
    ),
}
"""The questions whose sensitivity does not depend on n."""


def query(params: MechanismsParams) -> Query:
    """Return the question of the parameters; the mean's sensitivity 1/n depends on ``n_people``."""
    if params.question != "mean":
        return QUERIES[params.question]
    return Query(
        answer=0.42,
        unit="",
        sensitivity=sensitivity.mean(0.0, 1.0, params.n_people, neighbouring="replace_one"),
        neighbouring="replace_one",
        record="one person",
        why=f"one value replaced moves a mean of n = {params.n_people} by at most 1/n; n is public",
        bounds=(0.0, 1.0),
    )
