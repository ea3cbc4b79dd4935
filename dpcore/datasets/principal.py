"""MNIST as in Table 1 of Brinkrolf, Berger and Hammer (2018), with 30 components and training on one of five folds.

The principal components and their scaling are computed from the private records without noise, so every ε is nominal.
The paper does not mention this computation, but the paper's errors without privacy are reproduced only with it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._types import Floats32
from dpcore.datasets.dataset import Dataset
from dpcore.datasets.external import EXTERNAL, UNITS, all_records

__all__ = [
    "DEFAULT_FOLD",
    "N_COMPONENTS",
    "axes_of",
    "components",
    "folds",
    "load_principal",
    "min_max",
]

N_COMPONENTS = 30
DEFAULT_FOLD = {"repeat": 0, "fold": 0, "seed": 2}
"""Repeat, fold and seed of the default training split, which is the first one in ``docs/table1.csv``."""
# The paper trains on one fold of MNIST and tests on four; the smaller sets the other way round.
_TRAIN_ON_ONE = ("mnist",)
Axes = tuple[NDArray[np.float64], NDArray[np.float64]]


def min_max(X: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return features (n, d) scaled to [-1, 1] by their smallest and largest values; constant features become 0."""
    low, high = X.min(0), X.max(0)
    half = np.where(high > low, (high - low) / 2, 1)
    return cast(Floats32, ((X - (high + low) / 2) / half).astype(np.float32))


def axes_of(X: NDArray[Any], n_components: int = N_COMPONENTS) -> Axes:
    """Return the mean (d,) and the principal axes (d, n_components) of records (n, d), by decreasing variance.

    Parameters
    ----------
    X : ndarray (n, d)
        Records of any numeric type; images may stay bytes.
    n_components : int
        Number of axes, from 1 to d.

    Returns
    -------
    ndarray (d,), ndarray (d, n_components)
        Mean, and axes (columns) by decreasing variance. The sign of an axis is such that the entry of largest
        magnitude is positive.
    """
    wanted = _checks.integer("n_components", n_components, low=1, high=X.shape[1])
    middle = X.mean(0, dtype=float)
    spread = np.zeros((X.shape[1], X.shape[1]))
    for part in _parts(X):  # converted from bytes to floats in blocks
        gaps = part - middle
        spread += gaps.T @ gaps
    axes = np.linalg.eigh(spread)[1][:, : -wanted - 1 : -1]
    return middle, axes * np.sign(axes[np.abs(axes).argmax(0), np.arange(wanted)])


def components(
    X: NDArray[Any], n_components: int = N_COMPONENTS, axes: Axes | None = None
) -> NDArray[np.float64]:
    """Return the principal components (n, n_components) of records (n, d), by decreasing variance.

    ``axes`` is a result of `axes_of`. If it is None, it is computed from ``X``.
    """
    middle, turn = axes or axes_of(X, n_components)
    return np.concatenate([(part - middle) @ turn for part in _parts(X)])


def _parts(X: NDArray[Any]) -> list[NDArray[Any]]:
    return np.array_split(X, max(1, len(X) // 10_000))


def folds(
    data: str, y: NDArray[np.int64], repeat: int, fold: int, seed: int, n_folds: int = 5
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the row indices for training (n_train,) and for testing (n_test,) in cross-validation.

    The rows are divided into ``n_folds`` folds, stratified by the classes y (n,) and shuffled again for every
    ``repeat``. The fold with the number ``fold`` is for testing, and the other folds are for training. If ``data`` is
    "mnist", it is the other way round: this fold is for training, and the other folds are for testing.
    """
    from sklearn.model_selection import StratifiedKFold

    state = int(np.random.SeedSequence([seed, repeat]).generate_state(1)[0])
    split = StratifiedKFold(n_folds, shuffle=True, random_state=state)
    large, small = list(split.split(np.zeros(len(y)), y))[fold]
    return (small, large) if data in _TRAIN_ON_ONE else (large, small)


def load_principal(data_home: str | os.PathLike[str] | None = None) -> Dataset:
    """Return the principal components of MNIST, divided as in Table 1 of Brinkrolf et al. (2018).

    The division is that of the first training run in our reproduction of the table. The bounds are the smallest and
    largest values of the components over all records. They are marked "estimated", so every ε is nominal.
    """
    X, y = all_records("mnist", data_home)
    axes = axes_of(X, min(N_COMPONENTS, X.shape[1]))
    coordinates = components(X, axes=axes)
    low, high = coordinates.min(0), coordinates.max(0)
    train, test = folds("mnist", y, **DEFAULT_FOLD)
    title, _, what = EXTERNAL["mnist_pca"]
    return Dataset(
        name="mnist_pca", title=title, description=what, X=coordinates[train], X_test=coordinates[test],
        y=y[train], y_test=y[test], low=low, high=high, bounds_status="estimated",
        classes=tuple("0123456789"), image_shape=(28, 28), decode=_decoder(axes, low, high),
        feature_names=tuple(f"component {k}" for k in range(1, coordinates.shape[1] + 1)),
        source="LeCun, Cortes, Burges", licence="CC BY-SA 3.0", unit=UNITS["mnist"],
    )  # fmt: skip


def _decoder(
    axes: Axes, low: NDArray[np.float64], high: NDArray[np.float64]
) -> Callable[[NDArray[Any]], NDArray[Any]]:
    """Return the affine map from components scaled to [-1, 1] to pixels scaled to [-1, 1]."""
    middle, turn = axes
    return lambda scaled: ((scaled * (high - low) + high + low) / 2 @ turn.T + middle) / 127.5 - 1
