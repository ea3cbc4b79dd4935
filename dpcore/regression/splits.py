"""Splits of ε between A = Σxxᵀ (ε₁) and the linear part -2Σyx (ε₂), which are released separately."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.regression import sensitivity

__all__ = [
    "SPLITS",
    "budget_share",
    "equal",
    "error_optimal",
    "expected_noise_variance",
    "proportional",
    "variance_optimal",
]


def proportional(n_features: int) -> float:
    """Return ε₁/ε = (d+1)/(d+3), the split in proportion to the sensitivities in Jiang's slides.

    The sensitivities are Δ₁ = 2(d+1)² of A = Σxxᵀ and Δ₂ = 4(d+1) of -2Σyx, so Δ₁:Δ₂ = (d+1):2.
    """
    first, second = sensitivity.printed_quadratic(n_features), sensitivity.linear(n_features)
    return first / (first + second)


def equal(n_features: int) -> float:
    """Return ε₁/ε = 1/2, an equal split for any number of features."""
    _checks.integer("n_features", n_features, low=1)
    return 0.5


def variance_optimal(n_features: int) -> float:
    """Return the fraction ε₁/ε that minimises the total variance of all released noise.

    The variance is proportional to n₁Δ₁²/ε₁² + n₂Δ₂²/ε₂², for n₁ = (d+1)² entries of A and n₂ = d+1 entries of -2Σyx.
    Jiang's slides give the sensitivities Δ₁ = 2(d+1)² and Δ₂ = 4(d+1). The variance is smallest at ε₁:ε₂ =
    (n₁Δ₁²/(n₂Δ₂²))^{1/3} = (d+1)/4^{1/3}.

    Examples
    --------
    >>> round(variance_optimal(13), 5)
    0.89816
    """
    D = _checks.integer("n_features", n_features, low=1) + 1
    return _share(D / 4 ** (1 / 3))


def error_optimal(n_features: int, norm: float = 1.0, *, symmetrised: bool = False) -> float:
    """Return the fraction ε₁/ε that minimises the noise in the coefficients.

    The solution is θ = A⁻¹c with A = Σxxᵀ and c = Σyx. Noise δA on A and δc on c changes θ by about A⁻¹(δc - δA θ).
    For independent noise on all entries of A, the variance of an entry of δc - δA θ is proportional to ‖θ‖²Δ₁²/ε₁² +
    Δ₂²/(4ε₂²), with the sensitivities Δ₁ of A and Δ₂ of -2c. This variance is smallest at ε₁:ε₂ = (‖θ‖(d+1))^{2/3}.

    In fact only the symmetric part of δA matters, and its variance off the diagonal is half as large. The exact ratio
    is therefore (‖θ‖²(d+1)(d+2)/2)^{1/3}.

    Parameters
    ----------
    n_features : int
        Number d ≥ 1 of features.
    norm : float
        A public guess of ‖θ‖ > 0.
    symmetrised : bool
        Whether to use the second, exact ratio.

    Returns
    -------
    float
        The fraction ε₁/ε, in (0, 1).

    Examples
    --------
    >>> round(error_optimal(13), 4), round(error_optimal(13, symmetrised=True), 4)
    (0.8531, 0.8251)
    """
    D = _checks.integer("n_features", n_features, low=1) + 1
    size = _checks.number("norm", norm, low=0, open_low=True)
    weight = size**2 * D * (D + 1) / 2 if symmetrised else (size * D) ** 2
    return _share(weight ** (1 / 3))


def _share(ratio: float) -> float:
    return ratio / (1 + ratio)


SPLITS: dict[str, Callable[[int], float]] = {
    "proportional": proportional,
    "equal": equal,
    "variance": variance_optimal,
    "error": error_optimal,
}


def budget_share(split: Any, n_features: int) -> float:
    """Return the fraction ε₁/ε for a split that is given by a name or by the fraction itself.

    Names are "proportional", "equal", "variance" and "error".
    """
    if isinstance(split, str):
        return SPLITS[_checks.one_of("split", split, SPLITS)](n_features)
    return _checks.number("split", split, low=0, high=1, open_low=True, open_high=True)


def expected_noise_variance(
    share: ArrayLike, n_features: int, epsilon: float = 1.0, sensitivities: str = "printed"
) -> NDArray[np.float64]:
    """Return the total variance of all released noise, for fractions ε₁/ε.

    The variance is 2n₁(Δ₁/ε₁)² + 2n₂(Δ₂/ε₂)², for Laplace noise on n₁ = (d+1)² entries of A and n₂ = d+1 entries of
    -2Σyx.

    Parameters
    ----------
    share : array-like (any shape)
        Fractions ε₁/ε in (0, 1).
    n_features : int
        Number d ≥ 1 of features.
    epsilon : float
        Whole budget ε > 0.
    sensitivities : "printed" or "tight"
        Sensitivity Δ₁ = 2(d+1)² or (d+1)².

    Returns
    -------
    ndarray (any shape)
        Variances, in the shape of ``share``.

    Raises
    ------
    ValueError
        When a fraction is not inside (0, 1).
    """
    part = np.asarray(share, float)
    if not ((part > 0) & (part < 1)).all():
        raise ValueError(f"share={share!r} is not allowed: give numbers in (0, 1).")
    _checks.one_of("sensitivities", sensitivities, ("printed", "tight"))
    whole = _checks.number("epsilon", epsilon, low=0, open_low=True)
    printed = sensitivities == "printed"
    first = sensitivity.printed_quadratic if printed else sensitivity.quadratic
    D = n_features + 1
    quadratic = D**2 * (first(n_features) / part) ** 2
    return 2 * (quadratic + D * (sensitivity.linear(n_features) / (1 - part)) ** 2) / whole**2
