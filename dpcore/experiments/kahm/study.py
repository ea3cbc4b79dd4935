"""Measurements on a table: accuracy, membership attacks and linkage attacks.

Fabricated data are compared with a trusted curator who releases noisy class means, and with data
that are spread over several parties.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import audit
from dpcore._random_state import SeededNoiseWarning, generator
from dpcore._warnings import unwarned
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.kahm.params import (
    PARTIES_GRID,
    SKEW_GRID,
    KahmParams,
    StudyDataset,
    fabricated,
    hull_options,
)
from dpcore.kahm import HullOptions, record_epsilon
from dpcore.kahm.noise import element_noise, uniforms
from dpcore.kahm.smoothing import repeated
from dpcore.kahm.wide import Deep, blocks, fit_blocks, wide_distance

__all__ = [
    "EDGES",
    "KINDS",
    "LEARNERS",
    "N_REPEATS",
    "N_SPLITS",
    "PARTY_EPSILONS",
    "RECORD_EPSILONS",
    "STUDY_EPSILONS",
    "Bench",
    "Holdings",
    "Machines",
    "Parties",
    "RecordLevelBaseline",
    "Study",
    "empty_study",
    "owners",
    "party_distances",
    "published",
    "run_baseline",
    "run_holdings",
    "run_parties",
    "run_study",
]

Array = NDArray[np.float64]
Machines = Sequence[tuple[Deep, ...]]
_ROWS = 64


@dataclass(frozen=True)
class Bench:
    """Training and test half of a table in one split, with the settings of the kernel affine hull machines.

    - ``X`` (n, p), ``y`` (n,): n training records (members) with p features, and their classes.
    - ``X_test`` (m, p), ``y_test`` (m,): m test records (others).
    - ``room``: reusable buffer for the distances of all pairs of records.
    """

    X: Array
    y: NDArray[np.int64]
    X_test: Array
    y_test: NDArray[np.int64]
    options: HullOptions
    room: Array

    @classmethod
    def of(cls, data: StudyDataset, number: int, options: HullOptions) -> Bench:
        """Return the data of split ``number`` of a table."""
        train, test = data.halves(number)
        room = np.empty(len(train) * max(len(train), len(test)))
        return cls(data.X[train], data.y[train], data.X[test], data.y[test], options, room)

    def accuracies(self, Y: Array, gammas: Array) -> list[float]:
        """Return the test accuracies of KAHM, 1-NN and SVM trained on the published records ``Y`` (n, p).

        ``gammas`` (m, k): distance of each test record to its KAHM output for each of k classes.
        """
        from sklearn.svm import SVC

        classes = np.unique(self.y)
        kahm = classes[gammas.argmin(1)]
        # Squared distances by one product serve the nearest neighbour and the kernels of the SVM.
        width = 1 / (Y.shape[1] * float(Y.var()) or 1.0)  # scikit-learn's gamma="scale"
        svm = SVC(C=10.0, kernel="precomputed").fit(_kernels(Y, Y, width, self.room)[0], self.y)
        kernels, nearest = _kernels(self.X_test, Y, width, self.room)
        predictions = (kahm, self.y[nearest], svm.predict(kernels))
        return [float((one == self.y_test).mean()) for one in predictions]

    def gammas(self, Y: Array, seed: int, every: Machines | None = None) -> tuple[Array, Array]:
        """Return the KAHM distances of members (n,) and of others (m, k).

        A KAHM distance is the distance of an original record to its output under a kernel affine
        hull machine fitted to published records ``Y`` (n, p). Members use the machine of their own
        class, others the machines of all k classes. ``every`` holds the machines by class if they
        are already fitted; otherwise ``seed`` determines the blocks to which they are fitted.
        """
        classes = np.unique(self.y)
        if every is None:
            sets = [Y[self.y == c] for c in classes]
            every = fit_blocks(sets, self.options, np.random.default_rng(seed))
        members = np.empty(len(self.X))
        for c, machines in zip(classes, every, strict=True):
            members[self.y == c] = wide_distance(machines, self.X[self.y == c])
        return members, np.stack([wide_distance(one, self.X_test) for one in every], 1)

    def own(self, members: Array, others: Array) -> tuple[Array, Array]:
        """Return the KAHM distances of members (n,) and of others (m,), each for the machine of the record's class.

        The arguments are the results of `gammas`.
        """
        place = np.searchsorted(np.unique(self.y), self.y_test)
        return members, others[np.arange(len(others)), place]


def _kernels(A: Array, B: Array, width: float, room: Array) -> tuple[Array, NDArray[np.intp]]:
    """Return the kernels (n, m) of the rows of A and B, and the index (n,) of the row of B nearest to each row of A.

    The kernel of rows a and b is exp(-width ‖a - b‖²). All kernels are computed in the buffer
    ``room``, in blocks of rows that fit into the processor cache.
    """
    kernels: Array = room[: len(A) * len(B)].reshape(len(A), len(B))
    nearest = np.empty(len(A), np.intp)
    lengths, twice, ends = np.square(A).sum(1), 2 * A, np.square(B).sum(1)
    for at in range(0, len(A), _ROWS):
        part = slice(at, at + _ROWS)
        own = kernels[part]
        np.add(lengths[part, None], ends, out=own)
        own -= twice[part] @ B.T
        np.maximum(own, 0.0, out=own)
        nearest[part] = own.argmin(1)
        own *= -width
        np.exp(own, out=own)
    return kernels, nearest


def published(
    bench: Bench, params: KahmParams, number: int, epsilon: float
) -> tuple[Array, Array, Machines | None]:
    """Return noisy and fabricated records (n, p), and the kernel affine hull machines of the noisy records.

    `fabricated` computes the records. The machines are returned if every class is one block, since
    smoothing then uses the same machines. Otherwise None is returned instead.
    """
    options, members = bench.options, [np.flatnonzero(bench.y == c) for c in np.unique(bench.y)]
    alone = options.n_layers == 1 and max(map(len, members)) <= options.block_size
    if not alone or params.stop == "paper" or params.operator == "rebuild":
        data = fabricated(bench.X, bench.y, epsilon, params, (params.seed, number), options)
        return data.noisy, data.X, None
    u = uniforms(bench.X.shape, np.random.default_rng((params.seed, number)))
    noisy = bench.X + element_noise(u, epsilon, delta=params.atom, kind=params.noise)
    smooth, machines = np.empty_like(noisy), []
    for rows in members:
        machine, now = options.machine(), noisy[rows]
        step = repeated(now, params.operator, machine.fit_ridge(now))
        for _ in range(params.rounds):
            now = step(now)
        smooth[rows] = now
        machines.append((Deep((machine,)),))
    return noisy, smooth, machines


STUDY_EPSILONS: tuple[float, ...] = (
    0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.5, 2.0, 2.8, 4.0, 5.5, 8.0, 11.0, 15.0, 20.0,
)  # fmt: skip
LEARNERS = ("KAHM", "1-NN", "SVM")
KINDS = ("noisy", "fabricated")
N_SPLITS = 5
EDGES = np.linspace(0.0, 2.5, 41)  # of distances, relative to the middle one
SHOWN = 8  # records whose pictures are kept


@dataclass(frozen=True, kw_only=True)
class Study:
    """Accuracy and success of attacks in S splits of a table into halves; NaN until measured.

    One half of a split is published (the members), the other half is not (the others). Members are
    published at each of the E values of `STUDY_EPSILONS` in two ways, noisy and fabricated. Arrays
    on published data have an axis of length 2 for these two ways, after the axis E.

    Accuracy of the three `LEARNERS`, tested on original records of the others:

    - ``original`` (S, 3): trained on original members.
    - ``accuracy`` (S, E, 2, 3): trained on published members.

    Success of membership attacks, which compare the KAHM distances of members and of others. The
    last axis is Kolmogorov-Smirnov distance, AUC, and two estimates of the total variation
    (histogram, kernel):

    - ``scores_original`` (S, 4): the machines are fitted to original members.
    - ``scores_smoothed`` (S, 4): the machines are fitted to members smoothed without noise.
    - ``scores`` (S, E, 2, 4): the machines are fitted to published members.
    - ``null`` (S, 4): success by chance; not measured for the kernel.

    Success of linkage attacks, as the fraction of records linked to the right original:

    - ``link_smoothed`` (S,): for members smoothed without noise.
    - ``link`` (S, E, 2): for published members.

    Displayed data of the first split:

    - ``density_original`` (2, B), ``density`` (E, 2, 2, B): histograms with B bins of the KAHM
      distances of members and of others (the last axis of length 2), for machines fitted to
      original and to published members.
    - ``pictures`` (E, 3, 8, p): eight records of p values, original, noisy and fabricated.
    """

    original: Array
    accuracy: Array
    scores_original: Array
    scores_smoothed: Array
    scores: Array
    null: Array
    link_smoothed: Array
    link: Array
    density_original: Array
    density: Array
    pictures: Array


def run_study(data: StudyDataset, params: KahmParams) -> Iterator[tuple[float, Study]]:
    """Yield the fraction done and the study so far, after each ε of each split.

    In each split the values of ε begin with a coarse grid.
    """
    study = empty_study(data.n_features)
    options = hull_options(params, params.table_components)
    done, all_steps = 0, N_SPLITS * (len(STUDY_EPSILONS) + 1)
    for number in range(N_SPLITS):
        bench = Bench.of(data, number, options)
        study = _without_noise(bench, params, number, study)
        done += 1
        yield done / all_steps, study
        for e in _coarse_first(len(STUDY_EPSILONS)):
            study = _with_noise(bench, params, number, e, study)
            done += 1
            yield done / all_steps, study


def _coarse_first(size: int) -> list[int]:
    first = [*range(0, size, 4), size - 1]
    return first + [i for i in range(2, size, 4) if i not in first] + [
        i for i in range(1, size, 2) if i not in first
    ]  # fmt: skip


def empty_study(p: int) -> Study:
    """Return a study of records with p values in which every result is NaN."""
    S, E, B = N_SPLITS, len(STUDY_EPSILONS), len(EDGES) - 1
    shapes = {
        "original": (S, 3), "accuracy": (S, E, 2, 3), "scores_original": (S, 4),
        "scores_smoothed": (S, 4), "scores": (S, E, 2, 4), "null": (S, 4), "link_smoothed": (S,),
        "link": (S, E, 2), "density_original": (2, B), "density": (E, 2, 2, B),
        "pictures": (E, 3, SHOWN, p),
    }  # fmt: skip
    return Study(**{name: np.full(shape, np.nan) for name, shape in shapes.items()})


def _attack(a: Array, b: Array) -> list[float]:
    return [audit.ks(a, b), audit.auc(a, b), audit.histogram_tv(a, b), audit.kde_tv(a, b)]


def _densities(a: Array, b: Array) -> Array:
    middle = float(np.median(np.concatenate([a, b]))) or 1.0
    return np.array([np.histogram(s / middle, EDGES)[0] / len(s) for s in (a, b)])


def _without_noise(bench: Bench, params: KahmParams, number: int, study: Study) -> Study:
    members, others = bench.gammas(bench.X, number)
    a, b = bench.own(members, others)
    smooth = fabricated(bench.X, bench.y, math.inf, params.but(stop="rounds"), (params.seed, number),
                  bench.options).X  # fmt: skip
    chance = audit.membership_scores(a, b, rng=np.random.default_rng(number), n_null=50)
    null = [chance.null_ks, chance.null_auc, chance.null_histogram_tv, math.nan]
    changes = {
        "original": bench.accuracies(bench.X, others),
        "scores_original": _attack(a, b),
        "scores_smoothed": _attack(*bench.own(*bench.gammas(smooth, number))),
        "null": null,
        "link_smoothed": audit.linkability(bench.X, smooth, y=bench.y),
    }
    new = replace(study, **{k: _set(getattr(study, k), number, v) for k, v in changes.items()})
    return replace(new, density_original=_densities(a, b)) if number == 0 else new


def _with_noise(bench: Bench, params: KahmParams, number: int, e: int, study: Study) -> Study:
    noisy, smooth, machines = published(bench, params, number, STUDY_EPSILONS[e])
    changes: dict[str, list[Any]] = {"accuracy": [], "scores": [], "link": []}
    densities = []
    for Y, every in ((noisy, machines), (smooth, None)):
        members, others = bench.gammas(Y, number, every)
        a, b = bench.own(members, others)
        changes["accuracy"].append(bench.accuracies(Y, others))
        changes["scores"].append(_attack(a, b))
        changes["link"].append(audit.linkability(bench.X, Y, y=bench.y))
        densities.append(_densities(a, b))
    new = replace(study, **{k: _set(getattr(study, k), (number, e), v) for k, v in changes.items()})
    if number:
        return new
    rows = np.linspace(0, len(bench.X) - 1, SHOWN).astype(int)
    rows = np.sort(np.array([np.flatnonzero(bench.y == c)[0] for c in np.unique(bench.y)])[:SHOWN]
                   if len(np.unique(bench.y)) >= SHOWN else rows)  # fmt: skip
    shown = np.stack([bench.X[rows], noisy[rows], smooth[rows]])
    return replace(new, density=_set(new.density, e, densities),
                   pictures=_set(new.pictures, e, shown))  # fmt: skip


def _set(array: Array, place: Any, value: Any) -> Array:
    new = array.copy()  # a result that was handed out never changes
    new[place] = value
    return new


RECORD_EPSILONS: tuple[float, ...] = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 200.0)
_LARGEST = 500.0  # above it the noise is negligible


@dataclass(frozen=True, kw_only=True)
class RecordLevelBaseline:
    """ε of a whole record under noise on its values, and the accuracy of a trusted curator at the same ε.

    The curator releases noisy class means, which classify records.

    - ``pure`` (50,): ε of a record at δ = 0, for every ε of a value.
    - ``tight`` (50,): ε of a record at the δ of the parameters, for every ε of a value.
    - ``central`` (S, R): accuracy of the class means in S splits, at the R values of a record's ε
      in `RECORD_EPSILONS`.
    - ``class_means`` (S, E): accuracy of the class means in S splits, at the tight ε of a record
      that results from each ε of a value in `STUDY_EPSILONS`.
    """

    pure: Array
    tight: Array
    central: Array
    class_means: Array

    def tight_at(self, epsilon: float) -> float:
        """Return the tight ε of a record if every value has the given ε of the grid."""
        return float(self.tight[EPSILON_GRID.index(epsilon)])


def run_baseline(data: StudyDataset, params: KahmParams) -> RecordLevelBaseline:
    """Return the ε of a record and the accuracy of the trusted curator.

    The computation takes about a second.
    """
    p = data.n_features
    record_epsilons = [
        record_epsilon(e, p, delta=params.delta, atom=params.atom, kind=params.noise)
        for e in EPSILON_GRID
    ]
    tight = np.array([one.tight for one in record_epsilons])
    same = tight[[EPSILON_GRID.index(e) for e in STUDY_EPSILONS]]
    splits = range(N_SPLITS)
    return RecordLevelBaseline(
        pure=np.array([one.pure for one in record_epsilons]),
        tight=tight,
        central=np.array([_means(data, params, s, RECORD_EPSILONS) for s in splits]),
        class_means=np.array([_means(data, params, s, tuple(same)) for s in splits]),
    )


def _means(
    data: StudyDataset, params: KahmParams, number: int, epsilons: tuple[float, ...]
) -> list[float]:
    from dpcore.kahm import CentralClassMean

    train, test = data.halves(number)
    accuracies = []
    for e in epsilons:
        model = CentralClassMean(
            epsilon=min(e, _LARGEST) if math.isfinite(e) else _LARGEST, delta=params.delta,
            clip_norm=math.sqrt(data.n_features) / 2, random_state=1000 * params.seed + number,
        )  # fmt: skip
        with unwarned(SeededNoiseWarning):  # a picture that can be drawn again: nothing is released
            model.fit(data.X[train], data.y[train])
        accuracies.append(float((model.predict(data.X[test]) == data.y[test]).mean()))
    return accuracies


PARTY_EPSILONS: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 20.0)
N_REPEATS = 3


@dataclass(frozen=True, kw_only=True)
class Parties:
    """Accuracy if the records are spread over several parties.

    Each party fits its own kernel affine hull machines. Values are NaN until computed. Axes:

    - S: data split and noise draw,
    - E: privacy budget ε for each published value,
    - Q: number of parties (`PARTIES_GRID`).

    Fields:

    - ``together`` (S, E, Q): accuracy of predictions by the smallest distance over all parties.
    - ``alone`` (S, E, Q): accuracy of a single party, averaged over parties.
    - ``together_clean``, ``alone_clean`` (S, Q): the same accuracies without noise.
    """

    together: Array
    alone: Array
    together_clean: Array
    alone_clean: Array


def owners(y: NDArray[np.int64], n_parties: int, skew: float, seed: int) -> NDArray[np.int64]:
    """Return the index (N,) of the party that holds each record, for classes ``y`` (N,).

    The larger ``skew``, the more unequally the classes are spread over the parties. At the largest
    value of `SKEW_GRID` all records of a class belong to one party.
    """
    from dpcore.kahm import split_parties

    wanted = math.inf if skew == SKEW_GRID[-1] else skew
    return split_parties(y, n_parties, skew=wanted, rng=np.random.default_rng((seed, n_parties)))


@dataclass(frozen=True, kw_only=True)
class Holdings:
    """Number of records of each class that each party holds in the first split.

    ``counts`` has the axes W values of `SKEW_GRID`, Q numbers of parties (`PARTIES_GRID`), party,
    class.
    """

    counts: NDArray[np.int64]


def run_holdings(data: StudyDataset, params: KahmParams) -> Holdings:
    """Return the number of records per party and class for every skew and number of parties."""
    y = data.y[data.halves(0)[0]]
    classes, index = np.unique(y, return_inverse=True)
    most = PARTIES_GRID[-1]
    counts = np.zeros((len(SKEW_GRID), len(PARTIES_GRID), most, len(classes)), np.int64)
    for w, skew in enumerate(SKEW_GRID):
        for n, n_parties in enumerate(PARTIES_GRID):
            np.add.at(counts[w, n], (owners(y, n_parties, skew, params.seed), index), 1)
    return Holdings(counts=counts)


def run_parties(data: StudyDataset, params: KahmParams) -> Iterator[tuple[float, Parties]]:
    """Yield the fraction done and the accuracies so far, after every number of parties."""
    S, E, Q = N_REPEATS, len(PARTY_EPSILONS), len(PARTIES_GRID)
    bare = np.full((S, Q), np.nan)
    full = np.full((S, E, Q), np.nan)
    parties = Parties(together=full, alone=full, together_clean=bare, alone_clean=bare)
    for number in range(S):
        for q, n_parties in enumerate(PARTIES_GRID):
            rows = _accuracies(data, params, number, n_parties)
            parties = _noted(parties, number, q, rows)
            yield (number * Q + q + 1) / (S * Q), parties


def _noted(parties: Parties, number: int, q: int, rows: Array) -> Parties:
    new = {name: getattr(parties, name).copy() for name in ("together", "alone")}
    bare = {name: getattr(parties, f"{name}_clean").copy() for name in new}
    for column, name in enumerate(new):
        new[name][number, :, q] = rows[1:, column]
        bare[name][number, q] = rows[0, column]
    return replace(parties, **new, **{f"{name}_clean": a for name, a in bare.items()})


def _accuracies(data: StudyDataset, params: KahmParams, number: int, n_parties: int) -> Array:
    """Return two columns (1 + E, 2): the test accuracy of all parties together, and that of a single party.

    The accuracy of a single party is an average over the parties. The first row is without noise,
    the others are for the E values of ε.
    """
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
    """Return the distances (1 + E, M, k) of M test points to their outputs under one party's machines.

    The party has a kernel affine hull machine for each of k classes. The first entry is without
    noise, the others are for the E values of ε in `PARTY_EPSILONS`. The distance is inf for a class
    of which the party has no record. Up to rounding, a `dpcore.kahm.Party` fitted with this seed
    has the same distances.
    """
    from dpcore.kahm.batched import distances_batch, round_batch

    options, rng = hull_options(params, params.table_components), generator(seed)
    u, bare = uniforms(X.shape, rng), generator(seed)
    noise = [element_noise(u, e, kind=params.noise) for e in PARTY_EPSILONS]
    tables = X + np.stack(noise)
    members = [(c, np.flatnonzero(y == c)) for c in np.unique(y)]

    def cut(chance: np.random.Generator) -> list[list[NDArray[np.intp]]]:
        return [[own[rows] for rows in blocks(X[own], options.block_size, options.split, chance)]
                for _, own in members]  # fmt: skip

    for rows in itertools.chain(*cut(rng)):
        step = round_batch(tables[:, rows], params.operator, options)
        for _ in range(params.rounds):
            tables[:, rows] = step(tables[:, rows])
    distances = np.full((1 + len(tables), len(places), n_classes), math.inf)
    for (c, _), clean, noisy in zip(members, cut(bare), cut(rng), strict=True):
        for few, rows in zip(clean, noisy, strict=True):
            sets = np.concatenate([X[None, few], tables[:, rows]])
            np.minimum(
                distances[..., c], distances_batch(sets, options, places), out=distances[..., c]
            )
    return distances
