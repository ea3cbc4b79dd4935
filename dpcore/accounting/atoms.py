"""Discrete privacy loss distributions: the atoms of mechanisms with few possible losses.

With p(l) the probability of the loss l under one data set, that under the other is p(l) e^{-l} =
p(-l).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpcore.accounting.events import (
    ExponentialEvent,
    Geometric,
    Pure,
    RandomizedResponseEvent,
    StaircaseEvent,
    WithinEpsilon,
)

__all__ = ["atoms", "attained", "deviation"]

Array = NDArray[np.float64]


def atoms(event: WithinEpsilon) -> tuple[Array, Array]:
    """Return the losses, (n,), and log probabilities, (n,), of a pair that dominates all neighbours.

    For `Pure` and `ExponentialEvent`: binary randomized response, the worst of all ε-DP mechanisms
    (Kairouz, Oh and Viswanath 2015). For other events: their own losses, for neighbours at the
    distance of the sensitivity.
    """
    eps = event.epsilon
    match event:
        case RandomizedResponseEvent(n_options=m):
            return _three(eps, -math.log1p((m - 1) * math.exp(-eps)))
        case StaircaseEvent():
            step = 1 / (1 + math.exp(eps / 2))
            fall = math.exp(-eps)
            early = step + fall * (0.5 - step)
            return _three(eps, math.log(early / (step + fall * (1 - step))))
        case Geometric(sensitivity=reach):
            return _geometric(eps, reach)
    return _three(eps, -math.log1p(math.exp(-eps)))


def attained(event: WithinEpsilon) -> tuple[Array, Array] | None:
    """Return losses and log probabilities attained by some pair of neighbours; None if none is known.

    For the exponential mechanism with two options, whose odds change from e^{-ε/2} to e^{ε/2}:
    randomized response of ε/2.
    """
    if isinstance(event, Pure):
        return None
    return atoms(Pure(event.epsilon / 2) if isinstance(event, ExponentialEvent) else event)


def deviation(event: WithinEpsilon) -> float:
    """Return the root mean square of the privacy loss."""
    losses, log_masses = atoms(event)
    return math.sqrt(float(np.exp(log_masses) @ losses**2))


def _three(epsilon: float, log_likely: float) -> tuple[Array, Array]:
    """Return the losses ε, -ε and 0; ``log_likely`` is the log probability of ε."""
    rest = -math.expm1(log_likely) - math.exp(log_likely - epsilon)
    if rest <= 1e-15:  # two values alone
        return np.array([epsilon, -epsilon]), np.array([log_likely, log_likely - epsilon])
    logs = [log_likely, math.log(rest), log_likely - epsilon]
    return np.array([epsilon, 0.0, -epsilon]), np.array(logs)


def _geometric(epsilon: float, reach: int) -> tuple[Array, Array]:
    """Return the losses of discrete Laplace noise: steps of 2ε/Δ for noise between 0 and Δ, ±ε beyond."""
    each = epsilon / reach
    z = np.arange(reach + 1)
    log_one = math.log(-math.expm1(-each)) - math.log1p(math.exp(-each))  # ln P(z = 0)
    logs = log_one - each * z
    log_rest = -math.log(-math.expm1(-each))  # a geometric series, at both ends
    logs[0] += log_rest
    logs[-1] += log_rest
    return np.asarray(epsilon - 2 * each * z, float), np.asarray(logs, float)
