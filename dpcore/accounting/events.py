"""Privacy events, which are immutable descriptions of noisy releases; accountants compute ε from them."""

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
    """Release with Gaussian noise.

    ``noise_multiplier`` ≥ 0 is the standard deviation of the noise divided by the L2 sensitivity.

    See Also
    --------
    LaplaceEvent, PoissonSampled, spent
    """

    noise_multiplier: float

    def __post_init__(self) -> None:
        _checks.number("noise_multiplier", self.noise_multiplier, low=0)


@dataclass(frozen=True)
class LaplaceEvent:
    """Release with Laplace noise.

    ``noise_multiplier`` > 0 is the scale of the noise divided by the L1 sensitivity.

    See Also
    --------
    GaussianEvent, Pure, spent
    """

    noise_multiplier: float

    def __post_init__(self) -> None:
        _checks.number("noise_multiplier", self.noise_multiplier, low=0, open_low=True)


@dataclass(frozen=True)
class Pure:
    """Release by any ε-DP mechanism, with ε = ``epsilon`` > 0.

    The privacy cost is computed as for randomized response, the worst ε-DP mechanism.

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
    """Release of one of m options by randomized response.

    The true option is released with probability e^ε/(e^ε + m - 1); all other options are equally likely. ``epsilon``
    > 0 is ε. As in all events with an ε, it holds under the neighbouring relation in use. ``n_options`` is m ≥ 2.

    The loss is ε or -ε if the output is the true option under one of the two data sets, and 0 otherwise. For m = 2
    the loss equals the loss of `Pure`.

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
    """Release with staircase noise, with ε = ``epsilon`` > 0.

    The density of the noise is a step function. Let Δ be the sensitivity and γ = 1/(1 + e^{ε/2}). At the distances
    γΔ, (1 + γ)Δ, (2 + γ)Δ, ... from zero, the density drops by the factor e^ε. Every interval of distances of length
    Δ contains one such drop. If two exact results differ by at most Δ, the loss is therefore ε, 0 or -ε. The worst
    case is a difference of Δ, because the loss ε is then most probable.

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
    """Release of an integer with discrete Laplace noise z, where P(z) ∝ e^{-ε|z|/Δ}.

    ``epsilon`` is ε > 0. ``sensitivity`` is Δ, an integer ≥ 1. For Δ = 1 the loss equals the loss of `Pure`.

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
    """Choice by the exponential mechanism, with ε = ``epsilon`` > 0.

    One record changes the probability of an option by a factor from e^{-ε} to e^ε. The losses lie in an interval of
    length ε that contains 0 (bounded range). A single choice may therefore reveal less than a `Pure` release.
    Accountants treat choices, which may be adaptive, like `Pure` releases, and this gives an upper bound.

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
    """Release computed on a Poisson sample of the records.

    Every record joins the sample with probability ``sample_rate`` in (0, 1].

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
    """Release with Gaussian noise, computed on a random lot (batch) of exactly L of N records.

    Each release draws a new lot, without replacement. ``sample_rate`` is L/N in (0, 1]. Accountants accept the event
    only under replace_one, where N is public. ``event.noise_multiplier`` is the standard deviation of the noise
    divided by the clipping norm C, which is the largest contribution of one record.

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
    """Composition of ``count`` ≥ 0 adaptive repetitions of one event on the same data.

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
"""Events whose privacy loss is at most their ``epsilon``, under the neighbouring relation in use."""

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
    """Return an event applied to a Poisson sample of the records, or the event itself if the sampling rate is 1.

    >>> sampled(LaplaceEvent(2.0), 1.0)
    LaplaceEvent(noise_multiplier=2.0)

    See Also
    --------
    PoissonSampled
    """
    return event if sample_rate == 1 else PoissonSampled(sample_rate, event)
