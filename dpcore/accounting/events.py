"""What happened: small frozen events that the accountants turn into a cost."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore import _checks

__all__ = [
    "Event",
    "FixedSizeSampled",
    "Gaussian",
    "Laplace",
    "PoissonSampled",
    "Pure",
    "Repeated",
    "Sequence",
    "sampled",
]


@dataclass(frozen=True)
class Gaussian:
    """Gaussian noise; ``noise_multiplier`` = standard deviation over L2 sensitivity, ≥ 0.

    See Also
    --------
    Laplace, PoissonSampled, spent
    """

    noise_multiplier: float

    def __post_init__(self) -> None:
        _checks.number("noise_multiplier", self.noise_multiplier, low=0)


@dataclass(frozen=True)
class Laplace:
    """Laplace noise; ``noise_multiplier`` = scale over L1 sensitivity, > 0.

    See Also
    --------
    Gaussian, Pure, spent
    """

    noise_multiplier: float

    def __post_init__(self) -> None:
        _checks.number("noise_multiplier", self.noise_multiplier, low=0, open_low=True)


@dataclass(frozen=True)
class Pure:
    """Any ε-DP mechanism, accounted for as the worst there is (randomized response); ``epsilon`` > 0.

    See Also
    --------
    Laplace, optimal

    References
    ----------
    P. Kairouz, S. Oh and P. Viswanath, "The composition theorem for differential privacy", ICML,
    2015.
    """

    epsilon: float

    def __post_init__(self) -> None:
        _checks.number("epsilon", self.epsilon, low=0, open_low=True)


@dataclass(frozen=True)
class PoissonSampled:
    """An event on a sample that every record joins with probability ``sample_rate`` in (0, 1].

    See Also
    --------
    sampled, FixedSizeSampled

    References
    ----------
    B. Balle, G. Barthe and M. Gaboardi, "Privacy amplification by subsampling: tight analyses via
    couplings and divergences", NeurIPS, 2018.
    """

    sample_rate: float
    event: Gaussian | Laplace

    def __post_init__(self) -> None:
        _checks.number("sample_rate", self.sample_rate, low=0, high=1, open_low=True)


@dataclass(frozen=True)
class FixedSizeSampled:
    """A Gaussian on a uniformly random lot of exactly L of N records: ``sample_rate`` = L/N in (0, 1].

    Drawn anew each time, without replacement; accounted for under replace_one alone, with N public.
    ``event.noise_multiplier`` is, as everywhere, the noise over what one record can add (C).

    See Also
    --------
    PoissonSampled, dpcore.sgd.fixed_lots

    References
    ----------
    B. Balle, G. Barthe and M. Gaboardi, "Privacy amplification by subsampling: tight analyses via
    couplings and divergences", NeurIPS, 2018.
    """

    sample_rate: float
    event: Gaussian

    def __post_init__(self) -> None:
        _checks.number("sample_rate", self.sample_rate, low=0, high=1, open_low=True)


@dataclass(frozen=True)
class Repeated:
    """The same event ``count`` ≥ 0 times, on the same data, adaptively.

    See Also
    --------
    Sequence, spent
    """

    event: Event
    count: int

    def __post_init__(self) -> None:
        _checks.integer("count", self.count, low=0)


@dataclass(frozen=True)
class Sequence:
    """Several events one after the other, on the same data, adaptively.

    See Also
    --------
    Repeated, spent
    """

    events: tuple[Event, ...]


Event = Gaussian | Laplace | Pure | PoissonSampled | FixedSizeSampled | Repeated | Sequence


def sampled(event: Gaussian | Laplace, sample_rate: float) -> Event:
    """Return the event on a Poisson sample, or the event itself when everybody takes part (rate 1).

    >>> sampled(Laplace(2.0), 1.0)
    Laplace(noise_multiplier=2.0)

    See Also
    --------
    PoissonSampled
    """
    return event if sample_rate == 1 else PoissonSampled(sample_rate, event)
