"""Federated: parties build machines of their own records, and answer distances only."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpcore._random_state import generator
from dpcore.experiments.kahm.data import StudyDataset, hull_options
from dpcore.experiments.kahm.params import PARTIES_GRID, SKEW_GRID, KahmParams
from dpcore.kahm.noise import element_noise, uniforms
from dpcore.kahm.wide import blocks

__all__ = [
    "N_REPEATS", "PARTY_EPSILONS", "Holdings", "Parties", "owners", "party_distances",
    "run_holdings", "run_parties",
]  # fmt: skip

Array = NDArray[np.float64]
PARTY_EPSILONS: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 20.0)
N_REPEATS = 3


@dataclass(frozen=True, kw_only=True)
class Parties:
    """Accuracy over splits and draws (S,), ε of a value (E,), parties (Q of `PARTIES_GRID`); NaN: not yet.

    ``together`` (S, E, Q): the least distance over parties decides; ``alone`` (S, E, Q): each party
    by itself, their mean; ``together_clean``, ``alone_clean`` (S, Q): without noise.
    """

    together: Array
    alone: Array
    together_clean: Array
    alone_clean: Array


def owners(y: NDArray[np.int64], n_parties: int, skew: float, seed: int) -> NDArray[np.int64]:
    """Return which party holds each record of classes (N,), (N,); the largest skew parts classes."""
    from dpcore.kahm import split_parties

    wanted = math.inf if skew == SKEW_GRID[-1] else skew
    return split_parties(y, n_parties, skew=wanted, rng=np.random.default_rng((seed, n_parties)))


@dataclass(frozen=True, kw_only=True)
class Holdings:
    """Who holds what: ``counts`` (W, Q, q, k), records of every class at every party.

    W of `SKEW_GRID`, Q of `PARTIES_GRID`, q the most parties; first split of the table.
    """

    counts: NDArray[np.int64]


def run_holdings(data: StudyDataset, params: KahmParams) -> Holdings:
    """Return who holds what at every skew and number of parties."""
    y = data.y[data.halves(0)[0]]
    classes, index = np.unique(y, return_inverse=True)
    most = PARTIES_GRID[-1]
    found = np.zeros((len(SKEW_GRID), len(PARTIES_GRID), most, len(classes)), np.int64)
    for w, skew in enumerate(SKEW_GRID):
        for n, n_parties in enumerate(PARTIES_GRID):
            np.add.at(found[w, n], (owners(y, n_parties, skew, params.seed), index), 1)
    return Holdings(counts=found)


def run_parties(data: StudyDataset, params: KahmParams) -> Iterator[tuple[float, Parties]]:
    """Yield the fraction done and the accuracies so far, every number of parties in turn."""
    S, E, Q = N_REPEATS, len(PARTY_EPSILONS), len(PARTIES_GRID)
    bare = np.full((S, Q), np.nan)
    full = np.full((S, E, Q), np.nan)
    found = Parties(together=full, alone=full, together_clean=bare, alone_clean=bare)
    for number in range(S):
        for q, n_parties in enumerate(PARTIES_GRID):
            rows = _accuracies(data, params, number, n_parties)
            found = _noted(found, number, q, rows)
            yield (number * Q + q + 1) / (S * Q), found


def _noted(found: Parties, number: int, q: int, rows: Array) -> Parties:
    new = {name: getattr(found, name).copy() for name in ("together", "alone")}
    bare = {name: getattr(found, f"{name}_clean").copy() for name in new}
    for column, name in enumerate(new):
        new[name][number, :, q] = rows[1:, column]
        bare[name][number, q] = rows[0, column]
    return replace(found, **new, **{f"{name}_clean": a for name, a in bare.items()})


def _accuracies(data: StudyDataset, params: KahmParams, number: int, n_parties: int) -> Array:
    """Accuracy together and alone, without noise and at every ε of `PARTY_EPSILONS`, (1 + E, 2)."""
    from dpcore.kahm import combine

    train, test = data.halves(number)
    X, y = data.X[train], data.y[train]
    owner = owners(y, n_parties, params.skew, params.seed + number)
    classes, index = np.unique(y, return_inverse=True)
    answers = [
        party_distances(
            X[owner == q], index[owner == q], data.X[test], len(classes), params,
            (params.seed * 1000 + number) * 100 + int(q),
        )
        for q in np.unique(owner)
    ]  # fmt: skip
    right = [[(classes[one.argmin(1)] == data.y[test]).mean() for one in each] for each in answers]
    both = (classes[combine(answers).argmin(2)] == data.y[test]).mean(1)
    return np.stack([both, np.mean(right, axis=0)], axis=1)


def party_distances(
    X: Array, y: NDArray[np.int64], places: Array, n_classes: int, params: KahmParams, seed: int
) -> Array:
    """Return what a party answers, Γ of places (M, p) to each class, (1 + E, M, k); inf for what it has not.

    Without noise, and at every ε of `PARTY_EPSILONS`: up to rounding what `dpcore.kahm.Party` answers at each
    of them, fitted with this seed. Its machines at all ε are fitted together.
    """
    from dpcore.kahm.batched import distances_batch, round_batch

    options, rng = hull_options(params, params.table_components), generator(seed)
    u, bare = uniforms(X.shape, rng), generator(seed)
    noise = [element_noise(u, e, kind=params.noise) for e in PARTY_EPSILONS]
    made = X + np.stack(noise)
    members = [(c, np.flatnonzero(y == c)) for c in np.unique(y)]

    def cut(chance: np.random.Generator) -> list[list[NDArray[np.intp]]]:
        return [[own[rows] for rows in blocks(X[own], options.block_size, options.split, chance)]
                for _, own in members]  # fmt: skip

    for rows in itertools.chain(*cut(rng)):
        step = round_batch(made[:, rows], params.operator, options)
        for _ in range(params.rounds):
            made[:, rows] = step(made[:, rows])
    found = np.full((1 + len(made), len(places), n_classes), math.inf)
    for (c, _), clean, noisy in zip(members, cut(bare), cut(rng), strict=True):
        for few, rows in zip(clean, noisy, strict=True):
            sets = np.concatenate([X[None, few], made[:, rows]])
            np.minimum(found[..., c], distances_batch(sets, options, places), out=found[..., c])
    return found
