"""Every picture's own gradient, clipped: at most C whatever the numbers are.

A layer's gradient of one picture is a product of what came in and of the loss's slope at what went
out: a sum over places for a convolution, an outer product for a dense layer. Both factors of all
pictures come from one pass through the network (`dpcore.network.passes`). The gradients of the convolutions are
made from them, in chunks that stay in the processor's cache; those of the dense layers never are, because their
length is the product of two lengths, and their weighted sum one product of matrices.

What bounds a picture: its length is measured in float64 on the very numbers that are added (squares
of float32 neither overflow nor vanish there), it is scaled to C (1 - `dpcore.per_sample.ROOM`), sums are in float64,
and a picture whose length is no finite number adds nothing. As in `dpcore.per_sample`, some is left
for the last digits of *other* pictures' gradients.

References
----------
I. Goodfellow, "Efficient per-example gradient computations", arXiv:1510.01799, 2015.
G. Rochette, A. Manoel and E. Tramel, "Efficient per-example gradient computations in convolutional
neural networks", arXiv:1912.06015, 2019.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore.network.architecture import ConvNet
from dpcore.network.passes import Factors, Weights, flat, forward
from dpcore.per_sample import ROOM

__all__ = ["CHUNK", "Room", "clipped_sum", "gradients", "scores"]

Floats = NDArray[np.float64]
CHUNK = 1600
"""Pictures whose gradients are held at once, times the side of a picture: they stay in the cache."""


class Room:
    """Memory that one step after the other writes over: asking for it anew would take as long as a step."""

    def __init__(self) -> None:
        self._kept: dict[str, Floats] = {}

    def take(self, name: str, shape: tuple[int, ...]) -> Floats:
        """Return an array of this shape with anything in it, which holds until the next of its name."""
        size = math.prod(shape)
        if name not in self._kept or len(self._kept[name]) < size:
            self._kept[name] = np.empty(size)
        return self._kept[name][:size].reshape(shape)


def clipped_sum(
    network: ConvNet,
    weights: NDArray[np.float32],
    X: NDArray[np.float32],
    y: NDArray[np.int64],
    clip_norm: float | None,
    room: Room | None = None,
) -> NDArray[np.float64]:
    """Return Σ_i clip_C(g_i), (n_weights,), over the pictures of a lot.

    Parameters
    ----------
    network : ConvNet
        The model.
    weights : ndarray (n_weights,), float32
        Where it is.
    X : ndarray (n, side²), float32
        Pictures, meant to be in [0, 1]; the lot may be empty.
    y : ndarray (n,)
        Classes from 0 up.
    clip_norm : float or None
        C in [1e-30, 1e30]. None: not clipped, for what is trained without privacy.
    room : Room, optional
        Where whoever calls again and again has it computed.

    Returns
    -------
    ndarray (n_weights,), float64
        One picture more or less moves it by at most C, whatever X and the weights hold.

    See Also
    --------
    gradients, ConvNet, dpcore.network.descend
    """
    most = None if clip_norm is None else (1 - ROOM) * _checks.scale("clip_norm", clip_norm)
    total, views = np.zeros(network.n_weights), Weights.of(network, weights)
    room = room or Room()
    with np.errstate(all="ignore"):  # what is no finite number is left out below
        for part in _chunks(network, len(y)):
            found = forward(network, views, X[part]).backward(y[part])
            total += _added(network, found, most, room)
    return total


def gradients(
    network: ConvNet,
    weights: NDArray[np.float32],
    X: NDArray[np.float32],
    y: NDArray[np.int64],
) -> Floats:
    """Return every picture's gradient itself, (n, n_weights): for pictures and tests, not for training."""
    with np.errstate(all="ignore"):
        found = forward(network, Weights.of(network, weights), X).backward(y)
    made, dense = _parts(found, Room())
    for inputs, errors in dense:
        made += [(errors[:, :, None] * inputs[:, None]).reshape(len(y), -1), errors]
    return flat(network, made)


def scores(
    network: ConvNet, weights: NDArray[np.float32], X: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the scores of the classes, (n, n_classes), of pictures X (n, side²)."""
    views = Weights.of(network, weights)
    with np.errstate(all="ignore"):
        found = [forward(network, views, X[part]).scores for part in _chunks(network, len(X))]
    return np.concatenate([np.zeros((0, network.n_classes), np.float32), *found])


def _chunks(network: ConvNet, n: int) -> list[slice]:
    size = max(1, CHUNK // network.side)
    return [slice(at, at + size) for at in range(0, n, size)]


def _parts(found: Factors, room: Room) -> tuple[list[Floats], list[tuple[Floats, Floats]]]:
    """Gradients of both convolutions and their biases, and the factors of both dense layers: float64."""
    made: list[Floats] = []
    for layer, (squares, slopes) in enumerate(found.convolutions):
        errors, under = slopes.astype(float), room.take(f"squares {layer}", squares.shape)
        np.copyto(under, squares)
        shape = len(errors), errors.shape[2], under.shape[2]
        products = room.take(f"products {layer}", shape)
        np.matmul(errors.transpose(0, 2, 1), under, out=products)
        made += [products.reshape(len(errors), -1), errors.sum(1)]
    return made, [(inputs.astype(float), errors.astype(float)) for inputs, errors in found.dense]


def _added(network: ConvNet, found: Factors, most: float | None, room: Room) -> Floats:
    """Σ of the gradients of a chunk, each scaled to ``most``, (n_weights,)."""
    made, dense = _parts(found, room)
    square = sum(np.einsum("ij,ij->i", part, part) for part in made)
    for inputs, errors in dense:
        square = square + (np.square(inputs).sum(1) + 1) * np.square(errors).sum(1)
    length = np.sqrt(square)
    scale = np.ones_like(length) if most is None else most / np.maximum(length, most)
    lost = ~np.isfinite(length)
    if lost.any():
        scale[lost] = 0.0
        for part in (*made, *(part for pair in dense for part in pair)):
            part[lost] = 0.0
    sums = [scale @ part for part in made]
    for inputs, errors in dense:
        scaled = errors * scale[:, None]
        sums += [(scaled.T @ inputs).ravel(), scaled.sum(0)]
    return flat(network, sums)
