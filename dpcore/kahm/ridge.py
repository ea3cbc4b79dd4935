"""Kernel ridge regression with a regularisation λ equal to the training error plus τ.

The paper by Kumar, Moser and Fischer (arXiv:2304.01300) proposes an iteration to a λ above the training error, and
the code of its first author implements one. The proofs of uniqueness and rate, and the numerical method, are our own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import lapack

from dpcore import _checks

__all__ = ["Iteration", "Ridge", "fixed_point", "training_error"]


Array = NDArray[np.float64]


@dataclass(frozen=True)
class Ridge:
    """Kernel ridge regression of records Y (N, p) with kernel matrix K (N, N) and λ = ``lam``.

    - ``C`` (N, p) is (K + λI)⁻¹ Y.
    - ``alpha`` (N,) is (K + λI)⁻¹ 1.
    - ``n_iter`` is the number of matrix factorisations.
    - ``solve`` multiplies an array (N, k) by (K + λI)⁻¹.
    """

    lam: float
    C: Array
    alpha: Array
    n_iter: int
    solve: Callable[[Array], Array]


def training_error(K: ArrayLike, Y: ArrayLike, lam: float) -> float:
    """Return the training error R(λ) = ‖Y - K(K + λI)⁻¹Y‖²_F/(pN) = λ² ‖(K + λI)⁻¹Y‖²_F/(pN).

    Parameters
    ----------
    K, Y : array-like (N, N), (N, p)
        Kernel matrix and records.
    lam : float
        Regularisation λ > 0.

    Returns
    -------
    float
        Training error in [0, M₀), with M₀ = ‖Y‖²_F/(pN).
    """
    K, Y = np.asarray(K, float), np.asarray(Y, float)
    C = np.linalg.solve(K + lam * np.eye(len(K)), Y)
    return float(lam**2 * np.square(C).mean())


def fixed_point(
    K: ArrayLike,
    Y: ArrayLike,
    *,
    tau_factor: float = 2.0,
    tol: float = 1e-6,
    start: float | None = None,
    max_iter: int = 100,
) -> Ridge:
    """Return the kernel ridge regression with regularisation λ equal to its training error plus τ.

    λ solves λ = R(λ) + τ. R(λ) is the training error and τ = c M₀, where M₀ is the mean square of Y and c is
    ``tau_factor``. The slope of R is at most 8M₀/(27λ). For c = 2 this is at most 4/27, so R + τ is a contraction, λ
    is unique, and 2M₀ ≤ λ < 3M₀.

    A step of the method factorises K + λI once and expands R around λ in a Taylor series of order 4, by two more
    solves. It then moves to the fixed point of the series. Usually two steps are enough.

    Parameters
    ----------
    K, Y : array-like (N, N), (N, p)
        Kernel matrix and records, Y not all zero.
    tau_factor : float
        c > 8/27; the code of the paper's first author uses 2.
    tol : float
        Tolerance of λ: the method stops when |R(λ) + τ - λ| ≤ tol·λ.
    start : float or None
        First guess ≥ 0 of the training error. A guess above M₀ is replaced by M₀, since R < M₀.
    max_iter : int
        Largest number of factorisations.

    Returns
    -------
    Ridge

    Raises
    ------
    ValueError
        When an argument is outside its range, or Y is zero.

    Examples
    --------
    >>> found = fixed_point(np.eye(2), [[1.0], [1.0]], tol=1e-12)  # λ = 2 + (λ/(1 + λ))²
    >>> round(found.lam - (found.lam / (1 + found.lam)) ** 2, 9)
    2.0
    """
    K, Y = np.asarray(K, float), np.asarray(Y, float)
    c = _checks.number("tau_factor", tau_factor, low=8 / 27, open_low=True)
    _checks.number("tol", tol, low=0, open_low=True)
    mean_square = float(np.square(Y).mean())
    if mean_square == 0:
        raise ValueError("Y is all zero, which has no λ > 0: give records that are not all zero.")
    first = 0.05 * mean_square if start is None else _checks.number("start", start, low=0)
    tau, lam = c * mean_square, c * mean_square + min(first, mean_square)
    if Y.shape[1] > len(Y):
        return _by_eigenvalues(K, Y, tau, tol)
    _checks.integer("max_iter", max_iter, low=1)
    sides = np.asfortranarray(np.column_stack([Y, np.ones(len(Y))]))
    n_iter = 0
    while True:
        n_iter += 1
        solve = _cholesky(K, lam)
        if solve is None:
            return _by_eigenvalues(K, Y, tau, tol)
        solved = solve(sides)
        C = solved[:, :-1]
        error = lam**2 * float(np.vdot(C, C)) / Y.size
        if abs(error + tau - lam) <= tol * lam or n_iter == max_iter:
            return Ridge(lam, np.ascontiguousarray(C), solved[:, -1].copy(), n_iter, solve)
        lam = _follow(C, solve, lam, tau, mean_square)


def _cholesky(K: Array, lam: float) -> Callable[[Array], Array] | None:
    # LAPACK on the transposed view: K is symmetric, and Fortran's order saves a copy.
    shifted = K.copy()
    shifted.flat[:: len(K) + 1] += lam
    factor, info = lapack.dpotrf(shifted.T, lower=1, overwrite_a=1, clean=0)
    if info:
        return None
    return lambda B: lapack.dpotrs(factor, B, lower=1)[0]


def _follow(
    C: Array, solve: Callable[[Array], Array], lam: float, tau: float, mean_square: float
) -> float:
    """Return the fixed point λ' = R(λ') + τ, with the training error R replaced by its Taylor series at λ.

    ``C`` is (K + λI)⁻¹ Y, and ``solve`` multiplies by (K + λI)⁻¹. R(λ') is λ'²/(pN) times ‖(K + λ'I)⁻¹ Y‖². Only the
    squared norm is expanded: it is Σ_j (-t)^j (j + 1) m_j with t = λ' - λ, where m_j is the inner product of (K +
    λI)^(-1-j) Y with (K + λI)⁻¹ Y.
    """
    once = solve(C)
    twice = solve(once)
    pairs = ((C, C), (C, once), (once, once), (once, twice), (twice, twice))
    series = [(-1) ** j * (j + 1) * float(np.vdot(a, b)) for j, (a, b) in enumerate(pairs)]
    root, size, upwards = lam, C.size, series[::-1]
    for _ in range(60):
        before, norm, away = root, upwards[0], root - lam
        for one in upwards[1:]:
            norm = one + norm * away
        root = tau + min(max(root**2 * norm / size, 0.0), mean_square)
        if root == before:
            break
    return root


def _by_eigenvalues(K: Array, Y: Array, tau: float, tol: float) -> Ridge:
    """Return the ridge regression at the fixed point of λ, from the eigendecomposition K = U diag(s) Uᵀ.

    The eigendecomposition is faster than factorising if p > N, and safe if K + λI is nearly singular.
    """
    s, U = np.linalg.eigh(K)
    s = np.maximum(s, 0.0)
    c = np.square(U.T @ Y).sum(1) / Y.size
    lam, n_iter = tau, 0
    while True:
        n_iter += 1
        error = float(c @ np.square(lam / (s + lam)))
        if abs(error + tau - lam) <= max(1e-3 * tol, 1e-15) * lam or n_iter == 100:
            break
        lam = tau + error

    def solve(B: Array) -> Array:
        return cast(Array, U @ ((U.T @ B) / (s + lam)[:, None]))

    return Ridge(lam, solve(Y), solve(np.ones((len(Y), 1)))[:, 0], 1, solve)


@dataclass(frozen=True)
class Iteration:
    """The iteration e ← R(e + τ) of the training error e, for one kernel matrix K and its records Y.

    R(λ) = Σ_k c_k (λ/(s_k + λ))² with K = U diag(s) Uᵀ and c_k = ‖u_kᵀY‖²/(pN), for N records of p features and the
    columns u_k of U. This is the plain iteration of the paper arXiv:2304.01300, in the form of its first author's
    code. `dpcore.kahm.ridge.fixed_point` reaches the same fixed point in fewer steps.

    Parameters
    ----------
    spectrum : ndarray (N,)
        Eigenvalues s ≥ 0 of K.
    parts : ndarray (N,)
        Coefficients c; their sum is the mean square M₀ of Y.
    tau : float
        Constant τ > 0 that a step adds to the training error.

    Examples
    --------
    >>> steps = Iteration.of(np.eye(2), [[1.0], [1.0]]).steps(0.5, 3)
    >>> [round(float(e), 4) for e in steps]
    [0.5, 0.5102, 0.5114, 0.5115]
    """

    spectrum: Array
    parts: Array
    tau: float

    @classmethod
    def of(cls, K: ArrayLike, Y: ArrayLike, *, tau_factor: float = 2.0) -> Iteration:
        """Return the iteration for a kernel matrix K (N, N) and records Y (N, p).

        Raises
        ------
        ValueError
            When ``tau_factor`` is not above 8/27.
        """
        Y = np.asarray(Y, float)
        c = _checks.number("tau_factor", tau_factor, low=8 / 27, open_low=True)
        s, U = np.linalg.eigh(np.asarray(K, float))
        parts = np.square(U.T @ Y).sum(1) / Y.size
        return cls(np.maximum(s, 0.0), parts, c * float(np.square(Y).mean()))

    @property
    def mean_square(self) -> float:
        """Mean square M₀ of the records, an upper bound on every training error."""
        return float(self.parts.sum())

    @property
    def rate(self) -> float:
        """Upper bound 8M₀/(27τ) on the factor by which a step e ← R(e + τ) shrinks the distance to the fixed point.

        M₀ is the mean square of the records, and τ > 0 is the constant ``tau`` of the iteration. At τ = 2M₀ the bound
        is 4/27.
        """
        return 8 * self.mean_square / (27 * self.tau)

    def error(self, e: ArrayLike) -> Array:
        """Return the training errors R(e + τ) after one step from the errors e ≥ 0 (any shape)."""
        lam = np.asarray(e, float)[..., None] + self.tau
        return np.asarray(np.square(lam / (self.spectrum + lam)) @ self.parts)

    def steps(self, start: float, n_steps: int) -> Array:
        """Return the training errors (n_steps + 1,) of the iteration: ``start``, then the result of every step."""
        iterates = [_checks.number("start", start, low=0)]
        for _ in range(_checks.integer("n_steps", n_steps, low=0)):
            iterates.append(float(self.error(iterates[-1])))
        return np.array(iterates)
