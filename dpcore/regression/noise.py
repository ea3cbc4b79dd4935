"""Unit noise of the three ways to release A = Σxxᵀ and c = Σyx, drawn once and scaled for every ε."""

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
    """Noise at scale 1: A + s·matrix and c + s·vector are released.

    Parameters
    ----------
    matrix : ndarray (draws, D, D)
        Symmetric.
    vector : ndarray (draws, D)
        Noise of the linear part.
    off_diagonal_sd : float
        Standard deviation of an entry of ``matrix`` off the diagonal: public, so repairs may use it.
    """

    matrix: NDArray[np.float64]
    vector: NDArray[np.float64]
    off_diagonal_sd: float


def laplace_scales(epsilon: ArrayLike) -> NDArray[np.float64]:
    """Return the scales s = 1/ε (n_eps,) of unit Laplace noise for ε ≥ 1e-12 (inf: 0)."""
    return 1.0 / epsilons(epsilon)


def gaussian_scales(epsilon: ArrayLike, delta: float) -> NDArray[np.float64]:
    """Return the scales s = σ(ε, δ) (n_eps,) of Gaussian noise at sensitivity 1 (inf: 0)."""
    return np.array([_unit_sigma(e, delta) for e in epsilons(epsilon).tolist()])


@lru_cache(maxsize=4096)
def _unit_sigma(epsilon: float, delta: float) -> float:
    return mechanisms.gaussian_sigma(1.0, epsilon, delta=delta)


def epsilons(epsilon: ArrayLike) -> NDArray[np.float64]:
    """Return the grid of ε as an array (n_eps,), or raise a ValueError."""
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
    """Return noise of two Laplace releases that share ε = ε₁ + ε₂, scale s = 1/ε.

    Every entry of A gets Lap(Δ₁/ε₁) of its own, every entry of -2c Lap(Δ₂/ε₂); only the symmetric
    part of A enters the objective, so off-diagonal noise is the mean of two draws.
    Δ₁ = 2D², Δ₂ = 4D as printed; Δ₁ = D² is the exact value ("tight").

    Parameters
    ----------
    n_features, n_draws : int
        d ≥ 1, and how many draws.
    rng : numpy.random.Generator
        Source of the draws.
    share : float
        ε₁/ε in (0, 1).
    sensitivities : "printed" or "tight"
        Formula of Δ₁.

    Returns
    -------
    UnitNoise
        ``matrix`` (n_draws, D, D), ``vector`` (n_draws, D).

    Notes
    -----
    ε-DP under replace_one, n public.
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
    """Return noise of one Laplace release of the distinct entries of A and c, scale s = 1/ε.

    Lap(Δ/ε), Δ = ((d+2)² + d)/2, on each of the D(D+1)/2 + D numbers; no split.

    Parameters
    ----------
    n_features, n_draws : int
        d ≥ 1, and how many draws.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    UnitNoise
        ``matrix`` (n_draws, D, D), ``vector`` (n_draws, D).

    Notes
    -----
    ε-DP, under add_remove as under replace_one: the two sensitivities are the same number.
    """
    reach = sensitivity.joint(_checks.integer("n_features", n_features, low=1))
    flat = reach * _draws.laplace(rng, (n_draws, _distinct(n_features + 1)))
    matrix, vector = _unpack(flat, n_features + 1)
    sd = math.sqrt(2) * reach
    return UnitNoise(matrix=matrix, vector=vector, off_diagonal_sd=sd)


def gaussian_noise(n_features: int, n_draws: int, rng: np.random.Generator) -> UnitNoise:
    """Return noise of one Gaussian release of svec(Σ z zᵀ), z = (1, x, y), scale s = σ(ε, δ).

    svec multiplies off-diagonal entries by √2, which makes its L2 norm the Frobenius norm:
    Δ₂ = √2(d+2). Entries of A off the diagonal and those of c get Δ₂/√2, the diagonal Δ₂.

    Parameters
    ----------
    n_features, n_draws : int
        d ≥ 1, and how many draws.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    UnitNoise
        ``matrix`` (n_draws, D, D), ``vector`` (n_draws, D).

    Notes
    -----
    (ε, δ)-DP under replace_one.
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
    """Return symmetric matrices (draws, D, D) and vectors (draws, D) from distinct entries."""
    place = np.empty((D, D), np.intp)
    upper = np.triu_indices(D)
    place[upper] = np.arange(len(upper[0]))
    place.T[upper] = place[upper]
    return flat[:, place], flat[:, len(upper[0]) :]
