"""Compiled sums of the clipped GMLVQ gradients of a lot (Poisson-sampled batch), record by record.

The bits of a record's clipped gradient depend on the record and the model only. No matrix product over the lot is
used, because it rounds a row depending on its position and on the number of rows. If two prototypes are equally near,
the last bit of a distance decides which one wins.

This code computes in a fixed order, with vectors over the rows or columns of Ω: a record's images y = Ωx and Ωᵀy, its
distances, its winning prototypes, its gradient's norm and its scale. ``fastmath`` is off, so the compiler may not
change the rounding. The gradients are truncated to integers in units of C 2^-24, with the clip norm C (see
`contributions`). Sums of these integers are exact in any order.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore._jit import jit
from dpcore._vectors import fused, put, reader, spreader, total, whole

__all__ = ["BLOCK", "flush", "gradient", "images", "padded", "room", "summed"]

_OPTIONS: Any = {"error_model": "numpy", "nogil": True}
_F, _I, _D = np.float32, np.int32, np.float64
_read: Any = reader(16)
_every: Any = spreader(16)
_WIDE = 16
_HUGE = np.float32(3e38)
_UNITS = 2.0**24  # units per clipping norm C
BLOCK = 96  # records whose sum of units fits into 32 bits


@jit(**_OPTIONS)
def padded(n):
    """Return n rounded up to a multiple of 16, the number of entries in a vector."""
    return (n + _WIDE - 1) // _WIDE * _WIDE


@jit(**_OPTIONS)
def _image(x, i, n, M, width, out):
    """Multiply row i of x by the matrix M, and write the product to row i of ``out``.

    The product Σ_j x[i, j] M[j] has ``width`` entries. It is summed in the order j = 0 to n - 1.
    """
    first = 0
    while first + 32 <= width:
        a, b = _every(_F(0)), _every(_F(0))
        for j in range(n):
            v, at = _every(x[i, j]), j * width + first
            a, b = fused(v, _read(M, at), a), fused(v, _read(M, at + 16), b)
        put(out, i * width + first, a)
        put(out, i * width + first + 16, b)
        first += 32
    if first < width:
        a = _every(_F(0))
        for j in range(n):
            a = fused(_every(x[i, j]), _read(M, j * width + first), a)
        put(out, i * width + first, a)


@jit(**_OPTIONS)
def _four_images(x, i, n, M, width, out):
    """Multiply rows i to i + 3 of x by the matrix M, and write the products to the same rows of ``out``.

    The result equals four calls of ``_image`` bit for bit, but is computed faster.
    """
    first = 0
    while first + 32 <= width:
        a, b, c, e = _every(_F(0)), _every(_F(0)), _every(_F(0)), _every(_F(0))
        aa, bb, cc, ee = _every(_F(0)), _every(_F(0)), _every(_F(0)), _every(_F(0))
        for j in range(n):
            at = j * width + first
            m, mm = _read(M, at), _read(M, at + 16)
            v = _every(x[i, j])
            a, aa = fused(v, m, a), fused(v, mm, aa)
            v = _every(x[i + 1, j])
            b, bb = fused(v, m, b), fused(v, mm, bb)
            v = _every(x[i + 2, j])
            c, cc = fused(v, m, c), fused(v, mm, cc)
            v = _every(x[i + 3, j])
            e, ee = fused(v, m, e), fused(v, mm, ee)
        at = i * width + first
        put(out, at, a)
        put(out, at + 16, aa)
        put(out, at + width, b)
        put(out, at + width + 16, bb)
        put(out, at + 2 * width, c)
        put(out, at + 2 * width + 16, cc)
        put(out, at + 3 * width, e)
        put(out, at + 3 * width + 16, ee)
        first += 32
    if first < width:
        a, b, c, e = _every(_F(0)), _every(_F(0)), _every(_F(0)), _every(_F(0))
        for j in range(n):
            m = _read(M, j * width + first)
            a, b = fused(_every(x[i, j]), m, a), fused(_every(x[i + 1, j]), m, b)
            c, e = fused(_every(x[i + 2, j]), m, c), fused(_every(x[i + 3, j]), m, e)
        at = i * width + first
        put(out, at, a)
        put(out, at + width, b)
        put(out, at + 2 * width, c)
        put(out, at + 3 * width, e)


@jit(**_OPTIONS)
def images(x, count, n, M, width, out):
    """Multiply the first ``count`` rows of x by the matrix M, and write the products to the same rows of ``out``."""
    fours = count // 4 * 4
    for i in range(0, fours, 4):
        _four_images(x, i, n, M, width, out)
    for i in range(fours, count):
        _image(x, i, n, M, width, out)


@jit(**_OPTIONS)
def _distance(Y, i, V, p, width):
    """Return the squared distance |y_i - v_p|² between row i of Y and row p of V."""
    square = _every(_F(0))
    for j in range(0, width, _WIDE):
        gap = _read(Y, i * width + j) - _read(V, p * width + j)
        square = fused(gap, gap, square)
    return total(square)


@jit(**_OPTIONS)
def _winners(Y, i, V, own, labels, width):
    """Return the indices of the two prototypes closest to record i: one of class ``own`` and one of another class.

    Distances are between row i of Y and the rows of V, the images of record and prototypes under Ω. Among equally
    near prototypes the first one wins.
    """
    near, other = _HUGE, _HUGE
    first, second = 0, 0
    for p in range(labels.shape[0]):
        distance = _distance(Y, i, V, p, width)
        if labels[p] == own:
            if distance < near:
                near, first = distance, p
        elif distance < other:
            other, second = distance, p
    return first, second


@jit(**_OPTIONS)
def _products(X, i, V, p, q, width):
    """Return |a|², |b|² and a·b of two differences a and b of rows.

    The differences are a = x_i - v_p and b = x_i - v_q, with rows x_i of X, v_p and v_q of V.
    """
    aa, bb, ab = _every(_F(0)), _every(_F(0)), _every(_F(0))
    for j in range(0, width, _WIDE):
        x = _read(X, i * width + j)
        a, b = x - _read(V, p * width + j), x - _read(V, q * width + j)
        aa, bb, ab = fused(a, a, aa), fused(b, b, bb), fused(a, b, ab)
    return _D(total(aa)), _D(total(bb)), _D(total(ab))


@jit(**_OPTIONS)
def _scale(a, b, inner, outer, turned, clip, share):
    """Return the factor by which a gradient is multiplied so that its norm is at most the clip norm C.

    ``inner``, ``outer`` and ``turned`` are scalar products of the gradient's parts, from which an upper bound on its
    norm is computed (see `contributions.measured`). The factor is 0 if the norm is not finite.
    """
    floor = 2e-38 / share
    near, other, cross = inner[0] + floor, inner[1] + floor, inner[2]
    uu, vv, uv = outer[0] + floor, outer[1] + floor, outer[2]
    gross = a * a * (turned[0] + floor + near * uu) + b * b * (turned[1] + floor + other * vv)
    if not gross < 1e60:
        return 0.0
    square = max(gross - 2.0 * a * b * cross * uv, 0.0) + share * gross
    most = (1.0 - 0.25 * share) * clip
    return min(1.0, min(0.5 * most / math.sqrt(square), 4.0 * most / math.sqrt(gross)))


@jit(**_OPTIONS)
def _add_row(Z, i, V, p, weight, width, G):
    """Add weight · (z_i - v_p), truncated to integers, to row p of the integer sums G.

    z_i is row i of Z, and v_p is row p of V.
    """
    force = _every(weight)
    for j in range(0, width, _WIDE):
        at = p * width + j
        put(G, at, _read(G, at) + whole(force * (_read(Z, i * width + j) - _read(V, at))))


@jit(**_OPTIONS)
def _add_turn(A, i, W, p, q, s, t, width, turn):
    """Add the clipped gradient of record i with respect to the matrix Ω to the integer sums ``turn``.

    The gradient is s ⊗ (x - w_p) + t ⊗ (x - w_q), truncated to integers. x is row i of A. w_p and w_q are rows of W:
    the closest prototype of the record's class, and the closest one of another class. The vectors s and t (l,) are
    the images of the two differences under Ω, times factors for clipping and sign.
    """
    first = 0
    while first + 32 <= width:
        at = i * width + first
        x, y = _read(A, at), _read(A, at + 16)
        u, uu = x - _read(W, p * width + first), y - _read(W, p * width + first + 16)
        v, vv = x - _read(W, q * width + first), y - _read(W, q * width + first + 16)
        for r in range(s.shape[0]):
            place = r * width + first
            a, b = _every(s[r]), _every(t[r])
            put(turn, place, _read(turn, place) + whole(fused(a, u, b * v)))
            put(turn, place + 16, _read(turn, place + 16) + whole(fused(a, uu, b * vv)))
        first += 32
    while first < width:
        x = _read(A, i * width + first)
        u, v = x - _read(W, p * width + first), x - _read(W, q * width + first)
        for r in range(s.shape[0]):
            place = r * width + first
            change = fused(_every(s[r]), u, _every(t[r]) * v)
            put(turn, place, _read(turn, place) + whole(change))
        first += 16


@jit(**_OPTIONS)
def _add_free(A, i, W, Y, V, Z, T, p, q, a, b, total_G, total_turn):
    """Add the unclipped gradient of record i to the float64 sums for prototypes and matrix.

    ``total_G`` is the sum of gradients with respect to the prototypes, ``total_turn`` with respect to the matrix Ω.
    """
    for j in range(A.shape[1]):
        total_G[p, j] -= 2.0 * a * _D(Z[i, j] - T[p, j])
        total_G[q, j] += 2.0 * b * _D(Z[i, j] - T[q, j])
    for r in range(total_turn.shape[0]):
        s, t = 2.0 * a * _D(Y[i, r] - V[p, r]), 2.0 * b * _D(Y[i, r] - V[q, r])
        for j in range(A.shape[1]):
            total_turn[r, j] += s * _D(A[i, j] - W[p, j]) - t * _D(A[i, j] - W[q, j])


@jit(**_OPTIONS)
def flush(G, unit, total_G):
    """Add the integer sums G, times their unit, to the float64 sums ``total_G``, and reset G to zero.

    This addition is exact.
    """
    for p in range(G.shape[0]):
        for j in range(G.shape[1]):
            total_G[p, j] += unit * _D(G[p, j])
            G[p, j] = 0


@jit(**_OPTIONS)
def room(largest, n_prototypes, n_rows, n_features):
    """Allocate the sums and the work arrays of `gradient`, for lots of at most ``largest`` records.

    There are four sums of gradients: an integer and a float64 array for the prototypes, and an integer and a float64
    array for the matrix Ω.
    """
    width, rank = padded(n_features), padded(n_rows)
    sums = (
        np.zeros((n_prototypes, width), np.int32), np.zeros((n_prototypes, width)),
        np.zeros((n_rows, width), np.int32), np.zeros((n_rows, width)),
    )  # fmt: skip
    model = (
        np.zeros((n_prototypes, width), np.float32), np.zeros((n_rows, width), np.float32),
        np.zeros((n_features, rank), np.float32),
    )  # fmt: skip
    inner = (
        np.zeros((n_prototypes, rank), np.float32), np.zeros((n_prototypes, width), np.float32),
        np.zeros((largest, rank), np.float32), np.zeros((largest, width), np.float32),
        np.zeros(n_rows, np.float32), np.zeros(n_rows, np.float32),
    )  # fmt: skip
    return sums, model, inner


@jit(**_OPTIONS)
def _copied(W, Omega, model):
    padded_W, rows, columns = model
    for p in range(W.shape[0]):
        for j in range(W.shape[1]):
            padded_W[p, j] = W[p, j]
    for r in range(Omega.shape[0]):
        for j in range(Omega.shape[1]):
            rows[r, j] = Omega[r, j]
            columns[j, r] = Omega[r, j]


@jit(**_OPTIONS)
def gradient(A, own, n, W, Omega, labels, clip, free, sums, model, inner):
    """Add the clipped gradients of n records to ``sums``; return the unit of the integer sums.

    The records are rows of A, padded with zeros. ``sums`` are four arrays:

    - The first and third are integers in units of C 2^-24, with the clip norm C. They hold sums of gradients with
      respect to the prototypes W and to the matrix Ω.
    - The second and fourth are float64. They hold the integer sums of earlier blocks of records, or the sums without
      clipping.
    """
    G, total_G, turn, total_turn = sums
    padded_W, rows, columns = model
    V, T, Y, Z, s, t = inner
    n_rows, n_features = Omega.shape
    width, rank = padded_W.shape[1], V.shape[1]
    share, unit = 2.0 * (n_features + n_rows + 40) * 2.0**-24, clip / _UNITS
    _copied(W, Omega, model)
    images(padded_W, labels.shape[0], n_features, columns, rank, V)
    images(V, labels.shape[0], n_rows, rows, width, T)
    images(A, n, n_features, columns, rank, Y)
    images(Y, n, n_rows, rows, width, Z)
    for i in range(n):
        if i % BLOCK == 0 and i > 0:
            flush(G, unit, total_G)
            flush(turn, unit, total_turn)
        p, q = _winners(Y, i, V, own[i], labels, rank)
        pairs = _products(Y, i, V, p, q, rank)
        distances = pairs[0] + pairs[1]
        if not (distances > 1e-20 and distances < 1e30):
            continue
        a, b = pairs[1] / distances / distances, pairs[0] / distances / distances
        a, b = 2.0 * a, 2.0 * b
        if free:
            _add_free(A, i, padded_W, Y, V, Z, T, p, q, a, b, total_G, total_turn)
            continue
        gaps = _products(A, i, padded_W, p, q, width)
        scale = _scale(a, b, pairs, gaps, _products(Z, i, T, p, q, width), clip, share)
        if scale == 0.0:
            continue
        a, b = 2.0 * a * scale / unit, 2.0 * b * scale / unit
        _add_row(Z, i, T, p, _F(-a), width, G)
        _add_row(Z, i, T, q, _F(b), width, G)
        for r in range(n_rows):
            s[r] = _F(a * _D(Y[i, r] - V[p, r]))
            t[r] = _F(-b * _D(Y[i, r] - V[q, r]))
        _add_turn(A, i, padded_W, p, q, s, t, width, turn)
    return unit


@jit(**_OPTIONS)
def summed(X, y, W, Omega, labels, clip):
    """Return the float64 sums of the clipped gradients of all records X.

    The first result (P, d) is the sum for the prototypes W, the second (l, d) is the sum for the matrix Ω.
    """
    n, n_features = X.shape
    A, own = np.zeros((n, padded(n_features)), np.float32), y.astype(np.int32)
    for i in range(n):
        for j in range(n_features):
            A[i, j] = X[i, j]
    sums, model, inner = room(n, labels.shape[0], Omega.shape[0], n_features)
    unit = gradient(A, own, n, W, Omega, labels, clip, False, sums, model, inner)
    G, total_G, turn, total_turn = sums
    flush(G, unit, total_G)
    flush(turn, unit, total_turn)
    return total_G[:, :n_features].copy(), total_turn[:, :n_features].copy()
