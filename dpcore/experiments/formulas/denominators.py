"""The denominator Σhⁱ of kernel affine hull machines of random sets, which may vanish."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpcore._types import Floats
from dpcore.kahm import KAHM

__all__ = ["along", "least", "machine"]

_RADII = (1.0, 2.0, 4.0, 8.0, 16.0, 64.0)
_DIRECTIONS = 600


@lru_cache(maxsize=8)
def machine(seed: int, factor: float) -> KAHM:
    """Return the machine of 5 to 40 random records of 1 to 3 features; λ: training error + factor · mean square."""
    rng = np.random.default_rng(seed)
    n_records, n_features = int(rng.integers(5, 41)), int(rng.integers(1, 4))
    return KAHM(n_features, tau_factor=factor).fit(rng.random((n_records, n_features)))


def _sums(model: KAHM, x: Floats) -> Floats:
    """Σh at encoded places (m, n), with the kernel scaled so that its largest value is 1 at each place."""
    Z = model.scores_
    n = Z.shape[1]
    k = x @ Z.T / n - np.square(Z).sum(1) / (2 * n)
    return np.asarray(np.exp(k - k.max(1, keepdims=True)) @ model.alpha_)


def _directions(model: KAHM) -> Floats:
    found = np.random.default_rng(0).normal(size=(_DIRECTIONS, model.scores_.shape[1]))
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True))


def least(model: KAHM) -> float:
    """Return the least Σh over points in 600 directions, up to 64 standard deviations away.

    Σh is continuous and positive among the records: where it is negative somewhere, it vanishes on the way there.
    """
    if (model.alpha_ > 0).all():
        return float(model.alpha_.min())
    x = (_directions(model)[None] * np.array(_RADII)[:, None, None]).reshape(
        -1, model.scores_.shape[1]
    )
    return float(_sums(model, x).min())


def along(model: KAHM, radius: float) -> float:
    """Return Σh at so many standard deviations in the direction in which it falls furthest."""
    directions = _directions(model)
    worst = directions[_sums(model, directions * _RADII[-1]).argmin()]
    return float(_sums(model, worst[None] * radius)[0])
