"""Linear regressors that release noisy sums A = Σxxᵀ and c = Σyx, and solve afterwards."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._types import BoundsLike, Floats, RandomState
from dpcore.guarantee import Guarantee, Part
from dpcore.regression import draws
from dpcore.regression.base import PrivateRegressor
from dpcore.regression.events import release_event
from dpcore.regression.guarantee import ARGUMENTS, fit_guarantee
from dpcore.regression.solve import Repair
from dpcore.regression.splits import budget_share

__all__ = ["FunctionalMechanismRegression", "SufficientStatisticsRegression"]

_SENSITIVITIES = ("printed", "tight", "joint")


class FunctionalMechanismRegression(PrivateRegressor):
    """Least squares through a perturbed objective, pure ε (Zhang et al. 2012; slides of Jiang).

    J(θ) = θᵀÂθ - 2ĉᵀθ with Laplace noise on the coefficients A = Σxxᵀ and c = Σyx of the objective,
    x with an intercept and everything scaled to [-1, 1] by public bounds.

    Parameters
    ----------
    epsilon : float
        The whole budget, at least 1e-12 (inf: least squares).
    split : "proportional", "equal", "variance", "error" or float
        ε₁/ε for A; the joint release needs none and ignores it.
    sensitivity : "printed", "tight" or "joint"
        Two releases with Δ₁ = 2(d+1)² as printed or (d+1)² exactly and Δ₂ = 4(d+1); or one release
        of the distinct entries with Δ = ((d+2)² + d)/2.
    repair : "none", "trim" or "floor"
        What is done when noise spoils A, see `Repair`.
    floor : float
        k of the ridge floor, ≥ 0.
    bounds : (low, high), "estimate" or None
        Public bounds of the features, each a number or an array (d,). None reads them from the
        data, with a warning; "estimate" reads bounds of features and target without one. Either
        way that is a demonstration, and the guarantee only nominal.
    target_bounds : (low, high) or None
        Public bounds of the target; None as above.
    clip_predictions : bool
        Put predictions on the bounds of the target.
    random_state : int, Generator, RandomState or None
        The noise. None, fresh entropy of the system, is for releases. The same int gives the same
        noise: whoever knows it takes the noise away, and two releases that share it give the
        exact sums away, also the folds of one ``cross_validate``. So the guarantee then rests on
        the assumption that it stays secret and serves one release.

    Attributes
    ----------
    privacy_ : Guarantee
        ε-DP for replace_one neighbours, n public: proved, under an assumption with a
        ``random_state``, nominal with bounds from the data.
    coefficients_ : ndarray (d + 1,)
        On the scaled features, intercept first.
    coef_, intercept_ : ndarray (d,), float
        In the units of the data; predictions agree with them inside the bounds.
    bounds_ : Bounds
        What was used.

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
            found = draws.joint_release(sums, self.epsilon, 1, rng, repair=rule)
        else:
            found = draws.functional_mechanism(
                sums, self.epsilon, 1, rng, split=self.split, sensitivities=self.sensitivity,
                repair=rule,
            )  # fmt: skip
        return cast(Floats, found.coefficients[0, 0])

    def _guarantee(self, n_samples: int) -> Guarantee:
        if self.sensitivity == "joint":
            parts: tuple[Part, ...] = (
                _laplace("the distinct entries of A and c together", self.epsilon),
            )
            argument, share = ARGUMENTS["joint"], None
        else:
            share = budget_share(self.split, self.n_features_in_)
            first = share * self.epsilon
            # ε - ε would be no number for ε = inf.
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
    """Least squares from one Gaussian release of A = Σxxᵀ and c = Σyx; the default for δ > 0.

    Parameters
    ----------
    epsilon : float
        ε ≥ 1e-12 (inf: least squares).
    delta : float
        δ in (0, 1), well below 1/n.
    repair : "none", "trim" or "floor"
        What is done when noise spoils A, see `Repair`.
    floor : float
        k of the ridge floor: 1 for n ≫ d², 2 for small n.
    bounds, target_bounds, clip_predictions, random_state
        As in `FunctionalMechanismRegression`.

    Attributes
    ----------
    privacy_ : Guarantee
        (ε, δ)-DP for replace_one neighbours, n public (Balle and Wang 2018, Δ₂ = √2(d+2)); status
        as in `FunctionalMechanismRegression`.
    coefficients_, coef_, intercept_, bounds_
        As in `FunctionalMechanismRegression`.

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
            self._sums(X, y), self.epsilon, self.delta, 1, rng,
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
