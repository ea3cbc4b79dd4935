"""Larger data sets, read from a local folder or downloaded from OpenML."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore.datasets._folder import ENVIRONMENT, folder, reading, sound
from dpcore.datasets._limits import DataError
from dpcore.datasets.dataset import Dataset, split
from dpcore.units import Unit

__all__ = [
    "EXTERNAL",
    "UNITS",
    "all_records",
    "as_cosines",
    "bounds",
    "load_external",
    "split_records",
]

Raw = tuple[NDArray[Any], NDArray[Any], int | None, tuple[str, ...], tuple[str, ...]]

# Declared bounds of Segment's 19 features, in their order: places in a 256 × 256 picture, densities,
# contrasts with a declared cap (larger ones are put on it), intensities of 8-bit channels.
_SEGMENT_BOUNDS = [
    (0, 256), (0, 256), (0, 18), (0, 1), (0, 1), (0, 50), (0, 500), (0, 50), (0, 500), (0, 255),
    (0, 255), (0, 255), (0, 255), (-255, 255), (-255, 255), (-255, 255), (0, 255), (0, 1),
    (-3.1416, 3.1416),
]  # fmt: skip
_SEGMENT = [
    "region-centroid-col",
    "region-centroid-row",
    "region-pixel-count",
    "short-line-density-5",
    "short-line-density-2",
    "vedge-mean",
    "vedge-sd",
    "hedge-mean",
    "hedge-sd",
    "intensity-mean",
    "rawred-mean",
    "rawblue-mean",
    "rawgreen-mean",
    "exred-mean",
    "exblue-mean",
    "exgreen-mean",
    "value-mean",
    "saturation-mean",
    "hue-mean",
]
_N_COSINES = 35
_N_FEATURES = {"segment": 19, "har": 561, "mnist": 784}

EXTERNAL = {
    "segment": ("Image segments", "segment", "Seven kinds of surface by 19 colour features."),
    "har": ("Motion (HAR)", "har", "Six activities by 561 features of a phone's motion."),
    "mnist": ("MNIST", "mnist_784", "Handwritten digits, 28 × 28 pixels."),
    "mnist_dct": ("MNIST, 35 cosines", "mnist_784", "MNIST as 35 low-frequency cosines."),
    "mnist_pca": ("MNIST of Table 1", "mnist_784", "MNIST as 30 principal components, unpaid."),
}


# Segment: one record is a region of 3 × 3 pixels of one of seven outdoor pictures. HAR: 30 volunteers, 281 to
# 409 windows each. MNIST: about 250 writers of the 60 000 pictures for training; others wrote those for testing.
# The largest number for one writer is not published: 240 is the mean.
UNITS = {
    "segment": Unit(singular="region of a picture", plural="regions of pictures"),
    "har": Unit(
        singular="window of motion", plural="windows of motion", records_per_person=409, n_people=30,
        people="volunteers",
    ),
    "mnist": Unit(
        singular="picture", plural="pictures", records_per_person=240, is_average=True, n_people=250,
        people="writers",
    ),
}  # fmt: skip
FACTS = {
    "har": ("the scale of every feature: the records were published scaled by their extremes",)
}


def load_external(
    name: str,
    data_home: str | os.PathLike[str] | None,
    fetch: Callable[..., Any] | None = None,
) -> Dataset:
    """Return a larger data set by name, read from the local data folder or downloaded from OpenML."""
    X, y, n_train, features, classes = _raw(name, data_home, fetch)
    X = np.asarray(X, float)
    low, high = bounds(name, X.shape[1])
    train, test = _halves(name, y, n_train)
    parts: dict[str, Any] = {"X": X[train], "X_test": X[test], "low": low, "high": high}
    shape, decode = (28, 28) if name.startswith("mnist") else None, None
    if name == "mnist_dct":
        basis = cosines()
        parts = _as_cosines(parts, basis)
        features = tuple(f"cosine {i}" for i in range(_N_COSINES))
        decode = _decoder(basis)
    title, _, what = EXTERNAL[name]
    return Dataset(
        name=name, title=title, description=what, y=y[train], y_test=y[test], classes=classes,
        feature_names=features, image_shape=shape, decode=decode,
        source="UCI Machine Learning Repository" if shape is None else "LeCun, Cortes, Burges",
        licence="CC BY-SA 3.0" if shape else "CC BY 4.0", **parts,
        unit=UNITS["mnist" if shape else name], facts=FACTS.get(name, ()),
    )  # fmt: skip


def all_records(
    name: str, data_home: str | os.PathLike[str] | None = None
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return all records (n, d) of an external data set and their class indices (n,), training and test together.

    The records are read from the local data folder or downloaded from OpenML. They keep their units and their type in
    the source; images in the folder, for example, stay bytes. A ValueError is raised if the name is unknown or the
    data are not available.
    """
    _checks.one_of("name", name, tuple(EXTERNAL))
    X, y, *_ = _raw(name, data_home)
    return X, y


def split_records(
    name: str, data_home: str | os.PathLike[str] | None = None
) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[Any], NDArray[np.int64]]:
    """Return training records (n, d) with classes (n,), and test records (m, d) with classes (m,).

    The division is the same as in `load_external`. The records keep their units and their type in the source. MNIST
    as bytes takes an eighth of the memory of MNIST as floats.
    """
    _checks.one_of("name", name, tuple(EXTERNAL))
    X, y, n_train, *_ = _raw(name, data_home)
    train, test = _halves(name, y, n_train)
    return X[train], y[train], X[test], y[test]


def _raw(
    name: str,
    data_home: str | os.PathLike[str] | None,
    fetch: Callable[..., Any] | None = None,
) -> Raw:
    return _from_folder(name, folder(data_home)) or _from_openml(name, fetch)


def _halves(name: str, y: NDArray[np.int64], n_train: int | None) -> tuple[Any, Any]:
    if n_train is None or name == "segment":
        return split(y, 0.2, seed=1)
    return slice(n_train), slice(n_train, None)


def bounds(name: str, n_features: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the declared lower and upper bounds (d,) of the features of an external data set."""
    if name == "segment":
        low, high = np.array(_SEGMENT_BOUNDS, float).T
    else:
        ends = (-1.0, 1.0) if name == "har" else (0.0, 255.0)
        low, high = (np.full(n_features, end) for end in ends)
    return low, high


def cosines() -> NDArray[np.float64]:
    """Return the 35 orthonormal 2-D cosines (35, 784) of the lowest frequencies on 28 × 28 pixels."""
    k = np.arange(28)
    wave = np.cos(np.pi * (k[:, None] + 0.5) * k / 28) * np.sqrt(2 / 28)
    wave[:, 0] /= np.sqrt(2)
    order = sorted((a + b, a, b) for a in range(28) for b in range(28))[:_N_COSINES]
    return np.array([np.outer(wave[:, a], wave[:, b]).ravel() for _, a, b in order])


def as_cosines(pictures: NDArray[Any]) -> NDArray[np.float32]:
    """Return cosine coefficients (n, 35), scaled to [-1, 1], of images (n, 784) that consist of 28 × 28 bytes."""
    basis = cosines()
    parts = np.array_split(pictures, max(1, len(pictures) // 10_000))
    inside = np.concatenate([(part / 127.5 - 1) @ basis.T for part in parts])
    return np.clip(inside / _reach(), -1, 1).astype(np.float32)


def _reach() -> NDArray[np.float64]:
    # One fixed scale for all coefficients, chosen without looking at the data:
    # half the largest a picture can reach would be 28, ink rarely covers a third of it.
    reach = np.full(_N_COSINES, 10.0)
    reach[0] = 28.0
    return reach


def _as_cosines(parts: dict[str, Any], basis: NDArray[np.float64]) -> dict[str, Any]:
    inside = {k: (parts[k] / 127.5 - 1) @ basis.T for k in ("X", "X_test")}
    return {**inside, "low": -_reach(), "high": _reach()}


def _decoder(basis: NDArray[np.float64]) -> Callable[[NDArray[Any]], NDArray[Any]]:
    return lambda scaled: (scaled * _reach()) @ basis


def _from_folder(name: str, home: Path | None) -> Raw | None:
    if home is None:
        return None
    kind = "mnist" if name.startswith("mnist") else name
    file, idx = home / f"{kind}.npz", home / "mnist-idx"
    if file.exists():
        with reading(file):
            return _from_npz(file, _N_FEATURES[kind])
    if kind == "mnist" and idx.exists():
        with reading(idx):
            X = np.concatenate([_idx(idx / f"{part}-images-idx3-ubyte.gz") for part in _PARTS])
            y = np.concatenate([_idx(idx / f"{part}-labels-idx1-ubyte.gz") for part in _PARTS])
            names, digits = tuple(map(str, range(784))), tuple("0123456789")
            X, y = sound(X.reshape(len(X), -1), y, 784)
            return X, _classes(y, digits), min(60000, len(y) - 1), names, digits
    return None


def _from_npz(file: Path, n_features: int) -> Raw:
    with open(file, "rb") as raw, np.load(raw) as arrays:
        X, y, n_train = arrays["X"], arrays["y"], int(arrays["n_train"])
        features = arrays["feature_names"] if "feature_names" in arrays else range(n_features)
        named = arrays["class_names"] if "class_names" in arrays else range(10)
    X, y = sound(X, y, n_features, n_train)
    features, named = tuple(map(str, features)), tuple(map(str, named))
    if len(features) != n_features:
        raise DataError(f"{len(features)} names of {n_features} features")
    return X, _classes(y, named), n_train, features, named


def _classes(y: NDArray[Any], names: tuple[str, ...]) -> NDArray[np.int64]:
    whole = y.astype(np.int64)
    if not (np.array_equal(whole, y) and whole.min() >= 0 and whole.max() < len(names)):
        raise DataError(f"some classes are not among 0 to {len(names) - 1}")
    return whole


_PARTS = ("train", "t10k")


def _idx(path: Path) -> NDArray[np.uint8]:
    with gzip.open(path) as file:
        raw = file.read()
    shape = np.frombuffer(raw, ">i4", raw[3], offset=4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3]).reshape(shape)


def _from_openml(name: str, fetch: Callable[..., Any] | None) -> Raw:
    if fetch is None:
        from sklearn.datasets import fetch_openml

        fetch = fetch_openml
    title, key, _ = EXTERNAL[name]
    try:
        bunch = fetch(name=key, version=1, as_frame=False, parser="liac-arff")
    except Exception as error:
        raise DataError(
            f"{title} is not to be had: no local folder holds it and OpenML did not answer "
            f"({type(error).__name__}). Put the file into a folder and set {ENVIRONMENT} to it."
        ) from error
    classes, y = np.unique(bunch.target, return_inverse=True)
    X, features = np.asarray(bunch.data, float), tuple(str(f) for f in bunch.feature_names)
    if name == "segment":
        spelled = [f.replace(".", "-").lower() for f in features]
        X = X[:, [spelled.index(f) for f in _SEGMENT]] if set(_SEGMENT) <= set(spelled) else X
        features = tuple(_SEGMENT)
    n_train = 60000 if name.startswith("mnist") and len(y) == 70000 else None
    return X, y.astype(np.int64), n_train, features, tuple(map(str, classes))
