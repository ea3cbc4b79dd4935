"""Compiled training loop of GLVQ, one noise level after the other (numba, float32).

A record's contribution to a sum is, in every coordinate, an integer multiple of C 2^-24 with the clip norm C (see
`contributions`). Sums are therefore exact in any order. The loop is compiled for finite numbers of bounded magnitude,
and `train.sweep` calls it with such numbers only.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore._jit import jit
from dpcore._noise_compiled import normals, scratch
from dpcore._vectors import double, put, reader, single, spreader, where, widened

__all__ = ["run"]

# error_model="numpy" drops the division checks that would keep loops from vectorising.
_FLAGS = {"contract", "nsz", "arcp", "reassoc", "nnan", "ninf"}
_OPTIONS: Any = {"error_model": "numpy", "nogil": True, "fastmath": _FLAGS}
_F, _I, _D = np.float32, np.int32, np.float64
_read: Any = reader(8)
_every: Any = spreader(8)
_HUGE = np.float32(3e38)
_UNITS = np.float32(2.0**24)  # units per clipping norm C
_BLOCK = 96  # records whose sum of units fits into 32 bits
_FREE = np.float32(1e38)  # larger clipping norms mean no clipping


@jit(forceinline=True, **_OPTIONS)
def _force(near, other, units, most):
    """Return the two factors a, b ≥ 0 that determine the clipped GLVQ gradient of a record x.

    The gradient is -a (x - w) for the closest prototype w of the record's class, and b (x - v) for the closest
    prototype v of another class. ``near`` and ``other`` are the squared distances |x - w|² and |x - v|². a and b are
    in units of C 2^-24, where C is the clip norm; ``units`` is 2^24/C, and ``most`` the largest norm in these units.
    """
    total = near + other
    if total <= _F(1e-20):
        return _F(0), _F(0)
    a, b = other / total, near / total
    length = math.sqrt(max(a * a * near + b * b * other, _F(1e-30)))
    force = min(_F(4) * units / total, most / length)
    return force * a, force * b


@jit(forceinline=True, **_OPTIONS)
def _closest(x, label, W, labels):
    """Return the squared distances of a record to two prototypes, then their indices.

    The two are the closest prototype of the record's class and the closest prototype of another class. ``x`` is the
    record, ``label`` its class, and ``labels`` are the classes of the prototypes W.
    """
    near, other = _HUGE, _HUGE
    plus, minus = 0, 0
    for p in range(W.shape[0]):
        distance = _F(0)
        for j in range(W.shape[1]):
            gap = x[j] - W[p, j]
            distance += gap * gap
        if labels[p] == label:
            if distance < near:
                near, plus = distance, p
        elif distance < other:
            other, minus = distance, p
    return near, other, plus, minus


@jit(forceinline=True, **_OPTIONS)
def _add(x, label, W, labels, units, most, G):
    near, other, plus, minus = _closest(x, label, W, labels)
    pull, push = _force(near, other, units, most)
    for j in range(W.shape[1]):
        # Conversion truncates towards 0, so rounding never increases a norm.
        G[plus, j] -= _I(pull * (x[j] - W[plus, j]))
        G[minus, j] += _I(push * (x[j] - W[minus, j]))


@jit(forceinline=True, **_OPTIONS)
def _add_free(x, label, W, labels, total):
    near, other, plus, minus = _closest(x, label, W, labels)
    pull, push = _force(near, other, _F(1), _HUGE)
    for j in range(W.shape[1]):
        total[plus, j] -= pull * (x[j] - W[plus, j])
        total[minus, j] += push * (x[j] - W[minus, j])


@jit(forceinline=True, **_OPTIONS)
def _flush(G, unit, total):
    for p in range(G.shape[0]):
        for j in range(G.shape[1]):
            total[p, j] += unit * _D(G[p, j])
            G[p, j] = 0


@jit(forceinline=True, **_OPTIONS)
def _sum(X, y, lot, W, labels, clip, slack, G, total):
    """Add the clipped gradients of one lot (batch) to the sums ``G`` and ``total``; return the unit of ``G``.

    The sum of gradients is unit · G + ``total``, both (P, d) for P prototypes and d features. G holds integers in
    units of C 2^-24. After every block of records G is added to the floats ``total`` and reset. Without clipping only
    ``total`` is used, and the unit is 0.
    """
    if clip >= _FREE:
        for i in lot:
            _add_free(X[i], y[i], W, labels, total)
        return 0.0
    units, most = _UNITS / clip, (_F(1) - slack) * _UNITS
    unit = _D(clip) / _D(_UNITS)
    for first in range(0, lot.shape[0], _BLOCK):
        if first > 0:
            _flush(G, unit, total)
        for i in lot[first : first + _BLOCK]:
            _add(X[i], y[i], W, labels, units, most, G)
    return unit


@jit(forceinline=True, **_OPTIONS)
def _step(W, A, G, unit, total, z, noise, rate, weight, low, high, n_real):
    """Move P prototypes W (P, d) by one noisy gradient step, and update their running average A.

    The step is ``rate`` times the noisy sum of gradients, unit · G + ``total`` + noise · z. G holds integers,
    ``total`` floats (see `_sum`), and z standard normals. G is reset to zero. Prototypes are clipped to [``low``,
    ``high``].
    """
    n_features = W.shape[1]
    eights = n_real // 8 * 8
    lowest, highest = _every(low), _every(high)
    for p in range(W.shape[0]):
        for j in range(0, eights, 8):
            at = p * n_features + j
            noisy = noise * widened(_read(z, p * n_real + j)) + _read(total, at)
            noisy = single(unit * double(_read(G, at)) + noisy)
            w, a = _read(W, at) - rate * noisy, _read(A, at)
            w = where(w < lowest, lowest, w)
            w = where(w < highest, w, highest)
            put(W, at, w)
            put(A, at, a + weight * (w - a))
            put(G, at, _every(_I(0)))
        for j in range(eights, n_real):
            noisy = _F(unit * _D(G[p, j]) + (noise * _D(z[p * n_real + j]) + total[p, j]))
            w = min(max(W[p, j] - rate * noisy, low), high)
            W[p, j] = w
            A[p, j] += weight * (w - A[p, j])
            G[p, j] = 0


@jit(inline="always", **_OPTIONS)
def _is_cancelled(stop, t):
    stop[1] = t
    return stop[0] != 0


@jit(**_OPTIONS)
def run(X, y, W, labels, lots, noise, clip, rates, weights, key, snapshots, low, high, stop, out):
    """Train GLVQ models at K noise levels: update prototypes W (K, P, d) in place, and write snapshots to ``out``.

    ``out`` is (K, S, P, d) for S snapshots. Another thread may set ``stop[0]`` to cancel the training, and may read
    the number of the last step from ``stop[1]``.
    """
    indices, offsets = lots
    n_runs, n_prototypes, n_features = W.shape
    n_real = out.shape[3]  # W and X may be padded with zeros to whole vector registers
    buffer, shared = scratch(n_prototypes * n_real)
    A = W.copy()
    G = np.zeros((n_prototypes, n_features), np.int32)
    total = np.zeros((n_prototypes, n_features), np.float64)
    slack = _F((n_features + 16) * 2.0**-24)
    noisy = noise.max() > 0
    place = 0
    while place < snapshots.shape[0] and snapshots[place] == 0:
        out[:, place] = A[:, :, :n_real]
        place += 1
    for t in range(offsets.shape[0] - 1):
        z = normals(key, t, n_prototypes * n_real, noisy, buffer, shared)
        lot = indices[offsets[t] : offsets[t + 1]]
        for k in range(n_runs):
            unit = _sum(X, y, lot, W[k], labels, clip[k], slack, G, total)
            rate, sigma = rates[k, t], _D(noise[k])
            _step(W[k], A[k], G, unit, total, z, sigma, rate, weights[t], low, high, n_real)
            if lot.shape[0] > _BLOCK or unit == 0.0:
                total[:] = 0.0
        while place < snapshots.shape[0] and snapshots[place] == t + 1:
            out[:, place] = A[:, :, :n_real]
            place += 1
        if _is_cancelled(stop, t):
            return
