"""Additive noise mechanisms for a number: base class, Laplace noise and Gaussian noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri, ndtri_exp

from dpcore import _checks, _draws
from dpcore._types import Floats
from dpcore.guarantee import Guarantee, Neighbouring, Part, from_event
from dpcore.mechanisms import calibration

if TYPE_CHECKING:
    from dpcore.accounting.events import Event

__all__ = ["Additive", "Gaussian", "Laplace"]


_LARGEST_GROUP = 10_000

_LEAST = 2.0**-54  # replaces the uniform number 0, whose quantile is infinite


@dataclass(frozen=True, kw_only=True)
class Additive:
    """Base class of mechanisms that clamp a number f(D) to public bounds and add noise b·Z.

    b is the scale of the noise. Z is noise of scale 1, with a distribution that subclasses define.

    Parameters
    ----------
    epsilon : float
        ε > 0; inf adds no noise.
    sensitivity : float
        Δ ≥ 0, the largest change of f by one record; 0 adds no noise.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation for which the sensitivity is computed.
    bounds : (low, high)
        Public constants to which f(D) is clamped. They must not be taken from the data.

    See Also
    --------
    Laplace, Gaussian, Staircase

    References
    ----------
    C. Dwork, F. McSherry, K. Nissim and A. Smith, "Calibrating noise to sensitivity in private data
    analysis", TCC, 2006.
    """

    epsilon: float
    sensitivity: float = 1.0
    neighbouring: Neighbouring = "add_remove"
    bounds: tuple[float, float] = (-math.inf, math.inf)
    scale: float = field(init=False)
    name: ClassVar[str] = ""

    def __post_init__(self) -> None:
        _checks.epsilon(self.epsilon)
        _checks.number("sensitivity", self.sensitivity, low=0)
        _checks.one_of("neighbouring", self.neighbouring, ("add_remove", "replace_one"))
        low, high = self.bounds
        if not low <= high:
            raise ValueError(
                f"bounds={self.bounds!r} are not allowed: give (low, high), low ≤ high."
            )
        object.__setattr__(self, "scale", self._scale())
        if not math.isfinite(self.scale):
            raise ValueError(
                f"epsilon={self.epsilon!r} with sensitivity={self.sensitivity!r} asks for more noise than "
                "a float can hold: give a larger epsilon or a smaller sensitivity."
            )

    def _scale(self) -> float:
        raise NotImplementedError

    @property
    def exact(self) -> bool:
        """Whether the output has no noise: the sensitivity is 0 or ε is inf."""
        return self.scale == 0

    def density(self, x: ArrayLike, value: float = 0.0) -> NDArray[np.float64]:
        """Return the density of the output at x (any shape), given the exact result ``value``.

        Without noise it is inf at the value and 0 elsewhere.
        """
        away = np.asarray(x, float) - float(np.clip(value, *self.bounds))
        if self.exact:
            return np.where(away == 0, np.inf, 0.0)
        return self._unit_density(away / self.scale) / self.scale

    def quantile(self, u: ArrayLike) -> NDArray[np.float64]:
        """Return the quantile of the noise at probabilities u in (0, 1), any shape.

        For uniformly random u, the quantile is a draw of the noise. The same u at another ε gives the same draw at
        another scale.
        """
        return self.scale * self._unit_quantile(np.asarray(u, float))

    def sample(self, value: ArrayLike, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return one noisy output for every value (any shape), for display only.

        The noise is drawn from ``rng``.

        Raises
        ------
        ValueError
            When a value is NaN, or is infinite after clamping, because noise cannot hide such a value.
        """
        values = np.asarray(value, float)
        if np.isnan(values).any():
            raise ValueError(
                "value holds nan, which noise cannot hide: put a public number in its place."
            )
        clipped_values = np.clip(values, *self.bounds)
        if not np.isfinite(clipped_values).all():
            raise ValueError(
                "value holds an infinite number, which noise cannot hide: give finite bounds, to which "
                "values are put."
            )
        noise = self._noise(rng, clipped_values.shape)
        # Post-processing: numbers beyond the float range become the largest float.
        with np.errstate(over="ignore"):
            return cast(Floats, np.nan_to_num(clipped_values + noise))

    def _noise(self, rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """Draw noise of the given shape.

        The noise is the quantile function at a uniform random number. Uniform float64 numbers are too coarse near 0
        and 1. There an exponential draw replaces the magnitude of the noise, but not its sign.
        """
        u = np.asarray(np.maximum(rng.random(shape), _LEAST))
        noise = np.asarray(self.quantile(u))
        far = np.minimum(u, 1 - u) < _draws.RARE
        if far.any():
            log_rest = math.log(2 * _draws.RARE) - _draws.exponential(rng, int(far.sum()))
            beyond = self._unit_magnitude(log_rest)
            noise[far] = np.sign(u[far] - 0.5) * self.scale * beyond
        return noise

    def variance(self) -> float:
        """Return the variance of the noise, in squared units of the output."""
        return self.scale**2 * self._unit_variance

    def mean_error(self) -> float:
        """Return E|noise|, the mean absolute error of one output."""
        return self.scale * self._unit_error

    def shift(self, group: int = 1) -> float:
        """Return kΔ/b, the largest change of f by k records in units of the noise scale b.

        k is ``group``, from 1 to 10,000. Without noise the result is inf. If the sensitivity is 0, the result is 0.
        """
        _checks.integer("group", group, low=1, high=_LARGEST_GROUP)
        if not self.sensitivity:
            return 0.0
        return math.inf if self.exact else group * self.sensitivity / self.scale

    @property
    def event(self) -> Event:
        """Privacy event of one output, under the mechanism's neighbouring relation.

        Its noise multiplier is the noise scale divided by the contribution of one record. Under replace_one
        accountants count two contributions, those of the old and the new record. Together they change f by the
        sensitivity Δ, so the contribution is Δ/2.
        """
        from dpcore.accounting.events import GaussianEvent, Sequence

        if not self.sensitivity:
            return Sequence(())
        return GaussianEvent(0.0) if self.exact else self._event()

    def _event(self) -> Event:
        raise NotImplementedError

    @property
    def _noise_multiplier(self) -> float:
        return (2 if self.neighbouring == "replace_one" else 1) * self.scale / self.sensitivity

    def delta_at(self, epsilon: float, group: int = 1) -> float:
        """Return the exact δ(ε) = sup_S (P(S) - e^ε P'(S)) of one output.

        P and P' are the distributions of the output on the worst two data sets that differ in up to k records
        (``group``). S is any set of outputs.
        """
        eps = _checks.number("epsilon", epsilon, low=0)
        _checks.integer("group", group, low=1, high=_LARGEST_GROUP)
        if not self.sensitivity:
            return 0.0
        return 1.0 if self.exact else self._delta(eps, group)

    def type_two_error(self, alpha: ArrayLike, group: int = 1) -> NDArray[np.float64]:
        """Return the smallest miss rate β of any test with the false-alarm rate α.

        The test decides between the worst two data sets D and D' from one output.

        Parameters
        ----------
        alpha : array (...)
            α in [0, 1].
        group : int
            Number of records in which D and D' differ.

        Returns
        -------
        ndarray (...)
            β in [0, 1 - α], the trade-off function (Dong, Roth and Su 2022).
        """
        a = np.asarray(alpha, float)
        _checks.integer("group", group, low=1, high=_LARGEST_GROUP)
        if not self.sensitivity:
            return 1 - a
        return np.zeros_like(a) if self.exact else self._miss(a, group)

    @property
    def privacy(self) -> Guarantee:
        """Privacy guarantee of one output."""
        return self._guarantee(
            self.epsilon if self.sensitivity else 0.0,
            0.0,
            "the ratio of the two densities is at most e^ε",
        )

    def _guarantee(self, epsilon: float, delta: float, why: str) -> Guarantee:
        mechanism = f"{self.name}, scale {self.scale:.3g}"
        return from_event(
            self.event,
            delta,
            calibrated_epsilon=epsilon,
            neighbouring=self.neighbouring,
            argument=f"{self.name} noise on a number of sensitivity {self.sensitivity:g}: {why}.",
            public=("the question asked, its sensitivity, ε and δ", "the bounds of the values"),
            not_protected=(
                "facts about a population that hold with or without one record",
                "further releases from the same data: they add up",
            ),
            parts=(Part(name="one output", epsilon=epsilon, delta=delta, mechanism=mechanism),),
            claimed_epsilon=self.epsilon,
        )

    _unit_variance: ClassVar[float]
    _unit_error: ClassVar[float]

    def _unit_density(self, z: NDArray[np.float64]) -> NDArray[np.float64]:
        raise NotImplementedError

    def _unit_quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        raise NotImplementedError

    def _unit_magnitude(self, log_rest: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the magnitude t ≥ 0 that noise of scale 1 exceeds with the log probability ``log_rest`` ≤ 0."""
        raise NotImplementedError

    def _delta(self, epsilon: float, group: int) -> float:
        raise NotImplementedError

    def _miss(self, alpha: NDArray[np.float64], group: int) -> NDArray[np.float64]:
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Laplace(Additive):
    """Laplace mechanism (Dwork et al. 2006): ε-DP noise of scale b = Δ₁/ε, for L1 sensitivity Δ₁.

    See Also
    --------
    laplace_scale, Staircase, Gaussian

    References
    ----------
    C. Dwork, F. McSherry, K. Nissim and A. Smith, "Calibrating noise to sensitivity in private data
    analysis", TCC, 2006.

    Examples
    --------
    >>> count = Laplace(epsilon=0.5)
    >>> count.mean_error(), round(count.delta_at(0.25), 4)
    (2.0, 0.1175)
    """

    name: ClassVar[str] = "Laplace"
    _unit_variance: ClassVar[float] = 2.0
    _unit_error: ClassVar[float] = 1.0

    def _scale(self) -> float:
        return calibration.laplace_scale(self.sensitivity, self.epsilon)

    def _event(self) -> Event:
        from dpcore.accounting import events

        return events.LaplaceEvent(self._noise_multiplier)

    def _unit_density(self, z: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.exp(-np.abs(z)) / 2

    def _unit_quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        v = u - 0.5
        return cast(Floats, -np.sign(v) * np.log1p(-2 * np.abs(v)))

    def _unit_magnitude(self, log_rest: NDArray[np.float64]) -> NDArray[np.float64]:
        return -log_rest

    def _delta(self, epsilon: float, group: int) -> float:
        return float(max(-np.expm1((epsilon - self.shift(group)) / 2), 0.0))

    def _miss(self, alpha: NDArray[np.float64], group: int) -> NDArray[np.float64]:
        s = self.shift(group)
        few, some = alpha < np.exp(-s) / 2, alpha <= 0.5
        middle = np.exp(-s) / (4 * np.maximum(alpha, np.exp(-s) / 2))
        return cast(
            Floats,
            np.where(few, 1 - np.exp(s) * alpha, np.where(some, middle, np.exp(-s) * (1 - alpha))),
        )


@dataclass(frozen=True, kw_only=True)
class Gaussian(Additive):
    """Gaussian mechanism with the analytic or the classical standard deviation σ.

    ``delta`` is in (0, 1). ``calibration`` is "analytic" or "classical", see `gaussian_sigma`. At the analytic σ the
    mechanism is (ε, δ)-DP. The classical σ is for comparison; its formula is proved for ε < 1 only. ``privacy``
    states the exact ε at σ, which may be above the requested ε.

    See Also
    --------
    gaussian_sigma, gaussian_delta, Laplace

    References
    ----------
    B. Balle and Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy: analytical
    calibration and optimal denoising", ICML, 2018.
    C. Dwork and A. Roth, "The algorithmic foundations of differential privacy", Foundations and
    Trends in Theoretical Computer Science 9(3-4), 2014.

    Examples
    --------
    >>> round(Gaussian(epsilon=10.0, calibration="classical").privacy.epsilon, 3)
    10.394
    """

    delta: float = 1e-5
    calibration: str = "analytic"
    name: ClassVar[str] = "Gaussian"
    _unit_variance: ClassVar[float] = 1.0
    _unit_error: ClassVar[float] = math.sqrt(2 / math.pi)

    def _scale(self) -> float:
        return calibration.gaussian_sigma(
            self.sensitivity, self.epsilon, delta=self.delta, calibration=self.calibration
        )

    def _event(self) -> Event:
        from dpcore.accounting import events

        return events.GaussianEvent(self._noise_multiplier)

    @property
    def privacy(self) -> Guarantee:
        """Privacy guarantee of one output, with the exact ε at ``delta`` for the standard deviation of the noise."""
        if self.exact:
            return self._guarantee(
                0.0 if not self.sensitivity else math.inf, self.delta, "no noise"
            )
        real = calibration.gaussian_epsilon(self.scale, self.sensitivity, delta=self.delta)
        return self._guarantee(real, self.delta, "exact account (Balle and Wang 2018, Theorem 8)")

    def _unit_density(self, z: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.exp(-np.square(z) / 2) / math.sqrt(2 * math.pi)

    def _unit_quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        return cast(Floats, ndtri(u))

    def _unit_magnitude(self, log_rest: NDArray[np.float64]) -> NDArray[np.float64]:
        return cast(Floats, -ndtri_exp(log_rest - math.log(2)))

    def _delta(self, epsilon: float, group: int) -> float:
        return calibration.gaussian_delta(1.0, self.shift(group), epsilon=epsilon)

    def _miss(self, alpha: NDArray[np.float64], group: int) -> NDArray[np.float64]:
        return cast(Floats, ndtr(ndtri(1 - alpha) - self.shift(group)))
