"""Weights and biases of a trained autoencoder, and the forward pass of the autoencoder in numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._types import Floats32

__all__ = ["Fitted", "Weights", "sigmoid", "weights_of"]


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights of the autoencoder x̂ = σ(relu(x W₁ + b₁) W₂ + b₂), where σ is the logistic function.

    The arrays are W₁ (d, h), b₁ (h,), W₂ (h, d) and b₂ (d,).

    Raises
    ------
    ValueError
        When the shapes do not fit or a number is not finite.

    See Also
    --------
    Autoencoder, perturb_biases

    Examples
    --------
    >>> w = Weights([[1.0], [0.0]], [0.5], [[2.0, 0.0]], [0.0, 0.0])
    >>> w.hidden([[0.5, 0.5]]).tolist(), w.logits([[0.5, 0.5]]).tolist()
    ([[1.0]], [[2.0, 0.0]])
    """

    W1: Any
    b1: Any
    W2: Any
    b2: Any

    def __post_init__(self) -> None:
        for name in ("W1", "b1", "W2", "b2"):
            array = np.array(getattr(self, name), np.float32)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        d, h = self.W1.shape if self.W1.ndim == 2 else (-1, -1)
        if (self.b1.shape, self.W2.shape, self.b2.shape) != ((h,), (h, d), (d,)):
            raise ValueError("Weights do not fit: give W1 (d, h), b1 (h,), W2 (h, d) and b2 (d,).")
        if not all(np.isfinite(a).all() for a in (self.W1, self.b1, self.W2, self.b2)):
            raise ValueError("Weights are not finite: train again with a smaller learning_rate.")

    @property
    def n_pixels(self) -> int:
        """Number d of pixels in a picture."""
        return int(self.W1.shape[0])

    @property
    def n_hidden(self) -> int:
        """Number h of hidden units."""
        return int(self.W1.shape[1])

    def hidden(self, X: ArrayLike) -> NDArray[np.float32]:
        """Return the hidden sums x W₁ + b₁ (..., h) of images x (..., d), without noise."""
        return cast(Floats32, np.asarray(X, np.float32) @ self.W1 + self.b1)

    def decode(self, codes: ArrayLike) -> NDArray[np.float32]:
        """Return the output sums a W₂ + b₂ (..., d) of codes a (..., h), without noise."""
        return cast(Floats32, np.asarray(codes, np.float32) @ self.W2 + self.b2)

    def logits(self, X: ArrayLike) -> NDArray[np.float32]:
        """Return the output sums relu(x W₁ + b₁) W₂ + b₂ (..., d) of images x (..., d)."""
        return self.decode(np.maximum(self.hidden(X), 0))

    def reconstruct(self, X: ArrayLike) -> NDArray[np.float32]:
        """Return the reconstructions (..., d) in [0, 1] of images (..., d), without noise."""
        return sigmoid(self.logits(X))


def sigmoid(x: NDArray[np.float32], out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    """Return 1/(1 + e^-x) elementwise for x of any shape, written into ``out`` if this is given."""
    result = np.negative(x, out=np.empty_like(x) if out is None else out)
    with np.errstate(over="ignore"):
        np.exp(result, out=result)
    result += 1
    return np.reciprocal(result, out=result)


class Fitted(Protocol):
    """Protocol of a fitted ``Autoencoder``, for type annotations in modules that do not import scikit-learn."""

    weights_: Weights


def weights_of(model: Weights | Fitted) -> Weights:
    """Return the weights of a fitted ``Autoencoder``, or the given `Weights` unchanged.

    A ValueError is raised for any other object.
    """
    weights = getattr(model, "weights_", model)
    if not isinstance(weights, Weights):
        raise ValueError(f"model={model!r} is not allowed: give a fitted Autoencoder or Weights.")
    return weights
