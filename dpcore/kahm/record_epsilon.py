"""Guarantee for a whole record if noise was added to each of its features.

All features of the record may change.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, logsumexp

from dpcore import _checks, accounting
from dpcore.accounting.events import LaplaceEvent, Repeated
from dpcore.kahm.noise import check_noise, element_delta

__all__ = ["RecordEpsilon", "composed_delta", "record_epsilon"]


@dataclass(frozen=True, kw_only=True)
class RecordEpsilon:
    """The ε of a whole record with noise on every feature, computed in two ways.

    - ``pure`` is the sum of the ε of all features. It holds at ``pure_delta``, which is tiny if every feature surely
      gets noise: ``pure_delta`` then only covers the truncation of the noise.
    - ``tight`` is the smallest proved ε at ``delta``, the requested δ. It is inf if ``pure_delta`` is above
      ``delta``.

    Neighbours differ in the features of one record.

    See Also
    --------
    record_epsilon
    """

    pure: float
    pure_delta: float
    tight: float
    delta: float


def record_epsilon(
    element_epsilon: float,
    n_features: int,
    *,
    delta: float = 1e-5,
    atom: float = 0.0,
    kind: str = "laplace",
) -> RecordEpsilon:
    """Return the ε of a whole record with noise at ``element_epsilon`` on every feature.

    A record has p features. `element_noise` generates the noise.

    - Pure form: with the ε and the δ (`element_delta`) of one element, the record is (pε, 1 - (1 - δ)^p)-DP by
      composition.
    - Tight form: a smaller ε at the given ``delta``. For Laplace noise p privacy losses are composed numerically
      (from above, within 0.1 %). For staircase noise the optimal composition of any p ε-DP mechanisms is used
      (Kairouz, Oh and Viswanath 2015, Theorem 3.3).

    Neighbours (replace_one) differ in all features of one record at once, each by up to the sensitivity of an
    element. The label is not protected.

    Parameters
    ----------
    element_epsilon : float
        ε > 0 of one element.
    n_features : int
        Number p ≥ 1 of features.
    delta : float
        δ in (0, 1) at which the tight ε holds.
    atom : float
        Probability in [0, 1) that an element gets no noise.
    kind : "laplace" or "staircase"
        Type of noise.

    Returns
    -------
    RecordEpsilon

    Raises
    ------
    ValueError
        When an argument is outside its range.

    See Also
    --------
    element_noise, dpcore.accounting.optimal

    References
    ----------
    P. Kairouz, S. Oh and P. Viswanath, "The composition theorem for differential privacy", ICML,
    2015.

    Examples
    --------
    >>> record_epsilon(0.5, 64, kind="staircase").pure
    32.0
    """
    check_noise(element_epsilon, atom, 1.0, kind)
    p = _checks.integer("n_features", n_features, low=1)
    _checks.delta(delta)
    bare = composed_delta(element_delta(element_epsilon, atom), p)
    pure = float(p * element_epsilon)
    # With probability `bare` an atom reveals a value; the rest of δ is available for the other outcomes.
    left = (delta - bare) / (1 - bare) if bare < 1 else -1.0
    tight = math.inf
    if left > 0 and not math.isinf(element_epsilon):
        compose = _laplace if kind == "laplace" else _any
        tight = min(compose(element_epsilon, p, left), pure)
    return RecordEpsilon(pure=pure, pure_delta=bare, tight=tight, delta=delta)


def composed_delta(delta: float, p: int) -> float:
    """Return 1 - (1 - δ)^p, the δ of p composed elements that are (ε, δ)-DP each."""
    return 1.0 if delta >= 1 else -math.expm1(p * math.log1p(-delta))


def _laplace(epsilon: float, p: int, delta: float) -> float:
    if p == 1:  # δ(ε') = 1 - e^{(ε' - ε)/2}
        return max(epsilon + 2 * math.log1p(-delta), 0.0)
    return accounting.spent(Repeated(LaplaceEvent(1 / epsilon), p), delta)


def _any(epsilon: float, p: int, delta: float) -> float:
    """Return the ε at ``delta`` of p independent ε-DP releases, for the worst mechanisms (randomised response).

    ``epsilon`` is the ε of one release. The total privacy loss is (p - 2i) times ``epsilon`` for some i from 0 to p.
    The result is found by bisection.
    """
    i = np.arange(p + 1)
    ways = gammaln(p + 1) - gammaln(i + 1) - gammaln(p - i + 1)
    log_p = ways + (p - i) * epsilon - p * np.logaddexp(0.0, epsilon)
    losses = (p - 2 * i) * epsilon

    def delta_of(eps: float) -> float:
        over = losses > eps
        if not over.any():
            return 0.0
        return float(np.exp(logsumexp(log_p[over], b=-np.expm1(eps - losses[over]))))

    low, high = 0.0, p * epsilon
    if delta_of(low) <= delta:
        return low
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if delta_of(middle) <= delta else (middle, high)
    return high
