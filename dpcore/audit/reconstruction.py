"""Reconstruction attack, which computes the records of the counted people from published tables of counts."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from dpcore import _checks
from dpcore._types import Floats, Integers

__all__ = ["consistent_populations", "marginal_tables", "n_recovered", "reconstruct"]

_MOST_PEOPLE = 16
_Four = tuple[int, int, int, int]


def marginal_tables(population: ArrayLike) -> tuple[Integers, Integers, Integers]:
    """Return the three two-way tables of counts of a population.

    Parameters
    ----------
    population : array-like of int (A, 2, 2)
        Number of people in each cell. The first attribute has A values (such as age groups), and the second and third
        attributes have two values each (such as sex and smoking).

    Returns
    -------
    tuple of ndarray (A, 2), (A, 2), (2, 2)
        Counts by the first and second attribute, by the first and third attribute, and by the second and third
        attribute. Each person is in one cell of each table.

    See Also
    --------
    reconstruct, consistent_populations

    Examples
    --------
    >>> [table.tolist() for table in marginal_tables([[[1, 0], [0, 2]]])]
    [[[1, 2]], [[1, 2]], [[1, 0], [0, 2]]]
    """
    counts = _population(population)
    return counts.sum(2), counts.sum(1), counts.sum(0)


def reconstruct(
    tables: Sequence[ArrayLike], *, scale: float, frequencies: ArrayLike, n_people: int
) -> Integers:
    """Return the likeliest population, given noisy tables of counts and public frequencies.

    A population x has xᵢ people in cell i and n people in total. Each published count y is the exact count c(x) plus
    Laplace noise of scale b. The attacker knows n, and knows that a person is in cell i with probability pᵢ. The
    likeliest population minimises the sum of ``|y - c(x)| / b`` over all counts plus the sum of
    ``ln xᵢ! - xᵢ ln pᵢ`` over all cells.

    A dynamic program over the A values of the first attribute solves this problem exactly. For b = 0 it returns the
    likeliest of the populations that have exactly the given tables.

    Parameters
    ----------
    tables : sequence of array-like
        The first tables of `marginal_tables`, with noise; their number is from 0 to 3.
    scale : float
        Scale b ≥ 0 of the Laplace noise on each count.
    frequencies : array-like (A, 2, 2)
        Public frequencies pᵢ > 0 of the cells, with the sum 1.
    n_people : int
        Number n of people, from 1 to 16, known to the attacker.

    Returns
    -------
    ndarray of int (A, 2, 2)
        The population. Among equally likely populations, it is the first one in a fixed order.

    Raises
    ------
    ValueError
        When an argument is outside its range, or no population has exactly these tables.

    See Also
    --------
    marginal_tables, consistent_populations, n_recovered

    References
    ----------
    S. Garfinkel, J. M. Abowd and C. Martindale, "Understanding database reconstruction attacks on public data",
    Communications of the ACM 62(3), 2019.

    I. Dinur and K. Nissim, "Revealing information while preserving privacy", PODS, 2003.

    Examples
    --------
    >>> people = np.array([[[1, 0], [0, 1]], [[0, 2], [0, 0]]])
    >>> even = np.full(people.shape, 1 / people.size)
    >>> found = reconstruct(marginal_tables(people), scale=0, frequencies=even, n_people=4)
    >>> n_recovered(people, found)
    4
    """
    from dpcore.audit._reconstruction_compiled import cheapest

    b = _checks.number("scale", scale, low=0)
    n = _checks.integer("n_people", n_people, low=1, high=_MOST_PEOPLE)
    known = _frequencies(frequencies)
    published = _tables(tables, len(known))
    blocks = _blocks(n)
    costs = -_log_prior(blocks.parts, known)
    for table, index in zip(published[:2], (blocks.rows, blocks.columns), strict=False):
        costs += _misfit(table[:, None], blocks.pairs, b)[:, index]
    last = np.where(blocks.parts.sum(1) == n, 0.0, math.inf)
    if len(published) > 2:
        last += _misfit(published[2].ravel(), blocks.parts, b)
    total, found = cheapest(costs, last, blocks.starts, blocks.first, blocks.second)
    if not math.isfinite(total):
        raise ValueError(
            f"tables of {n} people without noise (scale={b:g}) contradict each other: give tables of one "
            "population, or the scale of their noise."
        )
    return np.asarray(blocks.parts[found].reshape(len(known), 2, 2), np.int64)


def consistent_populations(tables: Sequence[ArrayLike]) -> int:
    """Return the number of populations that have exactly the given tables.

    If it is 1, the tables determine the attributes of all people.

    Parameters
    ----------
    tables : sequence of array-like
        The first tables of `marginal_tables`, without noise; their number is from 1 to 3.

    Returns
    -------
    int
        Number of populations, which is 0 if the tables contradict each other.

    Raises
    ------
    ValueError
        When there is no table, or a count is not a whole number ≥ 0.

    See Also
    --------
    reconstruct, marginal_tables

    Examples
    --------
    >>> tables = marginal_tables([[[1, 0], [0, 1]]])
    >>> [consistent_populations(tables[:k]) for k in (1, 2, 3)]
    [4, 2, 1]
    """
    if not len(tables):
        raise ValueError("tables of length 0 are not allowed: give the first one, two or three.")
    published = [_counts(table) for table in _tables(tables, len(np.asarray(tables[0])))]
    sums: Counter[_Four] = Counter({(0, 0, 0, 0): 1})
    for a in range(len(published[0])):
        grown: Counter[_Four] = Counter()
        for block in _blocks_with([table[a] for table in published[:2]]):
            for so_far, times in sums.items():
                grown[_plus(so_far, block)] += times
        sums = grown
    if len(published) < 3:
        return sum(sums.values())
    (one, two), (three, four) = published[2].tolist()
    return sums[one, two, three, four]


def n_recovered(population: ArrayLike, found: ArrayLike) -> int:
    """Return the number of people whom a reconstruction contains with the correct attributes.

    This number is Σᵢ min(xᵢ, x̂ᵢ), where xᵢ and x̂ᵢ are the true and the reconstructed number of people in cell i.

    Parameters
    ----------
    population, found : array-like of int (A, 2, 2)
        True and reconstructed number of people in each cell.

    Returns
    -------
    int

    See Also
    --------
    reconstruct

    Examples
    --------
    >>> n_recovered([[[2, 0], [1, 0]]], [[[1, 1], [1, 0]]])
    2
    """
    return int(np.minimum(_population(population), _population(found)).sum())


class _Blocks(NamedTuple):
    """All S ways (parts) to distribute at most n people to the four cells of one value of the first attribute.

    ``parts`` (S, 4) holds the numbers of people in the cells. ``pairs`` (P, 2) holds the distinct pairs of counts by
    one of the two other attributes. ``rows`` (S,) and ``columns`` (S,) are the indices in ``pairs`` of the counts of
    each part, by the second and by the third attribute. ``starts``, ``first`` and ``second`` list the pairs of parts
    with a given sum, as the arguments ``starts``, ``parts`` and ``rests`` of ``cheapest`` in the compiled module.
    """

    parts: Integers
    pairs: Integers
    rows: Integers
    columns: Integers
    starts: Integers
    first: NDArray[np.int32]
    second: NDArray[np.int32]


@lru_cache(maxsize=4)
def _blocks(n: int) -> _Blocks:
    side = n + 1
    every = np.array(list(itertools.product(range(side), repeat=4)))
    parts = every[every.sum(1) <= n]
    weights = side ** np.arange(3, -1, -1)
    place = np.full(side**4, -1)
    place[parts @ weights] = np.arange(len(parts))
    below = [np.flatnonzero((parts <= whole).all(1)) for whole in parts]
    sizes = np.array([len(some) for some in below])
    first = np.concatenate(below).astype(np.int32)
    second = place[(np.repeat(parts, sizes, axis=0) - parts[first]) @ weights].astype(np.int32)
    cells = parts.reshape(-1, 2, 2)
    pairs, index = np.unique(
        np.concatenate([cells.sum(2), cells.sum(1)]), axis=0, return_inverse=True
    )
    rows, columns = index.reshape(2, -1)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    return _Blocks(parts, pairs, rows, columns, starts, first, second)


def _log_prior(parts: Integers, frequencies: Floats) -> Floats:
    """Return the logarithm (A, S) of Π pᵢ^xᵢ/xᵢ! for each of A groups and each of the parts x (S, 4)."""
    logs = np.log(frequencies).reshape(len(frequencies), 4)
    return np.asarray(logs @ parts.T - gammaln(parts + 1.0).sum(1), float)


def _misfit(table: Floats, counts: Integers, scale: float) -> Floats:
    """Return the sum of |table - counts| / scale over the last axis; for scale 0 it is 0 or infinite."""
    gap = np.abs(table - counts).sum(-1)
    return np.asarray(gap / scale if scale else np.where(gap > 0, math.inf, 0.0), float)


def _blocks_with(margins: Sequence[Integers]) -> Iterator[_Four]:
    """Yield all 2 × 2 blocks with the row sums ``margins[0]`` and, if it is given, the column sums ``margins[1]``."""
    above, below = margins[0].tolist()
    for one in range(above + 1):
        for two in range(below + 1):
            columns = [one + two, above + below - one - two]
            if len(margins) < 2 or margins[1].tolist() == columns:
                yield one, above - one, two, below - two


def _plus(a: _Four, b: _Four) -> _Four:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]


def _population(population: ArrayLike) -> Integers:
    counts = _counts(population)
    if counts.ndim != 3 or counts.shape[1:] != (2, 2):
        raise ValueError(
            f"a population of shape {counts.shape} is not allowed: give counts (A, 2, 2)."
        )
    return counts


def _counts(values: ArrayLike) -> Integers:
    numbers = np.asarray(values)
    if not (np.isfinite(numbers) & (numbers >= 0) & (numbers == np.floor(numbers))).all():
        raise ValueError(
            f"counts from {np.min(numbers):g} to {np.max(numbers):g} are not all allowed: give whole "
            "numbers of at least 0."
        )
    return numbers.astype(np.int64)


def _frequencies(frequencies: ArrayLike) -> Floats:
    shares = np.asarray(frequencies, float)
    fits = shares.ndim == 3 and shares.shape[1:] == (2, 2) and (shares > 0).all()
    if not fits or not math.isclose(shares.sum(), 1, rel_tol=1e-9):
        raise ValueError(
            f"frequencies of shape {shares.shape} with the sum {shares.sum():g} are not allowed: give "
            "positive numbers (A, 2, 2) with the sum 1."
        )
    return shares


def _tables(tables: Sequence[ArrayLike], n_groups: int) -> list[Floats]:
    published = [np.asarray(table, float) for table in tables]
    shapes = [(n_groups, 2), (n_groups, 2), (2, 2)]
    seen = [table.shape for table in published]
    if seen != shapes[: len(seen)] or not all(np.isfinite(table).all() for table in published):
        raise ValueError(
            f"tables of shapes {seen} are not allowed: give the first of finite tables of the shapes {shapes}."
        )
    return published
