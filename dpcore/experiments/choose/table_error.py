"""How far off a published count or mean is: for those who publish only tables."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks

__all__ = ["count_error", "mean_error"]

Floats = NDArray[np.float64]


def count_error(epsilons: ArrayLike, share: float = 0.5) -> Floats:
    """Return how far off a count is in so many cases at most: -ln(1 - share)/ε people, for ε (E,).

    Laplace noise of scale 1/ε; one record replaced moves a count by 1.

    Examples
    --------
    >>> count_error([1.0]).round(3).tolist()
    [0.693]
    """
    part = _checks.number("share", share, low=0, high=1, open_low=True, open_high=True)
    return cast(Floats, -np.log1p(-part) / np.asarray(epsilons, float))


def mean_error(epsilons: ArrayLike, n_samples: int, share: float = 0.5) -> Floats:
    """Return the same of a mean of n people as a share of its public range, for ε (E,): Δ = range/n.

    n = ``n_samples`` ≥ 1 is public.
    """
    n = _checks.integer("n_samples", n_samples, low=1)
    return count_error(epsilons, share) / n
