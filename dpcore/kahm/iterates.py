"""The fixed point of λ as the paper looks for it: one training error after another, and how fast it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks

__all__ = ["Iteration"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Iteration:
    """The iteration e ← R(e + τ) for one kernel matrix and its records.

    R(λ) = Σ_k c_k (λ/(s_k + λ))² with K = U diag(s) Uᵀ, c_k = ‖u_kᵀY‖²/pN. Unlike
    `dpcore.kahm.ridge.fixed_point`, which takes short cuts, this is what the paper's introduction
    announces; the form is its author's code's.

    Parameters
    ----------
    spectrum : ndarray (N,)
        s, the eigenvalues of K, ≥ 0.
    parts : ndarray (N,)
        c, which sum to M₀.
    tau : float
        τ > 0.

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
        """Return the iteration of a kernel matrix (N, N) and records (N, p).

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
        """M₀, which no training error reaches."""
        return float(self.parts.sum())

    @property
    def rate(self) -> float:
        """The share of the distance to the fixed point that a step leaves at most: 8 M₀/27τ, 4/27 at τ = 2M₀."""
        return 8 * self.mean_square / (27 * self.tau)

    def error(self, e: ArrayLike) -> Array:
        """Return R(e + τ) of training errors e ≥ 0 of any shape, in the same shape."""
        lam = np.asarray(e, float)[..., None] + self.tau
        return np.asarray(np.square(lam / (self.spectrum + lam)) @ self.parts)

    def steps(self, start: float, n_steps: int) -> Array:
        """Return start and what follows, (n_steps + 1,)."""
        found = [_checks.number("start", start, low=0)]
        for _ in range(_checks.integer("n_steps", n_steps, low=0)):
            found.append(float(self.error(found[-1])))
        return np.array(found)
