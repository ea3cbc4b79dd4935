"""Privacy loss distribution of one event on a grid of losses, for upper or lower bounds on the cost of the event.

The outputs are partitioned into cells. The edges of the cells are the outputs whose loss is a grid point.
`from_above` distributes the mass of a cell between the two grid points at its edges, such that the probability of the
cell under each data set is preserved ("connect the dots", Doroshenko et al. 2022). The resulting distribution
dominates the true one, with an error of second order in the width of the grid. Mass above the grid counts as an
infinite loss, and mass below the grid as the smallest loss of the grid.

This module computes the masses from the probabilities of the cells. In contrast, dp-accounting computes them from
differences of δ(ε), which loses digits on fine grids and needs one call for each grid point.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

__all__ = [
    "Pair",
    "discrete",
    "discrete_from_below",
    "from_above",
    "from_below",
    "gaussian",
    "laplace",
    "replaced_gaussian",
]

Array = NDArray[np.float64]
_Cells = Callable[[Array], Any]
_RAISED = (
    0.02  # of a width: so much the ends of cells lie above the middle, against the curvature inside
)
_FAR = 10.0  # standard deviations: 10⁻²³ of the mass lies beyond


class Pair(NamedTuple):
    """Pair of output distributions on two neighbouring data sets; the privacy loss increases with the output.

    - ``place`` maps a loss to the output that has this loss.
    - ``first`` and ``second`` map the increasing edges of cells of outputs to the probabilities of the cells under
      the first and under the second data set.
    - ``reach`` holds the smallest and the largest loss.
    - ``symmetric`` is True if exchanging the data sets leaves the loss distribution unchanged.
    """

    place: Callable[[Array], Array]
    first: _Cells
    second: _Cells
    reach: tuple[float, float]
    symmetric: bool = False


def gaussian(noise_multiplier: float, sample_rate: float, far: float = _FAR) -> Pair:
    """Return the output distributions of Gaussian noise on a Poisson sample, if one record is added or removed.

    Parameters
    ----------
    noise_multiplier : float
        σ > 0, the standard deviation of the noise divided by the sensitivity.
    sample_rate : float
        Sampling rate q in (0, 1].
    far : float
        Number of standard deviations of the noise at which the grid of losses ends.
    """
    sigma = noise_multiplier

    def loss(x: float) -> float:
        return float(_sampled((x - 0.5) / sigma**2, sample_rate))

    def place(losses: Array) -> Array:
        return 0.5 + sigma**2 * _unsampled(losses, sample_rate)

    low, high = loss(-far * sigma), loss(1 + far * sigma)
    there, base = _normal(1.0, sigma), _normal(0.0, sigma)
    return Pair(place, _mixed(there, base, sample_rate), base, (low, high))


def replaced_gaussian(noise_multiplier: float, sample_rate: float, far: float = _FAR) -> Pair:
    """Return the output distributions of Gaussian noise on a Poisson sample, if one record is replaced.

    The pair is (1 - q)N(0) + qN(1) and (1 - q)N(0) + qN(-1), where N(m) is the normal distribution with mean m and
    standard deviation σ. No two gradients are worse (proof in ``docs/poisson_replace_one.md``). ``noise_multiplier``
    is σ > 0, and ``sample_rate`` is q. The grid of losses covers outputs up to 1 + ``far`` · σ.
    """
    sigma, rate = noise_multiplier, sample_rate
    if rate == 1:
        return gaussian(sigma / 2, 1.0, far)

    def place(losses: Array) -> Array:
        # sinh(x/σ² - l/2) = (1 - q)/q e^{1/(2σ²)} sinh(l/2)
        size = np.abs(losses) / 2
        with np.errstate(divide="ignore"):
            log_sinh = size + np.log(-np.expm1(-2 * size)) - math.log(2)
        log_right = log_sinh + 0.5 / sigma**2 + math.log1p(-rate) - math.log(rate)
        small = np.arcsinh(np.exp(np.minimum(log_right, 20.0)))
        right = np.where(log_right > 20, log_right + math.log(2), small)
        return sigma**2 * np.copysign(right + size, losses)

    end = 1 + far * sigma
    logs = [float(_sampled((m * end - 0.5) / sigma**2, rate)) for m in (1, -1)]
    high = logs[0] - logs[1]
    base = _normal(0.0, sigma)
    one, other = (_mixed(_normal(m, sigma), base, rate) for m in (1.0, -1.0))
    return Pair(place, one, other, (-high, high), symmetric=True)


def laplace(noise_multiplier: float, sample_rate: float) -> Pair:
    """Return the output distributions of Laplace noise on a Poisson sample, if one record is added or removed.

    Parameters
    ----------
    noise_multiplier : float
        b > 0, the scale of the noise divided by the sensitivity.
    sample_rate : float
        Sampling rate q in (0, 1].
    """
    scale = noise_multiplier
    low, high = (float(_sampled(loss, sample_rate)) for loss in (-1 / scale, 1 / scale))

    def place(losses: Array) -> Array:
        x = (1 + scale * _unsampled(losses, sample_rate)) / 2
        return np.where(losses < low, -math.inf, np.where(losses >= high, math.inf, x))

    there, base = _double_exponential(1.0, scale), _double_exponential(0.0, scale)
    return Pair(place, _mixed(there, base, sample_rate), base, (low, high))


def discrete(losses: Array, log_masses: Array, width: float) -> Any:
    """Return the privacy loss distribution on a grid, with losses rounded up, of a loss with finitely many values.

    The result dominates the given distribution, for both orders of the two data sets.

    Parameters
    ----------
    losses, log_masses : ndarray (n,)
        Values l of the loss, and logarithms ln p of their probabilities p under one data set. Under the other data
        set the values have the probabilities p e^{-l}.
    width : float
        Spacing of the grid of losses.
    """
    from dp_accounting.pld import pld_pmf
    from dp_accounting.pld import privacy_loss_distribution as library

    at = np.floor(losses / width).astype(np.int64)
    upper = -np.expm1(at * width - losses) / -math.expm1(-width)  # share of the point above
    upper = np.clip(upper, 0.0, 1.0)
    masses = np.exp(log_masses)
    probabilities: Array = np.zeros(int(at.max() - at.min()) + 2)
    np.add.at(probabilities, at - at.min(), masses * (1 - upper))
    np.add.at(probabilities, at - at.min() + 1, masses * upper)
    pmf = pld_pmf.DensePLDPmf(width, int(at.min()), probabilities, 0.0, True)
    return library.PrivacyLossDistribution(pmf)


def _sampled(loss: Any, rate: float) -> Any:
    """Return ln(1 - q + q e^l), the loss after Poisson sampling at rate q of a loss l, without overflow."""
    if rate == 1:
        return loss
    return np.logaddexp(math.log1p(-rate), math.log(rate) + loss)


def _unsampled(losses: Array, rate: float) -> Array:
    """Return the losses before Poisson sampling, for given losses after sampling (the inverse of `_sampled`).

    Values that are no loss after sampling give -inf.
    """
    if rate == 1:
        return losses
    with np.errstate(divide="ignore", invalid="ignore"):
        small = np.log1p(np.expm1(np.minimum(losses, 1.0)) / rate)
        large = losses - math.log(rate) + np.log1p(-(1 - rate) * np.exp(-losses))
    inverse = np.where(losses < 1, small, large)
    return np.where(losses <= math.log1p(-rate), -math.inf, inverse)


def _normal(mean: float, sigma: float) -> _Cells:
    return lambda x: _between((x - mean) / sigma, ndtr)


def _double_exponential(mean: float, scale: float) -> _Cells:
    def left(z: Array) -> Array:
        return np.where(z < 0, np.exp(np.minimum(z, 0)) / 2, 1 - np.exp(-np.maximum(z, 0)) / 2)

    return lambda x: _between((x - mean) / scale, left)


def _between(z: Array, left: Callable[[Array], Array]) -> Array:
    """Return the probability of each cell between increasing edges ``z`` under a symmetric distribution.

    ``left`` is the distribution function. Probabilities of cells to the right of 0 are computed from the upper tail,
    so that small ones keep their digits.
    """
    return np.where(z[:-1] > 0, -np.diff(left(-z)), np.diff(left(z)))


def _mixed(there: _Cells, base: _Cells, rate: float) -> _Cells:
    return there if rate == 1 else lambda x: rate * there(x) + (1 - rate) * base(x)


def from_above(pair: Pair, width: float) -> Any:
    """Return a privacy loss distribution on a grid, with losses rounded up, for both orders of the two data sets.

    It dominates the distribution of the pair, so its ε is an upper bound at every δ.
    """
    from dp_accounting.pld import privacy_loss_distribution as library

    # Strictly beyond the ends, where there may be atoms: rounding must not put one above the grid.
    low, high = math.floor(pair.reach[0] / width) - 1, math.ceil(pair.reach[1] / width) + 1
    edges = np.concatenate(
        [[-math.inf], pair.place(np.arange(low, high + 1, dtype=float) * width), [math.inf]]
    )
    one, other = pair.first(edges), pair.second(edges)
    forth = _on_grid(one, other, low, width)
    if pair.symmetric:
        return library.PrivacyLossDistribution(forth)
    return library.PrivacyLossDistribution(forth, _on_grid(other[::-1], one[::-1], -high, width))


def from_below(pair: Pair, width: float) -> list[tuple[int, Array]]:
    """Return a privacy loss distribution on a grid, with losses rounded down, for lower bounds on the cost.

    It is the loss distribution for an attacker who does not see the output, but only the cell in which the output
    lies. A cell contains the outputs whose losses are near one grid point. If the loss of the whole cell is smaller
    than this grid point, the cell is assigned to the next lower grid point. Cells below the grid are dropped.

    Returns
    -------
    list of (int, ndarray)
        For each order of the two data sets (only one order if the pair is symmetric), the index of the first grid
        point, and the masses of all grid points.
    """
    # One point beyond the ends: an atom there lies in a cell, not below them all.
    low, high = math.floor(pair.reach[0] / width) - 1, math.ceil(pair.reach[1] / width) + 1
    ends = np.arange(low - 1, high + 1, dtype=float) + 0.5 + _RAISED
    edges = np.concatenate([[-math.inf], pair.place(ends * width), [math.inf]])
    one, other = pair.first(edges), pair.second(edges)
    distributions = [_at_least(one, other, low, width)]
    if not pair.symmetric:
        mirrored = np.concatenate(
            [[-math.inf], pair.place((ends - 2 * _RAISED) * width), [math.inf]]
        )
        one, other = pair.first(mirrored), pair.second(mirrored)
        distributions.append(_at_least(other[::-1], one[::-1], -high, width))
    return distributions


def _at_least(one: Array, other: Array, low: int, width: float) -> tuple[int, Array]:
    """Return the index of the first grid point and the mass of every grid point, with losses rounded down.

    ``one`` and ``other`` are the probabilities of the cells of outputs under the two data sets. The loss of a cell is
    the logarithm of their ratio. The first cell is below the grid and is dropped. The last cell is merged with the
    cell before it. ``low`` is the grid index of the second cell.
    """
    inside, beside = one[1:].copy(), other[1:].copy()
    inside[-2] += inside[-1]
    beside[-2] += beside[-1]
    inside, beside = inside[:-1], beside[:-1]
    points = low + np.arange(len(inside))
    reached = inside >= np.exp(np.minimum(points * width, 700.0)) * beside * (1 + 1e-10)
    masses: Array = np.zeros(len(inside) + 1)
    masses[1:] += np.where(reached, inside, 0.0)
    masses[:-1] += np.where(reached, 0.0, inside)
    return low - 1, masses


def discrete_from_below(losses: Array, log_masses: Array, width: float) -> list[tuple[int, Array]]:
    """Return the distribution of a discrete loss, with its values rounded down to a grid.

    The result has the format of `from_below`.
    ``losses`` holds the values of the loss, and ``log_masses`` the logarithms of their probabilities. ``width`` is
    the spacing of the grid.
    """
    at = np.floor(losses / width * (1 + 1e-12) + 1e-12).astype(np.int64)
    masses: Array = np.zeros(int(at.max() - at.min()) + 1)
    np.add.at(masses, at - at.min(), np.exp(log_masses))
    return [(int(at.min()), masses)]


def _on_grid(one: Array, other: Array, low: int, width: float) -> Any:
    """Return a distribution on a grid that dominates the loss ln(one/other).

    ``one`` and ``other`` are the probabilities of the cells of outputs under the two data sets. The first cell lies
    below the grid, and the last cell above it. ``low`` is the index of the first grid point.
    """
    from dp_accounting.pld import pld_pmf

    inside: Array = one[1:-1]
    losses = (low + np.arange(len(inside))) * width
    upper = (inside - np.exp(losses) * other[1:-1]) / -math.expm1(-width)
    upper = np.minimum(np.maximum(upper, 0.0), inside)
    probabilities = np.zeros(len(inside) + 1)
    probabilities[0] = one[0]
    probabilities[:-1] += inside - upper
    probabilities[1:] += upper
    return pld_pmf.DensePLDPmf(width, low, probabilities, float(one[-1]), True)
