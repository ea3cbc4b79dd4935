"""The same privacy loss many times over: powers of a Fourier transform on a window that holds the sum."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft

__all__ = ["self_composed"]

Array = NDArray[np.float64]
_TAIL = 1e-15  # outside the window, on both sides together; counts as an infinite loss
_BINS = 2**15
_ORDERS = np.geomspace(1e-2, 1e4, 40)


def self_composed(found: Any, count: int) -> Any:
    """Return the distribution of ``count`` independent losses, pessimistic to the last 10⁻¹⁵."""
    from dp_accounting.pld import privacy_loss_distribution as library

    if count == 1:
        return found
    forth = _power(found._pmf_remove, count)
    if found._symmetric:
        return library.PrivacyLossDistribution(forth)
    return library.PrivacyLossDistribution(forth, _power(found._pmf_add, count))


def _power(pmf: Any, count: int) -> Any:
    from dp_accounting.pld import pld_pmf

    probs, width = pmf._probs, pmf._discretization
    low, high = _window(pmf, count)
    size = next_fast_len(high - low + 1, real=True)
    folded = np.zeros(-(-len(probs) // size) * size)
    folded[: len(probs)] = probs
    transform = rfft(folded.reshape(-1, size).sum(0)) ** count
    total = np.roll(irfft(transform, size), count * pmf._lower_loss - low)[: high - low + 1]
    infinite = -math.expm1(count * math.log1p(-pmf._infinity_mass)) + _TAIL
    return pld_pmf.DensePLDPmf(width, low, np.maximum(total, 0.0), min(infinite, 1.0), True)


def _window(pmf: Any, count: int) -> tuple[int, int]:
    """Where all but 10⁻¹⁵ of the sum lies, in points, by Chernoff's bound at many orders."""
    probs, width = pmf._probs, pmf._discretization
    ends = (count * pmf._lower_loss, count * (pmf._lower_loss + len(probs) - 1))
    losses, weights = _coarse(probs, pmf._lower_loss, width)
    worth = weights > 0
    losses, logs = losses[worth], np.log(weights[worth])
    bounds = []
    for sign in (-1, 1):
        terms = logs + sign * _ORDERS[:, None] * losses
        top = terms.max(axis=1)
        log_moments = top + np.log(np.exp(terms - top[:, None]).sum(axis=1))
        reach = float(((count * log_moments - math.log(_TAIL / 2)) / _ORDERS).min())
        bounds.append(sign * math.ceil(reach / width))
    return max(ends[0], bounds[0]), min(ends[1], bounds[1])


def _coarse(probs: Array, lower: int, width: float) -> tuple[Array, Array]:
    """Fewer points with the same mean in each bin, so that no exponential moment is smaller."""
    each = -(-len(probs) // _BINS)
    padded = np.zeros(-(-len(probs) // each) * each)
    padded[: len(probs)] = probs
    bins = padded.reshape(-1, each)
    share = bins @ (np.arange(each) / each)  # goes to the upper end of the bin
    weights: Array = np.zeros(len(bins) + 1)
    weights[:-1] += bins.sum(1) - share
    weights[1:] += share
    losses: Array = (lower + each * np.arange(len(weights), dtype=float)) * width
    return losses, np.maximum(weights, 0.0)
