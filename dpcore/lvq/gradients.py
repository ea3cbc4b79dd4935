"""Gradients of GLVQ in closed form: norms, clipped sums and predictions.

d⁺ and d⁻ are a sample's squared distances to the closest prototypes w⁺ of its class and w⁻ of another class. S is
d⁺ + d⁻, and μ = (d⁺ - d⁻)/S is the cost of the sample (Sato and Yamada 1995, identity Φ). The gradient g of μ is:

- ∂μ/∂w⁺ = -4 d⁻/S² (x - w⁺) and ∂μ/∂w⁻ = +4 d⁺/S² (x - w⁻)
- |g|² = 16 d⁺ d⁻ / S³ ≤ 4/S
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._types import AnyArray, Floats
from dpcore.lvq.contributions import TINY, inside, slack

__all__ = [
    "clipped_sum",
    "coefficients",
    "cost",
    "error_rates",
    "gradient_norms",
    "predict",
    "squared_distances",
    "winners",
]

_CHUNK = 4_000_000  # distances in memory at once in `error_rates`


def squared_distances(X: NDArray[Any], W: NDArray[Any]) -> NDArray[Any]:
    """Return the squared distances |x_i - w_p|² (..., n, P) of samples X (n, d) to P prototypes W (..., P, d)."""
    square = np.square(X).sum(-1)[:, None] + np.square(W).sum(-1)[..., None, :]
    return cast(AnyArray, np.maximum(square - 2 * (X @ np.swapaxes(W, -1, -2)), 0))


def winners(
    D: NDArray[Any], y: NDArray[Any], labels: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the indices of two prototypes for every sample, and the squared distances to them.

    The two are the closest prototype of the sample's class and the closest prototype of another class. The four
    arrays are (..., n). They are found from the squared distances D (..., n, P) of n samples to P prototypes.
    """
    own = y[:, None] == labels
    near, other = np.where(own, D, np.inf), np.where(own, np.inf, D)
    plus, minus = near.argmin(-1), other.argmin(-1)
    take = np.take_along_axis
    return (
        plus,
        minus,
        take(near, plus[..., None], -1)[..., 0],
        take(other, minus[..., None], -1)[..., 0],
    )


def coefficients(
    D: NDArray[Any], y: NDArray[Any], labels: NDArray[Any], clip_norm: ArrayLike
) -> NDArray[Any]:
    """Return weights M such that the sum of all clipped gradients is Σ clip(g_i) = Mᵀ X - diag(Mᵀ 1) W.

    Row i of M has the weights of sample x_i for all prototypes w_p. The equation holds up to rounding, so Mᵀ X -
    diag(Mᵀ 1) W may exceed the clip norm slightly. `contributions` explains how training respects the clip norm
    exactly.

    Parameters
    ----------
    D : ndarray (..., n, P)
        Squared distances.
    y : ndarray (n,)
        Class index of each sample.
    labels : ndarray (P,)
        Class index of each prototype; at least two classes.
    clip_norm : float or array broadcastable to (..., n)
        C > 0, inf for no clipping.

    Returns
    -------
    ndarray (..., n, P)
        The weights M. Each sample has two weights that are not 0: for the closest prototype of its class and for the
        closest prototype of another class.
    """
    plus, minus, near, other = winners(D, y, labels)
    total = near + other
    far = (total > TINY) & np.isfinite(total)
    safe = np.where(far, total, 1)
    a, b = other / safe, near / safe
    length = np.sqrt(np.maximum(a * a * near + b * b * other, 1e-30))
    most = np.minimum(clip_norm, D.dtype.type(1e20))
    force = np.where(far, np.minimum(4 / safe, most / np.maximum(length, 1e-15)), 0)
    M = np.zeros_like(D)
    np.put_along_axis(M, plus[..., None], np.where(far, -force * a, 0)[..., None], -1)
    np.put_along_axis(M, minus[..., None], np.where(far, force * b, 0)[..., None], -1)
    return M


def clipped_sum(
    X: ArrayLike, y: ArrayLike, *, W: ArrayLike, labels: ArrayLike, clip_norm: float = np.inf
) -> NDArray[Any]:
    """Return Σ_i clip_C(∂μ_i/∂W), the sum of the clipped per-sample gradients of GLVQ's cost.

    Adding or removing one sample changes the sum by at most C in the L2 norm.

    Parameters
    ----------
    X : array (n, d)
        Samples, float32 or float64 (which decides the precision).
    y : array (n,)
        Class index of each sample.
    W : array (P, d)
        Prototypes.
    labels : array (P,)
        Class index of each prototype.
    clip_norm : float
        C > 0; inf does not clip.

    Returns
    -------
    ndarray (P, d)
        The sum, in the precision of ``X``.

    See Also
    --------
    gradient_norms, dpcore.sensitivity.clipped_sum

    References
    ----------
    J. Brinkrolf, K. Berger and B. Hammer, "Differential private relevance learning", ESANN, 2018.
    """
    gaps = inside(X)[:, None] - inside(W)
    shrink = 1 - 2 * slack(gaps.shape[-1], gaps.dtype)
    D = np.square(gaps).sum(-1)
    M = coefficients(D, np.asarray(y), np.asarray(labels), clip_norm * shrink)
    return cast(AnyArray, np.einsum("np,npd->pd", M, gaps))


def gradient_norms(
    X: ArrayLike, y: ArrayLike, *, W: ArrayLike, labels: ArrayLike
) -> NDArray[np.float64]:
    """Return the norm of each sample's gradient, |g_i| = 4 √(d⁺ d⁻ / S³).

    Parameters
    ----------
    X : array (n, d)
        Samples.
    y : array (n,)
        Class index of each sample.
    W : array (P, d)
        Prototypes.
    labels : array (P,)
        Class index of each prototype.

    Returns
    -------
    ndarray (n,)
        Norms of at most 2/√S with S = d⁺ + d⁻. Clipping at C can therefore affect only samples with S < 4/C².

    See Also
    --------
    clipped_sum

    References
    ----------
    J. Brinkrolf, K. Berger and B. Hammer, "Differential private relevance learning", ESANN, 2018.
    A. Sato and K. Yamada, "Generalized learning vector quantization", Advances in Neural
    Information Processing Systems 8, 1995.
    """
    X, y, W, labels = (np.asarray(a) for a in (X, y, W, labels))
    _, _, near, other = winners(squared_distances(X, W), y, labels)
    total = np.maximum(near + other, 1e-20)
    return cast(Floats, 4 * np.sqrt(near * other / total) / total)


def cost(X: NDArray[Any], y: NDArray[Any], W: NDArray[Any], labels: NDArray[Any]) -> float:
    """Return GLVQ's cost Σ_i μ_i of P prototypes W (P, d) on samples X (n, d)."""
    _, _, near, other = winners(squared_distances(X, W), y, labels)
    return float(((near - other) / np.maximum(near + other, 1e-20)).sum())


def predict(X: ArrayLike, W: ArrayLike, *, labels: ArrayLike) -> NDArray[Any]:
    """Return the class (..., n) of the closest of P prototypes W (..., P, d) to each sample X (n, d).

    ``labels`` (P,) are the classes of the prototypes.

    See Also
    --------
    error_rates
    """
    X, W = np.asarray(X), np.asarray(W)
    half = 0.5 * np.square(W).sum(-1)[..., None, :] - X @ np.swapaxes(W, -1, -2)
    return cast(AnyArray, np.asarray(labels)[half.argmin(-1)])


def error_rates(
    X: ArrayLike, y: ArrayLike, *, W: ArrayLike, labels: ArrayLike
) -> NDArray[np.float64]:
    """Return the fraction of misclassified samples for every set of prototypes.

    Parameters
    ----------
    X : array (n, d)
        Samples.
    y : array (n,)
        Class index of each sample.
    W : array (..., P, d)
        Sets of prototypes.
    labels : array (P,)
        Class index of each prototype.

    Returns
    -------
    ndarray (...)
        Error rates in [0, 1].

    See Also
    --------
    predict
    """
    X, y, W, labels = (np.asarray(a) for a in (X, y, W, labels))
    sets = W.reshape(-1, *W.shape[-2:])
    n_at_once = max(1, _CHUNK // (len(X) * sets.shape[1]))
    wrong = [
        (_nearest(X, sets[i : i + n_at_once], labels) != y).mean(-1)
        for i in range(0, len(sets), n_at_once)
    ]
    return np.concatenate(wrong).reshape(W.shape[:-2])


def _nearest(X: NDArray[Any], sets: NDArray[Any], labels: NDArray[Any]) -> NDArray[Any]:
    # One product (sets x P, d) @ (d, n) instead of many small ones.
    n_sets, n_prototypes, n_features = sets.shape
    flat = sets.reshape(-1, n_features)
    half = 0.5 * np.square(flat).sum(-1)[:, None] - flat @ X.T
    half = half.reshape(n_sets, n_prototypes, -1)
    best, indices = half[:, 0].copy(), np.zeros(half[:, 0].shape, np.int16)
    for p in range(1, n_prototypes):  # a running minimum: argmin along a middle axis is slow
        np.copyto(indices, p, where=half[:, p] < best)
        np.minimum(best, half[:, p], out=best)
    return labels[indices]
