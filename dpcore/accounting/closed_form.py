"""Upper bounds on ε in closed form, used if a privacy loss distribution cannot be computed.

The ε of pure ε-DP releases add up. For releases with equal ε, the optimal composition theorem gives a smaller bound.
Gaussian releases compose to one Gaussian release. Rényi divergences of any releases add up.

Replacing a record removes one record and adds another, so it changes a group of two records. The Rényi DP (RDP) of
order α for a group of two is at most three times the RDP of order 2α for one record (Mironov 2017, Proposition 2).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpcore._memoize import ACCOUNTS
from dpcore.accounting import pld, rdp
from dpcore.accounting.composition import optimal
from dpcore.accounting.events import (
    Event,
    FixedSizeSampled,
    GaussianEvent,
    LaplaceEvent,
    PoissonSampled,
    WithinEpsilon,
)
from dpcore.mechanisms.calibration import gaussian_epsilon
from dpcore.units import Neighbouring

__all__ = ["amplified", "is_exact", "is_gaussian", "pure", "upper_bound"]

_MOST_ALIKE = 20_000


@ACCOUNTS.of
def upper_bound(event: Event, delta: float, *, neighbouring: Neighbouring) -> float:
    """Return the smallest of the closed-form bounds on the ε of an event at δ.

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
    float
        An upper bound on the true ε. It is inf if no closed-form bound is finite.
    """
    replaced = neighbouring == "replace_one"
    if is_gaussian(event):
        return _gaussian(event, delta, replaced)  # exact
    bounds = [pure(event, neighbouring=neighbouring), _renyi(event, delta, replaced)]
    bounds.append(_gaussian(event, delta, replaced))
    alike = _alike(event, replaced)
    if alike is not None:
        bounds.append(optimal(alike[0], delta, n_steps=alike[1]))
    return min(bounds)


def amplified(epsilon: float, sample_rate: float) -> float:
    """Return ln(1 + q (e^ε - 1)), the ε of an ε-DP mechanism on a Poisson sample of rate q.

    The result is computed without overflow.
    """
    if sample_rate == 1:
        return epsilon
    return float(np.logaddexp(math.log1p(-sample_rate), math.log(sample_rate) + epsilon))


def is_gaussian(event: Event) -> bool:
    """Return whether an event consists only of Gaussian releases without subsampling.

    If so, the closed-form bound on its ε is exact.
    """
    return _precision(event) is not None


def is_exact(event: Event) -> bool:
    """Return whether the ε that `spent` computes for an event is exact, up to its grid, and not only an upper bound.

    It is exact for Gaussian releases without subsampling, and for any single release without subsampling.
    """
    leaves = [(one, count) for one, count in pld.leaves(event) if count]
    single = len(leaves) == 1 and leaves[0][1] == 1
    return is_gaussian(event) or (
        single and not isinstance(leaves[0][0], PoissonSampled | FixedSizeSampled)
    )


def _gaussian(event: Event, delta: float, replaced: bool) -> float:
    """Return the ε at δ of an event with only Gaussian releases; return inf for any other event.

    For subsampled releases the result is an upper bound.
    """
    precision = _precision(event, on_everybody=True)
    if precision is None:
        return math.inf
    return gaussian_epsilon(1.0, (2 if replaced else 1) * math.sqrt(precision), delta=delta)


def _renyi(event: Event, delta: float, replaced: bool) -> float:
    with np.errstate(over="ignore"):
        curve = _replaced_curve(event) if replaced else rdp.curve(event)
    return float(rdp.to_epsilon(curve, delta))


def _replaced_curve(event: Event) -> NDArray[np.float64]:
    """Return an upper bound on the Rényi DP of an event under replace_one, for each order in `rdp.ORDERS`.

    The bound is the sum of the bounds for the single releases.
    """
    curve = np.zeros_like(rdp.ORDERS)
    for one, count in pld.leaves(event):
        if count:
            curve += count * _replaced_curve_of_one(one)
    return curve


def _replaced_curve_of_one(event: Event) -> NDArray[np.float64]:
    if isinstance(event, WithinEpsilon):
        return rdp.curve(event)
    match event:
        case GaussianEvent(noise_multiplier=scale):
            return rdp.curve(GaussianEvent(scale / 2))
        case LaplaceEvent(noise_multiplier=scale):
            return rdp.curve(LaplaceEvent(scale / 2))
        case FixedSizeSampled():
            return rdp.curve(event)
    return np.asarray(3 * rdp.curve(event, 2 * rdp.ORDERS))


def pure(event: Event, *, neighbouring: Neighbouring) -> float:
    """Return the ε of an event at δ = 0, which is inf if a release is Gaussian.

    The result is the sum of the largest privacy losses of all releases.

    Parameters
    ----------
    event : Event
        One or several noisy releases.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the compared data sets.
    """
    replaced = neighbouring == "replace_one"
    losses = [count * _pure_of_one(one, replaced) for one, count in pld.leaves(event) if count]
    return float(sum(losses))


def _pure_of_one(event: Event, replaced: bool) -> float:
    twice = 2 if replaced else 1
    if isinstance(event, WithinEpsilon):
        return event.epsilon
    match event:
        case LaplaceEvent(noise_multiplier=scale):
            return twice / scale
        case PoissonSampled(sample_rate=q, event=LaplaceEvent(noise_multiplier=scale)):
            return twice * amplified(1 / scale, q)
    return math.inf


def _precision(event: Event, *, on_everybody: bool = False) -> float | None:
    """Return Σ 1/σ² over the Gaussian releases of an event, or None if the event has other releases.

    σ is the noise multiplier of a release. By default, Poisson-subsampled Gaussian releases count as other releases.
    If ``on_everybody`` is True, they count as Gaussian releases without subsampling, which leads to an upper bound on
    δ. The bound holds because subsampling mixes a pair (P, Q) of output distributions with the pair (Q, Q), and the
    hockey-stick divergence does not increase, since it is jointly convex.
    """
    total = 0.0
    for one, count in pld.leaves(event):
        inner = one.event if on_everybody and isinstance(one, PoissonSampled) else one
        if not isinstance(inner, GaussianEvent):
            return None
        total += count / inner.noise_multiplier**2
    return total


def _alike(event: Event, replaced: bool) -> tuple[float, int] | None:
    """Return the ε of one release and the number of releases, for an event of pure ε-DP releases with equal ε.

    The result is None if the releases differ in ε, if a release is not pure ε-DP, or if there are too many releases.
    """
    parts = [(_pure_of_one(one, replaced), count) for one, count in pld.leaves(event) if count]
    costs, count = {cost for cost, _ in parts}, sum(count for _, count in parts)
    if len(costs) != 1 or math.isinf(parts[0][0]) or count > _MOST_ALIKE:
        return None
    return parts[0][0], count
