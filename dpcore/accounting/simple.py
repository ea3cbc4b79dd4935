"""Upper bounds on ε in closed form: at once, whatever the numbers, where a distribution is out of reach.

Pure ε add up. Gaussians compose to one Gaussian. Rényi divergences add up for everything; replacing a
record is removing one and adding another, a group of two: RDP₂(α) ≤ 3 RDP(2α) (Mironov 2017,
Proposition 2).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpcore._memo import ACCOUNTS
from dpcore.accounting import pld, rdp
from dpcore.accounting.events import (
    Event,
    FixedSizeSampled,
    Gaussian,
    Laplace,
    PoissonSampled,
    Pure,
)
from dpcore.guarantee import Neighbouring
from dpcore.mechanisms.calibration import gaussian_epsilon

__all__ = ["amplified", "is_gaussian", "upper_bound"]


@ACCOUNTS.of
def upper_bound(event: Event, delta: float, *, neighbouring: Neighbouring) -> float:
    """Return the least of the closed bounds on the ε of an event at δ.

    Parameters
    ----------
    event : Event
        What happened; with noise everywhere (a release without noise costs inf).
    delta : float
        δ in (0, 1).
    neighbouring : "add_remove" or "replace_one"
        Which data sets are compared.

    Returns
    -------
    float
        Never below the true ε.
    """
    replaced = neighbouring == "replace_one"
    bounds = [_pure(event, replaced), _renyi(event, delta, replaced)]
    precision = _precision(event)
    if precision is not None:
        shift = (2 if replaced else 1) * math.sqrt(precision)
        bounds.append(gaussian_epsilon(1.0, shift, delta))
    return min(bounds)


def amplified(epsilon: float, sample_rate: float) -> float:
    """Return ln(1 + q (e^ε - 1)), the ε of an ε-DP mechanism on a Poisson sample, for any size of ε."""
    if sample_rate == 1:
        return epsilon
    return float(np.logaddexp(math.log1p(-sample_rate), math.log(sample_rate) + epsilon))


def is_gaussian(event: Event) -> bool:
    """Whether an event is a composition of Gaussians alone, whose closed bound is exact."""
    return _precision(event) is not None


def _renyi(event: Event, delta: float, replaced: bool) -> float:
    with np.errstate(over="ignore"):
        curve = _replaced_curve(event) if replaced else rdp.curve(event)
    return float(rdp.to_epsilon(curve, delta))


def _replaced_curve(event: Event) -> NDArray[np.float64]:
    """RDP when one record is replaced: its own where that is known, or else as a group of two."""
    found = np.zeros_like(rdp.ORDERS)
    for one, count in pld.leaves(event):
        if count:
            found += count * _replaced_curve_of_one(one)
    return found


def _replaced_curve_of_one(event: Event) -> NDArray[np.float64]:
    match event:
        case Gaussian(noise_multiplier=scale):
            return rdp.curve(Gaussian(scale / 2))
        case Laplace(noise_multiplier=scale):
            return rdp.curve(Laplace(scale / 2))
        case Pure() | FixedSizeSampled():
            return rdp.curve(event)
    return np.asarray(3 * rdp.curve(event, 2 * rdp.ORDERS))


def _pure(event: Event, replaced: bool) -> float:
    """The sum of all pure ε; inf where there is a Gaussian."""
    return sum(count * _pure_of_one(one, replaced) for one, count in pld.leaves(event) if count)


def _pure_of_one(event: Event, replaced: bool) -> float:
    twice = 2 if replaced else 1
    match event:
        case Pure(epsilon=epsilon):
            return epsilon
        case Laplace(noise_multiplier=scale):
            return twice / scale
        case PoissonSampled(sample_rate=q, event=Laplace(noise_multiplier=scale)):
            return twice * amplified(1 / scale, q)
    return math.inf


def _precision(event: Event) -> float | None:
    """Σ 1/σ² of a composition of Gaussians alone; None where there is anything else."""
    total = 0.0
    for one, count in pld.leaves(event):
        if not isinstance(one, Gaussian):
            return None
        total += count / one.noise_multiplier**2
    return total
