"""Compiled training loop of GMLVQ, one pass over the lots for all noise levels (numba, float32)."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore._jit import jit
from dpcore._noise_compiled import normals, scratch
from dpcore.lvq._compiled import _is_cancelled
from dpcore.lvq._matrix_lot_compiled import gradient, padded, room

__all__ = ["run"]

_OPTIONS: Any = {"error_model": "numpy", "nogil": True}
_F, _D = np.float32, np.float64
_FREE = 1e38
_LIMIT = np.float32(1e6)


@jit(**_OPTIONS)
def _move(W, mean, G, unit, total, z, noise, rate, weight, low, high):
    """Move W (the prototypes or the matrix Ω) by one noisy gradient step, and update its running average ``mean``.

    The step is ``rate`` times the noisy sum of gradients, unit · G + ``total`` + noise · z. G holds integers,
    ``total`` floats, and z standard normals. G and ``total`` are reset to zero.
    """
    n_columns = W.shape[1]
    for p in range(W.shape[0]):
        for j in range(n_columns):
            step = unit * _D(G[p, j]) + total[p, j] + noise * _D(z[p * n_columns + j])
            w = min(max(W[p, j] - rate * _F(step), low), high)
            W[p, j] = w
            mean[p, j] += weight * (w - mean[p, j])
            G[p, j] = 0
            total[p, j] = 0.0


@jit(**_OPTIONS)
def _largest(offsets):
    largest = 0
    for t in range(offsets.shape[0] - 1):
        largest = max(largest, offsets[t + 1] - offsets[t])
    return largest


@jit(forceinline=True, **_OPTIONS)
def _copy(source, row, target, place):
    # Loops here and below, because slice assignments take numba seconds to compile.
    for j in range(source.shape[1]):
        target[place, j] = source[row, j]


@jit(**_OPTIONS)
def _take(X, y, lot, A, own):
    n = lot.shape[0]
    for i in range(n):
        own[i] = y[lot[i]]
        _copy(X, lot[i], A, i)


@jit(**_OPTIONS)
def _keep(out, means, turns, snapshots, place, t):
    while place < snapshots.shape[0] and snapshots[place] == t:
        for k in range(means.shape[0]):
            for p in range(means.shape[1]):
                _copy(means[k], p, out[0][k, place], p)
            for r in range(turns.shape[1]):
                _copy(turns[k], r, out[1][k, place], r)
        place += 1
    return place


@jit(**_OPTIONS)
def run(
    X, y, W, Omega, labels, lots, noise, clip, rates, weights, key, snapshots, low, high, stop, out
):
    """Train GMLVQ models at K noise levels: update prototypes and matrices in place, and write snapshots to ``out``.

    A model has P prototypes of d features in W (K, P, d), and a matrix Ω of l rows in ``Omega`` (K, l, d). Another
    thread may set ``stop[0]`` to cancel the training, and may read the number of the last step from ``stop[1]``.
    """
    indices, offsets = lots
    n_runs, n_prototypes, n_features = W.shape
    n_rows = Omega.shape[1]
    largest = _largest(offsets)
    A, own = np.zeros((largest, padded(n_features)), np.float32), np.zeros(largest, np.int32)
    sums, model, inner = room(largest, n_prototypes, n_rows, n_features)
    size = (n_prototypes + n_rows) * n_features
    buffer, shared = scratch(size)
    means, turns = W.copy(), Omega.copy()
    noisy = noise.max() > 0
    place = _keep(out, means, turns, snapshots, 0, 0)
    for t in range(offsets.shape[0] - 1):
        z = normals(key, t, size, noisy, buffer, shared)
        lot = indices[offsets[t] : offsets[t + 1]]
        n = lot.shape[0]
        _take(X, y, lot, A, own)
        for k in range(n_runs):
            free = clip[k] >= _FREE
            unit = gradient(
                A, own, n, W[k], Omega[k], labels, _D(clip[k]), free, sums, model, inner
            )  # fmt: skip
            rate, weight, sigma = rates[k, t], weights[t], _D(noise[k])
            G, total_G, turn, total_turn = sums
            _move(W[k], means[k], G, unit, total_G, z, sigma, rate, weight, low, high)
            _move(
                Omega[k], turns[k], turn, unit, total_turn, z[n_prototypes * n_features :], sigma, rate,
                weight, -_LIMIT, _LIMIT,
            )  # fmt: skip
        place = _keep(out, means, turns, snapshots, place, t + 1)
        if _is_cancelled(stop, t):
            return
