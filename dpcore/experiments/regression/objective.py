"""The objective with and without noise: as parabolas along one slope, as contours over two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.regression.fits import (
    N_DRAWS,
    first_of,
    generator,
    noise_scales,
    unit_noise,
)
from dpcore.experiments.regression.params import RegressionParams, repair_of
from dpcore.experiments.regression.problem import Setting

__all__ = [
    "LEVELS",
    "PIECE",
    "Objective",
    "along",
    "level_curves",
    "objective",
    "profile",
    "repaired",
]

Floats = NDArray[np.float64]
LEVELS = (0.01, 0.05, 0.15)
PIECE = 23
_FAR = 2.2


@dataclass(frozen=True, kw_only=True, eq=False)
class Objective:
    """The noisy objectives of m draws at E = 50 values of ε, all per record.

    ``curvature`` and ``slope`` (m, E): the parabola a t² - 2 b t of each draw, b = slope, over the
    first slope as `along` cuts it; ``fixed_curvature`` and ``fixed_slope`` (E,): of draw 0 after the
    repair; ``matrix`` and ``fixed_matrix`` (E, 2, 2), ``point`` and ``fixed_point`` (E, 2): draw 0 over
    intercept and slope, the others at their stationary value; ``true_*``: without noise; ``lowest``
    (m, E): the smallest eigenvalue of the noisy A, ``true_lowest`` without noise.
    """

    curvature: Floats
    slope: Floats
    fixed_curvature: Floats
    fixed_slope: Floats
    matrix: Floats
    point: Floats
    fixed_matrix: Floats
    fixed_point: Floats
    true_curvature: float
    true_slope: float
    true_matrix: Floats
    true_point: Floats
    lowest: Floats
    true_lowest: float


def objective(setting: Setting, params: RegressionParams, keep: int = N_DRAWS) -> Objective | None:
    """Return the noisy objectives of the method's first draws; None where none is released."""
    if not params.objective:
        return None
    noise = first_of(unit_noise(params, setting.n_features, N_DRAWS, generator(params)), keep)
    scales = noise_scales(params)[:-1]
    sums, n = setting.train, setting.n_samples
    A = sums.quadratic + scales[:, None, None] * noise.matrix[:, None]
    c = sums.linear + scales[:, None] * noise.vector[:, None]
    curvature, slope = along(A, c, setting.best)
    fixed = repaired(A[0], repair_of(params).shift(noise) * scales, params.repair)
    fixed_a, fixed_b = along(fixed, c[0], setting.best)
    matrix, line = profile(A[0], c[0], 2)
    fixed_matrix, fixed_line = profile(fixed, c[0], 2)
    true_a, true_b = along(sums.quadratic, sums.linear, setting.best)
    true_matrix, true_line = profile(sums.quadratic, sums.linear, 2)
    return Objective(
        curvature=curvature / n, slope=slope / n,
        fixed_curvature=fixed_a / n, fixed_slope=fixed_b / n,
        matrix=matrix / n, point=_solved(matrix, line),
        fixed_matrix=fixed_matrix / n, fixed_point=_solved(fixed_matrix, fixed_line),
        true_curvature=float(true_a) / n, true_slope=float(true_b) / n,
        true_matrix=true_matrix / n, true_point=_solved(true_matrix, true_line),
        lowest=np.linalg.eigvalsh(A)[..., 0] / n,
        true_lowest=float(np.linalg.eigvalsh(sums.quadratic)[0]) / n,
    )  # fmt: skip


def _solved(A: Floats, c: Floats) -> Floats:
    return _divided(A, c[..., None])[..., 0]


def along(A: Floats, c: Floats, best: Floats) -> tuple[Floats, Floats]:
    """Return a and b (...) of the objective at² - 2bt along the first slope, A (..., D, D), c (..., D).

    With one feature the intercept is at its stationary value, so the lowest place is the fit itself.
    With more, the others are held at ``best`` (D,): their stationary values would be far away
    wherever noise rules, and the picture a fan of needles.
    """
    if c.shape[-1] == 2:
        inner, line = profile(A, c, 1)
        return inner[..., 0, 0], line[..., 0]
    held = best.copy()
    held[1] = 0.0
    return A[..., 1, 1], c[..., 1] - A[..., 1, :] @ held


def profile(A: Floats, c: Floats, size: int) -> tuple[Floats, Floats]:
    """Return the quadratic over the first slope (size 1) or intercept and slope (size 2) alone.

    A (..., D, D), c (..., D) -> (..., size, size), (..., size): the other coefficients are put on
    their stationary value, so that a stationary point of the whole stays one.
    """
    D = c.shape[-1]
    kept = [1] if size == 1 else [0, 1]
    rest = [i for i in range(D) if i not in kept]
    inner, line = A[..., kept, :][..., kept], c[..., kept]
    if not rest:
        return inner, line
    side = A[..., kept, :][..., rest]
    across = np.swapaxes(side, -1, -2)
    found = _divided(A[..., rest, :][..., rest], np.concatenate([across, c[..., rest, None]], -1))
    back = side @ found
    return inner - back[..., :-1], line - back[..., -1]


def _divided(A: Floats, b: Floats) -> Floats:
    """A⁻¹ b for many; of smallest norm where an A is exactly singular."""
    try:
        return np.asarray(np.linalg.solve(A, b), float)
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.pinv(A, hermitian=True) @ b, float)


def repaired(A: Floats, shift: Floats, kind: str) -> Floats:
    """Return the matrices (E, D, D) whose minimum the repaired fit is, shift (E,).

    Directions that trimming drops get a steep wall: their coefficient is zero.
    """
    if kind == "none":
        return A
    values, vectors = np.linalg.eigh(A)
    if kind == "trim":
        kept = values + shift[:, None]
        kept = np.where(kept > 0, kept, 1e6 * np.abs(values).max())
    else:
        kept = np.maximum(values, 0) + shift[:, None]
    return cast(Floats, (vectors * kept[:, None]) @ np.swapaxes(vectors, -1, -2))


def level_curves(matrix: Floats, point: Floats, unit: float = 1.0) -> tuple[Floats, Floats]:
    """Return curves where the objective is a level above, and a level below, its stationary point.

    matrix (E, 2, 2), point (E, 2) -> two arrays (E, pieces·30, 2), pieces ended by NaN. Ellipses
    around a minimum, hyperbolas around a saddle. The levels are those of `LEVELS` times ``unit``.
    """
    values, vectors = np.linalg.eigh(matrix)
    up = [_pieces(values, vectors, point, unit * level, 1.0) for level in LEVELS]
    down = [_pieces(values, vectors, point, unit * level, -1.0) for level in LEVELS]
    return np.concatenate(up, axis=1), np.concatenate(down, axis=1)


def _pieces(values: Floats, vectors: Floats, point: Floats, level: float, sign: float) -> Floats:
    w = sign * values
    reach = np.sqrt(level / np.maximum(np.abs(w), 1e-9))
    angle, swing = np.linspace(0, np.pi, PIECE), np.linspace(-_FAR, _FAR, PIECE)
    shapes = {
        (True, True): (np.cos(angle), np.sin(angle)),
        (True, False): (np.cosh(swing), np.sinh(swing)),
        (False, True): (np.sinh(swing), np.cosh(swing)),
    }
    found = np.full((len(w), 2, PIECE + 1, 2), np.nan)
    for (first, second), shape in shapes.items():
        these = np.flatnonzero(((w[:, 0] > 0) == first) & ((w[:, 1] > 0) == second))
        inside = vectors[these] @ (reach[these, :, None] * np.array(shape))
        for piece, turn in enumerate((1.0, -1.0)):
            found[these, piece, :-1] = point[these, None] + turn * np.swapaxes(inside, 1, 2)
    return found.reshape(len(w), -1, 2)
