"""Catalogue of classification data sets, loaded by name."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from dpcore import _checks
from dpcore.datasets._folder import folder
from dpcore.datasets.bundled import TITLES, load_bundled
from dpcore.datasets.dataset import Dataset, split
from dpcore.datasets.external import EXTERNAL, load_external
from dpcore.datasets.flu import flu
from dpcore.datasets.principal import load_principal
from dpcore.datasets.synthetic import MAKERS

__all__ = ["Info", "available", "info", "load", "names"]

_MADE = {"flu": "Flu, made up"}


@dataclass(frozen=True)
class Info:
    """Metadata of a data set, with its name and title.

    ``embedded`` is True if the data set can be loaded without a file and without a network.
    """

    name: str
    title: str
    embedded: bool


def names() -> tuple[str, ...]:
    """Return the names of all classification data sets that `load` accepts."""
    return (*MAKERS, *_MADE, *TITLES, *EXTERNAL)


def info(name: str) -> Info:
    """Return the metadata of a data set without loading it; raise a ValueError for an unknown name."""
    _checks.one_of("name", name, names())
    made = {k: v[2] for k, v in MAKERS.items()} | _MADE
    titles = made | TITLES | {k: v[0] for k, v in EXTERNAL.items()}
    return Info(name, titles[name], name not in EXTERNAL)


def available(name: str, data_home: str | os.PathLike[str] | None = None) -> bool:
    """Return whether a data set can be loaded without a network.

    This is possible if the data set is embedded or its file is in the local data folder.
    """
    if info(name).embedded:
        return True
    home = folder(data_home)
    if home is None:
        return False
    is_mnist = name.startswith("mnist")
    file = "mnist.npz" if is_mnist else f"{name}.npz"
    return (home / file).exists() or (is_mnist and (home / "mnist-idx").exists())


def load(
    name: str, *, data_home: str | os.PathLike[str] | None = None, n_samples: int = 900
) -> Dataset:
    """Return a classification data set by name, with training records, test records and bounds.

    Parameters
    ----------
    name : str
        One of the names that `names` returns.
    data_home : path, optional
        Folder with ``segment.npz``, ``har.npz``, ``mnist.npz`` or ``mnist-idx/``; by default the value of the
        environment variable ``DPCORE_DATA``. If the folder or the file is missing, the data are downloaded from
        OpenML.
    n_samples : int
        Number of records of a synthetic data set, training and test together. It is ignored for other data sets.

    Returns
    -------
    Dataset
        The data set. The same arguments always give the same records.

    Raises
    ------
    ValueError
        When the name is unknown, or the data are not available.

    Examples
    --------
    >>> load("iris").X.shape
    (99, 4)
    """
    _checks.one_of("name", name, names())
    if name in TITLES:
        return load_bundled(name)
    if name == "mnist_pca":
        return load_principal(data_home)
    if name in EXTERNAL:
        return load_external(name, data_home)
    n_samples = _checks.integer("n_samples", n_samples, low=30, high=100_000)
    return _flu(n_samples) if name == "flu" else _synthetic(name, n_samples)


def _synthetic(name: str, n_samples: int) -> Dataset:
    maker, seed, title, description = MAKERS[name]
    X, y, classes = maker(n_samples, np.random.default_rng(seed))
    train, test = split(y, 1 / 3, seed)
    return Dataset(
        name=name, title=title, description=description,
        X=X[train], y=y[train], X_test=X[test], y_test=y[test], classes=classes,
        feature_names=("across", "up"), low=np.full(2, -1.0), high=np.full(2, 1.0),
        source="made on the spot", licence="none needed",
    )  # fmt: skip


def _flu(n_samples: int) -> Dataset:
    X, y, columns = flu(n_samples)
    train, test = split(y, 1 / 3, seed=1)
    low, high = np.array(list(columns.values()), float).T
    return Dataset(
        name="flu", title=_MADE["flu"],
        description="Flu or none by eight measurements of made-up people, of which three tell the two apart.",
        X=X[train], y=y[train], X_test=X[test], y_test=y[test], classes=("no flu", "flu"),
        feature_names=tuple(columns), low=low, high=high, source="made on the spot",
        licence="none needed",
    )  # fmt: skip
