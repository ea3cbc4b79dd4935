"""The same training loop in numpy, all noise levels advanced together: when numba is absent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcore._noise import unit_normals
from dpcore.lvq.gradients import coefficients, squared_distances

__all__ = ["run"]


def run(
    X: NDArray[np.float32],
    y: NDArray[np.int32],
    W: NDArray[np.float32],
    labels: NDArray[np.int32],
    lots: tuple[NDArray[np.int32], NDArray[np.int64]],
    noise: NDArray[np.float32],
    clip: NDArray[np.float32],
    rates: NDArray[np.float32],
    weights: NDArray[np.float32],
    key: int,
    snapshots: NDArray[np.int64],
    low: float,
    high: float,
    stop: NDArray[np.int64],
    out: NDArray[np.float32],
) -> None:
    """Train K prototype sets (K, P, d) in place; ``stop[0]`` ends it, ``stop[1]`` counts steps."""
    indices, offsets = lots
    _, n_prototypes, n_features = W.shape
    A = W.copy()
    out[:, snapshots == 0] = A[:, None]
    for t in range(len(offsets) - 1):
        lot = indices[offsets[t] : offsets[t + 1]]
        G = _clipped_sums(X[lot], y[lot], W, labels, clip)
        if noise.any():
            z = unit_normals(key, t, n_prototypes * n_features).reshape(n_prototypes, n_features)
            G += noise[:, None, None] * z
        W -= rates[:, t, None, None] * G
        np.clip(W, low, high, out=W)
        A += weights[t] * (W - A)
        out[:, snapshots == t + 1] = A[:, None]
        stop[1] = t
        if stop[0]:
            return


def _clipped_sums(
    x: NDArray[np.float32],
    y: NDArray[np.int32],
    W: NDArray[np.float32],
    labels: NDArray[np.int32],
    clip: NDArray[np.float32],
) -> NDArray[np.float32]:
    if not len(x):
        return np.zeros_like(W)
    M = coefficients(squared_distances(x, W), y, labels, clip[:, None]).astype(np.float32)
    return np.swapaxes(M, -1, -2) @ x - M.sum(-2)[..., None] * W
