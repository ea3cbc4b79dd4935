"""Baseline of central differential privacy: class means with Gaussian noise that hides the features of a record."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcore import _checks, accounting, mechanisms
from dpcore._fitting import one_fit
from dpcore._random_state import generator
from dpcore._types import Floats, RandomState
from dpcore.guarantee import Guarantee, Part, from_event
from dpcore.kahm.classify import ByDistance
from dpcore.kahm.guarantee import PUBLIC
from dpcore.kahm.wide import boxed

if TYPE_CHECKING:
    from sklearn.base import Tags

__all__ = ["CentralClassMean", "rounding_bound"]

_UNIT = 2.0**-53  # u: the relative error of one operation


def rounding_bound(n_records: int) -> float:
    """Return a bound on the relative increase of the sensitivity Δ of class sums by rounding.

    - A computed sum of n numbers x has an error of at most γ Σ|x| in any order of summation, where γ = nu/(1 - nu)
      and u = 2⁻⁵³ (Higham 2002, section 4.2).
    - If every record has a norm of at most b, the errors of all class sums together have an L2 norm of at most γnb.
      Since b ≤ Δ, the errors of two neighbouring data sets differ by at most 2γnΔ.
    - Another 8uΔ covers the rounding of Δ itself.

    Parameters
    ----------
    n_records : int
        Number n ≥ 1 of records in each data set.

    Returns
    -------
    float
        2nγ + 8u: 2·10⁻⁸ for 10,000 records, 2·10⁻⁴ for a million.

    References
    ----------
    N. J. Higham, "Accuracy and stability of numerical algorithms", 2nd edition, SIAM, 2002.

    Examples
    --------
    >>> rounding_bound(10_000) < 2.3e-8
    True
    """
    return 2 * n_records * (n_records * _UNIT) / (1 - n_records * _UNIT) + 8 * _UNIT


class CentralClassMean(ByDistance):
    """Nearest-class-mean classifier with Gaussian noise on the means, under central DP.

    Records are scaled to the unit box [0, 1]^p, clipped to norm C and summed by class. In the box no feature is
    negative, so ‖x - x'‖² ≤ ‖x‖² + ‖x'‖². A replaced record therefore changes the sums by at most Δ = min(√2 C, √p)
    in the L2 norm. Rounding adds at most about 2N² 2⁻⁵³ Δ (`rounding_bound`). The analytic Gaussian mechanism
    calibrates the noise to the sensitivity Δ plus this addition.

    Neighbours are defined as for fabricated data. They have the same size and the same labels, and differ in the
    features of one record. This protects less than hiding a whole record: labels, the list of classes and class sizes
    are public.

    Parameters
    ----------
    epsilon, delta : float
        ε ≥ 1e-12 (inf: no noise) and δ in (0, 1) of all features of a **record**.
    clip_norm : float or None
        Norm C in [1e-30, 1e30] to which records and queries are clipped; None clips nothing.
    bounds : (low, high)
        Public bounds of the features, each end a number or (p,). Features are scaled from the bounds to [0, 1].
    random_state : int, Generator, RandomState or None
        Source of the noise. Use None for releases, because anybody who knows a seed can subtract the noise. Two
        releases with one seed, such as the folds of one ``cross_validate``, reveal the exact means.

    Attributes
    ----------
    classes_ : ndarray (k,)
        The classes, sorted.
    means_ : ndarray (k, p)
        Noisy means, in the unit box.
    privacy_ : Guarantee
        Guarantee for the features of a whole record. Its status is "proved", or "proved_under_assumption" with a
        ``random_state``.

    See Also
    --------
    KAHMClassifier

    References
    ----------
    B. Balle and Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy", ICML, 2018.

    Examples
    --------
    >>> X, y = [[0.0], [0.1], [0.9], [1.0]] * 500, [0, 0, 1, 1] * 500
    >>> model = CentralClassMean(epsilon=1.0).fit(X, y)
    >>> model.predict([[0.2]]).tolist(), model.privacy_.epsilon, model.privacy_.status
    ([0], 1.0, 'proved')
    """

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        clip_norm: float | None = None,
        bounds: tuple[ArrayLike, ArrayLike] = (0.0, 1.0),
        random_state: RandomState = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.clip_norm = clip_norm
        self.bounds = bounds
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Compute the noisy class means, with the guarantee described in `CentralClassMean`.

        Parameters
        ----------
        X : array-like (N, p)
            Records; values outside ``bounds`` are clipped.
        y : array-like (N,)
            Class of each record, which is public.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            When a parameter is outside its range.

        Warns
        -----
        SeededNoiseWarning
            When there is noise and ``random_state`` is not None.
        """
        with one_fit(self, X):
            epsilon = _checks.epsilon(self.epsilon, low=_checks.SMALLEST_EPSILON)
            X, y = (np.asarray(a) for a in validate_data(self, X, y, dtype=np.float64))
            check_classification_targets(y)
            self.classes_, index = np.unique(y, return_inverse=True)
            sigma = mechanisms.gaussian_sigma(self._reach(*X.shape), epsilon, delta=self.delta)
            sums = self._sums(X, index)
            noisy = mechanisms.add_gaussian(sums, sigma, rng=generator(self.random_state))
            self.means_: NDArray[np.float64] = noisy / np.bincount(index)[:, None]
            self._seal(self._planned(*X.shape))
        return self

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # On few records a small ε leaves mostly noise.
        tags.classifier_tags.poor_score = True
        return tags

    def _reach(self, n_records: int, n_features: int) -> float:
        """Return the sensitivity Δ of the class sums, increased by a bound on rounding errors."""
        reach = math.sqrt(n_features)
        if self.clip_norm is not None:
            reach = min(math.sqrt(2) * _checks.scale("clip_norm", self.clip_norm), reach)
        return reach * (1 + rounding_bound(n_records))

    def _sums(self, X: NDArray[np.float64], index: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the exact class sums (k, p) of the clipped records; they must not be released."""
        member = np.arange(index.max() + 1)[:, None] == index
        return cast(Floats, member @ self._clipped(X))

    def _clipped(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        X = boxed(X, self.bounds)
        if self.clip_norm is None:
            return X
        # Less than C by all that rounding may add: γ_p/2 in the norm, whatever its order, and a unit for each of
        # the root, the quotient and two products.
        most = (1 - (X.shape[1] + 8) * _UNIT) * self.clip_norm
        return cast(Floats, X * (most / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), most)))

    def _planned(self, n_records: int, n_features: int) -> Guarantee:
        """Return the guarantee of a fit to records of this shape; no record is read."""
        _checks.epsilon(self.epsilon, low=_checks.SMALLEST_EPSILON)
        reach = self._reach(n_records, n_features)
        sigma = mechanisms.gaussian_sigma(reach, self.epsilon, delta=self.delta)
        # An accountant lets a replaced record add twice what one adds: Δ counts for two halves.
        return from_event(
            accounting.GaussianEvent(2 * sigma / reach),
            self.delta,
            calibrated_epsilon=self.epsilon,
            neighbouring="replace_one",
            argument="One analytic Gaussian on all class sums; the features of one record move them "
            "by at most Δ. Means, distances and predictions are post-processing.",
            public=PUBLIC,
            not_protected=(
                "labels and class sizes",
                "other leaks, such as the time a computation takes: the noise is made for experiments, not for "
                "release",
            ),
            parts=(
                Part(
                    name="class sums",
                    epsilon=self.epsilon,
                    delta=self.delta,
                    mechanism=f"analytic Gaussian, σ = {sigma:.3g}",
                ),
            ),
        )

    def distances(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the distances (M, k) of M queries X (M, p) to the k noisy class means, in the unit box."""
        check_is_fitted(self)
        X = self._clipped(np.asarray(validate_data(self, X, dtype=np.float64, reset=False)))
        square = np.square(self.means_).sum(1) - 2 * X @ self.means_.T
        return cast(Floats, np.sqrt(np.maximum(square + np.square(X).sum(1, keepdims=True), 0)))
