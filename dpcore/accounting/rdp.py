"""Rényi differential privacy (RDP) for fast upper bounds on ε, vectorised over noise multipliers.

A Poisson-subsampled Gaussian step with sampling rate q and noise multiplier σ has, under add_remove and for an
integer order α, the RDP ln(Σ_k C(α, k) (1 - q)^(α - k) q^k e^((k² - k)/(2σ²)))/(α - 1), where C(α, k) is the binomial
coefficient (Mironov, Talwar and Zhang 2019).
"""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln, ndtr

from dpcore._types import Floats
from dpcore.accounting import atoms
from dpcore.accounting.events import (
    Event,
    FixedSizeSampled,
    GaussianEvent,
    LaplaceEvent,
    PoissonSampled,
    Repeated,
    Sequence,
    WithinEpsilon,
)

__all__ = ["ORDERS", "curve", "fixed_size_gaussian", "subsampled_gaussian", "to_epsilon"]

# The largest orders matter for tiny ε alone: ln(1/δ)/(α - 1) bounds what an order can show.
ORDERS = np.unique(
    np.concatenate(
        [np.arange(2, 65), np.rint(np.geomspace(64, 1024, 25)), 2.0 ** np.arange(11, 15)]
    )
)


def subsampled_gaussian(
    noise_multiplier: ArrayLike, sample_rate: float, orders: NDArray[np.float64] = ORDERS
) -> NDArray[np.float64]:
    """Return the Rényi DP (RDP) of one Poisson-subsampled Gaussian step under add_remove.

    Parameters
    ----------
    noise_multiplier : array (...)
        σ > 0, the standard deviation of the noise divided by the sensitivity.
    sample_rate : float
        Sampling rate q in (0, 1].
    orders : ndarray (n_orders,)
        Whole numbers α ≥ 2.

    Returns
    -------
    ndarray (..., n_orders)
        RDP(α) ≥ 0 for each σ and each order.
    """
    inverse = 1 / (2 * np.square(np.asarray(noise_multiplier, float)))[..., None]
    if sample_rate == 1:
        return cast(Floats, orders * inverse)
    columns = [_order(int(order), inverse[..., 0], sample_rate) for order in orders]
    return np.stack(columns, axis=-1)


def _order(order: int, inverse: NDArray[np.float64], q: float) -> NDArray[np.float64]:
    k = np.arange(order + 1)
    log_binomial = gammaln(order + 1) - gammaln(k + 1) - gammaln(order - k + 1)
    weights = log_binomial + (order - k) * np.log1p(-q) + k * np.log(q)
    terms = np.multiply.outer(inverse, (k * k - k).astype(float))
    terms += weights
    top = terms.max(axis=-1, keepdims=True)  # scipy's logsumexp takes three times as long
    terms -= top
    return cast(Floats, (top[..., 0] + np.log(np.exp(terms, out=terms).sum(axis=-1))) / (order - 1))


def fixed_size_gaussian(
    noise_multiplier: float, sample_rate: float, orders: NDArray[np.float64] = ORDERS
) -> NDArray[np.float64]:
    """Return an upper bound on the Rényi DP (RDP), under replace_one, of one Gaussian step on a lot of fixed size.

    The bound is the RDP of the pair of distributions in `accounting.fixed_size`. The computation starts from a
    Poisson-sampled step with noise multiplier σ/2:

    - Let r(x) be the likelihood ratio of this step at the output x, and μ = 2/σ. Then r > 1 for x > μ/2.
    - Replace the part with r < 1 by the mirror image of the part with r > 1. Then E[r^α] = e^{(α-1) RDP(α)}.
    - Two of the resulting integrals are computed numerically.

    Parameters
    ----------
    noise_multiplier : float
        σ > 0, the standard deviation of the noise divided by C, the largest contribution of one record.
    sample_rate : float
        γ = L/N in (0, 1], for lots (batches) with L of the N records.
    orders : ndarray (n_orders,)
        Whole numbers α ≥ 2.

    Returns
    -------
    ndarray (n_orders,)
        RDP(α) ≥ 0.
    """
    mu, rest = 2 / noise_multiplier, 1 - sample_rate
    one_way = (orders - 1) * subsampled_gaussian(noise_multiplier / 2, sample_rate, orders)
    up, down = float(ndtr(-mu / 2)), float(ndtr(mu / 2))  # of N(0), the other way round of N(μ)
    mixed_up, mixed_down = rest * up + sample_rate * down, rest * down + sample_rate * up
    x, weights = _away_from(mu / 2)
    below = rest + sample_rate * np.exp(-mu * x)  # r at μ/2 - x, and at μ/2 + x:
    above = np.logaddexp(_log(rest), np.log(sample_rate) + mu * x)
    phi_below, phi_above = (weights * np.exp(-np.square(mu / 2 + s * x) / 2) for s in (-1, 1))
    alpha = orders[:, None]
    lost = (below**alpha) @ phi_below + (orders - 1) * down - orders * mixed_down
    gained = np.exp((1 - alpha) * above) @ phi_above + (orders - 1) * mixed_up - orders * up
    changed = (np.maximum(gained, 0) - np.maximum(lost, 0)) * np.exp(-one_way)
    return np.asarray(np.maximum(one_way + np.log1p(changed), 0) / (orders - 1))


def _log(value: float) -> float:
    return float(np.log(value)) if value > 0 else -np.inf


def _away_from(start: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return nodes (n,) and weights (n,) for the numerical integral of a function over a half line, times 1/√(2π).

    The nodes are distances from the end of the half line. They are denser near this end and extend to 12 + ``start``,
    where ``start`` is capped at 10⁴. Each of several intervals has a Gauss-Legendre rule.
    """
    edges = np.concatenate([[0.0], np.geomspace(1e-9, 12.0 + min(start, 1e4), 90)])
    nodes, weights = np.polynomial.legendre.leggauss(12)
    half = np.diff(edges)[:, None] / 2
    x = edges[:-1, None] + half * (1 + nodes)
    return x.ravel(), (half * weights).ravel() / np.sqrt(2 * np.pi)


def to_epsilon(
    rdp: NDArray[np.float64], delta: ArrayLike, orders: NDArray[np.float64] = ORDERS
) -> NDArray[np.float64]:
    """Return the ε at δ that a curve of Rényi DP (RDP) implies.

    The formula is ε = min_α [RDP(α) + ln(1 - 1/α) - (ln δ + ln α)/(α - 1)], or 0 if this is negative (Canonne, Kamath
    and Steinke 2020, Proposition 12).

    Parameters
    ----------
    rdp : ndarray (..., n_orders)
        RDP of the composition of all releases, for each order α.
    delta : array broadcastable to (...)
        δ in (0, 1).
    orders : ndarray (n_orders,)
        The orders α > 1 of the RDP curve.

    Returns
    -------
    ndarray (...)
        ε ≥ 0 at δ.
    """
    log_delta = np.log(np.asarray(delta, float))[..., None]
    epsilon = rdp + np.log1p(-1 / orders) - (log_delta + np.log(orders)) / (orders - 1)
    return cast(Floats, np.maximum(epsilon.min(axis=-1), 0))


def curve(event: Event, orders: NDArray[np.float64] = ORDERS) -> NDArray[np.float64]:
    """Return the Rényi DP (RDP) of an event for each order, as an array (n_orders,).

    The RDP of composed events adds up. Neighbours differ in one record that is added or removed. For lots (batches)
    of a fixed size, they differ in one record that is replaced.
    """
    if isinstance(event, WithinEpsilon):
        return _discrete(*atoms.atoms(event), orders)
    match event:
        case Repeated(event=inner, count=count):
            return count * curve(inner, orders) if count else np.zeros_like(orders)
        case Sequence(events=events):
            return sum((curve(one, orders) for one in events), np.zeros_like(orders))
        case LaplaceEvent(noise_multiplier=scale):
            return _laplace(1 / scale, orders)
        case GaussianEvent() | PoissonSampled(event=GaussianEvent()) | FixedSizeSampled():
            return _gaussian(event, orders)
        case PoissonSampled(sample_rate=q, event=LaplaceEvent(noise_multiplier=scale)):
            # No closed form: the worst mechanism with the amplified ε bounds it.
            return _coin(float(np.logaddexp(np.log1p(-q), np.log(q) + 1 / scale)), orders)
    raise TypeError(f"no Rényi account of {type(event).__name__}: use accountant='pld'")


def _gaussian(
    event: GaussianEvent | PoissonSampled | FixedSizeSampled, orders: NDArray[np.float64]
) -> NDArray[np.float64]:
    inner = event if isinstance(event, GaussianEvent) else event.event
    if not inner.noise_multiplier:
        return np.inf * orders
    if isinstance(event, FixedSizeSampled):
        return fixed_size_gaussian(inner.noise_multiplier, event.sample_rate, orders)
    rate = 1.0 if isinstance(event, GaussianEvent) else event.sample_rate
    return subsampled_gaussian(inner.noise_multiplier, rate, orders)


def _discrete(
    losses: NDArray[np.float64], log_masses: NDArray[np.float64], orders: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return ln E[e^{(α - 1)L}] / (α - 1), the Rényi DP of a discrete privacy loss L, for each order α."""
    terms = np.multiply.outer(orders - 1, losses) + log_masses
    return cast(Floats, np.logaddexp.reduce(terms, axis=-1) / (orders - 1))


def _coin(epsilon: float, orders: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Rényi DP of binary randomized response for each order (Mironov 2017, Proposition 5)."""
    truth = -np.log1p(np.exp(-epsilon))
    lie = truth - epsilon
    up = orders * truth + (1 - orders) * lie
    down = orders * lie + (1 - orders) * truth
    return cast(Floats, np.logaddexp(up, down) / (orders - 1))


def _laplace(epsilon: float, orders: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Rényi DP of Laplace noise for each order (Mironov 2017, Table II).

    ``epsilon`` is the sensitivity divided by the scale of the noise.
    """
    up = np.log(orders / (2 * orders - 1)) + epsilon * (orders - 1)
    down = np.log((orders - 1) / (2 * orders - 1)) - epsilon * orders
    return np.logaddexp(up, down) / (orders - 1)
