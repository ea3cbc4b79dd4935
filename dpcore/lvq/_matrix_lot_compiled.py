"""What the records of a lot add to prototypes and matrix, compiled: a few matrix products.

Rows of the lot and of W are stacked, so that one product gives the images Y = XΩᵀ and V = WΩᵀ, and
one their images under Ωᵀ (where Ω has few rows, a record's own p goes through ΩΩᵀ instead). What a
record adds is measured on the very differences p, u and Ωᵀp that are added (see `contributions`):
Σ weight p uᵀ is one product of two rows a record, and all sums are in float64.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore._jit import jit
from dpcore.lvq.contributions import ROOM

__all__ = ["gradient", "room", "zero"]

# Unlike the loop of prototypes this one may meet numbers that are not finite, and must see them.
_OPTIONS: Any = {
    "error_model": "numpy", "nogil": True,
    "fastmath": {"contract", "nsz", "arcp", "reassoc"},
}  # fmt: skip
_F, _D = np.float32, np.float64
_HUGE = np.float32(3e38)


@jit(forceinline=True, **_OPTIONS)
def zero(A):
    """Make a matrix zero; an assignment to a slice takes numba seconds to compile."""
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            A[i, j] = 0


@jit(forceinline=True, **_OPTIONS)
def _halves(V, half):
    for p in range(V.shape[0]):
        square = _F(0)
        for j in range(V.shape[1]):
            square += V[p, j] * V[p, j]
        half[p] = _F(0.5) * square


@jit(forceinline=True, **_OPTIONS)
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


@jit(forceinline=True, **_OPTIONS)
def _products(x, w, v):
    aa, bb, ab = _F(0), _F(0), _F(0)
    for j in range(x.shape[0]):
        a, b = x[j] - w[j], x[j] - v[j]
        aa += a * a
        bb += b * b
        ab += a * b
    return aa, bb, ab


@jit(forceinline=True, **_OPTIONS)
def _squares(x, w, v):
    aa, bb = _F(0), _F(0)
    for j in range(x.shape[0]):
        a, b = x[j] - w[j], x[j] - v[j]
        aa += a * a
        bb += b * b
    return aa, bb


@jit(forceinline=True, **_OPTIONS)
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


@jit(forceinline=True, **_OPTIONS)
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


@jit(forceinline=True, **_OPTIONS)
def _gather(x, w, weight, total):
    for j in range(x.shape[0]):
        total[j] += weight * _D(x[j] - w[j])


@jit(forceinline=True, **_OPTIONS)
def _gap(x, w, weight, row):
    for j in range(x.shape[0]):
        row[j] = weight * _D(x[j] - w[j])


@jit(**_OPTIONS)
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


@jit(**_OPTIONS)
def room(largest, n_prototypes, n_rows, n_features):
    """Return what `gradient` works in, for lots of up to ``largest`` records."""
    rows = largest + n_prototypes
    thin = 2 * n_rows <= n_features
    A, Y = np.zeros((rows, n_features), np.float32), np.zeros((rows, n_rows), np.float32)
    Z = np.zeros((1 if thin else rows, n_features), np.float32)
    S, c = np.zeros((largest, n_prototypes), np.float32), np.zeros(n_prototypes, np.float32)
    H, wide = np.zeros((n_rows, n_rows), np.float32), np.zeros((n_rows, n_features), np.float64)
    own, first = np.zeros(largest, np.int32), np.zeros(largest, np.int32)
    T, G = np.zeros((n_prototypes, n_rows)), np.zeros((n_prototypes, n_features))
    left, right = np.zeros((2 * largest, n_rows)), np.zeros((2 * largest, n_features))
    turn = np.zeros((n_rows, n_features))
    return A, own, G, turn, (Y, Z, S, c, H, wide, first, first.copy(), T, left, right)


@jit(**_OPTIONS)
def gradient(A, own, G, turn, inner, Omega, n, labels, clip):
    """Put Σ of the clipped gradients by W, over -2, into G, that by Ω, over 2, into turn.

    ``A`` holds the n records and the prototypes, ``own`` the records' classes; G is zero.
    """
    Y, Z, S, c, H, wide, first, second, T, left, right = inner
    zero(T)
    end = n + labels.shape[0]
    thin = 2 * Omega.shape[0] <= Omega.shape[1]
    h = 0.0
    np.dot(A[:end], Omega.T, Y[:end])
    np.dot(Y[:n], Y[n:end].T, S[:n])
    _halves(Y[n:end], c)
    _winners(S[:n], c, own, labels, first, second)
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
