"""Small convolutional network: two convolutions with pooling, one hidden layer, and class scores.

Its weights are one flat vector, in the order of the layers. A layer's matrix comes before its bias.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._types import Floats32

__all__ = ["DIGITS", "MNIST", "ConvNet", "Convolution"]


@dataclass(frozen=True)
class Convolution:
    """Convolution with a number of ``filters`` of ``size`` × ``size`` pixels, a ``stride``, and zero ``padding``.

    See Also
    --------
    ConvNet
    """

    filters: int
    size: int
    stride: int
    padding: int = 0

    def __post_init__(self) -> None:
        for name in ("filters", "size", "stride"):
            _checks.integer(name, getattr(self, name), low=1)
        _checks.integer("padding", self.padding, low=0)

    def pooled(self, side: int) -> int:
        """Return the side of the output after convolution and pooling, for a picture of side ``side``.

        Pooling is over 2 × 2 windows with stride 1.
        """
        return (side + 2 * self.padding - self.size) // self.stride


@dataclass(frozen=True)
class ConvNet:
    """Network of two convolutions with pooling, a hidden layer, and class scores.

    The scores of a picture x are z = W₄ relu(W₃ P(relu(K₂ ∗ P(relu(K₁ ∗ x))))). Every layer also has a bias. P is the
    maximum over 2 × 2 windows with stride 1.

    Parameters
    ----------
    side : int
        Number of pixels of a picture's side. Pixels are in [0, 1].
    first, second : Convolution
        The convolutions K₁ and K₂.
    hidden : int
        Number of units of the hidden layer, ≥ 1.
    n_classes : int
        Number of classes, ≥ 2.

    See Also
    --------
    descend, clipped_sum

    Examples
    --------
    >>> MNIST.n_weights
    26010
    """

    side: int
    first: Convolution
    second: Convolution
    hidden: int = 32
    n_classes: int = 10

    def __post_init__(self) -> None:
        _checks.integer("side", self.side, low=1)
        _checks.integer("hidden", self.hidden, low=1)
        _checks.integer("n_classes", self.n_classes, low=2)
        if self.first.pooled(self.side) < 1 or self.second.pooled(self.first.pooled(self.side)) < 1:
            raise ValueError(
                f"side={self.side} is too small: nothing is left of a picture after both convolutions. "
                "Give a larger side, or smaller filters and strides."
            )

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Shapes of the eight weight arrays.

        A layer has a matrix, (out, in, k, k) or (out, in), and a bias, (out,).
        """
        a, b = self.first, self.second
        flat = b.filters * b.pooled(a.pooled(self.side)) ** 2
        matrices = (
            (a.filters, 1, a.size, a.size), (b.filters, a.filters, b.size, b.size),
            (self.hidden, flat), (self.n_classes, self.hidden),
        )  # fmt: skip
        return tuple(shape for matrix in matrices for shape in (matrix, matrix[:1]))

    @property
    def sizes(self) -> list[int]:
        """Numbers of weights in the eight arrays of `shapes`."""
        return [int(np.prod(shape)) for shape in self.shapes]

    @property
    def n_weights(self) -> int:
        """Number of weights, the length of the flat weight vector."""
        return sum(self.sizes)

    def start(self, rng: np.random.Generator) -> NDArray[np.float32]:
        """Draw starting weights (n_weights,): Glorot's weights, and biases of zero.

        Glorot's weights are uniform in ±√(6/(a + b)), for a layer of a inputs and b outputs.
        """
        parts: list[Floats32] = []
        for shape in self.shapes:
            field = int(np.prod(shape[2:]))
            reach = np.sqrt(6 / (field * (shape[0] + shape[1]))) if len(shape) > 1 else 0.0
            parts.append(rng.uniform(-reach, reach, int(np.prod(shape))).astype(np.float32))
        return np.concatenate(parts)


MNIST = ConvNet(28, Convolution(16, 8, 2, padding=3), Convolution(32, 4, 2))
"""Network of TensorFlow Privacy's MNIST tutorial, with 26,010 weights."""
DIGITS = ConvNet(8, Convolution(16, 3, 1, padding=1), Convolution(32, 3, 2))
"""Smaller network of the same kind, for images of 8 × 8 pixels, with 9,258 weights."""
