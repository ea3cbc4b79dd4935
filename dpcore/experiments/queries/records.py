"""Publication of records chosen at random, of tables of counts, or of rows without names, and attacks on them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks, sensitivity
from dpcore.accounting import Repeated
from dpcore.audit import (
    consistent_populations,
    group_sizes,
    marginal_tables,
    n_recovered,
    reconstruct,
    shared_secrets,
)
from dpcore.estimate import Rate
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries.params import CHANCES, PEOPLE, QueriesParams
from dpcore.guarantee import Guarantee, Neighbouring, Part, from_event
from dpcore.mechanisms import Laplace

__all__ = [
    "AGES",
    "BLOCK_SEED",
    "DIAGNOSES",
    "FREQUENCIES",
    "N_BLOCK",
    "N_DRAWS",
    "N_GUESSES",
    "N_PATIENTS",
    "N_RESIDENTS",
    "TOWN_SEED",
    "Joined",
    "Publish",
    "Publishing",
    "Reconstructed",
    "Tables",
    "Town",
    "determined_blocks",
    "diagnoses_guarantee",
    "diagnoses_mechanism",
    "joined",
    "people_block",
    "publish",
    "reconstructed",
    "recovered_in_draws",
    "somebody",
    "tables",
    "tables_guarantee",
    "tables_mechanism",
    "town",
]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_MOST = 160


@dataclass(frozen=True, kw_only=True)
class Publishing:
    """Mechanism that publishes random records: each one with probability δ, or exactly one.

    The mechanism is (0, δ)-DP, since a record changes the result only if this record is published.
    Publishing one of n records is (0, 1/n)-DP.

    Parameters
    ----------
    n_people : int
        Number n of records, ≥ 1; public if one record is chosen.
    chance : float or None
        Probability δ in (0, 1] of each record; None: one record is chosen at random.
    """

    n_people: int
    chance: float | None = None

    def __post_init__(self) -> None:
        _checks.integer("n_people", self.n_people, low=1)
        if self.chance is not None:
            _checks.number("chance", self.chance, low=0, high=1, open_low=True)

    @property
    def delta(self) -> float:
        """Probability δ that a particular record is published."""
        return 1 / self.n_people if self.chance is None else self.chance

    def sample(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the indices of the records that one release publishes."""
        if self.chance is None:
            return np.array([rng.integers(self.n_people)])
        return np.flatnonzero(rng.random(self.n_people) < self.chance)

    @property
    def privacy(self) -> Guarantee:
        """Guarantee of one release: ε = 0 at the δ of `delta`."""
        one = self.chance is None
        what = "one record at random" if one else f"each record with probability {self.delta:.3g}"
        sure = somebody(self.delta, self.n_people, one=one)
        return Guarantee(
            epsilon=0.0, delta=self.delta, neighbouring="replace_one" if one else "add_remove",
            status="proved", n_records=self.n_people, loss_tail=self.delta,
            argument=f"Published is {what}, as it is. A record changes the result only where it is itself "
            f"published, which happens with probability δ = {self.delta:.3g}: ε is 0.",
            public=("what is published, and how often", *(("the number of people",) if one else ())),
            not_protected=(
                "whoever is published: everything in their record",
                f"somebody among {self.n_people} is, with probability {sure:.3g}",
            ),
            parts=(Part(name="one release", epsilon=0.0, delta=self.delta, mechanism="publish a record"),),
        )  # fmt: skip


def somebody(chance: float, n_people: float, *, one: bool = False) -> float:
    """Return the probability 1 - (1 - δ)ⁿ that at least one of n records is published.

    If exactly one record is published (``one``), the probability is 1.

    Examples
    --------
    >>> round(somebody(0.01, 100), 4)
    0.634
    """
    return 1.0 if one else -math.expm1(n_people * math.log1p(-min(chance, 1 - 1e-16)))


@dataclass(frozen=True, kw_only=True)
class Publish:
    """Published records of one release, for C probabilities δ and N numbers of people n.

    - ``places`` (N, 1000, 2): positions of the n people in a figure. They are padded to 1000 with
      positions outside of it.
    - ``shown`` (C, N, 160, 2): positions of the first 160 published records, padded likewise.
    - ``picked``: for each of C probabilities and N numbers, the indices of all published records.
    - ``expected`` (C, N): expected number of published records.
    - ``somebody`` (C, N): probability that at least one record is published.
    """

    places: Floats
    shown: Floats
    picked: tuple[tuple[tuple[int, ...], ...], ...]
    expected: Floats
    somebody: Floats


def publish(params: QueriesParams) -> Publish:
    """Return the records that one release publishes, for every δ and n.

    The same uniform random numbers are used for all δ.

    Examples
    --------
    >>> found = publish(QueriesParams(topic="publish"))
    >>> float(found.expected[4, 2])   # δ = 0.01, n = 100
    1.0
    """
    one = params.how == "one"
    rng = np.random.default_rng(params.seed)
    uniforms, chosen = rng.random(PEOPLE[-1]), rng.random()
    picked = [
        [
            np.array([int(chosen * n)]) if one else np.flatnonzero(uniforms[:n] < chance)
            for n in PEOPLE
        ]
        for chance in CHANCES
    ]
    grids = [_grid(n) for n in PEOPLE]
    return Publish(
        places=np.stack([_padded(grid, PEOPLE[-1]) for grid in grids]),
        shown=np.array(
            [
                [_padded(grid[who[:_MOST]], _MOST) for grid, who in zip(grids, row, strict=True)]
                for row in picked
            ]
        ),
        picked=tuple(tuple(tuple(who.tolist()) for who in row) for row in picked),
        expected=np.array([[1.0 if one else c * n for n in PEOPLE] for c in CHANCES]),
        somebody=np.array([[somebody(c, n, one=one) for n in PEOPLE] for c in CHANCES]),
    )


def _grid(n: int) -> Floats:
    """Return the positions (n, 2) of n people in rows of the square [-1, 1]²."""
    side = math.ceil(math.sqrt(n))
    rows, columns = np.divmod(np.arange(n), side)
    return np.stack([(columns + 0.5) / side, 1 - (rows + 0.5) / side], -1) * 2 - 1


def _padded(points: Floats, length: int) -> Floats:
    out = np.full((length, 2), 9.0)  # outside of the picture
    out[: len(points)] = points
    return out


N_BLOCK = 12
"""Number of people in the block, which the attacker knows."""
AGES: tuple[int, ...] = tuple(range(20, 70, 5))
"""Youngest age of each of the ten age groups."""
FREQUENCIES: Floats = np.full((10, 1, 1), 0.1) * np.array([[0.5], [0.5]]) * np.array([0.4, 0.6])
"""Public frequencies (10, 2, 2) by age group, sex (woman, man) and smoking (yes, no), from which blocks are drawn."""
BLOCK_SEED = 3
"""Seed of the figure's block: the first seed for which three tables determine the block, but two tables do not."""
N_DRAWS, N_GUESSES = 40, 1000
"""Number of draws of the noise and number of randomly guessed blocks, from which estimates are computed."""
_N_BLOCKS = 400


def people_block(seed: int = BLOCK_SEED) -> Integers:
    """Return a synthetic block of twelve people, as counts (10, 2, 2) by age group, sex and smoking.

    They are drawn independently with the public `FREQUENCIES`.
    """
    return _draw_block(np.random.default_rng(seed))


def _draw_block(rng: np.random.Generator) -> Integers:
    shares = FREQUENCIES.ravel()
    return rng.multinomial(N_BLOCK, shares).reshape(FREQUENCIES.shape)


@dataclass(frozen=True, kw_only=True)
class Tables:
    """Published tables of counts of a block of twelve people, with c counts in all.

    - ``block`` (10, 2, 2): the people, by age group, sex and smoking.
    - ``counts`` (c,): exact counts of the published tables, one table after the other.
    - ``noise`` (c,): draws of Laplace noise of scale 1. ``scale`` (E,): factor that multiplies these draws, at E = 50
      values of ε; 0 if the published counts are exact.
    - ``n_consistent``: number of blocks that have exactly these counts.
    - ``guesses`` (1000,): number of correctly guessed people, for 1000 blocks drawn from the public frequencies.
    """

    block: Integers
    counts: Integers
    noise: Floats
    scale: Floats
    n_consistent: int
    guesses: Integers


def tables(params: QueriesParams) -> Tables:
    """Return the published tables of a block of twelve people, with their noise at every ε.

    Parameters
    ----------
    params : QueriesParams
        ``n_tables``, ``counts``, ``relation`` and ``seed`` are used.

    Returns
    -------
    Tables

    Examples
    --------
    >>> found = [tables(QueriesParams(topic="reconstruct", n_tables=k)) for k in (1, 2, 3)]
    >>> [(len(one.counts), one.n_consistent) for one in found]
    [(20, 1152), (40, 2), (44, 1)]
    """
    block = people_block()
    exact = marginal_tables(block)[: params.n_tables]
    counts = np.concatenate([table.ravel() for table in exact])
    noise = Laplace(epsilon=1.0).sample(np.zeros(44), np.random.default_rng(params.seed))
    return Tables(
        block=block, counts=counts, noise=noise[: len(counts)], scale=_scales(params),
        n_consistent=consistent_populations(exact), guesses=_guesses(),
    )  # fmt: skip


def _scales(params: QueriesParams) -> Floats:
    if params.counts == "exact":
        return np.zeros(len(EPSILON_GRID))
    return np.array([tables_mechanism(params.but(epsilon=e)).scale for e in EPSILON_GRID])


@lru_cache(maxsize=1)
def _guesses() -> Integers:
    rng, block = np.random.default_rng(0), people_block()
    return np.array([n_recovered(block, _draw_block(rng)) for _ in range(N_GUESSES)])


@lru_cache(maxsize=3)
def determined_blocks(n_tables: int) -> Rate:
    """Return how many of 400 random blocks are determined by the first ``n_tables`` tables without noise."""
    rng = np.random.default_rng(0)
    blocks = [marginal_tables(_draw_block(rng))[:n_tables] for _ in range(_N_BLOCKS)]
    return Rate(hits=sum(consistent_populations(one) == 1 for one in blocks), tries=_N_BLOCKS)


@dataclass(frozen=True, kw_only=True)
class Reconstructed:
    """Blocks that the reconstruction attack finds, at E = 50 values of ε.

    - ``people`` (E, 10, 2, 2): the likeliest block given the published counts.
    - ``recovered`` (E,): number of correctly reconstructed people in this block.
    - ``without_noise``: number of correctly reconstructed people in the likeliest block given the exact counts.
    """

    people: Integers
    recovered: Integers
    without_noise: int


def reconstructed(
    params: QueriesParams, *, check: Callable[[], None] = lambda: None
) -> Reconstructed:
    """Return the likeliest block given the published tables of `tables`, at every ε.

    Parameters
    ----------
    params : QueriesParams
        ``n_tables``, ``counts``, ``relation`` and ``seed`` are used.
    check : callable
        Called before each ε; may raise to stop the work.

    Returns
    -------
    Reconstructed

    Examples
    --------
    >>> found = reconstructed(QueriesParams(topic="reconstruct"))
    >>> found.without_noise, int(found.recovered[-1])   # ε = 20
    (12, 12)
    """
    published = tables(params)
    exact = _attack(published.counts, 0.0)
    if params.counts == "exact":
        people = np.broadcast_to(exact, (len(EPSILON_GRID), *exact.shape))
    else:
        people = np.stack([*_attacks(published, published.noise, check)])
    recovered = np.array([n_recovered(published.block, one) for one in people])
    return Reconstructed(
        people=people, recovered=recovered, without_noise=n_recovered(published.block, exact)
    )


def recovered_in_draws(
    params: QueriesParams,
    *,
    progress: Callable[[float], None] = lambda part: None,
    check: Callable[[], None] = lambda: None,
) -> Integers:
    """Return the numbers of correctly reconstructed people (40, E) for 40 draws of the noise, at every ε.

    Parameters
    ----------
    params : QueriesParams
        ``n_tables`` and ``relation`` are used.
    progress, check : callable
        ``progress`` is called with the fraction done after each draw, and ``check`` is called before each ε.

    Returns
    -------
    ndarray of int (40, E)
    """
    published = tables(params.but(counts="noisy"))
    draws = Laplace(epsilon=1.0).sample(np.zeros((N_DRAWS, 44)), np.random.default_rng(1))
    rows = []
    for k, noise in enumerate(draws):
        found = _attacks(published, noise[: len(published.counts)], check)
        rows.append([n_recovered(published.block, people) for people in found])
        progress((k + 1) / N_DRAWS)
    return np.array(rows)


def _attacks(published: Tables, noise: Floats, check: Callable[[], None]) -> Iterator[Integers]:
    """Yield the likeliest block at every ε, from the published counts with one draw of the noise."""
    for scale in published.scale:
        check()
        yield _attack(published.counts + scale * noise, float(scale))


def _attack(counts: NDArray[np.float64 | np.int64], scale: float) -> Integers:
    shapes = ((10, 2), (10, 2), (2, 2))
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    parts = np.split(counts, ends[ends < len(counts)])
    seen = [part.reshape(shape) for part, shape in zip(parts, shapes, strict=False)]
    return reconstruct(seen, scale=scale, frequencies=FREQUENCIES, n_people=N_BLOCK)


def tables_mechanism(params: QueriesParams) -> Laplace:
    """Return the Laplace mechanism of one of the published tables, which has an equal share of ε.

    One person is in one cell of a table. Adding or removing a person therefore changes a table by 1 in the L1 norm,
    and replacing a person by at most 2.
    """
    relation = cast(Neighbouring, params.relation)
    return Laplace(
        epsilon=params.epsilon / params.n_tables,
        sensitivity=sensitivity.histogram(norm=1, neighbouring=relation),
        neighbouring=relation,
    )


def tables_guarantee(params: QueriesParams) -> Guarantee:
    """Return the joint guarantee of all published tables; ε is infinite if they have no noise."""
    k, mechanism = params.n_tables, tables_mechanism(params)
    if params.counts == "exact":
        return Guarantee(
            epsilon=math.inf, delta=0.0, neighbouring=mechanism.neighbouring, status="proved",
            argument="No noise was added: the tables have the exact counts.",
            not_protected=("everybody in the block",),
        )  # fmt: skip
    one = mechanism.privacy
    return from_event(
        Repeated(mechanism.event, k), 0.0, calibrated_epsilon=params.epsilon,
        neighbouring=mechanism.neighbouring,
        argument=f"Laplace noise on each count of {'one table' if k == 1 else f'{k} tables'}; a person is in one "
        f"cell of each table, so that a neighbour changes it by at most {mechanism.sensitivity:g} in the L1 norm; "
        "the losses of the tables add up.",
        public=one.public, not_protected=one.not_protected,
        parts=(Part(name=f"{k} × one table", epsilon=params.epsilon, delta=0.0,
                    mechanism=f"Laplace, scale {mechanism.scale:.3g}"),),
    )  # fmt: skip


N_RESIDENTS, N_PATIENTS = 400, 100
TOWN_SEED = 6
"""Seed of the town: the first seed whose coarse table is 2-anonymous and has a group with a single diagnosis."""
DIAGNOSES: Floats = np.array([0.35, 0.25, 0.2, 0.12, 0.08])
"""Frequency of each of the five diagnoses among patients."""
_FIRST = (
    "Alex", "Ariel", "Charlie", "Dana", "Eli", "Jamie", "Jo", "Kai", "Kim", "Lou", "Max", "Mika", "Noa", "Quinn",
    "Robin", "Rowan", "Sam", "Sasha", "Sky", "Toni",
)  # fmt: skip
_LAST = (
    "Adler", "Baker", "Costa", "Dietz", "Ebner", "Falk", "Gruber", "Haas", "Ivanov", "Jung", "Kern", "Lopez", "Moser",
    "Novak", "Olsen", "Petit", "Reis", "Stein", "Toth", "Weiss",
)  # fmt: skip
_DECADE, _AREAS_OF_REGION = 10, 3


@dataclass(frozen=True, kw_only=True)
class Town:
    """A synthetic town of 400 residents, of whom the first 100 are patients of its hospital.

    - ``names``: a different name for each resident.
    - ``residents`` (400, 3): sex (0 or 1), year of birth (1940 to 1999) and postcode area (0 to 5) of each resident.
    - ``diagnoses`` (100,): diagnosis of each patient, 0 to 4.
    """

    names: tuple[str, ...]
    residents: Integers
    diagnoses: Integers


@lru_cache(maxsize=2)
def town(seed: int = TOWN_SEED) -> Town:
    """Return a synthetic town, drawn independently of any real one."""
    rng = np.random.default_rng(seed)
    highs = ((0, 2), (1940, 2000), (0, 6))
    residents = np.stack([rng.integers(low, high, size=N_RESIDENTS) for low, high in highs], 1)
    diagnoses = rng.choice(len(DIAGNOSES), size=N_PATIENTS, p=DIAGNOSES)
    names = [f"{first} {last}" for first in _FIRST for last in _LAST]
    return Town(
        names=tuple(names[k] for k in rng.permutation(N_RESIDENTS)), residents=residents,
        diagnoses=diagnoses,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Joined:
    """The hospital's table of 100 patients without names, joined with the town's list of residents.

    - ``candidates`` (100,): number of residents who have the published values of each row.
    - ``k``: number of rows in the smallest group of rows with equal values; the table is therefore k-anonymous.
    - ``told`` (100,): for each row, whether all rows with the same values have the same diagnosis.
    - ``named`` (2, 4): number of rows that fit only one resident. The first axis is for exact and for coarse values,
      the second one for the first 0, 1, 2 or 3 published columns of sex, birth and postcode.
    - ``counts`` (5,): exact number of patients with each diagnosis.
    - ``noise`` (5,): draws of Laplace noise of scale 1.
    """

    candidates: Integers
    k: int
    told: NDArray[np.bool_]
    named: Integers
    counts: Integers
    noise: Floats


def joined(params: QueriesParams) -> Joined:
    """Return the join of the hospital's published rows with the list of residents.

    Parameters
    ----------
    params : QueriesParams
        ``by_sex``, ``by_year``, ``by_place``, ``coarse`` and ``seed`` are used.

    Returns
    -------
    Joined

    Examples
    --------
    >>> every = joined(QueriesParams(topic="linkage"))
    >>> int((every.candidates == 1).sum()), joined(QueriesParams(topic="linkage", coarse=True)).k
    (56, 2)
    """
    here = town()
    columns = [
        k for k, there in enumerate((params.by_sex, params.by_year, params.by_place)) if there
    ]
    listed = _values(here, coarse=params.coarse)[:, columns]
    rows = listed[:N_PATIENTS]
    return Joined(
        candidates=group_sizes(rows, listed),
        k=int(group_sizes(rows).min()),
        told=shared_secrets(rows, here.diagnoses),
        named=np.array([[_n_named(here, n, coarse=coarse) for n in range(4)] for coarse in (False, True)]),
        counts=np.bincount(here.diagnoses, minlength=len(DIAGNOSES)),
        noise=Laplace(epsilon=1.0).sample(np.zeros(len(DIAGNOSES)), np.random.default_rng(params.seed)),
    )  # fmt: skip


def _values(here: Town, *, coarse: bool) -> Integers:
    """Return the values (400, 3) in a table: exact, or with birth decades and two regions."""
    return here.residents // np.array([1, _DECADE, _AREAS_OF_REGION]) if coarse else here.residents


def _n_named(here: Town, n_columns: int, *, coarse: bool) -> int:
    listed = _values(here, coarse=coarse)[:, :n_columns]
    return int((group_sizes(listed[:N_PATIENTS], listed) == 1).sum())


def diagnoses_mechanism(params: QueriesParams) -> Laplace:
    """Return the Laplace mechanism for the numbers of patients by diagnosis; a person changes one of them by 1."""
    return Laplace(
        epsilon=params.epsilon, sensitivity=sensitivity.histogram(norm=1, neighbouring="add_remove")
    )


def diagnoses_guarantee(params: QueriesParams) -> Guarantee:
    """Return the guarantee of the noisy counts by diagnosis, or ε = inf if rows are published."""
    if params.release == "rows":
        return Guarantee(
            epsilon=math.inf, delta=0.0, neighbouring="add_remove", status="proved",
            argument="Rows are published as they are, without names: no noise was added.",
            not_protected=("every row, and whoever can be linked to it",),
        )  # fmt: skip
    return diagnoses_mechanism(params).privacy
