"""Discrete privacy loss distributions of mechanisms whose loss takes only a few values, its atoms.

If the loss l has the probability p(l) under one of two neighbouring data sets, it has the probability
p(l) e^{-l} = p(-l) under the other.
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
    """Return the possible losses (n,) of an event and their log probabilities (n,).

    The losses are those of a pair of output distributions that dominates the pairs of all neighbouring data sets.
    For `Pure` and `ExponentialEvent` the pair is that of binary randomized response, the worst of all ε-DP
    mechanisms (Kairouz, Oh and Viswanath 2015). For other events it is the pair of outputs for two true values
    whose difference is the sensitivity.
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
    """Return losses (n,) and log probabilities (n,) that some pair of neighbours attains; None if none is known.

    For the exponential mechanism the pair has two options whose odds change from e^{-ε/2} to e^{ε/2}: its
    losses are those of randomized response at ε/2. `Pure` names no mechanism, so no pair is known.
    """
    if isinstance(event, Pure):
        return None
    return atoms(Pure(event.epsilon / 2) if isinstance(event, ExponentialEvent) else event)


def deviation(event: WithinEpsilon) -> float:
    """Return the root mean square of an event's privacy loss."""
    losses, log_masses = atoms(event)
    return math.sqrt(float(np.exp(log_masses) @ losses**2))


def _three(epsilon: float, log_likely: float) -> tuple[Array, Array]:
    """Return the losses ε, 0 and -ε and their log probabilities.

    ``log_likely`` is the log probability of the loss ε. The loss 0 is omitted if its probability is 0.
    """
    rest = -math.expm1(log_likely) - math.exp(log_likely - epsilon)
    if rest <= 1e-15:  # two values alone
        return np.array([epsilon, -epsilon]), np.array([log_likely, log_likely - epsilon])
    logs = [log_likely, math.log(rest), log_likely - epsilon]
    return np.array([epsilon, 0.0, -epsilon]), np.array(logs)


def _geometric(epsilon: float, reach: int) -> tuple[Array, Array]:
    """Return the losses of discrete Laplace noise at sensitivity Δ (``reach``), and their log probabilities.

    Noise z from 0 to Δ gives the loss ε - 2εz/Δ; smaller and larger noise gives ε and -ε.
    """
    each = epsilon / reach
    z = np.arange(reach + 1)
    log_one = math.log(-math.expm1(-each)) - math.log1p(math.exp(-each))  # ln P(z = 0)
    logs = log_one - each * z
    log_rest = -math.log(-math.expm1(-each))  # a geometric series, at both ends
    logs[0] += log_rest
    logs[-1] += log_rest
    return np.asarray(epsilon - 2 * each * z, float), np.asarray(logs, float)
