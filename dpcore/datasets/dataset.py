"""Classification data sets with bounds of their features, and planes on which records are displayed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.datasets._empty_cells import EmptyCells
from dpcore.guarantee import Neighbouring
from dpcore.units import Unit

__all__ = ["PERSON", "BoundsStatus", "Dataset", "division", "mismatch", "plane", "split"]

BoundsStatus = Literal["public", "declared", "estimated"]
PERSON = Unit(singular="person", plural="people")


def mismatch(data: Any, neighbouring: Neighbouring) -> tuple[str, ...]:
    """Return the facts that a guarantee must assume to be public because of the neighbouring relation.

    A user's table is divided into training and test rows for one neighbouring relation. Under another relation the
    guarantee must assume that it is public which rows are for training. The result contains this fact if
    ``neighbouring`` is not the relation of ``data``, and is empty otherwise.
    """
    fits = data.neighbouring in (None, neighbouring)
    return () if fits else ("the rows for training",)


def division(neighbouring: Neighbouring | None) -> tuple[str, ...]:
    """Return the public facts about the division of a data set into training and test records.

    The result is a tuple of one sentence, or an empty tuple. ``neighbouring`` is the relation for which a user's
    table was divided; None stands for a published data set.
    """
    if neighbouring is None:
        return ("which records of the data set are for training, and which for testing",)
    if neighbouring == "replace_one":
        return ("which places in the table are for training, and which for testing",)
    return ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Dataset:
    """Classification data set with training records, test records, classes, and bounds of every feature.

    Parameters
    ----------
    name, title, description : str
        Identifier, displayed name, and description in one sentence.
    X, X_test : ndarray (n, d), (n_test, d)
        Training and test records in the original units.
    y, y_test : ndarray (n,), (n_test,)
        Class index of each record.
    classes : tuple of str
        Class names.
    feature_names : tuple of str
        Name of each feature.
    low, high : ndarray (d,)
        Lower and upper bound of each feature.
    bounds_status : "public", "declared" or "estimated"
        Origin of the bounds. They are known independently of the records ("public"), declared by the user, or
        estimated from the data. ε does not cover the estimation.
    undeclared : tuple of str
        Facts that were read from the data because they were not declared, among "n" (the number of records) and
        "classes".
    empty_cells : "refuse", "leave_out" or "middle"
        How empty cells of the source table were handled.
    image_shape : (height, width) or None
        Shape of the images if the records are images, and None otherwise.
    decode : callable or None
        Function that maps scaled records to flattened images, if the records are transformed images.
    source, licence : str
        Source and licence of the data.
    unit : Unit
        Privacy unit, which says what one record is and how many records a person may have.
    neighbouring : "add_remove", "replace_one" or None
        For an uploaded table, the neighbouring relation for which it was divided. Under this relation, neighbouring
        tables have neighbouring training parts. If it is None, it is public which records are for training.
    expected_n : int or None
        Declared size of the training part of an uploaded table. None stands for the actual size.
    facts : tuple of str
        Further public facts about the preparation of the records.
    """

    name: str
    title: str
    description: str
    X: NDArray[np.float64]
    y: NDArray[np.int64]
    X_test: NDArray[np.float64]
    y_test: NDArray[np.int64]
    classes: tuple[str, ...]
    feature_names: tuple[str, ...]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    bounds_status: BoundsStatus = "public"
    undeclared: tuple[str, ...] = ()
    empty_cells: EmptyCells = "refuse"
    image_shape: tuple[int, int] | None = None
    decode: Callable[[NDArray[Any]], NDArray[Any]] | None = field(default=None, repr=False)
    source: str = ""
    licence: str = ""
    unit: Unit = PERSON
    neighbouring: Neighbouring | None = None
    expected_n: int | None = None
    facts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("X", "y", "X_test", "y_test", "low", "high"):
            array = np.array(getattr(self, name))
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @property
    def n_features(self) -> int:
        """Number d of features."""
        return int(self.X.shape[1])

    @property
    def records(self) -> str:
        """Plural noun for the records, such as "people" or "bottles"."""
        return self.unit.plural

    @property
    def n_declared(self) -> int:
        """Declared size of the training part, or the actual size if no size was declared."""
        return len(self.y) if self.expected_n is None else self.expected_n

    @property
    def public(self) -> tuple[str, ...]:
        """Facts about the preparation of the data that are assumed to be public."""
        return (*division(self.neighbouring), *self.facts)

    @property
    def estimated(self) -> tuple[str, ...]:
        """Facts that were read from the data, among "bounds", "n" and "classes"; ε does not cover them."""
        return ("bounds",) * (self.bounds_status == "estimated") + self.undeclared

    def scaled(self, X: ArrayLike | None = None) -> NDArray[np.float32]:
        """Return records (n, d), by default the training records, scaled from the bounds to [-1, 1]^d.

        Values outside the bounds are clipped.
        """
        records = self.X if X is None else np.asarray(X, float)
        half = np.where(self.high > self.low, (self.high - self.low) / 2, 1.0)
        return np.clip((records - (self.low + self.high) / 2) / half, -1, 1).astype(np.float32)

    def to_images(self, scaled: NDArray[Any]) -> NDArray[np.float32] | None:
        """Return scaled records (..., d) as images (..., height, width) with pixels in [-1, 1].

        If the records are no images, the result is None.
        """
        if self.image_shape is None:
            return None
        flat = scaled if self.decode is None else self.decode(scaled)
        return cast(
            "NDArray[np.float32] | None",
            np.clip(flat, -1, 1).reshape(*flat.shape[:-1], *self.image_shape).astype(np.float32),
        )


def plane(X: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the origin (d,) and two axes (d, 2) of a plane on which records X (n, d) are displayed.

    For d ≥ 3 it is the plane with the largest variance of the records, and the axes are orthonormal. This plane is
    computed without noise, so only the owner of the data may see it. For d = 2 the axes are the features. For d = 1
    the first axis is the feature, and the second axis is 0.
    """
    X = np.asarray(X, float)
    if X.shape[1] == 1:
        return np.zeros(1), np.array([[1.0, 0.0]])
    if X.shape[1] == 2:
        return np.zeros(2), np.eye(2)
    origin = X.mean(axis=0)
    _, axes = np.linalg.eigh(np.cov(X - origin, rowvar=False))
    axes = axes[:, :-3:-1]
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), [0, 1]])
    return origin, axes * signs


def split(
    y: NDArray[np.int64], test_share: float, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the row indices of a training part and of a test part, stratified by the class labels y (n,).

    If the class of one record changes, many other records may move to the other part. This function must therefore be
    used only for data sets with a public division, not for uploaded tables.
    """
    rng = np.random.default_rng(seed)
    test = []
    for label in np.unique(y):
        rows = rng.permutation(np.flatnonzero(y == label))
        test.append(rows[: max(1, round(test_share * len(rows)))])
    chosen = np.sort(np.concatenate(test))
    return np.setdiff1d(np.arange(len(y)), chosen), chosen
