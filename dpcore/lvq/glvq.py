"""GLVQ without privacy, a baseline for the private estimators."""

from __future__ import annotations

from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcore import _checks, _random_state, sgd
from dpcore._declared_bounds import class_index
from dpcore._types import Floats, RandomState
from dpcore.lvq import gradients, init, train

__all__ = ["GLVQ", "PrototypeClassifier", "streams"]


def streams(random_state: RandomState) -> sgd.Streams:
    """Return the random streams of a training, derived from ``random_state``."""
    return sgd.Streams.spawned(_random_state.seed_sequence(random_state))


class PrototypeClassifier(ClassifierMixin, BaseEstimator):
    """Base class of prototype classifiers: input validation, and prediction by the closest prototype."""

    prototypes_: NDArray[np.float64]
    prototype_labels_: NDArray[Any]
    classes_: NDArray[Any]

    def _inputs(
        self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Validate records X (n, d) and labels y (n,); return records and class indices (n,).

        The attribute ``classes_`` is set. ``classes`` is the public list of classes; None takes the classes of y.
        """
        with np.errstate(invalid="ignore"):  # the check adds up all values: inf - inf for huge ones
            X, y = (np.asarray(a) for a in validate_data(self, X, y, dtype=np.float64))
        if classes is None:  # with declared classes the labels present do not matter
            check_classification_targets(y)
        self.classes_, index = class_index(y, classes)
        if len(self.classes_) < 2:
            raise ValueError(
                "y holds one class, but a classifier needs at least two: give samples of another."
            )
        return X, index

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of the prototype closest to each record.

        Parameters
        ----------
        X : array (n, d)
            Finite records, in the units of the data.

        Returns
        -------
        ndarray (n,)
            Predicted classes.
        """
        images = self._map(self._checked(X)), self._map(self.prototypes_)
        return gradients.predict(*images, labels=self.prototype_labels_)

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return minus the squared distances of records to the closest prototype of every class.

        Parameters
        ----------
        X : array (n, d)
            Finite records, in the units of the data.

        Returns
        -------
        ndarray (n, k)
            One score per class, in the order of ``classes_``. With two classes the result is (n,), the difference of
            the scores, positive for the second class.
        """
        images = self._map(self._checked(X))
        distances = gradients.squared_distances(images, self._map(self.prototypes_))
        nearest = np.stack(
            [distances[:, self.prototype_labels_ == name].min(1) for name in self.classes_], axis=1
        )
        return nearest[:, 0] - nearest[:, 1] if len(self.classes_) == 2 else -nearest

    def _checked(self, X: ArrayLike) -> NDArray[np.float64]:
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype=np.float64, reset=False))

    def _map(self, A: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return records A (n, d) mapped to the space in which Euclidean distances decide the class."""
        return A * self._scale()

    def _scale(self) -> NDArray[np.float64]:
        """Return the factors (d,) that multiply features before distances are computed; here ones."""
        return np.ones(self.n_features_in_)


class GLVQ(PrototypeClassifier):
    """Generalised learning vector quantisation (Sato and Yamada 1995), without privacy.

    Training starts at the class means. It minimises Σ_i (d⁺ - d⁻)/(d⁺ + d⁻) over the prototypes. d⁺ and d⁻ are record
    i's squared distances to the closest prototype of its class and of another class.

    Parameters
    ----------
    prototypes_per_class : int
        Number m ≥ 1 of prototypes of each class.
    solver : "lbfgs" or "sgd"
        L-BFGS on the exact gradient, or gradient descent on Poisson-sampled batches (lots).
    max_iter : int
        Largest number of iterations of L-BFGS.
    sample_rate, epochs, learning_rate, schedule, average
        Settings of "sgd": sampling of lots, number of passes, step sizes and averaging of iterates, see `DPGLVQ`.
    random_state : int, Generator, RandomState or None
        Source of the lots, and of the jitter that separates several prototypes of a class. No noise is added.

    Attributes
    ----------
    prototypes_ : ndarray (P, d)
        Prototypes in the units of the data.
    prototype_labels_ : ndarray (P,)
        Class of each prototype.
    path_ : ndarray (S, P, d)
        Prototypes at S steps of the training ("sgd" only).
    classes_ : ndarray (k,)
        The classes, sorted.

    See Also
    --------
    DPGLVQ, GMLVQ

    References
    ----------
    A. Sato and K. Yamada, "Generalized learning vector quantization", NIPS 8, 1995.

    Examples
    --------
    >>> X, y = [[-1.0], [-0.8], [0.8], [1.0]], [0, 0, 1, 1]
    >>> GLVQ().fit(X, y).predict([[0.3]]).tolist()
    [1]
    """

    path_: NDArray[np.float64]

    def __init__(
        self,
        *,
        prototypes_per_class: int = 1,
        solver: str = "lbfgs",
        max_iter: int = 500,
        sample_rate: float = 0.01,
        epochs: float = 50,
        learning_rate: float = 0.1,
        schedule: str = "constant",
        average: bool = True,
        random_state: RandomState = None,
    ) -> None:
        self.prototypes_per_class = prototypes_per_class
        self.solver = solver
        self.max_iter = max_iter
        self.sample_rate = sample_rate
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.schedule = schedule
        self.average = average
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the prototypes to labelled records, without privacy.

        Parameters
        ----------
        X : array (n, d)
            Finite records.
        y : array (n,)
            Class of each record; at least two classes must occur.

        Returns
        -------
        self
        """
        _checks.one_of("solver", self.solver, ("lbfgs", "sgd"))
        X, index = self._inputs(X, y)
        m = _checks.integer("prototypes_per_class", self.prototypes_per_class, low=1)
        labels = np.repeat(np.arange(len(self.classes_)), m)
        chance = streams(self.random_state)
        # Training uses [-1, 1]^d with one common scale, which preserves ratios of distances.
        middle = (X.max(0) + X.min(0)) / 2
        scale = max(float(np.ptp(X, axis=0).max()) / 2, 1e-12)
        inside = (X - middle) / scale
        sums, counts = init.class_statistics(inside, index, len(self.classes_))
        first = init.start(
            sums, counts, count_scale=0.0, sum_scale=0.0, kind="gaussian",
            prototypes_per_class=m, rng=chance.start,
        )  # fmt: skip
        solve = self._lbfgs if self.solver == "lbfgs" else self._sgd
        self.prototypes_ = middle + scale * solve(inside, index, first, labels, chance)
        if self.solver == "sgd":
            self.path_ = middle + scale * self.path_
        self.prototype_labels_ = self.classes_[labels]
        return self

    def _lbfgs(
        self,
        X: NDArray[np.float64],
        y: NDArray[np.int64],
        first: NDArray[np.float32],
        labels: NDArray[np.int64],
        chance: sgd.Streams,
    ) -> NDArray[np.float64]:
        shape = first.shape[1:]

        def value(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            W = flat.reshape(shape)
            M = gradients.coefficients(gradients.squared_distances(X, W), y, labels, np.inf)
            slope = M.T @ X - M.sum(0)[:, None] * W
            return gradients.cost(X, y, W, labels) / len(X), slope.ravel() / len(X)

        limit = _checks.integer("max_iter", self.max_iter, low=1)
        optimum = minimize(
            value, first[0].astype(float).ravel(), jac=True, method="L-BFGS-B",
            options={"maxiter": limit, "gtol": 1e-7, "ftol": 1e-12},
        )  # fmt: skip
        self.n_iter_ = int(optimum.nit)
        return cast(Floats, optimum.x.reshape(shape))

    def _sgd(
        self,
        X: NDArray[np.float64],
        y: NDArray[np.int64],
        first: NDArray[np.float32],
        labels: NDArray[np.int64],
        chance: sgd.Streams,
    ) -> NDArray[np.float64]:
        n_steps = max(1, round(self.epochs / self.sample_rate))
        self.n_iter_ = n_steps
        self.path_ = train.sweep(
            X, y, first, labels,
            sgd.poisson_lots(len(X), self.sample_rate, n_steps=n_steps, rng=chance.lots),
            noise_multiplier=0.0, clip_norm=np.inf, learning_rate=self.learning_rate,
            expected_lot=self.sample_rate * len(X), key=chance.key, schedule=self.schedule,
            average=self.average, snapshots=np.unique(np.linspace(0, n_steps, 41).astype(int)),
        )[0].astype(float)  # fmt: skip
        return cast(Floats, self.path_[-1])
