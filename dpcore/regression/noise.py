"""Unit noise for three ways to release A = Σxxᵀ and c = Σyx, drawn once and scaled for every ε."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks, _draws, mechanisms
from dpcore.regression import sensitivity

__all__ = [
    "UnitNoise",
    "functional_noise",
    "gaussian_noise",
    "gaussian_scales",
    "joint_noise",
    "laplace_scales",
]

SENSITIVITIES = ("printed", "tight")


@dataclass(frozen=True, kw_only=True, eq=False)
class UnitNoise:
    """Noise at scale 1 for a release of A = Σxxᵀ and c = Σyx.

    The release at scale s is A + s·matrix and c + s·vector.

    Parameters
    ----------
    matrix : ndarray (draws, D, D)
        Symmetric noise for A; D is the number of coefficients, intercept included.
    vector : ndarray (draws, D)
        Noise for c.
    off_diagonal_sd : float
        Standard deviation of an off-diagonal entry of ``matrix``. It is public, so repairs may use it.
    """

    matrix: NDArray[np.float64]
    vector: NDArray[np.float64]
    off_diagonal_sd: float


def laplace_scales(epsilon: ArrayLike) -> NDArray[np.float64]:
    """Return the scales s = 1/ε (n_eps,) of unit Laplace noise for ε ≥ 1e-12; 0 for ε = inf."""
    return 1.0 / epsilons(epsilon)


def gaussian_scales(epsilon: ArrayLike, delta: float) -> NDArray[np.float64]:
    """Return the scales s = σ(ε, δ) (n_eps,) of Gaussian noise at sensitivity 1; 0 for ε = inf."""
    return np.array([_unit_sigma(e, delta) for e in epsilons(epsilon).tolist()])


@lru_cache(maxsize=4096)
def _unit_sigma(epsilon: float, delta: float) -> float:
    return mechanisms.gaussian_sigma(1.0, epsilon, delta=delta)


def epsilons(epsilon: ArrayLike) -> NDArray[np.float64]:
    """Return values of ε as an array (n_eps,), or raise a ValueError if one is out of range."""
    grid = np.atleast_1d(np.asarray(epsilon, float))
    least = _checks.SMALLEST_EPSILON
    if grid.ndim != 1 or not (grid >= least).all():
        raise ValueError(f"epsilon={epsilon!r} is not allowed: give numbers in [{least:g}, inf].")
    return grid


def functional_noise(
    n_features: int,
    n_draws: int,
    rng: np.random.Generator,
    *,
    share: float,
    sensitivities: str = "printed",
) -> UnitNoise:
    """Draw unit noise for two Laplace releases: A = Σxxᵀ at ε₁, and -2c at ε₂.

    Here c = Σyx and ε = ε₁ + ε₂. Multiplied by the scale s = 1/ε, the unit noise becomes independent noise Lap(Δ₁/ε₁)
    on every entry of A and Lap(Δ₂/ε₂) on every entry of -2c. Only the symmetric part of A enters the objective, so
    off-diagonal noise is the mean of two variates. The slides of Jiang print the sensitivities Δ₁ = 2D² and Δ₂ = 4D.
    The exact Δ₁ is D² ("tight").

    Parameters
    ----------
    n_features, n_draws : int
        Number d ≥ 1 of features (D = d + 1), and number of draws.
    rng : numpy.random.Generator
        Source of the draws.
    share : float
        Fraction ε₁/ε in (0, 1) of the budget.
    sensitivities : "printed" or "tight"
        Formula of Δ₁.

    Returns
    -------
    UnitNoise
        ``matrix`` (n_draws, D, D), ``vector`` (n_draws, D).

    Notes
    -----
    A release with this noise is ε-DP under replace_one with n public.
    """
    D = _checks.integer("n_features", n_features, low=1) + 1
    part = _checks.number("share", share, low=0, high=1, open_low=True, open_high=True)
    _checks.one_of("sensitivities", sensitivities, SENSITIVITIES)
    printed = sensitivities == "printed"
    first = sensitivity.printed_quadratic(D - 1) if printed else sensitivity.quadratic(D - 1)
    quadratic = first / part
    linear = sensitivity.linear(D - 1) / (1 - part) / 2
    full = quadratic * _draws.laplace(rng, (n_draws, D, D))
    return UnitNoise(
        matrix=(full + full.transpose(0, 2, 1)) / 2,
        vector=linear * _draws.laplace(rng, (n_draws, D)),
        off_diagonal_sd=quadratic,
    )


def joint_noise(n_features: int, n_draws: int, rng: np.random.Generator) -> UnitNoise:
    """Draw unit noise for one Laplace release of A = Σxxᵀ and c = Σyx together.

    Multiplied by the scale s = 1/ε, the unit noise is Lap(Δ/ε) on each of the D(D+1)/2 + D distinct entries. The L1
    sensitivity of these entries is Δ = ((d+2)² + d)/2. The budget is not split.

    Parameters
    ----------
    n_features, n_draws : int
        Number d ≥ 1 of features (D = d + 1), and number of draws.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    UnitNoise
        ``matrix`` (n_draws, D, D), ``vector`` (n_draws, D).

    Notes
    -----
    A release with this noise is ε-DP under add_remove and under replace_one, because both relations have the same
    sensitivity.
    """
    reach = sensitivity.joint(_checks.integer("n_features", n_features, low=1))
    flat = reach * _draws.laplace(rng, (n_draws, _distinct(n_features + 1)))
    matrix, vector = _unpack(flat, n_features + 1)
    sd = math.sqrt(2) * reach
    return UnitNoise(matrix=matrix, vector=vector, off_diagonal_sd=sd)


def gaussian_noise(n_features: int, n_draws: int, rng: np.random.Generator) -> UnitNoise:
    """Draw unit noise, to be scaled by s = σ(ε, δ), for one Gaussian release of svec(Σ z zᵀ) with z = (1, x, y).

    svec lists the distinct entries of a symmetric matrix and multiplies off-diagonal ones by √2, so that its L2 norm
    is the Frobenius norm. The L2 sensitivity is Δ₂ = √2(d+2). Σ z zᵀ contains A = Σxxᵀ and c = Σyx, where x includes
    the intercept. The standard deviation of the unit noise is Δ₂/√2 on off-diagonal entries of A and on c, and Δ₂ on
    the diagonal of A.

    Parameters
    ----------
    n_features, n_draws : int
        Number d ≥ 1 of features (D = d + 1), and number of draws.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    UnitNoise
        ``matrix`` (n_draws, D, D), ``vector`` (n_draws, D).

    Notes
    -----
    A release with this noise is (ε, δ)-DP under replace_one.
    """
    reach = sensitivity.svec(_checks.integer("n_features", n_features, low=1))
    off = reach / math.sqrt(2)
    flat = off * _draws.normal(rng, (n_draws, _distinct(n_features + 1)))
    matrix, vector = _unpack(flat, n_features + 1)
    diagonal = np.arange(n_features + 1)
    matrix[:, diagonal, diagonal] *= math.sqrt(2)
    return UnitNoise(matrix=matrix, vector=vector, off_diagonal_sd=off)


def _distinct(D: int) -> int:
    return D * (D + 1) // 2 + D


def _unpack(flat: NDArray[np.float64], D: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return symmetric matrices (draws, D, D) and vectors (draws, D), from their distinct entries.

    A row of ``flat`` holds the upper triangle of a matrix, then a vector.
    """
    place = np.empty((D, D), np.intp)
    upper = np.triu_indices(D)
    place[upper] = np.arange(len(upper[0]))
    place.T[upper] = place[upper]
    return flat[:, place], flat[:, len(upper[0]) :]
