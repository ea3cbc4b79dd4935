"""Audits of the two private generators of pictures, each on its worst pair of neighbouring data sets.

The data sets of a pair differ in one picture, the canary. The code or the gradient of the canary has the largest norm
that clipping allows.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import accounting
from dpcore._random_state import SeededNoiseWarning, seed_sequence
from dpcore._types import RandomState
from dpcore._warnings import unwarned
from dpcore.audit.likelihood_ratios import clipped, step_evidence
from dpcore.audit.worlds import Worlds
from dpcore.autoencoder import statistics
from dpcore.autoencoder.generator import ClassGaussians
from dpcore.autoencoder.private_network import NetworkRecipe
from dpcore.guarantee import Guarantee

__all__ = ["WORLDS", "picture_gradient"]


Floats = NDArray[np.float64]

_D, _H, _N, _DELTA = 4, 2, 2, 1e-5

_BLACK, _WHITE = np.zeros((1, _D)), np.ones(_D)


def _recipe(q: float) -> NetworkRecipe:
    # C is so small that every gradient is clipped: the canary always contributes the full C.
    return NetworkRecipe(
        n_hidden=_H, clip_norm=1e-6, sample_rate=q, n_steps=3 if q == 1 else 10, learning_rate=1e-3,
        code_norm=0.5,
    )  # fmt: skip


@cache
def _noise(q: float) -> tuple[float, float]:
    return _recipe(q).noise(2.0, _DELTA)


@cache
def _claim(q: float) -> Guarantee:
    """Return the guarantee of the DP-SGD steps of `train_private` at sampling rate ``q``.

    The release of code sums after these steps is not included, because the attack does not use it.
    """
    recipe, step = _recipe(q), _noise(q)[0]
    epsilon = accounting.epsilon(
        noise_multiplier=step, sample_rate=q, n_steps=recipe.n_steps, delta=_DELTA
    )
    whole = recipe.guarantee(2.0, _DELTA, _noise(q))
    return Guarantee(
        epsilon=epsilon, delta=_DELTA, neighbouring="add_remove", status="proved",
        argument=whole.argument, parts=whole.parts[:1],
    )  # fmt: skip


def picture_gradient(weights: NDArray[np.floating[Any]], x: Floats, n_hidden: int) -> Floats:
    """Return the gradient (p,) of the mean squared error of one picture ``x``, for weights (p,).

    The gradient is computed independently of the compiled code, because the compiled code is audited.
    """
    d, h = len(x), n_hidden
    W1, b1, W2, b2 = np.split(np.asarray(weights, float), np.cumsum([d * h, h, h * d]))
    W1, W2 = W1.reshape(d, h), W2.reshape(h, d)
    before = x @ W1 + b1
    code = np.maximum(before, 0)
    out = 1 / (1 + np.exp(-(code @ W2 + b2)))
    slope = 2 / d * (out - x) * out * (1 - out)
    inner = (W2 @ slope) * (before > 0)
    return np.concatenate([np.outer(x, inner).ravel(), inner, np.outer(code, slope).ravel(), slope])


def _steps(q: float) -> Worlds:
    recipe = _recipe(q)

    def release(canary: bool, rng: np.random.Generator) -> float:
        from dpcore.autoencoder.private_network import train_steps

        X = np.vstack([_BLACK, _WHITE]) if canary else _BLACK
        seen: list[tuple[Any, Any]] = []
        train_steps(
            X.astype(np.float32), recipe, _noise(q)[0], _N, seed_sequence(rng),
            watch=lambda weights, sent: seen.append((weights, sent)),
        )  # fmt: skip
        reach = recipe.clip_norm
        mine, other = (
            clipped(np.array([picture_gradient(W, x, _H) for W, _ in seen]), reach)
            for x in (_WHITE, _BLACK[0])
        )
        return step_evidence(
            np.array([sent for _, sent in seen]), mine, [other],
            scale=_noise(q)[0] * recipe.clip_norm, sample_rate=q,
        )  # fmt: skip

    return Worlds(
        name=f"autoencoder by DP-SGD, q = {q:g}",
        neighbours="a black picture, or a white one more; add_remove, N = 2 declared",
        canary="its gradient is far longer than C at every step, and points away from the other's",
        score="log-likelihood ratio of all steps, over all lots that the secret coins allow",
        claim=lambda: _claim(q),
        release=release,
        threshold=0.0 if q == 1 else None,
        gaussian=q == 1,
    )


NETWORK_WORLDS: tuple[Worlds, ...] = (_steps(1.0), _steps(0.2))


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
    """Draw noisy class statistics with or without the canary; return the log-likelihood ratio of the draw.

    The ratio is ln p(statistics | canary in the data) - ln p(statistics | canary not in the data). The statistics are
    the sizes, sums and second moments of all classes.
    """
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
        a, b, s = (getattr(summary, name) for summary in (there, without, seen))
        total += float(((a - b) * (s - (a + b) / 2)).sum()) / scale**2
    return total


def _pictures(canary: bool, rng: np.random.Generator) -> float:
    """Fit `ClassGaussians`; return 300 times the inner product of the canary's code with the released class mean.

    The class of the canary has 300 other records. The mean of this class times 300 is therefore nearly the noisy sum
    of the codes in the class.
    """
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
