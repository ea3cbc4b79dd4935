"""The worst neighbours of the private generator, a picture whose code has the clipping norm; and its rival's."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore._chance import SeededNoiseWarning
from dpcore._types import RandomState
from dpcore._warnings import unwarned
from dpcore.audit.worlds import Worlds
from dpcore.autoencoder import statistics
from dpcore.autoencoder.generator import ClassGaussians
from dpcore.autoencoder.network_worlds import WORLDS as NETWORK_WORLDS

__all__ = ["WORLDS"]

_CLIP, _SIDE = 0.5, 2
_REST = np.zeros((2, _SIDE * _SIDE))
_PICTURE = np.ones((1, _SIDE * _SIDE))


def _model(**settings: Any) -> ClassGaussians:
    return ClassGaussians(
        epsilon=2.0, clip_norm=_CLIP, n_frequencies=_SIDE, classes=(0, 1), **settings
    )


def _fitted(canary: bool, random_state: RandomState, rest: int = 1) -> ClassGaussians:
    X, y = np.repeat(_REST, rest, axis=0), np.repeat([0, 1], rest)
    if canary:
        X, y = np.vstack([X, _PICTURE]), np.append(y, 1)
    with unwarned(SeededNoiseWarning):
        return _model(random_state=random_state).fit(X, y)


def _codes(canary: bool) -> np.ndarray:
    basis = statistics.cosine_basis((_SIDE, _SIDE), _SIDE)
    X = np.vstack([_REST, _PICTURE]) if canary else _REST
    return statistics.clip_codes((X @ basis.T).astype(np.float32), _CLIP)


def _noisy_statistics(canary: bool, rng: np.random.Generator) -> float:
    """Log-likelihood ratio of sizes, sums and moments as they go out, before they are repaired."""
    model = _model()
    scales = statistics.noise_scales(model.epsilon, model.delta, _CLIP)
    there, without = (
        statistics.summarise(_codes(world), np.array([0, 1, 1][: 2 + world]), 2)
        for world in (True, False)
    )
    unit = statistics.draw_unit(2, _SIDE * _SIDE, rng)
    seen = statistics.add_noise(there if canary else without, unit, scales)
    total = 0.0
    for name, scale in zip(("sizes", "sums", "moments"), scales, strict=True):
        a, b, s = (getattr(found, name) for found in (there, without, seen))
        total += float(((a - b) * (s - (a + b) / 2)).sum()) / scale**2
    return total


def _pictures(canary: bool, rng: np.random.Generator) -> float:
    """The released mean of the canary's class, along the canary: so many others that its size is sure."""
    means = _fitted(canary, rng, rest=300).released_.means[1]
    code = _codes(True)[-1]
    return float(means @ code) * 300


WORLDS: tuple[Worlds, ...] = (
    Worlds(
        name="ClassGaussians, statistics",
        neighbours="two black pictures, or a white one more; add_remove",
        canary="its code has the clipping norm: it moves size, sums and moments as far as allowed",
        score="log-likelihood ratio of the noisy statistics",
        claim=lambda: _fitted(False, None).privacy_,
        release=_noisy_statistics,
        threshold=0.0,
        gaussian=True,
    ),
    Worlds(
        name="ClassGaussians, released means",
        neighbours="600 black pictures, or a white one more; add_remove",
        canary="its code has the clipping norm, all others are 0",
        score="the released mean of its class, along its code",
        claim=lambda: _fitted(False, None).privacy_,
        release=_pictures,
        threshold=_CLIP**2 / 2,
        gaussian=True,
    ),
    *NETWORK_WORLDS,
)
