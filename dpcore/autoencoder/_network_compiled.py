"""Compiled sums of clipped gradients of the private autoencoder, for sixteen pictures at a time.

Each of the sixteen pictures has a separate vector lane (as in `dpcore.network`), the order of all operations is
fixed, and ``fastmath`` is off. Every bit of the gradient of a picture therefore depends only on this picture and the
weights. Gradients are truncated to integers in units of C 2^-24, where C is the clip norm, because sums of integers
are exact.
"""

from __future__ import annotations

import math

import numpy as np

from dpcore._jit import jit
from dpcore._vectors import put, where, whole
from dpcore.network._compiled import (
    _F,
    _L,
    _OPTIONS,
    BLOCK,
    _every,
    _flush,
    _read,
    _rectified,
    _squares,
    _take,
    _weighed,
)

__all__ = ["summed"]


@jit(**_OPTIONS)
def _error_slopes(z, x, n_pixels):
    """Overwrite the output sums z with the derivatives of the mean squared error with respect to z.

    For d pixels x and the reconstruction o = 1/(1 + e^-z), the derivatives are (2/d)(o - x) o (1 - o).
    """
    for i in range(n_pixels * _L):
        out = 1.0 / (1.0 + math.exp(-np.float64(z[i])))
        z[i] = _F(2.0 / n_pixels * (out - np.float64(x[i])) * out * (1.0 - out))


@jit(**_OPTIONS)
def _add_layer(inputs, n_in, errors, n_out, scale, sums, first):
    """Add the gradients of the weights and biases of one layer to ``sums``, as integers, for sixteen pictures.

    Gradients are multiplied by ``scale`` and truncated. ``errors`` holds the derivatives of the loss with respect to
    the outputs of the layer; they are also the gradient of the biases. The gradient of the weights is inputs ⊗
    errors. In ``sums`` the gradient of the weights starts at index ``first``, and the gradient of the biases follows.
    """
    scales, none = _read(scale, 0), _every(_F(0))
    for f in range(n_out):
        force = scales * where(none < scales, _read(errors, f * _L), none)
        at = (first + n_in * n_out + f) * _L
        put(sums, at, _read(sums, at) + whole(force))
        for i in range(n_in):
            at = (first + i * n_out + f) * _L
            x = where(none < scales, _read(inputs, i * _L), none)
            put(sums, at, _read(sums, at) + whole(force * x))


@jit(**_OPTIONS)
def _scales(x, code, slope, inner, squares, count, most, units, scale):
    _squares(x, x.shape[0] // _L, squares[:_L])
    _squares(inner, inner.shape[0] // _L, squares[_L : 2 * _L])
    _squares(code, code.shape[0] // _L, squares[2 * _L : 3 * _L])
    _squares(slope, slope.shape[0] // _L, squares[3 * _L : 4 * _L])
    for lane in range(_L):
        square = (squares[lane] + 1.0) * squares[_L + lane]
        square += (squares[2 * _L + lane] + 1.0) * squares[3 * _L + lane]
        fine = lane < count and square < 1e200
        scale[lane] = _F(units * min(1.0, most / math.sqrt(square))) if fine else _F(0)


@jit(**_OPTIONS)
def summed(X, W1, b1, W2, b2, turned, line, zeros, clip):
    """Return the sum of the clipped gradients of all pictures, as 2dh + d + h integers in units of C 2^-24.

    The gradient of a picture is the gradient of its mean squared reconstruction error with respect to the weights and
    biases W₁, b₁, W₂ and b₂, in this order.

    - ``X`` (n, d): n pictures of d pixels.
    - ``W1`` (d, h), ``b1`` (h,), ``W2`` (h, d), ``b2`` (d,): weights and biases for h hidden units. ``W1`` and ``W2``
      are flattened.
    - ``turned`` (d, h): transpose of W₂, flattened, for the backward pass.
    - ``line``: the integers 0, 1, 2, …, which select all inputs and outputs of a layer in order.
    - ``zeros``: zeros, which replace the biases in the backward pass. ``line`` and ``zeros`` have at least max(d, h)
      entries.
    - ``clip``: clip norm C.
    """
    n_pixels, n_hidden = b2.shape[0], b1.shape[0]
    n_weights = 2 * n_pixels * n_hidden + n_pixels + n_hidden
    sums, total = np.zeros(n_weights * _L, np.int32), np.zeros(n_weights, np.int64)
    x, slope = np.zeros(n_pixels * _L, np.float32), np.zeros(n_pixels * _L, np.float32)
    code, inner = np.zeros(n_hidden * _L, np.float32), np.zeros(n_hidden * _L, np.float32)
    squares, scale = np.zeros(4 * _L), np.zeros(_L, np.float32)
    labels, nothing = np.zeros(X.shape[0], np.int64), np.zeros(_L, np.int64)
    most, units = (1.0 - 2.0**-20) * clip, 2.0**24 / clip
    none = _every(_F(0))
    for group in range((X.shape[0] + _L - 1) // _L):
        count = min(_L, X.shape[0] - group * _L)
        _take(X, labels, group * _L, count, x, nothing)
        _weighed(x, line[:n_pixels], 0, W1, n_hidden, b1, code, line, 0, False)
        _rectified(code, n_hidden)
        _weighed(code, line[:n_hidden], 0, W2, n_pixels, b2, slope, line, 0, False)
        _error_slopes(slope, x, n_pixels)
        _weighed(slope, line[:n_pixels], 0, turned, n_hidden, zeros, inner, line, 0, False)
        for f in range(n_hidden):
            put(inner, f * _L, where(none < _read(code, f * _L), _read(inner, f * _L), none))
        _scales(x, code, slope, inner, squares, count, most, units, scale)
        _add_layer(x, n_pixels, inner, n_hidden, scale, sums, 0)
        _add_layer(code, n_hidden, slope, n_pixels, scale, sums, n_hidden * (n_pixels + 1))
        if group % BLOCK == BLOCK - 1:
            _flush(sums, total)
    _flush(sums, total)
    return total
