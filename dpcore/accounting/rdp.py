"""Rényi differential privacy, vectorised over noise multipliers: instant upper bounds.

RDP of order α of the Poisson-subsampled Gaussian (Mironov, Talwar and Zhang 2019, integer α):
1/(α - 1) ln Σ_k C(α, k) (1 - q)^(α - k) q^k e^((k² - k)/(2σ²)), add-or-remove neighbours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from dpcore.accounting.events import (
    Event,
    Gaussian,
    Laplace,
    PoissonSampled,
    Pure,
    Repeated,
    Sequence,
)

__all__ = ["ORDERS", "curve", "subsampled_gaussian", "to_epsilon"]

# The largest orders matter for tiny ε alone: ln(1/δ)/(α - 1) bounds what an order can show.
ORDERS = np.unique(
    np.concatenate(
        [np.arange(2, 65), np.rint(np.geomspace(64, 1024, 25)), 2.0 ** np.arange(11, 15)]
    )
)


def subsampled_gaussian(
    noise_multiplier: ArrayLike, sample_rate: float, orders: NDArray[np.float64] = ORDERS
) -> NDArray[np.float64]:
    """Return the RDP of one Poisson-subsampled Gaussian step, add-or-remove neighbours.

    Parameters
    ----------
    noise_multiplier : array (...)
        σ > 0.
    sample_rate : float
        q in (0, 1].
    orders : ndarray (n_orders,)
        Whole numbers α ≥ 2.

    Returns
    -------
    ndarray (..., n_orders)
        RDP(α) ≥ 0.
    """
    inverse = 1 / (2 * np.square(np.asarray(noise_multiplier, float)))[..., None]
    if sample_rate == 1:
        return orders * inverse
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
    return (top[..., 0] + np.log(np.exp(terms, out=terms).sum(axis=-1))) / (order - 1)


def to_epsilon(
    rdp: NDArray[np.float64], delta: ArrayLike, orders: NDArray[np.float64] = ORDERS
) -> NDArray[np.float64]:
    """Return the ε that an RDP curve implies at δ.

    ε = min_α RDP(α) + ln(1 - 1/α) - (ln δ + ln α)/(α - 1)  (Canonne, Kamath and Steinke 2020,
    Proposition 12), never below 0.

    Parameters
    ----------
    rdp : ndarray (..., n_orders)
        RDP of the whole composition.
    delta : array broadcastable to (...)
        δ in (0, 1).
    orders : ndarray (n_orders,)
        The orders.

    Returns
    -------
    ndarray (...)
    """
    log_delta = np.log(np.asarray(delta, float))[..., None]
    epsilon = rdp + np.log1p(-1 / orders) - (log_delta + np.log(orders)) / (orders - 1)
    return np.maximum(epsilon.min(axis=-1), 0)


def curve(event: Event, orders: NDArray[np.float64] = ORDERS) -> NDArray[np.float64]:
    """Return the RDP of an event, (n_orders,), add-or-remove neighbours; sequences add up."""
    match event:
        case Repeated(event=inner, count=count):
            return count * curve(inner, orders) if count else np.zeros_like(orders)
        case Sequence(events=events):
            return sum((curve(one, orders) for one in events), np.zeros_like(orders))
        case Laplace(noise_multiplier=scale):
            return _laplace(1 / scale, orders)
        case Pure(epsilon=epsilon):
            return _coin(epsilon, orders)
        case Gaussian(noise_multiplier=sigma):
            return subsampled_gaussian(sigma, 1.0, orders) if sigma else np.inf * orders
        case PoissonSampled(sample_rate=q, event=Gaussian(noise_multiplier=sigma)):
            return subsampled_gaussian(sigma, q, orders) if sigma else np.inf * orders
        case PoissonSampled(sample_rate=q, event=Laplace(noise_multiplier=scale)):
            # No closed form: the worst mechanism with the amplified ε bounds it.
            return _coin(float(np.logaddexp(np.log1p(-q), np.log(q) + 1 / scale)), orders)
    raise TypeError(f"no Rényi account of {type(event).__name__}: use accountant='pld'")


def _coin(epsilon: float, orders: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mironov 2017, Proposition 5: binary randomized response, the worst of all ε-DP mechanisms."""
    truth = -np.log1p(np.exp(-epsilon))
    lie = truth - epsilon
    up = orders * truth + (1 - orders) * lie
    down = orders * lie + (1 - orders) * truth
    return np.logaddexp(up, down) / (orders - 1)


def _laplace(epsilon: float, orders: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mironov 2017, Table II: ln(α/(2α-1) e^{ε(α-1)} + (α-1)/(2α-1) e^{-εα}) / (α - 1)."""
    up = np.log(orders / (2 * orders - 1)) + epsilon * (orders - 1)
    down = np.log((orders - 1) / (2 * orders - 1)) - epsilon * orders
    return np.logaddexp(up, down) / (orders - 1)
