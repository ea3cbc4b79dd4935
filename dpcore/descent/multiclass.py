"""Models of two and more classes for private descent: softmax regression, one hidden layer.

As in `dpcore.descent.models`, but y holds class numbers 0 … k - 1 and scores are (V, n, k). The loss is
-ln p_y with p = softmax(z), whose slope in z is p - e_y.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._fixed_order import products, row_sums

__all__ = ["Softmax", "SoftmaxNetwork"]

Floats = NDArray[np.float64]


def _errors(scores: Floats, y: NDArray[Any]) -> Floats:
    """p - e_y, (V, n, k), for scores (V, n, k) and class numbers (n,)."""
    # Scores beyond all numbers say nothing: without this their softmax would pass the clipping.
    finite = np.nan_to_num(scores, nan=0.0, posinf=1e300, neginf=-1e300)
    found: Floats = np.exp(finite - finite.max(-1, keepdims=True))
    found /= row_sums(found)[..., None]
    found[:, np.arange(len(y)), y.astype(np.int64)] -= 1
    return found


@dataclass(frozen=True)
class Softmax:
    """Softmax regression of ``n_features`` ≥ 1 features and a constant to ``n_classes`` ≥ 2 classes.

    z = W x; the problem is convex, and with two classes it is logistic regression.

    See Also
    --------
    SoftmaxNetwork, Logistic, descend
    """

    n_features: int
    n_classes: int

    def __post_init__(self) -> None:
        _checks.integer("n_features", self.n_features, low=1)
        _checks.integer("n_classes", self.n_classes, low=2)

    @property
    def n_weights(self) -> int:
        """k (d + 1)."""
        return self.n_classes * (self.n_features + 1)

    def start(self, rng: np.random.Generator) -> Floats:
        """Return zeros, (k (d + 1),): the problem is convex."""
        return np.zeros(self.n_weights)

    def scores(self, weights: Floats, X: Floats) -> Floats:
        """Return z, (V, n, k), for weights (V, k (d + 1)) and records (n, d + 1)."""
        W = weights.reshape(-1, self.n_classes, self.n_features + 1)
        return products(X, W)

    def factors(self, weights: Floats, X: Floats, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return [(X, p - e_y)]: inputs (n, d + 1), errors (V, n, k)."""
        return [(X, _errors(self.scores(weights, X), y))]


@dataclass(frozen=True)
class SoftmaxNetwork:
    """One hidden layer of ``width`` tanh units between features and softmax.

    See Also
    --------
    Softmax, Network, descend
    """

    n_features: int
    n_classes: int
    width: int = 16

    def __post_init__(self) -> None:
        _checks.integer("n_features", self.n_features, low=1)
        _checks.integer("n_classes", self.n_classes, low=2)
        _checks.integer("width", self.width, low=1)

    @property
    def n_weights(self) -> int:
        """H (d + 1) + k (H + 1)."""
        return self._cut + self.n_classes * (self.width + 1)

    @property
    def _cut(self) -> int:
        return self.width * (self.n_features + 1)

    def start(self, rng: np.random.Generator) -> Floats:
        """Return random weights, (n_weights,), drawn without looking at data."""
        first = rng.standard_normal((self.width, self.n_features + 1))
        first /= np.sqrt(self.n_features + 1)
        return np.concatenate([first.ravel(), np.zeros(self.n_classes * (self.width + 1))])

    def _layers(self, weights: Floats, X: Floats) -> tuple[Floats, Floats]:
        """Hidden values with a constant, (V, n, H + 1), and the second layer, (V, k, H + 1)."""
        first = weights[:, : self._cut].reshape(-1, self.width, self.n_features + 1)
        hidden = np.tanh(products(X, first))
        ones = np.ones((*hidden.shape[:2], 1))
        second = weights[:, self._cut :].reshape(-1, self.n_classes, self.width + 1)
        return np.concatenate([hidden, ones], axis=-1), second

    def scores(self, weights: Floats, X: Floats) -> Floats:
        """Return z, (V, n, k), for weights (V, n_weights) and records (n, d + 1)."""
        hidden, second = self._layers(weights, X)
        return products(hidden, second)

    def factors(self, weights: Floats, X: Floats, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return (inputs, errors) of both layers; errors (V, n, H) and (V, n, k)."""
        hidden, second = self._layers(weights, X)
        error = _errors(products(hidden, second), y)
        h = hidden[..., :-1]
        back = products(error, np.swapaxes(second[..., :-1], -1, -2)) * (1 - h * h)
        return [(X, back), (hidden, error)]
