"""Confidence of audits: limits of an error rate, and how several looks share one level."""

from __future__ import annotations

from scipy.special import betaincinv

from dpcore import _checks

__all__ = ["error_bound", "levels", "look_confidence"]


def error_bound(k: int, n: int, beta: float) -> float:
    """Return the one-sided Clopper-Pearson upper bound on a rate, BetaInv(1 - β; k + 1, n - k).

    Parameters
    ----------
    k, n : int
        Errors, of how many.
    beta : float
        The chance that the bound is too low, in (0, 1).

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
    >>> round(error_bound(20, 1000, 0.025), 5)
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
    """Return δ and β = 1 - confidence, checked."""
    d = _checks.number("delta", delta, low=0, high=1, open_high=True)
    level = _checks.number("confidence", confidence, low=0, high=1, open_low=True, open_high=True)
    return d, 1 - level
