"""Tight accountant, which composes privacy loss distributions with the library dp-accounting."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.accounting import atoms, fixed_size, losses
from dpcore.accounting.convolve import self_composed
from dpcore.accounting.events import (
    Event,
    FixedSizeSampled,
    GaussianEvent,
    LaplaceEvent,
    PoissonSampled,
    Repeated,
    Sequence,
    WithinEpsilon,
)
from dpcore.units import Neighbouring

__all__ = [
    "composed", "deviation", "distribution", "epsilon_at", "epsilons_at", "fine_distribution", "is_feasible",
    "is_sampled_laplace", "largest_loss", "leaves", "merged", "pair",
]  # fmt: skip

_LARGEST_LOSS = 600.0  # of one event: e^700 overflows
_FAR = 10.0  # standard deviations: where a grid ends
_MOST_POINTS = 8e6  # of a grid
_REACH = {"add_remove": 1, "replace_one": 2}


def fine_distribution(event: Event, *, neighbouring: Neighbouring, rough: float) -> Any:
    """Return a privacy loss distribution of an event on a fine grid, for `epsilon_at`.

    The ε that `epsilon_at` computes from it is an upper bound, at most about 0.02 % too large. ``rough`` is an
    estimate of this ε and determines the spacing of the grid. The bound is valid for any estimate.
    """
    return distribution(event, neighbouring=neighbouring, width=_width(event, rough))


def epsilon_at(loss: Any, delta: float) -> float:
    """Return the ε at δ of a privacy loss distribution, for the worse of the two orders of the data sets."""
    return float(epsilons_at(loss, np.array([delta]))[0])


def epsilons_at(loss: Any, deltas: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the results (n,) of `epsilon_at` for n values of δ."""
    orders = [loss._pmf_remove] if loss._symmetric else [loss._pmf_remove, loss._pmf_add]
    worst: NDArray[np.float64] = np.max([_epsilons_of(pmf, deltas) for pmf in orders], axis=0)
    return worst


def _epsilons_of(pmf: Any, deltas: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the smallest ε (n,) for each of n values of δ, for one order of the data sets.

    At a grid point ε, δ(ε) is the mass of all larger losses minus e^ε times the mass of these losses under the other
    data set. The function computes δ(ε) at all grid points and inverts it between them.
    """
    from scipy.signal import (
        lfilter,
    )  # slow to import (scipy.stats comes with it), and seldom needed

    width, top = pmf._discretization, (pmf._lower_loss + len(pmf._probs)) * pmf._discretization
    down = pmf._probs[::-1]
    likely = np.cumsum(down) + pmf._infinity_mass
    fall = math.exp(-width)
    rare = lfilter([fall], [1.0, -fall], down)  # Σ_j p_j e^{l_i - l_j} with l_i one below the last
    grown = np.maximum.accumulate(likely - rare)
    firsts = np.searchsorted(grown, deltas, side="right")
    epsilons = np.full(len(deltas), math.inf)
    for n, (first, delta) in enumerate(zip(firsts, deltas, strict=True)):
        if pmf._infinity_mass > delta:
            continue
        if first == len(down):
            epsilons[n] = max(0.0, float(pmf._lower_loss * width - width))
            continue
        # Between the point before it and this one δ(ε) is likely - e^{ε - l} rare.
        log_ratio = math.log((likely[first] - delta) / rare[first])
        epsilons[n] = max(0.0, float(top - (first + 2) * width + log_ratio))
    return epsilons


def is_feasible(event: Event, delta: float, rough: float, *, neighbouring: Neighbouring) -> bool:
    """Return whether the loss distribution of an event can be computed within seconds and in double precision.

    ``rough`` is an upper bound on ε. The Fourier transforms add an error of about 10⁻¹⁶ for each step. The total
    error must be far below δ.
    """
    parts = merged(event)
    if neighbouring == "replace_one" and any(is_sampled_laplace(one) for one, _ in parts):
        return False  # no worst pair is known
    longest = max(largest_loss(one, neighbouring, deviations=_FAR) for one, _ in parts)
    steps = sum(count for _, count in parts)
    points = (2 * rough + longest) / _width(event, rough)
    precise = 2e-16 * steps <= 0.01 * delta and delta >= 1e-13
    return precise and longest <= _LARGEST_LOSS and points <= _MOST_POINTS


def _width(event: Event, rough: float) -> float:
    """Return the spacing of the grid of losses for an event with an ε of about ``rough``.

    Rounding up adds at most one spacing to the loss of a step. The spacing is therefore chosen small compared with ε
    and with the standard deviation of the loss of every step.
    """
    spread = min(deviation(one) for one, _ in merged(event))
    return min(max(2e-4 * rough, min(1e-5, 0.1 * spread)), 1e-2, 0.1 * spread)


def leaves(event: Event, times: int = 1) -> Iterator[tuple[Event, int]]:
    """Yield each elementary event in an event together with the number of its occurrences."""
    match event:
        case Repeated(event=inner, count=count):
            yield from leaves(inner, times * count)
        case Sequence(events=events):
            for one in events:
                yield from leaves(one, times)
        case _:
            yield event, times


def merged(event: Event) -> list[tuple[Event, int]]:
    """Return the elementary events of an event, each with the number of its occurrences.

    Events that occur 0 times are left out. All Gaussian events without subsampling are merged into one.
    """
    parts = [(one, count) for one, count in leaves(event) if count]
    precision = sum(
        n / one.noise_multiplier**2 for one, n in parts if isinstance(one, GaussianEvent)
    )
    if not precision:
        return parts
    rest = [(one, count) for one, count in parts if not isinstance(one, GaussianEvent)]
    return [(GaussianEvent(1 / math.sqrt(precision)), 1), *rest]


def is_sampled_laplace(event: Event) -> bool:
    """Return whether the event is Laplace noise on a Poisson sample."""
    return isinstance(event, PoissonSampled) and isinstance(event.event, LaplaceEvent)


def deviation(event: Event) -> float:
    """Return the approximate standard deviation of the privacy loss of one release.

    The deviation is known for Gaussian and Laplace noise, with or without subsampling, and for mechanisms with a
    discrete loss. For any other event inf is returned.
    """
    match event:
        case FixedSizeSampled(sample_rate=q, event=GaussianEvent(noise_multiplier=sigma)):
            return deviation(PoissonSampled(q, GaussianEvent(sigma / 2)))
        case PoissonSampled(sample_rate=q, event=GaussianEvent(noise_multiplier=sigma)):
            return q * math.sqrt(math.expm1(min(1 / sigma**2, 600.0)))
        case PoissonSampled(sample_rate=q, event=LaplaceEvent(noise_multiplier=scale)):
            return q / scale
        case GaussianEvent(noise_multiplier=scale) | LaplaceEvent(noise_multiplier=scale):
            return 1 / scale
    if isinstance(event, WithinEpsilon):
        return atoms.deviation(event)
    return math.inf


def largest_loss(
    event: Event, neighbouring: Neighbouring, *, deviations: float = math.inf
) -> float:
    """Return an upper bound on the privacy loss of one release.

    Parameters
    ----------
    event : Event
        One release.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the compared data sets.
    deviations : float
        Number of standard deviations at which Gaussian noise is cut off. Without a cut-off (inf), its loss is
        unbounded, and the result is inf.
    """
    reach = _REACH[neighbouring]
    match event:
        case FixedSizeSampled(event=inner):
            return largest_loss(inner, neighbouring, deviations=deviations)
        case PoissonSampled(event=inner):
            return largest_loss(inner, neighbouring, deviations=deviations)
        case GaussianEvent(noise_multiplier=sigma):
            shift = reach / sigma
            return shift * (shift / 2 + deviations)
        case LaplaceEvent(noise_multiplier=scale):
            return reach / scale
    if isinstance(event, WithinEpsilon):
        return event.epsilon
    return math.inf


def distribution(event: Event, *, neighbouring: Neighbouring, width: float) -> Any:
    """Return the privacy loss distribution of an event, with losses rounded up to a grid of spacing ``width``."""
    return composed(merged(event), neighbouring=neighbouring, width=width)


def composed(parts: list[tuple[Event, int]], *, neighbouring: Neighbouring, width: float) -> Any:
    """Return the privacy loss distribution of a composition of elementary events, each repeated by its count."""
    total: Any = None
    for one, count in parts:
        composed = self_composed(_single(one, neighbouring, width), count)
        total = composed if total is None else total.compose(composed)
    return _nothing(width) if total is None else total


def _nothing(width: float) -> Any:
    from dp_accounting.pld import privacy_loss_distribution as library

    return library.identity(value_discretization_interval=width)


def _single(event: Event, neighbouring: Neighbouring, width: float) -> Any:
    """Return the privacy loss distribution of a single release."""
    if isinstance(event, WithinEpsilon):
        return losses.discrete(*atoms.atoms(event), width)
    if isinstance(event, FixedSizeSampled):
        return fixed_size.distribution(event, width)
    return losses.from_above(pair(event, neighbouring), width)


def pair(event: Event, neighbouring: Neighbouring, **far: float) -> losses.Pair:
    """Return the pair of output distributions of one noisy release on the worst neighbouring data sets.

    For Gaussian noise, the keyword ``far`` is the number of standard deviations at which the grid of losses ends.
    """
    reach = _REACH[neighbouring]
    match event:
        case LaplaceEvent(noise_multiplier=scale):
            return losses.laplace(scale / reach, 1.0)
        case GaussianEvent(noise_multiplier=sigma):
            return losses.gaussian(sigma / reach, 1.0, **far)
        case PoissonSampled(sample_rate=q, event=GaussianEvent(noise_multiplier=sigma)):
            step = losses.replaced_gaussian if reach == 2 else losses.gaussian
            return step(sigma, q, **far)
        case PoissonSampled(sample_rate=q, event=LaplaceEvent(noise_multiplier=scale)) if (
            reach == 1
        ):
            return losses.laplace(scale, q)
    raise TypeError(f"no account of {event} where a record is replaced")


def refuse_added(event: Event, neighbouring: Neighbouring) -> None:
    """Raise a ValueError if an event has lots (batches) of a fixed size and the neighbouring relation is add_remove.

    Accountants accept such events only under replace_one.
    """
    if neighbouring != "replace_one" and is_fixed(event, any):
        raise ValueError(
            f"neighbouring={neighbouring!r} does not go with lots of a fixed size, which make the number "
            "of records public: use 'replace_one', or Poisson lots."
        )


def is_fixed(event: Event, which: Callable[[Iterator[bool]], bool]) -> bool:
    """Return whether any (or every) elementary event in an event uses lots (batches) of a fixed size.

    ``which`` is the built-in function `any` or `all`.
    """
    return which(isinstance(one, FixedSizeSampled) for one, _ in leaves(event))


def is_free(event: Event) -> bool:
    """Return whether an event releases nothing, because it is repeated 0 times or is an empty sequence."""
    return not any(count for _, count in leaves(event))


def is_open(event: Event) -> bool:
    """Return whether an event contains a release without noise; such a release has an infinite ε."""
    match event:
        case Repeated(event=inner, count=count):
            return count > 0 and is_open(inner)
        case Sequence(events=events):
            return any(is_open(one) for one in events)
        case PoissonSampled(event=inner) | FixedSizeSampled(event=inner):
            return is_open(inner)
        case GaussianEvent(noise_multiplier=sigma):
            return math.isclose(sigma, 0.0, abs_tol=1e-12)
    return False
