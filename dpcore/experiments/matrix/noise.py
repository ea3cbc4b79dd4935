"""The paper's experiment of noise on the finished relevance matrix: how touchy is it?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.matrix.params import TOUCH_GRID
from dpcore.experiments.matrix.problem import MatrixProblem

__all__ = ["N_TOUCHES", "PAPER_NOISE", "matrix_noise"]

N_TOUCHES = 20
PAPER_NOISE = {"MNIST": (0.1484, 0.0277, 0.001, 0.0288, 0.0055),
               "Motion": (0.0897, 0.0234, 0.0085, 0.0192, 0.0044)}  # fmt: skip
"""Error without noise, increase and its deviation as printed (section 4); then ours: PCA(30) and
min-max as for Table 1, one fold, 6 draws, deviation 0.025 on the elements of Ω at trace Λ = 1."""


def matrix_noise(
    problem: MatrixProblem,
    W: NDArray[np.floating],
    Omega: NDArray[np.floating],
    *,
    n_draws: int = N_TOUCHES,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Return the test error after Gaussian noise on every element of Ω, and of Λ.

    The matrix is scaled to trace Λ = 1 first, as GMLVQ's papers do, so that a deviation means the
    same for every model. With noise on Λ, (x - w)ᵀ(Λ + N)(x - w) may turn negative; the closest
    prototype is still the smallest. The draws are the same at all deviations, only scaled.

    Parameters
    ----------
    problem : MatrixProblem
        The data; at most 4000 of its test records are asked.
    W : ndarray (P, d)
        Prototypes.
    Omega : ndarray (l, d)
        The matrix before the noise.
    n_draws : int
        D.
    seed : int
        Of the noise.

    Returns
    -------
    ndarray (2, V, D)
        Noise on Ω, then on Λ; over ``TOUCH_GRID``.
    """
    X, y = problem.X_test[:4000].astype(float), problem.dataset.y_test[:4000]
    W = W.astype(float)
    omega = Omega.astype(float) / np.sqrt(max(np.square(Omega.astype(float)).sum(), 1e-30))
    lam = omega.T @ omega
    rng = np.random.default_rng(seed)
    found = np.empty((2, len(TOUCH_GRID), n_draws))

    def error(seen: NDArray[np.float64]) -> float:  # seen: the prototypes times Λ, (P, d)
        scores = X @ seen.T - 0.5 * (seen * W).sum(1)
        return float((problem.labels[scores.argmax(1)] != y).mean())

    for draw in range(n_draws):
        on_omega = rng.standard_normal(omega.shape)
        on_lambda = rng.standard_normal(lam.shape)
        on_lambda = (on_lambda + on_lambda.T) / 2  # a quadratic form sees no more of it
        for v, deviation in enumerate(TOUCH_GRID):
            turned = omega + deviation * on_omega
            found[0, v, draw] = error((W @ turned.T) @ turned)
            found[1, v, draw] = error(W @ (lam + deviation * on_lambda))
    return found
