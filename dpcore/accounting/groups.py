"""Group privacy, that is, the ε of an event if several records are added, removed or replaced together."""

from __future__ import annotations

import math

from dpcore import _checks
from dpcore._memoize import ACCOUNTS
from dpcore.accounting import closed_form, pld
from dpcore.accounting.accountant import spent
from dpcore.accounting.composition import group_privacy
from dpcore.accounting.events import (
    Event,
    FixedSizeSampled,
    GaussianEvent,
    LaplaceEvent,
    PoissonSampled,
    Pure,
    Repeated,
    Sequence,
    WithinEpsilon,
)
from dpcore.units import Neighbouring

__all__ = ["group_epsilon"]

_SMALLEST_DELTA = 1e-300  # of Rényi bounds, which need no grid
_HALVINGS = 24


@ACCOUNTS.of
def group_epsilon(
    event: Event, delta: float, group: int, *, neighbouring: Neighbouring = "add_remove"
) -> float:
    """Return an upper bound on the ε at δ that an event has for any group of k records.

    The result is the smallest of three bounds:

    - kε(δ′), where ε(δ′) is the ε for one record at δ′, and δ′ is the largest number with
      δ′(e^{kε(δ′)} - 1)/(e^{ε(δ′)} - 1) ≤ δ (Vadhan 2017)
    - the closed-form ε for k times the sensitivity without subsampling
    - k times the largest possible privacy loss for one record

    Parameters
    ----------
    event : Event
        One or several noisy releases.
    delta : float
        δ in [0, 1) for the group.
    group : int
        Number k ≥ 1 of records in the group.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation for a single record.

    Returns
    -------
    float
        Upper bound on the true ε of the group. It is inf if no bound is known or if any release has no noise.

    See Also
    --------
    dpcore.accounting.group_privacy

    References
    ----------
    S. Vadhan, "The complexity of differential privacy", in Tutorials on the Foundations of
    Cryptography, Springer, 2017.

    Examples
    --------
    >>> round(group_epsilon(GaussianEvent(3.73063 * 2), 1e-5, 2), 3)
    1.0
    """
    k = _checks.integer("group", group, low=1)
    if pld.is_open(event):
        return math.inf
    pure = k * closed_form.pure(event, neighbouring=neighbouring)
    if delta == 0:
        return pure
    if k == 1:
        return spent(event, delta, neighbouring=neighbouring)
    larger = closed_form.upper_bound(_signal(event, k), delta, neighbouring=neighbouring)
    if closed_form.is_gaussian(event):
        return larger  # exact
    return min(pure, larger, _vadhan(event, delta, k, neighbouring))


def _signal(event: Event, k: int) -> Event:
    """Return the event with k times its sensitivity and without subsampling.

    For one record, the returned event costs at least as much as the given event costs for a group of k records.
    """
    if isinstance(event, WithinEpsilon):
        return Pure(k * event.epsilon)
    match event:
        case GaussianEvent(noise_multiplier=scale):
            return GaussianEvent(scale / k)
        case LaplaceEvent(noise_multiplier=scale):
            return LaplaceEvent(scale / k)
        case PoissonSampled(event=inner) | FixedSizeSampled(event=inner):
            return _signal(inner, k)
        case Repeated(event=inner, count=count):
            return Repeated(_signal(inner, k), count)
        case Sequence(events=events):
            return Sequence(tuple(_signal(one, k) for one in events))
    raise TypeError(f"no account of {event} for a group")


def _vadhan(event: Event, delta: float, k: int, neighbouring: Neighbouring) -> float:
    """Return an upper bound on the ε of a group of k records at δ, computed from the ε(δ′) of one record.

    The bound is kε(δ′), where δ′ is the largest number for which δ′(e^{kε(δ′)} - 1)/(e^{ε(δ′)} - 1), the δ of the
    group, is at most δ. If there is no such δ′, the result is inf.
    """
    low, high = math.log(_SMALLEST_DELTA), math.log(delta)

    def grown(log_delta: float) -> tuple[float, float]:
        one = closed_form.upper_bound(event, math.exp(log_delta), neighbouring=neighbouring)
        return group_privacy(one, math.exp(log_delta), group=k)

    if grown(low)[1] > delta:
        return math.inf
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if grown(middle)[1] > delta else (middle, high)
    return grown(low)[0]
