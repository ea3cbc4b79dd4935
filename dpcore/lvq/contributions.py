"""Sensitivity of the noisy sum: one record contributes at most C, exactly, in floating-point arithmetic.

What a record adds is a function of the record and of the model, bit for bit: the same alone, in any
lot, at any place of it. Its distances, winners, length and scale are computed from its own numbers in one order,
never by a product of matrices over the lot, which rounds a row by its place. (Where two prototypes are
equally near, the last bit of a distance chooses the winner; with one record more, every record of a
lot could change its winner, and the sum move by n C.) Every coordinate of what it adds is then cut towards 0 to
a whole number of units of C 2^-24, which makes nothing longer. Sums of whole numbers are exact in any
order, so that the sums with and without a record differ by just what it added; noise is added in
float64, and all rounding after it is post-processing.

Prototypes (``_reference``, ``_compiled``). Let u = x - w as rounded, d± = |u±|², S = d⁺ + d⁻, a = d⁻/S and
b = d⁺/S. A record adds f (-a u⁺, b u⁻) with f = min(4/S, C (1 - s)/√(a²d⁺ + b²d⁻)): the length that
divides is measured on the very gaps that are added, never taken from |x|² + |w|² - 2xw. The slack
s = (d + 16) 2^-24 is more than float32 can lose in that measure and in the products.

Prototypes and matrix (``_matrix_reference``, ``_matrix_compiled``). A record adds g = 2 (-a Ωᵀp⁺, b Ωᵀp⁻,
a p⁺u⁺ᵀ - b p⁻u⁻ᵀ) with p, u and Ωᵀp as rounded. |g| is measured from their scalar products, whose
errors stay below 2 (d + l + 8) 2^-24 times the sum Q of the parts' squares, plus s Q with the slack
s = 2 (d + l + 40) 2^-24. What is left, 64 · 2^-24 Q and C s/4, is more than the products lose that are
added: at most 6 · 2^-24 √Q beside a length of at most √(2Q). g is scaled to C (1 - s/4), its parts to 8 C.

Numbers are finite: records and prototypes are put on ±`LIMIT`, records one by one (`tame`), Ω on
±`MATRIX_LIMIT`, and what is not finite all the same adds nothing.
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
    """Return numbers (...) clipped to ±limit, (...); NaN becomes 0."""
    found = np.clip(np.asarray(values), -limit, limit)
    return np.nan_to_num(found) if found.size and np.isnan(found.min()) else found


def tame(values: ArrayLike, limit: float = LIMIT) -> NDArray[np.float32]:
    """Return numbers (...) clipped to ±limit by `inside`, (...), in float32."""
    return cast(Floats32, inside(values, limit).astype(np.float32, order="C", copy=False))


def slack(n_numbers: int, dtype: Any) -> float:
    """Return the share of C reserved for rounding in sums of ``n_numbers`` products."""
    return (n_numbers + 16) * float(np.finfo(dtype).eps) / 2


def joint_slack(n_features: int, n_rows: int, dtype: Any) -> float:
    """Return the share s of the parts' squares that is added to |g|² of prototypes and matrix, for rounding."""
    return 2 * slack(n_features + n_rows + 24, dtype)


def measured(
    factors: Any, products: Any, share: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return upper bounds on |g| and on the norm of its parts, (...) and (...), from scalar products.

    ``factors`` a, b; ``products`` |p⁺|², |p⁻|², p⁺·p⁻, |u⁺|², |u⁻|², u⁺·u⁻, |Ωᵀp⁺|², |Ωᵀp⁻|².
    """
    a, b = (np.asarray(f, float) for f in factors)
    near, other, cross, uu, vv, uv, zz, tt = (np.asarray(v, float) for v in products)
    floor = _UNDERFLOW / share
    near, other, uu, vv = near + floor, other + floor, uu + floor, vv + floor
    gross = a * a * (zz + floor + near * uu) + b * b * (tt + floor + other * vv)
    square = np.maximum(gross - 2 * a * b * cross * uv, 0) + share * gross
    return 2 * np.sqrt(square), 2 * np.sqrt(gross)
