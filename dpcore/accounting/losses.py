"""The privacy loss distribution of one event, on a grid, from above.

The outputs of the two worlds are cut where the loss passes a point of the grid. What lies between two
points is moved onto them such that its probability in both worlds stays: that is "connect the dots"
(Doroshenko et al. 2022), dominates the true pair, and errs by the square of the width. The mass above
the grid counts as an infinite loss, that below as the least one.

From the probabilities of the cells themselves, not from differences of δ(ε) as in dp-accounting: fine
grids then neither lose digits nor take a call for each point.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

__all__ = ["coin", "gaussian", "laplace", "replaced_gaussian"]

Array = NDArray[np.float64]
_Cells = Callable[[Array], Any]
_FAR = 10.0  # standard deviations: 10⁻²³ of the mass lies beyond


def gaussian(noise_multiplier: float, sample_rate: float, width: float) -> Any:
    """Return the distribution of Gaussian noise on a Poisson sample, one record added or removed.

    Parameters
    ----------
    noise_multiplier : float
        σ > 0.
    sample_rate : float
        q in (0, 1].
    width : float
        Of the grid of losses.
    """
    sigma = noise_multiplier

    def loss(x: float) -> float:
        return float(_sampled((x - 0.5) / sigma**2, sample_rate))

    def place(losses: Array) -> Array:
        return 0.5 + sigma**2 * _unsampled(losses, sample_rate)

    low, high = loss(-_FAR * sigma), loss(1 + _FAR * sigma)
    there, base = _normal(1.0, sigma), _normal(0.0, sigma)
    return _pair(place, _mixed(there, base, sample_rate), base, (low, high), width)


def replaced_gaussian(noise_multiplier: float, sample_rate: float, width: float) -> Any:
    """Return the distribution of Gaussian noise on a Poisson sample, one record replaced.

    For (1 - q)N(0) + qN(1) against (1 - q)N(0) + qN(-1): ``docs/poisson_replace_one.md`` proves
    that no two gradients do worse. Parameters as in `gaussian`.
    """
    sigma, rate = noise_multiplier, sample_rate
    if rate == 1:
        return gaussian(sigma / 2, 1.0, width)

    def place(losses: Array) -> Array:
        # sinh(x/σ² - l/2) = (1 - q)/q e^{1/(2σ²)} sinh(l/2)
        size = np.abs(losses) / 2
        with np.errstate(divide="ignore"):
            log_sinh = size + np.log(-np.expm1(-2 * size)) - math.log(2)
        log_right = log_sinh + 0.5 / sigma**2 + math.log1p(-rate) - math.log(rate)
        small = np.arcsinh(np.exp(np.minimum(log_right, 20.0)))
        right = np.where(log_right > 20, log_right + math.log(2), small)
        return sigma**2 * np.copysign(right + size, losses)

    far = 1 + _FAR * sigma
    logs = [float(_sampled((m * far - 0.5) / sigma**2, rate)) for m in (1, -1)]
    high = logs[0] - logs[1]
    base = _normal(0.0, sigma)
    one, other = (_mixed(_normal(m, sigma), base, rate) for m in (1.0, -1.0))
    return _pair(place, one, other, (-high, high), width, symmetric=True)


def laplace(noise_multiplier: float, sample_rate: float, width: float) -> Any:
    """Return the distribution of Laplace noise on a Poisson sample, one record added or removed.

    Parameters
    ----------
    noise_multiplier : float
        Scale b > 0 over the sensitivity.
    sample_rate : float
        q in (0, 1].
    width : float
        Of the grid of losses.
    """
    scale = noise_multiplier
    low, high = (float(_sampled(loss, sample_rate)) for loss in (-1 / scale, 1 / scale))

    def place(losses: Array) -> Array:
        x = (1 + scale * _unsampled(losses, sample_rate)) / 2
        return np.where(losses < low, -math.inf, np.where(losses >= high, math.inf, x))

    there, base = _double_exponential(1.0, scale), _double_exponential(0.0, scale)
    return _pair(place, _mixed(there, base, sample_rate), base, (low, high), width)


def coin(epsilon: float, width: float) -> Any:
    """Return the distribution of binary randomized response, the worst of all ε-DP mechanisms."""

    def place(losses: Array) -> Array:
        return np.where(losses < -epsilon, -math.inf, np.where(losses >= epsilon, math.inf, 0.0))

    def cells(log_right: float) -> _Cells:
        right = math.exp(log_right)
        return lambda x: np.diff(np.where(x < 0, 0.0, np.where(x > 0, 1.0, 1 - right)))

    likely, rare = -math.log1p(math.exp(-epsilon)), -np.logaddexp(0.0, epsilon)
    return _pair(place, cells(likely), cells(rare), (-epsilon, epsilon), width, symmetric=True)


def _sampled(loss: Any, rate: float) -> Any:
    """ln(1 - q + q e^l), for any size of l."""
    if rate == 1:
        return loss
    return np.logaddexp(math.log1p(-rate), math.log(rate) + loss)


def _unsampled(losses: Array, rate: float) -> Array:
    """The l of `_sampled`; -inf where there is none."""
    if rate == 1:
        return losses
    with np.errstate(divide="ignore", invalid="ignore"):
        small = np.log1p(np.expm1(np.minimum(losses, 1.0)) / rate)
        large = losses - math.log(rate) + np.log1p(-(1 - rate) * np.exp(-losses))
    found = np.where(losses < 1, small, large)
    return np.where(losses <= math.log1p(-rate), -math.inf, found)


def _normal(mean: float, sigma: float) -> _Cells:
    return lambda x: _between((x - mean) / sigma, ndtr)


def _double_exponential(mean: float, scale: float) -> _Cells:
    def left(z: Array) -> Array:
        return np.where(z < 0, np.exp(np.minimum(z, 0)) / 2, 1 - np.exp(-np.maximum(z, 0)) / 2)

    return lambda x: _between((x - mean) / scale, left)


def _between(z: Array, left: Callable[[Array], Array]) -> Array:
    """The mass between neighbouring places, from the nearer tail of a symmetric distribution."""
    return np.where(z[:-1] > 0, -np.diff(left(-z)), np.diff(left(z)))


def _mixed(there: _Cells, base: _Cells, rate: float) -> _Cells:
    return there if rate == 1 else lambda x: rate * there(x) + (1 - rate) * base(x)


def _pair(
    place: Callable[[Array], Array],
    first: _Cells,
    second: _Cells,
    reach: tuple[float, float],
    width: float,
    *,
    symmetric: bool = False,
) -> Any:
    """The distribution of ln(first/second), which rises with the output, in both orders."""
    from dp_accounting.pld import privacy_loss_distribution as library

    # Strictly beyond the ends, where there may be atoms: rounding must not put one above the grid.
    low, high = math.ceil(reach[0] / width) - 1, math.floor(reach[1] / width) + 1
    edges = np.concatenate(
        [[-math.inf], place(np.arange(low, high + 1, dtype=float) * width), [math.inf]]
    )
    one, other = first(edges), second(edges)
    forth = _on_grid(one, other, low, width)
    if symmetric:
        return library.PrivacyLossDistribution(forth)
    return library.PrivacyLossDistribution(forth, _on_grid(other[::-1], one[::-1], -high, width))


def _on_grid(one: Array, other: Array, low: int, width: float) -> Any:
    """Losses of cells with these probabilities; the first and the last are below and above the grid."""
    from dp_accounting.pld import pld_pmf

    inside: Array = one[1:-1]
    losses = (low + np.arange(len(inside))) * width
    upper = (inside - np.exp(losses) * other[1:-1]) / -math.expm1(-width)
    upper = np.minimum(np.maximum(upper, 0.0), inside)
    found = np.zeros(len(inside) + 1)
    found[0] = one[0]
    found[:-1] += inside - upper
    found[1:] += upper
    return pld_pmf.DensePLDPmf(width, low, found, float(one[-1]), True)
