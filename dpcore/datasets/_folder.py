"""Access to the local data folder, and error messages for damaged files in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.datasets._limits import DataError

__all__ = ["ENVIRONMENT", "folder", "reading", "sound"]

ENVIRONMENT = "DPCORE_DATA"


def folder(data_home: str | os.PathLike[str] | None) -> Path | None:
    """Return the local data folder, or None if none is given.

    It is ``data_home``, or by default the value of the environment variable DPCORE_DATA.
    """
    named = data_home or os.environ.get(ENVIRONMENT)
    return Path(named) if named else None


@contextmanager
def reading(file: Path) -> Iterator[None]:
    """Convert any error that is raised inside the ``with`` block into a DataError that names the data file."""
    try:
        yield
    except Exception as error:
        # numpy, gzip and zip raise many kinds of errors for a damaged file; one message says what to do.
        why = str(error) if isinstance(error, DataError) else type(error).__name__
        raise DataError(
            f"{file.name} in the data folder {file.parent} is damaged or holds something else "
            f"({why}). Put a whole copy there, or take it away."
        ) from error


def sound(
    X: NDArray[Any], y: NDArray[Any], n_features: int, n_train: int | None = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Check the shapes and values of records (n, n_features) and targets (n,), and return both unchanged.

    A DataError is raised if a shape is wrong, a value is not finite, or ``n_train`` is not between 0 and n.
    """
    if X.ndim != 2 or X.shape[1] != n_features or y.shape != X.shape[:1]:
        raise DataError(
            f"records of shape {X.shape} and targets of shape {y.shape}; (n, {n_features}) and (n,) "
            "are expected"
        )
    if not (np.isfinite(X).all() and np.isfinite(y).all()):
        raise DataError("some values are no finite numbers")
    if n_train is not None and not 0 < n_train < len(y):
        raise DataError(f"{n_train} of {len(y)} records are for training; 1 to {len(y) - 1} may be")
    return X, y
