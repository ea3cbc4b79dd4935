"""Lower bounds on ε from the errors of an attack on two neighbouring data sets.

World 0 lacks the canary, world 1 contains it, with n trainings each. The attacker guesses "in" if a
score is above a threshold fixed beforehand: k0 false positives, k1 misses. A claimed ε below the
lower bound is refuted; one above it is not confirmed.

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
    """Return the one-sided Clopper-Pearson upper bound on a rate, BetaInv(1 - β; k + 1, n - k).

    Parameters
    ----------
    k, n : int
        Number of errors among n trials.
    beta : float
        Probability that the bound is below the true rate, in (0, 1).

    Returns
    -------
    float
        In (0, 1]; 1 - β^{1/n} when k = 0, and 1 when k = n.

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
    """Return the confidence to use at the k-th look at growing counts: 1 - β/2^k, k = 1, 2, ...

    β/2 + β/4 + ... ≤ β, so that all looks hold together at ``confidence`` however many there are.

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
    """Return validated δ and β = 1 - confidence."""
    d = _checks.number("delta", delta, low=0, high=1, open_high=True)
    level = _checks.number("confidence", confidence, low=0, high=1, open_low=True, open_high=True)
    return d, 1 - level


@dataclass(frozen=True, kw_only=True)
class AuditBound:
    """Lower bound on ε from an attack, and the largest one possible with this number of trainings.

    Parameters
    ----------
    epsilon_lower : float
        ε is at least this, at the confidence; ≥ 0.
    ceiling : float
        Bound that an attack without errors would give with this many trainings.
    n : int
        Trainings in each world.
    k0, k1 : int
        False positives without the canary, misses with it.
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
        """Return whether a claim of (ε, ``delta``) is refuted; False does not confirm it."""
        return self.epsilon_lower > epsilon

    def can_refute(self, epsilon: float) -> bool:
        """Return whether any attack with so few trainings could have refuted (ε, ``delta``)."""
        return self.ceiling > epsilon


def two_worlds(
    k0: int, k1: int, *, n: int, delta: float = 0.0, confidence: float = 0.95
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
    >>> found = two_worlds(20, 500, n=1000)
    >>> round(found.epsilon_lower, 4), round(found.ceiling, 3)
    (2.7247, 5.601)
    """
    d, beta = levels(delta, confidence)
    found = _epsilon(error_bound(k0, n, beta=beta / 2), error_bound(k1, n, beta=beta / 2), d)
    return AuditBound(
        epsilon_lower=found, ceiling=ceiling(n, delta=d, confidence=confidence),
        n=n, k0=k0, k1=k1, delta=d, confidence=confidence,
    )  # fmt: skip


def ceiling(n: int, *, delta: float = 0.0, confidence: float = 0.95) -> float:
    """Return ln((1 - δ - u)/u), u = 1 - (β/2)^{1/n}: the largest bound that n trainings a world can show.

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
    """Return the smallest n whose `ceiling` exceeds ε > 0: fewer trainings cannot refute (ε, 0).

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
    """Return a lower bound on δ from outputs that are impossible without the canary.

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
    return 1 - error_bound(n - hits, n, beta=beta)


def _epsilon(false: float, missed: float, delta: float) -> float:
    terms = (((1 - delta - missed), false), ((1 - delta - false), missed))
    return max(0.0, *(math.log(top / below) if top > 0 else 0.0 for top, below in terms))


def gaussian_mu(k0: int, k1: int, *, n: int, confidence: float = 0.95) -> float:
    """Return a lower bound on μ: Φ⁻¹(1 - FPR) - Φ⁻¹(FNR) at the upper bounds of both rates, at least 0.

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
    """Return the ε at δ of the μ that an attack shows, for mechanisms with a Gaussian trade-off function.

    The bound on μ by `gaussian_mu`, converted by δ = Φ(-ε/μ + μ/2) - e^ε Φ(-ε/μ - μ/2). Much
    stronger than `two_worlds`, and **invalid** for any other trade-off curve: a correct Laplace
    mechanism with ε = 1 would be assigned 3.88. Valid for Gaussian noise on the whole data, for
    compositions of it, and for each step alone.

    Parameters
    ----------
    k0, k1, n, confidence
        As for `two_worlds`.
    delta : float
        δ in (0, 1).
    curve : "gaussian"
        Trade-off curve of the mechanism; the caller has to confirm that it is Gaussian.

    Returns
    -------
    AuditBound

    Raises
    ------
    ValueError
        When ``curve`` is another one, or an argument is outside its range.

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
    found, most = (
        _of_mu(gaussian_mu(*counts, n=n, confidence=confidence), d) for counts in ((k0, k1), (0, 0))
    )
    return AuditBound(
        epsilon_lower=found, ceiling=most, n=n, k0=k0, k1=k1, delta=d, confidence=confidence
    )


def _of_mu(mu: float, delta: float) -> float:
    return gaussian_epsilon(1 / mu, 1.0, delta=delta) if mu > 0 else 0.0
