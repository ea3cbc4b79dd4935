"""Regression data sets with bounds of their features and of their target."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore.datasets._empty_cells import EmptyCells
from dpcore.datasets._folder import folder
from dpcore.datasets.catalogue import Info
from dpcore.datasets.census import census_synthetic
from dpcore.datasets.dataset import PERSON, BoundsStatus, division
from dpcore.datasets.people import load_acs, load_adult
from dpcore.guarantee import Neighbouring
from dpcore.units import Unit

__all__ = [
    "FILES", "RegressionDataset", "load_regression", "regression_available", "regression_info",
    "regression_names",
]  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False)
class RegressionDataset:
    """Regression data set with training records, test records, and bounds of the features and of the target.

    Parameters
    ----------
    name, title, description : str
        Identifier, displayed name, and description in one sentence.
    X, X_test : ndarray (n, d), (n_test, d)
        Training and test records in the original units.
    y, y_test : ndarray (n,), (n_test,)
        Target (the number to predict) of each record.
    feature_names : tuple of str
        Name of each feature.
    target_name : str
        Name of the target, with its unit.
    low, high, target_low, target_high : ndarray (d,), float
        Bounds of the features and of the target. Values outside the bounds are clipped when they are used.
    bounds_status : "public", "declared" or "estimated"
        Origin of the bounds. They are known independently of the records ("public"), declared by the user, or
        estimated from the data. ε does not cover the estimation.
    undeclared, empty_cells : tuple of str, str
        Facts that were read from the data, and how empty cells were handled; see `Dataset`.
    source, licence : str
        Source and licence of the data.
    unit, neighbouring, expected_n
        Privacy unit, and for a user's table the neighbouring relation and the declared size of the training part; see
        `Dataset`.
    """

    name: str
    title: str
    description: str
    X: NDArray[np.float64]
    y: NDArray[np.float64]
    X_test: NDArray[np.float64]
    y_test: NDArray[np.float64]
    feature_names: tuple[str, ...]
    target_name: str
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    target_low: float
    target_high: float
    bounds_status: BoundsStatus = "public"
    undeclared: tuple[str, ...] = ()
    empty_cells: EmptyCells = "refuse"
    source: str = ""
    licence: str = ""
    unit: Unit = PERSON
    neighbouring: Neighbouring | None = None
    expected_n: int | None = None

    def __post_init__(self) -> None:
        for name in ("X", "y", "X_test", "y_test", "low", "high"):
            array = np.array(getattr(self, name), float)
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @property
    def n_features(self) -> int:
        """Number d of features."""
        return int(self.X.shape[1])

    @property
    def records(self) -> str:
        """Plural noun for the records, such as "people" or "patients"."""
        return self.unit.plural

    @property
    def n_declared(self) -> int:
        """Declared size of the training part, or the actual size if no size was declared."""
        return len(self.y) if self.expected_n is None else self.expected_n

    @property
    def public(self) -> tuple[str, ...]:
        """Facts about the division into training and test records that are assumed to be public."""
        return division(self.neighbouring)

    @property
    def estimated(self) -> tuple[str, ...]:
        """Facts that were read from the data, among "bounds" and "n"; ε does not cover them."""
        return ("bounds",) * (self.bounds_status == "estimated") + self.undeclared


# Round numbers from medical knowledge, declared without looking at these records.
_DIABETES = [
    (18, 80),  # age, years
    (1, 2),  # sex, as coded
    (15, 45),  # body mass index, kg/m²
    (50, 150),  # mean blood pressure, mmHg
    (80, 350),  # total cholesterol, mg/dl
    (30, 300),  # low-density lipoproteins, mg/dl
    (10, 120),  # high-density lipoproteins, mg/dl
    (1, 12),  # ratio of the two
    (3, 7),  # logarithm of triglycerides
    (40, 150),  # blood sugar, mg/dl
]


def _shuffled(
    X: NDArray[Any], y: NDArray[Any], seed: int = 0, test_share: float = 0.2
) -> dict[str, Any]:
    order = np.random.default_rng(seed).permutation(len(y))
    n_train = len(y) - round(test_share * len(y) + 0.4999)
    train, test = order[:n_train], order[n_train:]
    return {"X": X[train], "y": y[train], "X_test": X[test], "y_test": y[test]}


def _diabetes(n_samples: int | None, data_home: str | os.PathLike[str] | None) -> RegressionDataset:
    from sklearn.datasets import load_diabetes

    bunch = load_diabetes(scaled=False)
    low, high = np.array(_DIABETES, float).T
    names = ("age", "sex", "body mass index", "blood pressure", "cholesterol", "LDL", "HDL",
             "cholesterol/HDL", "log triglycerides", "blood sugar")  # fmt: skip
    return RegressionDataset(
        name="diabetes", title=TITLES["diabetes"][0], description=TITLES["diabetes"][1],
        **_shuffled(bunch.data, bunch.target), feature_names=names,
        target_name="progression after a year", low=low, high=high, target_low=0.0,
        target_high=400.0, source="Efron et al. 2004, through scikit-learn", licence="public",
        unit=Unit(singular="patient", plural="patients"),
    )  # fmt: skip


def _synth1d(n_samples: int | None, data_home: str | os.PathLike[str] | None) -> RegressionDataset:
    n = 1000 if n_samples is None else n_samples
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, n)
    y = np.clip(0.1 + 0.6 * x + 0.15 * rng.standard_normal(n), -1, 1)
    return RegressionDataset(
        name="synth1d", title=TITLES["synth1d"][0], description=TITLES["synth1d"][1],
        **_shuffled(x[:, None], y), feature_names=("x",), target_name="y", low=np.full(1, -1.0),
        high=np.ones(1), target_low=-1.0, target_high=1.0, source="made on the spot",
        licence="none needed",
    )  # fmt: skip


def _census_synthetic(
    n_samples: int | None, data_home: str | os.PathLike[str] | None
) -> RegressionDataset:
    X, y, columns = census_synthetic(370_000 if n_samples is None else n_samples)
    n_train = len(y) * 4 // 5
    names, ends = tuple(columns), np.array(list(columns.values()), float)
    return RegressionDataset(
        name="census_synthetic", title=TITLES["census_synthetic"][0],
        description=TITLES["census_synthetic"][1], feature_names=names,
        X=X[:n_train], y=y[:n_train], X_test=X[n_train:], y_test=y[n_train:],
        target_name="income, dollars a year", low=ends[:, 0],
        high=ends[:, 1], target_low=0.0, target_high=100_000.0, source="made on the spot",
        licence="none needed",
    )  # fmt: skip


def _people(name: str, load: Callable[..., dict[str, Any]]) -> Callable[..., RegressionDataset]:
    def make(n_samples: int | None, data_home: str | os.PathLike[str] | None) -> RegressionDataset:
        fields = load(data_home)
        X, y, n_train = fields.pop("X"), fields.pop("y"), fields.pop("n_train")
        parts = (
            _shuffled(X, y)
            if n_train is None
            else {"X": X[:n_train], "y": y[:n_train], "X_test": X[n_train:], "y_test": y[n_train:]}
        )
        return RegressionDataset(
            name=name, title=TITLES[name][0], description=TITLES[name][1], **parts, **fields
        )

    return make


TITLES = {
    "diabetes": ("Diabetes", "Progress of a disease by ten measurements, 442 patients."),
    "synth1d": ("A line with noise", "y = 0.1 + 0.6 x + 0.15 noise: one feature, drawn at once."),
    "census_synthetic": ("Census, synthetic", "Income of made-up persons by 13 mixed features."),
    "adult": ("Adult (census 1994)", "Whether income exceeds 50,000 dollars, by 13 features."),
    "acs": ("American Community Survey 2019", "Personal income by 20 features, 29,520 persons."),
}
_MAKERS: dict[str, Callable[..., RegressionDataset]] = {
    "diabetes": _diabetes,
    "synth1d": _synth1d,
    "census_synthetic": _census_synthetic,
    "adult": _people("adult", load_adult),
    "acs": _people("acs", load_acs),
}
FILES = {"adult": ("adult.csv.gz",), "acs": ("census.npz", "acs2019.csv.gz")}
_SIZED = ("synth1d", "census_synthetic")


def regression_names() -> tuple[str, ...]:
    """Return the names of all regression data sets that `load_regression` accepts."""
    return tuple(_MAKERS)


def regression_info(name: str) -> Info:
    """Return the metadata of a regression data set without loading it; raise a ValueError for an unknown name."""
    _checks.one_of("name", name, regression_names())
    return Info(name, TITLES[name][0], name not in FILES)


def regression_available(name: str, data_home: str | os.PathLike[str] | None = None) -> bool:
    """Return whether a regression data set can be loaded without a network.

    This is possible if the data set is embedded or its file is in the local data folder.
    """
    if regression_info(name).embedded:
        return True
    home = folder(data_home)
    return home is not None and any((home / file).exists() for file in FILES[name])


def load_regression(
    name: str,
    *,
    data_home: str | os.PathLike[str] | None = None,
    n_samples: int | None = None,
) -> RegressionDataset:
    """Return a regression data set by name, with training records, test records and bounds.

    Parameters
    ----------
    name : str
        One of the names that `regression_names` returns.
    data_home : path or None
        Folder with ``adult.csv.gz``, ``census.npz`` or ``acs2019.csv.gz``; by default the value of the environment
        variable ``DPCORE_DATA``. If the folder or the file is missing, Adult is downloaded from OpenML.
    n_samples : int or None
        Number of records of a synthetic data set, training and test together. It is not allowed for other data sets.

    Returns
    -------
    RegressionDataset
        The data set.

    Raises
    ------
    ValueError
        When the name is unknown, the size is not allowed, or the data are not available.

    Examples
    --------
    >>> load_regression("diabetes").X.shape
    (353, 10)
    """
    _checks.one_of("name", name, regression_names())
    if n_samples is not None:
        _checks.one_of("name (with n_samples)", name, _SIZED)
        _checks.integer("n_samples", n_samples, low=50, high=5_000_000)
    return _MAKERS[name](n_samples, data_home)
