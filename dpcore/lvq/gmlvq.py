"""GMLVQ without privacy: a classifier of prototypes and a relevance matrix."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from dpcore import _checks, sgd
from dpcore._types import Floats, RandomState
from dpcore.lvq import matrix, matrix_train
from dpcore.lvq.glvq import GLVQ, PrototypeClassifier

__all__ = ["GMLVQ", "MatrixClassifier"]


class MatrixClassifier(ClassNamePrefixFeaturesOutMixin, TransformerMixin, PrototypeClassifier):
    """Base class of classifiers that measure distances under a matrix Ω and report feature relevances."""

    omega_: NDArray[np.float64]
    relevances_: NDArray[np.float64]

    def transform(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the images Ωx of records x; Euclidean distances between images decide the class.

        Parameters
        ----------
        X : array (n, d)
            Finite records, in the units of the data.

        Returns
        -------
        ndarray (n, rank)
            Images, one row per record.
        """
        return self._map(self._checked(X))

    @property
    def _n_features_out(self) -> int:
        return len(self.omega_)

    def _map(self, A: NDArray[np.float64]) -> NDArray[np.float64]:
        return super()._map(A) @ self.omega_.T

    def _set_omega(self, omega: NDArray[Any]) -> None:
        self.omega_ = np.asarray(omega, float)
        self.relevances_ = np.square(self.omega_).sum(0) / np.square(self.omega_).sum()


class GMLVQ(MatrixClassifier, GLVQ):
    """Generalised matrix LVQ (Schneider, Biehl and Hammer 2009), without privacy.

    Training minimises Σ_i (d⁺ - d⁻)/(d⁺ + d⁻) over prototypes and Ω together. d⁺ and d⁻ are record i's distances d =
    |Ω (x - w)|² to the closest prototype of its class and of another class. Training starts at the class means and
    the identity. If ``rank`` is below d, Ω starts at fixed orthogonal directions instead, see `matrix.start`.

    Parameters
    ----------
    prototypes_per_class : int
        Number m ≥ 1 of prototypes of each class.
    rank : int or None
        Number l of rows of Ω, from 1 to d; None is d.
    solver : "lbfgs" or "sgd"
        L-BFGS on the exact gradient, or gradient descent on Poisson-sampled batches (lots).
    max_iter : int
        Largest number of iterations of L-BFGS.
    sample_rate, epochs, learning_rate, schedule, average
        Settings of "sgd": sampling of lots, number of passes, step sizes and averaging of iterates, see `DPGLVQ`.
        Prototypes and Ω have the same learning rate.
    random_state : int, Generator, RandomState or None
        Source of the lots, and of the jitter that separates several prototypes of a class.

    Attributes
    ----------
    prototypes_ : ndarray (P, d)
        Prototypes in the units of the data.
    prototype_labels_ : ndarray (P,)
        Class of each prototype.
    omega_ : ndarray (l, d)
        The matrix Ω, for differences in the units of the data. Its overall scale is arbitrary, because only ratios of
        distances have a meaning.
    relevances_ : ndarray (d,)
        Relevance of each feature: the diagonal of Λ = ΩᵀΩ, scaled to sum 1.
    path_, omega_path_ : ndarray (S, P, d), (S, l, d)
        Prototypes and matrices at S steps of the training ("sgd" only).
    classes_ : ndarray (k,)
        The classes, sorted.

    See Also
    --------
    DPGMLVQ, GLVQ

    References
    ----------
    P. Schneider, M. Biehl and B. Hammer, "Adaptive relevance matrices in learning vector
    quantization", Neural Computation 21(12), 2009.

    Examples
    --------
    >>> X, y = [[-1.0, 3], [-0.8, -3], [0.8, 3], [1.0, -3]], [0, 0, 1, 1]
    >>> model = GMLVQ().fit(X, y)
    >>> model.predict([[0.3, 0.0]]).tolist(), bool(model.relevances_[0] > 0.9)
    ([1], True)
    """

    omega_path_: NDArray[np.float64]

    def __init__(
        self,
        *,
        prototypes_per_class: int = 1,
        rank: int | None = None,
        solver: str = "lbfgs",
        max_iter: int = 500,
        sample_rate: float = 0.01,
        epochs: float = 50,
        learning_rate: float = 0.1,
        schedule: str = "constant",
        average: bool = True,
        random_state: RandomState = None,
    ) -> None:
        super().__init__(
            prototypes_per_class=prototypes_per_class,
            solver=solver,
            max_iter=max_iter,
            sample_rate=sample_rate,
            epochs=epochs,
            learning_rate=learning_rate,
            schedule=schedule,
            average=average,
            random_state=random_state,
        )
        self.rank = rank

    def _lbfgs(
        self,
        X: NDArray[np.float64],
        y: NDArray[np.int64],
        first: NDArray[np.float32],
        labels: NDArray[np.int64],
        chance: sgd.Streams,
    ) -> NDArray[np.float64]:
        W, omega = first[0].astype(float), matrix.start(X.shape[1], self.rank)

        def value(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            cost, slope, turn = matrix.cost_and_gradient(
                X, y, flat[: W.size].reshape(W.shape), flat[W.size :].reshape(omega.shape), labels
            )
            return cost / len(X), np.concatenate([slope.ravel(), turn.ravel()]) / len(X)

        optimum = minimize(
            value, np.concatenate([W.ravel(), omega.ravel()]), jac=True, method="L-BFGS-B",
            options={"maxiter": _checks.integer("max_iter", self.max_iter, low=1), "gtol": 1e-7,
                     "ftol": 1e-10},
        )  # fmt: skip
        self.n_iter_ = int(optimum.nit)
        self._set_omega(optimum.x[W.size :].reshape(omega.shape))
        return cast(Floats, optimum.x[: W.size].reshape(W.shape))

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
        path = matrix_train.sweep(
            X, y, first, matrix.start(X.shape[1], self.rank), labels,
            sgd.poisson_lots(len(X), self.sample_rate, n_steps=n_steps, rng=chance.lots),
            noise_multiplier=0.0, clip_norm=np.inf, learning_rate=self.learning_rate,
            expected_lot=self.sample_rate * len(X), key=chance.key, schedule=self.schedule,
            average=self.average, snapshots=np.unique(np.linspace(0, n_steps, 41).astype(int)),
        )  # fmt: skip
        self.path_, self.omega_path_ = (
            path.prototypes[0].astype(float),
            path.omegas[0].astype(float),
        )
        self._set_omega(self.omega_path_[-1])
        return cast(Floats, self.path_[-1])
