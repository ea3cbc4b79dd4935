"""Calibration of Laplace and Gaussian noise to (ε, δ), by exact and by classical formulas."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_ndtr, ndtr

from dpcore import _checks, _draws
from dpcore._types import Floats

__all__ = [
    "add_gaussian",
    "add_laplace",
    "gaussian_delta",
    "gaussian_epsilon",
    "gaussian_epsilons",
    "gaussian_sigma",
    "laplace_scale",
]


def laplace_scale(sensitivity: float, epsilon: float) -> float:
    """Return the scale b = Δ₁/ε at which Laplace noise is ε-DP (Dwork et al. 2006).

    Parameters
    ----------
    sensitivity : float
        Δ₁ ≥ 0 in the L1 norm, under the neighbouring relation of the guarantee.
    epsilon : float
        ε > 0; inf gives 0.

    Returns
    -------
    float
        Scale b ≥ 0. It equals the mean absolute noise. The standard deviation is √2 b.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    See Also
    --------
    Laplace, gaussian_sigma

    References
    ----------
    C. Dwork, F. McSherry, K. Nissim and A. Smith, "Calibrating noise to sensitivity in private data
    analysis", TCC, 2006.

    Examples
    --------
    >>> laplace_scale(1.0, 0.5)
    2.0
    """
    return _checks.number("sensitivity", sensitivity, low=0) / _checks.epsilon(epsilon)


def gaussian_delta(sigma: float, sensitivity: float, *, epsilon: float) -> float:
    """Return δ(ε), the exact δ at which Gaussian noise is (ε, δ)-DP, for any ε ≥ 0.

    δ = Φ(Δ/(2σ) - εσ/Δ) - e^ε Φ(-Δ/(2σ) - εσ/Δ), with the sensitivity Δ and the standard normal distribution
    function Φ (Balle and Wang 2018, Theorem 8).

    Parameters
    ----------
    sigma : float
        σ > 0, standard deviation of the noise.
    sensitivity : float
        Δ₂ ≥ 0 in the L2 norm.
    epsilon : float
        ε ≥ 0.

    Returns
    -------
    float
        δ in [0, 1].

    See Also
    --------
    gaussian_epsilon, gaussian_sigma

    References
    ----------
    B. Balle and Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy: analytical
    calibration and optimal denoising", ICML, 2018.

    Examples
    --------
    >>> round(gaussian_delta(3.730632, 1.0, epsilon=1.0), 10)
    1e-05
    """
    s = _checks.number("sigma", sigma, low=0, open_low=True)
    reach = _checks.number("sensitivity", sensitivity, low=0)
    eps = _checks.number("epsilon", epsilon, low=0)
    return _delta_of(s / reach, eps) if reach else 0.0


def _delta_of(sigma: float, epsilon: float) -> float:
    """Return δ(ε) of Gaussian noise at sensitivity 1, without argument checks."""
    a, b = 0.5 / sigma, epsilon * sigma
    return float(max(ndtr(a - b) - math.exp(min(epsilon + log_ndtr(-a - b), 0.0)), 0.0))


def gaussian_epsilon(sigma: float, sensitivity: float, *, delta: float) -> float:
    """Return the smallest ε at which Gaussian noise is (ε, δ)-DP: the inverse of `gaussian_delta`.

    Parameters
    ----------
    sigma : float
        σ > 0, standard deviation of the noise.
    sensitivity : float
        Δ₂ ≥ 0 in the L2 norm.
    delta : float
        δ in (0, 1).

    Returns
    -------
    float
        ε ≥ 0.

    See Also
    --------
    gaussian_delta, gaussian_epsilons

    References
    ----------
    B. Balle and Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy: analytical
    calibration and optimal denoising", ICML, 2018.
    """
    d = _checks.delta(delta)
    if gaussian_delta(sigma, sensitivity, epsilon=0.0) <= d:
        return 0.0
    high = 1.0
    while gaussian_delta(sigma, sensitivity, epsilon=high) > d:
        high *= 2
    return _bisect(lambda eps: gaussian_delta(sigma, sensitivity, epsilon=eps) <= d, 0.0, high)


def gaussian_epsilons(sigma: ArrayLike, delta: ArrayLike) -> NDArray[np.float64]:
    """Return the ε of Gaussian noise at sensitivity 1, for arrays of σ and δ.

    σ > 0 and δ in (0, 1) are broadcast to the shape of the result. Each entry equals the result of
    `gaussian_epsilon`.

    See Also
    --------
    gaussian_epsilon
    """
    s, d = np.broadcast_arrays(np.asarray(sigma, float), np.asarray(delta, float))
    low, high = np.zeros(s.shape), 1 / (2 * np.square(s)) + np.sqrt(-2 * np.log(d)) / s + 1e-12
    for _ in range(60):
        middle = (low + high) / 2
        a, b = 0.5 / s, middle * s
        holds = ndtr(a - b) - np.exp(np.minimum(middle + log_ndtr(-a - b), 0.0)) <= d
        low, high = np.where(holds, low, middle), np.where(holds, middle, high)
    return cast(Floats, high)


def gaussian_sigma(
    sensitivity: float, epsilon: float, *, delta: float, calibration: str = "analytic"
) -> float:
    """Return the standard deviation σ at which Gaussian noise is (ε, δ)-DP.

    "analytic": the smallest such σ, for every ε (Balle and Wang 2018, Algorithm 1).
    "classical": σ = Δ₂ √(2 ln(1.25/δ))/ε (Dwork and Roth 2014, Theorem A.1), proved for ε < 1 only.

    Parameters
    ----------
    sensitivity : float
        Δ₂ ≥ 0 in the L2 norm, under the neighbouring relation of the guarantee.
    epsilon : float
        ε > 0; inf gives 0.
    delta : float
        δ in (0, 1).
    calibration : "analytic" or "classical"
        Formula of σ.

    Returns
    -------
    float
        σ ≥ 0, standard deviation of the noise.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    See Also
    --------
    gaussian_delta, gaussian_epsilon, Gaussian

    References
    ----------
    B. Balle and Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy: analytical
    calibration and optimal denoising", ICML, 2018.
    C. Dwork and A. Roth, "The algorithmic foundations of differential privacy", Foundations and
    Trends in Theoretical Computer Science 9(3-4), 2014.

    Examples
    --------
    >>> round(gaussian_sigma(1.0, 1.0, delta=1e-5), 6)
    3.730632
    """
    reach = _checks.number("sensitivity", sensitivity, low=0)
    eps, d = _checks.epsilon(epsilon), _checks.delta(delta)
    _checks.one_of("calibration", calibration, ("analytic", "classical"))
    if reach == 0 or math.isinf(eps):
        return 0.0
    if calibration == "classical":
        return reach * math.sqrt(2 * math.log(1.25 / d)) / eps
    low = high = 1.0
    while _delta_of(high, eps) > d:
        high *= 2
    while _delta_of(low, eps) <= d:
        low /= 2
    return reach * _bisect(lambda s: _delta_of(s, eps) <= d, low, high)


def _bisect(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Return the smallest value in an interval for which the monotone predicate ``holds`` is True, by bisection.

    The result is rounded to a value for which ``holds`` is True.
    """
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
        if middle in (low, high) and high - low <= 2 * math.ulp(high):
            break
    return high


def add_laplace(
    values: ArrayLike, scale: float, *, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return values (any shape) plus Laplace noise of scale ``scale``, drawn from ``rng``.

    See Also
    --------
    laplace_scale, add_gaussian
    """
    values = np.asarray(values, float)
    return values + _checks.number("scale", scale, low=0) * _draws.laplace(rng, values.shape)


def add_gaussian(
    values: ArrayLike, sigma: float, *, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return values (any shape) plus Gaussian noise of standard deviation ``sigma``, drawn from ``rng``.

    See Also
    --------
    gaussian_sigma, add_laplace
    """
    values = np.asarray(values, float)
    return values + _checks.number("sigma", sigma, low=0) * _draws.normal(rng, values.shape)
