"""Total variation distance (TV) between the output distributions on neighbouring data sets.

Suppose that an attacker guesses which of two equally likely neighbouring data sets produced an output. The guess is
right with probability at most (1 + TV)/2, even if the attacker knows all records except the differing one. The best
test attains this bound.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr

from dpcore import _checks
from dpcore._memoize import ACCOUNTS
from dpcore.accounting import atoms, convolve, losses, pld
from dpcore.accounting.events import (
    Event,
    FixedSizeSampled,
    GaussianEvent,
    LaplaceEvent,
    PoissonSampled,
    Pure,
    WithinEpsilon,
)
from dpcore.units import Neighbouring

__all__ = ["total_variation"]

_REACH = {"add_remove": 1.0, "replace_one": 2.0}
_POINTS = 2.0**18  # of the sum of all losses
_MOST_POINTS = 2.0**21  # of one loss
_NEAR = 6.0  # standard deviations, where the grid of an attack ends
_LARGEST = 600.0  # loss of one event
_ROUNDING = 1e-11  # of the Fourier transforms


@ACCOUNTS.of
def total_variation(
    event: Event, *, neighbouring: Neighbouring = "add_remove", bound: str = "lower"
) -> float | None:
    """Return a bound on TV = sup_S (P(S) - P'(S)), the total variation distance for the worst pair of neighbours.

    P and P' are the output distributions on the two data sets, and S is any set of outputs. TV equals the δ at ε = 0.
    A guess about which of two equally likely data sets was used is right with probability at most (1 + TV)/2.

    Parameters
    ----------
    event : Event
        One or several noisy releases.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the compared data sets.
    bound : "lower" or "upper"
        A known attack on some pair of neighbours attains the bound "lower". No attack exceeds the bound "upper". Both
        are exact for a single event other than `Pure`.

    Returns
    -------
    float or None
        Bound in [0, 1]. The lower bound is None if the event has only `Pure` releases, because no attack on these is
        known.

    Raises
    ------
    ValueError
        When ``neighbouring`` or ``bound`` is unknown, or the event has lots of a fixed size under add_remove.

    See Also
    --------
    account, loss_tail

    References
    ----------
    L. Wasserman and S. Zhou, "A statistical framework for differential privacy", Journal of the
    American Statistical Association 105, 2010.

    Examples
    --------
    >>> round((1 + total_variation(LaplaceEvent(1.0))) / 2, 3)
    0.697
    >>> round((1 + total_variation(GaussianEvent(3.73063))) / 2, 3)
    0.553
    """
    _checks.one_of("neighbouring", neighbouring, tuple(_REACH))
    _checks.one_of("bound", bound, ("lower", "upper"))
    pld.refuse_added(event, neighbouring)
    if pld.is_free(event):
        return 0.0
    if pld.is_open(event):
        return _without_noise(event)
    lower = bound == "lower"
    parts = pld.merged(event)
    if lower:
        parts = [(one, count) for one, count in parts if not isinstance(one, Pure)]
    if not parts:
        return None
    alone = max(_once(one, neighbouring) for one, _ in parts)
    if sum(count for _, count in parts) == 1:
        return alone
    most = sum(count * _once(one, neighbouring) for one, count in parts)  # TV is subadditive
    if max(pld.largest_loss(one, neighbouring, deviations=10.0) for one, _ in parts) > _LARGEST:
        return alone if lower else min(most, 1.0)
    if lower:
        return max(alone, _attack(parts, neighbouring))
    return min(most, _ceiling(parts, neighbouring), 1.0)


def _without_noise(event: Event) -> float:
    """Return the probability that a given record is used in at least one release without noise."""
    hidden = 1.0
    for one, count in pld.leaves(event):
        if count and pld.is_open(one):
            rate = one.sample_rate if isinstance(one, PoissonSampled | FixedSizeSampled) else 1.0
            hidden *= (1 - rate) ** count
    return 1 - hidden


def _once(event: Event, neighbouring: Neighbouring) -> float:
    """Return the exact total variation distance of a single release.

    A `Pure` release is treated as binary randomized response.
    """
    reach = _REACH[neighbouring]
    match event:
        case GaussianEvent(noise_multiplier=sigma):
            return float(2 * ndtr(reach / (2 * sigma)) - 1)
        case LaplaceEvent(noise_multiplier=scale):
            return -math.expm1(-reach / (2 * scale))
        case (
            PoissonSampled(sample_rate=q, event=inner)
            | FixedSizeSampled(sample_rate=q, event=inner)
        ):
            return q * _once(inner, neighbouring)
    assert isinstance(event, WithinEpsilon)
    pair = atoms.attained(event)
    values, logs = atoms.atoms(event) if pair is None else pair
    return float(-np.expm1(-np.maximum(values, 0.0)) @ np.exp(logs))


def _width(parts: list[tuple[Event, int]], neighbouring: Neighbouring, far: float) -> float:
    spread = math.sqrt(sum(count * pld.deviation(one) ** 2 for one, count in parts))
    longest = max(pld.largest_loss(one, neighbouring, deviations=far) for one, _ in parts)
    return max(16 * min(spread, 40.0) / _POINTS, 2 * longest / _MOST_POINTS)


def _attack(parts: list[tuple[Event, int]], neighbouring: Neighbouring) -> float:
    """Return a lower bound on the total variation distance (TV) of all releases together.

    It is the TV for an attacker who does not see the outputs, but only in which cell of a grid each output lies.
    """
    width = _width(parts, neighbouring, _NEAR)
    from scipy.signal import fftconvolve  # slow to import, and seldom needed

    distances = []
    for order in (0, 1):
        low, whole = 0, np.ones(1)
        for one, count in parts:
            orders = _from_below(one, neighbouring, width)
            first, masses = convolve.power(*orders[min(order, len(orders) - 1)], width, count)
            low, whole = low + first, np.maximum(fftconvolve(whole, masses), 0.0)
        loss = (low + np.arange(len(whole))) * width
        distances.append(float(-np.expm1(-np.maximum(loss, 0.0)) @ whole))
    return max(0.0, max(distances) - _ROUNDING)


def _from_below(
    event: Event, neighbouring: Neighbouring, width: float
) -> list[tuple[int, np.ndarray]]:
    if isinstance(event, WithinEpsilon):
        pair = atoms.attained(event)
        assert pair is not None
        return losses.discrete_from_below(*pair, width)
    if isinstance(event, FixedSizeSampled):
        # All other gradients opposite to the record's, in every step: one order of the Poisson step at σ/2.
        step = losses.gaussian(event.event.noise_multiplier / 2, event.sample_rate, far=_NEAR)
        return losses.from_below(step, width)
    noisy = event.event if isinstance(event, PoissonSampled) else event
    far = {"far": _NEAR} if isinstance(noisy, GaussianEvent) else {}
    return losses.from_below(pld.pair(event, neighbouring, **far), width)


def _ceiling(parts: list[tuple[Event, int]], neighbouring: Neighbouring) -> float:
    """Return an upper bound on the total variation distance of all releases together.

    It is the δ at ε = 0 of a privacy loss distribution on a grid whose losses are rounded up.
    """
    if neighbouring == "replace_one" and any(pld.is_sampled_laplace(one) for one, _ in parts):
        return 1.0  # no worst pair is known
    whole = pld.composed(parts, neighbouring=neighbouring, width=_width(parts, neighbouring, 10.0))
    worst = 0.0
    for pmf in (whole._pmf_remove, whole._pmf_add):
        dense = pmf.to_dense_pmf()
        loss = (dense._lower_loss + np.arange(len(dense._probs))) * dense._discretization
        delta = dense._infinity_mass - np.expm1(-np.maximum(loss, 0.0)) @ dense._probs
        worst = max(worst, float(delta))
    return worst + _ROUNDING
