"""Stored measurements for Deep networks: MNIST curves, and trainings with the default parameters and other seeds."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.network import Curve, NetworkParams, read

__all__ = [
    "MNIST_COMMAND",
    "MNIST_FILE",
    "SEEDS_FILE",
    "mnist_curves",
    "seed_accuracies",
    "settings_of",
]

_FOLDER = Path(__file__).resolve().parents[2] / "assets" / "network"
MNIST_FILE, SEEDS_FILE = _FOLDER / "mnist.json", _FOLDER / "seeds.json"
MNIST_COMMAND = "python -m dpcore mnist-network --data-dir FOLDER --out assets/network/mnist.json"


@cache
def mnist_curves() -> tuple[Curve, ...]:
    """Return the curves of the MNIST runs stored in the file; empty if there is no file."""
    return read(MNIST_FILE) if MNIST_FILE.exists() else ()


def seed_accuracies(params: NetworkParams) -> NDArray[np.float64] | None:
    """Return the final accuracies with and without privacy, for each of S seeds, (S, 2).

    The result is None if no repetitions are stored for these parameters. ``make openings`` writes their file.
    """
    settings, accuracies = _read_seeds()
    return accuracies if settings_of(params) == settings else None


def settings_of(params: NetworkParams) -> dict[str, Any]:
    """Return all parameters except the seed, by name."""
    return {name: value for name, value in asdict(params).items() if name != "seed"}


@cache
def _read_seeds() -> tuple[dict[str, Any], NDArray[np.float64]]:
    content = json.loads(SEEDS_FILE.read_text("utf-8"))
    return content["params"], np.array(content["seeds"], float)[:, 1:]
