"""Gaussian noise on a number, with the exact account of what it costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, ndtri_exp

from dpcore._types import Floats
from dpcore.guarantee import Guarantee
from dpcore.mechanisms import calibration
from dpcore.mechanisms.additive import Additive

if TYPE_CHECKING:
    from dpcore.accounting.events import Event

__all__ = ["Gaussian"]


@dataclass(frozen=True, kw_only=True)
class Gaussian(Additive):
    """Gaussian noise: (ε, δ)-DP with the analytic σ, see `gaussian_sigma` for the classical one.

    ``delta`` in (0, 1); ``calibration`` "analytic" or "classical". ``privacy`` holds what σ really
    costs: the classical formula is proved for ε < 1 only.

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
        """What one output really promises, by the exact account of Gaussian noise."""
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
