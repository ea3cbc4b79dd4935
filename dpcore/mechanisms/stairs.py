"""Staircase noise: ε-DP noise on one number with the smallest mean absolute error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpcore._types import Floats
from dpcore.mechanisms.additive import Additive

if TYPE_CHECKING:
    from dpcore.accounting.events import Event

__all__ = ["Staircase", "staircase"]

_LARGEST_LOG = 700.0
_LARGEST_EPSILON = 1000.0


def staircase(sensitivity: float, epsilon: float) -> Staircase:
    """Return the staircase mechanism for a number, ε-DP for ε > 0.

    The number has sensitivity Δ₁ ≥ 0. The density of the noise has a step in every interval of length Δ₁, at position
    γ = 1/(1 + e^{ε/2}). This γ gives the smallest mean absolute error.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    See Also
    --------
    Staircase, laplace_scale

    References
    ----------
    Q. Geng and P. Viswanath, "The optimal mechanism in differential privacy", ISIT, 2014.

    Examples
    --------
    >>> round(staircase(1.0, 1.0).mean_error(), 6)
    0.959517
    """
    return Staircase(epsilon=epsilon, sensitivity=sensitivity)


@dataclass(frozen=True, kw_only=True)
class Staircase(Additive):
    """Staircase mechanism (Geng and Viswanath 2014): ε-DP noise with E|noise| = Δ e^{ε/2}/(e^ε - 1), for ε ≤ 1000.

    The density of the noise magnitude is a constant a on [0, γΔ), then a e^{-ε} on [γΔ, (1 + γ)Δ), and so on. It
    falls by the factor e^ε once in every interval of length Δ.

    See Also
    --------
    staircase, Laplace

    References
    ----------
    Q. Geng and P. Viswanath, "The optimal mechanism in differential privacy", ISIT, 2014.
    """

    name: ClassVar[str] = "Staircase"

    def _scale(self) -> float:
        if _LARGEST_EPSILON < self.epsilon < math.inf:
            raise ValueError(
                f"epsilon={self.epsilon!r} is not allowed: the steps of a staircase are then narrower than "
                f"any float. Give at most {_LARGEST_EPSILON:g}, or inf for no noise."
            )
        return 0.0 if math.isinf(self.epsilon) else self.sensitivity

    def _event(self) -> Event:
        from dpcore.accounting import events

        return events.StaircaseEvent(self.epsilon)

    @property
    def step(self) -> float:
        """Position γ of the step within an interval of length Δ, in units of Δ; 0 < γ < ½."""
        return float(expit(-self.epsilon / 2))

    @property
    def _late(self) -> float:
        """Probability of the noise after the step, divided by the probability before it, in an interval of length Δ.

        The density has one step per interval, at γΔ. The result is (1 - γ) e^{-ε}/γ = e^{-ε/2}.
        """
        return math.exp(-self.epsilon / 2)

    def mean_error(self) -> float:
        """Return the mean absolute error E|noise|, the smallest one of any ε-DP noise."""
        return self.scale * self._late / -math.expm1(-self.epsilon) if self.scale else 0.0

    def variance(self) -> float:
        """Return the variance of the noise, in squared units of the output."""
        if not self.scale:
            return 0.0
        g, h, rest = self.step, self._late, -math.expm1(-self.epsilon)
        b = math.exp(-self.epsilon)
        # E[(K + r)^2] with K geometric and r uniform on the early or the late part of a step.
        mean_k, mean_k2 = b / rest, b * (1 + b) / rest**2
        r1 = (g + h * (1 + g)) / (2 * (1 + h))
        r2 = (g**2 + h * (1 + g + g**2)) / (3 * (1 + h))
        return self.scale**2 * (mean_k2 + 2 * mean_k * r1 + r2)

    def _unit_density(self, z: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.exp(np.minimum(self._log_density(z), _LARGEST_LOG))

    def _log_density(self, z: NDArray[np.float64]) -> NDArray[np.float64]:
        k = np.floor(np.abs(z))
        late = np.abs(z) - k >= self.step
        top = math.log(-math.expm1(-self.epsilon)) - math.log(2) - math.log1p(self._late)
        top += float(np.logaddexp(0, self.epsilon / 2))  # -ln γ
        return top - self.epsilon * (k + late)

    def _unit_quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        if not self.scale:
            return np.zeros_like(u)
        log_rest = np.log1p(-np.abs(2 * u - 1))
        return cast(Floats, np.sign(u - 0.5) * self._unit_magnitude(log_rest))

    def _unit_magnitude(self, log_rest: NDArray[np.float64]) -> NDArray[np.float64]:
        if not self.scale:
            return np.zeros_like(log_rest)
        g = self.step
        k = np.floor(-log_rest / self.epsilon)
        part = np.expm1(log_rest + self.epsilon * k) / math.expm1(-self.epsilon)
        p = 1 / (1 + self._late)
        t = np.where(part < p, g * part / p, g + (1 - g) * (part - p) / (1 - p if p < 1 else 1))
        return cast(Floats, k + t)

    def _pieces(
        self, group: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the probabilities P and P' of intervals of outputs under two data sets, and the log ratios ln P'/P.

        The data sets D and D' differ in k records (``group``), with f(D) = 0 and f(D') = kΔ. The likelihood ratio is
        constant on each interval. All outputs below 0 form one interval, with ratio e^{-kε}. All outputs above kΔ
        form another one, with ratio e^{kε}.
        """
        k = np.arange(group)
        ladder = np.concatenate([k, k + self.step, [group]])
        edges = np.unique(np.concatenate([ladder, group - ladder]))
        middle, log_width = (edges[1:] + edges[:-1]) / 2, np.log(np.diff(edges))
        here = self._log_density(middle) + log_width
        there = self._log_density(middle - group) + log_width
        most = group * self.epsilon
        near, far = [math.log(0.5)], [math.log(0.5) - most]
        p, q = np.exp(np.concatenate([near, here, far])), np.exp(np.concatenate([far, there, near]))
        return p, q, np.concatenate([[-most], there - here, [most]])

    def _delta(self, epsilon: float, group: int) -> float:
        p, _, ratio = self._pieces(group)
        return float((p * -np.expm1(np.minimum(epsilon + ratio, 0.0))).sum())

    def _miss(self, alpha: NDArray[np.float64], group: int) -> NDArray[np.float64]:
        p, q, ratio = self._pieces(group)
        order = np.argsort(ratio)[::-1]  # most likely under D' first
        alarm = np.concatenate([[0], np.cumsum(p[order]), [1]])
        caught = np.concatenate([[0], np.cumsum(q[order]), [1]])
        return cast(Floats, np.maximum(1 - np.interp(alpha, alarm, caught), 0))
