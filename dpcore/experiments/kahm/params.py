"""The parameters of the affine hull experiment, its data in the unit box, and the fabrication of new data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcore._warnings import unwarned
from dpcore.datasets import Dataset, load
from dpcore.datasets.dataset import PERSON, split
from dpcore.datasets.external import EXTERNAL, UNITS, bounds, split_records
from dpcore.experiments import shared
from dpcore.experiments.params import Params, control
from dpcore.guarantee import Guarantee
from dpcore.kahm import AtomWarning, Fabricated, HullOptions, fabricate
from dpcore.kahm.guarantee import record_guarantee
from dpcore.units import Unit

__all__ = [
    "LAMBDA_STEPS",
    "MOST_RECORDS",
    "PARTIES_GRID",
    "QUERY_GRID",
    "SHIFT_GRID",
    "SHOWN_ROUNDS",
    "SKEW_GRID",
    "STAGE_GRID",
    "TURN_GRID",
    "KahmParams",
    "StudyDataset",
    "fabricated",
    "guarantee",
    "hull_options",
    "picture_data",
    "study_dataset",
    "study_table",
]

SHOWN_ROUNDS = 5
STAGE_GRID: tuple[float, ...] = tuple(i / 4 for i in range(4 * (SHOWN_ROUNDS + 1) + 1))
SHIFT_GRID: tuple[float, ...] = tuple(round(i / 40, 3) for i in range(-40, 41))
PARTIES_GRID: tuple[int, ...] = (1, 2, 3, 5, 10, 20)
SKEW_GRID: tuple[float, ...] = (0.0, 0.5, 1.0, 2.0, 4.0, 10.0, 100.0)
"""Degrees of inequality between the parties' data; at the largest degree each class belongs to one party."""
QUERY_GRID: tuple[float, ...] = tuple(round(i / 20, 2) for i in range(-12, 13))
LAMBDA_STEPS: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)
TURN_GRID: tuple[int, ...] = tuple(range(0, 361, 10))


@dataclass(frozen=True, kw_only=True)
class KahmParams(Params):
    """Data sets, settings of the kernel affine hull machines, and noise on every value.

    - ``epsilon`` in [0.05, 20]: ε of ONE VALUE (an element of the data matrix).
    - ``delta`` in [1e-8, 1e-3]: δ at which a record's tight ε is stated.
    - ``atom`` in [0, 0.1]: δ of the paper by Kumar et al., the probability that a value is
      published unchanged.
    - ``stage``: data to display: 0 original, 1 noisy, 1 + t after smoothing round t.

    Examples
    --------
    >>> KahmParams(epsilon=4.0, n_components=2).to_link()
    {'epsilon': '4', 'n_components': '2'}
    """

    former_defaults: ClassVar[Mapping[str, Mapping[str, str]]] = {
        **{version: {"epsilon": "8", "n_components": "2"} for version in ("1", "2", "3", "4")},
        **{version: {"epsilon": "2", "n_components": "2"} for version in ("5", "6")},
    }

    epsilon: float = shared.epsilon(20.0)
    stage: float = control(4.0, grid=STAGE_GRID)
    n_components: int = control(1, grid=(1, 2), symbol="n")
    ridge: float = control(
        2.0,
        grid=(0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0),
        symbol="τ",
    )
    n_records: int = control(200, grid=(40, 100, 200), symbol="N")
    shape: str = control(
        "moons",
        choices=("moons", "spirals", "blobs"),
    )
    n_parties: int = control(5, grid=PARTIES_GRID, symbol="Q")
    skew: float = control(0.0, grid=SKEW_GRID)
    delta: float = shared.delta()
    table: str = control(
        "digits",
        choices=("digits", "iris", "wine", "breast_cancer", "mnist", "own"),
    )
    rounds: int = control(3, grid=(0, 1, 2, 3, 4, 5), symbol="T")
    stop: str = control(
        "rounds",
        choices=("rounds", "paper"),
    )
    noise: str = control(
        "laplace",
        choices=("laplace", "staircase"),
    )
    atom: float = control(
        0.0,
        grid=(0.0, 1e-5, 1e-4, 1e-3, 1e-2, 0.1),
        symbol="δ₀",
    )
    operator: str = control(
        "fixed",
        choices=("fixed", "rebuild", "centred"),
    )
    block_size: int = control(1000, grid=(25, 50, 1000))
    n_layers: int = control(1, grid=(1, 2, 3), symbol="L")
    table_components: int = control(
        20,
        grid=(2, 5, 10, 20, 40),
        symbol="n",
    )
    person: int = control(0, low=0, high=199)
    person_dx: float = control(0.25, grid=SHIFT_GRID)
    person_dy: float = control(0.3, grid=SHIFT_GRID)
    lambda_step: int = control(1, grid=LAMBDA_STEPS)
    query_x: float = control(-0.2, grid=QUERY_GRID)
    query_y: float = control(0.1, grid=QUERY_GRID)
    turn: int = control(30, grid=TURN_GRID)
    seed: int = shared.seed()

    @property
    def row(self) -> int:
        """Index of the replaced record; a number that is too large selects the last record."""
        return min(self.person, self.n_records - 1)


Array = NDArray[np.float64]
MOST_RECORDS = 2000


@lru_cache(maxsize=16)
def picture_data(shape: str, n_records: int) -> tuple[Array, NDArray[np.int64]]:
    """Return the records (N, 2) of a 2-D data set in [0, 1]² and their classes (N,)."""
    # A third of a made set is its test part; a few more make up for classes that do not divide.
    data = load(shape, n_samples=round(1.5 * n_records) + 6)
    X = (data.X[:n_records] + 1) / 2
    X.setflags(write=False)
    return X, data.y[:n_records]


@dataclass(frozen=True, kw_only=True, eq=False)
class StudyDataset:
    """A table scaled to the unit box, with public facts.

    - ``X`` (N, p) in [0, 1] and classes ``y`` (N,); ``title`` for display.
    - ``image_shape``: shape of the images if records are images.
    - ``all_records``: number of records of the table, of which at most 2,000 are used.
    - ``estimated``: facts read from the data, which ε does not cover.
    - ``unit``: privacy unit. ``public``: public facts about the data.
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
        """Number p of features."""
        return int(self.X.shape[1])

    def halves(self, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the row numbers of two random halves of the table, the members (m,) and the others (k,).

        The halves are stratified by class. Classes count as public: neighbouring data sets differ
        in the features of one record.
        """
        return split(self.y, 0.5, seed)


def study_dataset(dataset: Dataset) -> StudyDataset:
    """Return training and test records of a data set together, scaled by the bounds.

    At most 2,000 records are used.
    """
    y = np.concatenate([dataset.y, dataset.y_test])
    rows, n = _used(len(y)), len(dataset.y)  # only what is used is scaled
    parts = dataset.X[rows[rows < n]], dataset.X_test[rows[rows >= n] - n]
    X = np.concatenate([dataset.scaled(part) for part in parts]).astype(float)
    return StudyDataset(
        X=(X + 1) / 2, y=y[rows], title=dataset.title, image_shape=dataset.image_shape,
        all_records=len(y), estimated=dataset.estimated, unit=dataset.unit, public=dataset.public,
    )  # fmt: skip


def _used(n_records: int) -> NDArray[np.int64]:
    """Return the sorted indices of the records used in the study."""
    if n_records <= MOST_RECORDS:
        return np.arange(n_records)
    return np.sort(np.random.default_rng(0).choice(n_records, MOST_RECORDS, replace=False))


def study_table(table: str) -> StudyDataset:
    """Return the data set named ``table`` for the study.

    For MNIST only the records that are used are converted to floats, to save memory.
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
    """Return the settings of the kernel affine hull machines.

    Blocks of records are random, since k-means would follow the noise.
    """
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
    """Return the data fabricated from records (N, p) and classes (N,), with noise for the given ε.

    ``params``: all other settings. ``rounds``: number of smoothing rounds; if given, it replaces
    the stopping rule of the parameters.
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
    """Return the guarantee of the published data for one record of ``n_features`` values.

    - ``estimated``: which of "bounds", "n" and "classes" were read from the data. If any of them was
      read, the guarantee is nominal.
    - ``unit``: the privacy unit.
    - ``public``: further public facts about the preparation.
    """
    privacy = record_guarantee(
        params.epsilon, params.atom, n_features, kind=params.noise,
        reads_original=params.stop == "paper",
    )  # fmt: skip
    # A value that is published as it is gives everything away; all others stay within ε.
    privacy = replace(
        privacy,
        loss_tail=privacy.delta,
        public=(*public, *privacy.public),
        unit=unit or privacy.unit,
    )
    return privacy.having_read(*(_READ[fact] for fact in estimated))


_READ = {"bounds": "the bounds", "n": "n", "classes": "the classes"}
