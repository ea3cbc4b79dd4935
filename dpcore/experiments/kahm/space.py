"""Samples of three values, and the images that machines of one, two or three directions give them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.kahm.params import TURN_GRID, KahmParams
from dpcore.experiments.kahm.picture import parted
from dpcore.kahm import KAHM

__all__ = ["BODIES", "Space", "projected", "run_space"]

Array = NDArray[np.float64]
BODIES = ("a saddle", "a wave", "an arc")
_RECORDS, _LINES, _DOTS = 150, 9, 17
_ABOVE = math.radians(22)  # from where one looks down


@dataclass(frozen=True, kw_only=True)
class Space:
    """Three samples in the unit cube and the images of their machines: made data, nobody's.

    ``samples`` (3, N, 3); ``nets`` (3, L, 3): lines of the images, parted by NaN.
    """

    samples: Array
    nets: Array


def samples() -> Array:
    """Return the three samples (3, N, 3), the same at every call."""
    rng = np.random.default_rng(2)
    u, v = rng.uniform(-1, 1, (2, 3, _RECORDS))
    t = math.pi * u[2]
    bodies = [
        np.stack([u[0], v[0], (np.square(u[0]) - np.square(v[0])) * 0.8], -1),
        np.stack([u[1], v[1], 0.6 * np.sin(math.pi * u[1])], -1),
        np.stack([np.cos(t / 2), np.sin(t / 2), u[2] * 0.8], -1),
    ]
    return 0.5 + 0.42 * (np.stack(bodies) + 0.04 * rng.standard_normal((3, _RECORDS, 3)))


def run_space(params: KahmParams) -> Space:
    """Return the samples and the images of their machines, of the n and τ of the parameters."""
    return _space(params.n_components, params.ridge)


@lru_cache(maxsize=8)  # drawn by the live figure and by Plotly
def _space(n_components: int, ridge: float) -> Space:
    found = samples()
    return Space(samples=found, nets=np.stack([_net(Y, n_components, ridge) for Y in found]))


def _net(Y: Array, n_components: int, ridge: float) -> Array:
    """The image of a grid over the two leading directions of the records; with n = 1 it is a curve."""
    machine = KAHM(n_components, tau_factor=ridge).fit(Y)
    mean = Y.mean(0)
    values, vectors = np.linalg.eigh(np.cov(Y.T))
    across, along = np.linspace(-1.7, 1.7, _LINES), np.linspace(-1.7, 1.7, _DOTS)
    flat = np.stack(np.meshgrid(along, across), -1)
    both = np.concatenate([flat, flat[..., ::-1]]) * np.sqrt(values[:0:-1])
    image = machine.transform((mean + both @ vectors[:, :0:-1].T).reshape(-1, 3))
    return parted(image, _DOTS)


def projected(places: Array) -> Array:
    """Return places (M, 3) of the unit cube as seen at every turn of `TURN_GRID`, (T, M, 2)."""
    angle = np.radians(TURN_GRID)[:, None]
    x, y, z = (places - 0.5).T
    right = np.cos(angle) * x - np.sin(angle) * y
    away = np.sin(angle) * x + np.cos(angle) * y
    up = math.cos(_ABOVE) * z + math.sin(_ABOVE) * away
    return np.stack([right, up], -1)
