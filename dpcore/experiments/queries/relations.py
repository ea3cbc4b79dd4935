"""What a neighbour is, as a switch: sensitivities for a record more or less, and for one replaced."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import sensitivity
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries.params import QueriesParams
from dpcore.experiments.queries.repeats import hit_rate
from dpcore.guarantee import Guarantee, Neighbouring
from dpcore.mechanisms import Additive, Laplace

__all__ = ["ASKED", "Neighbours", "mechanism", "neighbours", "promise", "reach", "worst_pair"]

Floats = NDArray[np.float64]
Records = tuple[float, ...]
ASKED = ("count", "sum", "mean", "histogram")
_VALUES = (0.0, 0.5, 1.0)
_LARGEST = 3
_N_DRAWS = 80


def _histogram(records: Records) -> Floats:
    return np.array([records.count(value) for value in _VALUES], float)


_QUESTIONS: dict[str, Callable[[Records], Floats]] = {
    "count": lambda records: np.array([float(len(records))]),
    "sum": lambda records: np.array([sum(records)]),
    "mean": lambda records: np.array([float(np.mean(records))]),
    "histogram": _histogram,
}


def reach(query: str, neighbouring: Neighbouring, n_people: int) -> float:
    """Return the L1 sensitivity of a question to records with values from 0 to 1.

    Of the mean: 1/n when a record of n is replaced; 1/2 when the size is private and not 0, reached
    from one record to two.

    Examples
    --------
    >>> [reach(q, "add_remove", 100) for q in ASKED], [reach(q, "replace_one", 100) for q in ASKED]
    ([1.0, 1.0, 0.5, 1.0], [0.0, 1.0, 0.01, 2.0])
    """
    match query:
        case "count":
            return sensitivity.count(neighbouring=neighbouring)
        case "histogram":
            return sensitivity.histogram(norm=1, neighbouring=neighbouring)
        case "mean":
            if neighbouring == "replace_one":
                return sensitivity.mean(0.0, 1.0, n_samples=n_people, neighbouring=neighbouring)
            return 0.5
    return 1.0


def _near(records: Records, neighbouring: Neighbouring) -> Iterator[Records]:
    """Every neighbour of a data set; with a private size those with a record less: the others are theirs."""
    for k in range(len(records)):
        rest = records[:k] + records[k + 1 :]
        if neighbouring == "replace_one":
            yield from ((*records[:k], value, *records[k + 1 :]) for value in _VALUES)
        elif rest:
            yield rest


def worst_pair(query: str, neighbouring: Neighbouring) -> tuple[float, Records, Records, int]:
    """Return the largest change of an answer among all data sets of up to three records 0, ½ or 1.

    Parameters
    ----------
    query : str
        One of `ASKED`.
    neighbouring : "add_remove" or "replace_one"
        Which data sets are compared; under replace_one those of three records.

    Returns
    -------
    (float, tuple, tuple, int)
        The change in the L1 norm, the two data sets, and how many pairs were tried.

    Examples
    --------
    >>> worst_pair("mean", "add_remove")[:3]
    (0.5, (0.0, 1.0), (1.0,))
    """
    sizes = (_LARGEST,) if neighbouring == "replace_one" else range(1, _LARGEST + 1)
    best: tuple[float, Records, Records] = (-1.0, (), ())
    tried, ask = 0, _QUESTIONS[query]
    for size in sizes:
        for one in itertools.product(_VALUES, repeat=size):
            for other in _near(one, neighbouring):
                tried += 1
                change = float(np.abs(ask(one) - ask(other)).sum())
                if change > best[0] + 1e-12:
                    best = (change, one, other)
    return (*best, tried)


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """A question under one relation, and all questions under both.

    ``answer`` and ``other``: the (first number of the) answer with two worst neighbours; ``reach``: Δ₁;
    ``table`` (2, 4): Δ₁ of `ASKED` when added or removed, when replaced; ``pair``, ``tried``: the worst small
    data sets; ``noise`` (80,): unit Laplace draws; ``hits`` (E,): an attacker's share of right guesses.
    """

    answer: float
    other: float
    reach: float
    table: Floats
    pair: tuple[Records, Records]
    tried: int
    noise: Floats
    hits: Floats


def neighbours(params: QueriesParams) -> Neighbours:
    """Return the sensitivities of all questions, and the two worlds of the one that is asked.

    Examples
    --------
    >>> neighbours(QueriesParams(topic="neighbours", relation="replace_one")).table[1].tolist()
    [0.0, 1.0, 0.01, 2.0]
    """
    relation = cast(Neighbouring, params.relation)
    _, one, other, tried = worst_pair(params.query, relation)
    far = reach(params.query, relation, params.n_people)
    kinds: tuple[Neighbouring, ...] = ("add_remove", "replace_one")
    # One cell of a histogram moves by 1 at most, whatever the relation.
    moved = min(far, 1.0)
    return Neighbours(
        answer=moved, other=0.0, reach=far,
        table=np.array([[reach(q, kind, params.n_people) for q in ASKED] for kind in kinds]),
        pair=(one, other), tried=tried, hits=_hits(far),
        noise=Laplace(epsilon=1.0).sample(np.zeros(_N_DRAWS), np.random.default_rng(params.seed)),
    )  # fmt: skip


def _hits(far: float) -> Floats:
    """The best test of the whole answer; of two cells that move by 1 each, with noise for a change of 2."""
    if not far:
        return np.full(len(EPSILON_GRID), 0.5)
    cells = 2 if far == 2.0 else 1
    return np.array([hit_rate(e / cells, cells, levels=64) for e in EPSILON_GRID])


def mechanism(params: QueriesParams) -> Additive:
    """Return Laplace noise for the question under the chosen relation."""
    relation = cast(Neighbouring, params.relation)
    return Laplace(
        epsilon=params.epsilon,
        sensitivity=reach(params.query, relation, params.n_people),
        neighbouring=relation,
    )


def promise(params: QueriesParams) -> Guarantee:
    """Return what the noisy answer promises under the chosen relation."""
    made = mechanism(params)
    found, private = made.privacy, params.relation == "add_remove"
    if private and params.query == "mean":
        found = replace(
            found,
            public=(
                "that somebody is in the data: the mean of an empty data set is undefined",
                *found.public,
            ),
        )
    if private:
        return found
    hidden = "how many people are in the data: n is public, and not protected at all"
    return replace(found, not_protected=(hidden, *found.not_protected))
