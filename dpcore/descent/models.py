"""Differentiable models for private descent: logistic and softmax regression, and networks with one hidden layer.

Weights are flat vectors, (V, n_weights) for V models trained side by side. Records have a constant
last feature 1. The loss is ln(1 + e^{-yz}) with y = ±1, whose slope in z is p - [y = 1].

All computations on a record use a fixed summation order (``dpcore._fixed_order``), so that its
gradient depends bit for bit on the record and the weights only, not on the lot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpcore import _checks
from dpcore._fixed_order import dots, products, row_sums

__all__ = ["Logistic", "Model", "Network", "Softmax", "SoftmaxNetwork"]


Floats = NDArray[np.float64]


class Model(Protocol):
    """Protocol of a model: V weight vectors at once, n records with d + 1 features.

    ``n_weights``; ``start`` (n_weights,) from a generator; ``scores`` (V, n); ``factors``: the
    layers' (inputs, errors) behind every record's gradient, inputs (n, a) or (V, n, a), errors
    (V, n, b), so that a record's gradient of the layer is errors ⊗ inputs, flattened.

    See Also
    --------
    Logistic, Network
    """

    @property
    def n_weights(self) -> int:
        """Length of the flat weights."""

    def start(self, rng: np.random.Generator) -> Floats:
        """Return starting weights, (n_weights,)."""

    def scores(self, weights: Floats, X: Floats) -> Floats:
        """Return scores z, (V, n), of records (n, d + 1) under weights (V, n_weights)."""

    def factors(self, weights: Floats, X: Floats, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return (inputs, errors) of each layer, for weights (V, n_weights) and labels 0 or 1 (n,)."""


@dataclass(frozen=True)
class Logistic:
    """Logistic regression of ``n_features`` ≥ 1 features and a constant: z = w·x.

    See Also
    --------
    Network, Model, descend
    """

    n_features: int

    def __post_init__(self) -> None:
        _checks.integer("n_features", self.n_features, low=1)

    @property
    def n_weights(self) -> int:
        """d + 1."""
        return self.n_features + 1

    def start(self, rng: np.random.Generator) -> Floats:
        """Return zeros, (d + 1,): the problem is convex."""
        return np.zeros(self.n_weights)

    def scores(self, weights: Floats, X: Floats) -> Floats:
        """Return z = Xw, (V, n), for weights (V, d + 1) and records (n, d + 1)."""
        return products(weights, X)

    def factors(self, weights: Floats, X: Floats, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return [(X, p - y)]: inputs (n, d + 1), errors (V, n, 1)."""
        return [(X, (expit(self.scores(weights, X)) - y)[..., None])]


@dataclass(frozen=True)
class Network:
    """One hidden layer of ``width`` tanh units on ``n_features`` features and a constant.

    See Also
    --------
    Logistic, Model, descend
    """

    n_features: int
    width: int = 12

    def __post_init__(self) -> None:
        _checks.integer("n_features", self.n_features, low=1)
        _checks.integer("width", self.width, low=1)

    @property
    def n_weights(self) -> int:
        """H (d + 1) + H + 1."""
        return self.width * (self.n_features + 2) + 1

    def start(self, rng: np.random.Generator) -> Floats:
        """Return random weights, (n_weights,), drawn without looking at data."""
        first = rng.standard_normal((self.width, self.n_features + 1)) * 1.5
        second = rng.standard_normal(self.width + 1) / np.sqrt(self.width)
        return np.concatenate([first.ravel(), second])

    def _layers(self, weights: Floats, X: Floats) -> tuple[Floats, Floats]:
        """Return hidden values with a constant, (V, n, H + 1), and the second layer, (V, H + 1)."""
        cut = self.width * (self.n_features + 1)
        first = weights[:, :cut].reshape(-1, self.width, self.n_features + 1)
        hidden = np.tanh(products(X, first))
        ones = np.ones((*hidden.shape[:2], 1))
        return np.concatenate([hidden, ones], axis=-1), weights[:, cut:]

    def scores(self, weights: Floats, X: Floats) -> Floats:
        """Return z, (V, n), for weights (V, n_weights) and records (n, d + 1)."""
        hidden, second = self._layers(weights, X)
        return dots(hidden, second[:, None])

    def factors(self, weights: Floats, X: Floats, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return (inputs, errors) of both layers; errors (V, n, H) and (V, n, 1)."""
        hidden, second = self._layers(weights, X)
        error = (expit(dots(hidden, second[:, None])) - y)[..., None]
        h = hidden[..., :-1]
        back = error * second[:, None, :-1] * (1 - h * h)
        return [(X, back), (hidden, error)]


def _errors(scores: Floats, y: NDArray[Any]) -> Floats:
    """Return p - e_y, (V, n, k), for scores (V, n, k) and class numbers (n,)."""
    # Infinite scores would give NaN gradients, which clipping does not bound.
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
        """Return hidden values with a constant, (V, n, H + 1), and the second layer, (V, k, H + 1)."""
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
