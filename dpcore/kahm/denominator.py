"""Denominator Σh of a kernel affine hull machine, which may be zero at some points.

A machine maps a point to Σ h_i y_i / Σ h_i, a mean of the records y_i with weights h_i that depend on the point. The
published formula divides by Σh without proving that it is not zero.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpcore._types import Floats
from dpcore.kahm.hull import KAHM

__all__ = ["denominator_along", "least_denominator", "random_machine"]

_RADII = (1.0, 2.0, 4.0, 8.0, 16.0, 64.0)
_DIRECTIONS = 600


@lru_cache(maxsize=8)
def random_machine(seed: int, factor: float) -> KAHM:
    """Return a kernel affine hull machine of 5 to 40 random records with 1 to 3 features.

    The regularisation λ is the training error plus ``factor`` times the records' mean square.
    """
    rng = np.random.default_rng(seed)
    n_records, n_features = int(rng.integers(5, 41)), int(rng.integers(1, 4))
    return KAHM(n_features, tau_factor=factor).fit(rng.random((n_records, n_features)))


def _sums(model: KAHM, x: Floats) -> Floats:
    """Return the denominators Σh (m,) of a machine at m points, given by their principal components ``x`` (m, n).

    The kernel is scaled to a largest value of 1 at each point. This does not change the sign of Σh.
    """
    Z = model.scores_
    n = Z.shape[1]
    k = x @ Z.T / n - np.square(Z).sum(1) / (2 * n)
    return np.asarray(np.exp(k - k.max(1, keepdims=True)) @ model.alpha_)


def _directions(model: KAHM) -> Floats:
    directions = np.random.default_rng(0).normal(size=(_DIRECTIONS, model.scores_.shape[1]))
    return np.asarray(directions / np.linalg.norm(directions, axis=1, keepdims=True))


def least_denominator(model: KAHM) -> float:
    """Return the smallest denominator Σh of a machine at sampled points, up to 64 standard deviations away.

    The points lie in 600 directions. Σh is continuous, and positive at the records. If the result is negative, Σh is
    therefore zero somewhere between the records and the point with the negative value.
    """
    if (model.alpha_ > 0).all():
        return float(model.alpha_.min())
    x = (_directions(model)[None] * np.array(_RADII)[:, None, None]).reshape(
        -1, model.scores_.shape[1]
    )
    return float(_sums(model, x).min())


def denominator_along(model: KAHM, radius: float) -> float:
    """Return the denominator Σh of a machine at the distance ``radius`` from the mean of its records.

    ``radius`` is in standard deviations. The direction is the one in which Σh is smallest far away.
    """
    directions = _directions(model)
    worst = directions[_sums(model, directions * _RADII[-1]).argmin()]
    return float(_sums(model, worst[None] * radius)[0])
