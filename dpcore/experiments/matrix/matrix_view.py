"""What a matrix shows: Λ, its two strongest directions as a map, its eigenvectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore._types import Floats
from dpcore.experiments.matrix.problem import MatrixProblem

__all__ = ["N_EIGEN", "MatrixView", "matrix_view", "relevances", "sample"]

N_EIGEN = 4
_POINTS = 220


@dataclass(frozen=True, kw_only=True)
class MatrixView:
    """Models as pictures, Λ scaled to trace 1; leading axes (...) are those of the models.

    ``relevances`` (..., d); ``matrix`` (..., F, F) of the shown features; ``places`` (..., n, 2) of
    the sampled records on the map and ``prototypes`` (..., P, 3), two places and the squared rest;
    ``directions`` (..., 4, d), the strongest eigenvectors, and ``strengths`` (..., 4), their share.
    """

    relevances: NDArray[np.float32]
    matrix: NDArray[np.float32]
    places: NDArray[np.float32]
    prototypes: NDArray[np.float32]
    directions: NDArray[np.float32]
    strengths: NDArray[np.float32]


def relevances(omegas: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the diagonals of Λ = ΩᵀΩ scaled to sum 1, (..., l, d) -> (..., d)."""
    squares = np.square(omegas.astype(float)).sum(-2)
    return cast(Floats, squares / np.maximum(squares.sum(-1, keepdims=True), 1e-30))


def sample(problem: MatrixProblem) -> NDArray[np.int64]:
    """Return which training records the maps draw, (n,): all, or a fixed choice of 220."""
    n = len(problem.y)
    if n <= _POINTS:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).choice(n, _POINTS, replace=False))


def matrix_view(
    problem: MatrixProblem, W: NDArray[np.floating], Omega: NDArray[np.floating]
) -> MatrixView:
    """Return models as pictures.

    The map is x → diag(√λ₁, √λ₂) (v₁, v₂)ᵀ (x - m), m the mean of the records: distances on it are
    the classifier's own along its two strongest directions. |Ω(x - w)|² = |z - z_w|² + r² for every
    x of the plane through m, so regions drawn with the rest r² are exactly the classifier's. Each
    map is turned (not stretched) as close as can be to the plane of largest spread, so that maps of
    neighbouring noise levels lie alike; signs of eigenvectors are chosen alike too.

    Parameters
    ----------
    problem : MatrixProblem
        The data.
    W : ndarray (..., P, d)
        Prototypes.
    Omega : ndarray (..., l, d)
        Matrices.

    Returns
    -------
    MatrixView
    """
    scaled = Omega / np.sqrt(np.maximum(np.square(Omega).sum((-2, -1), keepdims=True), 1e-30))
    origin, plane = problem.plane
    values, vectors = _eigen(scaled)
    X = problem.X[sample(problem)] - origin
    axes = vectors[..., :2, :] * np.sqrt(values[..., :2, None])  # (..., 2, d)
    turned = _turned(X @ np.swapaxes(axes, -1, -2), X @ plane, axes)
    places = X @ turned
    flat = (W - origin) @ turned
    whole = np.square((W - origin) @ np.swapaxes(scaled, -1, -2)).sum(-1)
    rest = np.maximum(whole - np.square(flat).sum(-1), 0)
    few = scaled[..., problem.shown]
    return MatrixView(
        relevances=relevances(Omega).astype(np.float32),
        matrix=(np.swapaxes(few, -1, -2) @ few).astype(np.float32),
        places=places.astype(np.float32),
        prototypes=np.concatenate([flat, rest[..., None]], -1).astype(np.float32),
        directions=_alike(vectors).astype(np.float32),
        strengths=values.astype(np.float32),
    )


def _eigen(scaled: NDArray[np.floating]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The strongest eigenvalues (..., 4) and eigenvectors (..., 4, d) of Λ, zeros where none are."""
    _, roots, vectors = np.linalg.svd(scaled.astype(float), full_matrices=False)
    missing = max(0, N_EIGEN - roots.shape[-1])
    lead = [(0, 0)] * (roots.ndim - 1)
    values = np.pad(np.square(roots[..., :N_EIGEN]), [*lead, (0, missing)])
    return values, np.pad(vectors[..., :N_EIGEN, :], [*lead, (0, missing), (0, 0)])


def _turned(
    found: NDArray[np.float64], wanted: NDArray[np.float64], axes: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Turn the axes (..., 2, d) so that places ``found`` (..., n, 2) come close to ``wanted``."""
    U, _, V = np.linalg.svd(np.swapaxes(found, -1, -2) @ wanted)
    return cast(Floats, np.swapaxes(axes, -1, -2) @ (U @ V))


def _alike(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Choose signs so that the sum of cubes is positive: a large feature decides, at every noise."""
    signs = np.sign(np.power(vectors, 3).sum(-1, keepdims=True))
    return vectors * np.where(signs == 0, 1, signs)
