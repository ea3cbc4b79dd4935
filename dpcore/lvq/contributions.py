"""Sensitivity of the noisy sum: one record contributes at most the clip norm C, even with rounding.

The contribution of a record to a sum of clipped gradients depends, bit for bit, on the record and the model only. It
does not depend on the other records of the lot (batch), or on the record's position among them. The record's
distances, winning prototypes, gradient norm and scale are computed from its numbers in a fixed order. A matrix
product over the lot would round a row depending on its position. If two prototypes are equally near, the last bit of
a distance decides which one wins. With matrix products, one more record could therefore change the winners of all n
records, and so change the sum by n C.

Every coordinate of a contribution is then truncated towards 0 to an integer multiple of C 2^-24. This never increases
the norm. Sums of integers are exact in any order, so the sums with and without a record differ by exactly its
contribution. Noise is added in float64, and all rounding after it is post-processing.

Prototypes (``_reference``, ``_compiled``). w⁺ is the closest prototype of the class of record x, and w⁻ the closest
prototype of another class. Let u± = x - w± as rounded, d± = |u±|², S = d⁺ + d⁻, a = d⁻/S and b = d⁺/S. The record
contributes f (-a u⁺, b u⁻) to the sums for w⁺ and w⁻, with f = min(4/S, C (1 - s)/√(a²d⁺ + b²d⁻)). The norm in the
denominator is computed from the same differences u± that are added, never from |x|² + |w|² - 2xw. The slack s = (d +
16) 2^-24, for d features, exceeds the rounding errors of float32 in the norm and in the products.

Prototypes and matrix (``_matrix_reference``, ``_matrix_compiled``). Let p± = Ωu± for the matrix Ω of l rows, and now
d± = |p±|², S = d⁺ + d⁻, a = 2d⁻/S² and b = 2d⁺/S². The gradient with respect to w⁺, w⁻ and Ω is g = 2 (-a Ωᵀp⁺,
b Ωᵀp⁻, a p⁺u⁺ᵀ - b p⁻u⁻ᵀ), with p, u and Ωᵀp as rounded.

- Let Q be the sum of the squared norms of g's four parts. |g|² is computed from scalar products of p, u and Ωᵀp,
  with an error below 2 (d + l + 8) 2^-24 Q. To cover it, s Q is added, with the slack s = 2 (d + l + 40) 2^-24.
- Then g is scaled to norm at most C (1 - s/4), and its parts to at most 8 C.
- The remaining margins, 64 · 2^-24 Q in |g|² and C s/4 in the norm, exceed the rounding errors of the products that
  are added. These errors are at most 6 · 2^-24 √Q, and the norm of g is at most √(2Q).

All numbers are finite. The entries of records and prototypes are clipped to ±`LIMIT` (`tame`), the entries of Ω to
±`MATRIX_LIMIT`. A record with results that are not finite contributes nothing.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._types import Floats32

__all__ = [
    "FINE_UNITS", "FREE", "GROSS", "LIMIT", "MATRIX_LIMIT", "TINY", "UNITS", "inside", "joint_slack",
    "measured", "slack", "tame",
]  # fmt: skip

UNITS = 2.0**24  # units per clipping norm C
FINE_UNITS = 2.0**30  # for float64 records: sums of eight million of them are exact
FREE = 1e38  # larger clipping norms mean no clipping
LIMIT = 1e9
MATRIX_LIMIT = 1e6
TINY = 1e-20  # a record that close to both prototypes contributes 0
GROSS = 8.0  # times C: bound on parts that may cancel
_UNDERFLOW = 2e-38  # rounding error of a square


def inside(values: ArrayLike, limit: float = LIMIT) -> Any:
    """Return numbers of any shape, clipped to ±``limit``, with NaN replaced by 0."""
    numbers = np.clip(np.asarray(values), -limit, limit)
    return np.nan_to_num(numbers) if numbers.size and np.isnan(numbers.min()) else numbers


def tame(values: ArrayLike, limit: float = LIMIT) -> NDArray[np.float32]:
    """Return numbers of any shape as float32, clipped to ±``limit``, with NaN replaced by 0."""
    return cast(Floats32, inside(values, limit).astype(np.float32, order="C", copy=False))


def slack(n_numbers: int, dtype: Any) -> float:
    """Return the fraction of the clip norm that is reserved for the rounding errors of a gradient.

    ``n_numbers`` is the largest number of terms in one of the computed sums, and ``dtype`` the precision.
    """
    return (n_numbers + 16) * float(np.finfo(dtype).eps) / 2


def joint_slack(n_features: int, n_rows: int, dtype: Any) -> float:
    """Return the slack s by which a computed squared norm of a GMLVQ gradient is increased to cover rounding errors.

    A gradient has one part per prototype and one for the matrix Ω. The squared norm is increased by s times the sum
    of the squared norms of its parts.
    """
    return 2 * slack(n_features + n_rows + 24, dtype)


def measured(
    factors: Any, products: Any, share: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return upper bounds on the norm and on the joint norm of the GMLVQ gradient of every record.

    A gradient is a sum of four parts: -2a Ωᵀp⁺ with respect to w⁺, 2b Ωᵀp⁻ with respect to w⁻, and 2a p⁺u⁺ᵀ and
    -2b p⁻u⁻ᵀ with respect to Ω. The joint norm is the root of the sum of their squared norms. It is larger than the
    norm if the two parts for Ω cancel.

    Here w⁺ is the closest prototype of the class of the record x, and w⁻ the closest prototype of another class. Then
    u± = x - w±, p± = Ωu±, d± = |p±|², S = d⁺ + d⁻, a = 2d⁻/S² and b = 2d⁺/S². All arrays have the same shape (...).

    - ``factors`` are a and b.
    - ``products`` are |p⁺|², |p⁻|², p⁺·p⁻, |u⁺|², |u⁻|², u⁺·u⁻, |Ωᵀp⁺|² and |Ωᵀp⁻|².
    - ``share`` is the slack from `joint_slack`, which covers rounding errors.
    """
    a, b = (np.asarray(f, float) for f in factors)
    near, other, cross, uu, vv, uv, zz, tt = (np.asarray(v, float) for v in products)
    floor = _UNDERFLOW / share
    near, other, uu, vv = near + floor, other + floor, uu + floor, vv + floor
    gross = a * a * (zz + floor + near * uu) + b * b * (tt + floor + other * vv)
    square = np.maximum(gross - 2 * a * b * cross * uv, 0) + share * gross
    return 2 * np.sqrt(square), 2 * np.sqrt(gross)
