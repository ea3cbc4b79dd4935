"""Privacy events: frozen descriptions of noisy releases, which accountants turn into ε."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore import _checks

__all__ = [
    "Event",
    "ExponentialEvent",
    "FixedSizeSampled",
    "GaussianEvent",
    "Geometric",
    "LaplaceEvent",
    "PoissonSampled",
    "Pure",
    "RandomizedResponseEvent",
    "Repeated",
    "Sequence",
    "StaircaseEvent",
    "WithinEpsilon",
    "sampled",
]


@dataclass(frozen=True)
class GaussianEvent:
    """Gaussian noise; ``noise_multiplier`` = standard deviation over L2 sensitivity, ≥ 0.

    See Also
    --------
    LaplaceEvent, PoissonSampled, spent
    """

    noise_multiplier: float

    def __post_init__(self) -> None:
        _checks.number("noise_multiplier", self.noise_multiplier, low=0)


@dataclass(frozen=True)
class LaplaceEvent:
    """Laplace noise; ``noise_multiplier`` = scale over L1 sensitivity, > 0.

    See Also
    --------
    GaussianEvent, Pure, spent
    """

    noise_multiplier: float

    def __post_init__(self) -> None:
        _checks.number("noise_multiplier", self.noise_multiplier, low=0, open_low=True)


@dataclass(frozen=True)
class Pure:
    """Any ε-DP mechanism, accounted for as the worst one (randomized response); ``epsilon`` > 0.

    See Also
    --------
    LaplaceEvent, optimal

    References
    ----------
    P. Kairouz, S. Oh and P. Viswanath, "The composition theorem for differential privacy", ICML,
    2015.
    """

    epsilon: float

    def __post_init__(self) -> None:
        _checks.number("epsilon", self.epsilon, low=0, open_low=True)


@dataclass(frozen=True)
class RandomizedResponseEvent:
    """Randomized response among ``n_options`` = m ≥ 2, true with probability e^ε/(e^ε + m - 1); ``epsilon`` > 0.

    The loss is ε or -ε if the output is the true answer under one of the data sets, else 0. With
    two options this equals `Pure`. ``epsilon`` refers to the neighbouring relation in use, as in
    all events with an ε.

    See Also
    --------
    Pure, dpcore.mechanisms.RandomizedResponse

    References
    ----------
    S. L. Warner, "Randomized response: a survey technique for eliminating evasive answer bias",
    Journal of the American Statistical Association 60, 1965.
    """

    epsilon: float
    n_options: int = 2

    def __post_init__(self) -> None:
        _checks.number("epsilon", self.epsilon, low=0, open_low=True)
        _checks.integer("n_options", self.n_options, low=2)


@dataclass(frozen=True)
class StaircaseEvent:
    """Staircase noise with steps at γ = 1/(1 + e^{ε/2}) of the sensitivity; ``epsilon`` > 0.

    The density falls by e^ε once every Δ. Two values at most Δ apart therefore have losses of ε, 0
    and -ε only, and ε has the largest probability at the distance Δ, the worst case.

    See Also
    --------
    LaplaceEvent, dpcore.mechanisms.Staircase

    References
    ----------
    Q. Geng and P. Viswanath, "The optimal mechanism in differential privacy", ISIT, 2014.
    """

    epsilon: float

    def __post_init__(self) -> None:
        _checks.number("epsilon", self.epsilon, low=0, open_low=True)


@dataclass(frozen=True)
class Geometric:
    """Discrete Laplace noise on an integer: P(z) ∝ e^{-ε|z|/Δ}; ``epsilon`` > 0.

    ``sensitivity`` Δ ≥ 1 is a whole number. At Δ = 1 the loss is that of `Pure`.

    See Also
    --------
    LaplaceEvent, StaircaseEvent

    References
    ----------
    A. Ghosh, T. Roughgarden and M. Sundararajan, "Universally utility-maximizing privacy mechanisms",
    SIAM Journal on Computing 41(6), 2012.
    """

    epsilon: float
    sensitivity: int = 1

    def __post_init__(self) -> None:
        _checks.number("epsilon", self.epsilon, low=0, open_low=True)
        _checks.integer("sensitivity", self.sensitivity, low=1, high=10_000)


@dataclass(frozen=True)
class ExponentialEvent:
    """Exponential mechanism whose probabilities change by a factor of at most e^{±ε}; ``epsilon`` > 0.

    Its losses lie in an interval of length ε that contains 0 (bounded range), so a single choice
    reveals less than `Pure` can. Choices that depend on earlier ones are accounted for as `Pure`,
    an upper bound.

    See Also
    --------
    Pure, dpcore.mechanisms.Exponential

    References
    ----------
    F. McSherry and K. Talwar, "Mechanism design via differential privacy", FOCS, 2007.
    J. Dong, D. Durfee and R. Rogers, "Optimal differential privacy composition for exponential
    mechanisms", ICML, 2020.
    """

    epsilon: float

    def __post_init__(self) -> None:
        _checks.number("epsilon", self.epsilon, low=0, open_low=True)


@dataclass(frozen=True)
class PoissonSampled:
    """Event on a Poisson sample, which each record joins with probability ``sample_rate`` in (0, 1].

    See Also
    --------
    sampled, FixedSizeSampled

    References
    ----------
    B. Balle, G. Barthe and M. Gaboardi, "Privacy amplification by subsampling: tight analyses via
    couplings and divergences", NeurIPS, 2018.
    """

    sample_rate: float
    event: GaussianEvent | LaplaceEvent

    def __post_init__(self) -> None:
        _checks.number("sample_rate", self.sample_rate, low=0, high=1, open_low=True)


@dataclass(frozen=True)
class FixedSizeSampled:
    """Gaussian noise on a uniformly drawn lot of exactly L of N records; ``sample_rate`` = L/N in (0, 1].

    The lot is drawn anew each time, without replacement; accounted for under replace_one only, with
    N public. ``event.noise_multiplier`` is, as in other events, the noise over the maximum
    contribution of one record (C).

    See Also
    --------
    PoissonSampled, dpcore.sgd.fixed_lots

    References
    ----------
    B. Balle, G. Barthe and M. Gaboardi, "Privacy amplification by subsampling: tight analyses via
    couplings and divergences", NeurIPS, 2018.
    """

    sample_rate: float
    event: GaussianEvent

    def __post_init__(self) -> None:
        _checks.number("sample_rate", self.sample_rate, low=0, high=1, open_low=True)


@dataclass(frozen=True)
class Repeated:
    """``count`` ≥ 0 adaptive repetitions of one event on the same data.

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
    """Adaptive composition of several events on the same data.

    See Also
    --------
    Repeated, spent
    """

    events: tuple[Event, ...]


WithinEpsilon = Pure | RandomizedResponseEvent | StaircaseEvent | Geometric | ExponentialEvent
"""Events whose losses stay within an ε, that of the relation which is asked about."""

Event = (
    GaussianEvent
    | LaplaceEvent
    | WithinEpsilon
    | PoissonSampled
    | FixedSizeSampled
    | Repeated
    | Sequence
)


def sampled(event: GaussianEvent | LaplaceEvent, sample_rate: float) -> Event:
    """Return the event on a Poisson sample, or the event itself at rate 1.

    >>> sampled(LaplaceEvent(2.0), 1.0)
    LaplaceEvent(noise_multiplier=2.0)

    See Also
    --------
    PoissonSampled
    """
    return event if sample_rate == 1 else PoissonSampled(sample_rate, event)
