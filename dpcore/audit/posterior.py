"""Bayesian credible interval for ε from the errors of an attack.

The interval cannot refute a claim, because it depends on a prior.

References
----------
Zanella-Béguelin et al. 2023, *Bayesian Estimation of Differential Privacy*, arXiv 2206.05199. The text
that we have read does not state the prior; the default prior here is uniform.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import betaincc, betaincinv

from dpcore import _checks

__all__ = ["Interval", "bayesian_interval"]

_POINTS = 2001


class Interval(NamedTuple):
    """Lower end of a credible interval for ε, posterior median of ε, and upper end of the interval.

    See Also
    --------
    bayesian_interval
    """

    low: float
    median: float
    high: float


def bayesian_interval(
    k0: int, k1: int, *, n: int, delta: float = 0.0, confidence: float = 0.95, prior: float = 1.0
) -> Interval:
    """Return the equal-tailed posterior interval of ε and the posterior median, from the errors of an attack.

    The false-positive rate FPR and the miss rate FNR have independent posterior distributions Beta(k + a, n - k + a),
    for k errors in n trainings. The posterior distribution of ε is that of max{0, ln((1 - δ - FNR)/FPR), ln((1 - δ -
    FPR)/FNR)}. Its distribution function is integrated numerically over FPR.

    Parameters
    ----------
    k0, k1, n : int
        Number of false positives without the canary, number of misses with it, and number of trainings on each of the
        two data sets.
    delta : float
        δ in [0, 1).
    confidence : float
        Posterior probability of the interval, in (0, 1).
    prior : float
        Parameter a > 0 of the prior Beta(a, a) of both rates. If there are few errors, it dominates the interval.

    Returns
    -------
    Interval
        Ends and median of ε, each ≥ 0.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    See Also
    --------
    two_worlds

    References
    ----------
    S. Zanella-Béguelin et al., "Bayesian estimation of differential privacy", ICML, 2023.

    Examples
    --------
    >>> [round(end, 2) for end in bayesian_interval(20, 500, n=1000)]
    [2.79, 3.19, 3.65]
    """
    size = _checks.integer("n", n, low=1)
    false, missed = (_checks.integer(w, k, low=0, high=size) for w, k in (("k0", k0), ("k1", k1)))
    d = _checks.number("delta", delta, low=0, high=1, open_high=True)
    level = _checks.number("confidence", confidence, low=0, high=1, open_low=True, open_high=True)
    a = _checks.number("prior", prior, low=0, open_low=True)
    middle = (np.arange(_POINTS) + 0.5) / _POINTS
    rates = betaincinv(false + a, size - false + a, middle)

    def mass(epsilon: float) -> float:
        """Return the posterior probability that the true ε is at most ``epsilon``."""
        least = np.maximum(1 - d - np.exp(epsilon) * rates, (1 - d - rates) * np.exp(-epsilon))
        least = np.clip(least, 0.0, 1.0)
        return float(betaincc(missed + a, size - missed + a, least).mean())

    tail = (1 - level) / 2
    low, median, high = (_quantile(mass, share) for share in (tail, 0.5, 1 - tail))
    return Interval(low, median, high)


def _quantile(mass: Callable[[float], float], share: float) -> float:
    low, high = 0.0, 50.0
    if mass(0.0) >= share:
        return 0.0
    for _ in range(32):
        middle = (low + high) / 2
        low, high = (middle, high) if mass(middle) < share else (low, middle)
    return high
