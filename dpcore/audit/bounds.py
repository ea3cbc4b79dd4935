"""Lower bounds on ε from the errors of an attack on two neighbouring data sets.

The mechanism is trained n times on a data set without the canary record (world 0), and n times on the same data set
with the canary (world 1). The attacker guesses that the canary is in the data if a score is above a threshold that
was fixed beforehand. There are k0 false positives in world 0 and k1 misses in world 1. The lower bound on ε refutes
every smaller claimed ε. It does not confirm a larger claimed ε.

References
----------
Kairouz, Oh and Viswanath 2015 (the region of attainable errors); Jagielski, Ullman and Oprea 2020,
arXiv 2006.07709 (the bound).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import betaincinv, ndtri

from dpcore import _checks
from dpcore.mechanisms.calibration import gaussian_epsilon

__all__ = [
    "AuditBound",
    "ceiling",
    "error_bound",
    "fewest_trainings",
    "gaussian_bound",
    "gaussian_mu",
    "impossible_delta",
    "levels",
    "look_confidence",
    "two_worlds",
]


def error_bound(k: int, n: int, *, beta: float) -> float:
    """Return the one-sided Clopper-Pearson upper bound on an error rate, BetaInv(1 - β; k + 1, n - k).

    Parameters
    ----------
    k, n : int
        Number of errors k among n trials.
    beta : float
        β in (0, 1), the probability that the bound is below the true rate.

    Returns
    -------
    float
        Upper bound in (0, 1]. It is 1 - β^{1/n} if k = 0, and 1 if k = n.

    Raises
    ------
    ValueError
        When a count or β is outside its range.

    See Also
    --------
    two_worlds

    References
    ----------
    C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the
    case of the binomial", Biometrika 26(4), 1934.

    Examples
    --------
    >>> round(error_bound(20, 1000, beta=0.025), 5)
    0.03072
    """
    size = _checks.integer("n", n, low=1)
    errors = _checks.integer("k", k, low=0, high=size)
    level = _checks.number("beta", beta, low=0, high=1, open_low=True, open_high=True)
    if errors == size:
        return 1.0
    # 1 - I^{-1} of the mirrored distribution keeps the digits that 1 - β would lose.
    return float(1 - betaincinv(size - errors, errors + 1, level))


def look_confidence(look: int, *, confidence: float = 0.95) -> float:
    """Return 1 - β/2^k, the confidence for the k-th interim analysis while the number of trials grows.

    ``look`` is k, and β is 1 - ``confidence``. The bounds of any number of interim analyses hold jointly with
    probability ``confidence``, since β/2 + β/4 + ... ≤ β.

    See Also
    --------
    two_worlds

    Examples
    --------
    >>> [look_confidence(k) for k in (1, 2)]
    [0.975, 0.9875]
    """
    _, beta = levels(0.0, confidence)
    return float(1 - beta / 2 ** _checks.integer("look", look, low=1, high=40))


def levels(delta: float, confidence: float) -> tuple[float, float]:
    """Return δ and the error probability β = 1 - confidence, or raise a ValueError."""
    d = _checks.number("delta", delta, low=0, high=1, open_high=True)
    level = _checks.number("confidence", confidence, low=0, high=1, open_low=True, open_high=True)
    return d, 1 - level


@dataclass(frozen=True, kw_only=True)
class AuditBound:
    """Lower bound on ε that an attack with n trainings shows, and the largest bound that it could have shown.

    Parameters
    ----------
    epsilon_lower : float
        Lower bound on ε at ``confidence``, ≥ 0.
    ceiling : float
        Lower bound on ε that an attack without errors would show with n trainings on each data set.
    n : int
        Number of trainings on each of the two neighbouring data sets.
    k0, k1 : int
        Number of false positives on the data set without the canary, and number of misses on the data set with it.
    delta : float
        δ at which ε is bounded.
    confidence : float
        Joint confidence of both error rates.

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
        """Return whether the bound refutes a claim of (ε, ``delta``)-DP; False does not confirm the claim."""
        return self.epsilon_lower > epsilon

    def can_refute(self, epsilon: float) -> bool:
        """Return whether an attack without errors could have refuted (ε, ``delta``)-DP with ``n`` trainings."""
        return self.ceiling > epsilon


def two_worlds(
    k0: int, k1: int, *, n: int, delta: float = 0.0, confidence: float = 0.95
) -> AuditBound:
    """Return the lower bound on ε that a threshold attack shows, from its numbers of false positives and misses.

    The bound is ε ≥ max{0, ln((1 - δ - FNR)/FPR), ln((1 - δ - FPR)/FNR)}. The false-positive rate FPR and the miss
    rate FNR are replaced by their Clopper-Pearson upper bounds, which have half of the error probability
    1 - ``confidence`` each (Bonferroni). A term with a numerator of at most 0 is dropped. The threshold of the attack
    must come from theory or from other trainings, and n must be fixed before any result is seen.

    Parameters
    ----------
    k0, k1, n : int
        Number of false positives without the canary, number of misses with it, and number of trainings on each of the
        two data sets.
    delta : float
        δ in [0, 1).
    confidence : float
        Joint confidence of the bounds on both error rates, in (0, 1).

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
    >>> found = two_worlds(20, 500, n=1000)
    >>> round(found.epsilon_lower, 4), round(found.ceiling, 3)
    (2.7247, 5.601)
    """
    d, beta = levels(delta, confidence)
    epsilon = _epsilon(error_bound(k0, n, beta=beta / 2), error_bound(k1, n, beta=beta / 2), d)
    return AuditBound(
        epsilon_lower=epsilon, ceiling=ceiling(n, delta=d, confidence=confidence),
        n=n, k0=k0, k1=k1, delta=d, confidence=confidence,
    )  # fmt: skip


def ceiling(n: int, *, delta: float = 0.0, confidence: float = 0.95) -> float:
    """Return the largest lower bound on ε that an attack can show with n trainings on each data set.

    An attack without errors shows the bound ln((1 - δ - u)/u), or 0 if this is negative. Here u = 1 - (β/2)^{1/n} is
    the upper bound on both error rates, and β = 1 - ``confidence``.

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
    u = error_bound(0, n, beta=beta / 2)
    return _epsilon(u, u, d)


def fewest_trainings(epsilon: float, *, confidence: float = 0.95) -> int:
    """Return the smallest number of trainings on each data set with which an attack can refute (ε, 0)-DP.

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
    """Return a lower bound on δ from the frequency of outputs that are impossible without the canary.

    Let S be the set of these outputs, D the data set with the canary, and D' the data set without it. Since
    P[M(D') ∈ S] = 0, (ε, δ)-DP requires P[M(D) ∈ S] ≤ δ for any ε. Among n releases on D, ``hits`` have an output in
    S. The bound is the one-sided Clopper-Pearson lower bound on P[M(D) ∈ S].

    See Also
    --------
    two_worlds

    Examples
    --------
    >>> impossible_delta(33, 3000) > 1e-5
    True
    """
    _, beta = levels(0.0, confidence)
    return 1 - error_bound(n - hits, n, beta=beta)


def _epsilon(false: float, missed: float, delta: float) -> float:
    terms = (((1 - delta - missed), false), ((1 - delta - false), missed))
    return max(0.0, *(math.log(top / below) if top > 0 else 0.0 for top, below in terms))


def gaussian_mu(k0: int, k1: int, *, n: int, confidence: float = 0.95) -> float:
    """Return a lower bound on the μ of Gaussian differential privacy, from the errors of a threshold attack.

    The bound is max{0, Φ⁻¹(1 - FPR) - Φ⁻¹(FNR)}, where Φ⁻¹ is the standard normal quantile function. The
    false-positive rate FPR (k0 of n) and the miss rate FNR (k1 of n) are replaced by their upper confidence bounds.

    See Also
    --------
    gaussian_bound

    References
    ----------
    M. Nasr et al., "Tight auditing of differentially private machine learning", USENIX Security,
    2023.
    J. Dong, A. Roth and W. J. Su, "Gaussian differential privacy", Journal of the Royal Statistical
    Society B 84(1), 2022.
    """
    _, beta = levels(0.0, confidence)
    false, missed = error_bound(k0, n, beta=beta / 2), error_bound(k1, n, beta=beta / 2)
    return max(0.0, float(-ndtri(false) - ndtri(missed))) if max(false, missed) < 1 else 0.0


def gaussian_bound(
    k0: int, k1: int, *, n: int, delta: float, curve: str, confidence: float = 0.95
) -> AuditBound:
    """Return the lower bound on ε that an attack shows on a mechanism with a Gaussian trade-off function.

    The lower bound on μ from `gaussian_mu` is converted to ε by δ = Φ(-ε/μ + μ/2) - e^ε Φ(-ε/μ - μ/2), where Φ is the
    standard normal distribution function. The result is a much stronger bound than that of `two_worlds`. It is valid
    for Gaussian noise without subsampling, and for compositions of such releases. It is **invalid** for any other
    trade-off function. For a correct Laplace mechanism with ε = 1 it would show ε ≥ 3.88.

    Parameters
    ----------
    k0, k1, n, confidence
        Number of false positives, number of misses, number of trainings on each of the two data sets, and confidence;
        see `two_worlds`.
    delta : float
        δ in (0, 1).
    curve : "gaussian"
        Trade-off function of the mechanism. With this argument the caller confirms that it is Gaussian.

    Returns
    -------
    AuditBound

    Raises
    ------
    ValueError
        When ``curve`` is not "gaussian", or an argument is outside its range.

    See Also
    --------
    gaussian_mu, two_worlds

    References
    ----------
    M. Nasr et al., "Tight auditing of differentially private machine learning", USENIX Security,
    2023.
    J. Dong, A. Roth and W. J. Su, "Gaussian differential privacy", Journal of the Royal Statistical
    Society B 84(1), 2022.

    Examples
    --------
    >>> round(gaussian_bound(20, 500, n=1000, delta=1e-5, curve="gaussian").epsilon_lower, 3)
    8.736
    """
    if curve != "gaussian":
        raise ValueError(
            f"curve={curve!r} is not allowed: this bound is false for every trade-off curve but the "
            "Gaussian one; use two_worlds."
        )
    d = _checks.delta(delta)
    epsilon, most = (
        _of_mu(gaussian_mu(*counts, n=n, confidence=confidence), d) for counts in ((k0, k1), (0, 0))
    )
    return AuditBound(
        epsilon_lower=epsilon, ceiling=most, n=n, k0=k0, k1=k1, delta=d, confidence=confidence
    )


def _of_mu(mu: float, delta: float) -> float:
    return gaussian_epsilon(1 / mu, 1.0, delta=delta) if mu > 0 else 0.0
