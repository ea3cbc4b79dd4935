"""Largest eigenvalues, and distances between rows, computed with few numpy calls for small arrays."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

__all__ = ["largest", "row_distances"]

Array = NDArray[np.float64]
_SMALL = 100  # size up to which all eigenvalues are cheaper than some of them


def largest(gram: Array, n: int) -> tuple[Array, Array]:
    """Return the n largest eigenvalues (n,) of a symmetric matrix, descending, and their eigenvectors (size, n)."""
    size = len(gram)
    if size <= _SMALL:
        values, vectors = np.linalg.eigh(gram)
    else:
        values, vectors = eigh(gram, subset_by_index=[size - n, size - 1])
    return values[::-1][:n], vectors[:, ::-1][:, :n]


def row_distances(A: Array, B: Array) -> Array:
    """Return the distances (M,) between corresponding rows of A and B (M, p); ``A`` is overwritten."""
    A -= B
    return cast(Array, np.sqrt(np.einsum("ij,ij->i", A, A)))
