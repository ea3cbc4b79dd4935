"""Sensitivity under each neighbouring relation, for groups, for many counts, and with bounds from the data."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import sensitivity
from dpcore.accounting import group_privacy
from dpcore.audit import choose_threshold, count, two_worlds
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.queries.answers import hit_rate
from dpcore.experiments.queries.params import GROUPS, NUMBERS, QueriesParams
from dpcore.guarantee import Guarantee, Neighbouring
from dpcore.mechanisms import Additive, Gaussian, Laplace, gaussian_epsilons, gaussian_sigma
from dpcore.units import Unit

__all__ = [
    "ASKED",
    "DECLARED",
    "N_PEOPLE",
    "N_RELEASES",
    "PLACES",
    "SHOWN",
    "Bounds",
    "Group",
    "Neighbours",
    "Numbers",
    "World",
    "bounds",
    "bounds_guarantee",
    "for_group",
    "for_one",
    "group",
    "group_guarantee",
    "neighbours",
    "numbers",
    "numbers_guarantee",
    "numbers_mechanism",
    "reach",
    "relation_guarantee",
    "relation_mechanism",
    "sensitivities",
    "world",
    "worst_pair",
]

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
    """Return the L1 sensitivity of a query to records with values in [0, 1].

    The sensitivity of the mean is 1/n if one of n records is replaced. If a record is added or
    removed, the number of records is private and at least 1. The sensitivity of the mean is then ½,
    since a second record can change the mean of a single record by ½.

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
    """Yield the neighbours of a data set.

    Under add_remove only the neighbours with one record less are yielded, which suffices by
    symmetry.
    """
    for k in range(len(records)):
        rest = records[:k] + records[k + 1 :]
        if neighbouring == "replace_one":
            yield from ((*records[:k], value, *records[k + 1 :]) for value in _VALUES)
        elif rest:
            yield rest


def worst_pair(query: str, neighbouring: Neighbouring) -> tuple[float, Records, Records, int]:
    """Return the largest change of a query between small neighbouring data sets.

    The data sets have up to three records with values 0, ½ or 1.

    Parameters
    ----------
    query : str
        One of `ASKED`.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation; under replace_one only data sets of three records are compared.

    Returns
    -------
    (float, tuple, tuple, int)
        The change in the L1 norm, the two data sets, and the number of pairs compared.

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
    """Sensitivities of all queries, and results of the chosen query on two worst neighbours.

    - ``answer`` and ``other``: exact answers on the two neighbours; for a query with several
      numbers, the first one.
    - ``reach``: the query's L1 sensitivity Δ₁.
    - ``table`` (2, 4): Δ₁ of the queries `ASKED`, if a record is added or removed and if a record
      is replaced.
    - ``pair``: the two small data sets, among ``tried`` neighbouring pairs, with the largest change
      of the query.
    - ``noise`` (80,): draws of Laplace noise of scale 1.
    - ``hits`` (E,): accuracy of the best test between the neighbours at E = 50 values of ε.
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
    """Return the sensitivities of all queries, and the chosen query's results on two worst neighbours.

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
        pair=(one, other), tried=tried, hits=_hits_at_reach(far),
        noise=Laplace(epsilon=1.0).sample(np.zeros(_N_DRAWS), np.random.default_rng(params.seed)),
    )  # fmt: skip


def _hits_at_reach(far: float) -> Floats:
    """Return the accuracy of the best test between two worst neighbours, at every ε.

    ``far`` is the L1 sensitivity. If it is 2, two cells of a histogram change by 1 each. Otherwise
    only one number changes.
    """
    if not far:
        return np.full(len(EPSILON_GRID), 0.5)
    cells = 2 if far == 2.0 else 1
    return np.array([hit_rate(e / cells, cells, levels=64) for e in EPSILON_GRID])


def relation_mechanism(params: QueriesParams) -> Additive:
    """Return the Laplace mechanism for the chosen query under the chosen neighbouring relation."""
    relation = cast(Neighbouring, params.relation)
    return Laplace(
        epsilon=params.epsilon,
        sensitivity=reach(params.query, relation, params.n_people),
        neighbouring=relation,
    )


def relation_guarantee(params: QueriesParams) -> Guarantee:
    """Return the guarantee of the noisy answer to the chosen query under the chosen neighbouring relation."""
    mechanism = relation_mechanism(params)
    guarantee, private = mechanism.privacy, params.relation == "add_remove"
    if private and params.query == "mean":
        guarantee = replace(
            guarantee,
            public=(
                "that somebody is in the data: the mean of an empty data set is undefined",
                *guarantee.public,
            ),
        )
    if private:
        return guarantee
    hidden = "how many people are in the data: n is public, and not protected at all"
    return replace(guarantee, not_protected=(hidden, *guarantee.not_protected))


@dataclass(frozen=True, kw_only=True)
class Group:
    """Privacy of groups of k people.

    There are E = 50 values of ε, D values of δ (one for Laplace noise) and K values of k.

    - ``scale`` (E, D): b or σ of the noise for one person. The noise for a group has k times this
      scale.
    - ``error`` (E, D): mean error with noise for one person.
    - ``epsilon`` (E, D, K): actual ε of the group at the same δ, with noise for one person.
    - ``delta`` (E, D, K): actual δ of the group at kε, with noise for one person.
    - ``rule_epsilon``, ``rule_delta`` (E, D, K): ε and δ of the group by the general rule for
      groups, which holds for any mechanism.
    - ``hits`` (E, D, K): accuracy of the best test for the group's presence, with noise for one
      person.
    - ``hits_group`` (E, D): the same accuracy with noise for the group.
    """

    pure: bool
    scale: Floats
    epsilon: Floats
    rule_epsilon: Floats
    rule_delta: Floats
    delta: Floats
    hits: Floats
    hits_group: Floats
    error: Floats


def group(params: QueriesParams) -> Group:
    """Return the privacy of groups of k people at every ε, δ and k.

    The noise protects one person or the group.

    Examples
    --------
    >>> found = group(QueriesParams(topic="group", noise="gaussian"))
    >>> round(float(found.epsilon[20, 3, 1]), 4)   # ε = 1, δ = 1e-5, two people
    2.1547
    """
    return _group(params.noise)


@lru_cache(maxsize=2)
def _group(noise: str) -> Group:
    deltas = DELTA_GRID if noise == "gaussian" else (0.0,)
    table = [[for_one(noise, e, d) for d in deltas] for e in EPSILON_GRID]
    rule = np.array(
        [[[group_privacy(e, d, group=k) for k in GROUPS] for d in deltas] for e in EPSILON_GRID]
    )
    sizes = np.array(GROUPS, float)
    scale = np.array([[mechanism.scale for mechanism in row] for row in table])
    hits = _each(table, lambda mechanism, k: (1 + mechanism.delta_at(0.0, k)) / 2)
    pure = noise == "laplace"
    return Group(
        pure=pure,
        scale=scale,
        epsilon=rule[..., 0]
        if pure
        else gaussian_epsilons(scale[..., None] / sizes, np.array(deltas)[:, None]),
        rule_epsilon=rule[..., 0],
        rule_delta=rule[..., 1],
        delta=_each(table, lambda mechanism, k: mechanism.delta_at(k * mechanism.epsilon, k)),
        hits=hits,
        hits_group=hits[..., 0],
        error=np.array([[mechanism.mean_error() for mechanism in row] for row in table]),
    )


def _each(table: list[list[Additive]], of) -> Floats:  # type: ignore[no-untyped-def]
    return np.array(
        [[[of(mechanism, k) for k in GROUPS] for mechanism in row] for row in table], float
    )


def for_one(noise: str, epsilon: float, delta: float) -> Additive:
    """Return the mechanism on a count that is (ε, δ)-DP for one person."""
    return for_group(noise, epsilon, delta, 1)


def for_group(noise: str, epsilon: float, delta: float, size: int) -> Additive:
    """Return the mechanism on a count that is (ε, δ)-DP for groups of ``size`` people.

    The noise has ``size`` times the scale for one person.
    """
    if noise == "gaussian":
        return Gaussian(epsilon=epsilon, delta=delta, sensitivity=float(size))
    return Laplace(epsilon=epsilon, sensitivity=float(size))


def group_guarantee(
    noise: str, epsilon: float, delta: float, size: int, *, wide: bool
) -> Guarantee:
    """Return the guarantee of a noisy count for a group of ``size`` people.

    The noise is scaled for the group (``wide``) or for one person. Neighbours differ in all people
    of the group.
    """
    mechanism = for_group(noise, epsilon, delta, size if wide else 1)
    guarantee = mechanism.privacy
    why = f"the noise is made for {size} people, who move a count by at most {size} together"
    if not wide:
        row, place = EPSILON_GRID.index(epsilon), GROUPS.index(size)
        column = DELTA_GRID.index(delta) if noise == "gaussian" else 0
        real = float(_group(noise).epsilon[row, column, place])
        guarantee = replace(guarantee, epsilon=real, claimed_epsilon=None, parts=(), event=None)
        why = f"the noise is made for one person; {size} people move the count {size} times as far"
    return replace(
        guarantee,
        argument=f"{mechanism.name} noise on a count; {why}. So much holds for any group of {size}.",
        unit=Unit(singular=f"group of {size}", plural=f"groups of {size}")
        if size > 1
        else guarantee.unit,
        not_protected=(f"groups of more than {size} people", *guarantee.not_protected),
    )


SHOWN = 20
"""Largest number of counts that the figure shows."""
_COUNTS = np.array([38, 31, 27, 34, 22, 25, 17, 29, 13, 19, 24, 11, 16, 9, 21, 7, 12, 5, 8, 3.0])


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """Noise on vectors of k counts.

    There are E = 50 values of ε, D values of δ and K values of k.

    - ``first``, ``second`` (K,): L1 and L2 sensitivity.
    - ``laplace`` (E, K) and ``gaussian`` (E, D, K): standard deviation of the noise on each count.
    - ``noise`` (2, 20): draws of Laplace and of Gaussian noise of standard deviation 1.
    - ``counts`` (20,): exact counts.
    - ``crossing`` (E, D): the number of counts k above which Gaussian noise is smaller than Laplace
      noise; inf if there is none.
    """

    first: Floats
    second: Floats
    laplace: Floats
    gaussian: Floats
    noise: Floats
    counts: Floats
    crossing: Floats


def sensitivities(shape: str, n_numbers: int, neighbouring: Neighbouring) -> tuple[float, float]:
    """Return the L1 and L2 sensitivity of k counts: a histogram of k cells, or k yes/no questions.

    - A histogram counts a person in one cell. The sensitivities are 1 and 1 if a person is added or
      removed, and 2 and √2 if one is replaced.
    - k questions count a person up to k times. The sensitivities are k and √k under both relations,
      since every count changes by at most 1.

    Examples
    --------
    >>> sensitivities("histogram", 10, "replace_one")[0], sensitivities("vector", 9, "add_remove")
    (2.0, (9.0, 3.0))
    """
    if shape == "vector":
        return float(n_numbers), math.sqrt(n_numbers)
    if n_numbers == 1:  # one cell holds everybody: their number, public where one is replaced
        size = sensitivity.count(neighbouring=neighbouring)
        return size, size
    return (
        sensitivity.histogram(norm=1, neighbouring=neighbouring),
        sensitivity.histogram(norm=2, neighbouring=neighbouring),
    )


@lru_cache(maxsize=1)
def _sigmas() -> Floats:
    return np.array([[gaussian_sigma(1.0, e, delta=d) for d in DELTA_GRID] for e in EPSILON_GRID])


def numbers(params: QueriesParams) -> Numbers:
    """Return the noise on vectors of k counts at every ε, δ and k.

    ``crossing`` in the example is the number of counts k above which Gaussian noise is smaller than
    Laplace noise.

    Examples
    --------
    >>> found = numbers(QueriesParams(topic="numbers", shape="vector"))
    >>> round(float(found.crossing[20, 3]), 3)   # ε = 1, δ = 1e-5
    6.959
    """
    relation = cast(Neighbouring, params.relation)
    reach = np.array([sensitivities(params.shape, k, relation) for k in NUMBERS])
    first, second = reach.T
    sigma, root = _sigmas(), np.sqrt(2) / np.array(EPSILON_GRID)
    crossing = np.square(sigma / root[:, None])
    rng = np.random.default_rng(params.seed)
    return Numbers(
        first=first, second=second, laplace=root[:, None] * first,
        gaussian=sigma[..., None] * second,
        noise=np.stack([Laplace(epsilon=math.sqrt(2)).sample(np.zeros(SHOWN), rng),
                        rng.standard_normal(SHOWN)]),
        counts=_COUNTS,
        crossing=crossing if params.shape == "vector" else np.full_like(crossing, np.inf),
    )  # fmt: skip


def numbers_mechanism(params: QueriesParams) -> Additive:
    """Return the mechanism on all k counts: Laplace with the L1 sensitivity, or Gaussian with the L2 sensitivity."""
    relation = cast(Neighbouring, params.relation)
    first, second = sensitivities(params.shape, params.n_numbers, relation)
    if params.noise == "gaussian":
        return Gaussian(
            epsilon=params.epsilon, delta=params.delta, sensitivity=second, neighbouring=relation
        )
    return Laplace(epsilon=params.epsilon, sensitivity=first, neighbouring=relation)


def numbers_guarantee(params: QueriesParams) -> Guarantee:
    """Return the joint guarantee of all k noisy counts."""
    mechanism = numbers_mechanism(params)
    norm = "L2" if params.noise == "gaussian" else "L1"
    who = "in one of them" if params.shape == "histogram" else "in all of them"
    return replace(
        mechanism.privacy,
        argument=f"{mechanism.name} noise on each of {params.n_numbers} counts; a person counts {who}, so that the "
        f"{norm} norm of all changes is at most {mechanism.sensitivity:.3g}.",
    )


N_PEOPLE = 20
DECLARED = (0.0, 100.0)
N_RELEASES = 1000
_LINES = np.sinh(np.linspace(0, 5, 41)) / np.sinh(5) * 45
PLACES = np.concatenate([-_LINES[:0:-1], _LINES])
"""Positions at which a density is computed, in units of the noise scale."""


@dataclass(frozen=True, kw_only=True)
class World:
    """Mean and sensitivity of one of two neighbouring data sets.

    - ``mean``: the exact mean of the values.
    - ``reach``: the sensitivity (high - low)/n that scales the noise, with bounds low and high of n
      values.
    """

    mean: float
    reach: float

    def scale(self, epsilon: float) -> float:
        """Return the scale b = ``reach``/ε of the Laplace noise."""
        return self.reach / epsilon


def world(params: QueriesParams, ada: float) -> World:
    """Return mean and sensitivity of the data set in which one person, Ada, has the value ``ada``.

    The 19 other people have the value ``others`` of the parameters.
    """
    values = np.full(N_PEOPLE, float(params.others))
    values[0] = ada
    low, high = DECLARED
    if params.reading != "declared":
        high = float(values.max())
    if params.reading == "range":
        low = float(values.min())
    reach = sensitivity.mean(low, high, n_samples=N_PEOPLE, neighbouring="replace_one")
    return World(mean=float(np.clip(values, low, high).mean()), reach=reach)


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Attacks on a noisy mean at E = 50 values of ε.

    The bounds of the values may be read from the data. The attack distinguishes two neighbouring
    data sets that differ in the value of one person, Ada.

    - ``there``: the data set in which Ada has her own value.
    - ``other``: the data set in which Ada has the same value as all others.
    - ``noise`` (80,): draws of Laplace noise of scale 1.
    - ``hits`` (E,): accuracy of the best test between the two data sets.
    - ``shown`` (E,): lower bound on ε at 95 % confidence, from an attack with 1,000 releases of
      each data set.
    - ``honest`` (E,): the same lower bound if the bounds of the values are declared.
    - ``ceiling``: the largest lower bound that 1,000 releases of each data set can give.
    - ``real`` (E,): actual ε of this pair of data sets, the largest |ln ratio| of their output
      densities.
    """

    there: World
    other: World
    noise: Floats
    hits: Floats
    shown: Floats
    honest: Floats
    ceiling: float
    real: Floats


def bounds(params: QueriesParams) -> Bounds:
    """Return two neighbouring data sets with the results of attacks on their noisy means, at every ε.

    Parameters
    ----------
    params : QueriesParams
        ``reading``, ``value``, ``others`` and ``seed`` are used.

    Returns
    -------
    Bounds

    Examples
    --------
    >>> found = bounds(QueriesParams(topic="bounds"))
    >>> float(found.hits[0]), bool(found.shown[0] > 5)   # ε = 0.05 is claimed
    (1.0, True)
    """
    there, other = world(params, float(params.value)), world(params, float(params.others))
    declared = params.but(reading="declared")
    pair = world(declared, float(params.value)), world(declared, float(params.others))
    # Two sets of noise: what a threshold is chosen on is not counted.
    rng = np.random.default_rng(params.seed)
    noise = Laplace(epsilon=1.0).sample(np.zeros((2, 2, N_RELEASES)), rng)
    shown = np.array([_attack(there, other, e, noise) for e in EPSILON_GRID])
    same = pair == (there, other)  # bounds that are declared are attacked once
    return Bounds(
        there=there,
        other=other,
        noise=noise[0, 0, :_N_DRAWS],
        hits=np.array([_hits(there, other, e) for e in EPSILON_GRID]),
        shown=shown,
        honest=shown if same else np.array([_attack(*pair, e, noise) for e in EPSILON_GRID]),
        ceiling=two_worlds(0, 0, n=N_RELEASES).ceiling,
        real=np.array([_real(there, other, e) for e in EPSILON_GRID]),
    )


def _log_ratio(seen: Floats, there: World, other: World, epsilon: float) -> Floats:
    """Return the log-likelihood ratio of two neighbouring data sets at the noisy means ``seen``.

    The ratio is the density for the data set ``there`` divided by the density for ``other``. A data
    set with sensitivity 0 has no noise, and the logarithm is then replaced by ±10⁹.
    """
    if there.reach and other.reach:
        a, b = there.scale(epsilon), other.scale(epsilon)
        ratio = np.abs(seen - other.mean) / b - np.abs(seen - there.mean) / a + np.log(b / a)
        return np.asarray(ratio, float)
    # A world without noise gives one answer, and no other world gives it with a positive probability.
    here, away = (not w.reach and seen == w.mean for w in (there, other))
    if not there.reach and not other.reach:
        return np.where(here, 1e9, 0.0) - np.where(away, 1e9, 0.0)
    return np.where(here, 1e9, -1e9) if not there.reach else np.where(away, -1e9, 1e9)


def _attack(there: World, other: World, epsilon: float, noise: Floats) -> float:
    """Return the lower bound on ε from an attack on two data sets.

    The attack's threshold is set on separate releases.
    """
    inside, outside = (
        _log_ratio(w.mean + w.scale(epsilon) * draws, there, other, epsilon)
        for w, draws in zip((there, other), noise, strict=True)
    )
    cut = choose_threshold(outside[1], inside[1])
    k0, k1 = count(outside[0], inside[0], threshold=cut)
    return two_worlds(k0, k1, n=N_RELEASES).epsilon_lower


def _hits(there: World, other: World, epsilon: float) -> float:
    """Return the accuracy (1 + total variation)/2 of the best test, from both densities on a fine grid."""
    if there == other:
        return 0.5
    a, b = there.scale(epsilon), other.scale(epsilon)
    if not (a and b):
        return 1.0
    near = np.sinh(np.linspace(-6, 6, 2001)) / np.sinh(6) * 40 * max(a, b)
    x = np.unique(np.concatenate([there.mean + near, other.mean + near]))
    p = np.exp(-np.abs(x - there.mean) / a) / (2 * a)
    q = np.exp(-np.abs(x - other.mean) / b) / (2 * b)
    return float(min(0.5 + 0.25 * np.trapezoid(np.abs(p - q), x), 1.0))


def _real(there: World, other: World, epsilon: float) -> float:
    """Return the largest |ln ratio| of the densities on both data sets; infinite if the noise scales differ."""
    if there.reach != other.reach:
        return float("inf")
    if not there.reach:
        return 0.0 if there.mean == other.mean else float("inf")
    return abs(there.mean - other.mean) / there.scale(epsilon)


def bounds_guarantee(params: QueriesParams) -> Guarantee:
    """Return the guarantee of the noisy mean, with a nominal ε if the bounds are read from the data."""
    reach = sensitivity.mean(*DECLARED, n_samples=N_PEOPLE, neighbouring="replace_one")
    mechanism = Laplace(epsilon=params.epsilon, sensitivity=reach, neighbouring="replace_one")
    if params.reading == "declared":
        return mechanism.privacy
    guarantee = mechanism.privacy.having_read("the bounds of the values")
    return replace(guarantee, public=("the question asked and ε",))
