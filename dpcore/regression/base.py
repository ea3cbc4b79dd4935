"""What the private linear regressors share: bounds, scaling, prediction, chance."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcore import _checks
from dpcore._chance import generator
from dpcore.guarantee import Guarantee
from dpcore.regression.statistics import Bounds, SufficientStatistics, sufficient_statistics

__all__ = ["PrivateRegressor"]


class PrivateRegressor(RegressorMixin, BaseEstimator):
    """A linear model on features and target that public bounds scale to [-1, 1].

    Subclasses say how coefficients are released and what that costs. All share the parameters
    ``bounds``, ``target_bounds``, ``clip_predictions`` and ``random_state``.
    """

    epsilon: float
    bounds: Any
    target_bounds: Any
    clip_predictions: bool
    random_state: Any

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to records X (n, d) and targets y (n,); see the class for the guarantee."""
        self._check()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        X, y = np.asarray(X), np.asarray(y, float)
        self.bounds_ = self._bounds(X, y)
        rng = generator(self.random_state)
        self.coefficients_ = self._coefficients(X, y, rng)
        self.intercept_, self.coef_ = self.bounds_.unscale(self.coefficients_)
        self.privacy_ = self._promise(len(X))
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return predictions (n,) for records X (n, d), which are put on the bounds first."""
        check_is_fitted(self)
        X = np.asarray(validate_data(self, X, dtype=np.float64, reset=False))
        scaled = self.coefficients_[0] + self.bounds_.scale(X) @ self.coefficients_[1:]
        if self.clip_predictions:
            scaled = np.clip(scaled, -1, 1)
        return self.bounds_.unscale_target(scaled)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Small data and a small ε leave mostly noise, whatever the method.
        tags.regressor_tags.poor_score = True
        return tags

    def _check(self) -> None:
        _checks.epsilon(self.epsilon)

    def _bounds(self, X: NDArray[np.float64], y: NDArray[np.float64]) -> Bounds:
        if isinstance(self.bounds, str):
            _checks.one_of("bounds", self.bounds, ("estimate",))
            return Bounds.estimated(X, y)
        if self.bounds is None or self.target_bounds is None:
            raise ValueError(
                f"bounds={self.bounds!r} with target_bounds={self.target_bounds!r} is not allowed: "
                "give public (low, high) of both, known without the records, or bounds='estimate' "
                "for a demonstration without a guarantee."
            )
        low, high = (np.broadcast_to(np.asarray(b, float), X.shape[1]) for b in self.bounds)
        target_low, target_high = (float(b) for b in self.target_bounds)
        return Bounds(low=low, high=high, target_low=target_low, target_high=target_high)

    def _sums(self, X: NDArray[np.float64], y: NDArray[np.float64]) -> SufficientStatistics:
        return sufficient_statistics(X, y, self.bounds_)

    def _coefficients(
        self, X: NDArray[np.float64], y: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        raise NotImplementedError

    def _promise(self, n_samples: int) -> Guarantee:
        raise NotImplementedError
