"""Distances and clipped gradients of samples under a matrix Ω, with the formulas of module `matrix`.

A gradient depends on two prototypes: the closest one of the sample's class, and the closest one of another class. All
results for a sample are computed in a fixed order of operations (``dpcore._fixed_order``). Their bits therefore do
not depend on the other samples of the lot.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._fixed_order import dots, products, square_distances
from dpcore.lvq.contributions import FINE_UNITS, FREE, GROSS, TINY, UNITS, joint_slack, measured

__all__ = ["Pairs", "clipped_sums"]

_CHUNK = 2_000_000  # numbers in memory at once


def _swap(A: NDArray[Any]) -> NDArray[Any]:
    return np.swapaxes(A, -1, -2)


class Pairs:
    """Differences and distances between every sample and two prototypes.

    The two are the closest prototype of the sample's class and the closest prototype of another class.
    """

    def __init__(
        self,
        X: NDArray[Any],
        y: NDArray[Any],
        W: NDArray[Any],
        Omega: NDArray[Any],
        labels: NDArray[Any],
    ) -> None:
        Y, V = products(X, Omega), products(W, Omega)
        distances = square_distances(Y, V)
        own = y[:, None] == labels
        self.winners, self.gaps, self.images, self.distances = [], [], [], []
        for mine in (own, ~own):
            winner = np.where(mine, distances, np.inf).argmin(-1)[..., None]
            self.winners.append(winner)
            self.gaps.append(X - np.take_along_axis(W, winner, -2))
            self.images.append(Y - np.take_along_axis(V, winner, -2))
            self.distances.append(dots(self.images[-1], self.images[-1]))
        near, other = (d.astype(float) for d in self.distances)
        total = near + other
        far = (total > TINY) & (total < 1e30)
        safe = np.where(far, total, 1)
        self.factors = tuple(np.where(far, 2 * (d / safe) / safe, 0) for d in (other, near))
        self.turned = [products(p, _swap(Omega)) for p in self.images]

    def norms(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return an upper bound on every sample's gradient norm, and an upper bound on its joint norm.

        A gradient is a sum of four parts: for each of the two prototypes, one part with respect to the prototype and
        one with respect to the matrix Ω. The joint norm is the root of the sum of their squared norms.
        """
        (u, v), (p, q), (z, t) = self.gaps, self.images, self.turned
        pairs = ((p, p), (q, q), (p, q), (u, u), (v, v), (u, v), (z, z), (t, t))
        share = joint_slack(u.shape[-1], p.shape[-1], u.dtype)
        return measured(self.factors, tuple(dots(a, b) for a, b in pairs), share)


def clipped_sums(
    X: NDArray[Any],
    y: NDArray[Any],
    W: NDArray[Any],
    Omega: NDArray[Any],
    labels: NDArray[Any],
    clip_norm: ArrayLike,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the sums of clipped gradients of many models in float64, for prototypes and matrices Ω.

    ``W`` (..., P, d) and ``Omega`` (..., l, d) have the same leading axes, over models. ``clip_norm`` broadcasts to
    (..., 1), with a clip norm C for each model. `clipped_sum` does the same for a single model. `contributions`
    proves the bound on the contribution of one record.
    """
    clip = np.broadcast_to(np.asarray(clip_norm, float), (*W.shape[:-2], 1))
    slope, turn = np.zeros(W.shape), np.zeros(Omega.shape)
    size = max(1, _CHUNK // (W.size + Omega.size))
    for at in range(0, len(X), size):
        part = slice(at, at + size)
        added = _added(X[part], y[part], W, Omega, labels, clip)
        slope += added[0]
        turn += added[1]
    unit = np.where(clip < FREE, clip / _units(X.dtype), 1.0)[..., None]
    return slope * unit, turn * unit


def _units(dtype: Any) -> float:
    return UNITS if dtype == np.float32 else FINE_UNITS


def _added(
    x: NDArray[Any],
    y: NDArray[Any],
    W: NDArray[Any],
    Omega: NDArray[Any],
    labels: NDArray[Any],
    clip: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the sums of the clipped gradients of some samples, with respect to prototypes and to the matrix Ω.

    Clipped gradients are truncated to integers in units of C 2^-24, where C is the clip norm (C 2^-30 if samples are
    float64). The sums are in these units, and exact in any order. Where C is inf, gradients are neither clipped nor
    truncated, and the unit is 1.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        pairs = Pairs(x, y, W, Omega, labels)
        norm, gross = pairs.norms()
        most = np.minimum(clip, 1e100) * (1 - joint_slack(x.shape[1], Omega.shape[-2], x.dtype) / 4)
        scale = np.minimum(1, np.minimum(most / norm, GROSS * most / gross))
        fine = np.isfinite(gross) & (gross > 0)
    scale = 2 * scale / np.where(clip < FREE, clip / _units(x.dtype), 1.0)
    slope, change = np.zeros(W.shape), np.zeros((*W.shape[:-2], len(x), *Omega.shape[-2:]))
    for sign, winner, factor, gap, image, turned in zip(
        (1, -1), pairs.winners, pairs.factors, pairs.gaps, pairs.images, pairs.turned, strict=True
    ):
        weight = np.where(fine, sign * scale * factor, 0)[..., None]
        parts = [np.where(fine[..., None], v, 0).astype(float) for v in (gap, image, turned)]
        change += (weight * parts[1])[..., :, None] * parts[0][..., None, :]
        pulls = _whole(weight * parts[2], clip[..., None])
        for p in range(len(labels)):
            slope[..., p, :] -= np.where(winner == p, pulls, 0).sum(-2)
    return slope, _whole(change, clip[..., None, None]).sum(-3)


def _whole(values: NDArray[np.float64], clip: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(clip < FREE, np.trunc(values), values)
