"""Adaptive private ridge regression as an estimator."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._types import BoundsLike, Floats, RandomState
from dpcore.guarantee import Guarantee, Part
from dpcore.regression import baselines
from dpcore.regression.base import PrivateRegressor
from dpcore.regression.events import release_event
from dpcore.regression.guarantee import ARGUMENTS, fit_guarantee

__all__ = ["AdaSSP"]


class AdaSSP(PrivateRegressor):
    """Adaptive private ridge: noisy sums, and a ridge from the noisy smallest eigenvalue (Wang 2018).

    Parameters
    ----------
    epsilon : float
        ε ≥ 1e-12 (inf: least squares).
    delta : float
        δ in (0, 1).
    calibration : "exact" or "published"
        exact: the three Gaussians are composed as one, for replace_one neighbours. published: the
        printed noise for add_remove neighbours, whose real cost ``privacy_`` tells beside the claim.
    bounds, target_bounds, clip_predictions, random_state
        As in `FunctionalMechanismRegression`.

    Attributes
    ----------
    privacy_ : Guarantee
        (ε, δ)-DP, exact: replace_one with n public; published: add_remove, where n is not public
        and only enters through noisy sums, and ε is what the printed noise really spends. Status as
        in `FunctionalMechanismRegression`.
    coefficients_, coef_, intercept_, bounds_
        As in `FunctionalMechanismRegression`.

    See Also
    --------
    ada_ssp, SufficientStatisticsRegression

    References
    ----------
    Y.-X. Wang, "Revisiting differentially private linear regression: optimal and adaptive prediction
    & estimation in unbounded domain", UAI, 2018.

    Examples
    --------
    >>> X = np.linspace(-1, 1, 2001)[:, None]
    >>> model = AdaSSP(epsilon=1.0, bounds=(-1, 1), target_bounds=(-1, 1), calibration="published")
    >>> model.fit(X, 0.5 * X[:, 0]).privacy_.status, round(model.privacy_.epsilon, 3)
    ('proved', 0.562)
    """

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        calibration: str = "exact",
        bounds: BoundsLike = None,
        target_bounds: BoundsLike = None,
        clip_predictions: bool = True,
        random_state: RandomState = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.calibration = calibration
        self.bounds = bounds
        self.target_bounds = target_bounds
        self.clip_predictions = clip_predictions
        self.random_state = random_state

    def _check(self) -> None:
        super()._check()
        _checks.delta(self.delta)
        _checks.one_of("calibration", self.calibration, baselines.CALIBRATIONS)

    def _coefficients(
        self, X: NDArray[np.float64], y: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        return cast(
            Floats,
            baselines.ada_ssp(
                self._sums(X, y), self.epsilon, self.delta, 1, rng, calibration=self.calibration
            ).coefficients[0, 0],
        )

    def _guarantee(self, n_samples: int) -> Guarantee:
        published = self.calibration == "published"
        spent = baselines.ada_ssp_epsilon(self.epsilon, self.delta, self.calibration)
        release = Part(
            name="smallest eigenvalue, A and c, composed exactly", epsilon=spent,
            delta=float(self.delta), mechanism="three Gaussians",
        )  # fmt: skip
        return fit_guarantee(
            (release,), self.bounds_, n_samples,
            argument=ARGUMENTS["adassp"],
            event=None if published else release_event("adassp", self.epsilon, self.delta),
            neighbouring="add_remove" if published else "replace_one",
            claimed_epsilon=float(self.epsilon) if published else None,
        )  # fmt: skip
