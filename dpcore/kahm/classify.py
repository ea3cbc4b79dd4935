"""Classifiers by the distance to kernel affine hull machines, on original or fabricated data."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcore import _checks
from dpcore._fitting import one_fit
from dpcore._random_state import ForgetsNoise, generator
from dpcore._types import AnyArray, RandomState
from dpcore.guarantee import Guarantee
from dpcore.kahm.fabricate import fabricate
from dpcore.kahm.guarantee import no_guarantee, record_guarantee
from dpcore.kahm.wide import Deep, HullOptions, boxed, fit_blocks, unit_box, wide_distance

__all__ = ["ByDistance", "KAHMClassifier"]

Array = NDArray[np.float64]


class ByDistance(ForgetsNoise, ClassifierMixin, BaseEstimator, ABC):
    """Base class of classifiers that predict the class with the smallest distance."""

    classes_: NDArray[Any]

    @abstractmethod
    def distances(self, X: ArrayLike) -> Array:
        """Return the distances Γ_c (M, k) of M queries X (M, p) to k classes c."""

    def decision_function(self, X: ArrayLike) -> Array:
        """Return the scores -Γ_c (M, k) of M queries X (M, p).

        Γ_c is the distance to class c. With two classes the result is Γ_0 - Γ_1 (M,), positive if the second class is
        nearer.
        """
        distances = self.distances(X)
        return distances[:, 0] - distances[:, 1] if distances.shape[1] == 2 else -distances

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the nearest class (M,) for every query of X (M, p).

        If two distances are equal, the first class is returned.
        """
        distances = self.distances(X)
        return cast(AnyArray, self.classes_[distances.argmin(1)])


class KAHMClassifier(ByDistance):
    """Classifier that predicts the class c with the smallest distance Γ_c(y) from its hull machine to a query y.

    The rule follows the code published by M. Kumar, the first author of arXiv:2304.01300. Fabrication follows our
    interpretation of the introduction of this paper. With a finite ``epsilon`` the machines are fitted to fabricated
    data (`fabricate`), and everything after the noise is post-processing. With inf they are fitted to the original
    data.

    Parameters
    ----------
    n_components, n_layers, block_size, tau_factor, tol
        Settings of the machines, see `WideDeepKAHM`.
    split : "auto", "kmeans", "random" or "none"
        Method of forming blocks; "auto" is k-means without noise and random with noise.
    epsilon : float
        ε ≥ 1e-12 of one **element** (one feature of one record); the ε of a record of p features is pε.
    delta, rounds, operator, stop, noise
        Settings of noise and smoothing, see `fabricate`; unused when ``epsilon`` is inf.
    bounds : (low, high)
        Public bounds of the features, each end a number or (p,). Features are scaled from the bounds to [0, 1],
        because the method depends on the scale. With a finite ``epsilon``, values outside are clipped.
    n_jobs : int or None
        Number of threads, over classes and blocks.
    random_state : int, Generator, RandomState or None
        Source of noise and splits. Use None for releases, because anybody who knows a seed can subtract the noise.
        Two releases with one seed, such as the folds of one ``cross_validate``, reveal the data.

    Attributes
    ----------
    classes_ : ndarray (k,)
        The classes, sorted.
    machines_ : list of tuple of Deep
        For each class, the machines of its blocks. The machines contain the (fabricated) records.
    privacy_ : Guarantee
        Guarantee for the features of a whole record; all labels are public. ``claimed_epsilon`` is the ε of one
        element. The status of the guarantee is "proved", or "proved_under_assumption" with a ``random_state``.

    See Also
    --------
    fabricate, FederatedKAHMClassifier, CentralClassMean

    References
    ----------
    M. Kumar, B. A. Moser and L. Fischer, "On mitigating the utility-loss in differentially private
    learning", arXiv:2304.01300.

    Examples
    --------
    >>> X, y = [[0.0], [0.1], [0.9], [1.0]], ["a", "a", "b", "b"]
    >>> KAHMClassifier().fit(X, y).predict([[0.2]]).tolist()
    ['a']
    """

    def __init__(
        self,
        *,
        n_components: int = 20,
        n_layers: int = 1,
        block_size: int = 1000,
        split: str = "auto",
        tau_factor: float = 2.0,
        tol: float = 1e-6,
        epsilon: float = math.inf,
        delta: float = 0.0,
        rounds: int = 3,
        operator: str = "fixed",
        stop: str = "rounds",
        noise: str = "laplace",
        bounds: tuple[ArrayLike, ArrayLike] = (0.0, 1.0),
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.n_layers = n_layers
        self.block_size = block_size
        self.split = split
        self.tau_factor = tau_factor
        self.tol = tol
        self.epsilon = epsilon
        self.delta = delta
        self.rounds = rounds
        self.operator = operator
        self.stop = stop
        self.noise = noise
        self.bounds = bounds
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the machines of every class, with the guarantee described in `KAHMClassifier`.

        Parameters
        ----------
        X : array-like (N, p)
            Records; with a finite ``epsilon``, values outside ``bounds`` are clipped.
        y : array-like (N,)
            Class of each record, public for any ``epsilon``.

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
            self._fit_from(X, y, generator(self.random_state), self.random_state)
            self._seal(self.privacy_)
        return self

    def _fit_from(
        self, X: ArrayLike, y: ArrayLike, rng: np.random.Generator, source: RandomState
    ) -> Self:
        """Fit to records X (N, p) and classes y (N,), with all noise drawn from the generator ``rng``.

        ``rng`` was created from the random state ``source``. The guarantee assumes that the source is secret, unless
        it is None (fresh entropy of the system).
        """
        with one_fit(self):
            options = self._options()
            X, y = (np.asarray(a) for a in validate_data(self, X, y, dtype=np.float64))
            check_classification_targets(y)
            self.classes_, index = np.unique(y, return_inverse=True)
            unit, guarantee = self._training_data(X, index, options, rng)
            sets = [unit[index == c] for c in range(len(self.classes_))]
            self.machines_: list[tuple[Deep, ...]] = fit_blocks(sets, options, rng, self.n_jobs)
            self.privacy_ = guarantee.with_seed(source)
        return self

    def _training_data(
        self, X: Array, index: NDArray[np.int64], options: HullOptions, rng: np.random.Generator
    ) -> tuple[Array, Guarantee]:
        """Return the records for fitting, scaled to the unit box, and their guarantee.

        They are fabricated from X if ``epsilon`` is finite, otherwise they are X itself.
        """
        if self.epsilon == math.inf:
            return self._unit(X), no_guarantee()
        release = fabricate(
            boxed(X, self.bounds), index, epsilon=self.epsilon, delta=self.delta, rng=rng, rounds=self.rounds,
            operator=self.operator, stop=self.stop, noise=self.noise, options=options,
            n_jobs=self.n_jobs,
        )  # fmt: skip
        return release.X, self._planned(*X.shape)

    def _planned(self, n_records: int, n_features: int) -> Guarantee:
        """Return the guarantee of a fit to records of this shape; no record is read."""
        self._options()
        return record_guarantee(
            self.epsilon, self.delta, n_features, kind=self.noise,
            reads_original=self.stop == "paper",
        )  # fmt: skip

    def _options(self) -> HullOptions:
        _checks.epsilon(self.epsilon, low=_checks.SMALLEST_EPSILON)
        _checks.one_of("split", self.split, ("auto", "kmeans", "random", "none"))
        chosen = "kmeans" if self.epsilon == math.inf else "random"
        return HullOptions(
            n_components=self.n_components, n_layers=self.n_layers, block_size=self.block_size,
            split=chosen if self.split == "auto" else self.split, tau_factor=self.tau_factor,
            tol=self.tol,
        )  # fmt: skip

    def _unit(self, X: Array) -> Array:
        low, width = unit_box(self.bounds, X.shape[1])
        if np.abs(X).max() > 1e100:
            raise ValueError("X beyond ±1e100 is not allowed: give records in the units of bounds.")
        return (X - low) / width

    def distances(self, X: ArrayLike) -> Array:
        """Return the distances Γ_c (M, k) of M queries X (M, p) to the machines of k classes, in the unit box."""
        check_is_fitted(self)
        X = self._unit(np.asarray(validate_data(self, X, dtype=np.float64, reset=False)))
        return np.stack([wide_distance(machines, X) for machines in self.machines_], axis=1)
