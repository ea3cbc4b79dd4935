"""Differentiable models for private descent: regressions, and networks with one hidden layer.

The regressions are logistic and softmax regression. Weights are flat vectors, (V, n_weights) for V models trained
together. Records have a constant last feature 1. The loss of two classes y = ±1 at score z is ln(1 + e^{-yz}). Its
derivative with respect to z is p - [y = 1], where p = 1/(1 + e^{-z}). The loss of more classes is the cross-entropy
of the softmax.

All computations on a record use a fixed summation order (``dpcore._fixed_order``). The gradient of a record therefore
depends, bit for bit, on the record and the weights only.
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
    """Protocol of a differentiable model, evaluated for V weight vectors and n records at once.

    A record has d + 1 features, the last one constant. In a layer, the gradient of a record is the outer product
    errors ⊗ inputs, flattened. A layer with p inputs and r outputs has inputs (n, p) or (V, n, p), and errors (V, n,
    r). ``factors`` returns both.

    See Also
    --------
    Logistic, Network
    """

    @property
    def n_weights(self) -> int:
        """Number of weights, the length of a flat weight vector."""

    def start(self, rng: np.random.Generator) -> Floats:
        """Return the starting weights (n_weights,); random weights are drawn from ``rng``."""

    def scores(self, weights: Floats, X: Floats) -> Floats:
        """Return the scores z of records X (n, d + 1) under V weight vectors (V, n_weights).

        The scores are (V, n), or (V, n, k) for a model of k classes.
        """

    def factors(self, weights: Floats, X: Floats, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return the pair (inputs, errors) of every layer; errors ⊗ inputs is a record's gradient in this layer.

        ``weights`` (V, n_weights) are the weights of V models, ``X`` (n, d + 1) the records. ``y`` (n,) holds labels
        0 or 1, or class numbers.
        """


@dataclass(frozen=True)
class Logistic:
    """Logistic regression on d = ``n_features`` ≥ 1 features and a constant, with score z = w·x.

    See Also
    --------
    Network, Model, descend
    """

    n_features: int

    def __post_init__(self) -> None:
        _checks.integer("n_features", self.n_features, low=1)

    @property
    def n_weights(self) -> int:
        """Number d + 1 of weights, for d features and the constant."""
        return self.n_features + 1

    def start(self, rng: np.random.Generator) -> Floats:
        """Return zeros (d + 1,) as starting weights, which suffice because the problem is convex."""
        return np.zeros(self.n_weights)

    def scores(self, weights: Floats, X: Floats) -> Floats:
        """Return the scores z = Xw (V, n) of records (n, d + 1) under V weight vectors (V, d + 1)."""
        return products(weights, X)

    def factors(self, weights: Floats, X: Floats, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return [(X, p - y)]: inputs (n, d + 1), and errors (V, n, 1) of V models.

        p are the predicted probabilities of n records."""
        return [(X, (expit(self.scores(weights, X)) - y)[..., None])]


@dataclass(frozen=True)
class Network:
    """Network for two classes, with H = ``width`` hidden tanh units.

    Its inputs are d = ``n_features`` features and a constant.

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
        """Number H (d + 1) + H + 1 of weights, for H hidden units and d features."""
        return self.width * (self.n_features + 2) + 1

    def start(self, rng: np.random.Generator) -> Floats:
        """Return random starting weights (n_weights,) that do not depend on data."""
        first = rng.standard_normal((self.width, self.n_features + 1)) * 1.5
        second = rng.standard_normal(self.width + 1) / np.sqrt(self.width)
        return np.concatenate([first.ravel(), second])

    def _layers(self, weights: Floats, X: Floats) -> tuple[Floats, Floats]:
        """Return the hidden values (V, n, H + 1), with a constant 1, and the second layer's weights (V, H + 1).

        V, n and H are the numbers of models, records and hidden units.
        """
        cut = self.width * (self.n_features + 1)
        first = weights[:, :cut].reshape(-1, self.width, self.n_features + 1)
        hidden = np.tanh(products(X, first))
        ones = np.ones((*hidden.shape[:2], 1))
        return np.concatenate([hidden, ones], axis=-1), weights[:, cut:]

    def scores(self, weights: Floats, X: Floats) -> Floats:
        """Return the scores z (V, n) of records (n, d + 1) under V weight vectors (V, n_weights)."""
        hidden, second = self._layers(weights, X)
        return dots(hidden, second[:, None])

    def factors(self, weights: Floats, X: Floats, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return (inputs, errors) of both layers; their outer products are the records' gradients.

        For V models, n records and H hidden units, the errors are (V, n, H) in the first layer and (V, n, 1) in the
        second.
        """
        hidden, second = self._layers(weights, X)
        error = (expit(dots(hidden, second[:, None])) - y)[..., None]
        h = hidden[..., :-1]
        back = error * second[:, None, :-1] * (1 - h * h)
        return [(X, back), (hidden, error)]


def _errors(scores: Floats, y: NDArray[Any]) -> Floats:
    """Return p - e_y (V, n, k) for scores (V, n, k) and class numbers y (n,).

    p is the softmax of a record's scores, and e_y the unit vector of its class. There are V models, n records and k
    classes.
    """
    # Infinite scores would give NaN gradients, which clipping does not bound.
    finite = np.nan_to_num(scores, nan=0.0, posinf=1e300, neginf=-1e300)
    errors: Floats = np.exp(finite - finite.max(-1, keepdims=True))
    errors /= row_sums(errors)[..., None]
    errors[:, np.arange(len(y)), y.astype(np.int64)] -= 1
    return errors


@dataclass(frozen=True)
class Softmax:
    """Softmax regression for k = ``n_classes`` ≥ 2 classes.

    The scores are z = W x for d = ``n_features`` ≥ 1 features and a constant. The problem is convex. With two classes
    it is logistic regression.

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
        """Number k (d + 1) of weights, for k classes and d features."""
        return self.n_classes * (self.n_features + 1)

    def start(self, rng: np.random.Generator) -> Floats:
        """Return zeros (k (d + 1),) as starting weights, which suffice because the problem is convex."""
        return np.zeros(self.n_weights)

    def scores(self, weights: Floats, X: Floats) -> Floats:
        """Return the scores z (V, n, k) of records X (n, d + 1) under V weight vectors (V, k (d + 1))."""
        W = weights.reshape(-1, self.n_classes, self.n_features + 1)
        return products(X, W)

    def factors(self, weights: Floats, X: Floats, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return [(X, p - e_y)]: inputs (n, d + 1), and errors (V, n, k) of V models for k classes.

        p are the predicted probabilities, and e_y is the unit vector of a record's class.
        """
        return [(X, _errors(self.scores(weights, X), y))]


@dataclass(frozen=True)
class SoftmaxNetwork:
    """Network for k = ``n_classes`` classes: H = ``width`` hidden tanh units, then a softmax.

    Its inputs are d = ``n_features`` features and a constant.

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
        """Number H (d + 1) + k (H + 1) of weights, for H hidden units, d features and k classes."""
        return self._cut + self.n_classes * (self.width + 1)

    @property
    def _cut(self) -> int:
        return self.width * (self.n_features + 1)

    def start(self, rng: np.random.Generator) -> Floats:
        """Return random starting weights (n_weights,) that do not depend on data."""
        first = rng.standard_normal((self.width, self.n_features + 1))
        first /= np.sqrt(self.n_features + 1)
        return np.concatenate([first.ravel(), np.zeros(self.n_classes * (self.width + 1))])

    def _layers(self, weights: Floats, X: Floats) -> tuple[Floats, Floats]:
        """Return the hidden values (V, n, H + 1), with a constant 1, and the second layer's weights (V, k, H + 1).

        V, n, H and k are the numbers of models, records, hidden units and classes.
        """
        first = weights[:, : self._cut].reshape(-1, self.width, self.n_features + 1)
        hidden = np.tanh(products(X, first))
        ones = np.ones((*hidden.shape[:2], 1))
        second = weights[:, self._cut :].reshape(-1, self.n_classes, self.width + 1)
        return np.concatenate([hidden, ones], axis=-1), second

    def scores(self, weights: Floats, X: Floats) -> Floats:
        """Return the scores z (V, n, k) of records X (n, d + 1) under V weight vectors (V, n_weights)."""
        hidden, second = self._layers(weights, X)
        return products(hidden, second)

    def factors(self, weights: Floats, X: Floats, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return (inputs, errors) of both layers; their outer products are the records' gradients.

        For V models, n records, H hidden units and k classes, the errors are (V, n, H) in the first layer and (V, n,
        k) in the second.
        """
        hidden, second = self._layers(weights, X)
        error = _errors(products(hidden, second), y)
        h = hidden[..., :-1]
        back = products(error, np.swapaxes(second[..., :-1], -1, -2)) * (1 - h * h)
        return [(X, back), (hidden, error)]
