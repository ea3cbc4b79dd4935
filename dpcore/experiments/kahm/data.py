"""The records an experiment starts from, in the unit box, how they are made private, and what that promises."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore._warnings import unwarned
from dpcore.datasets import Dataset, load
from dpcore.datasets.dataset import PERSON, split
from dpcore.datasets.external import EXTERNAL, UNITS, bounds, split_records
from dpcore.experiments.kahm.params import KahmParams
from dpcore.guarantee import Guarantee
from dpcore.kahm import AtomWarning, Fabricated, HullOptions, fabricate
from dpcore.kahm.guarantee import record_guarantee
from dpcore.units import Unit

__all__ = [
    "MOST_RECORDS", "StudyDataset", "fabricated", "guarantee", "hull_options", "picture_data",
    "study_dataset", "study_table",
]  # fmt: skip

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
    most 2,000 are used; ``estimated``: what was read from the data, which leaks, ``unit`` and ``public``, as of
    its `Dataset`.
    """

    X: Array
    y: NDArray[np.int64]
    title: str
    image_shape: tuple[int, int] | None
    all_records: int
    estimated: tuple[str, ...] = ()
    unit: Unit = PERSON
    public: tuple[str, ...] = ()

    @property
    def n_features(self) -> int:
        """p."""
        return int(self.X.shape[1])

    def halves(self, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return row numbers (m,), (k,) of members and of others: half each, by class, seeded.

        Classes are public here: neighbours differ in the features of one record.
        """
        return split(self.y, 0.5, seed)


def study_dataset(dataset: Dataset) -> StudyDataset:
    """Return a data set ready to be studied: all its records, scaled by its bounds, at most 2,000."""
    y = np.concatenate([dataset.y, dataset.y_test])
    rows, n = _used(len(y)), len(dataset.y)  # only what is used is scaled
    parts = dataset.X[rows[rows < n]], dataset.X_test[rows[rows >= n] - n]
    X = np.concatenate([dataset.scaled(part) for part in parts]).astype(float)
    return StudyDataset(
        X=(X + 1) / 2, y=y[rows], title=dataset.title, image_shape=dataset.image_shape,
        all_records=len(y), estimated=dataset.estimated, unit=dataset.unit, public=dataset.public,
    )  # fmt: skip


def _used(n_records: int) -> NDArray[np.int64]:
    """The rows of all records that are studied, rising."""
    if n_records <= MOST_RECORDS:
        return np.arange(n_records)
    return np.sort(np.random.default_rng(0).choice(n_records, MOST_RECORDS, replace=False))


def study_table(table: str) -> StudyDataset:
    """Return a table of the catalogue ready to be studied.

    Of MNIST only the pictures that are studied become numbers: all of them would fill a gigabyte.
    """
    if table != "mnist":
        return study_dataset(load(table))
    X, y, X_test, y_test = split_records(table)
    n, rows = len(y), _used(len(y) + len(y_test))
    first, last = rows[rows < n], rows[rows >= n] - n
    low, high = bounds(table, X.shape[1])
    few = Dataset(
        name=table, title=EXTERNAL[table][0], description=EXTERNAL[table][2], X=X[first], y=y[first],
        X_test=X_test[last], y_test=y_test[last], classes=tuple("0123456789"),
        feature_names=tuple(map(str, range(X.shape[1]))), low=low, high=high, image_shape=(28, 28),
        unit=UNITS["mnist"],
    )  # fmt: skip
    return replace(study_dataset(few), all_records=n + len(y_test))


def hull_options(params: KahmParams, n_components: int) -> HullOptions:
    """Return how machines are built; blocks at random, since k-means would follow the noise."""
    return HullOptions(
        n_components=n_components, n_layers=params.n_layers, block_size=params.block_size,
        split="random", tau_factor=params.ridge,
    )  # fmt: skip


def fabricated(
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
            X, y, epsilon=epsilon, delta=0.0 if np.isinf(epsilon) else params.atom,
            rng=np.random.default_rng(seed), rounds=params.rounds if rounds is None else rounds,
            operator=params.operator, stop="rounds" if rounds is not None else params.stop,
            noise=params.noise, options=options,
        )  # fmt: skip


def guarantee(
    params: KahmParams,
    n_features: int = 2,
    *,
    estimated: tuple[str, ...] = (),
    unit: Unit | None = None,
    public: tuple[str, ...] = (),
) -> Guarantee:
    """Return what the published data promise to one record of ``n_features`` values.

    ``estimated``: what was read from the data, of "bounds", "n" and "classes": then nothing is proved.
    ``unit`` is what one record is, ``public`` what else is known of how the records were prepared.
    """
    found = record_guarantee(
        params.epsilon, params.atom, n_features, kind=params.noise,
        reads_original=params.stop == "paper",
    )  # fmt: skip
    # A value that is published as it is gives everything away; all others stay within ε.
    found = replace(
        found, loss_tail=found.delta, public=(*public, *found.public), unit=unit or found.unit
    )
    return found.having_read(*(_READ[fact] for fact in estimated))


_READ = {"bounds": "the bounds", "n": "n", "classes": "the classes"}
