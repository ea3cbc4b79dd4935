"""Staircase noise: the least mean error that pure ε-DP allows for one number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcore.mechanisms.additive import Additive

__all__ = ["Staircase", "staircase"]


def staircase(sensitivity: float, epsilon: float) -> Staircase:
    """Return the staircase mechanism of a sensitivity Δ₁ ≥ 0 and ε > 0, steps at γ = 1/(1 + e^{ε/2}).

    Raises
    ------
    ValueError
        When an argument is outside its range.

    Examples
    --------
    >>> round(staircase(1.0, 1.0).mean_error(), 6)
    0.959517
    """
    return Staircase(epsilon=epsilon, sensitivity=sensitivity)


@dataclass(frozen=True, kw_only=True)
class Staircase(Additive):
    """Staircase noise (Geng and Viswanath 2014): ε-DP with E|noise| = Δ e^{ε/2}/(e^ε - 1).

    The density falls by e^ε every Δ, in two steps: a on [0, γΔ), a e^{-ε} on [γΔ, Δ), and so on.
    """

    name: ClassVar[str] = "Staircase"

    def _scale(self) -> float:
        return 0.0 if math.isinf(self.epsilon) else self.sensitivity

    @property
    def step(self) -> float:
        """γ, where in each Δ the density falls."""
        return 1 / (1 + math.exp(self.epsilon / 2))

    def mean_error(self) -> float:
        """Return E|noise|, the smallest of all ε-DP noise."""
        return self.scale / (2 * math.sinh(self.epsilon / 2)) if self.scale else 0.0

    def variance(self) -> float:
        """Return the variance of the noise."""
        if not self.scale:
            return 0.0
        b, g = math.exp(-self.epsilon), self.step
        first = g + b * (1 - g)
        # E[(K + r)^2] with K geometric and r uniform on the one or the other part of a step.
        mean_k, mean_k2 = b / (1 - b), b * (1 + b) / (1 - b) ** 2
        r1 = (g**2 + b * (1 - g**2)) / (2 * first)
        r2 = (g**3 + b * (1 - g**3)) / (3 * first)
        return self.scale**2 * (mean_k2 + 2 * mean_k * r1 + r2)

    def _unit_density(self, z: NDArray[np.float64]) -> NDArray[np.float64]:
        b, g = math.exp(-self.epsilon), self.step
        k = np.floor(np.abs(z))
        late = np.abs(z) - k >= g
        top = (1 - b) / (2 * (g + b * (1 - g)))
        return top * np.exp(-self.epsilon * (k + late))

    def _unit_quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        if not self.scale:
            return np.zeros_like(u)
        b, g = math.exp(-self.epsilon), self.step
        rest = 1 - np.abs(2 * u - 1)  # P(|noise| > t)
        k = np.floor(-np.log(rest) / self.epsilon)
        part = (1 - rest * np.exp(self.epsilon * k)) / (1 - b)
        p = g / (g + b * (1 - g))
        t = np.where(part < p, g * part / p, g + (1 - g) * (part - p) / (1 - p))
        return np.sign(u - 0.5) * (k + t)

    def _pieces(self, group: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Probabilities of the intervals on which both densities are constant, under D and D'."""
        k = np.arange(math.ceil(38 / self.epsilon) + group + 2)
        ladder = np.concatenate([k, k + self.step])
        both = np.concatenate([-ladder, ladder])
        edges = np.unique(np.concatenate([both, both + group]))
        middle, width = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
        return self._unit_density(middle) * width, self._unit_density(middle - group) * width

    def _delta(self, epsilon: float, group: int) -> float:
        p, q = self._pieces(group)
        return float(np.maximum(p - math.exp(epsilon) * q, 0).sum())

    def _miss(self, alpha: NDArray[np.float64], group: int) -> NDArray[np.float64]:
        p, q = self._pieces(group)
        order = np.argsort(np.log(q) - np.log(p))[::-1]  # most likely under D' first
        alarm = np.concatenate([[0], np.cumsum(p[order]), [1]])
        caught = np.concatenate([[0], np.cumsum(q[order]), [1]])
        return np.maximum(1 - np.interp(alpha, alarm, caught), 0)
