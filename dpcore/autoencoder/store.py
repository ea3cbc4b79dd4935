"""Trained weights kept on disk: written in one move, and made again when a file is damaged."""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpcore._types import AnyArray
from dpcore.autoencoder.weights import Weights

__all__ = ["folder", "path", "read", "write"]

ENVIRONMENT = "DPCORE_CACHE"
_FORMAT = 1  # to be raised whenever training changes: older files are then no longer found
_NAMES = ("W1", "b1", "W2", "b2")


def folder() -> Path:
    """Return the folder that DPCORE_CACHE names, or else ``dpcore`` in the user's cache folder."""
    named = os.environ.get(ENVIRONMENT)
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "dpcore"


def path(images: NDArray[np.float32], recipe: tuple[float, ...]) -> Path:
    """Return the file for weights trained on these images (n, d) by this recipe of numbers."""
    name = hashlib.sha256(np.ascontiguousarray(images).tobytes())
    name.update(repr((_FORMAT, images.shape, *map(float, recipe))).encode())
    return folder() / f"autoencoder-{name.hexdigest()[:24]}.npz"


def read(file: Path) -> tuple[Weights, NDArray[np.float64]] | None:
    """Return the weights and the loss curve (epochs,) in a file, or None if absent or damaged."""
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as found:
            arrays = [found[name] for name in (*_NAMES, "loss")]
            intact = str(found["checksum"]) == _checksum(arrays)
        return (Weights(*arrays[:4]), arrays[4]) if intact else None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, NotImplementedError):
        return None


def write(file: Path, weights: Weights, loss: NDArray[np.float64]) -> None:
    """Write weights and loss curve (epochs,) so that a reader finds the whole file or none.

    A disk that cannot be written to costs only the next training: nothing is raised.
    """
    arrays = [*(getattr(weights, name) for name in _NAMES), loss]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as part:
            np.savez(
                part, checksum=_checksum(arrays),
                **dict(zip((*_NAMES, "loss"), arrays, strict=True)),
            )  # fmt: skip
        os.replace(part.name, file)
    except OSError:
        return


def _checksum(arrays: list[AnyArray]) -> str:
    found = hashlib.sha256()
    for array in arrays:
        found.update(repr((array.shape, array.dtype.str)).encode() + array.tobytes())
    return found.hexdigest()
