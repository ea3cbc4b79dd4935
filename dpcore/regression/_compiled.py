"""Compiled solver of many small symmetric linear systems, vectorised over noise scales."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore._jit import jit

__all__ = ["solve_cells"]

_FLAGS = {"contract", "nsz", "arcp", "reassoc"}
_OPTIONS: Any = {"error_model": "numpy", "nogil": True, "fastmath": _FLAGS}


@jit(inline="always", **_OPTIONS)
def _less(a, b, c):
    for lane in range(a.shape[0]):
        a[lane] -= b[lane] * c[lane]


@jit(inline="always", **_OPTIONS)
def _line(out, at, slope, scales):
    for lane in range(out.shape[0]):
        out[lane] = at + scales[lane] * slope


@jit(inline="always", **_OPTIONS)
def _build(sums, noise, scales, ridge, R, right, diagonal):
    """Write the linear systems of one draw of noise, for E noise scales s, to the arrays ``R`` and ``right``.

    A system is (A + sN + λI)θ = c + sM, with D coefficients θ. A and c are exact sums over records, N and M the noise
    of the draw. ``R`` (D, D, E) receives the lower triangles of the matrices, ``right`` (D, E) the right-hand sides,
    and ``diagonal`` (D, E) the diagonals of the matrices.
    """
    (A, c), (N, M) = sums, noise
    for a in range(c.shape[0]):
        for b in range(a + 1):
            _line(R[a, b], A[a, b], N[a, b], scales)
        R[a, a] += ridge
        diagonal[a] = R[a, a]
        _line(right[a], c[a], M[a], scales)


@jit(inline="always", **_OPTIONS)
def _invert(pivot, diagonal, low):
    for lane in range(pivot.shape[0]):
        low[lane] = min(low[lane], abs(pivot[lane] / diagonal[lane]))
        pivot[lane] = 1 / pivot[lane]


@jit(inline="always", **_OPTIONS)
def _eliminate(R, right, column, diagonal, low):
    """Factorise the matrices R of linear systems as L P Lᵀ in place, where the diagonal matrix P holds the pivots.

    R becomes L, with P⁻¹ on its diagonal. ``right`` becomes L⁻¹ right. ``low`` receives the smallest ratio of a pivot
    to the original diagonal element, for every noise scale. A ratio near 0 means that the system needs pivoting.
    """
    size = right.shape[0]
    for k in range(size):
        _invert(R[k, k], diagonal[k], low)
        for a in range(k + 1, size):
            column[a] = R[a, k] * R[k, k]
            for b in range(k + 1, a + 1):
                _less(R[a, b], column[a], R[b, k])
            _less(right[a], column[a], right[k])
        R[k + 1 :, k] = column[k + 1 :]


@jit(inline="always", **_OPTIONS)
def _substitute(R, right, out):
    size = right.shape[0]
    for k in range(size - 1, -1, -1):
        right[k] *= R[k, k]
        for a in range(k + 1, size):
            _less(right[k], R[a, k], right[a])
        for lane in range(right.shape[1]):
            out[lane, k] = right[k, lane]


@jit(**_OPTIONS)
def solve_cells(A, c, N, M, scales, ridge, out, worst):
    """Solve (A + sN + λI)θ = c + sM for m draws and E noise scales s, by Cholesky factorisation without roots.

    Inputs, for D coefficients:

    - ``A`` (D, D) and ``c`` (D,) are exact.
    - ``N`` (m, D, D) and ``M`` (m, D) are noise.
    - ``scales`` (E,) are the noise scales s, ``ridge`` (m, E) the penalties λ.

    θ is written to ``out`` (m, E, D), and the smallest ratio of a pivot to its diagonal element to ``worst`` (m, E).
    Where this ratio is near 0 the system needs pivoting. This solver does not pivot.
    """
    size, lanes = A.shape[0], scales.shape[0]
    R, column = np.empty((size, size, lanes)), np.empty((size, lanes))
    right, diagonal = np.empty((size, lanes)), np.empty((size, lanes))
    worst[:] = np.inf
    for draw in range(N.shape[0]):
        _build((A, c), (N[draw], M[draw]), scales, ridge[draw], R, right, diagonal)
        _eliminate(R, right, column, diagonal, worst[draw])
        _substitute(R, right, out[draw])
