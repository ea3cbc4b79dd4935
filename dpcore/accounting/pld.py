"""Privacy loss distributions through dp-accounting: the tight account behind every printed ε."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from dpcore.accounting import fixed_size
from dpcore.accounting.events import (
    Event,
    FixedSizeSampled,
    Gaussian,
    Laplace,
    PoissonSampled,
    Pure,
    Repeated,
    Sequence,
)
from dpcore.guarantee import Neighbouring

__all__ = ["distribution", "epsilon", "is_feasible", "leaves"]

_LARGEST_LOSS = 600.0  # of one event: e^700 overflows
_MOST_POINTS = 8e6  # of a grid
_MANY = 10_000  # times


def epsilon(event: Event, delta: float, *, neighbouring: Neighbouring, rough: float) -> float:
    """Return an upper bound on the ε of an event at δ, tight to about 0.02 %.

    Parameters
    ----------
    event : Event
        What happened.
    delta : float
        δ in (0, 1).
    neighbouring : "add_remove" or "replace_one"
        Which data sets are compared.
    rough : float
        A rough idea of the answer; it sets the width of the discretisation, not its side.

    Returns
    -------
    float
        Rounded pessimistically: never below the true ε.
    """
    found = distribution(event, neighbouring=neighbouring, width=_width(event, rough))
    return float(found.get_epsilon_for_delta(delta))


def is_feasible(event: Event, delta: float, rough: float, *, neighbouring: Neighbouring) -> bool:
    """Whether a distribution answers within a few seconds and to double precision.

    ``rough`` is a bound on the answer. The Fourier transforms err by about 10⁻¹⁶ for each of T steps,
    which has to be far below δ.
    """
    parts = list(leaves(event))
    replaced = neighbouring == "replace_one"
    if replaced and any(_is_sampled_laplace(one) for one, _ in parts):
        return False  # not in the library
    longest = max(_largest_loss(one) for one, _ in parts) * (2 if replaced else 1)
    steps = sum(count for _, count in parts)
    points = (2 * rough + longest) / _width(event, rough)
    precise = 2e-16 * steps <= 0.01 * delta and delta >= 1e-13
    return precise and longest <= _LARGEST_LOSS and points <= _MOST_POINTS


def _width(event: Event, rough: float) -> float:
    """The width of the grid: fine enough for the answer, and for the losses of many small steps.

    Rounding a loss up to the grid costs up to a width each time; over T steps that stays small only
    when the width is small beside one step's standard deviation.
    """
    spread = min(_deviation(one) for one, count in leaves(event) if count)
    return min(max(2e-4 * rough, min(1e-5, 0.1 * spread)), 1e-2, 0.1 * spread)


def leaves(event: Event, times: int = 1) -> Iterator[tuple[Event, int]]:
    """Yield the single events and how often each happens."""
    match event:
        case Repeated(event=inner, count=count):
            yield from leaves(inner, times * count)
        case Sequence(events=events):
            for one in events:
                yield from leaves(one, times)
        case _:
            yield event, times


def _is_sampled_laplace(event: Event) -> bool:
    return isinstance(event, PoissonSampled) and isinstance(event.event, Laplace)


def _deviation(event: Event) -> float:
    """About the standard deviation of the privacy loss of one event; inf where it does not matter."""
    match event:
        case FixedSizeSampled(sample_rate=q, event=Gaussian(noise_multiplier=sigma)):
            return _deviation(PoissonSampled(q, Gaussian(sigma / 2)))
        case PoissonSampled(sample_rate=q, event=Gaussian(noise_multiplier=sigma)):
            return q * math.sqrt(math.expm1(min(1 / sigma**2, 600.0)))
        case PoissonSampled(sample_rate=q, event=Laplace(noise_multiplier=scale)):
            return q / scale
        case Gaussian(noise_multiplier=scale) | Laplace(noise_multiplier=scale):
            return 1 / scale
        case Pure(epsilon=epsilon):
            return epsilon
    return math.inf


def _largest_loss(event: Event) -> float:
    """A bound on the loss of one event, but for about 10⁻¹⁵ of its mass."""
    match event:
        case FixedSizeSampled(event=Gaussian(noise_multiplier=sigma)):
            return _largest_loss(Gaussian(sigma / 2))
        case PoissonSampled(event=inner):
            return _largest_loss(inner)
        case Gaussian(noise_multiplier=sigma):
            return 1 / (2 * sigma**2) + 8 / sigma
        case Laplace(noise_multiplier=scale):
            return 1 / scale
        case Pure(epsilon=epsilon):
            return epsilon
    return math.inf


def distribution(event: Event, *, neighbouring: Neighbouring, width: float) -> Any:
    """Return the privacy loss distribution of an event (pessimistic, grid of this width)."""
    from dp_accounting import NeighboringRelation
    from dp_accounting.pld import PLDAccountant

    relation = {
        "add_remove": NeighboringRelation.ADD_OR_REMOVE_ONE,
        "replace_one": NeighboringRelation.REPLACE_ONE,
    }[neighbouring]
    accountant = PLDAccountant(relation, value_discretization_interval=width)
    accountant.compose(_translated(event, neighbouring))
    found = accountant._pld
    for one, count in leaves(event):
        if isinstance(one, FixedSizeSampled) and count:
            found = found.compose(fixed_size.distribution(one, width).self_compose(count))
        elif count and isinstance(one, Laplace) and neighbouring == "replace_one":
            found = found.compose(_laplace(one, width).self_compose(count))
        elif _is_many(one, count):
            single = PLDAccountant(relation, value_discretization_interval=width)
            single.compose(_translated(one, neighbouring))
            found = found.compose(_dense(single._pld).self_compose(count))
    for epsilon, count in _pure(event, 1):
        found = found.compose(_coin(epsilon, width).self_compose(count))
    return found


def _is_many(event: Event, count: int) -> bool:
    """Whether the library's own bookkeeping of a sparse grid would take minutes (its size to the T)."""
    return count >= _MANY and isinstance(event, PoissonSampled | Laplace)


def _dense(found: Any) -> Any:
    from dp_accounting.pld import privacy_loss_distribution as library

    remove = found._pmf_remove.to_dense_pmf()
    if found._symmetric:
        return library.PrivacyLossDistribution(remove)
    return library.PrivacyLossDistribution(remove, found._pmf_add.to_dense_pmf())


def _pure(event: Event, times: int) -> Iterator[tuple[float, int]]:
    """The mechanisms of which ε alone is known, and how often each happens."""
    match event:
        case Pure(epsilon=epsilon):
            yield epsilon, times
        case Repeated(event=inner, count=count):
            yield from _pure(inner, times * count)
        case Sequence(events=events):
            for one in events:
                yield from _pure(one, times)


def _is_replaced_laplace(event: Event, neighbouring: Neighbouring) -> bool:
    return isinstance(event, Laplace) and neighbouring == "replace_one"


def _laplace(event: Laplace, width: float) -> Any:
    """Laplace noise where a record is replaced: twice the sensitivity. The library does not take it."""
    from dp_accounting.pld import privacy_loss_distribution as library

    return _dense(
        library.from_laplace_mechanism(
            event.noise_multiplier, sensitivity=2, value_discretization_interval=width
        )
    )


def _coin(epsilon: float, width: float) -> Any:
    """Binary randomized response, the worst of all ε-DP mechanisms for whatever neighbours.

    The library takes it for replaced records alone; as a pair of distributions it serves both.
    """
    from dp_accounting import NeighboringRelation
    from dp_accounting.pld import privacy_loss_distribution as library

    return library.from_randomized_response(
        2 / (1 + math.exp(epsilon)),  # how often a fair coin stands in for the truth
        2,
        value_discretization_interval=width,
        neighboring_relation=NeighboringRelation.REPLACE_ONE,
    )


def _translated(event: Event, neighbouring: Neighbouring) -> Any:
    """The library's event, without what is composed apart: see `distribution`."""
    import dp_accounting as dpa

    parts = [
        dpa.SelfComposedDpEvent(_single(one), count)
        for one, count in leaves(event)
        if count
        and not _is_many(one, count)
        and not isinstance(one, FixedSizeSampled)
        and not _is_replaced_laplace(one, neighbouring)
    ]
    return dpa.ComposedDpEvent(parts)


def _single(event: Event) -> Any:
    import dp_accounting as dpa

    match event:
        case Laplace(noise_multiplier=scale):
            return dpa.LaplaceDpEvent(scale)
        case Gaussian(noise_multiplier=sigma):
            return dpa.GaussianDpEvent(sigma)
        case Pure():
            return dpa.NoOpDpEvent()  # composed apart, see _pure
        case PoissonSampled(sample_rate=q, event=inner):
            return dpa.PoissonSampledDpEvent(q, _single(inner))
    raise TypeError(f"no account of {type(event).__name__}")


def refuse_added(event: Event, neighbouring: Neighbouring) -> None:
    """Raise a ValueError when lots of a fixed size are asked about an added or removed record."""
    if neighbouring != "replace_one" and is_fixed(event, any):
        raise ValueError(
            f"neighbouring={neighbouring!r} does not go with lots of a fixed size, which make the number "
            "of records public: use 'replace_one', or Poisson lots."
        )


def is_fixed(event: Event, which: Callable[[Iterator[bool]], bool]) -> bool:
    """Whether any (or all) of what happens is on lots of a fixed size."""
    return which(isinstance(one, FixedSizeSampled) for one, _ in leaves(event))


def is_free(event: Event) -> bool:
    """Whether the event is nothing at all (repeated zero times, an empty sequence)."""
    return not any(count for _, count in leaves(event))


def is_open(event: Event) -> bool:
    """Whether the event contains a release without noise: its ε is infinite."""
    match event:
        case Repeated(event=inner, count=count):
            return count > 0 and is_open(inner)
        case Sequence(events=events):
            return any(is_open(one) for one in events)
        case PoissonSampled(event=inner) | FixedSizeSampled(event=inner):
            return is_open(inner)
        case Gaussian(noise_multiplier=sigma):
            return math.isclose(sigma, 0.0, abs_tol=1e-12)
    return False
