"""Unit normals as a pure function of (key, step, index): any thread can remake any step's noise.

SplitMix64 turns a counter into 64 bits, Box-Muller turns those into two normals with 24-bit
uniforms and polynomial log, sin and cos that a compiler can vectorise. For pictures and experiments:
a real release needs a cryptographic generator and a discrete mechanism.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["unit_normals"]

_GOLD = np.uint64(0x9E3779B97F4A7C15)
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_F = np.float32


def unit_normals(key: int, step: int, size: int) -> NDArray[np.float32]:
    """Return ``size`` standard normals that depend on (key, step) alone.

    Parameters
    ----------
    key : int
        In [0, 2^63): names the stream.
    step : int
        At least 0: names the step of the stream.
    size : int
        How many.

    Returns
    -------
    ndarray (size,), float32
        Standard normals, largest magnitude about 5.8.

    Examples
    --------
    >>> bool((unit_normals(3, 1, 4) == unit_normals(3, 1, 4)).all())
    True
    """
    half = (size + 1) // 2
    with np.errstate(over="ignore"):
        base = _mix(np.uint64(key) + np.uint64(step + 1) * _GOLD)
        bits = _mix(base + np.arange(1, half + 1, dtype=np.uint64) * _GOLD)
    radius = np.sqrt(_F(-2) * _log((bits >> np.uint64(40)).astype(np.int32) + np.int32(1)))
    turn = ((bits >> np.uint64(16)) & np.uint64(0xFFFFFF)).astype(np.int32)
    cosine, sine = _turn(turn)
    return np.concatenate([radius * cosine, radius * sine])[:size]


def _mix(z: Any) -> Any:
    z = (z ^ (z >> np.uint64(30))) * _M1
    z = (z ^ (z >> np.uint64(27))) * _M2
    return z ^ (z >> np.uint64(31))


def _log(k: NDArray[np.int32]) -> NDArray[np.float32]:
    """ln(k / 2^24) for k in [1, 2^24], to float32 rounding."""
    mantissa, exponent = np.frexp(k.astype(np.float32))
    low = mantissa < _F(0.70710678)
    mantissa = np.where(low, mantissa * _F(2), mantissa)
    exponent = (exponent - np.where(low, 25, 24)).astype(np.float32)
    s = (mantissa - _F(1)) / (mantissa + _F(1))
    t = s * s
    series: Any = _F(1 / 9)
    for c in (_F(1 / 7), _F(1 / 5), _F(1 / 3), _F(1)):
        series = c + t * series
    return np.minimum(exponent * _F(0.6931471805599453) + _F(2) * s * series, _F(0))


def _turn(k: NDArray[np.int32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """cos and sin of an angle uniform on the circle, from 24 bits: a quadrant and a place in it."""
    quadrant = k >> np.int32(22)
    a = ((k & np.int32(0x3FFFFF)) - np.int32(0x200000)).astype(np.float32) * _F(2.0**-23 * np.pi)
    t = a * a
    sine = a * (_F(1) + t * (_F(-1 / 6) + t * (_F(1 / 120) + t * _F(-1 / 5040))))
    cosine = _F(1) + t * (_F(-1 / 2) + t * (_F(1 / 24) + t * (_F(-1 / 720) + t * _F(1 / 40320))))
    odd, sign = (quadrant & 1) == 1, np.where(quadrant >= 2, _F(-1), _F(1))
    return sign * np.where(odd, sine, cosine), sign * np.where(odd, cosine, sine)
