"""Audit of the DP-SGD of the convolutional network, on its worst pair of neighbouring data sets.

The data sets differ in one picture. The gradient of this picture is longer than the clip norm at any weights.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore.audit.likelihood_ratios import clipped, step_evidence
from dpcore.audit.worlds import Worlds
from dpcore.guarantee import Guarantee
from dpcore.network.architecture import ConvNet, Convolution
from dpcore.network.clipping import gradients
from dpcore.network.train import Recipe, descend, training_guarantee

__all__ = ["WORLDS"]

_NETWORK = ConvNet(4, Convolution(1, 2, 1), Convolution(2, 1, 1), hidden=2, n_classes=2)
_DELTA, _N = 1e-5, 3  # N is declared: the number that steps are divided by
# Two black pictures, and a bright one of the other class: the slope at the last bias alone is about 0.7.
_X = np.vstack([np.zeros((2, 16)), np.linspace(0.5, 1, 16)[None]]).astype(np.float32)
_Y = np.array([0, 0, 1])


def _recipe(q: float) -> Recipe:
    return Recipe(
        clip_norm=0.25, noise_multiplier=0.9 if q == 1 else 1.6, sample_rate=q,
        n_steps=2 if q == 1 else 3, learning_rate=0.01,
    )  # fmt: skip


@cache
def _claim(q: float) -> Guarantee:
    return training_guarantee(_recipe(q), _DELTA, expected_n=_N, n_weights=_NETWORK.n_weights)


def _trained(canary: bool, rng: np.random.Generator, recipe: Recipe) -> NDArray[np.float64]:
    """Train with or without the canary; return the weights (T + 1, n_weights) before each step and at the end.

    Both trainings use the same random lots (Poisson-sampled batches), with the canary removed from them if it is not
    in the data.
    """
    streams = sgd.Streams.spawned(np.random.SeedSequence(rng.integers(2**32, size=8).tolist()))
    run = descend(
        _NETWORK, _X, y=_Y, recipe=recipe, streams=streams, expected_n=_N, snapshots=range(recipe.n_steps + 1),
        without=None if canary else 2,
    )  # fmt: skip
    return np.array([weights for _, weights in run], float)


def _steps(q: float) -> Worlds:
    recipe = _recipe(q)

    def _release(canary: bool, rng: np.random.Generator) -> float:
        C, W = recipe.clip_norm or 0.0, _trained(canary, rng, recipe)
        seen = -np.diff(W, axis=0) * (q * _N / recipe.learning_rate)
        each = np.stack(
            [gradients(_NETWORK, w.astype(np.float32), X=_X, y=_Y) for w in W[:-1]], axis=1
        )
        first, second, mine = (clipped(g, C) for g in each)
        scale = recipe.noise_multiplier * C
        return step_evidence(seen, mine, [first, second], scale=scale, sample_rate=q)

    return Worlds(
        name=f"convolutional network, q = {q:g}",
        neighbours="two black pictures, or a bright one of the other class more; add_remove, N = 3 declared",
        canary="its gradient is longer than the clipping norm whatever the weights are",
        score="log-likelihood ratio of all steps, over all lots that the secret coins allow",
        claim=lambda: _claim(q),
        release=_release,
        threshold=0.0 if q == 1 else None,
        gaussian=q == 1,
    )


WORLDS: tuple[Worlds, ...] = (_steps(1.0), _steps(0.5))
