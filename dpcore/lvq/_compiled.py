"""The compiled training loop: one pass over the lots for all noise levels (numba, float32).

The vector that a record adds is a whole number of units of C 2^-24 in every coordinate (see
`contributions`), so that sums are exact whatever their order. `sweep` hands over finite numbers of
bounded magnitude alone, which is what the compiler is told to assume.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from dpcore._noise_compiled import normals, scratch
from dpcore.lvq._lane_count import LANES

__all__ = ["run", "run_lanes"]

# error_model="numpy" drops the division checks that would keep loops from vectorising.
_FLAGS = {"contract", "nsz", "arcp", "reassoc", "nnan", "ninf"}
_OPTIONS: Any = {"error_model": "numpy", "nogil": True, "cache": True, "fastmath": _FLAGS}
_F, _I, _D = np.float32, np.int32, np.float64
_HUGE = np.float32(3e38)
_UNITS = np.float32(2.0**24)  # whole numbers that make up C
_BLOCK = 96  # records whose sum of units cannot leave 32 bits
_FREE = np.float32(1e38)  # clipping norms from here up do not clip


@njit(**_OPTIONS)
def _force(near, other, units, most):
    """Return what scales the gaps (a to the own prototype, b to the other) to units of C 2^-24."""
    total = near + other
    if total <= _F(1e-20):
        return _F(0), _F(0)
    a, b = other / total, near / total
    length = math.sqrt(max(a * a * near + b * b * other, _F(1e-30)))
    force = min(_F(4) * units / total, most / length)
    return force * a, force * b


@njit(**_OPTIONS)
def _add(x, label, W, labels, units, most, G):
    n_prototypes, n_features = W.shape
    near, other = _HUGE, _HUGE
    plus, minus = 0, 0
    for p in range(n_prototypes):
        distance = _F(0)
        for j in range(n_features):
            gap = x[j] - W[p, j]
            distance += gap * gap
        if labels[p] == label:
            if distance < near:
                near, plus = distance, p
        elif distance < other:
            other, minus = distance, p
    pull, push = _force(near, other, units, most)
    for j in range(n_features):
        # A conversion cuts towards 0: rounding makes nothing longer.
        G[plus, j] -= _I(pull * (x[j] - W[plus, j]))
        G[minus, j] += _I(push * (x[j] - W[minus, j]))


@njit(**_OPTIONS)
def _add_free(x, label, W, labels, G):
    n_prototypes, n_features = W.shape
    near, other = _HUGE, _HUGE
    plus, minus = 0, 0
    for p in range(n_prototypes):
        distance = _F(0)
        for j in range(n_features):
            gap = x[j] - W[p, j]
            distance += gap * gap
        if labels[p] == label:
            if distance < near:
                near, plus = distance, p
        elif distance < other:
            other, minus = distance, p
    pull, push = _force(near, other, _F(1), _HUGE)
    for j in range(n_features):
        G[plus, j] -= pull * (x[j] - W[plus, j])
        G[minus, j] += push * (x[j] - W[minus, j])


@njit(**_OPTIONS)
def _flush(G, unit, total):
    for p in range(G.shape[0]):
        for j in range(G.shape[1]):
            total[p, j] += unit * _D(G[p, j])
            G[p, j] = 0


@njit(**_OPTIONS)
def _sum(X, y, lot, W, labels, clip_norm, slack, G, total):
    """Put the sum of the clipped gradients of a lot into total (P, d), float64; G is zero scratch."""
    total[:] = 0.0
    if clip_norm >= _FREE:
        for i in lot:
            _add_free(X[i], y[i], W, labels, total)
        return
    units, most = _UNITS / clip_norm, (_F(1) - slack) * _UNITS
    unit = _D(clip_norm) / _D(_UNITS)
    for first in range(0, lot.shape[0], _BLOCK):
        for i in lot[first : first + _BLOCK]:
            _add(X[i], y[i], W, labels, units, most, G)
        _flush(G, unit, total)


@njit(**_OPTIONS)
def _step(W, A, total, z, noise, rate, weight, low, high, n_features):
    for p in range(W.shape[0]):
        for j in range(n_features):
            noisy = _F(total[p, j] + noise * _D(z[p * n_features + j]))
            w = W[p, j] - rate * noisy
            w = min(max(w, low), high)
            W[p, j] = w
            A[p, j] += weight * (w - A[p, j])


@njit(inline="always", **_OPTIONS)
def _told_to_stop(stop, t):
    stop[1] = t
    return stop[0] != 0


@njit(**_OPTIONS)
def run(X, y, W, labels, lots, noise, clip, rates, weights, key, snapshots, low, high, stop, out):
    """Train K prototype sets (K, P, d) in place; ``stop[0]`` ends it, ``stop[1]`` counts steps."""
    indices, offsets = lots
    n_runs, n_prototypes, n_features = W.shape
    n_real = out.shape[3]  # W and X may be padded with zeros to whole vector registers
    drawn, words, shared = scratch(n_prototypes * n_real)
    A = W.copy()
    G = np.zeros((n_prototypes, n_features), np.int32)
    total = np.zeros((n_prototypes, n_features), np.float64)
    slack = _F((n_features + 16) * 2.0**-24)
    noisy = noise.max() > 0
    kept = 0
    while kept < snapshots.shape[0] and snapshots[kept] == 0:
        out[:, kept] = A[:, :, :n_real]
        kept += 1
    for t in range(offsets.shape[0] - 1):
        z = normals(key, t, n_prototypes * n_real, noisy, drawn, words, shared)
        lot = indices[offsets[t] : offsets[t + 1]]
        for k in range(n_runs):
            _sum(X, y, lot, W[k], labels, clip[k], slack, G, total)
            _step(W[k], A[k], total, z, _D(noise[k]), rates[k, t], weights[t], low, high, n_real)
        while kept < snapshots.shape[0] and snapshots[kept] == t + 1:
            out[:, kept] = A[:, :, :n_real]
            kept += 1
        if _told_to_stop(stop, t):
            return


@njit(**_OPTIONS)
def _nearest(x, label, W, labels, distance, near, other, plus, minus):
    n_prototypes, n_features, _ = W.shape
    near[:], other[:] = _HUGE, _HUGE
    for p in range(n_prototypes):
        distance[:] = _F(0)
        fours = n_features // 4 * 4
        for j in range(0, fours, 4):  # four at once, for sums of lanes wait on memory
            for k in range(LANES):
                g, h = x[j] - W[p, j, k], x[j + 1] - W[p, j + 1, k]
                q, r = x[j + 2] - W[p, j + 2, k], x[j + 3] - W[p, j + 3, k]
                distance[k] += g * g + h * h + (q * q + r * r)
        for j in range(fours, n_features):
            for k in range(LANES):
                gap = x[j] - W[p, j, k]
                distance[k] += gap * gap
        best, at = (near, plus) if labels[p] == label else (other, minus)
        for k in range(LANES):
            at[k] = _I(p) if distance[k] < best[k] else at[k]
            best[k] = min(distance[k], best[k])


@njit(**_OPTIONS)
def _forces(near, other, units, most, pull, push):
    for k in range(LANES):
        total = near[k] + other[k]
        some = total > _F(1e-20)
        total = total if some else _F(1)
        a, b = other[k] / total, near[k] / total
        length = math.sqrt(max(a * a * near[k] + b * b * other[k], _F(1e-30)))
        force = min(_F(4) * units[k] / total, most / length)
        force = force if some else _F(0)
        pull[k], push[k] = -force * a, force * b


@njit(**_OPTIONS)
def _add_units(x, W, G, p, at, force, own):
    used = 0
    for k in range(LANES):
        used += at[k] == p
        own[k] = force[k] if at[k] == p else _F(0)
    if used == 0:
        return
    for j in range(x.shape[0]):
        for k in range(LANES):
            G[p, j, k] += _I(own[k] * (x[j] - W[p, j, k]))


@njit(**_OPTIONS)
def _add_lanes(x, label, W, G, labels, at, force, own):
    for p in range(W.shape[0]):
        if labels[p] == label:
            _add_units(x, W, G, p, at[0], force[0], own)
        else:
            _add_units(x, W, G, p, at[1], force[1], own)


@njit(**_OPTIONS)
def _flush_lanes(G, unit, total):
    for p in range(G.shape[0]):
        for j in range(G.shape[1]):
            for k in range(LANES):
                total[p, j, k] += unit[k] * _D(G[p, j, k])
            for k in range(LANES):
                G[p, j, k] = 0


@njit(**_OPTIONS)
def _step_lanes(W, A, G, unit, total, own, z, noise, rate, weight, low, high):
    n_prototypes, n_features, _ = W.shape
    for p in range(n_prototypes):
        for j in range(n_features):
            normal = _D(z[p * n_features + j])
            # Few arrays in each loop, or the compiler gives up on telling them apart.
            for k in range(LANES):
                own[k] = _F(unit[k] * _D(G[p, j, k]) + noise[k] * normal + total[p, j, k])
            for k in range(LANES):
                w = W[p, j, k] - rate[k] * own[k]
                w = min(max(w, low), high)
                W[p, j, k] = w
                A[p, j, k] += weight * (w - A[p, j, k])


@njit(**_OPTIONS)
def _sum_lanes(X, y, lot, W, labels, units, most, unit, G, total, floats, at):
    near, other, pull, push, own = floats
    plus, minus = at
    G[:] = 0
    for first in range(0, lot.shape[0], _BLOCK):
        if first > 0:
            _flush_lanes(G, unit, total)
        for i in lot[first : first + _BLOCK]:
            _nearest(X[i], y[i], W, labels, own, near, other, plus, minus)
            _forces(near, other, units, most, pull, push)
            _add_lanes(X[i], y[i], W, G, labels, at, (pull, push), own)


@njit(**_OPTIONS)
def run_lanes(
    X, y, W, labels, lots, noise, clip, rates, weights, key, snapshots, low, high, stop, out
):
    """As `run`, with the levels innermost: every line below is one vector instruction for several.

    ``W`` (P, d, 32), ``noise`` and ``clip`` (32,), ``rates`` (T, 32), ``out`` (S, P, d, 32).
    """
    indices, offsets = lots
    n_prototypes, n_features, lanes = W.shape
    drawn, words, shared = scratch(n_prototypes * n_features)
    A = W.copy()
    G = np.zeros(W.shape, np.int32)
    total = np.zeros(W.shape, np.float64)
    f = np.zeros((6, lanes), np.float32)
    floats = (f[0], f[1], f[2], f[3], f[4])
    at = (np.zeros(lanes, np.int32), np.zeros(lanes, np.int32))
    units, unit = np.zeros(lanes, np.float32), np.zeros(lanes, np.float64)
    scale = np.zeros(lanes, np.float64)
    for k in range(LANES):
        units[k], unit[k], scale[k] = _UNITS / clip[k], _D(clip[k]) / _D(_UNITS), _D(noise[k])
    most = (_F(1) - _F((n_features + 16) * 2.0**-24)) * _UNITS
    noisy = noise.max() > 0
    kept = 0
    while kept < snapshots.shape[0] and snapshots[kept] == 0:
        out[kept] = A
        kept += 1
    for t in range(offsets.shape[0] - 1):
        z = normals(key, t, n_prototypes * n_features, noisy, drawn, words, shared)
        lot = indices[offsets[t] : offsets[t + 1]]
        _sum_lanes(X, y, lot, W, labels, units, most, unit, G, total, floats, at)
        _step_lanes(W, A, G, unit, total, f[4], z, scale, rates[t], weights[t], low, high)
        if lot.shape[0] > _BLOCK:
            total[:] = 0.0
        while kept < snapshots.shape[0] and snapshots[kept] == t + 1:
            out[kept] = A
            kept += 1
        if _told_to_stop(stop, t):
            return
