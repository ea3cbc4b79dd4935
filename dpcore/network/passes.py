"""Pictures through the network and the slopes of their losses back, many at once, with numpy alone.

Inside, pictures have their channels last: a place's values lie side by side, so that squares under a filter are
copied in runs. `dpcore.network.architecture.ConvNet` has channels first, as torch has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore._types import Floats32
from dpcore.network.architecture import ConvNet, Convolution

__all__ = ["Factors", "Pass", "Weights", "flat", "forward"]


@dataclass(frozen=True)
class Weights:
    """The matrices of the four layers (outputs, inputs) and their biases, channels last."""

    matrices: tuple[Floats32, ...]
    biases: tuple[Floats32, ...]

    @classmethod
    def of(cls, network: ConvNet, flat: Floats32) -> Weights:
        """Return flat weights (n_weights,) as layers."""
        parts = np.split(np.asarray(flat, np.float32), np.cumsum(network.sizes)[:-1])
        turned = [part[order] for part, order in zip(parts[::2], orders(network), strict=True)]
        matrices = [
            part.reshape(shape[0], -1)
            for part, shape in zip(turned, network.shapes[::2], strict=True)
        ]
        return cls(tuple(matrices), tuple(parts[1::2]))


@lru_cache(maxsize=8)
def orders(network: ConvNet) -> tuple[NDArray[np.intp], ...]:
    """Return where the weights of each matrix lie, read with their channels last."""
    found = []
    for number, shape in enumerate(network.shapes[::2]):
        places = np.arange(int(np.prod(shape)))
        if number == 2:  # what comes in are the pixels of all filters
            side = network.second.pooled(network.first.pooled(network.side))
            shape = (shape[0], network.second.filters, side, side)
        if len(shape) == 4:
            places = places.reshape(shape).transpose(0, 2, 3, 1).ravel()
        found.append(places)
    return tuple(found)


def flat(network: ConvNet, parts: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return matrices and biases in turns, (..., size) each with channels last, as flat weights (..., n_weights)."""
    found = np.empty((*parts[0].shape[:-1], network.n_weights))
    starts = np.cumsum([0, *network.sizes])
    for layer, order in enumerate(orders(network)):
        found[..., starts[2 * layer] + order] = parts[2 * layer]
        found[..., starts[2 * layer + 1] : starts[2 * layer + 2]] = parts[2 * layer + 1]
    return found


@dataclass(frozen=True)
class Factors:
    """What the gradient of each picture is made of: inputs of the layers and slopes at their outputs.

    ``convolutions``: for either, squares under its filters (n, places, in · k²) and slopes (n, places, filters);
    ``dense``: for either, inputs (n, in) and slopes (n, out).
    """

    convolutions: tuple[tuple[Floats32, Floats32], ...]
    dense: tuple[tuple[Floats32, Floats32], ...]


@dataclass(frozen=True)
class Pass:
    """Pictures on their way: squares under the filters, what comes out of them, and after pooling; ``scores``."""

    network: ConvNet
    weights: Weights
    squares: tuple[Floats32, Floats32]
    outputs: tuple[Floats32, Floats32]
    pooled: tuple[Floats32, Floats32]
    hidden: Floats32
    scores: Floats32

    def backward(self, y: NDArray[np.int64]) -> Factors:
        """Return the factors of each picture's own gradient of the cross entropy with its class (n,)."""
        _, second, third, fourth = self.weights.matrices
        slope = _softmax(self.scores)
        slope[np.arange(len(y)), y] -= 1
        inner = _product(slope, fourth) * (self.hidden > 0)
        after = _product(inner, third).reshape(self.pooled[1].shape)
        at_second = _unpooled(after, self.outputs[1], self.pooled[1])
        under = _product(_rows(at_second), second).reshape(*at_second.shape[:3], -1)
        first = _spread(under, self.network.second, self.pooled[0].shape)
        at_first = _unpooled(first, self.outputs[0], self.pooled[0])
        errors = [at.reshape(len(y), -1, at.shape[-1]) for at in (at_first, at_second)]
        return Factors(
            tuple(zip(self.squares, errors, strict=True)),
            ((self.pooled[1].reshape(len(y), -1), inner), (self.hidden, slope)),
        )


def forward(network: ConvNet, weights: Weights, X: Floats32) -> Pass:
    """Return what the network makes of pictures X (n, side²)."""
    now = np.ascontiguousarray(X, np.float32).reshape(-1, network.side, network.side, 1)
    squares, outputs, pooled = [], [], []
    for layer, way in enumerate((network.first, network.second)):
        under = _squares(now, way)
        out = _product(_rows(under), weights.matrices[layer].T)
        out += weights.biases[layer]
        outputs.append(out.reshape(*under.shape[:3], way.filters))
        squares.append(under.reshape(len(under), -1, under.shape[-1]))
        now = np.maximum(_largest(outputs[-1]), 0)
        pooled.append(now)
    flat_now = now.reshape(len(now), -1)
    hidden = np.maximum(_product(flat_now, weights.matrices[2].T) + weights.biases[2], 0)
    scores = _product(hidden, weights.matrices[3].T) + weights.biases[3]
    return Pass(
        network, weights, (squares[0], squares[1]), (outputs[0], outputs[1]), (pooled[0], pooled[1]),
        hidden, scores,
    )  # fmt: skip


def _product(a: Floats32, b: Floats32) -> Floats32:
    found: Floats32 = a @ b
    return found


def _rows(a: Floats32) -> Floats32:
    return a.reshape(-1, a.shape[-1])


def _softmax(scores: Floats32) -> Floats32:
    made: Floats32 = np.exp(scores - scores.max(1, keepdims=True))
    made /= made.sum(1, keepdims=True)
    return made


def _squares(a: Floats32, way: Convolution) -> Floats32:
    """The square under the filter at every place, (n, across, up, k · k · channels)."""
    pad, k = way.padding, way.size
    wide = np.pad(a, ((0, 0), (pad, pad), (pad, pad), (0, 0))) if pad else a
    view = np.lib.stride_tricks.sliding_window_view(wide, (k, k), axis=(1, 2))
    found = view[:, :: way.stride, :: way.stride].transpose(0, 1, 2, 4, 5, 3)
    return found.reshape(*found.shape[:3], -1)


def _spread(under: Floats32, way: Convolution, shape: tuple[int, ...]) -> Floats32:
    """The sum, at every pixel, over the squares that it was under: `_squares` the other way."""
    pad, (n, high, wide, channels) = way.padding, shape
    found = np.zeros((n, high + 2 * pad, wide + 2 * pad, channels), np.float32)
    _, across, up, _ = under.shape
    each = under.reshape(*under.shape[:3], way.size, way.size, -1)
    ends = way.stride * (across - 1) + 1, way.stride * (up - 1) + 1
    for i in range(way.size):
        for j in range(way.size):
            rows, columns = slice(i, i + ends[0], way.stride), slice(j, j + ends[1], way.stride)
            found[:, rows, columns] += each[:, :, :, i, j]
    return found[:, pad : pad + high, pad : pad + wide]


def _largest(a: Floats32) -> Floats32:
    """The largest of 2 × 2 neighbours, stride 1."""
    wide = np.maximum(a[:, :, :-1], a[:, :, 1:])
    return np.maximum(wide[:, :-1], wide[:, 1:])


def _unpooled(slope: Floats32, a: Floats32, pooled: Floats32) -> Floats32:
    """The slope where the largest of 2 × 2 neighbours was, the first one of equals, if it was above 0."""
    slope = slope * (pooled > 0)
    wide = np.maximum(a[:, :, :-1], a[:, :, 1:])
    upper = slope * (wide[:, :-1] >= wide[:, 1:])
    slope -= upper
    rows = np.empty_like(wide)
    rows[:, :-1], rows[:, -1] = upper, 0
    rows[:, 1:] += slope
    left = rows * (a[:, :, :-1] >= a[:, :, 1:])
    rows -= left
    found = np.empty_like(a)
    found[:, :, :-1], found[:, :, -1] = left, 0
    found[:, :, 1:] += rows
    return found
