"""Sensitivities of private least squares, with |x_j| ≤ 1, |y| ≤ 1 and x₀ = 1.

Neighbours differ in a replaced record unless another relation is named. There are d features, and D = d + 1 columns
with the intercept. Let u = z + z' and v = z - z' for two records z and z' of m coordinates. Then zzᵀ - z'z'ᵀ = (uvᵀ +
vuᵀ)/2 and |u_j| + |v_j| = 2 max(|z_j|, |z'_j|) ≤ 2. So the entrywise L1 norm is ‖zzᵀ - z'z'ᵀ‖₁ ≤ ‖u‖₁‖v‖₁ ≤ ((‖u‖₁ +
‖v‖₁)/2)² ≤ m².
"""

from __future__ import annotations

import math

from dpcore import _checks
from dpcore import sensitivity as general
from dpcore.guarantee import Neighbouring

__all__ = [
    "gradient_bound",
    "joint",
    "linear",
    "output",
    "printed_quadratic",
    "quadratic",
    "svec",
]


def _columns(n_features: int) -> int:
    return _checks.integer("n_features", n_features, low=1) + 1


def _replace(neighbouring: Neighbouring) -> bool:
    _checks.one_of("neighbouring", neighbouring, ("add_remove", "replace_one"))
    return neighbouring == "replace_one"


def printed_quadratic(n_features: int) -> float:
    """Return 2(d+1)², the L1 sensitivity of A = Σxxᵀ in Jiang's slides, twice the exact sensitivity."""
    return 2.0 * _columns(n_features) ** 2


def quadratic(n_features: int) -> float:
    """Return (d+1)², the exact L1 sensitivity of all entries of A = Σxxᵀ.

    The sensitivity is the same for both neighbouring relations.

    Parameters
    ----------
    n_features : int
        Number d ≥ 1 of features.

    Returns
    -------
    float
        The sensitivity.

    Examples
    --------
    >>> [quadratic(d) for d in (1, 2, 3)]
    [4.0, 9.0, 16.0]
    """
    # Add or remove: |x_j x_k| ≤ 1 in D² entries. Replace: the module's bound with m = D; reached at
    # even D by z, z' that agree in half of the corners' signs and differ in the others; at odd D
    # one coordinate goes from 1 to 0.
    return float(_columns(n_features) ** 2)


def linear(n_features: int, neighbouring: Neighbouring = "replace_one") -> float:
    """Return the exact L1 sensitivity of -2Σyx: 4(d+1) for replace_one, 2(d+1) for add_remove."""
    # |y x_j - y' x'_j| ≤ 2, reached in all entries at once by z' with y' = -y and x' = x.
    return (4.0 if _replace(neighbouring) else 2.0) * _columns(n_features)


def joint(n_features: int) -> float:
    """Return ((d+2)² + d)/2, the exact L1 sensitivity of the distinct entries of Σxxᵀ and Σyx.

    The sensitivity is the same for both neighbouring relations. Under add_remove n is not public. It is an entry of
    Σxxᵀ and gets noise like the other entries.

    Parameters
    ----------
    n_features : int
        Number d ≥ 1 of features.

    Returns
    -------
    float
        The sensitivity.

    Examples
    --------
    >>> [joint(d) for d in (1, 2, 3)]
    [5.0, 9.0, 14.0]
    """
    # z = (1, x, y) has m = d + 2 coordinates. Distinct entries = (all + diagonal)/2 and the entry y²
    # is not used: S = (‖zzᵀ - z'z'ᵀ‖₁ + Σ_j |x_j² - x'_j²| - |y² - y'²|)/2, the intercept's own entry
    # being constant. The first term is at most (d+2)², the second at most d.
    # Add or remove: D(D+1)/2 + D = (d+1)(d+2)/2 + (d+1) entries of at most 1.
    d = _columns(n_features) - 1
    return ((d + 2) ** 2 + d) / 2


def svec(n_features: int, neighbouring: Neighbouring = "replace_one") -> float:
    """Return the L2 sensitivity of svec(Σzzᵀ), z = (1, x, y): √2(d+2) for replace_one, d+2 for add_remove.

    svec lists the distinct entries of a symmetric matrix, off-diagonal ones times √2.

    Parameters
    ----------
    n_features : int
        Number d ≥ 1 of features.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the compared data sets.

    Returns
    -------
    float
        The sensitivity.

    Examples
    --------
    >>> svec(1, "add_remove")
    3.0
    """
    # ‖zzᵀ - z'z'ᵀ‖_F² = ‖z‖⁴ + ‖z'‖⁴ - 2(zᵀz')² ≤ 2(d+2)², with equality for orthogonal corners,
    # which exist when d + 2 is even.
    factor = math.sqrt(2) if _replace(neighbouring) else 1.0
    return factor * (_columns(n_features) + 1)


def gradient_bound(n_features: int, radius: float) -> float:
    """Return G = B(BR + 1) with B = √(d+1), a bound on the gradient norm of (xᵀθ - y)²/2 for ‖θ‖ ≤ R."""
    reach = math.sqrt(_columns(n_features))
    return reach * (reach * _checks.number("radius", radius, low=0, open_low=True) + 1)


def output(n_features: int, n_samples: int, ridge: float, radius: float = 1.0) -> float:
    """Return 2G/(nμ), the L2 sensitivity of ridge regression restricted to the ball ‖θ‖ ≤ R.

    The result of the regression is the minimiser of (1/n)Σ(xᵀθ - y)²/2 + μ‖θ‖²/2 over the ball. In the ball the
    objective is μ-strongly convex, and every loss is G-Lipschitz with G of `gradient_bound` (Chaudhuri, Monteleoni
    and Sarwate 2011).

    Parameters
    ----------
    n_features, n_samples : int
        Numbers d ≥ 1 of features and n ≥ 1 of records (public).
    ridge : float
        μ > 0.
    radius : float
        Public radius R > 0 of the ball.

    Returns
    -------
    float
        The sensitivity.

    Examples
    --------
    >>> output(3, 1000, 0.1)
    0.12
    """
    bound = gradient_bound(n_features, radius)
    _checks.number("ridge", ridge, low=0, open_low=True)
    return general.minimiser(bound, ridge, n_samples=n_samples, neighbouring="replace_one")
