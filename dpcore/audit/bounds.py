"""Lower bounds on ε from attacks on two worlds, each with the most that its trainings could show.

World 0 lacks the canary, world 1 has it, n trainings each. The attacker says "in" when a score is
above a threshold fixed beforehand: k0 false positives, k1 misses. A bound is a floor: a claim below
it is refuted, a claim above it is not confirmed.

References
----------
Kairouz, Oh and Viswanath 2015 (the region of attainable errors); Jagielski, Ullman and Oprea 2020,
arXiv 2006.07709 (the bound).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcore import _checks
from dpcore.audit.confidence import error_bound, levels

__all__ = [
    "AuditBound",
    "ceiling",
    "fewest_trainings",
    "impossible_delta",
    "two_worlds",
]


@dataclass(frozen=True, kw_only=True)
class AuditBound:
    """What an attack demonstrates, beside the most that so many trainings could demonstrate.

    Parameters
    ----------
    epsilon_lower : float
        ε is at least this, at the confidence; ≥ 0.
    ceiling : float
        What an attack without any error would have shown with these trainings.
    n : int
        Trainings in each world.
    k0, k1 : int
        False positives without the canary, misses with it.
    delta : float
        The δ that the bound is for.
    confidence : float
        Joint, of both error rates.

    See Also
    --------
    two_worlds, gaussian_bound
    """

    epsilon_lower: float
    ceiling: float
    n: int
    k0: int
    k1: int
    delta: float
    confidence: float

    def refutes(self, epsilon: float) -> bool:
        """Whether a claim of (ε, ``delta``) is refuted; False confirms nothing."""
        return self.epsilon_lower > epsilon

    def can_refute(self, epsilon: float) -> bool:
        """Whether any attack with so few trainings could have refuted (ε, ``delta``)."""
        return self.ceiling > epsilon


def two_worlds(
    k0: int, k1: int, n: int, *, delta: float = 0.0, confidence: float = 0.95
) -> AuditBound:
    """Return the bound of a threshold attack, from false positives and misses among n each.

    ε ≥ max{0, ln((1 - δ - FNR)/FPR), ln((1 - δ - FPR)/FNR)} at the Clopper-Pearson upper bounds of
    both rates, each at half of 1 - confidence (Bonferroni); a term without a positive numerator says
    nothing. The threshold must come from theory or from other trainings, n from before the first look.

    Parameters
    ----------
    k0, k1, n : int
        False positives, misses, trainings in each world.
    delta : float
        δ in [0, 1).
    confidence : float
        In (0, 1).

    Returns
    -------
    AuditBound

    Raises
    ------
    ValueError
        When an argument is outside its range.

    See Also
    --------
    gaussian_bound, split_bound, bayesian_interval

    References
    ----------
    M. Jagielski, J. Ullman and A. Oprea, "Auditing differentially private machine learning: how
    private is private SGD?", NeurIPS, 2020.
    M. Nasr et al., "Adversary instantiation: lower bounds for differentially private machine
    learning", IEEE Symposium on Security and Privacy, 2021.
    C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the
    case of the binomial", Biometrika 26(4), 1934.

    Examples
    --------
    >>> found = two_worlds(20, 500, 1000)
    >>> round(found.epsilon_lower, 4), round(found.ceiling, 3)
    (2.7247, 5.601)
    """
    d, beta = levels(delta, confidence)
    found = _epsilon(error_bound(k0, n, beta / 2), error_bound(k1, n, beta / 2), d)
    return AuditBound(
        epsilon_lower=found, ceiling=ceiling(n, delta=d, confidence=confidence),
        n=n, k0=k0, k1=k1, delta=d, confidence=confidence,
    )  # fmt: skip


def ceiling(n: int, *, delta: float = 0.0, confidence: float = 0.95) -> float:
    """Return ln((1 - δ - u)/u), u = 1 - (β/2)^{1/n}: what n trainings a world can show at most.

    See Also
    --------
    fewest_trainings, two_worlds

    References
    ----------
    C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the
    case of the binomial", Biometrika 26(4), 1934.

    Examples
    --------
    >>> [round(ceiling(n), 3) for n in (10, 100, 1000)]
    [0.807, 3.281, 5.601]
    """
    d, beta = levels(delta, confidence)
    u = error_bound(0, n, beta / 2)
    return _epsilon(u, u, d)


def fewest_trainings(epsilon: float, *, confidence: float = 0.95) -> int:
    """Return the smallest n whose `ceiling` is above ε > 0: with fewer no attack refutes (ε, 0).

    See Also
    --------
    ceiling

    Examples
    --------
    >>> [fewest_trainings(e) for e in (0.5, 1, 2, 3, 4, 5, 8)]
    [8, 12, 30, 76, 204, 550, 10999]
    """
    e = _checks.number("epsilon", epsilon, low=0, high=30, open_low=True)
    _, beta = levels(0.0, confidence)
    return math.floor(math.log(beta / 2) / -math.log1p(math.exp(-e))) + 1


def impossible_delta(hits: int, n: int, *, confidence: float = 0.95) -> float:
    """Return a lower bound on δ from releases that cannot happen at all without the canary.

    P[M(D') ∈ S] = 0 leaves P[M(D) ∈ S] ≤ δ, whatever ε is; the one-sided Clopper-Pearson lower bound
    of ``hits`` among n releases with the canary.

    See Also
    --------
    two_worlds

    Examples
    --------
    >>> impossible_delta(33, 3000) > 1e-5
    True
    """
    _, beta = levels(0.0, confidence)
    return 1 - error_bound(n - hits, n, beta)


def _epsilon(false: float, missed: float, delta: float) -> float:
    terms = (((1 - delta - missed), false), ((1 - delta - false), missed))
    return max(0.0, *(math.log(top / below) if top > 0 else 0.0 for top, below in terms))
