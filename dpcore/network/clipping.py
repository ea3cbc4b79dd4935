"""Clipped per-picture gradients of norm at most the clip norm C, with the same bits in every lot.

`clipped_sum` runs a compiled loop with one vector lane per picture (``_compiled``). The gradient of a picture
depends, bit for bit, only on the picture and the weights. Sums are exact. So adding or removing a picture changes the
sum by exactly its contribution. Matrix products and convolutions over a lot (batch) do not have this property: they
round a picture depending on its position, and at large weights a last bit decides which unit is above 0.

For figures, and for training without clipping, torch computes the same gradients. The gradient of a layer for one
picture is the outer product of two vectors: the layer's inputs, and the derivatives of the loss with respect to the
layer's outputs. For a convolution the product is summed over positions (Goodfellow 2015; Rochette, Manoel and Tramel
2019).

References
----------
I. Goodfellow, "Efficient per-example gradient computations", arXiv:1510.01799, 2015.
G. Rochette, A. Manoel and E. Tramel, "Efficient per-example gradient computations in convolutional
neural networks", arXiv:1912.06015, 2019.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._torch import need_torch
from dpcore._types import Floats32
from dpcore.network.architecture import ConvNet, Convolution

__all__ = ["chunk", "clipped_sum", "gradients", "scores"]

_PIXELS, _MOST = 50_176, 160  # most pixels and most pictures whose gradients are in memory at once


def chunk(network: ConvNet) -> int:
    """Return the number of pictures that torch should process together, so that they fit into the processor's cache.

    Examples
    --------
    >>> from dpcore.network import DIGITS, MNIST
    >>> chunk(MNIST), chunk(DIGITS)
    (64, 160)
    """
    return max(1, min(_PIXELS // network.side**2, _MOST))


def clipped_sum(
    network: ConvNet,
    weights: NDArray[np.float32],
    *,
    X: NDArray[np.float32],
    y: NDArray[np.int64],
    clip_norm: float | None,
) -> NDArray[np.float64]:
    """Return Σ_i clip_C(g_i) (n_weights,), the sum of clipped gradients g_i over pictures i of a lot (batch).

    Parameters
    ----------
    network : ConvNet
        The model.
    weights : ndarray (n_weights,), float32
        Weights at which the gradients are computed.
    X : ndarray (n, side²), float32
        Pictures, meant to be in [0, 1]; the lot may be empty.
    y : ndarray (n,)
        Class numbers, from 0.
    clip_norm : float or None
        C in [1e-30, 1e30]. None does not clip, for training without privacy.

    Returns
    -------
    ndarray (n_weights,), float64
        The sum. For any X and weights, adding or removing a picture changes it by exactly the clipped
        gradient of that picture, of norm at most C.

    See Also
    --------
    gradients, ConvNet, dpcore.network.descend
    """
    if clip_norm is None:
        return _plain_sum(network, weights, X, y)
    from dpcore.network import _compiled

    clip = _checks.scale("clip_norm", clip_norm)
    shape, places, zeros = _geometry(network)
    pad, side = network.first.padding, network.side
    pictures = np.pad(
        np.asarray(X, np.float32).reshape(len(y), side, side), ((0, 0), (pad, pad), (pad, pad))
    ).reshape(len(y), shape[0] ** 2)
    parts = np.split(np.ascontiguousarray(weights, np.float32), np.cumsum(network.sizes)[:-1])
    turned = tuple(
        np.ascontiguousarray(part.reshape(size[0], -1).T).ravel()
        for part, size in zip(parts[::2], network.shapes[::2], strict=True)
    )
    total = _compiled.summed(
        pictures, np.ascontiguousarray(y, np.int64), shape, tuple(parts), turned, places, zeros,
        network.n_weights, clip,
    )  # fmt: skip
    return cast(NDArray[np.float64], clip / 2.0**24 * total.astype(float))


@cache
def _geometry(network: ConvNet) -> tuple[Any, Any, Any]:
    """Return layer sizes, index arrays and a vector of zeros, as arguments of the compiled loop for a network.

    For both convolutions, the index arrays contain the offsets of a filter's pixels and the positions of the filters.
    """
    a, b = network.first, network.second
    wide, o1 = network.side + 2 * a.padding, a.pooled(network.side) + 1
    within, o2 = o1 - 1 + 2 * b.padding, b.pooled(o1 - 1) + 1
    conv = sum(network.sizes[:4])
    shape = (wide, a.filters, o1, b.filters, o2, network.hidden, network.n_classes, conv, within)

    def pixels(channels: int, size: int, side: int) -> NDArray[np.int64]:
        c, i, j = np.indices((channels, size, size))
        return np.asarray((c * side + i) * side + j, np.int64).ravel()

    def stands(way: Convolution, n: int, side: int) -> NDArray[np.int64]:
        i, j = way.stride * np.indices((n, n))
        return np.asarray(i * side + j, np.int64).ravel()

    spots = pixels(a.filters, within, within).reshape(a.filters, within, within)
    cut = slice(b.padding, within - b.padding)
    longest = max(network.sizes)
    places = (
        pixels(1, a.size, wide), stands(a, o1, wide), pixels(a.filters, b.size, within),
        stands(b, o2, within), np.arange(a.filters) * o1 * o1, np.arange(b.filters) * o2 * o2,
        np.ascontiguousarray(spots[:, cut, cut]).ravel(), np.arange(longest),
    )  # fmt: skip
    return shape, places, np.zeros(longest, np.float32)


def _plain_sum(
    network: ConvNet, weights: NDArray[np.float32], X: NDArray[np.float32], y: NDArray[np.int64]
) -> NDArray[np.float64]:
    total = need_torch().zeros(network.n_weights, dtype=need_torch().float64)
    size = chunk(network)
    for at in range(0, len(y), size):
        part = slice(at, at + size)
        total += _added(network, _factors(network, weights, X[part], y[part]))
    return cast(NDArray[np.float64], total.numpy())


def gradients(
    network: ConvNet,
    weights: NDArray[np.float32],
    *,
    X: NDArray[np.float32],
    y: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the gradients (n, n_weights) of n pictures, for figures and tests."""
    parts, dense = _parts(network, _factors(network, weights, X, y))
    for inputs, errors in dense:
        parts += [(errors[:, :, None] * inputs[:, None]).flatten(1), errors]
    return cast(NDArray[np.float64], need_torch().cat(parts, 1).numpy())


def scores(
    network: ConvNet, weights: NDArray[np.float32], *, X: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the class scores (n, n_classes) of pictures X (n, side²)."""
    torch = need_torch()
    views, parts = _views(network, weights), []
    with torch.no_grad():
        for at in range(0, len(X), 1000):
            first = _first(network, views, X[at : at + 1000])[1]
            parts.append(_rest(network, views, first)[1][-1].numpy())
    shape = (0, network.n_classes)
    return np.concatenate(parts) if parts else cast(Floats32, np.zeros(shape, np.float32))


def _views(network: ConvNet, weights: NDArray[np.float32]) -> list[Any]:
    flat = need_torch().from_numpy(weights)
    parts = flat.split(network.sizes)
    return [part.view(shape) for part, shape in zip(parts, network.shapes, strict=True)]


def _first(network: ConvNet, views: list[Any], X: NDArray[np.float32]) -> tuple[Any, Any]:
    """Return pictures X as a tensor (n, 1, side, side), and the outputs of the first convolution before its ReLU."""
    functional = need_torch().nn.functional
    x = (
        need_torch()
        .from_numpy(np.ascontiguousarray(X, np.float32))
        .view(-1, 1, *[network.side] * 2)
    )
    way = network.first
    return x, functional.conv2d(x, views[0], views[1], way.stride, way.padding)


def _rest(network: ConvNet, views: list[Any], z1: Any) -> tuple[list[Any], list[Any]]:
    """Return the inputs of layers 2 to 4, and their outputs before the ReLU, as two lists.

    ``z1`` is the output of layer 1 before the ReLU. The outputs of layer 4 are the class scores.
    """
    functional = need_torch().nn.functional
    second = network.second
    a1 = _pooled(z1.relu())
    z2 = functional.conv2d(a1, views[2], views[3], second.stride, second.padding)
    a2 = _pooled(z2.relu()).flatten(1)
    z3 = functional.linear(a2, views[4], views[5])
    a3 = z3.relu()
    return [a1, a2, a3], [z2, z3, functional.linear(a3, views[6], views[7])]


def _pooled(a: Any) -> Any:
    """Return the maxima of a batch of maps over 2 × 2 windows with stride 1.

    The channels-last memory format makes this four times faster.
    """
    torch = need_torch()
    return torch.nn.functional.max_pool2d(a.contiguous(memory_format=torch.channels_last), 2, 1)


def _factors(
    network: ConvNet, weights: NDArray[np.float32], X: NDArray[np.float32], y: NDArray[np.int64]
) -> list[tuple[Any, Any]]:
    """Return the pair (inputs, errors) of each of the four layers, for n pictures.

    The errors are the derivatives of a picture's loss with respect to the layer's outputs.
    """
    torch = need_torch()
    views = _views(network, weights)
    with torch.no_grad():
        x, z1 = _first(network, views, X)
    z1.requires_grad_(True)
    with torch.enable_grad():
        inputs, outputs = _rest(network, views, z1)
        target = torch.from_numpy(np.ascontiguousarray(y, np.int64))
        loss = torch.nn.functional.cross_entropy(outputs[-1], target, reduction="sum")
        errors = torch.autograd.grad(loss, [z1, *outputs])
    return list(zip([x, *(a.detach() for a in inputs)], errors, strict=True))


def _parts(network: ConvNet, factors: list[tuple[Any, Any]]) -> tuple[list[Any], list[Any]]:
    """Return every picture's gradients of both convolutions, and the pairs (inputs, errors) of both dense layers.

    ``factors`` are the pairs of all four layers, from `_factors`. The gradients include the biases. All results are
    float64.
    """
    parts: list[Any] = []
    for way, (inputs, errors) in zip((network.first, network.second), factors[:2], strict=True):
        parts += [_convolved(way, inputs, errors), errors.flatten(2).double().sum(-1)]
    return parts, [(inputs.double(), errors.double()) for inputs, errors in factors[2:]]


def _convolved(way: Convolution, inputs: Any, errors: Any) -> Any:
    """Return every picture's gradient (n, filters · in · k²) for the filters of a convolution.

    The gradient is a sum over the positions of a filter. A term is the outer product of two vectors: the derivative
    with respect to the output at the position, and the pixels under the filter.
    """
    torch, pad = need_torch(), way.padding
    wide = torch.nn.functional.pad(inputs, (pad, pad, pad, pad)) if pad else inputs
    squares = wide.unfold(2, way.size, way.stride).unfold(3, way.size, way.stride)
    n, _, across, up = squares.shape[:4]
    rows = squares.permute(0, 2, 3, 1, 4, 5).reshape(n, across * up, -1)
    return torch.bmm(errors.flatten(2), rows).flatten(1).double()


def _added(network: ConvNet, factors: list[tuple[Any, Any]]) -> Any:
    """Return the sum (n_weights,) of the gradients of all pictures in a chunk.

    ``factors`` are the pairs (inputs, errors) of all layers, from `_factors`.
    """
    parts, dense = _parts(network, factors)
    sums = [part.sum(0) for part in parts]
    for inputs, errors in dense:
        sums += [(errors.T @ inputs).flatten(), errors.sum(0)]
    return need_torch().cat(sums)
