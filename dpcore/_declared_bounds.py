"""Warnings about properties of the data that a guarantee assumes to be public but that were read from the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._warnings import warn

__all__ = [
    "BoundsEstimatedWarning",
    "SizeFromDataWarning",
    "class_index",
    "warn_of_estimated_bounds",
    "warn_of_size",
]


class BoundsEstimatedWarning(UserWarning):
    """Warning: the feature bounds were read from the data; the stated ε does not cover this reading."""


class SizeFromDataWarning(UserWarning):
    """Warning: the number of records or the list of classes was read from the data; ε does not cover this."""


def warn_of_estimated_bounds(*, stacklevel: int = 3) -> None:
    """Warn that the feature bounds were read from the data.

    With the default ``stacklevel``, the warning names the line that calls the caller of this function.
    ``stacklevel`` is counted as in `warnings.warn`.
    """
    warn(
        "bounds=None reads the bounds from the data, which leaks and is not paid for: "
        "give public bounds for a guarantee.",
        BoundsEstimatedWarning,
        stacklevel=stacklevel,
    )


def warn_of_size(names: tuple[str, ...], *, stacklevel: int = 3) -> None:
    """Warn that the arguments in ``names`` were read from the data because they were not declared.

    If ``names`` is empty, there is no warning.
    """
    if names:
        what = " and ".join(f"{name}=None" for name in names)
        warn(
            f"{what}: read from the data, which leaks and is not paid for. Declare what is public, "
            "known without the records, for a guarantee.",
            SizeFromDataWarning,
            stacklevel=stacklevel,
        )


def class_index(
    y: NDArray[Any], classes: ArrayLike | None
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the sorted classes (k,), and for each label in y its index (n,) among them.

    ``classes`` is the public list of classes, some of which may have no record. If it is None, the list is read from
    y.

    Raises
    ------
    ValueError
        When ``classes`` has fewer than two classes, or y has a label that is not among them.
    """
    labels, index = np.unique(y, return_inverse=True)
    if classes is None:
        return labels, index
    allowed = np.unique(np.asarray(classes))
    if np.ndim(classes) != 1 or len(allowed) < 2:
        raise ValueError(f"classes={classes!r} is not allowed: give a list of two or more classes.")
    place = {label: i for i, label in enumerate(allowed.tolist())}
    foreign = [label for label in labels.tolist() if label not in place]
    if foreign:
        raise ValueError(
            f"y holds {foreign[0]!r}, which is not in classes={allowed.tolist()!r}: "
            "declare every class that may occur, or leave such records out."
        )
    return allowed, np.array([place[label] for label in labels.tolist()], np.int64)[index]
