"""Compiled sums of clipped per-picture gradients of the network, sixteen pictures at a time.

Each picture has its own vector lane. A vector operation treats all lanes alike, as defined by IEEE 754 (no
``fastmath``), and every sum has a fixed order. So the bits of a picture's gradient depend only on the picture and the
weights, not on the lot or the position in it. Matrix products would round a row depending on its position, and at
large weights a last bit decides which unit is above 0.

The norm of a picture's gradient is computed in float64 from the same float32 numbers that are summed. The gradient is
scaled to a norm of at most C (1 - 2^-20), where C is the clip norm. The margin covers the rounding of two float32
products. Then the gradient is truncated to integers in units of C 2^-24. Sums of these integers are exact in any
order. A gradient with a non-finite norm contributes nothing.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore._jit import jit
from dpcore._vectors import fused, put, reader, spreader, where, whole, widened

__all__ = ["BLOCK", "summed"]

_OPTIONS: Any = {"error_model": "numpy", "nogil": True}
_F, _I, _D = np.float32, np.int32, np.float64
LANES = 16
BLOCK = 96  # groups whose sum of units fits into 32 bits
_L = LANES
_read: Any = reader(LANES)
_every: Any = spreader(LANES)


@jit(**_OPTIONS)
def _weighed(v, places, base, M, width, bias, out, targets, at, more):
    """Compute a linear map of selected inputs ``v`` for sixteen pictures, one per lane, and write it to ``out``.

    Output f is bias[f] + Σ_i M[i, f] v[places[i] + base], for every f < ``width``. The output is written to
    ``out[targets[f] + at]``, or added to the number there if ``more`` is True. ``base`` and ``at`` are offsets into
    the arrays ``v`` and ``out``.
    """
    for f in range(0, width // 8 * 8, 8):
        a, b, c, d = (
            _every(bias[f]),
            _every(bias[f + 1]),
            _every(bias[f + 2]),
            _every(bias[f + 3]),
        )
        e, g, h, k = (
            _every(bias[f + 4]), _every(bias[f + 5]), _every(bias[f + 6]), _every(bias[f + 7]),
        )  # fmt: skip
        for i in range(places.shape[0]):
            x, m = _read(v, (places[i] + base) * _L), i * width + f
            a, b = fused(_every(M[m]), x, a), fused(_every(M[m + 1]), x, b)
            c, d = fused(_every(M[m + 2]), x, c), fused(_every(M[m + 3]), x, d)
            e, g = fused(_every(M[m + 4]), x, e), fused(_every(M[m + 5]), x, g)
            h, k = fused(_every(M[m + 6]), x, h), fused(_every(M[m + 7]), x, k)
        _store(out, (targets[f] + at) * _L, a, more)
        _store(out, (targets[f + 1] + at) * _L, b, more)
        _store(out, (targets[f + 2] + at) * _L, c, more)
        _store(out, (targets[f + 3] + at) * _L, d, more)
        _store(out, (targets[f + 4] + at) * _L, e, more)
        _store(out, (targets[f + 5] + at) * _L, g, more)
        _store(out, (targets[f + 6] + at) * _L, h, more)
        _store(out, (targets[f + 7] + at) * _L, k, more)
    for f in range(width // 8 * 8, width):
        a = _every(bias[f])
        for i in range(places.shape[0]):
            a = fused(_every(M[i * width + f]), _read(v, (places[i] + base) * _L), a)
        _store(out, (targets[f] + at) * _L, a, more)


@jit(inline="always", **_OPTIONS)
def _store(out, place, value, more):
    if more:
        put(out, place, _read(out, place) + value)
    else:
        put(out, place, value)


@jit(**_OPTIONS)
def _rectified(z, n):
    for i in range(n):
        x = _read(z, i * _L)
        put(z, i * _L, where(_every(_F(0)) < x, x, _every(_F(0))))


@jit(**_OPTIONS)
def _pooled(a, n_filters, side, out, spots, best):
    """Write the maximum of every 2 × 2 window of the maps ``a`` to ``out``, at the indices ``spots``.

    The index, 0 to 3, of the first maximum in each window is written to ``best``.
    """
    at = 0
    for f in range(n_filters):
        for i in range(side - 1):
            for j in range(side - 1):
                place = ((f * side + i) * side + j) * _L
                most, which = _read(a, place), _every(_I(0))
                for k in range(1, 4):
                    x = _read(a, place + (k // 2 * side + k % 2) * _L)
                    which = where(most < x, _every(_I(k)), which)
                    most = where(most < x, x, most)
                put(out, spots[at] * _L, most)
                put(best, at * _L, which)
                at += 1


@jit(**_OPTIONS)
def _unpooled(slope, spots, best, n_filters, side, a, out):
    """Write the derivatives of the loss with respect to a convolution's outputs to ``out``.

    ``slope`` holds the derivatives with respect to the pooled outputs. Each is added at the pixel with the maximum of
    the pooling window (``best``), if this pixel is above 0 in the rectified outputs ``a``.
    """
    none = _every(_F(0))
    for i in range(n_filters * side * side):
        put(out, i * _L, none)
    at = 0
    for f in range(n_filters):
        for i in range(side - 1):
            for j in range(side - 1):
                place = ((f * side + i) * side + j) * _L
                s, which = _read(slope, spots[at] * _L), _read(best, at * _L)
                for k in range(4):
                    p = place + (k // 2 * side + k % 2) * _L
                    put(out, p, _read(out, p) + where(which == _I(k), s, none))
                at += 1
    for i in range(n_filters * side * side):
        put(out, i * _L, where(none < _read(a, i * _L), _read(out, i * _L), none))


@jit(**_OPTIONS)
def _filter_gradients(e, n_filters, n_places, a, offsets, bases, out, first):
    """Write the gradient of the loss for a convolution's filters to ``out``, starting at index ``first``.

    The gradient has the shape (filters, offsets). The derivative with respect to a weight of a filter is a sum over
    all positions of the filter. A term is the derivative of the loss with respect to the output at the position,
    times the pixel under the weight.
    """
    n = offsets.shape[0]
    for f in range(0, n_filters // 4 * 4, 4):
        for j in range(n):
            p, q, r, s = _every(_F(0)), _every(_F(0)), _every(_F(0)), _every(_F(0))
            for i in range(n_places):
                x, at = _read(a, (offsets[j] + bases[i]) * _L), (f * n_places + i) * _L
                p = fused(_read(e, at), x, p)
                q = fused(_read(e, at + n_places * _L), x, q)
                r = fused(_read(e, at + 2 * n_places * _L), x, r)
                s = fused(_read(e, at + 3 * n_places * _L), x, s)
            at = (first + f * n + j) * _L
            put(out, at, p)
            put(out, at + n * _L, q)
            put(out, at + 2 * n * _L, r)
            put(out, at + 3 * n * _L, s)
    for f in range(n_filters // 4 * 4, n_filters):
        for j in range(n):
            p = _every(_F(0))
            for i in range(n_places):
                x = _read(a, (offsets[j] + bases[i]) * _L)
                p = fused(_read(e, (f * n_places + i) * _L), x, p)
            put(out, (first + f * n + j) * _L, p)


@jit(**_OPTIONS)
def _bias_gradients(e, n_filters, n_places, out, first):
    for f in range(n_filters):
        p = _every(_F(0))
        for i in range(n_places):
            p = p + _read(e, (f * n_places + i) * _L)
        put(out, (first + f) * _L, p)


@jit(**_OPTIONS)
def _squares(v, n, out):
    """Write the sum of squares of n numbers ``v`` to ``out`` (16,), for every lane.

    The sum is computed in float64, where squares of float32 numbers are exact.
    """
    square = _every(0.0)
    for i in range(n):
        x = widened(_read(v, i * _L))
        square = square + x * x
    put(out, 0, square)


@jit(**_OPTIONS)
def _softmax_slopes(z, y, n_classes):
    """Overwrite the scores z of every lane with p - e_y, the derivatives of the loss.

    p is the softmax of the scores, and e_y the unit vector of the picture's class. The derivatives are with respect
    to the scores.
    """
    for lane in range(_L):
        most = z[lane]
        for c in range(1, n_classes):
            most = max(most, z[c * _L + lane])
        total = 0.0
        for c in range(n_classes):
            total += math.exp(_D(z[c * _L + lane]) - _D(most))
        for c in range(n_classes):
            p = math.exp(_D(z[c * _L + lane]) - _D(most)) / total
            z[c * _L + lane] = _F(p - 1.0) if c == y[lane] else _F(p)


@jit(**_OPTIONS)
def _add_flat(v, n, scale, sums, first):
    scales, none = _read(scale, 0), _every(_F(0))
    for i in range(n):
        x = where(none < scales, _read(v, i * _L), none)
        at = (first + i) * _L
        put(sums, at, _read(sums, at) + whole(scales * x))


@jit(**_OPTIONS)
def _add_outer(e, n_out, a, n_in, scale, sums, first):
    scales, none = _read(scale, 0), _every(_F(0))
    for f in range(n_out):
        force = scales * where(none < scales, _read(e, f * _L), none)
        for i in range(n_in):
            at = (first + f * n_in + i) * _L
            x = where(none < scales, _read(a, i * _L), none)
            put(sums, at, _read(sums, at) + whole(force * x))
        at = (first + n_out * n_in + f) * _L
        put(sums, at, _read(sums, at) + whole(force))


@jit(**_OPTIONS)
def _room(shape):
    """Allocate the work arrays of `summed` for sixteen pictures: layers, scores, derivatives and gradients."""
    wide, f1, o1, f2, o2, hidden, classes, conv, within = shape
    p1, p2 = o1 - 1, o2 - 1
    return (
        np.zeros(wide * wide * _L, np.float32),
        np.zeros(f1 * o1 * o1 * _L, np.float32), np.zeros(f1 * within * within * _L, np.float32),
        np.zeros(f1 * p1 * p1 * _L, np.int32),
        np.zeros(f2 * o2 * o2 * _L, np.float32), np.zeros(f2 * p2 * p2 * _L, np.float32),
        np.zeros(f2 * p2 * p2 * _L, np.int32),
        np.zeros(hidden * _L, np.float32), np.zeros(classes * _L, np.float32),
        np.zeros(f1 * within * within * _L, np.float32), np.zeros(f1 * o1 * o1 * _L, np.float32),
        np.zeros(f2 * p2 * p2 * _L, np.float32), np.zeros(f2 * o2 * o2 * _L, np.float32),
        np.zeros(hidden * _L, np.float32), np.zeros(conv * _L, np.float32),
        np.zeros(6 * _L, np.float64), np.zeros(_L, np.float32), np.zeros(_L, np.int64),
    )  # fmt: skip


@jit(**_OPTIONS)
def _take(X, y, first, count, x, labels):
    """Copy ``count`` pictures and their classes to the lanes ``x`` and ``labels``.

    The first picture is in row ``first`` of X. Lanes without a picture are set to zero.
    """
    for lane in range(_L):
        labels[lane] = y[first + lane] if lane < count else 0
        for i in range(X.shape[1]):
            x[i * _L + lane] = X[first + lane, i] if lane < count else _F(0)


@jit(**_OPTIONS)
def _forward(shape, weights, turned, places, inner):
    """Compute the outputs of all layers for sixteen pictures, and the derivatives of the loss for the class scores.

    The pictures are read from the work arrays ``inner``, and all results are written there. The derivatives take the
    place of the class scores.
    """
    _, f1, o1, f2, o2, hidden, classes, _, _ = shape
    offsets1, bases1, offsets2, bases2, maps1, maps2, spots, line = places
    x, a1, c1, best1, a2, c2, best2, a3, z = inner[:9]
    for i in range(o1 * o1):
        _weighed(x, offsets1, bases1[i], turned[0], f1, weights[1], a1, maps1, i, False)
    _rectified(a1, f1 * o1 * o1)
    _pooled(a1, f1, o1, c1, spots, best1)
    for i in range(o2 * o2):
        _weighed(c1, offsets2, bases2[i], turned[1], f2, weights[3], a2, maps2, i, False)
    _rectified(a2, f2 * o2 * o2)
    _pooled(a2, f2, o2, c2, line, best2)
    flat = f2 * (o2 - 1) ** 2
    _weighed(c2, line[:flat], 0, turned[2], hidden, weights[5], a3, line, 0, False)
    _rectified(a3, hidden)
    _weighed(a3, line[:hidden], 0, turned[3], classes, weights[7], z, line, 0, False)
    _softmax_slopes(z, inner[17], classes)


@jit(**_OPTIONS)
def _backward(shape, weights, places, zeros, inner):
    """Compute the derivatives of the loss with respect to all layers' outputs and to both convolutions' weights.

    Everything is read from the work arrays ``inner`` and written there.
    """
    _, f1, o1, f2, o2, hidden, classes, _, _ = shape
    offsets1, bases1, offsets2, bases2, _, maps2, spots, line = places
    x, a1, c1, best1, a2, _, best2, a3, z, d1, e1, d2, e2, e3, gradients = inner[:15]
    _weighed(z, line[:classes], 0, weights[6], hidden, zeros, e3, line, 0, False)
    none = _every(_F(0))
    for i in range(hidden):
        put(e3, i * _L, where(none < _read(a3, i * _L), _read(e3, i * _L), none))
    flat = f2 * (o2 - 1) ** 2
    _weighed(e3, line[:hidden], 0, weights[4], flat, zeros, d2, line, 0, False)
    _unpooled(d2, line, best2, f2, o2, a2, e2)
    d1[:] = _F(0)
    for i in range(o2 * o2):
        _weighed(
            e2, maps2, i, weights[2], offsets2.shape[0], zeros, d1, offsets2, bases2[i], True
        )  # fmt: skip
    _unpooled(d1, spots, best1, f1, o1, a1, e1)
    _filter_gradients(e1, f1, o1 * o1, x, offsets1, bases1, gradients, 0)
    _bias_gradients(e1, f1, o1 * o1, gradients, f1 * offsets1.shape[0])
    second = f1 * (offsets1.shape[0] + 1)
    _filter_gradients(e2, f2, o2 * o2, c1, offsets2, bases2, gradients, second)
    _bias_gradients(e2, f2, o2 * o2, gradients, second + f2 * offsets2.shape[0])


@jit(**_OPTIONS)
def _add_scaled(shape, count, most, units, inner, sums):
    """Add the clipped gradients of up to sixteen pictures, one per lane, to the integers ``sums``.

    - ``shape``: sizes of the layers. ``inner``: the work arrays after `_forward` and `_backward`.
    - ``count``: number of pictures, in the first lanes. The other lanes add nothing.
    - ``most``: largest norm of a gradient after clipping, C (1 - 2^-20).
    - ``units``: the factor 2^24/C. A clipped gradient is multiplied by this factor and truncated to integers.
    """
    flat, hidden, classes, conv = shape[3] * (shape[4] - 1) ** 2, shape[5], shape[6], shape[7]
    c2, a3, z, e3, gradients, squares, scale = (
        inner[5], inner[7], inner[8], inner[13], inner[14], inner[15], inner[16],
    )  # fmt: skip
    _squares(gradients, conv, squares[:_L])
    _squares(c2, flat, squares[_L : 2 * _L])
    _squares(e3, hidden, squares[2 * _L : 3 * _L])
    _squares(a3, hidden, squares[3 * _L : 4 * _L])
    _squares(z, classes, squares[4 * _L : 5 * _L])
    for lane in range(_L):
        square = squares[lane] + (squares[_L + lane] + 1.0) * squares[2 * _L + lane]
        square += (squares[3 * _L + lane] + 1.0) * squares[4 * _L + lane]
        fine = lane < count and square < 1e200
        scale[lane] = _F(units * min(1.0, most / math.sqrt(square))) if fine else _F(0)
    _add_flat(gradients, conv, scale, sums, 0)
    _add_outer(e3, hidden, c2, flat, scale, sums, conv)
    _add_outer(z, classes, a3, hidden, scale, sums, conv + hidden * (flat + 1))


@jit(**_OPTIONS)
def _flush(sums, total):
    for i in range(total.shape[0]):
        for lane in range(_L):
            total[i] += sums[i * _L + lane]
            sums[i * _L + lane] = 0


@jit(**_OPTIONS)
def summed(X, y, shape, weights, turned, places, zeros, n_weights, clip):
    """Return the sum of all pictures' clipped gradients, as ``n_weights`` integers in units of C 2^-24.

    C is the clip norm ``clip``.

    - ``X`` (n, pixels) are pictures with a border of zeros, ``y`` (n,) their classes.
    - ``weights`` are the four matrices and biases, ``turned`` the matrices transposed.
    - ``shape``, ``places`` and ``zeros`` are the layers' sizes, index arrays and a vector of zeros, for the network's
      architecture (from ``clipping._geometry``).
    """
    sums, total = np.zeros(n_weights * _L, np.int32), np.zeros(n_weights, np.int64)
    inner = _room(shape)
    most, units = (1.0 - 2.0**-20) * clip, 2.0**24 / clip
    for group in range((y.shape[0] + _L - 1) // _L):
        first = group * _L
        count = min(_L, y.shape[0] - first)
        _take(X, y, first, count, inner[0], inner[17])
        _forward(shape, weights, turned, places, inner)
        _backward(shape, weights, places, zeros, inner)
        _add_scaled(shape, count, most, units, inner, sums)
        if group % BLOCK == BLOCK - 1:
            _flush(sums, total)
    _flush(sums, total)
    return total
