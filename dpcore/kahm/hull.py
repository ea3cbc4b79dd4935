"""Kernel affine hull machines (KAHM): a data set as the image of a kernel map into its affine hull.

The paper is Kumar, Moser and Fischer, "On Mitigating the Utility-Loss in Differentially Private Learning"
(arXiv 2304.01300). Encoding, kernel, map and fixed point follow the code published by its first author;
the proofs of the fixed point and of the bound, and the numerical methods, are our own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.kahm._fused import largest, row_distances
from dpcore.kahm.ridge import Ridge, fixed_point

__all__ = ["KAHM", "Encoding", "encode", "kernel", "records"]

Array = NDArray[np.float64]
_SMALLEST_RANGE = 1e-3  # of an encoded coordinate, in units of the data: as the author's code
_CELLS = 2**20  # kernel values held at once while predicting: they stay in the cache


@dataclass(frozen=True)
class Encoding:
    """Whitening by principal axes: z = (y - ``mean``) @ ``axes``.

    ``mean`` is (p,) and ``axes`` (p, n), for p features and n directions; n is 0 if all records coincide.
    """

    mean: Array
    axes: Array

    def scores(self, Y: Array) -> Array:
        """Return the whitened scores (M, n) of records Y (M, p)."""
        return (Y - self.mean) @ self.axes


def encode(Y: ArrayLike, n_components: int) -> Encoding:
    """Return the encoding of records by their n leading principal axes, scaled to unit variance.

    Let z and z' be the encodings (whitened scores) of two records x and x', and θ the covariance of all records. Then
    ‖z - z'‖² equals (x - x')ᵀ θ⁻¹ (x - x'), and no inverse matrix is needed.

    n is at most min(n_components, p, N - 1). Axes without variance are left out. The first axis along which the
    records range over less than 0.001 is left out, and so are all axes after it. This follows the code by the first
    author of the paper (see `KAHM`).

    Parameters
    ----------
    Y : array-like (N, p)
        Records, best scaled to [0, 1].
    n_components : int
        Largest number n of axes, ≥ 1.

    Returns
    -------
    Encoding

    Raises
    ------
    ValueError
        When ``n_components`` is not a whole number ≥ 1, or a value is beyond ±1e100.

    Examples
    --------
    >>> corners = np.array([[0, 0], [1, 0], [0, 2], [1, 2.0]])
    >>> encode(corners, 5).scores(corners).std(0, ddof=1).round(9).tolist()
    [1.0, 1.0]
    """
    Y = records("Y", Y)
    if np.abs(Y).max() > 1e100:
        raise ValueError("Y beyond ±1e100 is not allowed: scale features to [0, 1] first.")
    N, p = Y.shape
    n = min(_checks.integer("n_components", n_components, low=1), p, N - 1)
    mean = Y.mean(0)
    D = Y - mean
    if n == 0:
        return Encoding(mean, np.zeros((p, 0)))
    gram = (D.T @ D if p <= N else D @ D.T) / (N - 1)
    values, vectors = largest(gram, n)
    keep = values > 1e-12 * max(values[0], 0.0)
    values, vectors = values[keep], vectors[:, keep]
    axes = vectors if p <= N else (D.T @ vectors) / np.sqrt(values * (N - 1))
    short = np.ptp(D @ axes, axis=0) < _SMALLEST_RANGE
    n = int(short.argmax()) if short.any() else len(values)
    return Encoding(mean, axes[:, :n] / np.sqrt(values[:n]))


def kernel(Z: ArrayLike) -> Array:
    """Return the kernel matrix K_ij = exp(-‖z_i - z_j‖²/(2n)) of whitened scores z_i with n entries.

    Parameters
    ----------
    Z : array-like (N, n)
        Whitened scores; n = 0 gives ones.

    Returns
    -------
    ndarray (N, N)
        Symmetric, in [0, 1], exactly 1 on the diagonal.
    """
    Z = np.asarray(Z, float)
    # Scaling first leaves one product, whose symmetric kernel makes K exactly symmetric.
    S = Z / math.sqrt(max(Z.shape[1], 1))
    half = 0.5 * np.square(S).sum(1)
    K = S @ S.T
    K -= np.add.outer(half, half)
    np.minimum(K, 0.0, out=K)
    np.exp(K, out=K)
    np.fill_diagonal(K, 1.0)
    return K


def records(name: str, values: ArrayLike) -> Array:
    """Return records as a finite array (N, p) with N, p ≥ 1, or raise a ValueError."""
    rows = np.asarray(values, float)
    if rows.ndim != 2 or not rows.size or not np.isfinite(rows).all():
        raise ValueError(
            f"{name} of shape {rows.shape} is not allowed: give finite numbers as (records, features)."
        )
    return rows


class KAHM:
    """One kernel affine hull machine: A(y) = Σ_i h_i(Py) y_i / Σ_i h_i(Py).

    The y_i are N records, the rows of Y, and P is their encoding. K is the kernel matrix of the encoded records,
    k_X(x) (N,) are the kernels between them and an encoded point x, and h(x) = (K + λI)⁻¹ k_X(x). So A(y) = kC/kα
    with k = k_X(Py), C = (K + λI)⁻¹Y and α = (K + λI)⁻¹1.

    - A depends on the scale of the data: their mean square M₀ sets λ, while K has no scale. So scale features to [0,
      1] first.
    - A is bounded near the data. If all α_i > 0, it is bounded everywhere (`bound`). The paper claims that A is
      always bounded everywhere. This does not hold for every λ above the training error.
    - There is no privacy, because the model contains the records.

    Parameters
    ----------
    n_components : int
        Largest dimension n ≥ 1 of the encoding; 10 to 20 suits pictures.
    tau_factor : float
        Ratio τ/M₀, above 8/27. λ is the training error plus τ. The code of the paper's first author uses 2. Larger
        values smooth more.
    tol : float
        Relative precision of λ.

    Attributes
    ----------
    lam_ : float
        Regularisation λ. If all records coincide, it is τ, and no result depends on it.
    encoding_ : Encoding
        The encoding P.
    scores_ : ndarray (N, n)
        Whitened scores of the records.
    C_, alpha_ : ndarray (N, p), (N,)
        The matrices C and α. If all records coincide, they have one row, and A is the mean of the records.

    See Also
    --------
    WideDeepKAHM, KAHMClassifier

    References
    ----------
    M. Kumar, B. A. Moser and L. Fischer, "On mitigating the utility-loss in differentially private
    learning", arXiv:2304.01300.

    Examples
    --------
    >>> Y = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 0.25]])
    >>> KAHM(2).fit(Y).distance([[0.5, 0.5]]).round(5).tolist()
    [0.0313]
    """

    lam_: float
    encoding_: Encoding
    scores_: Array
    C_: Array
    alpha_: Array

    def __init__(
        self, n_components: int = 20, *, tau_factor: float = 2.0, tol: float = 1e-6
    ) -> None:
        self.n_components = n_components
        self.tau_factor = tau_factor
        self.tol = tol

    def fit(self, Y: ArrayLike) -> Self:
        """Fit the machine to N records Y (N, p)."""
        self.fit_ridge(records("Y", Y))
        return self

    def fit_ridge(self, Y: Array) -> Ridge | None:
        """Fit the machine to records Y (N, p); return its ridge regression.

        The ridge regression is None if all records coincide.
        """
        self.encoding_ = encode(Y, self.n_components)
        self.scores_ = self.encoding_.scores(Y)
        if not self.scores_.shape[1]:
            self.lam_ = self.tau_factor * float(np.square(Y).mean())
            self.scores_ = np.zeros((1, 0))
            self.C_, self.alpha_ = self.encoding_.mean[None], np.ones(1)
            return None
        ridge = fixed_point(kernel(self.scores_), Y, tau_factor=self.tau_factor, tol=self.tol)
        self.lam_, self.C_, self.alpha_ = ridge.lam, ridge.C, ridge.alpha
        return ridge

    def transform(self, Y: ArrayLike) -> Array:
        """Return the images A(y) (M, p) of M points Y (M, p)."""
        Y = np.asarray(Y, float)
        return np.concatenate([self._image(Y[part]) for part in self._parts(len(Y))])

    def distance(self, Y: ArrayLike) -> Array:
        """Return the distances Γ(y) = ‖y - A(y)‖₂ (M,) between M points Y (M, p) and their images."""
        Y = np.asarray(Y, float)
        parts = (Y[part] for part in self._parts(len(Y)))
        return np.concatenate([row_distances(self._image(part), part) for part in parts])

    def weights(self, Y: ArrayLike) -> Array:
        """Return the affine weights w_i(y) (M, N) of the N records at M points Y (M, p); each row sums to 1."""
        k = self._kernel_rows(np.asarray(Y, float))
        if not self.scores_.shape[1]:
            return k
        shifted = kernel(self.scores_) + self.lam_ * np.eye(len(self.scores_))
        return np.linalg.solve(shifted, k.T).T / self._denominator(k)[:, None]

    def bound(self) -> float:
        """Return a bound on the norm of the image A(y) that holds for all points y.

        The bound is max_i ‖C_i/α_i‖ if all α_i > 0, else inf. C_i are the rows of ``C_``, and α_i the entries of
        ``alpha_``.
        """
        if not (self.alpha_ > 0).all():
            return math.inf
        return float((np.linalg.norm(self.C_, axis=1) / self.alpha_).max())

    def _parts(self, n_queries: int) -> list[slice]:
        size = max(64, min(4096, _CELLS // len(self.scores_)))
        return [slice(a, a + size) for a in range(0, max(n_queries, 1), size)]

    def _kernel_rows(self, Y: Array) -> Array:
        """Return the kernels (M, N) between M points Y (M, p) and the N records, with each row scaled to maximum 1.

        The scaling prevents underflow far from the records. It cancels in the image A(y) = kC/kα of a point y.
        """
        Z = self.scores_
        n = max(Z.shape[1], 1)
        k = self.encoding_.scores(Y) @ (Z.T / n)
        k -= np.square(Z).sum(1) / (2 * n)
        k -= k.max(1, keepdims=True)
        return cast(Array, np.exp(k, out=k))

    def _denominator(self, k: Array) -> Array:
        den, least = k @ self.alpha_, 1e-8 * (k @ np.abs(self.alpha_))
        return np.where(np.abs(den) < least, np.copysign(least, den), den)

    def _image(self, Y: Array) -> Array:
        k = self._kernel_rows(Y)
        image = k @ self.C_
        image /= self._denominator(k)[:, None]
        return image
