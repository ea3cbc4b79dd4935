"""Reference in numpy of the training loop `_matrix_compiled`, for tests and the audit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcore._noise import Normals
from dpcore.lvq._matrix_pairs import clipped_sums
from dpcore.lvq.contributions import MATRIX_LIMIT

__all__ = ["run"]


def run(
    X: NDArray[np.float32],
    y: NDArray[np.int32],
    W: NDArray[np.float32],
    Omega: NDArray[np.float32],
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
    out: tuple[NDArray[np.float32], NDArray[np.float32]],
) -> None:
    """Train GMLVQ models at K noise levels: update prototypes and matrices in place, and write snapshots to ``out``.

    A model has P prototypes of d features in W (K, P, d), and a matrix Ω of l rows in ``Omega`` (K, l, d). Another
    thread may set ``stop[0]`` to cancel the training, and may read the number of the last step from ``stop[1]``.
    """
    indices, offsets = lots
    models, means = (W, Omega), (W.copy(), Omega.copy())
    sizes = [model[0].size for model in models]
    normals = Normals(key, sum(sizes))
    _keep(out, means, snapshots == 0)
    for t in range(len(offsets) - 1):
        lot = indices[offsets[t] : offsets[t + 1]]
        steps = clipped_sums(X[lot], y[lot], W, Omega, labels, clip[:, None])
        if noise.any():
            z = np.split(normals(t), sizes[:1])
            for step, part in zip(steps, z, strict=True):
                step += noise.astype(float)[:, None, None] * part.reshape(step.shape[1:])
        for model, step in zip(models, steps, strict=True):
            model -= rates[:, t, None, None] * step.astype(np.float32)
        np.clip(W, low, high, out=W)
        np.clip(Omega, -MATRIX_LIMIT, MATRIX_LIMIT, out=Omega)
        for mean, model in zip(means, models, strict=True):
            mean += weights[t] * (model - mean)
        _keep(out, means, snapshots == t + 1)
        stop[1] = t
        if stop[0]:
            return


def _keep(
    out: tuple[NDArray[np.float32], ...],
    means: tuple[NDArray[np.float32], ...],
    now: NDArray[np.bool_],
) -> None:
    for snapshot, mean in zip(out, means, strict=True):
        snapshot[:, now] = mean[:, None]
