"""Base class of the private linear regressors: scaling by bounds, and prediction."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcore import _checks
from dpcore._declared_bounds import warn_of_estimated_bounds
from dpcore._fitting import one_fit
from dpcore._random_state import ForgetsNoise, generator
from dpcore._types import BoundsLike, RandomState
from dpcore.guarantee import Guarantee
from dpcore.regression.statistics import Bounds, SufficientStatistics, sufficient_statistics

if TYPE_CHECKING:
    from sklearn.base import Tags

__all__ = ["PrivateRegressor"]


class PrivateRegressor(ForgetsNoise, RegressorMixin, BaseEstimator):
    """Base class of private linear models, whose features and target are scaled to [-1, 1] by public bounds.

    Subclasses define how the coefficients are released, and at what ε. All have the parameters ``bounds``,
    ``target_bounds``, ``clip_predictions`` and ``random_state``. Fitted attributes depend on the records only through
    noisy results, except the ones that ``privacy_`` lists as public.
    """

    epsilon: float
    bounds: BoundsLike
    target_bounds: BoundsLike
    clip_predictions: bool
    random_state: RandomState

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the private coefficients to records and targets, with the guarantee described in the subclass.

        Parameters
        ----------
        X : array-like (n, d)
            Finite records in their own units; values outside ``bounds`` are clipped.
        y : array-like (n,)
            Finite targets in their own unit; values outside ``target_bounds`` are clipped.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            When a parameter is outside its range, or the bounds do not fit the data.

        Warns
        -----
        BoundsEstimatedWarning
            When ``bounds`` or ``target_bounds`` is None, so that they are read from the data.
        SeededNoiseWarning
            When ``random_state`` is not None, because anybody who knows it can subtract the noise.
        """
        with one_fit(self, X):
            self._check()
            X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
            X, y = np.asarray(X), np.asarray(y, float)
            self.bounds_ = self._bounds(X, y)
            rng = generator(self.random_state)
            self.coefficients_ = self._coefficients(X, y, rng)
            self.intercept_, self.coef_ = self.bounds_.unscale(self.coefficients_)
            self._seal(self._guarantee(len(X)))
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return predictions (n,) for records X (n, d); the records are first clipped to the bounds."""
        check_is_fitted(self)
        X = np.asarray(validate_data(self, X, dtype=np.float64, reset=False))
        scaled = self.coefficients_[0] + self.bounds_.scale(X) @ self.coefficients_[1:]
        if self.clip_predictions:
            scaled = np.clip(scaled, -1, 1)
        return self.bounds_.unscale_target(scaled)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # On small data a small ε leaves mostly noise.
        tags.regressor_tags.poor_score = True
        return tags

    def _check(self) -> None:
        _checks.epsilon(self.epsilon, low=_checks.SMALLEST_EPSILON)

    def _bounds(self, X: NDArray[np.float64], y: NDArray[np.float64]) -> Bounds:
        if isinstance(self.bounds, str):
            _checks.one_of("bounds", self.bounds, ("estimate",))
            return Bounds.estimated(X, y)
        low, high = (X.min(0), X.max(0)) if self.bounds is None else _checks.ends(
            "bounds", self.bounds, X.shape[1]
        )  # fmt: skip
        target = (y.min(keepdims=True), y.max(keepdims=True))
        if self.target_bounds is not None:
            target = _checks.ends("target_bounds", self.target_bounds, 1)
        estimated = self.bounds is None or self.target_bounds is None
        if estimated:
            warn_of_estimated_bounds(stacklevel=4)
        return Bounds(
            low=low, high=high, target_low=float(target[0][0]), target_high=float(target[1][0]),
            status="estimated" if estimated else "public",
        )  # fmt: skip

    def _sums(self, X: NDArray[np.float64], y: NDArray[np.float64]) -> SufficientStatistics:
        return sufficient_statistics(X, y, bounds=self.bounds_)

    def _coefficients(
        self, X: NDArray[np.float64], y: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        raise NotImplementedError

    def _guarantee(self, n_samples: int) -> Guarantee:
        raise NotImplementedError

    def _planned(self, n_records: int, n_features: int) -> Guarantee:
        """Return the guarantee that a fit to records of this shape would have; no record is read."""
        self._check()
        estimated = (
            isinstance(self.bounds, str) or self.bounds is None or self.target_bounds is None
        )
        twin = copy.copy(self)
        twin.n_features_in_ = n_features
        twin.bounds_ = Bounds(
            low=-np.ones(n_features), high=np.ones(n_features), target_low=-1.0, target_high=1.0,
            status="estimated" if estimated else "public",
        )  # fmt: skip
        return twin._guarantee(n_records)
