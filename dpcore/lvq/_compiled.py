"""The compiled training loop: one pass over the lots for all noise levels (numba, float32)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

__all__ = ["run", "run_lanes"]

# error_model="numpy" drops the division checks that would keep loops from vectorising.
_FLAGS = {"contract", "nsz", "arcp", "reassoc", "nnan", "ninf"}
_OPTIONS: Any = {"error_model": "numpy", "nogil": True, "cache": True, "fastmath": _FLAGS}
_GOLD = np.uint64(0x9E3779B97F4A7C15)
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_F, _I = np.float32, np.int32
_HUGE = np.float32(3e38)


@njit(inline="always", **_OPTIONS)
def _mix(z):
    z = (z ^ (z >> np.uint64(30))) * _M1
    z = (z ^ (z >> np.uint64(27))) * _M2
    return z ^ (z >> np.uint64(31))


@njit(inline="always", **_OPTIONS)
def _pair(bits):
    k = _I((bits >> np.uint64(40)) + np.uint64(1))
    raw = _F(k).view(np.int32)
    m = _I((raw & _I(0x7FFFFF)) | _I(0x3F800000)).view(np.float32)
    big = m > _F(1.41421356)
    m = m * _F(0.5) if big else m
    exponent = _F((raw >> _I(23)) - _I(151)) + (_F(1) if big else _F(0))
    s = (m - _F(1)) / (m + _F(1))
    t = s * s
    tail = _F(1 / 3) + t * (_F(1 / 5) + t * (_F(1 / 7) + t * _F(1 / 9)))
    log = exponent * _F(0.6931471805599453) + _F(2) * s * (_F(1) + t * tail)
    radius = _F(math.sqrt(_F(-2) * min(log, _F(0))))
    turn = _I((bits >> np.uint64(16)) & np.uint64(0xFFFFFF))
    quadrant = turn >> _I(22)
    a = _F(_I(turn & _I(0x3FFFFF)) - _I(0x200000)) * _F(2.0**-23 * math.pi)
    t = a * a
    sine = a * (_F(1) + t * (_F(-1 / 6) + t * (_F(1 / 120) + t * _F(-1 / 5040))))
    tail = _F(1 / 24) + t * (_F(-1 / 720) + t * _F(1 / 40320))
    cosine = _F(1) + t * (_F(-0.5) + t * tail)
    odd = (quadrant & _I(1)) == _I(1)
    radius = -radius if quadrant >= _I(2) else radius
    return radius * (sine if odd else cosine), radius * (cosine if odd else sine)


@njit(**_OPTIONS)
def _normals(key, step, first, second):
    base = _mix(np.uint64(key) + np.uint64(step + 1) * _GOLD)
    for i in range(first.shape[0]):
        first[i], second[i] = _pair(_mix(base + np.uint64(i + 1) * _GOLD))


@njit(**_OPTIONS)
def _add_clipped(x, label, W, labels, clip_norm, G):
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
    total = near + other
    if total <= _F(1e-20):
        return
    norm = _F(4) * math.sqrt(near * other / total) / total
    scale = (clip_norm / norm if norm > clip_norm else _F(1)) * _F(4) / (total * total)
    pull, push = scale * other, scale * near
    for j in range(n_features):
        G[plus, j] -= pull * (x[j] - W[plus, j])
        G[minus, j] += push * (x[j] - W[minus, j])


@njit(**_OPTIONS)
def _step(W, A, G, z, noise, rate, weight, low, high, n_features):
    n_prototypes = W.shape[0]
    for p in range(n_prototypes):
        for j in range(n_features):
            w = W[p, j] - rate * (G[p, j] + noise * z[p * n_features + j])
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
    size = n_prototypes * n_real
    half = (size + 1) // 2
    z = np.zeros(2 * half, np.float32)
    A = W.copy()
    G = np.empty((n_prototypes, n_features), np.float32)
    noisy = noise.max() > 0
    kept = 0
    while kept < snapshots.shape[0] and snapshots[kept] == 0:
        out[:, kept] = A[:, :, :n_real]
        kept += 1
    for t in range(offsets.shape[0] - 1):
        if noisy:
            _normals(key, t, z[:half], z[half:])
        for k in range(n_runs):
            G[:] = _F(0)
            for i in indices[offsets[t] : offsets[t + 1]]:
                _add_clipped(X[i], y[i], W[k], labels, clip[k], G)
            _step(W[k], A[k], G, z, noise[k], rates[k, t], weights[t], low, high, n_real)
        while kept < snapshots.shape[0] and snapshots[kept] == t + 1:
            out[:, kept] = A[:, :, :n_real]
            kept += 1
        if _told_to_stop(stop, t):
            return


@njit(**_OPTIONS)
def _nearest(x, label, W, labels, distance, near, other, plus, minus):
    n_prototypes, n_features, lanes = W.shape
    near[:], other[:] = _HUGE, _HUGE
    for p in range(n_prototypes):
        distance[:] = _F(0)
        for j in range(n_features):
            for k in range(lanes):
                gap = x[j] - W[p, j, k]
                distance[k] += gap * gap
        best, at = (near, plus) if labels[p] == label else (other, minus)
        for k in range(lanes):
            at[k] = _I(p) if distance[k] < best[k] else at[k]
            best[k] = min(distance[k], best[k])


@njit(**_OPTIONS)
def _pulls(near, other, clip, pull, push):
    for k in range(near.shape[0]):
        total = near[k] + other[k]
        some = total > _F(1e-20)
        total = total if some else _F(1)
        norm = _F(4) * math.sqrt(near[k] * other[k] / total) / total
        scale = (clip[k] / norm if norm > clip[k] else _F(1)) * _F(4) / (total * total)
        scale = scale if some else _F(0)
        pull[k], push[k] = -scale * other[k], scale * near[k]


@njit(**_OPTIONS)
def _add_pulls(x, W, G, p, at, force, own):
    _, n_features, lanes = W.shape
    used = 0
    for k in range(lanes):
        used += at[k] == p
        own[k] = force[k] if at[k] == p else _F(0)
    if used == 0:
        return
    for j in range(n_features):
        for k in range(lanes):
            G[p, j, k] += own[k] * (x[j] - W[p, j, k])


@njit(**_OPTIONS)
def _add_lanes(x, label, W, G, labels, at, force, own):
    for p in range(W.shape[0]):
        if labels[p] == label:
            _add_pulls(x, W, G, p, at[0], force[0], own)
        else:
            _add_pulls(x, W, G, p, at[1], force[1], own)


@njit(**_OPTIONS)
def _step_lanes(W, A, G, z, noise, rate, weight, low, high):
    n_prototypes, n_features, lanes = W.shape
    for p in range(n_prototypes):
        for j in range(n_features):
            unit = z[p * n_features + j]
            for k in range(lanes):
                w = W[p, j, k] - rate[k] * (G[p, j, k] + noise[k] * unit)
                w = min(max(w, low), high)
                W[p, j, k] = w
                A[p, j, k] += weight * (w - A[p, j, k])


@njit(**_OPTIONS)
def run_lanes(
    X, y, W, labels, lots, noise, clip, rates, weights, key, snapshots, low, high, stop, out
):
    """As `run`, with the levels innermost: every line below is one vector instruction for several.

    ``W`` (P, d, L), ``noise`` and ``clip`` (L,), ``rates`` (T, L), ``out`` (S, P, d, L).
    """
    indices, offsets = lots
    n_prototypes, n_features, lanes = W.shape
    half = (n_prototypes * n_features + 1) // 2
    z = np.zeros(2 * half, np.float32)
    A = W.copy()
    G = np.empty_like(W)
    near, other = np.empty(lanes, np.float32), np.empty(lanes, np.float32)
    pull, push = np.empty(lanes, np.float32), np.empty(lanes, np.float32)
    own = np.empty(lanes, np.float32)
    plus, minus = np.zeros(lanes, np.int32), np.zeros(lanes, np.int32)
    noisy = noise.max() > 0
    kept = 0
    while kept < snapshots.shape[0] and snapshots[kept] == 0:
        out[kept] = A
        kept += 1
    for t in range(offsets.shape[0] - 1):
        if noisy:
            _normals(key, t, z[:half], z[half:])
        G[:] = _F(0)
        for i in indices[offsets[t] : offsets[t + 1]]:
            _nearest(X[i], y[i], W, labels, own, near, other, plus, minus)
            _pulls(near, other, clip, pull, push)
            _add_lanes(X[i], y[i], W, G, labels, (plus, minus), (pull, push), own)
        _step_lanes(W, A, G, z, noise, rates[t], weights[t], low, high)
        while kept < snapshots.shape[0] and snapshots[kept] == t + 1:
            out[kept] = A
            kept += 1
        if _told_to_stop(stop, t):
            return
