"""Linear regressors that hide the solution or the gradients instead of the sums."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._types import BoundsLike, Floats, RandomState
from dpcore.guarantee import Guarantee, Part
from dpcore.regression import descent, perturbed_solution
from dpcore.regression.base import PrivateRegressor
from dpcore.regression.events import release_event
from dpcore.regression.guarantee import ARGUMENTS, fit_guarantee

__all__ = ["DPGradientDescentRegression", "OutputPerturbationRegression"]


class OutputPerturbationRegression(PrivateRegressor):
    """Ridge regression on a ball with Gaussian noise on its coefficients.

    θ + σ(ε, δ)·2G/(nμ)·Z, G = B(BR + 1), B = √(d+1), after Chaudhuri, Monteleoni and Sarwate (2011)
    with the analytic Gaussian.

    Parameters
    ----------
    epsilon, delta : float
        ε ≥ 1e-12 (inf: no noise), δ in (0, 1).
    ridge : float
        μ in [1e-30, 1e30]: the objective is μ-strongly convex.
    radius : float
        R in [1e-30, 1e30]: coefficients stay in ‖θ‖ ≤ R, on the scaled features.
    bounds, target_bounds, clip_predictions, random_state
        As in `FunctionalMechanismRegression`.

    Attributes
    ----------
    privacy_ : Guarantee
        (ε, δ)-DP for replace_one neighbours, n public; status as in
        `FunctionalMechanismRegression`.
    coefficients_, coef_, intercept_, bounds_
        As in `FunctionalMechanismRegression`.

    See Also
    --------
    output_perturbation, dpcore.descent.output_sensitivity

    References
    ----------
    K. Chaudhuri, C. Monteleoni and A. Sarwate, "Differentially private empirical risk
    minimization", Journal of Machine Learning Research 12, 2011.

    Examples
    --------
    >>> X = np.linspace(-1, 1, 2001)[:, None]
    >>> model = OutputPerturbationRegression(epsilon=1.0, ridge=0.01, bounds=(-1, 1), target_bounds=(-1, 1))
    >>> model.fit(X, 0.5 * X[:, 0]).privacy_.status, model.coefficients_.shape
    ('proved', (2,))
    """

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        ridge: float = 0.3,
        radius: float = 1.0,
        bounds: BoundsLike = None,
        target_bounds: BoundsLike = None,
        clip_predictions: bool = True,
        random_state: RandomState = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.ridge = ridge
        self.radius = radius
        self.bounds = bounds
        self.target_bounds = target_bounds
        self.clip_predictions = clip_predictions
        self.random_state = random_state

    def _check(self) -> None:
        super()._check()
        _checks.delta(self.delta)
        _checks.scale("ridge", self.ridge)
        _checks.scale("radius", self.radius)

    def _coefficients(
        self, X: NDArray[np.float64], y: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        return cast(Floats, perturbed_solution.output_perturbation(
            self._sums(X, y), self.epsilon, self.delta, 1, rng, ridge=self.ridge,
            radius=self.radius,
        ).coefficients[0, 0])  # fmt: skip

    def _guarantee(self, n_samples: int) -> Guarantee:
        release = Part(
            name="coefficients", epsilon=float(self.epsilon), delta=float(self.delta),
            mechanism="analytic Gaussian",
        )  # fmt: skip
        argument = ARGUMENTS["output"]
        event = release_event("output", self.epsilon, self.delta)
        return fit_guarantee((release,), self.bounds_, n_samples, argument=argument, event=event)


class DPGradientDescentRegression(PrivateRegressor):
    """Full-batch gradient descent with clipped per-record gradients and Gaussian noise.

    θ ← θ - (η/n)(Σ clip_C(r_i x_i) + zC Z), T steps from 0, z = 2√T σ(ε, δ): T Gaussians compose
    exactly (Balle and Wang 2018).

    Parameters
    ----------
    epsilon, delta : float
        ε ≥ 1e-12 (inf: no noise), δ in (0, 1).
    n_steps : int
        T ≥ 1.
    learning_rate : float
        η in [1e-30, 1e30].
    clip_norm : float
        C in [1e-30, 1e30], on the scaled features.
    average : bool
        Release the mean of the last half of the steps (post-processing).
    bounds, target_bounds, clip_predictions, random_state
        As in `FunctionalMechanismRegression`.

    Attributes
    ----------
    privacy_ : Guarantee
        (ε, δ)-DP for replace_one neighbours, n public; status as in
        `FunctionalMechanismRegression`.
    noise_multiplier_ : float
        z.
    coefficients_, coef_, intercept_, bounds_
        As in `FunctionalMechanismRegression`.

    See Also
    --------
    gradient_descent, dpcore.descent.descend

    References
    ----------
    M. Abadi et al., "Deep learning with differential privacy", ACM CCS, 2016.
    B. Balle and Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy", ICML, 2018.

    Examples
    --------
    >>> X = np.linspace(-1, 1, 2001)[:, None]
    >>> model = DPGradientDescentRegression(epsilon=1.0, bounds=(-1, 1), target_bounds=(-1, 1))
    >>> model.fit(X, 0.5 * X[:, 0]).privacy_.status, round(model.noise_multiplier_, 2)
    ('proved', 33.37)
    """

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        n_steps: int = 20,
        learning_rate: float = 0.5,
        clip_norm: float = 1.0,
        average: bool = True,
        bounds: BoundsLike = None,
        target_bounds: BoundsLike = None,
        clip_predictions: bool = True,
        random_state: RandomState = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.n_steps = n_steps
        self.learning_rate = learning_rate
        self.clip_norm = clip_norm
        self.average = average
        self.bounds = bounds
        self.target_bounds = target_bounds
        self.clip_predictions = clip_predictions
        self.random_state = random_state

    def _check(self) -> None:
        super()._check()
        _checks.delta(self.delta)
        _checks.integer("n_steps", self.n_steps, low=1)
        _checks.scale("learning_rate", self.learning_rate)
        _checks.scale("clip_norm", self.clip_norm)

    def _coefficients(
        self, X: NDArray[np.float64], y: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        self.noise_multiplier_ = float(
            descent.descent_noise(self.epsilon, self.delta, self.n_steps)[0]
        )
        return cast(Floats, descent.gradient_descent(
            self.bounds_.scale(X), self.bounds_.scale_target(y), self.epsilon, self.delta, 1, rng,
            n_steps=self.n_steps, learning_rate=self.learning_rate, clip_norm=self.clip_norm,
            average=self.average,
        ).coefficients[0, 0])  # fmt: skip

    def _guarantee(self, n_samples: int) -> Guarantee:
        release = Part(
            name=f"{self.n_steps} full-batch steps", epsilon=float(self.epsilon),
            delta=float(self.delta), mechanism=f"Gaussian, z = {self.noise_multiplier_:.3g}",
        )  # fmt: skip
        argument = ARGUMENTS["descent"]
        event = release_event("descent", self.epsilon, self.delta, n_steps=self.n_steps)
        return fit_guarantee((release,), self.bounds_, n_samples, argument=argument, event=event)
