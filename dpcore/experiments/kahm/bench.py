"""The bench of the study: who learns from records, what a machine answers, and what is published at an ε."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.kahm.data import StudyDataset, made
from dpcore.experiments.kahm.params import KahmParams
from dpcore.kahm import HullOptions
from dpcore.kahm.noise import element_noise, uniforms
from dpcore.kahm.smoothing import repeated
from dpcore.kahm.wide import Deep, fit_blocks, wide_distance

__all__ = ["Bench", "Machines", "published"]

Array = NDArray[np.float64]
Machines = Sequence[tuple[Deep, ...]]
_ROWS = 64


@dataclass(frozen=True)
class Bench:
    """Records to learn from, (n, p) and (n,), and to test on, and how machines are built.

    ``room`` (cells,) is written over, for all pairs of records: memory that need not be asked for again.
    """

    X: Array
    y: NDArray[np.int64]
    X_test: Array
    y_test: NDArray[np.int64]
    options: HullOptions
    room: Array

    @classmethod
    def of(cls, data: StudyDataset, number: int, options: HullOptions) -> Bench:
        """Return the bench of a split of a table."""
        train, test = data.halves(number)
        room = np.empty(len(train) * max(len(train), len(test)))
        return cls(data.X[train], data.y[train], data.X[test], data.y[test], options, room)

    def accuracies(self, Y: Array, gammas: Array) -> list[float]:
        """Accuracy of KAHM, 1-NN and an SVM trained on ``Y`` (N, p)."""
        from sklearn.svm import SVC

        classes = np.unique(self.y)
        kahm = classes[gammas.argmin(1)]
        # Squared distances by one product serve the nearest neighbour and the kernels of the SVM.
        width = 1 / (Y.shape[1] * float(Y.var()) or 1.0)  # scikit-learn's gamma="scale"
        svm = SVC(C=10.0, kernel="precomputed").fit(_kernels(Y, Y, width, self.room)[0], self.y)
        kernels, nearest = _kernels(self.X_test, Y, width, self.room)
        found = (kahm, self.y[nearest], svm.predict(kernels))
        return [float((one == self.y_test).mean()) for one in found]

    def gammas(self, Y: Array, seed: int, every: Machines | None = None) -> tuple[Array, Array]:
        """Distances (n,) of the members (original records) to their own class, and of the others (m, k).

        ``every`` are the machines of ``Y``, class by class, where they are there already.
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
        """The distance (n,), (m,) of every record to the image of its own class."""
        place = np.searchsorted(np.unique(self.y), self.y_test)
        return members, others[np.arange(len(others)), place]


def _kernels(A: Array, B: Array, width: float, room: Array) -> tuple[Array, NDArray[np.intp]]:
    """exp(-width ‖a - b‖²) (n, m) of records (n, p) and (m, p), in ``room``; of each a the nearest b (n,).

    A few rows at a time: they stay in the cache from their products to their exponentials.
    """
    found: Array = room[: len(A) * len(B)].reshape(len(A), len(B))
    nearest = np.empty(len(A), np.intp)
    lengths, twice, ends = np.square(A).sum(1), 2 * A, np.square(B).sum(1)
    for at in range(0, len(A), _ROWS):
        part = slice(at, at + _ROWS)
        own = found[part]
        np.add(lengths[part, None], ends, out=own)
        own -= twice[part] @ B.T
        np.maximum(own, 0.0, out=own)
        nearest[part] = own.argmin(1)
        own *= -width
        np.exp(own, out=own)
    return found, nearest


def published(
    bench: Bench, params: KahmParams, number: int, epsilon: float
) -> tuple[Array, Array, Machines | None]:
    """Noisy and fabricated records (n, p), as `made` makes them, and the machines of the noisy ones.

    Those that smooth are the machines of the noisy records, where a class is one block: fitted once.
    """
    options, members = bench.options, [np.flatnonzero(bench.y == c) for c in np.unique(bench.y)]
    alone = options.n_layers == 1 and max(map(len, members)) <= options.block_size
    if not alone or params.stop == "paper" or params.operator == "rebuild":
        data = made(bench.X, bench.y, epsilon, params, (params.seed, number), options)
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
