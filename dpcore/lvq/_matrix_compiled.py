"""The compiled GMLVQ loop: the lot in a few matrix products, one pass for all noise levels.

Rows of the lot and of W are stacked, so that one product gives the images Y = XΩᵀ and V = WΩᵀ, and
one their images under Ωᵀ (where Ω has few rows, a record's own p goes through ΩΩᵀ instead). What a
record adds is measured on the very differences p, u and Ωᵀp that are added (see `contributions`):
Σ weight p uᵀ is one product of two rows a record, and all sums are in float64.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from dpcore._noise_compiled import normals, scratch
from dpcore.lvq._compiled import _told_to_stop
from dpcore.lvq.contributions import ROOM

__all__ = ["run"]

# Unlike the loop of prototypes this one may meet numbers that are not finite, and must see them.
_OPTIONS: Any = {
    "error_model": "numpy", "nogil": True, "cache": True,
    "fastmath": {"contract", "nsz", "arcp", "reassoc"},
}  # fmt: skip
_F, _D = np.float32, np.float64
_HUGE = np.float32(3e38)
_FREE = 1e38
_LIMIT = np.float32(1e6)


@njit(forceinline=True, **_OPTIONS)
def _halves(V, half):
    for p in range(V.shape[0]):
        square = _F(0)
        for j in range(V.shape[1]):
            square += V[p, j] * V[p, j]
        half[p] = _F(0.5) * square


@njit(forceinline=True, **_OPTIONS)
def _winners(scores, half, y, labels, first, second):
    n_prototypes = labels.shape[0]
    for i in range(scores.shape[0]):
        near, other = _HUGE, _HUGE
        first[i], second[i] = 0, 0
        for p in range(n_prototypes):
            score = half[p] - scores[i, p]
            if labels[p] == y[i]:
                if score < near:
                    near, first[i] = score, p
            elif score < other:
                other, second[i] = score, p


@njit(forceinline=True, **_OPTIONS)
def _products(x, w, v):
    aa, bb, ab = _F(0), _F(0), _F(0)
    for j in range(x.shape[0]):
        a, b = x[j] - w[j], x[j] - v[j]
        aa += a * a
        bb += b * b
        ab += a * b
    return aa, bb, ab


@njit(forceinline=True, **_OPTIONS)
def _squares(x, w, v):
    aa, bb = _F(0), _F(0)
    for j in range(x.shape[0]):
        a, b = x[j] - w[j], x[j] - v[j]
        aa += a * a
        bb += b * b
    return aa, bb


@njit(forceinline=True, **_OPTIONS)
def _form(x, w, H, gap):
    """pᵀHp of p = x - w."""
    for j in range(x.shape[0]):
        gap[j] = x[j] - w[j]
    whole = _F(0)
    for i in range(x.shape[0]):
        row = _F(0)
        for j in range(x.shape[0]):
            row += H[i, j] * gap[j]
        whole += row * gap[i]
    return whole


@njit(forceinline=True, **_OPTIONS)
def _scale(a, b, near, other, cross, uu, vv, uv, zz, tt, clip, share):
    """Return what a gradient is multiplied by, 0 where it is no number; scalar products as measured."""
    floor = 2e-38 / share
    near, other, uu, vv = near + floor, other + floor, uu + floor, vv + floor
    gross = a * a * (zz + floor + near * uu) + b * b * (tt + floor + other * vv)
    if not gross < 1e60:
        return 0.0
    square = max(gross - 2.0 * a * b * cross * uv, 0.0) + share * gross
    most = (1.0 - 0.25 * share - ROOM) * clip
    return min(1.0, min(0.5 * most / math.sqrt(square), 4.0 * most / math.sqrt(gross)))


@njit(forceinline=True, **_OPTIONS)
def _gather(x, w, weight, total):
    for j in range(x.shape[0]):
        total[j] += weight * _D(x[j] - w[j])


@njit(forceinline=True, **_OPTIONS)
def _gap(x, w, weight, row):
    for j in range(x.shape[0]):
        row[j] = weight * _D(x[j] - w[j])


@njit(**_OPTIONS)
def _weigh(A, Y, Z, H, n, thin, first, second, clip, h, T, G, left, right):
    """Put weight p and u of every pair into left and right; sum weight Ωᵀp into G, or weight p into T."""
    share = 2.0 * (A.shape[1] + Y.shape[1] + 16) * 2.0**-24
    gap = np.empty(Y.shape[1], np.float32)
    for i in range(n):
        p, q = n + first[i], n + second[i]
        near, other, cross = _products(Y[i], Y[p], Y[q])
        total = _D(near) + _D(other)
        weight = 0.0
        a, b = 0.0, 0.0
        if total > 1e-20 and total < 1e30:
            uu, vv, uv = _products(A[i], A[p], A[q])
            if thin:
                zz = _D(_form(Y[i], Y[p], H, gap)) + share * h * near
                tt = _D(_form(Y[i], Y[q], H, gap)) + share * h * other
            else:
                found = _squares(Z[i], Z[p], Z[q])
                zz, tt = _D(found[0]), _D(found[1])
            a, b = 2.0 * (_D(other) / total) / total, 2.0 * (_D(near) / total) / total
            weight = _scale(
                a, b, _D(near), _D(other), _D(cross), _D(uu), _D(vv), _D(uv), zz, tt, clip, share
            )
        if weight == 0.0:
            left[2 * i : 2 * i + 2] = 0.0
            right[2 * i : 2 * i + 2] = 0.0
            continue
        for r, at, pull in ((p, 2 * i, a * weight), (q, 2 * i + 1, -b * weight)):
            _gap(Y[i], Y[r], pull, left[at])
            _gap(A[i], A[r], 1.0, right[at])
            if thin:
                _gather(Y[i], Y[r], pull, T[r - n])
            else:
                _gather(Z[i], Z[r], pull, G[r - n])


@njit(**_OPTIONS)
def _gradient(
    A, Y, Z, S, c, H, wide, Omega, n, y, labels, first, second, clip, T, G, left, right, turn
):
    """Put Σ of the clipped gradients by W, over -2, into G, that by Ω, over 2, into turn."""
    end = n + labels.shape[0]
    thin = 2 * Omega.shape[0] <= Omega.shape[1]
    h = 0.0
    np.dot(A[:end], Omega.T, Y[:end])
    np.dot(Y[:n], Y[n:end].T, S[:n])
    _halves(Y[n:end], c)
    _winners(S[:n], c, y, labels, first, second)
    if thin:
        np.dot(Omega, Omega.T, H)
        for r in range(H.shape[0]):
            h += _D(H[r, r])
    else:
        np.dot(Y[:end], Omega, Z[:end])
    _weigh(A, Y, Z, H, n, thin, first, second, clip, h, T, G, left, right)
    if thin:
        for r in range(Omega.shape[0]):
            for j in range(Omega.shape[1]):
                wide[r, j] = _D(Omega[r, j])
        np.dot(T, wide, G)
    np.dot(left[: 2 * n].T, right[: 2 * n], turn)


@njit(forceinline=True, **_OPTIONS)
def _move(W, mean, G, factor, z, noise, rate, weight, low, high):
    n_columns = W.shape[1]
    for p in range(W.shape[0]):
        for j in range(n_columns):
            w = W[p, j] - rate * _F(factor * G[p, j] + noise * _D(z[p * n_columns + j]))
            w = min(max(w, low), high)
            W[p, j] = w
            mean[p, j] += weight * (w - mean[p, j])


@njit(**_OPTIONS)
def _largest(offsets):
    largest = 0
    for t in range(offsets.shape[0] - 1):
        largest = max(largest, offsets[t + 1] - offsets[t])
    return largest


@njit(forceinline=True, **_OPTIONS)
def _copy(source, row, target, place):
    # Loops, here and below: an assignment to a slice takes numba seconds to compile.
    for j in range(source.shape[1]):
        target[place, j] = source[row, j]


@njit(**_OPTIONS)
def _take(X, y, lot, A, own):
    n = lot.shape[0]
    for i in range(n):
        own[i] = y[lot[i]]
        _copy(X, lot[i], A, i)


@njit(forceinline=True, **_OPTIONS)
def _zero(A):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            A[i, j] = 0


@njit(**_OPTIONS)
def _keep(out, means, turns, snapshots, kept, t):
    while kept < snapshots.shape[0] and snapshots[kept] == t:
        for k in range(means.shape[0]):
            for p in range(means.shape[1]):
                _copy(means[k], p, out[0][k, kept], p)
            for r in range(turns.shape[1]):
                _copy(turns[k], r, out[1][k, kept], r)
        kept += 1
    return kept


@njit(**_OPTIONS)
def run(
    X, y, W, Omega, labels, lots, noise, clip, rates, weights, key, snapshots, low, high, stop, out
):
    """Train K models (K, P, d) and (K, l, d) in place; ``stop[0]`` ends it, ``stop[1]`` counts."""
    indices, offsets = lots
    n_runs, n_prototypes, n_features = W.shape
    n_rows = Omega.shape[1]
    largest = _largest(offsets)
    rows = largest + n_prototypes
    A = np.zeros((rows, n_features), np.float32)
    Y = np.zeros((rows, n_rows), np.float32)
    thin = 2 * n_rows <= n_features
    Z = np.zeros((1 if thin else rows, n_features), np.float32)
    S = np.zeros((largest, n_prototypes), np.float32)
    c = np.zeros(n_prototypes, np.float32)
    H, wide = np.zeros((n_rows, n_rows), np.float32), np.zeros((n_rows, n_features), np.float64)
    first, second = np.zeros(largest, np.int32), np.zeros(largest, np.int32)
    own = np.zeros(largest, np.int32)
    T, G = np.zeros((n_prototypes, n_rows)), np.zeros((n_prototypes, n_features))
    left, right = np.zeros((2 * largest, n_rows)), np.zeros((2 * largest, n_features))
    turn = np.zeros((n_rows, n_features))
    size = (n_prototypes + n_rows) * n_features
    drawn, shared = scratch(size)
    means, turns = W.copy(), Omega.copy()
    noisy = noise.max() > 0
    kept = _keep(out, means, turns, snapshots, 0, 0)
    for t in range(offsets.shape[0] - 1):
        z = normals(key, t, size, noisy, drawn, shared)
        lot = indices[offsets[t] : offsets[t + 1]]
        n = lot.shape[0]
        _take(X, y, lot, A, own)
        for k in range(n_runs):
            _zero(G)
            _zero(T)
            if n == 0:
                _zero(turn)
            else:
                for p in range(n_prototypes):
                    _copy(W[k], p, A, n + p)
                limit = _D(clip[k]) if clip[k] < _FREE else 1e100
                _gradient(
                    A, Y, Z, S, c, H, wide, Omega[k], n, own, labels, first, second, limit, T, G,
                    left, right, turn,
                )  # fmt: skip
            rate, weight, sigma = rates[k, t], weights[t], _D(noise[k])
            _move(W[k], means[k], G, -2.0, z, sigma, rate, weight, low, high)
            _move(
                Omega[k], turns[k], turn, 2.0, z[n_prototypes * n_features :], sigma, rate, weight,
                -_LIMIT, _LIMIT,
            )  # fmt: skip
        kept = _keep(out, means, turns, snapshots, kept, t + 1)
        if _told_to_stop(stop, t):
            return
