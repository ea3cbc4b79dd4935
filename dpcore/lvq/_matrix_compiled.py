"""The compiled GMLVQ loop: the lot in a few matrix products, one pass for all noise levels.

Rows of the lot and of W are stacked, so that one product gives the images Y = XΩᵀ and V = WΩᵀ, one
their images under Ωᵀ, and one Σ (a p⁺u⁺ᵀ - b p⁻u⁻ᵀ) = Yᵀ diag(m) X - (T + cV)ᵀ W - VᵀR: M holds the
weights of samples on prototypes, m = M 1, c = Mᵀ1, R = MᵀX - cW and T = RΩᵀ. M has two entries a
row, so that R, T and TΩ are gathered sample by sample rather than multiplied out.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from dpcore.lvq._compiled import _F, _HUGE, _OPTIONS, _normals, _told_to_stop

__all__ = ["run"]


@njit(**_OPTIONS)
def _halves(V, half):
    for p in range(V.shape[0]):
        square = _F(0)
        for j in range(V.shape[1]):
            square += V[p, j] * V[p, j]
        half[p] = _F(0.5) * square


@njit(**_OPTIONS)
def _winners(scores, half, y, labels, first, second):
    n_prototypes = labels.shape[0]
    for i in range(scores.shape[0]):
        near, other = _HUGE, _HUGE
        for p in range(n_prototypes):
            score = half[p] - scores[i, p]
            if labels[p] == y[i]:
                if score < near:
                    near, first[i] = score, p
            elif score < other:
                other, second[i] = score, p


@njit(**_OPTIONS)
def _products(x, w, v):
    aa, bb, ab = _F(0), _F(0), _F(0)
    for j in range(x.shape[0]):
        a, b = x[j] - w[j], x[j] - v[j]
        aa += a * a
        bb += b * b
        ab += a * b
    return aa, bb, ab


@njit(**_OPTIONS)
def _squares(x, w, v):
    aa, bb = _F(0), _F(0)
    for j in range(x.shape[0]):
        a, b = x[j] - w[j], x[j] - v[j]
        aa += a * a
        bb += b * b
    return aa, bb


@njit(**_OPTIONS)
def _forms(x, w, v, fx, fw, fv):
    aa, bb = _F(0), _F(0)
    for j in range(x.shape[0]):
        aa += (x[j] - w[j]) * (fx[j] - fw[j])
        bb += (x[j] - v[j]) * (fx[j] - fv[j])
    return aa, bb


@njit(**_OPTIONS)
def _gather(x, w, weight, total):
    for j in range(x.shape[0]):
        total[j] += weight * (x[j] - w[j])


@njit(**_OPTIONS)
def _weigh(A, Y, Z, n, thin, first, second, clip, m, c, R, T, G):
    """Sum the clipped gradients' weights by sample (m) and prototype (c), and Σ a u, Σ a p, Σ a Λu."""
    for i in range(n):
        p, q = first[i], second[i]
        near, other, cross = _products(Y[i], Y[n + p], Y[n + q])
        m[i] = _F(0)
        total = near + other
        if total <= _F(1e-20):
            continue
        uu, vv, uv = _products(A[i], A[n + p], A[n + q])
        if thin:
            zz, tt = _forms(Y[i], Y[n + p], Y[n + q], Z[i], Z[n + p], Z[n + q])
        else:
            zz, tt = _squares(Z[i], Z[n + p], Z[n + q])
        a, b = _F(2) * other / (total * total), _F(2) * near / (total * total)
        square = a * a * (zz + near * uu) + b * b * (tt + other * vv) - _F(2) * a * b * cross * uv
        norm = _F(2) * math.sqrt(max(square, _F(0)))
        scale = clip / norm if norm > clip else _F(1)
        for r, weight in ((p, a * scale), (q, -b * scale)):
            m[i] += weight
            c[r] += weight
            _gather(A[i], A[n + r], weight, R[r])
            _gather(Y[i], Y[n + r], weight, T[r])
            if not thin:
                _gather(Z[i], Z[n + r], weight, G[r])


@njit(**_OPTIONS)
def _gradient(A, Y, Z, S, m, c, H, Omega, n, y, labels, first, second, clip, G, turn):
    """Put Σ of the clipped gradients by W, over -2, into G (zero before), that by Ω, over 2, into turn."""
    n_prototypes, n_rows = labels.shape[0], Omega.shape[0]
    end, last = n + n_prototypes, n + 2 * n_prototypes
    thin = 2 * n_rows <= Omega.shape[1]
    np.dot(A[:end], Omega.T, Y[:end])
    np.dot(Y[:n], Y[n:end].T, S[:n])
    _halves(Y[n:end], c)
    _winners(S[:n], c, y, labels, first, second)
    if thin:
        np.dot(Omega, Omega.T, H)
        np.dot(Y[:end], H, Z[:end])
    else:
        np.dot(Y[:end], Omega, Z[:end])
    R, T, V = A[end:last], Y[end:last], Y[n:end]
    _zero(R)
    _zero(T)
    for p in range(n_prototypes):
        c[p] = _F(0)
    _weigh(A, Y, Z, n, thin, first, second, clip, m, c, R, T, G)
    if thin:
        np.dot(T, Omega, G)
    for i in range(n):
        for j in range(n_rows):
            Y[i, j] *= m[i]
    for p in range(n_prototypes):
        for j in range(n_rows):
            v = V[p, j]
            V[p, j] = -(T[p, j] + c[p] * v)
            T[p, j] = -v
    np.dot(Y[:last].T, A[:last], turn)


@njit(**_OPTIONS)
def _move(W, mean, G, factor, z, noise, rate, weight, low, high):
    n_columns = W.shape[1]
    for p in range(W.shape[0]):
        for j in range(n_columns):
            w = W[p, j] - rate * (factor * G[p, j] + noise * z[p * n_columns + j])
            w = min(max(w, low), high)
            W[p, j] = w
            mean[p, j] += weight * (w - mean[p, j])


@njit(**_OPTIONS)
def _largest(offsets):
    largest = 0
    for t in range(offsets.shape[0] - 1):
        largest = max(largest, offsets[t + 1] - offsets[t])
    return largest


@njit(**_OPTIONS)
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


@njit(**_OPTIONS)
def _zero(A):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            A[i, j] = _F(0)


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
    rows = largest + 2 * n_prototypes
    A = np.zeros((rows, n_features), np.float32)
    Y = np.zeros((rows, n_rows), np.float32)
    thin = 2 * n_rows <= n_features
    Z = np.zeros((rows, n_rows if thin else n_features), np.float32)
    S = np.zeros((largest, n_prototypes), np.float32)
    m, c = np.zeros(largest, np.float32), np.zeros(n_prototypes, np.float32)
    H = np.zeros((n_rows, n_rows), np.float32)
    first, second = np.zeros(largest, np.int32), np.zeros(largest, np.int32)
    own = np.zeros(largest, np.int32)
    G, turn = np.zeros((n_prototypes, n_features), np.float32), np.zeros_like(Omega[0])
    size = (n_prototypes + n_rows) * n_features
    half = (size + 1) // 2
    z = np.zeros(2 * half, np.float32)
    means, turns = W.copy(), Omega.copy()
    noisy = noise.max() > 0
    kept = _keep(out, means, turns, snapshots, 0, 0)
    for t in range(offsets.shape[0] - 1):
        if noisy:
            _normals(key, t, z[:half], z[half:])
        lot = indices[offsets[t] : offsets[t + 1]]
        n = lot.shape[0]
        _take(X, y, lot, A, own)
        for k in range(n_runs):
            _zero(G)
            _zero(turn)
            if n > 0:
                for p in range(n_prototypes):
                    _copy(W[k], p, A, n + p)
                _gradient(
                    A, Y, Z, S, m, c, H, Omega[k], n, own, labels, first, second, clip[k], G, turn
                )
            rate, weight = rates[k, t], weights[t]
            _move(W[k], means[k], G, _F(-2), z, noise[k], rate, weight, low, high)
            _move(
                Omega[k], turns[k], turn, _F(2), z[n_prototypes * n_features :], noise[k], rate,
                weight, -_HUGE, _HUGE,
            )  # fmt: skip
        kept = _keep(out, means, turns, snapshots, kept, t + 1)
        if _told_to_stop(stop, t):
            return
