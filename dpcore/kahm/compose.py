"""Estimators made of hull machines: a wide one for a data set, and the classifier by distances."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcore import _checks
from dpcore._chance import generator
from dpcore.guarantee import Guarantee
from dpcore.kahm.fabricate import fabricate
from dpcore.kahm.promise import no_promise
from dpcore.kahm.wide import Deep, HullOptions, fit_blocks, unit_box, wide_distance

__all__ = ["ByDistance", "KAHMClassifier", "WideDeepKAHM"]

Array = NDArray[np.float64]


class WideDeepKAHM(TransformerMixin, BaseEstimator):
    """Wide, conditionally deep kernel affine hull machine of one data set.

    ⌈N/N_b⌉ blocks, each with a machine of L layers; the image of y is the nearest of theirs, and
    Γ_W(y) = min_s Γ_s(y). The split by k-means is the author's code's; layers are recalled from the
    authors' earlier papers. Cost of a fit: O(N N_b²), of a query O(N(n + p)).

    Parameters
    ----------
    n_components : int
        n ≥ 1; 10 to 20 for pictures.
    n_layers : int
        L ≥ 1; more than one changed no accuracy we measured.
    block_size : int
        N_b ≥ 2.
    split : "kmeans", "random" or "none"
        How blocks are made; never k-means on noisy data, where clusters follow the noise.
    tau_factor, tol : float
        As in `KAHM`.
    n_jobs : int or None
        Threads over blocks.
    random_state : int, Generator, RandomState or None
        Splits the data.

    Attributes
    ----------
    machines_ : tuple of Deep
        One per block. They contain the records.
    privacy_ : Guarantee
        None: ε = inf.

    Examples
    --------
    >>> ring = np.array([[1.0, 0], [0, 1], [-1, 0], [0, -1]] * 5)
    >>> model = WideDeepKAHM(2).fit(ring)
    >>> bool(model.distance([[3.0, 3.0]])[0] > model.distance([[1.0, 0.0]])[0])
    True
    """

    def __init__(
        self,
        n_components: int = 20,
        n_layers: int = 1,
        block_size: int = 1000,
        split: str = "kmeans",
        tau_factor: float = 2.0,
        tol: float = 1e-6,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.n_layers = n_layers
        self.block_size = block_size
        self.split = split
        self.tau_factor = tau_factor
        self.tol = tol
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Fit to records X (N, p), best scaled to [0, 1]; ``y`` is ignored."""
        options = HullOptions(
            n_components=self.n_components, n_layers=self.n_layers, block_size=self.block_size,
            split=self.split, tau_factor=self.tau_factor, tol=self.tol,
        )  # fmt: skip
        X = np.asarray(validate_data(self, X, dtype=np.float64))
        rng = generator(self.random_state)
        self.machines_: tuple[Deep, ...] = fit_blocks([X], options, rng, self.n_jobs)[0]
        self.privacy_: Guarantee = no_promise()
        return self

    def transform(self, X: ArrayLike) -> Array:
        """Return the images W(y), (M, p) -> (M, p)."""
        X = self._queries(X)
        images, reach = zip(*(machine.image(X) for machine in self.machines_), strict=True)
        return np.stack(images)[np.argmin(reach, axis=0), np.arange(len(X))]

    def distance(self, X: ArrayLike) -> Array:
        """Return the distances Γ_W(y), (M, p) -> (M,)."""
        return wide_distance(self.machines_, self._queries(X))

    def _queries(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype=np.float64, reset=False))


class ByDistance(ClassifierMixin, BaseEstimator, ABC):
    """The rule of all classifiers here: the class whose machine, or whose nearest one, is nearest."""

    classes_: NDArray[Any]

    @abstractmethod
    def distances(self, X: ArrayLike) -> Array:
        """Return Γ_c(y) of every query and class, (M, p) -> (M, k)."""

    def decision_function(self, X: ArrayLike) -> Array:
        """Return -Γ_c(y), (M, p) -> (M, k); with two classes Γ_0 - Γ_1, (M,)."""
        found = self.distances(X)
        return found[:, 0] - found[:, 1] if found.shape[1] == 2 else -found

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of the least distance, the first one of equals: (M, p) -> (M,)."""
        found = self.distances(X)
        return self.classes_[found.argmin(1)]


class KAHMClassifier(ByDistance):
    """Classifier by the distance to the hull machine of every class: argmin_c Γ_c(y).

    The rule is that of code the paper's first author published; fabrication follows the words of the
    paper's introduction, in a reading of ours.
    With a finite ``epsilon`` the machines are built on fabricated data (`fabricate`), and everything
    after the noise is post-processing. With inf they are built on the data as they are.

    Parameters
    ----------
    n_components, n_layers, block_size, tau_factor, tol
        As in `WideDeepKAHM`.
    split : "auto", "kmeans", "random" or "none"
        auto: k-means without noise, random with.
    epsilon : float
        ε > 0 of one **element**; a record of p features gets pε, see ``privacy_``.
    delta, rounds, operator, stop, noise
        As in `fabricate`; unused when ``epsilon`` is inf.
    bounds : (low, high)
        Public box, each end a number or (p,), scaled to [0, 1]: the method depends on the scale.
        With a finite ``epsilon``, values outside are put on it.
    n_jobs : int or None
        Threads over classes and blocks.
    random_state : int, Generator, RandomState or None
        Noise and splits.

    Attributes
    ----------
    classes_ : ndarray (k,)
        Classes.
    machines_ : list of tuple of Deep
        Per class and block. They contain the (fabricated) records.
    privacy_ : Guarantee
        For a whole record; ``claimed_epsilon`` is that of one element.

    Examples
    --------
    >>> X, y = [[0.0], [0.1], [0.9], [1.0]], ["a", "a", "b", "b"]
    >>> KAHMClassifier().fit(X, y).predict([[0.2]]).tolist()
    ['a']
    """

    def __init__(
        self,
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
        random_state: Any = None,
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
        """Fit to records X (N, p) and classes y (N,)."""
        options = self._options()
        X, y = (np.asarray(a) for a in validate_data(self, X, y, dtype=np.float64))
        check_classification_targets(y)
        self.classes_, index = np.unique(y, return_inverse=True)
        rng = generator(self.random_state)
        unit = self._unit(X)
        self.privacy_ = no_promise()
        if self.epsilon != math.inf:
            made = fabricate(
                unit, index, self.epsilon, self.delta, rng=rng, rounds=self.rounds,
                operator=self.operator, stop=self.stop, noise=self.noise, options=options,
                n_jobs=self.n_jobs,
            )  # fmt: skip
            unit, self.privacy_ = made.X, made.guarantee
        sets = [unit[index == c] for c in range(len(self.classes_))]
        self.machines_ = fit_blocks(sets, options, rng, self.n_jobs)
        return self

    def _options(self) -> HullOptions:
        if self.epsilon != math.inf:
            _checks.number("epsilon", self.epsilon, low=0, open_low=True)
        _checks.one_of("split", self.split, ("auto", "kmeans", "random", "none"))
        chosen = "kmeans" if self.epsilon == math.inf else "random"
        return HullOptions(
            n_components=self.n_components, n_layers=self.n_layers, block_size=self.block_size,
            split=chosen if self.split == "auto" else self.split, tau_factor=self.tau_factor,
            tol=self.tol,
        )  # fmt: skip

    def _unit(self, X: Array) -> Array:
        low, width = unit_box(self.bounds, X.shape[1])
        return (X - low) / width

    def distances(self, X: ArrayLike) -> Array:
        """Return Γ_c(y) of every query and class in units of the box, (M, p) -> (M, k)."""
        check_is_fitted(self)
        X = self._unit(np.asarray(validate_data(self, X, dtype=np.float64, reset=False)))
        return np.stack([wide_distance(machines, X) for machines in self.machines_], axis=1)
