"""The normals of `_noise`, compiled: 256 at a time from 16 ChaCha8 blocks side by side."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

__all__ = ["normals", "scratch"]

_OPTIONS: Any = {
    "error_model": "numpy", "nogil": True, "cache": True,
    "fastmath": {"contract", "nsz", "arcp", "reassoc", "nnan", "ninf"},
}  # fmt: skip
_F, _I, _U = np.float32, np.int32, np.uint32
_BLOCKS = 16
_N0, _N1, _N2, _N3 = _U(0x61707865), _U(0x3320646E), _U(0x79622D32), _U(0x6B206574)


@njit(**_OPTIONS)
def scratch(size):
    """Return what `normals` needs for steps of ``size`` numbers: array, words, steps that share it."""
    shared = max(1, 256 // size)
    return np.zeros((shared * size + 31) // 32 * 32, np.float32), np.empty(256, np.uint32), shared


@njit(inline="always", **_OPTIONS)
def _quarter(a, b, c, d):
    a = _U(a + b)
    d = _U(d ^ a)
    d = _U((d << _U(16)) | (d >> _U(16)))
    c = _U(c + d)
    b = _U(b ^ c)
    b = _U((b << _U(12)) | (b >> _U(20)))
    a = _U(a + b)
    d = _U(d ^ a)
    d = _U((d << _U(8)) | (d >> _U(24)))
    c = _U(c + d)
    b = _U(b ^ c)
    b = _U((b << _U(7)) | (b >> _U(25)))
    return a, b, c, d


@njit(**_OPTIONS)
def _two_rounds(state):
    a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p = state
    a, e, i, m = _quarter(a, e, i, m)
    b, f, j, n = _quarter(b, f, j, n)
    c, g, k, o = _quarter(c, g, k, o)
    d, h, l, p = _quarter(d, h, l, p)
    a, f, k, p = _quarter(a, f, k, p)
    b, g, l, m = _quarter(b, g, l, m)
    c, h, i, n = _quarter(c, h, i, n)
    d, e, j, o = _quarter(d, e, j, o)
    return a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p


@njit(**_OPTIONS)
def _blocks(key, first, step, use, out):
    """Put the words of 16 blocks from number ``first`` on into out (16, 16): word, block."""
    e, f, g, h, i, j, k, l = key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7]
    n, o = _U(step & 0xFFFFFFFF), _U(step >> 32)
    for t in range(_BLOCKS):
        m = _U(first + t)
        s = (_N0, _N1, _N2, _N3, e, f, g, h, i, j, k, l, m, n, o, use)
        s = _two_rounds(_two_rounds(_two_rounds(_two_rounds(s))))
        out[0, t], out[1, t], out[2, t], out[3, t] = s[0] + _N0, s[1] + _N1, s[2] + _N2, s[3] + _N3
        out[4, t], out[5, t], out[6, t], out[7, t] = s[4] + e, s[5] + f, s[6] + g, s[7] + h
        out[8, t], out[9, t], out[10, t], out[11, t] = s[8] + i, s[9] + j, s[10] + k, s[11] + l
        out[12, t], out[13, t], out[14, t], out[15, t] = (
            s[12] + m,
            s[13] + n,
            s[14] + o,
            s[15] + use,
        )


@njit(inline="always", **_OPTIONS)
def _pair(u, turn):
    """Two normals from u in units of 2^-24 and an angle of 24 bits."""
    raw = _F(u).view(np.int32)
    m = _I((raw & _I(0x7FFFFF)) | _I(0x3F800000)).view(np.float32)
    big = m > _F(1.41421356)
    m = m * _F(0.5) if big else m
    exponent = _F((raw >> _I(23)) - _I(151)) + (_F(1) if big else _F(0))
    s = (m - _F(1)) / (m + _F(1))
    t = s * s
    tail = _F(1 / 3) + t * (_F(1 / 5) + t * (_F(1 / 7) + t * _F(1 / 9)))
    log = exponent * _F(0.6931471805599453) + _F(2) * s * (_F(1) + t * tail)
    radius = _F(math.sqrt(_F(-2) * min(log, _F(0))))
    quadrant = turn >> _I(22)
    a = _F(_I(turn & _I(0x3FFFFF)) - _I(0x200000)) * _F(2.0**-23 * math.pi)
    t = a * a
    sine = a * (_F(1) + t * (_F(-1 / 6) + t * (_F(1 / 120) + t * _F(-1 / 5040))))
    tail = _F(1 / 24) + t * (_F(-1 / 720) + t * _F(1 / 40320))
    cosine = _F(1) + t * (_F(-0.5) + t * tail)
    odd = (quadrant & _I(1)) == _I(1)
    radius = -radius if quadrant >= _I(2) else radius
    return radius * (sine if odd else cosine), radius * (cosine if odd else sine)


@njit(inline="always", **_OPTIONS)
def _angle(high, low):
    return _I(((low >> _U(16)) | (high << _U(16))) & _U(0xFFFFFF))


@njit(**_OPTIONS)
def _mend_tail(key, step, group, high, low, first, second):
    """Draw the lowest cell anew, from 64 more bits."""
    more = np.empty((16, _BLOCKS), np.uint32)
    for i in range(first.shape[0]):
        if high[i] < _U(256):
            _blocks(key, 128 * group + i, step, _U(1), more)
            u = (float(more[0, 0]) * 2.0**32 + float(more[1, 0]) + 0.5) * 2.0**-64
            first[i], second[i] = _pair(_F(u), _angle(high[i], low[i]))


@njit(**_OPTIONS)
def _pairs(high, low, first, second):
    least = _U(0xFFFFFFFF)
    for i in range(first.shape[0]):
        h, l = high[i], low[i]
        fine = _F(_I(l & _U(0xFFFF))) * _F(2.0**-16) + _F(2.0**-17)
        first[i], second[i] = _pair(_F(_I(h >> _U(8))) + fine, _angle(h, l))
        least = min(least, h)
    return least


@njit(**_OPTIONS)
def _fill(key, step, words, z):
    """Fill z, whole rows of 32; ``words`` (256,) uint32 is scratch."""
    for group in range((z.shape[0] + 255) // 256):
        _blocks(key, _BLOCKS * group, step, _U(0), words.reshape(16, 16))
        part = z[256 * group : 256 * (group + 1)]
        half = part.shape[0] // 2
        least = _pairs(words[:half], words[128 : 128 + half], part[:half], part[half:])
        if least < _U(256):
            _mend_tail(key, step, group, words[:half], words[128:], part[:half], part[half:])


@njit(**_OPTIONS)
def normals(key, step, size, noisy, drawn, words, shared):
    """Return the normals of a step as `unit_normals` does; to be asked step by step from 0 on."""
    turn = step % shared
    if noisy and turn == 0:
        _fill(key, step // shared, words, drawn)
    return drawn[turn * size : (turn + 1) * size]
