"""Products with a fixed summation order, independent of the other rows.

A matrix product by BLAS rounds a row depending on its position and on the number of rows. If rows
are records, the contribution of all other records to a sum then depends on whether a private record
is present. Here every step adds or multiplies arrays elementwise, which IEEE 754 defines to the
last bit, so that the results of a row depend on that row only.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore._types import AnyArray

__all__ = ["compiled_products", "dots", "products", "row_sums", "square_distances"]


def products(A: NDArray[Any], B: NDArray[Any]) -> NDArray[Any]:
    """Return A Bᵀ, (..., n, j) and (..., m, j) -> (..., n, m), summed in the order of j."""
    total = A[..., :, None, 0] * B[..., None, :, 0]
    for j in range(1, A.shape[-1]):
        total += A[..., :, None, j] * B[..., None, :, j]
    return cast(AnyArray, total)


def square_distances(A: NDArray[Any], B: NDArray[Any]) -> NDArray[Any]:
    """Return |a_i - b_k|², (..., n, j) and (..., m, j) -> (..., n, m), summed in the order of j."""
    total = np.square(A[..., :, None, 0] - B[..., None, :, 0])
    for j in range(1, A.shape[-1]):
        total += np.square(A[..., :, None, j] - B[..., None, :, j])
    return cast(AnyArray, total)


def dots(A: NDArray[Any], B: NDArray[Any]) -> NDArray[Any]:
    """Return the scalar product of every row, (..., j) and (..., j) -> (...), in the order of j."""
    total = A[..., 0] * B[..., 0]
    for j in range(1, A.shape[-1]):
        total = total + A[..., j] * B[..., j]
    return cast(AnyArray, total)


def row_sums(A: NDArray[Any]) -> NDArray[Any]:
    """Return Σ_j a_j of every row, (..., j) -> (...), in the order of j."""
    total = A[..., 0].copy()
    for j in range(1, A.shape[-1]):
        total += A[..., j]
    return total


def compiled_products(A: NDArray[Any], B: NDArray[Any]) -> NDArray[np.float32]:
    """Return A Bᵀ in float32, (n, j) and (m, j) -> (n, m), in the order of j: the compiled version of `products`."""
    from dpcore.lvq._matrix_lot_compiled import images, padded

    width = padded(len(B))
    columns = np.zeros((B.shape[1], width), np.float32)
    columns[:, : len(B)] = B.T
    found = np.zeros((len(A), width), np.float32)
    images(np.ascontiguousarray(A, np.float32), len(A), B.shape[1], columns, width, found)
    return found[:, : len(B)]
