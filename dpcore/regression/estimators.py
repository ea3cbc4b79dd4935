"""Private linear regressors as scikit-learn estimators."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._types import BoundsLike, Floats, RandomState
from dpcore.guarantee import Guarantee, Part
from dpcore.regression import baselines, descent, draws, perturbed_solution
from dpcore.regression.base import PrivateRegressor
from dpcore.regression.guarantee import ARGUMENTS, fit_guarantee, release_event, steps_name
from dpcore.regression.solve import Repair
from dpcore.regression.splits import budget_share

__all__ = [
    "AdaSSP",
    "DPGradientDescentRegression",
    "FunctionalMechanismRegression",
    "OutputPerturbationRegression",
    "SufficientStatisticsRegression",
]


_SENSITIVITIES = ("printed", "tight", "joint")


class FunctionalMechanismRegression(PrivateRegressor):
    """Least squares with a perturbed objective, under pure ε-DP (Zhang et al. 2012; slides of Jiang).

    The fit minimises J(θ) = θᵀÂθ - 2ĉᵀθ, where Â and ĉ are A = Σxxᵀ and c = Σyx with Laplace noise. x contains an
    intercept, and all features and the target are scaled to [-1, 1] by public bounds.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of the fit, at least 1e-12 (inf: least squares without noise).
    split : "proportional", "equal", "variance", "error" or float
        Fraction ε₁/ε of the budget that is spent on A; ignored with sensitivity "joint".
    sensitivity : "printed", "tight" or "joint"
        "printed" and "tight" release A and c separately. The sensitivity of -2c is Δ₂ = 4(d+1). For A, "printed" uses
        Δ₁ = 2(d+1)² of Jiang's slides, "tight" the exact Δ₁ = (d+1)². "joint" releases the distinct entries of A and
        c together, with the sensitivity Δ = ((d+2)² + d)/2.
    repair : "none", "trim" or "floor"
        Correction of a noisy A with small or negative eigenvalues, see `Repair`.
    floor : float
        Factor k ≥ 0 of repair "floor".
    bounds : (low, high), "estimate" or None
        Public bounds of the features, each a number or an array (d,). None reads them from the data, with a warning;
        "estimate" reads the bounds of features and target without a warning. Both are for demonstrations, and the
        guarantee is then only nominal.
    target_bounds : (low, high) or None
        Public bounds of the target. None reads them from the data, with a warning.
    clip_predictions : bool
        Whether predictions are clipped to the bounds of the target.
    random_state : int, Generator, RandomState or None
        Source of the noise. Use None (fresh entropy of the system) for releases. The same int gives the same noise,
        and anybody who knows it can subtract the noise. Two releases with one seed, such as the folds of one
        ``cross_validate``, reveal the exact sums. With a seed, the guarantee therefore assumes that the seed stays
        secret and is used for one release.

    Attributes
    ----------
    privacy_ : Guarantee
        ε-DP for replace_one neighbours with n public. Its status is "nominal" with bounds from the data, else
        "proved", or "proved_under_assumption" with a ``random_state``.
    coefficients_ : ndarray (d + 1,)
        Coefficients for the scaled features, intercept first.
    coef_, intercept_ : ndarray (d,), float
        Coefficients in the units of the data. For records inside the bounds they give the same predictions as
        ``coefficients_``.
    bounds_ : Bounds
        Bounds by which features and target were scaled.

    See Also
    --------
    functional_mechanism, SufficientStatisticsRegression, Repair

    References
    ----------
    J. Zhang, Z. Zhang, X. Xiao, Y. Yang and M. Winslett, "Functional mechanism: regression analysis
    under differential privacy", PVLDB 5(11), 2012.

    Examples
    --------
    >>> X = np.linspace(-1, 1, 2001)[:, None]
    >>> model = FunctionalMechanismRegression(epsilon=1.0, sensitivity="joint", bounds=(-1, 1),
    ...                                       target_bounds=(-1, 1), random_state=0)
    >>> model.fit(X, 0.5 * X[:, 0]).predict([[1.0]]).round(1).tolist(), model.privacy_.epsilon
    ([0.5], 1.0)
    """

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        split: str | float = "proportional",
        sensitivity: str = "printed",
        repair: str = "floor",
        floor: float = 1.0,
        bounds: BoundsLike = None,
        target_bounds: BoundsLike = None,
        clip_predictions: bool = True,
        random_state: RandomState = None,
    ) -> None:
        self.epsilon = epsilon
        self.split = split
        self.sensitivity = sensitivity
        self.repair = repair
        self.floor = floor
        self.bounds = bounds
        self.target_bounds = target_bounds
        self.clip_predictions = clip_predictions
        self.random_state = random_state

    def _check(self) -> None:
        super()._check()
        _checks.one_of("sensitivity", self.sensitivity, _SENSITIVITIES)
        budget_share(self.split, 1)

    def _coefficients(
        self, X: NDArray[np.float64], y: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        sums, rule = self._sums(X, y), Repair(kind=self.repair, floor=self.floor)
        if self.sensitivity == "joint":
            release = draws.joint_release(sums, self.epsilon, n_draws=1, rng=rng, repair=rule)
        else:
            release = draws.functional_mechanism(
                sums, self.epsilon, n_draws=1, rng=rng, split=self.split, sensitivities=self.sensitivity,
                repair=rule,
            )  # fmt: skip
        return cast(Floats, release.coefficients[0, 0])

    def _guarantee(self, n_samples: int) -> Guarantee:
        if self.sensitivity == "joint":
            parts: tuple[Part, ...] = (
                _laplace("the distinct entries of A and c together", self.epsilon),
            )
            argument, share = ARGUMENTS["joint"], None
        else:
            share = budget_share(self.split, self.n_features_in_)
            first = share * self.epsilon
            # inf - inf would be NaN for ε = inf.
            rest = self.epsilon - first if np.isfinite(self.epsilon) else self.epsilon
            parts = (_laplace("the quadratic part A", first), _laplace("the linear part c", rest))
            argument = ARGUMENTS["split"]
        return fit_guarantee(
            parts, self.bounds_, n_samples, argument=argument, epsilon=float(self.epsilon),
            event=release_event("joint", self.epsilon, 0.0, split=share),
        )  # fmt: skip


def _laplace(name: str, epsilon: float) -> Part:
    return Part(name=name, epsilon=float(epsilon), delta=0.0, mechanism="Laplace")


class SufficientStatisticsRegression(PrivateRegressor):
    """Least squares from one Gaussian release of A = Σxxᵀ and c = Σyx; a good first choice for δ > 0.

    Parameters
    ----------
    epsilon : float
        ε ≥ 1e-12 (inf: least squares).
    delta : float
        δ in (0, 1), well below 1/n.
    repair : "none", "trim" or "floor"
        Correction of a noisy A with small or negative eigenvalues, see `Repair`.
    floor : float
        Factor k ≥ 0 of repair "floor": 1 suits n ≫ d², 2 a small n.
    bounds, target_bounds, clip_predictions, random_state
        Public bounds of features and target, whether predictions are clipped, and the source of the noise, see
        `FunctionalMechanismRegression`.

    Attributes
    ----------
    privacy_ : Guarantee
        (ε, δ)-DP for replace_one neighbours with n public (Balle and Wang 2018, with L2 sensitivity √2(d+2)). The
        status is "proved", or "proved_under_assumption" with a ``random_state``, or "nominal" with bounds from the
        data.
    coefficients_, coef_, intercept_, bounds_
        Coefficients for scaled features and in the units of the data, and the bounds used for scaling, see
        `FunctionalMechanismRegression`.

    See Also
    --------
    gaussian_statistics, FunctionalMechanismRegression, AdaSSP

    References
    ----------
    B. Balle and Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy", ICML, 2018.

    Examples
    --------
    >>> X = np.linspace(-1, 1, 2001)[:, None]
    >>> model = SufficientStatisticsRegression(epsilon=1.0, bounds=(-1, 1), target_bounds=(-1, 1))
    >>> model.fit(X, 0.5 * X[:, 0]).privacy_.status, model.coefficients_.shape
    ('proved', (2,))
    """

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        repair: str = "floor",
        floor: float = 1.0,
        bounds: BoundsLike = None,
        target_bounds: BoundsLike = None,
        clip_predictions: bool = True,
        random_state: RandomState = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.repair = repair
        self.floor = floor
        self.bounds = bounds
        self.target_bounds = target_bounds
        self.clip_predictions = clip_predictions
        self.random_state = random_state

    def _check(self) -> None:
        super()._check()
        _checks.delta(self.delta)

    def _coefficients(
        self, X: NDArray[np.float64], y: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        return cast(Floats, draws.gaussian_statistics(
            self._sums(X, y), self.epsilon, delta=self.delta, n_draws=1, rng=rng,
            repair=Repair(kind=self.repair, floor=self.floor),
        ).coefficients[0, 0])  # fmt: skip

    def _guarantee(self, n_samples: int) -> Guarantee:
        release = Part(
            name="A and c together", epsilon=float(self.epsilon), delta=float(self.delta),
            mechanism="analytic Gaussian",
        )  # fmt: skip
        argument = ARGUMENTS["gaussian"]
        event = release_event("gaussian", self.epsilon, self.delta)
        return fit_guarantee((release,), self.bounds_, n_samples, argument=argument, event=event)


class OutputPerturbationRegression(PrivateRegressor):
    """Ridge regression restricted to a ball of coefficients, with Gaussian noise on the coefficients.

    The released coefficients are θ + σ(ε, δ)·2G/(nμ)·Z, projected back on the ball ‖θ‖ ≤ R (post-processing). θ is
    the exact solution in this ball. The sensitivity of θ is 2G/(nμ) with G = B(BR + 1) and B = √(d+1). Z is standard
    normal, and σ(ε, δ) is the noise scale of the analytic Gaussian mechanism at sensitivity 1. The method follows
    Chaudhuri, Monteleoni and Sarwate (2011).

    Parameters
    ----------
    epsilon, delta : float
        ε ≥ 1e-12 (inf: no noise), δ in (0, 1).
    ridge : float
        μ in [1e-30, 1e30]: the objective is μ-strongly convex.
    radius : float
        R in [1e-30, 1e30], radius of the ball ‖θ‖ ≤ R of coefficients for the scaled features.
    bounds, target_bounds, clip_predictions, random_state
        Public bounds of features and target, whether predictions are clipped, and the source of the noise, see
        `FunctionalMechanismRegression`.

    Attributes
    ----------
    privacy_ : Guarantee
        (ε, δ)-DP for replace_one neighbours, n public. The status is "proved", or "proved_under_assumption" with a
        ``random_state``, or "nominal" with bounds from the data.
    coefficients_, coef_, intercept_, bounds_
        Coefficients for scaled features and in the units of the data, and the bounds used for scaling, see
        `FunctionalMechanismRegression`.

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
            self._sums(X, y), self.epsilon, delta=self.delta, n_draws=1, rng=rng, ridge=self.ridge,
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
    """Gradient descent with clipped per-record gradients and Gaussian noise.

    Steps use all records or Poisson samples. A step is θ ← θ - (η/(qn))(Σ clip_C(r_i x_i) + zC Z), with residuals
    r_i = x_iᵀθ - y_i and standard normal Z. T steps start at θ = 0. At q = 1 the T Gaussian releases compose exactly,
    and the noise multiplier is z = 2√T σ(ε, δ), with the analytic σ at sensitivity 1 (Balle and Wang 2018). For q < 1
    the accountant computes z.

    Parameters
    ----------
    epsilon, delta : float
        ε ≥ 1e-12 (inf: no noise), δ in (0, 1).
    sample_rate : float
        q in (0, 1], probability that a record joins a step.
    n_steps : int
        Number T ≥ 1 of steps.
    learning_rate : float
        η in [1e-30, 1e30].
    clip_norm : float
        Clip norm C in [1e-30, 1e30] of a record's gradient, on the scaled features.
    average : bool
        Whether to release the mean of the last half of the iterates (post-processing).
    bounds, target_bounds, clip_predictions, random_state
        Public bounds of features and target, whether predictions are clipped, and the source of the noise, see
        `FunctionalMechanismRegression`.

    Attributes
    ----------
    privacy_ : Guarantee
        (ε, δ)-DP for replace_one neighbours, n public. The status is "proved", or "proved_under_assumption" with a
        ``random_state``, or "nominal" with bounds from the data.
    noise_multiplier_ : float
        Noise multiplier z of a step.
    coefficients_, coef_, intercept_, bounds_
        Coefficients for scaled features and in the units of the data, and the bounds used for scaling, see
        `FunctionalMechanismRegression`.

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
        sample_rate: float = 1.0,
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
        self.sample_rate = sample_rate
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
        _checks.number("sample_rate", self.sample_rate, low=0, high=1, open_low=True)

    def _coefficients(
        self, X: NDArray[np.float64], y: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        self.noise_multiplier_ = self._noise_multiplier()
        return cast(Floats, descent.gradient_descent(
            self.bounds_.scale(X), self.bounds_.scale_target(y), epsilon=self.epsilon, delta=self.delta,
            noise_multiplier=self.noise_multiplier_, sample_rate=self.sample_rate, n_steps=self.n_steps,
            n_draws=1, rng=rng, learning_rate=self.learning_rate, clip_norm=self.clip_norm, average=self.average,
        ).coefficients[0, 0])  # fmt: skip

    def _noise_multiplier(self) -> float:
        z = descent.descent_noise(
            self.epsilon, self.delta, sample_rate=self.sample_rate, n_steps=self.n_steps
        )
        return float(z[0])

    def _guarantee(self, n_samples: int) -> Guarantee:
        release = Part(
            name=steps_name(sample_rate=self.sample_rate, n_steps=self.n_steps), epsilon=float(self.epsilon),
            delta=float(self.delta), mechanism=f"Gaussian, z = {self._noise_multiplier():.3g}",
        )  # fmt: skip
        argument = ARGUMENTS["descent"]
        event = release_event(
            "descent", self.epsilon, self.delta, n_steps=self.n_steps, sample_rate=self.sample_rate,
            noise_multiplier=self._noise_multiplier(),
        )  # fmt: skip
        return fit_guarantee((release,), self.bounds_, n_samples, argument=argument, event=event)


class AdaSSP(PrivateRegressor):
    """Ridge regression on noisy sums; the penalty depends on a noisy smallest eigenvalue of Σxxᵀ (Wang 2018).

    Parameters
    ----------
    epsilon : float
        ε ≥ 1e-12 (inf: least squares).
    delta : float
        δ in (0, 1).
    calibration : "exact" or "published"
        "exact" composes the three Gaussian releases as one, for replace_one neighbours. "published" uses the noise
        scale of Wang (2018), for add_remove neighbours. ``privacy_`` then has both the actual and the claimed ε.
    bounds, target_bounds, clip_predictions, random_state
        Public bounds of features and target, whether predictions are clipped, and the source of the noise, see
        `FunctionalMechanismRegression`.

    Attributes
    ----------
    privacy_ : Guarantee
        (ε, δ)-DP. With calibration "exact" the guarantee holds under replace_one with n public. With "published" it
        holds under add_remove, where n is not public and is used only in noisy sums. The ε is then the actual cost of
        the published noise scale. The status is "proved", or "proved_under_assumption" with a ``random_state``, or
        "nominal" with bounds from the data.
    coefficients_, coef_, intercept_, bounds_
        Coefficients for scaled features and in the units of the data, and the bounds used for scaling, see
        `FunctionalMechanismRegression`.

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
                self._sums(X, y),
                self.epsilon,
                delta=self.delta,
                n_draws=1,
                rng=rng,
                calibration=self.calibration,
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
