"""Compiled version of `_noise`, which computes 256 normals at a time from 16 ChaCha8 blocks in vector registers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore import _noise
from dpcore._jit import jit
from dpcore._vectors import (
    any_of,
    as_float,
    as_int,
    as_word,
    double,
    put,
    reader,
    real,
    root,
    single,
    spreader,
    where,
)

__all__ = ["normals", "scratch"]

_OPTIONS: Any = {
    "error_model": "numpy", "nogil": True,
    "fastmath": {"contract", "nsz", "arcp", "reassoc", "nnan", "ninf"},
}  # fmt: skip
_F, _I, _U, _D = np.float32, np.int32, np.uint32, np.float64
_N0, _N1, _N2, _N3 = _U(0x61707865), _U(0x3320646E), _U(0x79622D32), _U(0x6B206574)
_TOGETHER, _ROOT_HALF = _noise.TOGETHER, _I(_noise.ROOT_HALF)
_LOG, _SINE, _COSINE = _noise.LOG, _noise.SINE, _noise.COSINE
_every, _read = spreader(_noise.BLOCKS), reader(_noise.BLOCKS)
_LANES = np.arange(_noise.BLOCKS, dtype=np.uint32)


@jit(**_OPTIONS)
def scratch(size):
    """Return the work array for `normals`, and the number of steps that share one computation.

    A step needs ``size`` normals. If ``size`` is small, the normals of several steps are computed together, in groups
    of 256.
    """
    shared = max(1, _TOGETHER // size)
    return np.zeros((shared * size + 255) // 256 * 256, np.float32), shared


@jit(**_OPTIONS)
def _turned(x, bits):
    return (x << _U(bits)) | (x >> _U(32 - bits))


@jit(**_OPTIONS)
def _quarters(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p):
    """Return the 16 state vectors after four independent ChaCha quarter rounds, computed in parallel."""
    a, b, c, d = a + e, b + f, c + g, d + h
    m, n, o, p = m ^ a, n ^ b, o ^ c, p ^ d
    m, n, o, p = _turned(m, 16), _turned(n, 16), _turned(o, 16), _turned(p, 16)
    i, j, k, l = i + m, j + n, k + o, l + p
    e, f, g, h = e ^ i, f ^ j, g ^ k, h ^ l
    e, f, g, h = _turned(e, 12), _turned(f, 12), _turned(g, 12), _turned(h, 12)
    a, b, c, d = a + e, b + f, c + g, d + h
    m, n, o, p = m ^ a, n ^ b, o ^ c, p ^ d
    m, n, o, p = _turned(m, 8), _turned(n, 8), _turned(o, 8), _turned(p, 8)
    i, j, k, l = i + m, j + n, k + o, l + p
    e, f, g, h = e ^ i, f ^ j, g ^ k, h ^ l
    e, f, g, h = _turned(e, 7), _turned(f, 7), _turned(g, 7), _turned(h, 7)
    return a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p


@jit(**_OPTIONS)
def _two_rounds(state):
    a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p = state
    a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p = _quarters(
        a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p
    )
    a, b, c, d, f, g, h, e, k, l, i, j, p, m, n, o = _quarters(
        a, b, c, d, f, g, h, e, k, l, i, j, p, m, n, o
    )
    return a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p


@jit(**_OPTIONS)
def _words(key, counter, step, use):
    """Return the 16 words of each of 16 ChaCha8 blocks, as 8 pairs of vectors.

    Lane j of every vector belongs to block j. ``counter`` is the vector of the block counters.
    """
    a, b, c, d = _every(_N0), _every(_N1), _every(_N2), _every(_N3)
    e, f, g, h = _every(key[0]), _every(key[1]), _every(key[2]), _every(key[3])
    i, j, k, l = _every(key[4]), _every(key[5]), _every(key[6]), _every(key[7])
    m, n, o, p = counter, _every(_U(step & 0xFFFFFFFF)), _every(_U(step >> 32)), _every(_U(use))
    s = (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
    for _ in range(4):
        s = _two_rounds(s)
    return (
        (s[0] + a, s[8] + i), (s[1] + b, s[9] + j), (s[2] + c, s[10] + k), (s[3] + d, s[11] + l),
        (s[4] + e, s[12] + m), (s[5] + f, s[13] + n), (s[6] + g, s[14] + o), (s[7] + h, s[15] + p),
    )  # fmt: skip


@jit(**_OPTIONS)
def _squared(u):
    raw = as_int(u)
    exponent = (raw - _ROOT_HALF) >> _I(23)
    f = as_float(raw - (exponent << _I(23))) - _F(1)
    series = _LOG[2] + f * (_LOG[1] + f * _LOG[0])
    series = _LOG[5] + f * (_LOG[4] + f * (_LOG[3] + f * series))
    series = _LOG[8] + f * (_LOG[7] + f * (_LOG[6] + f * series))
    return real(exponent) * _F(-2 * math.log(2)) + f * series


@jit(**_OPTIONS)
def _pairs(u, word):
    """Return two normals for each u in (0, 1]; the lowest 24 bits of ``word`` give the angle."""
    radius = root(_squared(u))
    a = real(as_int(word & _U(0x3FFFFF))) * _F(2.0**-23 * math.pi) - _F(math.pi / 4)
    t = a * a
    sine = a + a * (t * (_SINE[2] + t * (_SINE[1] + t * _SINE[0])))
    cosine = _COSINE[3] + t * (_COSINE[2] + t * (_COSINE[1] + t * _COSINE[0]))
    cosine = _F(1) + t * cosine
    even = (word & _U(0x400000)) == _U(0)
    radius = as_float(as_word(radius) ^ ((word << _U(8)) & _U(0x80000000)))
    return radius * where(even, cosine, sine), radius * where(even, sine, cosine)


@jit(**_OPTIONS)
def _put(u, high, low, z, at):
    one, two = _pairs(u, (low >> _U(16)) | (high << _U(16)))
    put(z, at, one)
    put(z, at + 128, two)


@jit(**_OPTIONS)
def _uniform(high, low):
    fine = real(as_int(low & _U(0xFFFF))) * _F(2.0**-40) + _F(2.0**-41)
    return real(as_int(high >> _U(8))) * _F(2.0**-24) + fine


@jit(**_OPTIONS)
def _body(pair, z, at):
    high, low = pair
    _put(_uniform(high, low), high, low, z, at)


@jit(**_OPTIONS)
def _mend(key, step, group, words, z):
    """Recompute the 256 normals of one group in ``z`` with 64 more random bits, where these are needed.

    The additional bits are used only where the uniform number of a pair is below 2^-24, which is rare. All other
    normals do not change. ``group`` is the number of the group, and ``words`` its 32-bit words from `_words`.
    """
    for i in range(8):
        high, low = words[i]
        number = _read(_LANES, 0) + _U(128 * group + 16 * i)
        more = _words(key, number, step, 1)
        bits = double(more[0][0]) * _D(2.0**32) + double(more[1][0])
        tail = single((bits + _D(0.5)) * _D(2.0**-88))
        u = where(high < _U(256), tail, _uniform(high, low))
        _put(u, high, low, z, 256 * group + 16 * i)


@jit(**_OPTIONS)
def _least(a, b):
    return where(a < b, a, b)


@jit(**_OPTIONS)
def _fill(key, step, z):
    """Fill the array z with standard normals, in groups of 256."""
    for group in range(z.shape[0] // 256):
        w = _words(key, _read(_LANES, 0) + _U(16 * group), step, 0)
        at = 256 * group
        _body(w[0], z, at)
        _body(w[1], z, at + 16)
        _body(w[2], z, at + 32)
        _body(w[3], z, at + 48)
        _body(w[4], z, at + 64)
        _body(w[5], z, at + 80)
        _body(w[6], z, at + 96)
        _body(w[7], z, at + 112)
        least = _least(_least(w[0][0], w[1][0]), _least(w[2][0], w[3][0]))
        other = _least(_least(w[4][0], w[5][0]), _least(w[6][0], w[7][0]))
        if any_of(_least(least, other) < _U(256)):
            _mend(key, step, group, w, z)


@jit(**_OPTIONS)
def normals(key, step, size, noisy, buffer, shared):
    """Return the normals (size,) of a step, equal to the result of `unit_normals`.

    ``buffer`` is the work array and ``shared`` the number of steps computed together, both from `scratch`. Steps must
    be requested in order from 0. If ``noisy`` is False, no numbers are computed, and the result is the part of
    ``buffer`` as it is.
    """
    turn = step % shared
    if noisy and turn == 0:
        _fill(key, step // shared, buffer)
    return buffer[turn * size : (turn + 1) * size]
