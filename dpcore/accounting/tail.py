"""Tail of the privacy loss distribution, that is, the probability that the privacy loss of an output exceeds ε.

Let L = ln(p(o)/p'(o)) be the privacy loss of an output o, where p and p' are the densities of the output under two
neighbouring data sets. (ε, δ)-DP means E[(1 - e^{ε-L})⁺] ≤ δ. The probability that an output changes the odds of the
data sets by more than e^ε is P[L > ε]. This probability may be larger than δ. For Gaussian noise calibrated exactly
to δ = 10⁻⁵, it is 16 δ at ε = 1 and 111 δ at ε = 0.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr

from dpcore import _checks
from dpcore._memoize import ACCOUNTS
from dpcore.accounting import pld
from dpcore.accounting.accountant import gridded, spent
from dpcore.accounting.events import (
    Event,
    GaussianEvent,
    LaplaceEvent,
)
from dpcore.mechanisms.calibration import gaussian_sigma
from dpcore.units import Neighbouring

__all__ = ["Account", "account", "gaussian_tail", "loss_tail"]

_FINEST = 1e-6  # relative accuracy of the reported probabilities
_REACH = {"add_remove": 1.0, "replace_one": 2.0}


@ACCOUNTS.of
def loss_tail(event: Event, epsilon: float, *, neighbouring: Neighbouring = "add_remove") -> float:
    """Return P[L > ε], the probability that the privacy loss L of an output exceeds ε.

    Such an output changes the odds of two neighbouring data sets by more than e^ε. The probability is computed for
    the worst pair of neighbours and for the worse order of the two. The result is exact for Gaussian noise without
    subsampling and for one release with Laplace noise. For other events it is an upper bound that exceeds the
    probability by up to about a tenth, because losses are rounded up to a grid.

    Parameters
    ----------
    event : Event
        One or several noisy releases.
    epsilon : float
        ε ≥ 0; for ε = inf the probability is 0.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the compared data sets.

    Returns
    -------
    float
        Probability in [0, 1]. It is 0 if the loss cannot exceed ε. It is 1 if a release has no noise or if the loss
        distribution cannot be computed.

    Raises
    ------
    ValueError
        When ``epsilon`` is negative, ``neighbouring`` is unknown, or the event has lots of a fixed size under
        add_remove.

    See Also
    --------
    gaussian_tail, epsilon

    References
    ----------
    Balle and Wang 2018, section 3; Gopi, Lee and Wutschitz 2021 (composition on a grid).

    Examples
    --------
    >>> round(loss_tail(GaussianEvent(3.73063), 1.0) / 1e-5, 1)
    16.1
    >>> loss_tail(LaplaceEvent(1.0), 1.0)
    0.0
    """
    goal = math.inf if epsilon == math.inf else _checks.number("epsilon", epsilon, low=0)
    _checks.one_of("neighbouring", neighbouring, tuple(_REACH))
    pld.refuse_added(event, neighbouring)
    closed = _closed(event, goal, neighbouring)
    if closed is not None:
        return closed
    if not pld.is_feasible(event, _FINEST, goal, neighbouring=neighbouring):
        return 1.0
    return _beyond(pld.distribution(event, neighbouring=neighbouring, width=_width(goal)), goal)


@dataclass(frozen=True)
class Account:
    """Result of `account`, which is an ε at a given δ and the probability that the privacy loss exceeds this ε.

    Parameters
    ----------
    epsilon : float
        ε ≥ 0, as returned by `spent`.
    loss_tail : float
        P[L > ε] in [0, 1] of the privacy loss L, as returned by the function `loss_tail`.

    See Also
    --------
    account, spent, loss_tail

    Examples
    --------
    >>> Account(epsilon=1.0, loss_tail=1.6e-4).epsilon
    1.0
    """

    epsilon: float
    loss_tail: float


@ACCOUNTS.of
def account(event: Event, delta: float, *, neighbouring: Neighbouring = "add_remove") -> Account:
    """Return ε at δ and the tail probability P[L > ε] of any sequence of events.

    Usually both numbers are computed from the same privacy loss distribution. If there is no such distribution, or if
    its grid is too coarse for the tail, `loss_tail` computes the probability.

    Parameters
    ----------
    event : Event
        One or several noisy releases.
    delta : float
        δ in (0, 1).
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the compared data sets.

    Returns
    -------
    Account
        ε, and the probability that the privacy loss L exceeds ε.

    Raises
    ------
    ValueError
        When an argument is outside its range, or the event has lots of a fixed size under add_remove.

    See Also
    --------
    spent, loss_tail

    Examples
    --------
    >>> found = account(GaussianEvent(3.73063), 1e-5)
    >>> round(found.epsilon, 4), round(found.loss_tail / 1e-5, 1)
    (1.0, 16.1)
    """
    distribution, bound = gridded(event, delta, neighbouring)
    if distribution is None:
        epsilon = spent(event, delta, neighbouring=neighbouring)
        return Account(epsilon, loss_tail(event, epsilon, neighbouring=neighbouring))
    epsilon = min(bound, pld.epsilon_at(distribution, delta))
    closed = _closed(event, epsilon, neighbouring)
    if closed is not None:
        return Account(epsilon, closed)
    if distribution._pmf_remove._discretization > _width(epsilon):
        return Account(epsilon, loss_tail(event, epsilon, neighbouring=neighbouring))
    return Account(epsilon, _beyond(distribution, epsilon))


def _width(goal: float) -> float:
    return min(max(5e-4 * goal, 1e-5), 1e-2)


def _closed(event: Event, goal: float, neighbouring: Neighbouring) -> float | None:
    """Return P[L > ε] in closed form for the privacy loss L of an event, or None if there is no closed form.

    ``goal`` is ε.
    """
    if math.isinf(goal) or pld.is_free(event):
        return 0.0
    if pld.is_open(event):
        return 1.0
    leaves = [(leaf, count) for leaf, count in pld.leaves(event) if count]
    reach = _REACH[neighbouring]
    if sum(count * pld.largest_loss(leaf, neighbouring) for leaf, count in leaves) <= goal * (
        1 + 1e-12
    ):
        return 0.0
    if all(isinstance(leaf, GaussianEvent) for leaf, _ in leaves):
        return _gaussian(leaves, goal, reach)
    if len(leaves) == 1 and leaves[0][1] == 1 and isinstance(leaves[0][0], LaplaceEvent):
        return 1 - math.exp((goal - reach / leaves[0][0].noise_multiplier) / 2) / 2
    return None


@ACCOUNTS.of
def gaussian_tail(epsilon: float, delta: float) -> float:
    """Return P[L > ε] for the privacy loss L of Gaussian noise that is calibrated exactly to (ε, δ).

    Under both neighbouring relations the probability is Φ(μ/2 - ε/μ), where Φ is the standard normal distribution
    function. μ is the largest ratio of sensitivity to standard deviation at which δ(ε) ≤ δ (Balle and Wang 2018).

    Parameters
    ----------
    epsilon : float
        ε > 0; for ε = inf the probability is 0.
    delta : float
        δ in (0, 1).

    Returns
    -------
    float
        Probability in [δ, 1], or 0 for ε = inf.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    See Also
    --------
    loss_tail, dpcore.mechanisms.gaussian_delta

    References
    ----------
    B. Balle and Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy: analytical
    calibration and optimal denoising", ICML, 2018.

    Examples
    --------
    >>> round(gaussian_tail(0.1, 1e-5) / 1e-5, 1)
    111.2
    """
    if math.isinf(epsilon):
        return 0.0
    return loss_tail(GaussianEvent(gaussian_sigma(1.0, epsilon, delta=delta)), epsilon)


def _gaussian(leaves: list[tuple[Any, int]], goal: float, reach: float) -> float:
    """Return P[L > ε] for composed Gaussian releases; ``goal`` is ε.

    The privacy loss L is normal with mean μ²/2 and variance μ², where μ² is the sum of the squared ratios of
    sensitivity to standard deviation over all releases.
    """
    signal = reach * math.sqrt(sum(count / leaf.noise_multiplier**2 for leaf, count in leaves))
    return float(ndtr(signal / 2 - goal / signal))


def _beyond(distribution: Any, goal: float) -> float:
    """Return an upper bound on the probability that the privacy loss is above ``goal``.

    Two neighbouring data sets D and D' have two privacy losses, one of D against D' and one of D' against D. The
    larger of the two probabilities is returned. Losses lie on a grid. The cell that contains ``goal`` is counted
    completely, so the result is never too small.
    """
    worst = 0.0
    for one in (distribution._pmf_remove, distribution._pmf_add):
        pmf = one.to_dense_pmf()
        losses = (np.arange(len(pmf._probs)) + pmf._lower_loss) * pmf._discretization
        above = losses > goal - pmf._discretization
        worst = max(worst, float(pmf._infinity_mass + pmf._probs[above].sum()))
    return min(worst, 1.0)
