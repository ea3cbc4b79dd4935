"""Composition of a privacy loss distribution with itself, computed by the fast Fourier transform."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft

__all__ = ["along", "power", "self_composed"]

Array = NDArray[np.float64]
_TAIL = 1e-15  # outside the window, on both sides together; counts as an infinite loss
_BINS = 2**11
_ORDERS = np.geomspace(1e-2, 1e4, 40)


def self_composed(loss: Any, count: int) -> Any:
    """Return the privacy loss distribution of ``count`` independent releases, each with the distribution ``loss``.

    The result is pessimistic, because a mass of 10⁻¹⁵ outside the computed window counts as an infinite loss.
    """
    from dp_accounting.pld import privacy_loss_distribution as library

    if count == 1:
        return loss
    forth = _power(loss._pmf_remove, count)
    if loss._symmetric:
        return library.PrivacyLossDistribution(forth)
    return library.PrivacyLossDistribution(forth, _power(loss._pmf_add, count))


def _power(pmf: Any, count: int) -> Any:
    from dp_accounting.pld import pld_pmf

    low, total = power(pmf._lower_loss, pmf._probs, pmf._discretization, count)
    return pld_pmf.DensePLDPmf(pmf._discretization, low, total, _infinite(pmf, count), True)


def _infinite(pmf: Any, count: int) -> float:
    """Return the probability that the loss of ``count`` releases is infinite, plus 10⁻¹⁵.

    The term 10⁻¹⁵ stands for the mass outside the computed window.
    """
    return float(min(-math.expm1(count * math.log1p(-pmf._infinity_mass)) + _TAIL, 1.0))


def power(lowest: int, probs: Array, width: float, count: int) -> tuple[int, Array]:
    """Return the distribution of the sum of ``count`` independent losses on a grid of spacing ``width``.

    One loss has the masses ``probs`` at consecutive grid points; the first of these has the index ``lowest``. The
    result is the index of the first grid point of the sum, and the mass at each grid point. A mass of at most 10⁻¹⁵
    lies outside the computed window and is dropped.
    """
    low, high = _window(lowest, probs, width, [count])
    return low, next(_powers(lowest, probs, (low, high), [count]))


def along(loss: Any, counts: list[int]) -> Iterator[Any]:
    """Yield the privacy loss distribution of k releases, for every k in the increasing list ``counts``.

    The distributions are those of `self_composed`, except that all of them have the same grid points.
    """
    from dp_accounting.pld import pld_pmf
    from dp_accounting.pld import privacy_loss_distribution as library

    orders = [loss._pmf_remove] if loss._symmetric else [loss._pmf_remove, loss._pmf_add]
    windows = [_window(p._lower_loss, p._probs, p._discretization, counts) for p in orders]
    powers = [
        _powers(p._lower_loss, p._probs, window, counts)
        for p, window in zip(orders, windows, strict=True)
    ]
    for count, *sums in zip(counts, *powers, strict=True):
        yield library.PrivacyLossDistribution(
            *(
                pld_pmf.DensePLDPmf(pmf._discretization, low, total, _infinite(pmf, count), True)
                for pmf, (low, _), total in zip(orders, windows, sums, strict=True)
            )
        )


def _powers(
    lowest: int, probs: Array, window: tuple[int, int], counts: list[int]
) -> Iterator[Array]:
    low, high = window
    size = next_fast_len(high - low + 1, real=True)
    folded = np.zeros(-(-len(probs) // size) * size)
    folded[: len(probs)] = probs
    once = rfft(folded.reshape(-1, size).sum(0))
    whole, before = np.ones_like(once), 0
    for count in counts:
        whole, before = whole * _raised(once, count - before), count
        total = np.roll(irfft(whole, size), count * lowest - low)[: high - low + 1]
        yield np.maximum(total, 0.0)


def _raised(values: NDArray[np.complex128], count: int) -> NDArray[np.complex128]:
    """Return complex numbers raised to the power ``count``, by repeated squaring.

    This is several times faster than the operator ``**``.
    """
    product = np.ones_like(values)
    while count:
        if count & 1:
            product *= values
        count >>= 1
        if count:
            values = values * values
    return product


def _window(lowest: int, probs: Array, width: float, counts: list[int]) -> tuple[int, int]:
    """Return the first and the last grid point of a window that contains nearly all mass of every composed loss.

    A composed loss is the sum of k independent losses, where k is one of ``counts``. Chernoff bounds of many orders
    guarantee that at most 10⁻¹⁵ of its mass lies outside the window.
    """
    many = np.array(counts)
    ends = (many * lowest).min(), (many * (lowest + len(probs) - 1)).max()
    losses, weights = _coarse(probs, lowest, width)
    worth = weights > 0
    losses, logs = losses[worth], np.log(weights[worth])
    bounds = []
    for sign in (-1, 1):
        terms = logs + sign * _ORDERS[:, None] * losses
        top = terms.max(axis=1)
        log_moments = top + np.log(np.exp(terms - top[:, None]).sum(axis=1))
        reach = (np.multiply.outer(many, log_moments) - math.log(_TAIL / 2)) / _ORDERS
        bounds.append(sign * math.ceil(float(reach.min(axis=1).max()) / width))
    return int(max(ends[0], bounds[0])), int(min(ends[1], bounds[1]))


def _coarse(probs: Array, lower: int, width: float) -> tuple[Array, Array]:
    """Return the loss distribution on a coarser grid, as the coarse grid points and their masses.

    The coarse grid is used for upper bounds on exponential moments. Each mass is divided between the two nearest
    coarse points such that the mean is preserved. By convexity this decreases no exponential moment.
    """
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
