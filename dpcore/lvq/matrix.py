"""Gradients of GMLVQ in closed form.

The norm of a gradient over prototypes and matrix is computed without a d × d matrix. Distances are
d(x, w) = |Ω (x - w)|², Λ = ΩᵀΩ (Schneider, Biehl and Hammer 2009). A sample x has the cost μ = (d⁺ - d⁻)/(d⁺ + d⁻),
where ⁺ and ⁻ mark the closest prototypes of its class and of another class. Let u = x - w, p = Ω u, S = d⁺ + d⁻,
a = 2 d⁻/S² and b = 2 d⁺/S². The gradient g of μ is:

- ∂μ/∂w⁺ = -2a Ωᵀp⁺ and ∂μ/∂w⁻ = 2b Ωᵀp⁻
- ∂μ/∂Ω = 2 (a p⁺u⁺ᵀ - b p⁻u⁻ᵀ)
- |g|² = 4 [a²(|Ωᵀp⁺|² + d⁺|u⁺|²) + b²(|Ωᵀp⁻|² + d⁻|u⁻|²) - 2ab (p⁺·p⁻)(u⁺·u⁻)]
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._types import AnyArray, Floats
from dpcore.lvq._matrix_pairs import Pairs, clipped_sums
from dpcore.lvq.contributions import MATRIX_LIMIT, TINY, inside

__all__ = [
    "clipped_sum",
    "clipped_sums",
    "cost_and_gradient",
    "error_rates",
    "gradient_norms",
    "predict",
    "start",
]


def start(n_features: int, rank: int | None = None) -> NDArray[np.float64]:
    """Return an initial matrix Ω that does not depend on data: the identity, or fixed directions.

    If l < d, the l rows of Ω are orthonormal directions times √(d/l), the same in every call. The average squared
    distance over all directions is then the same as with the identity.

    Parameters
    ----------
    n_features : int
        Number d ≥ 1 of features.
    rank : int or None
        Number l of rows, from 1 to d; None is d.

    Returns
    -------
    ndarray (l, d)
        The initial Ω.

    Raises
    ------
    ValueError
        When ``rank`` is outside its range.

    Examples
    --------
    >>> start(2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    d = _checks.integer("n_features", n_features, low=1)
    rows = d if rank is None else _checks.integer("rank", rank, low=1, high=d)
    if rows == d:
        return np.eye(d)
    turn, upper = np.linalg.qr(np.random.default_rng(0).standard_normal((d, rows)))
    return cast(Floats, np.sqrt(d / rows) * (turn * np.sign(np.diag(upper))).T)


def clipped_sum(
    X: ArrayLike,
    y: ArrayLike,
    W: ArrayLike,
    Omega: ArrayLike,
    labels: ArrayLike,
    clip_norm: float = np.inf,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return Σ_i clip_C(g_i) over samples i, with the joint gradient g_i for prototypes and matrix.

    g_i is the gradient of the cost μ_i. Adding or removing one sample changes both sums, taken as one vector, by at
    most C in the L2 norm.

    Parameters
    ----------
    X : array (n, d)
        Samples, float32 or float64 (which decides the precision).
    y : array (n,)
        Class index of each sample.
    W : array (P, d)
        Prototypes.
    Omega : array (l, d)
        The matrix Ω.
    labels : array (P,)
        Class index of each prototype; at least two classes.
    clip_norm : float
        C > 0; inf does not clip.

    Returns
    -------
    ndarray (P, d), ndarray (l, d)
        Sums of the gradients with respect to the prototypes and to Ω, in the precision of ``X``.

    Examples
    --------
    >>> slope, turn = clipped_sum([[0.0, 1.0]], [0], [[0.0, 0.0], [0.0, 3.0]], np.eye(2), [0, 1])
    >>> slope[:, 1].round(2).tolist()
    [-0.64, -0.32]
    """
    records, first, turn = inside(X), inside(W), inside(Omega, MATRIX_LIMIT)
    sums = clipped_sums(records, np.asarray(y), first, turn, np.asarray(labels), clip_norm)
    return sums[0].astype(records.dtype), sums[1].astype(records.dtype)


def gradient_norms(
    X: ArrayLike, y: ArrayLike, W: ArrayLike, Omega: ArrayLike, labels: ArrayLike
) -> NDArray[Any]:
    """Return the norms of the samples' joint gradients with respect to prototypes and matrix.

    Parameters
    ----------
    X : array (n, d)
        Samples.
    y : array (n,)
        Class index of each sample.
    W : array (P, d)
        Prototypes.
    Omega : array (l, d)
        The matrix Ω.
    labels : array (P,)
        Class index of each prototype.

    Returns
    -------
    ndarray (n,)
        Norms, computed from the scalar products of u, p and Ωᵀp (defined at the top of `matrix`). They include a
        small margin that covers rounding errors.
    """
    X, y, W, Omega, labels = (np.asarray(a) for a in (X, y, W, Omega, labels))
    return Pairs(X, y, W, Omega, labels).norms()[0]


def cost_and_gradient(
    X: NDArray[Any], y: NDArray[Any], W: NDArray[Any], Omega: NDArray[Any], labels: NDArray[Any]
) -> tuple[float, NDArray[Any], NDArray[Any]]:
    """Return the cost Σ_i μ_i on samples X (n, d), and its gradients for prototypes W (P, d) and matrix Ω (l, d).

    The gradients are ∂W = -2 R Λ and ∂Ω = 2 [Yᵀ diag(m) X - YᵀM W - Vᵀ R], with Λ = ΩᵀΩ, Y = XΩᵀ, V = WΩᵀ, R = MᵀX -
    diag(Mᵀ1) W and m = M 1. Row i of M (n, P) has two entries that are not 0: a = 2 d⁻/S² for the closest prototype
    of sample i's class, and -b = -2 d⁺/S² for the closest prototype of another class. d⁺ and d⁻ are the squared
    distances to these two, and S = d⁺ + d⁻.
    """
    Y, V = X @ Omega.T, W @ Omega.T
    D = np.maximum(np.square(Y).sum(1)[:, None] + np.square(V).sum(1) - 2 * (Y @ V.T), 0)
    own = y[:, None] == labels
    rows = np.arange(len(X))
    plus, minus = (np.where(mine, D, np.inf).argmin(1) for mine in (own, ~own))
    near, other = D[rows, plus], D[rows, minus]
    total = np.maximum(near + other, TINY)
    M = np.zeros_like(D)
    M[rows, plus] = 2 * other / total**2
    M[rows, minus] = -2 * near / total**2
    R = M.T @ X - M.sum(0)[:, None] * W
    turn = Y.T @ (M.sum(1)[:, None] * X) - (Y.T @ M) @ W - V.T @ R
    return float(((near - other) / total).sum()), -2 * (R @ Omega.T) @ Omega, 2 * turn


def predict(X: ArrayLike, W: ArrayLike, Omega: ArrayLike, labels: ArrayLike) -> NDArray[Any]:
    """Return the class (n,) of the closest prototype to each sample X (n, d) under the matrix Ω (l, d).

    ``W`` (P, d) are P prototypes, ``labels`` (P,) their classes.
    """
    X, W, Omega, labels = (np.asarray(a) for a in (X, W, Omega, labels))
    return _closest(X, W, Omega, labels)


def error_rates(
    X: ArrayLike, y: ArrayLike, W: ArrayLike, Omega: ArrayLike, labels: ArrayLike
) -> NDArray[np.float64]:
    """Return the fraction of misclassified samples for every model.

    Parameters
    ----------
    X : array (n, d)
        Samples.
    y : array (n,)
        Class index of each sample.
    W : array (..., P, d)
        Sets of prototypes.
    Omega : array (..., l, d)
        Matrix Ω of each set.
    labels : array (P,)
        Class index of each prototype.

    Returns
    -------
    ndarray (...)
        Error rates in [0, 1].
    """
    X, y, W, Omega, labels = (np.asarray(a) for a in (X, y, W, Omega, labels))
    sets, turns = W.reshape(-1, *W.shape[-2:]), Omega.reshape(-1, *Omega.shape[-2:])
    wrong = [(_closest(X, w, o, labels) != y).mean() for w, o in zip(sets, turns, strict=True)]
    return np.array(wrong).reshape(W.shape[:-2])


def _closest(
    X: NDArray[Any], W: NDArray[Any], Omega: NDArray[Any], labels: NDArray[Any]
) -> NDArray[Any]:
    # |Ωx - v|² up to a term of x alone is |v|² - 2 x·(Ωᵀv): no image of the samples is needed.
    V = W @ Omega.T
    return cast(AnyArray, labels[(X @ (V @ Omega).T - 0.5 * np.square(V).sum(1)).argmax(1)])
