"""Reference in numpy of the training loop `_compiled`, for tests and the audit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcore._fixed_order import square_distances
from dpcore._noise import Normals
from dpcore.lvq.contributions import FREE, TINY, UNITS, slack
from dpcore.lvq.gradients import winners

__all__ = ["run"]

_CHUNK = 2_000_000  # numbers held at once
_F = np.float32


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
    key: NDArray[np.uint32],
    snapshots: NDArray[np.int64],
    low: float,
    high: float,
    stop: NDArray[np.int64],
    out: NDArray[np.float32],
) -> None:
    """Train GLVQ models at K noise levels: update prototypes W (K, P, d) in place, and write snapshots to ``out``.

    ``out`` is (K, S, P, d) for S snapshots. Another thread may set ``stop[0]`` to cancel the training, and may read
    the number of the last step from ``stop[1]``.
    """
    indices, offsets = lots
    _, n_prototypes, n_features = W.shape
    A, normals = W.copy(), Normals(key, n_prototypes * n_features)
    out[:, snapshots == 0] = A[:, None]
    for t in range(len(offsets) - 1):
        lot = indices[offsets[t] : offsets[t + 1]]
        G = _clipped_sums(X[lot], y[lot], W, labels, clip)
        if noise.any():
            z = normals(t).reshape(n_prototypes, n_features)
            G += noise.astype(float)[:, None, None] * z
        W -= rates[:, t, None, None] * G.astype(np.float32)
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
) -> NDArray[np.float64]:
    """Return the sums (K, P, d) of the clipped gradients of a lot, for K noise levels and P prototypes.

    One record adds at most the clip norm to a sum; the proof is in module `contributions`.
    """
    total = np.zeros(W.shape)
    size = max(1, _CHUNK // W.size)
    for at in range(0, len(x), size):
        total += _added(x[at : at + size], y[at : at + size], W, labels, clip[:, None])
    return total * np.where(clip < FREE, clip / UNITS, 1.0)[:, None, None]


def _added(
    x: NDArray[np.float32],
    y: NDArray[np.int32],
    W: NDArray[np.float32],
    labels: NDArray[np.int32],
    clip: NDArray[np.float32],
) -> NDArray[np.float64]:
    plus, minus, near, other = winners(square_distances(x, W), y, labels)
    total = near + other
    far = total > _F(TINY)
    total = np.where(far, total, _F(1))
    a, b = other / total, near / total
    length = np.sqrt(np.maximum(a * a * near + b * b * other, _F(1e-30)))
    most = _F(UNITS) * (_F(1) - _F(slack(W.shape[-1], np.float32))) / length
    clipped = np.minimum(_F(4 * UNITS) / clip / total, most)
    force = np.where(far, np.where(clip < FREE, clipped, _F(4) / total), _F(0))
    sums = np.zeros(W.shape)
    for winner, weight in ((plus, -force * a), (minus, force * b)):
        pulls = weight[..., None] * (x - np.take_along_axis(W, winner[..., None], -2))
        pulls = np.where(clip[..., None] < FREE, np.trunc(pulls), pulls).astype(float)
        for p in range(len(labels)):
            sums[:, p] += np.where((winner == p)[..., None], pulls, 0).sum(-2)
    return sums
