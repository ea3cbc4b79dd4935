"""Privacy losses with a few possible values (atoms), and the probabilities of these values.

Suppose that the loss l has the probability p(l) if the output comes from one of two neighbouring data sets. If the
output comes from the other data set, the loss l has the probability p(l) e^{-l} = p(-l).
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
    """Return the possible losses (n,) of an event and their log probabilities (n,), for an upper bound on its cost.

    No pair of neighbouring data sets gives larger losses:

    - For `Pure` and `ExponentialEvent` the losses are those of binary randomized response, the worst of all ε-DP
      mechanisms (Kairouz, Oh and Viswanath 2015).
    - For other events the losses are those of two data sets with exact results at a distance equal to the
      sensitivity.
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
    """Return losses (n,) of a pair of neighbours, and their log probabilities (n,), for a lower bound on the cost.

    For the exponential mechanism there is a pair with the losses of randomized response at ε/2: the choice is between
    two options, and the odds change from e^{-ε/2} to e^{ε/2}. For `Pure` the result is None, because the mechanism
    and its neighbours are unknown.
    """
    if isinstance(event, Pure):
        return None
    return atoms(Pure(event.epsilon / 2) if isinstance(event, ExponentialEvent) else event)


def deviation(event: WithinEpsilon) -> float:
    """Return the root mean square of the privacy losses in `atoms`, weighted with their probabilities.

    The result is the same for outputs from either of the two neighbouring data sets.
    """
    losses, log_masses = atoms(event)
    return math.sqrt(float(np.exp(log_masses) @ losses**2))


def _three(epsilon: float, log_likely: float) -> tuple[Array, Array]:
    """Return the losses ε, 0 and -ε, and their log probabilities, as two arrays.

    ``log_likely`` is the log probability of the loss ε. The loss -ε is e^ε times less likely, and the loss 0 has the
    remaining probability. A loss of probability 0 is left out.
    """
    rest = -math.expm1(log_likely) - math.exp(log_likely - epsilon)
    if rest <= 1e-15:  # two values alone
        return np.array([epsilon, -epsilon]), np.array([log_likely, log_likely - epsilon])
    logs = [log_likely, math.log(rest), log_likely - epsilon]
    return np.array([epsilon, 0.0, -epsilon]), np.array(logs)


def _geometric(epsilon: float, reach: int) -> tuple[Array, Array]:
    """Return the losses of discrete Laplace noise at sensitivity Δ (``reach``), and their log probabilities.

    Noise z from 0 to Δ gives the loss ε - 2εz/Δ. Noise below 0 gives the loss ε, noise above Δ the loss -ε.
    """
    each = epsilon / reach
    z = np.arange(reach + 1)
    log_one = math.log(-math.expm1(-each)) - math.log1p(math.exp(-each))  # ln P(z = 0)
    logs = log_one - each * z
    log_rest = -math.log(-math.expm1(-each))  # a geometric series, at both ends
    logs[0] += log_rest
    logs[-1] += log_rest
    return np.asarray(epsilon - 2 * each * z, float), np.asarray(logs, float)
