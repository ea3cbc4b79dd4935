"""Matrix products A Bᵀ with a fixed order of summation; a row of the result depends on only one row of A.

In a matrix product computed by BLAS, the rounding of a row depends on the row's position and on the number of rows.
If the rows of A are records, the presence of one record then changes the contributions of all others. The functions
in this module only add and multiply arrays elementwise, and IEEE 754 defines these operations to the last bit.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore._types import AnyArray

__all__ = ["compiled_products", "dots", "products", "row_sums", "square_distances"]


def products(A: NDArray[Any], B: NDArray[Any]) -> NDArray[Any]:
    """Return A Bᵀ (..., n, m) of A (..., n, j) and B (..., m, j), summed over j in order."""
    total = A[..., :, None, 0] * B[..., None, :, 0]
    for j in range(1, A.shape[-1]):
        total += A[..., :, None, j] * B[..., None, :, j]
    return cast(AnyArray, total)


def square_distances(A: NDArray[Any], B: NDArray[Any]) -> NDArray[Any]:
    """Return |a_i - b_k|² (..., n, m) for the rows of A (..., n, j) and B (..., m, j), summed over j in order."""
    total = np.square(A[..., :, None, 0] - B[..., None, :, 0])
    for j in range(1, A.shape[-1]):
        total += np.square(A[..., :, None, j] - B[..., None, :, j])
    return cast(AnyArray, total)


def dots(A: NDArray[Any], B: NDArray[Any]) -> NDArray[Any]:
    """Return the scalar products (...,) of corresponding rows of two arrays (..., j), summed over j in order."""
    total = A[..., 0] * B[..., 0]
    for j in range(1, A.shape[-1]):
        total = total + A[..., j] * B[..., j]
    return cast(AnyArray, total)


def row_sums(A: NDArray[Any]) -> NDArray[Any]:
    """Return the sums (...,) of the rows of an array (..., j), added in the order of j."""
    total = A[..., 0].copy()
    for j in range(1, A.shape[-1]):
        total += A[..., j]
    return total


def compiled_products(A: NDArray[Any], B: NDArray[Any]) -> NDArray[np.float32]:
    """Return A Bᵀ (n, m) in float32, for A (n, j) and B (m, j); compiled code sums over j in order."""
    from dpcore.lvq._matrix_lot_compiled import images, padded

    width = padded(len(B))
    columns = np.zeros((B.shape[1], width), np.float32)
    columns[:, : len(B)] = B.T
    product = np.zeros((len(A), width), np.float32)
    images(np.ascontiguousarray(A, np.float32), len(A), B.shape[1], columns, width, product)
    return product[:, : len(B)]
