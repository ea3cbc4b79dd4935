"""The records of the table, in the form the paper trained on and in one that costs no privacy.

The paper does not say that MNIST and Motion were reduced, but only after PCA to 30 dimensions and
scaling every component to [-1, 1] do its BFGS errors come out. Both are computed from the private
records and are not paid for. ``basis="public"`` looks at no record: 35 low-frequency cosines of a
picture, 30 fixed random directions of the motion features, declared bounds of the segments.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._types import Floats32
from dpcore.datasets import external
from dpcore.datasets.principal import N_COMPONENTS, components, min_max
from dpcore.lvq import matrix

__all__ = ["records"]

_BASES = ("pca", "public")
_MOTION_REACH = 3.0  # a unit direction of [-1, 1]^561 reaches 24, and hardly ever beyond 3


@lru_cache(maxsize=6)
def records(
    name: str, basis: str, data_dir: str | None = None
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return all records of a data set on [-1, 1]^d and their classes, (n, d) and (n,).

    Parameters
    ----------
    name : str
        Of `datasets.external.EXTERNAL`: "mnist", "har" or "segment".
    basis : "pca" or "public"
        Read from the records (unpaid, as in the paper), or looking at none.
    data_dir : str or None
        As ``data_home`` of `datasets.load`.

    Returns
    -------
    ndarray (n, d), float32, and ndarray (n,)
        Kept, and not to be written to.

    Raises
    ------
    ValueError
        When a name is unknown or the data are not to be had.
    """
    _checks.one_of("basis", basis, _BASES)
    X, y = external.all_records(name, data_dir)
    if basis == "public":
        found = _public(name, X)
    else:
        found = min_max(components(X) if X.shape[1] > N_COMPONENTS else X.astype(float))
    for array in (found, y):
        array.setflags(write=False)
    return found, y


def _public(name: str, X: NDArray[Any]) -> NDArray[np.float32]:
    if name == "mnist":
        return external.as_cosines(X)
    if name == "har":
        turn = matrix.start(X.shape[1], N_COMPONENTS)
        turn = turn / np.linalg.norm(turn, axis=1, keepdims=True)
        return cast(
            Floats32, np.clip(X.astype(float) @ turn.T / _MOTION_REACH, -1, 1).astype(np.float32)
        )
    low, high = external.bounds(name, X.shape[1])
    return np.clip((X - (low + high) / 2) / ((high - low) / 2), -1, 1).astype(np.float32)
