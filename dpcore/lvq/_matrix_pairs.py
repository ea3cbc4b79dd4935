"""What a sample sees of its two closest prototypes under a matrix, and what it adds for that, clipped.

The formulas are in `matrix`.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._types import AnyArray
from dpcore.lvq.contributions import GROSS, ROOM, TINY, measured, slack

__all__ = ["Pairs", "clipped_sums"]


def _swap(A: NDArray[Any]) -> NDArray[Any]:
    return np.swapaxes(A, -1, -2)


def _dot(A: NDArray[Any], B: NDArray[Any]) -> NDArray[Any]:
    return cast(AnyArray, np.einsum("...j,...j->...", A, B))


class Pairs:
    """What each sample sees of its closest own and its closest other prototype."""

    def __init__(
        self,
        X: NDArray[Any],
        y: NDArray[Any],
        W: NDArray[Any],
        Omega: NDArray[Any],
        labels: NDArray[Any],
    ) -> None:
        Y, V = X @ _swap(Omega), W @ _swap(Omega)
        half = 0.5 * np.square(V).sum(-1)[..., None, :] - Y @ _swap(V)
        own = y[:, None] == labels
        self.shape, self.winners = half.shape, []
        self.gaps, self.images, self.distances = [], [], []
        for mine in (own, ~own):
            winner = np.where(mine, half, np.inf).argmin(-1)[..., None]
            self.winners.append(winner)
            self.gaps.append(X - np.take_along_axis(W, winner, -2))
            self.images.append(Y - np.take_along_axis(V, winner, -2))
            self.distances.append(np.square(self.images[-1]).sum(-1))
        near, other = (d.astype(float) for d in self.distances)
        total = near + other
        far = (total > TINY) & (total < 1e30)
        safe = np.where(far, total, 1)
        self.factors = tuple(np.where(far, 2 * (d / safe) / safe, 0) for d in (other, near))
        self.turned = [p @ Omega for p in self.images]

    def norms(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return bounds on each gradient's norm and on that of its parts."""
        (u, v), (p, q), (z, t) = self.gaps, self.images, self.turned
        pairs = ((p, p), (q, q), (p, q), (u, u), (v, v), (u, v), (z, z), (t, t))
        share = 2 * slack(u.shape[-1] + p.shape[-1], u.dtype)
        return measured(self.factors, tuple(_dot(a, b) for a, b in pairs), share)


def clipped_sums(
    X: NDArray[Any],
    y: NDArray[Any],
    W: NDArray[Any],
    Omega: NDArray[Any],
    labels: NDArray[Any],
    clip_norm: ArrayLike,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the clipped sums of many models at once, (..., P, d) and (..., l, d), in float64.

    ``W`` (..., P, d) and ``Omega`` (..., l, d) share their leading axes; ``clip_norm`` broadcasts to
    (..., n). See `clipped_sum`, and `contributions` for what bounds them.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        pairs = Pairs(X, y, W, Omega, labels)
        norm, gross = pairs.norms()
        most = np.minimum(clip_norm, 1e100) * (
            1 - ROOM - slack(X.shape[1] + Omega.shape[-2], X.dtype) / 2
        )
        scale = np.minimum(1, np.minimum(most / norm, GROSS * most / gross))
        fine = np.isfinite(gross) & (gross > 0)
    slope, turn = np.zeros(W.shape), np.zeros(Omega.shape)
    for sign, winner, factor, gap, image, turned in zip(
        (1, -1), pairs.winners, pairs.factors, pairs.gaps, pairs.images, pairs.turned, strict=True
    ):
        weight = np.where(fine, sign * scale * factor, 0)[..., None]
        parts = [np.where(fine[..., None], v, 0).astype(float) for v in (gap, image, turned)]
        turn += 2 * _swap(parts[1]) @ (weight * parts[0])
        one_hot = (winner == np.arange(W.shape[-2])).astype(float)
        slope -= 2 * _swap(one_hot) @ (weight * parts[2])
    return slope, turn
