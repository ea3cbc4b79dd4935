"""The records an experiment starts from, in the unit box, and how they are made private."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore._warnings import unwarned
from dpcore.datasets import Dataset, load
from dpcore.datasets.dataset import split
from dpcore.experiments.kahm.params import KahmParams
from dpcore.kahm import AtomWarning, Fabricated, HullOptions, fabricate

__all__ = ["MOST_RECORDS", "StudyDataset", "hull_options", "made", "picture_data", "study_dataset"]

Array = NDArray[np.float64]
MOST_RECORDS = 2000


@lru_cache(maxsize=16)
def picture_data(shape: str, n_records: int) -> tuple[Array, NDArray[np.int64]]:
    """Return the picture's records (N, 2) in [0, 1]² and their classes (N,)."""
    # A third of a made set is its test part; a few more make up for classes that do not divide.
    data = load(shape, n_samples=round(1.5 * n_records) + 6)
    X = (data.X[:n_records] + 1) / 2
    X.setflags(write=False)
    return X, data.y[:n_records]


@dataclass(frozen=True, kw_only=True, eq=False)
class StudyDataset:
    """A table in the unit box: ``X`` (N, p) in [0, 1], ``y`` (N,); ``title`` for a reader.

    ``image_shape`` when records are pictures; ``all_records``: how many the table had, of which at
    most 2,000 are used; ``estimated``: what was read from the data, which leaks, as of its `Dataset`.
    """

    X: Array
    y: NDArray[np.int64]
    title: str
    image_shape: tuple[int, int] | None
    all_records: int
    estimated: tuple[str, ...] = ()

    @property
    def n_features(self) -> int:
        """p."""
        return int(self.X.shape[1])

    def halves(self, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return row numbers (m,), (k,) of members and of others: half each, by class, seeded."""
        return split(self.y, 0.5, seed)


def study_dataset(dataset: Dataset) -> StudyDataset:
    """Return a data set ready to be studied: all its records, scaled by its bounds, at most 2,000."""
    y = np.concatenate([dataset.y, dataset.y_test])
    rows = np.arange(len(y))
    if len(y) > MOST_RECORDS:
        rows = np.sort(np.random.default_rng(0).choice(len(y), MOST_RECORDS, replace=False))
    n = len(dataset.y)  # only what is used is scaled: the pictures of MNIST fill a gigabyte
    parts = dataset.X[rows[rows < n]], dataset.X_test[rows[rows >= n] - n]
    X = np.concatenate([dataset.scaled(part) for part in parts]).astype(float)
    return StudyDataset(
        X=(X + 1) / 2, y=y[rows], title=dataset.title, image_shape=dataset.image_shape,
        all_records=len(y), estimated=dataset.estimated,
    )  # fmt: skip


def hull_options(params: KahmParams, n_components: int) -> HullOptions:
    """Return how machines are built; blocks at random, since k-means would follow the noise."""
    return HullOptions(
        n_components=n_components, n_layers=params.n_layers, block_size=params.block_size,
        split="random", tau_factor=params.ridge,
    )  # fmt: skip


def made(
    X: Array,
    y: NDArray[np.int64],
    epsilon: float,
    params: KahmParams,
    seed: tuple[int, ...],
    options: HullOptions,
    rounds: int | None = None,
) -> Fabricated:
    """Return data fabricated from records (N, p) and classes (N,) as the parameters say.

    ``rounds`` fixes how many there are, whatever the parameters say of stopping.
    """
    with unwarned(AtomWarning):  # the page says it in words of its own
        return fabricate(
            X, y, epsilon, 0.0 if np.isinf(epsilon) else params.atom,
            rng=np.random.default_rng(seed), rounds=params.rounds if rounds is None else rounds,
            operator=params.operator, stop="rounds" if rounds is not None else params.stop,
            noise=params.noise, options=options,
        )  # fmt: skip
