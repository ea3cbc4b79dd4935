"""Synthetic data sets with two features, exact bounds and fixed seeds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["MAKERS", "blobs", "moons", "spirals"]

Made = tuple[NDArray[np.float64], NDArray[np.int64], tuple[str, ...]]


def _inside(X: NDArray[np.float64]) -> NDArray[np.float64]:
    # The few points outside the square are clipped to its edge, so that the bounds are exact.
    return np.clip(X, -1, 1)


def blobs(n_samples: int, rng: np.random.Generator) -> Made:
    """Return four slightly overlapping Gaussian clouds, as records (n, 2), class indices (n,) and class names."""
    centres = np.array([[-0.45, -0.4], [0.5, -0.45], [-0.4, 0.45], [0.45, 0.4]])
    y = np.arange(n_samples) % 4
    X = centres[y] + 0.24 * rng.standard_normal((n_samples, 2))
    return _inside(X), y, ("south-west", "south-east", "north-west", "north-east")


def moons(n_samples: int, rng: np.random.Generator) -> Made:
    """Return two interleaved half circles, as records (n, 2), class indices (n,) and class names."""
    y = np.arange(n_samples) % 2
    angle = np.pi * rng.uniform(size=n_samples)
    side = np.where(y == 0, 1, -1)
    X = np.stack([side * (np.cos(angle) - 0.5), side * (np.sin(angle) - 0.25)], axis=1)
    return _inside(0.62 * X + 0.07 * rng.standard_normal((n_samples, 2))), y, ("upper", "lower")


def spirals(n_samples: int, rng: np.random.Generator) -> Made:
    """Return three arms of a spiral, as records (n, 2), class indices (n,) and class names.

    Each class needs several prototypes.
    """
    y = np.arange(n_samples) % 3
    radius = np.sqrt(rng.uniform(0.02, 1, size=n_samples))
    angle = 3.6 * radius + 2 * np.pi * y / 3
    X = 0.9 * radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return _inside(X + 0.04 * rng.standard_normal((n_samples, 2))), y, ("first", "second", "third")


MAKERS = {
    "blobs": (blobs, 11, "Four blobs", "Four round Gaussian clouds with a small overlap."),
    "moons": (moons, 12, "Two moons", "Two interleaved half circles."),
    "spirals": (
        spirals,
        13,
        "Three spirals",
        "Three arms of a spiral, which need several prototypes per class.",
    ),
}
