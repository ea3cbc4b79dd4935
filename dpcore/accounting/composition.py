"""Proven composition theorems in closed form.

The module `printed` contains incorrect or loose versions of them from lecture slides.

`basic`, `advanced` and `amplified` broadcast over arrays; `optimal` and `group_privacy` accept only single numbers.
"""

from __future__ import annotations

import math
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from dpcore import _checks
from dpcore._memoize import ACCOUNTS

__all__ = [
    "advanced",
    "amplified",
    "basic",
    "group_privacy",
    "optimal",
]

Floats = NDArray[np.float64]


def basic(epsilon: ArrayLike, n_steps: ArrayLike) -> Floats:
    """Return kε, the total ε of k mechanisms that each have the privacy parameter ε (basic composition).

    The arguments may be arrays of any shape. The δ of the mechanisms also add up. The bound holds even if mechanisms
    are chosen depending on earlier results. It is loose for large k (Dwork et al. 2006).

    See Also
    --------
    advanced, optimal, printed_sum

    References
    ----------
    C. Dwork, K. Kenthapadi, F. McSherry, I. Mironov and M. Naor, "Our data, ourselves: privacy via
    distributed noise generation", EUROCRYPT, 2006.
    """
    return cast(Floats, np.asarray(epsilon, float) * np.asarray(n_steps, float))


def advanced(epsilon: ArrayLike, n_steps: ArrayLike, *, slack: ArrayLike) -> Floats:
    """Return ε√(2k ln(1/δ')) + kε(e^ε - 1), the total ε of k ε-DP mechanisms (advanced composition).

    Parameters
    ----------
    epsilon : array (...)
        ε of one mechanism.
    n_steps : array (...)
        k, the number of mechanisms.
    slack : array (...)
        δ' in (0, 1), added to the total δ.

    Returns
    -------
    ndarray (...)
        Total ε (Dwork, Rothblum and Vadhan 2010). It is below the result of `basic` only for small ε and large k.

    See Also
    --------
    basic, optimal

    References
    ----------
    C. Dwork, G. N. Rothblum and S. Vadhan, "Boosting and differential privacy", FOCS, 2010.

    Examples
    --------
    >>> round(float(advanced(0.1, 100, slack=1e-5)), 3)
    5.85
    """
    e, k = np.asarray(epsilon, float), np.asarray(n_steps, float)
    with np.errstate(over="ignore"):
        return cast(
            Floats, e * np.sqrt(2 * k * np.log(1 / np.asarray(slack, float))) + k * e * np.expm1(e)
        )


@ACCOUNTS.of
def optimal(epsilon: float, delta: float, *, n_steps: int) -> float:
    """Return the smallest ε' at which the composition of any k ε-DP mechanisms is (ε', δ)-DP (Kairouz et al. 2015).

    The worst case is k answers by binary randomized response. Then δ(ε') = Σ_l C(k, l) (e^{(k-l)ε} - e^{ε'} e^{lε})₊
    / (1 + e^ε)^k, where l is the number of answers with the loss -ε, and C(k, l) is the binomial coefficient.

    Parameters
    ----------
    epsilon : float
        ε ≥ 0 of one mechanism.
    delta : float
        δ in (0, 1).
    n_steps : int
        k ≥ 0, the number of mechanisms.

    Returns
    -------
    float
        ε' in [0, kε].

    See Also
    --------
    basic, advanced, Pure

    References
    ----------
    P. Kairouz, S. Oh and P. Viswanath, "The composition theorem for differential privacy", ICML,
    2015.

    Examples
    --------
    >>> round(optimal(0.1, 1e-5, n_steps=100), 3)
    4.307
    """
    e = _checks.number("epsilon", epsilon, low=0)
    k = _checks.integer("n_steps", n_steps, low=0)
    d = _checks.delta(delta)
    loss = e * (k - 2.0 * np.arange(k + 1))
    likely = gammaln(k + 1) - gammaln(np.arange(k + 1) + 1) - gammaln(np.arange(k + 1)[::-1] + 1)
    mass = np.exp(likely + e * np.arange(k + 1)[::-1] - k * np.logaddexp(0, e))
    low, high = 0.0, k * e
    for _ in range(60):
        middle = (low + high) / 2
        above = loss > middle
        divergence = -float((mass[above] * np.expm1(middle - loss[above])).sum())
        low, high = (low, middle) if divergence <= d else (middle, high)
    return high


def amplified(epsilon: ArrayLike, sample_rate: ArrayLike) -> Floats:
    """Return ln(1 + q(e^ε - 1)), the ε of an ε-DP mechanism on a Poisson sample of the records.

    Each record joins the sample with probability q. Neighbouring data sets differ in one record that is added or
    removed. The δ of the mechanism becomes qδ (Balle, Barthe and Gaboardi 2018).

    Parameters
    ----------
    epsilon : array (...)
        ε ≥ 0 of the mechanism without sampling.
    sample_rate : array (...)
        q in (0, 1].

    Returns
    -------
    ndarray (...)
        The amplified ε, at most ``epsilon``.

    See Also
    --------
    printed_amplified, PoissonSampled

    References
    ----------
    B. Balle, G. Barthe and M. Gaboardi, "Privacy amplification by subsampling: tight analyses via
    couplings and divergences", NeurIPS, 2018.

    Examples
    --------
    >>> round(float(amplified(1.0, 0.01)), 7)
    0.0170369
    """
    e, q = np.asarray(epsilon, float), np.asarray(sample_rate, float)
    # ln(1 - q + q e^ε) without overflow.
    with np.errstate(divide="ignore"):
        return cast(Floats, np.logaddexp(np.log1p(-q), np.log(q) + e))


def group_privacy(epsilon: float, delta: float, *, group: int) -> tuple[float, float]:
    """Return the ε and δ that an (ε, δ)-DP result has for any group of k records.

    For the group, ε becomes kε, and δ becomes δ(e^{kε} - 1)/(e^ε - 1), capped at 1 (Vadhan 2017, Lemma 2.2). A δ of 1
    guarantees nothing.

    Parameters
    ----------
    epsilon : float
        ε ≥ 0 for one record.
    delta : float
        δ in [0, 1] for one record.
    group : int
        Number k ≥ 1 of records in the group.

    Returns
    -------
    (float, float)
        ε and δ for the group.

    See Also
    --------
    basic

    References
    ----------
    S. Vadhan, "The complexity of differential privacy", in Tutorials on the Foundations of
    Cryptography, Springer, 2017.

    Examples
    --------
    >>> [round(value, 8) for value in group_privacy(1.0, 1e-5, group=2)]
    [2.0, 3.718e-05]
    """
    e = _checks.number("epsilon", epsilon, low=0)
    d = _checks.number("delta", delta, low=0, high=1)
    k = _checks.integer("group", group, low=1)
    if e == 0:
        return 0.0, min(k * d, 1.0)
    # (e^{kε} - 1)/(e^ε - 1) with e^{kε} and e^ε taken out of both, which overflow at large ε.
    log_ratio = (k - 1) * e + math.log(-math.expm1(-k * e)) - math.log(-math.expm1(-e))
    return k * e, min(d * math.exp(min(log_ratio, 700.0)), 1.0)
