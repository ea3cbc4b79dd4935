"""Batched kernel affine hull machines for data sets with fewer records than features.

`dpcore.kahm.batched` is for more records than features. Here axes and distances are computed from inner products of
records and queries, and no image is computed. The regularisation λ is computed from the eigenvalues of the kernel
matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore.kahm.hull import KAHM, Encoding
from dpcore.kahm.ridge import Ridge
from dpcore.kahm.wide import HullOptions

__all__ = ["SmallBatch", "fit_small_batch", "kernels"]

Array = NDArray[np.float64]
_CELLS = 2**18  # kernel values of queries held at once: two megabytes


@dataclass(frozen=True)
class SmallBatch:
    """Batch of kernel affine hull machines for B data sets of N records with p features, N < p.

    - ``means`` (B, p), ``axes`` (B, p, n) and ``scores`` (B, N, n) are the encodings, of dimension n.
    - ``lam`` (B,), ``C`` (B, N, p) and ``alpha`` (B, N) are the results of the ridge regressions.
    - ``values`` (B, N) and ``vectors`` (B, N, N) are the eigenvalues and eigenvectors of the kernel matrices.
    """

    means: Array
    axes: Array
    scores: Array
    lam: Array
    C: Array
    alpha: Array
    values: Array
    vectors: Array

    def solve(self, A: Array) -> Array:
        """Return (K + λI)⁻¹ A (B, N, k) for A (B, N, k) and the kernel matrices K of B data sets."""
        inside = self.vectors.transpose(0, 2, 1) @ A
        inside /= (self.values + self.lam[:, None])[:, :, None]
        return self.vectors @ inside

    def repeated(self, operator: str) -> Callable[[Array], Array]:
        """Return a function for one smoothing round on B data sets, (B, N, p) -> (B, N, p).

        ``operator`` is "fixed" or "centred", see `dpcore.kahm.smooth`.
        """
        lam = self.lam[:, None, None]
        if operator == "centred":
            mean = self.means[:, None]
            return lambda A: A - lam * self.solve(A - mean)
        total = 1 - self.lam[:, None] * self.alpha
        total = np.copysign(np.maximum(np.abs(total), 1e-8), total)[:, :, None]
        return lambda A: (A - lam * self.solve(A)) / total

    def one(self, b: int, machine: KAHM) -> tuple[KAHM, Ridge]:
        """Copy the fit of data set ``b`` into ``machine``; return the machine and its ridge regression."""
        machine.encoding_ = Encoding(self.means[b], self.axes[b])
        machine.scores_, machine.lam_ = self.scores[b], float(self.lam[b])
        machine.C_, machine.alpha_ = self.C[b], self.alpha[b]
        values, vectors, lam = self.values[b], self.vectors[b], machine.lam_

        def solve(A: Array) -> Array:
            return cast(Array, vectors @ ((vectors.T @ A) / (values + lam)[:, None]))

        return machine, Ridge(lam, machine.C_, machine.alpha_, 1, solve)

    def distances(self, Y: Array) -> Array:
        """Return the distances Γ (B, M) of M queries Y (M, p) to the B machines.

        The image of a query y is Σ w_i C_i with weights w that depend on y. So Γ² = ‖y - Σ w_i C_i‖² = ‖y‖² - 2 Σ w_i
        y·C_i + ΣΣ w_i w_j C_i·C_j.
        """
        B, N, _ = self.C.shape
        rows = max(1, _CELLS // (B * N))
        parts = [self._distances(Y[at : at + rows]) for at in range(0, len(Y), rows)]
        return np.concatenate(parts, axis=1)

    def _distances(self, Y: Array) -> Array:
        n = self.scores.shape[2]
        ahead = self.axes @ (self.scores.transpose(0, 2, 1) / n)  # (B, p, N)
        offset = (self.means[:, None] @ ahead)[:, 0] + np.square(self.scores).sum(2) / (2 * n)
        k = Y @ ahead
        k -= offset[:, None]
        k -= k.max(2, keepdims=True)  # as in `KAHM`: A is invariant to a factor of a row
        np.exp(k, out=k)
        below, least = ((k @ a[:, :, None])[..., 0] for a in (self.alpha, np.abs(self.alpha)))
        least *= 1e-8
        below = np.where(np.abs(below) < least, np.copysign(least, below), below)
        products = k @ (self.C @ self.C.transpose(0, 2, 1))
        products /= below[:, :, None]
        products -= 2 * (Y @ self.C.transpose(0, 2, 1))
        squared = np.einsum("bmn,bmn->bm", k, products)
        squared /= below
        squared += np.square(Y).sum(1)
        return cast(Array, np.sqrt(np.maximum(squared, 0.0)))


def fit_small_batch(Y: Array, options: HullOptions, layer: int = 0) -> SmallBatch | None:
    """Fit one machine to each of B data sets in Y (B, N, p), N < p; return None if a batch is not possible.

    ``layer``, counted from 0, is the layer of deep machines for which the machines are fitted. The result equals the
    result of `KAHM.fit_ridge` on every data set, up to rounding. A batch is possible if N ≥ 2 and if all data sets
    vary in as many directions as the encoding has axes.
    """
    _, N, p = Y.shape
    machine = options.machine(layer)
    n = min(machine.n_components, N - 1)
    if n < 1 or p <= N:
        return None
    means = Y.mean(1)
    encoded = _encoded(Y - means[:, None], n)
    if encoded is None:
        return None
    axes, scores = encoded
    lam, values, vectors, turned = _own_lambda(kernels(scores), Y, options)
    share = (1 / (values + lam[:, None]))[:, :, None]
    C = vectors @ (turned * share)
    alpha = (vectors @ (vectors.sum(1)[:, :, None] * share))[..., 0]
    return SmallBatch(means, axes, scores, lam, C, alpha, values, vectors)


def _encoded(D: Array, n: int) -> tuple[Array, Array] | None:
    """Return whitening axes (B, p, n) and whitened scores (B, N, n) of B centred data sets D (B, N, p).

    They are computed from the inner products of records. The result is None if some data set varies in fewer than n
    directions.
    """
    gram = D @ D.transpose(0, 2, 1) / (D.shape[1] - 1)
    values, vectors = np.linalg.eigh(gram)
    values, vectors = values[:, ::-1][:, :n], vectors[:, :, ::-1][:, :, :n]
    if not (values > 1e-12 * np.maximum(values[:, :1], 0.0)).all():
        return None
    axes = (D.transpose(0, 2, 1) @ vectors) / np.sqrt(values * (D.shape[1] - 1))[:, None]
    plain = D @ axes
    if (np.ptp(plain, axis=1) < 1e-3).any():  # an axis that `encode` leaves out
        return None
    scale = np.sqrt(values)[:, None]
    return axes / scale, plain / scale


def kernels(Z: Array) -> Array:
    """Return the kernel matrices (B, N, N) of whitened scores Z (B, N, n), see `dpcore.kahm.hull.kernel`."""
    S = Z / np.sqrt(Z.shape[2])
    half = 0.5 * np.square(S).sum(2)
    K: Array = S @ S.transpose(0, 2, 1)
    K -= half[:, :, None]
    K -= half[:, None, :]
    np.minimum(K, 0.0, out=K)
    np.exp(K, out=K)
    rows = np.arange(K.shape[1])
    K[:, rows, rows] = 1.0
    return K


def _own_lambda(K: Array, Y: Array, options: HullOptions) -> tuple[Array, Array, Array, Array]:
    """Return λ (B,), eigenvalues (B, N) and eigenvectors (B, N, N) of K, and Y in the eigenbasis (B, N, p).

    K (B, N, N) are the kernel matrices of the data sets Y (B, N, p).
    """
    values, vectors = np.linalg.eigh(K)
    values = np.maximum(values, 0.0)
    turned = vectors.transpose(0, 2, 1) @ Y
    share = np.square(turned).sum(2) / (Y.shape[1] * Y.shape[2])
    tau = options.tau_factor * np.square(Y).mean((1, 2))
    lam, near = tau, max(1e-3 * options.tol, 1e-15)
    for _ in range(100):
        error = (share * np.square(lam[:, None] / (values + lam[:, None]))).sum(1)
        away = np.abs(error + tau - lam) > near * lam
        if not away.any():
            break
        lam = np.where(away, tau + error, lam)
    return lam, values, vectors, turned
