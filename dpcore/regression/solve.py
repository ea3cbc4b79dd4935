"""Least squares on noisy sums for many draws and all ε at once, with repair of indefinite matrices.

The exact sums are A = Σxxᵀ and c = Σyx. A draw has unit noise N for A and M for c, and a repair adds κ to the
diagonal of N. So the system at noise scale s is (A + s(N + κI)) θ = c + sM.

One eigendecomposition per draw solves this system for every s. With L Lᵀ = A and L⁻¹(N + κI)L⁻ᵀ = U diag(w) Uᵀ, the
solution is θ = Q diag(1/(1 + s w)) Qᵀ(c + sM), where Q = L⁻ᵀU. This is only a faster way to compute a function of the
noisy sums. Q depends on the exact A and so is not private. Eigenvalues are therefore never repaired in the basis Q.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from dpcore import _checks
from dpcore.regression.noise import UnitNoise
from dpcore.regression.statistics import SufficientStatistics

__all__ = ["REPAIRS", "Repair", "solve_grid"]

REPAIRS = ("none", "trim", "floor")
_BLOCK = 4096


@dataclass(frozen=True, kw_only=True)
class Repair:
    """Rule for the repair of a noisy matrix A = Σxxᵀ (D, D), before the equations Aθ = c are solved.

    Noise can make eigenvalues of A negative or too small. The repair reads only the noisy A, so it is post-processing
    and costs no ε. Let sd be the standard deviation of the noise on an entry of A off the diagonal.

    - "none" leaves A as it is.
    - "trim" adds λ = ``ridge``·sd to every eigenvalue of A. If an eigenvalue is still at most 0, the solution has no
      part in the direction of its eigenvector (Zhang et al. 2012, section 6).
    - "floor" replaces every eigenvalue w of A by max(w, 0) + k·sd·√D, with k = ``floor``.

    Parameters
    ----------
    kind : "none", "trim" or "floor"
        Name of the rule.
    floor : float
        Factor k ≥ 0 in the rule "floor". For n records, 1 suits n ≫ D², and 2 suits a small n: 2·sd·√D is about the
        largest eigenvalue of the noise.
    ridge : float
        Factor ≥ 0 in the rule "trim".

    See Also
    --------
    functional_mechanism, joint_release

    References
    ----------
    J. Zhang, Z. Zhang, X. Xiao, Y. Yang and M. Winslett, "Functional mechanism: regression analysis
    under differential privacy", PVLDB 5(11), 2012.
    """

    kind: str = "floor"
    floor: float = 1.0
    ridge: float = 4.0

    def __post_init__(self) -> None:
        _checks.one_of("repair", self.kind, REPAIRS)
        _checks.number("floor", self.floor, low=0)
        _checks.number("ridge", self.ridge, low=0)

    def shift(self, noise: UnitNoise) -> float:
        """Return κ: at noise scale s the repair adds sκ to the diagonal of the noisy A = Σxxᵀ."""
        if self.kind == "none":
            return 0.0
        if self.kind == "trim":
            return self.ridge * noise.off_diagonal_sd
        return self.floor * noise.off_diagonal_sd * math.sqrt(noise.vector.shape[-1])


def solve_grid(
    sums: SufficientStatistics, noise: UnitNoise, scales: NDArray[np.float64], repair: Repair
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the solutions of (A + sN)θ = c + sM with a repaired matrix, for all draws and scales s.

    Parameters
    ----------
    sums : SufficientStatistics
        Exact sums A (D, D) and c (D,), for D coefficients.
    noise : UnitNoise
        Unit noise N (draws, D, D) and M (draws, D).
    scales : ndarray (n_eps,)
        Noise scales s ≥ 0.
    repair : Repair
        Correction of small and negative eigenvalues.

    Returns
    -------
    coefficients : ndarray (draws, n_eps, D)
        Solutions θ.
    indefinite : ndarray (draws, n_eps), bool
        True where the noisy A, before repair, is not positive definite.
    """
    try:
        inverse = _inverse_root(sums.quadratic)
    except np.linalg.LinAlgError:  # more columns than directions: every point is solved separately
        everywhere = np.ones((len(noise.vector), len(scales)), bool)
        solutions = np.empty((*everywhere.shape, len(sums.linear)))
        return solutions, _fill(solutions, everywhere, sums, noise, scales, repair) | (scales == 0)
    shift = repair.shift(noise)
    rotated = inverse @ noise.matrix @ inverse.T
    solutions, lowest = _all_scales(sums, noise, scales, inverse, rotated, shift)
    raw = lowest if shift == 0 else 1 + np.linalg.eigvalsh(rotated)[:, :1] * scales
    indefinite = raw <= 0
    if repair.kind != "none":
        wrong = indefinite if repair.kind == "floor" else lowest <= 0
        _fill(solutions, wrong, sums, noise, scales, repair)
    return solutions, indefinite


def _inverse_root(A: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return L⁻¹ (D, D) for A = L Lᵀ, or raise a LinAlgError if A is nearly singular."""
    root = np.linalg.cholesky(A)
    if np.diag(root).min() < 1e-6 * np.diag(root).max():
        raise np.linalg.LinAlgError
    return np.asarray(solve_triangular(root, np.eye(len(A)), lower=True), float)


def _all_scales(
    sums: SufficientStatistics,
    noise: UnitNoise,
    scales: NDArray[np.float64],
    inverse: NDArray[np.float64],
    rotated: NDArray[np.float64],
    shift: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the solutions θ (draws, n_eps, D) of (A + sN)θ = c + sM at all noise scales s.

    A and c are exact sums, N and M unit noise. One eigendecomposition per draw is enough for all scales. A second
    array (draws, n_eps) is positive where the noisy matrix A + sN is positive definite.
    """
    values, vectors = np.linalg.eigh(rotated + shift * (inverse @ inverse.T))
    basis = inverse.T @ vectors
    back = basis.transpose(0, 2, 1)
    still = back @ sums.linear
    moved = (back @ noise.vector[:, :, None])[..., 0]
    divisor = 1 + values[:, None, :] * scales[:, None]
    numerator = still[:, None, :] + moved[:, None, :] * scales[:, None]
    numerator /= divisor
    return numerator @ back, divisor[..., 0]


def _fill(
    solutions: NDArray[np.float64],
    where: NDArray[np.bool_],
    sums: SufficientStatistics,
    noise: UnitNoise,
    scales: NDArray[np.float64],
    repair: Repair,
) -> NDArray[np.bool_]:
    """Compute the coefficients for the draws and noise scales where ``where`` is True; write them to ``solutions``.

    The noisy matrix of every such system is repaired first. The result is a mask in the shape of ``where``: True
    where the matrix was not positive definite before the repair.
    """
    indefinite = np.zeros(where.shape, bool)
    draws, points = np.nonzero(where)
    shift = repair.shift(noise)
    for start in range(0, len(draws), _BLOCK):
        i, j = draws[start : start + _BLOCK], points[start : start + _BLOCK]
        s = scales[j, None]
        values, vectors = np.linalg.eigh(sums.quadratic + s[..., None] * noise.matrix[i])
        back = (vectors.transpose(0, 2, 1) @ (sums.linear + s * noise.vector[i])[..., None])[..., 0]
        weights = _inverted(values, shift * s, repair.kind)
        solutions[i, j] = (vectors @ (weights * back)[..., None])[..., 0]
        indefinite[i, j] = values[:, 0] <= 0
    return indefinite


def _inverted(
    values: NDArray[np.float64], shift: NDArray[np.float64], kind: str
) -> NDArray[np.float64]:
    """Return the inverses (m, D) of the repaired eigenvalues of m matrices; 0 for an eigenvalue that is dropped.

    ``shift`` is added to all eigenvalues. ``kind`` is the rule for negative ones (see `Repair`).
    """
    eigenvalues = (np.maximum(values, 0) if kind == "floor" else values) + shift
    tiny = 1e-12 * np.abs(values).max(axis=1, keepdims=True)
    use = eigenvalues > tiny if kind == "trim" else np.abs(eigenvalues) > tiny
    return np.divide(1.0, eigenvalues, out=np.zeros_like(eigenvalues), where=use)
