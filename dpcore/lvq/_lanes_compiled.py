"""Compiled training loop of GLVQ for 32 noise levels together, one per vector lane (numba, float32).

The loop computes the same as `_compiled`, with the same bound on a record's contribution. A record's distances and
gradient factors at all levels stay in registers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore._jit import jit
from dpcore._noise_compiled import normals, scratch
from dpcore._vectors import any_of, double, put, reader, root, single, spreader, where, whole
from dpcore.lvq._compiled import _BLOCK, _HUGE, _OPTIONS, _UNITS, _is_cancelled
from dpcore.lvq._lane_count import LANES

__all__ = ["run"]

_F, _I, _D = np.float32, np.int32, np.float64
_read: Any = reader(LANES)
_every: Any = spreader(LANES)


@jit(**_OPTIONS)
def _least(a, b):
    return where(a < b, a, b)


@jit(**_OPTIONS)
def _closest(x, label, W, labels):
    """Return the squared distances of a record to two prototypes, then their indices.

    The two are the closest prototype of the record's class and the closest prototype of another class. ``x`` is the
    record, ``label`` its class, and ``labels`` are the classes of the prototypes W. Every result is a vector with one
    entry per noise level.
    """
    near, other = _every(_HUGE), _every(_HUGE)
    plus, minus = _every(_I(0)), _every(_I(0))
    n_features = x.shape[0]
    for p in range(labels.shape[0]):
        distance = _every(_F(0))
        for j in range(n_features):
            gap = x[j] - _read(W, (p * n_features + j) * LANES)
            distance = distance + gap * gap
        if labels[p] == label:
            plus = where(distance < near, _every(_I(p)), plus)
            near = _least(distance, near)
        else:
            minus = where(distance < other, _every(_I(p)), minus)
            other = _least(distance, other)
    return near, other, plus, minus


@jit(**_OPTIONS)
def _forces(near, other, units, most):
    """Return the two factors a, b ≥ 0 of a record's clipped gradient, as vectors with one entry per noise level.

    The gradient is -a (x - w) for the closest prototype w of the record's class, and b (x - v) for the closest
    prototype v of another class. ``near`` and ``other`` are the squared distances |x - w|² and |x - v|². a and b are
    in units of C 2^-24, where C is the clip norm.
    """
    total = near + other
    some = _F(1e-20) < total
    total = where(some, total, _every(_F(1)))
    a, b = other / total, near / total
    square = a * a * near + b * b * other
    length = root(where(square < _F(1e-30), _every(_F(1e-30)), square))
    force = _least(_F(4) * units / total, most / length)
    force = where(some, force, _every(_F(0)))
    return force * a, force * b


@jit(**_OPTIONS)
def _add(x, label, W, labels, units, most, G):
    near, other, plus, minus = _closest(x, label, W, labels)
    pull, push = _forces(near, other, units, most)
    none = _every(_F(0))
    n_features = x.shape[0]
    for p in range(labels.shape[0]):
        own = labels[p] == label
        hit = plus == _I(p) if own else minus == _I(p)
        if not any_of(hit):
            continue
        force = where(hit, none - pull if own else push, none)
        for j in range(n_features):
            at = (p * n_features + j) * LANES
            # Conversion truncates towards 0, so rounding never increases a norm.
            put(G, at, _read(G, at) + whole(force * (x[j] - _read(W, at))))


@jit(**_OPTIONS)
def _flush(G, unit, total):
    units = _read(unit, 0)
    for at in range(0, G.size, LANES):
        put(total, at, _read(total, at) + units * double(_read(G, at)))
        put(G, at, _every(_I(0)))


@jit(**_OPTIONS)
def _step(W, A, G, unit, total, z, noise, rate, weight, low, high):
    """Move the prototypes W of all noise levels by one noisy gradient step, and update their running average A.

    At every noise level the step is ``rate`` times the noisy sum of gradients, unit · G + ``total`` + noise · z. G
    holds integers, ``total`` floats, and z standard normals, the same at all levels. G is reset to zero.
    """
    units, sigmas, rates = _read(unit, 0), _read(noise, 0), _read(rate, 0)
    lowest, highest = _every(low), _every(high)
    for i in range(z.shape[0]):
        at = i * LANES
        noisy = units * double(_read(G, at)) + sigmas * _D(z[i]) + _read(total, at)
        w = _read(W, at) - rates * single(noisy)
        w = _least(where(w < lowest, lowest, w), highest)
        put(W, at, w)
        a = _read(A, at)
        put(A, at, a + weight * (w - a))
        put(G, at, _every(_I(0)))


@jit(**_OPTIONS)
def _sum(X, y, lot, W, labels, units, most, unit, G, total):
    scale = _read(units, 0)
    for first in range(0, lot.shape[0], _BLOCK):
        if first > 0:
            _flush(G, unit, total)
        for i in lot[first : first + _BLOCK]:
            _add(X[i], y[i], W, labels, scale, most, G)


@jit(**_OPTIONS)
def run(X, y, W, labels, lots, noise, clip, rates, weights, key, snapshots, low, high, stop, out):
    """Train the prototypes ``W`` of 32 noise levels in place; write the snapshots to ``out``.

    The result equals the result of `_compiled.run`, but the noise level is the last axis. For P prototypes, T steps
    and S snapshots the shapes are:

    - ``W`` (P, d, 32)
    - ``noise`` and ``clip`` (32,)
    - ``rates`` (T, 32)
    - ``out`` (S, P, d, 32)
    """
    indices, offsets = lots
    n_prototypes, n_features, _ = W.shape
    size = n_prototypes * n_features
    buffer, shared = scratch(size)
    A = W.copy()
    G, total = np.zeros(W.shape, np.int32), np.zeros(W.shape, np.float64)
    units, unit, scale = _UNITS / clip, clip / _D(_UNITS), noise.astype(np.float64)
    most = (_F(1) - _F((n_features + 16) * 2.0**-24)) * _UNITS
    noisy = noise.max() > 0
    place = 0
    while place < snapshots.shape[0] and snapshots[place] == 0:
        out[place] = A
        place += 1
    for t in range(offsets.shape[0] - 1):
        z = normals(key, t, size, noisy, buffer, shared)
        lot = indices[offsets[t] : offsets[t + 1]]
        _sum(X, y, lot, W, labels, units, most, unit, G, total)
        _step(W, A, G, unit, total, z, scale, rates[t], weights[t], low, high)
        if lot.shape[0] > _BLOCK:
            total[:] = 0.0
        while place < snapshots.shape[0] and snapshots[place] == t + 1:
            out[place] = A
            place += 1
        if _is_cancelled(stop, t):
            return
