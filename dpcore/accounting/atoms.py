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

    The losses are those of the worst case, which no pair of neighbouring data sets exceeds:

    - For `Pure` and `ExponentialEvent` it is binary randomized response, the worst of all ε-DP mechanisms (Kairouz,
      Oh and Viswanath 2015).
    - For other events it is a pair of data sets whose exact results differ by the full sensitivity.
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
    """Return the losses (n,) on one pair of neighbours and their log probabilities (n,), for a lower cost bound.

    For the exponential mechanism the pair has the losses of randomized response at ε/2. On this pair, the mechanism
    chooses between two options whose odds change from e^{-ε/2} to e^{ε/2}. For `Pure` the result is None, because
    nothing is known about the mechanism.
    """
    if isinstance(event, Pure):
        return None
    return atoms(Pure(event.epsilon / 2) if isinstance(event, ExponentialEvent) else event)


def deviation(event: WithinEpsilon) -> float:
    """Return the root mean square of the privacy losses in `atoms`, weighted with their probabilities.

    The result does not depend on which of the two neighbouring data sets the output comes from.
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
    """Return the losses of discrete Laplace noise with sensitivity Δ (``reach``), and their log probabilities.

    Noise z from 0 to Δ causes the loss ε - 2εz/Δ. Noise below 0 causes the loss ε, and noise above Δ the loss -ε.
    """
    each = epsilon / reach
    z = np.arange(reach + 1)
    log_one = math.log(-math.expm1(-each)) - math.log1p(math.exp(-each))  # ln P(z = 0)
    logs = log_one - each * z
    log_rest = -math.log(-math.expm1(-each))  # a geometric series, at both ends
    logs[0] += log_rest
    logs[-1] += log_rest
    return np.asarray(epsilon - 2 * each * z, float), np.asarray(logs, float)
