"""Deep and wide machines as pictures: what every layer makes of the records, and what every block does."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.kahm.data import hull_options, made, picture_data
from dpcore.experiments.kahm.params import SHOWN_ROUNDS, KahmParams
from dpcore.experiments.kahm.picture import NODES
from dpcore.kahm import HullOptions
from dpcore.kahm.batched import own_images
from dpcore.kahm.wide import blocks

__all__ = ["LAYER_NODES", "N_BLOCKS", "N_LAYERS", "Layers", "run_layers"]

Array = NDArray[np.float64]
N_LAYERS, N_BLOCKS = 3, 4
LAYER_NODES: tuple[float, ...] = NODES[::2] + (() if len(NODES) % 2 else NODES[-1:])


@dataclass(frozen=True, kw_only=True)
class Layers:
    """Images of the records under every layer, and under the blocks of a wide machine.

    ``images`` (F, T + 2, L, N, 2): of the data at ``nodes`` of ε and every stage (original, noisy, after
    every round), class by class; ``nearest`` (F, T + 2, L): the share of records whose nearest image
    is that layer's. ``wide`` (2, N, 2) and ``block`` (2, N): the images of the ORIGINAL records by the
    nearest of four machines of a class, its records shared by k-means or at random, and which block
    each record is in.
    """

    nodes: tuple[float, ...]
    images: Array
    nearest: Array
    wide: Array
    block: NDArray[np.int64]
    labels: NDArray[np.int64]


def run_layers(params: KahmParams, check: Callable[[], None] = lambda: None) -> Layers:
    """Return the layers at the nodes of ε and at every stage, and the wide machines."""
    X, y = picture_data(params.shape, params.n_records)
    options = hull_options(params, params.n_components)
    original = _images(X[None], y, options)
    images, nearest = [], []
    for e in LAYER_NODES:
        check()
        stages = made(X, y, e, params, (params.seed,), options, SHOWN_ROUNDS).stages
        found = np.concatenate([original, _images(stages, y, options)])
        images.append(found)
        nearest.append(_nearest(np.concatenate([X[None], stages]), found))
    both = [_wide(X, y, options, split, params.seed) for split in ("kmeans", "random")]
    return Layers(
        nodes=LAYER_NODES, images=np.array(images), nearest=np.array(nearest), labels=y,
        wide=np.stack([found for found, _ in both]), block=np.stack([one for _, one in both]),
    )  # fmt: skip


def _images(Y: Array, y: NDArray[np.int64], options: HullOptions) -> Array:
    """The images (B, L, N, 2) of data sets (B, N, 2) under the layers of a machine for every class."""
    found = np.empty((len(Y), N_LAYERS, *Y.shape[1:]))
    for c in np.unique(y):
        now = Y[:, y == c]
        for number in range(N_LAYERS):
            now = own_images(now, options, number)
            found[:, number, y == c] = now
    return found


def _nearest(Y: Array, images: Array) -> Array:
    best = np.linalg.norm(Y[:, None] - images, axis=3).argmin(1)
    return np.stack([(best == number).mean(1) for number in range(N_LAYERS)], axis=1)


def _wide(
    X: Array, y: NDArray[np.int64], options: HullOptions, split: str, seed: int
) -> tuple[Array, NDArray[np.int64]]:
    rng, images, block = np.random.default_rng(seed), np.empty_like(X), np.zeros(len(y), np.int64)
    for c in np.unique(y):
        own = np.flatnonzero(y == c)
        parts = blocks(X[own], math.ceil(len(own) / N_BLOCKS), split, rng)
        machines = [options.machine().fit(X[own][rows]) for rows in parts]
        found = np.stack([machine.transform(X[own]) for machine in machines])
        best = np.linalg.norm(X[own] - found, axis=2).argmin(0)
        images[own] = found[best, np.arange(len(own))]
        for number, rows in enumerate(parts):
            block[own[rows]] = number
    return images, block
