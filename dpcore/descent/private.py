"""Logistic regression by objective perturbation, as a scikit-learn estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcore import _checks
from dpcore._declared_bounds import class_index, warn_of_estimated_bounds, warn_of_size
from dpcore._fitting import one_fit
from dpcore._random_state import ForgetsNoise, generator
from dpcore._types import Floats, RandomState
from dpcore.descent.objective import (
    DECLARED,
    ObjectiveNoise,
    objective_guarantee,
    objective_noise,
    perturbed_minimiser,
    unit_rows,
)
from dpcore.guarantee import Guarantee, Neighbouring
from dpcore.regression.statistics import Bounds

if TYPE_CHECKING:
    from sklearn.base import Tags

__all__ = ["ObjectivePerturbationClassifier"]


class ObjectivePerturbationClassifier(ForgetsNoise, ClassifierMixin, BaseEstimator):
    """Logistic regression by objective perturbation (Chaudhuri, Monteleoni and Sarwate 2011).

    The weights are w = argmin Σ_i ln(1 + e^{-s_i x_i·w}) + (m/2)‖w‖² + b·w, with curvature m, a random b, and two
    classes s_i = ±1. Features are scaled by public bounds and clipped to [-1, 1]. x_i consists of the scaled features
    and a constant 1, divided by √(d + 1). Its norm is therefore at most 1 for any input.

    Parameters
    ----------
    epsilon : float
        ε ≥ 1e-12 (inf: no noise).
    delta : float
        0 for Algorithm 2 of Chaudhuri, Monteleoni and Sarwate (2011); in [1e-300, 1) for Gaussian b.
    regularisation : float
        λ in [1e-30, 1e30]; λ‖w‖² is added to the mean loss.
    neighbouring : "replace_one" or "add_remove"
        Neighbouring relation of the guarantee.
    bounds : (low, high) or None
        Public bounds of the features, each a number or an array (d,). None reads them from the data, with a warning.
        The ε is then nominal.
    classes : list of two or None
        The two classes. None reads them from y. The guarantee then assumes that they are public under replace_one,
        and is nominal under add_remove.
    expected_n : int or None
        Public n ≥ 1 that sets the curvature 2λn. None takes the number of records. This number is public under
        replace_one. Under add_remove it is not, and the ε is then nominal.
    random_state : int, Generator, RandomState or None
        Source of the noise. Use None (fresh entropy of the system) for releases, because anybody who knows a seed can
        subtract the noise. With a seed, the guarantee assumes that the seed stays secret.

    Attributes
    ----------
    privacy_ : Guarantee
        (ε, δ)-DP of the weights as computed. Noise on the weights hides the error of the solver.
    coefficients_ : ndarray (d + 1,)
        Weights for the scaled rows x_i; the last weight belongs to the constant.
    coef_, intercept_ : ndarrays (1, d), (1,)
        Weights in the units of the data. For records inside the bounds they give the same predictions as
        ``coefficients_``.
    noise_ : ObjectiveNoise
        Public parameters of the perturbation.
    classes_ : ndarray (2,)
        The classes, sorted.
    bounds_ : Bounds
        Bounds by which the features were scaled.

    See Also
    --------
    objective_noise, RegularisedLogistic

    Notes
    -----
    The conditions of the privacy proofs hold: the loss is convex with first derivatives of at most 1 and second
    derivatives of at most c = 1/4, and λ > 0. The noise is only good enough for experiments: a real release needs a
    cryptographic random generator.

    References
    ----------
    K. Chaudhuri, C. Monteleoni and A. D. Sarwate, "Differentially private empirical risk minimization",
    Journal of Machine Learning Research 12, 2011.
    R. Iyengar et al., "Towards practical differentially private convex optimization", IEEE Symposium on
    Security and Privacy, 2019.

    Examples
    --------
    >>> X, y = [[-1.0], [-0.8], [0.8], [1.0]] * 50, [0, 0, 1, 1] * 50
    >>> model = ObjectivePerturbationClassifier(epsilon=2.0, bounds=(-1, 1), classes=[0, 1]).fit(X, y)
    >>> model.privacy_.status, model.privacy_.epsilon, model.coefficients_.shape
    ('proved', 2.0, (2,))
    """

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        regularisation: float = 0.01,
        neighbouring: Neighbouring = "replace_one",
        bounds: tuple[ArrayLike, ArrayLike] | None = None,
        classes: ArrayLike | None = None,
        expected_n: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.regularisation = regularisation
        self.neighbouring = neighbouring
        self.bounds = bounds
        self.classes = classes
        self.expected_n = expected_n
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the private weights to labelled records, with the guarantee described in the class docstring.

        Parameters
        ----------
        X : array-like (n, d)
            Finite records in their own units; values outside ``bounds`` are clipped.
        y : array-like (n,)
            Class of each record, one of two.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            When a parameter is outside its range, or there are not two classes.

        Warns
        -----
        BoundsEstimatedWarning
            When ``bounds`` is None.
        SizeFromDataWarning
            When n or the classes are read from the data under add_remove.
        SeededNoiseWarning
            When ``random_state`` is not None.
        """
        with one_fit(self, X):
            X, labels = self._inputs(X, y)
            self.bounds_ = self._bounds(X)
            if self.neighbouring == "add_remove":
                warn_of_size(self._undeclared())
            self.noise_ = self._noise(len(labels))
            rows, rng = unit_rows(self.bounds_.scale(X)), generator(self.random_state)
            self.coefficients_ = perturbed_minimiser(rows, labels, noise=self.noise_, rng=rng)
            self._in_units_of_the_data()
            self._seal(self._planned(*X.shape))
        return self

    def _undeclared(self) -> tuple[str, ...]:
        return tuple(name for name in DECLARED if getattr(self, name) is None)

    def _size(self, n_records: int) -> int:
        return n_records if self.expected_n is None else self.expected_n

    def _noise(self, n_records: int) -> ObjectiveNoise:
        return objective_noise(
            self.epsilon, self.delta, regularisation=self.regularisation, n_samples=self._size(n_records),
            neighbouring=self.neighbouring,
        )  # fmt: skip

    def _planned(self, n_records: int, n_features: int) -> Guarantee:
        """Return the guarantee of a fit to records of this shape; no record is read."""
        return objective_guarantee(
            self.epsilon, self.delta, self._noise(n_records), self._size(n_records),
            neighbouring=self.neighbouring, estimated=self.bounds is None,
            undeclared=self._undeclared(),
        )  # fmt: skip

    def _inputs(self, X: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
        """Validate records and classes, set ``classes_``, and return records (n, d) and labels 0 or 1 (n,)."""
        with np.errstate(invalid="ignore"):  # the check adds up all values: inf - inf for huge ones
            X, y = (np.asarray(a) for a in validate_data(self, X, y, dtype=np.float64))
        if self.classes is None:  # with declared classes the labels present do not matter
            check_classification_targets(y)
        kind = type_of_target(y)
        self.classes_, index = class_index(y, self.classes)
        if len(self.classes_) > 2:
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {kind}."
            )
        if len(self.classes_) < 2:
            raise ValueError(
                "y holds one class, but a classifier needs two: give samples of the other as well."
            )
        return X, index.astype(float)

    def _bounds(self, X: Floats) -> Bounds:
        if self.bounds is None:
            warn_of_estimated_bounds(stacklevel=4)
            ends, status = (X.min(0), X.max(0)), "estimated"
        else:
            ends, status = _checks.ends("bounds", self.bounds, X.shape[1]), "public"
        return Bounds(
            low=ends[0], high=ends[1], target_low=-1.0, target_high=1.0, status=cast(Any, status)
        )

    def _in_units_of_the_data(self) -> None:
        *slopes, constant = self.coefficients_ / np.sqrt(len(self.coefficients_))
        intercept, coef = self.bounds_.unscale([constant, *slopes])
        self.coef_, self.intercept_ = coef[None], np.array([intercept])

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the scores (n,) of records X (n, d) after clipping the records to the bounds.

        A positive score means the second class.
        """
        check_is_fitted(self)
        X = np.asarray(validate_data(self, X, dtype=np.float64, reset=False))
        return unit_rows(self.bounds_.scale(X)) @ self.coefficients_

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the predicted classes (n,) of records X (n, d)."""
        second = self.decision_function(X) > 0
        return np.asarray(self.classes_[second.astype(int)])

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the predicted probabilities (n, 2) of the two classes for records X (n, d)."""
        p = expit(self.decision_function(X))
        return np.column_stack([1 - p, p])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        # On small data a small ε leaves mostly noise.
        tags.classifier_tags.poor_score = True
        return tags
