"""What is left of a budget: several releases a year, for years, about people who are in several tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._memo import ACCOUNTS
from dpcore.mechanisms import gaussian_sigma
from dpcore.mechanisms.calibration import gaussian_epsilons

__all__ = ["RELEASES_GRID", "TABLES_GRID", "YEARS_GRID", "each_may_cost", "together", "unit_sigmas"]

Floats = NDArray[np.float64]
RELEASES_GRID: tuple[int, ...] = (1, 2, 4, 12, 52)
YEARS_GRID: tuple[int, ...] = (1, 2, 3, 5, 10)
TABLES_GRID: tuple[int, ...] = (1, 2, 3, 5)


def together(epsilons: ArrayLike, delta: float, n_releases: ArrayLike) -> Floats:
    """Return the ε at δ of k releases that cost (ε, δ) each: (..., E) for ε (E,), k (...).

    For Gaussian releases, exactly: k of them with noise σ are one with noise σ/√k.

    Examples
    --------
    >>> together([1.0], 1e-5, 1).round(6).tolist(), together([1.0], 1e-5, 12).round(2).tolist()
    ([1.0], [4.02])
    """
    return gaussian_epsilons(unit_sigmas(epsilons, delta) / _root(n_releases), delta)


def each_may_cost(epsilons: ArrayLike, delta: float, n_releases: ArrayLike) -> Floats:
    """Return the ε at δ that each of k Gaussian releases may cost so that all together cost (ε, δ).

    Examples
    --------
    >>> each_may_cost(together([1.0], 1e-5, 12), 1e-5, 12).round(6).tolist()
    [1.0]
    """
    return gaussian_epsilons(unit_sigmas(epsilons, delta) * _root(n_releases), delta)


def unit_sigmas(epsilons: ArrayLike, delta: float) -> Floats:
    """Return the smallest Gaussian noise with (ε, δ) at sensitivity 1, for ε (E,); not to be changed."""
    return _unit_sigmas(tuple(map(float, np.ravel(epsilons))), delta)


@ACCOUNTS.of
def _unit_sigmas(epsilons: tuple[float, ...], delta: float) -> Floats:
    return np.array([gaussian_sigma(1.0, epsilon, delta) for epsilon in epsilons])


def _root(n_releases: ArrayLike) -> Floats:
    return np.asarray(np.sqrt(np.asarray(n_releases, float))[..., None])
