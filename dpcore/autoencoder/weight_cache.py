"""Disk cache of trained weights, whose keys are digests of the training pictures and settings."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpcore import disk_cache
from dpcore.autoencoder.weights import Weights

__all__ = ["path", "read", "write"]

_FORMAT = 1  # to be raised whenever training changes: older files are then no longer found
_NAMES = ("W1", "b1", "W2", "b2")


def path(images: NDArray[np.float32], recipe: tuple[float, ...]) -> Path:
    """Return the path of the cache file for weights trained on images (n, d) with the settings ``recipe``."""
    name = hashlib.sha256(np.ascontiguousarray(images).tobytes())
    name.update(repr((_FORMAT, images.shape, *map(float, recipe))).encode())
    return disk_cache.folder() / f"autoencoder-{name.hexdigest()[:24]}.npz"


def read(file: Path) -> tuple[Weights, NDArray[np.float64]] | None:
    """Return the stored weights and loss curve (epochs,), or None if the file is missing or damaged."""
    arrays = disk_cache.read_arrays(file)
    try:
        return None if arrays is None else (Weights(*(arrays[n] for n in _NAMES)), arrays["loss"])
    except (KeyError, ValueError):
        return None


def write(file: Path, weights: Weights, loss: NDArray[np.float64]) -> None:
    """Write weights and loss curve (epochs,) to the cache file; do nothing if the disk cannot be written to."""
    arrays = {name: getattr(weights, name) for name in _NAMES}
    disk_cache.write_arrays(file, {**arrays, "loss": loss})
