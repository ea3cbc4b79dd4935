"""The sober comparison: noisy class means from one trusted keeper, at the ε of a whole record."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcore import _checks, mechanisms
from dpcore._chance import generator
from dpcore.guarantee import Guarantee, Part
from dpcore.kahm.compose import ByDistance
from dpcore.kahm.wide import unit_box

__all__ = ["CentralClassMean"]


class CentralClassMean(ByDistance):
    """Nearest class mean, the means released with Gaussian noise under central DP.

    Records are scaled to the unit box, clipped to norm C and summed by class. No feature is negative
    there, so ‖x - x'‖² ≤ ‖x‖² + ‖x'‖²: a replaced record moves the sums by Δ = min(√2 C, √p) at most
    (L2), and σ = σ_analytic(Δ, ε, δ). For the same neighbours as fabricated data: the features of one
    record replaced, labels and class sizes public.

    Parameters
    ----------
    epsilon, delta : float
        ε > 0 (inf: no noise) and δ in (0, 1) of a whole **record**.
    clip_norm : float or None
        C > 0, for queries too; None clips nothing.
    bounds : (low, high)
        Public box, each end a number or (p,).
    random_state : int, Generator, RandomState or None
        The noise.

    Attributes
    ----------
    classes_ : ndarray (k,)
        Classes.
    means_ : ndarray (k, p)
        Noisy means, in the unit box.
    privacy_ : Guarantee
        For a whole record.

    Examples
    --------
    >>> X, y = [[0.0], [0.1], [0.9], [1.0]] * 50, [0, 0, 1, 1] * 50
    >>> model = CentralClassMean(epsilon=1.0, random_state=0).fit(X, y)
    >>> model.predict([[0.2]]).tolist(), model.privacy_.epsilon
    ([0], 1.0)
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        clip_norm: float | None = None,
        bounds: tuple[ArrayLike, ArrayLike] = (0.0, 1.0),
        random_state: Any = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.clip_norm = clip_norm
        self.bounds = bounds
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to records X (N, p) and classes y (N,)."""
        X, y = (np.asarray(a) for a in validate_data(self, X, y, dtype=np.float64))
        check_classification_targets(y)
        self.classes_, index = np.unique(y, return_inverse=True)
        reach = math.sqrt(X.shape[1])
        if self.clip_norm is not None:
            C = _checks.number("clip_norm", self.clip_norm, low=0, open_low=True)
            reach = min(math.sqrt(2) * C, reach)
        sigma = mechanisms.gaussian_sigma(reach, self.epsilon, self.delta)
        member = np.arange(len(self.classes_))[:, None] == index
        sums = member @ self._clipped(X)
        noisy = mechanisms.add_gaussian(sums, sigma, generator(self.random_state))
        self.means_: NDArray[np.float64] = noisy / member.sum(1, keepdims=True)
        self.privacy_ = self._promise(sigma)
        return self

    def _clipped(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        low, width = unit_box(self.bounds, X.shape[1])
        X = np.clip((X - low) / width, 0, 1)
        if self.clip_norm is None:
            return X
        norms = np.linalg.norm(X, axis=1, keepdims=True)
        return X * (self.clip_norm / np.maximum(norms, self.clip_norm))

    def _promise(self, sigma: float) -> Guarantee:
        return Guarantee(
            epsilon=self.epsilon,
            delta=self.delta,
            neighbouring="replace_one",
            status="proved",
            argument="One analytic Gaussian on all class sums; a record moves them by at most Δ.",
            public=("the box of the features", "labels, class sizes, and every setting"),
            not_protected=(
                "labels and class sizes",
                "side channels: the noise is made for experiments, not for release",
            ),
            parts=(
                Part(
                    name="class sums",
                    epsilon=self.epsilon,
                    delta=self.delta,
                    mechanism=f"analytic Gaussian, σ = {sigma:.4g}",
                ),
            ),
        )

    def distances(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the distances to every noisy mean in units of the box, (M, p) -> (M, k)."""
        check_is_fitted(self)
        X = self._clipped(np.asarray(validate_data(self, X, dtype=np.float64, reset=False)))
        square = np.square(self.means_).sum(1) - 2 * X @ self.means_.T
        return np.sqrt(np.maximum(square + np.square(X).sum(1, keepdims=True), 0))
