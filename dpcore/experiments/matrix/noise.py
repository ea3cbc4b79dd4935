"""The paper's experiment of noise on the finished relevance matrix: how touchy is it?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.matrix.params import MATRIX_NOISE_GRID
from dpcore.experiments.matrix.problem import MatrixProblem

__all__ = ["N_TOUCHES", "PAPER_NOISE", "matrix_noise", "noisy_errors"]

N_TOUCHES = 20
PAPER_NOISE = {"mnist": (0.1484, 0.0277, 0.001), "har": (0.0897, 0.0234, 0.0085)}
"""Error without noise, increase and its deviation as printed (section 4), by data set."""


def matrix_noise(
    problem: MatrixProblem,
    W: NDArray[np.floating],
    Omega: NDArray[np.floating],
    *,
    n_draws: int = N_TOUCHES,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Return the test error after Gaussian noise on every element of Ω, and of Λ; see `noisy_errors`.

    Parameters
    ----------
    problem : MatrixProblem
        The data; at most 4000 of its test records are asked.
    W : ndarray (P, d)
        Prototypes.
    Omega : ndarray (l, d)
        The matrix before the noise, scaled to trace Λ = 1 first, as GMLVQ's papers do, so that a
        deviation means the same for every model.
    n_draws : int
        D.
    seed : int
        Of the noise.

    Returns
    -------
    ndarray (2, V, D)
        Noise on Ω, then on Λ; over ``TOUCH_GRID``.
    """
    known = problem.X_test[:4000], problem.dataset.y_test[:4000]
    return noisy_errors(
        known, (W, Omega, problem.labels), MATRIX_NOISE_GRID, n_draws=n_draws, rng=np.random.default_rng(seed)
    )  # fmt: skip


def noisy_errors(
    records: tuple[NDArray[np.floating], NDArray[np.int64]],
    model: tuple[NDArray[np.floating], NDArray[np.floating], NDArray[np.int64]],
    deviations: Sequence[float],
    *,
    n_draws: int,
    rng: np.random.Generator,
    trace: float = 1.0,
) -> NDArray[np.float64]:
    """Return the error of a model after Gaussian noise on every element of Ω, and of Λ.

    With noise on Λ, (x - w)ᵀ(Λ + N)(x - w) may turn negative; the closest prototype is still the
    smallest. The draws are the same at all deviations, only scaled.

    Parameters
    ----------
    records : ndarray (n, d) and ndarray (n,)
        Whom to classify, and their classes.
    model : ndarray (P, d), ndarray (l, d) and ndarray (P,)
        Prototypes, Ω and the classes of the prototypes.
    deviations : sequence of V floats
        Standard deviations of the noise on an element.
    n_draws : int
        D.
    rng : numpy.random.Generator
        For the noise.
    trace : float
        What Λ is scaled to first.

    Returns
    -------
    ndarray (2, V, D)
        Noise on Ω, then on Λ.
    """
    (X, y), (W, Omega, labels) = records, model
    X, W, Omega = X.astype(float), W.astype(float), Omega.astype(float)
    omega = Omega * np.sqrt(trace / max(np.square(Omega).sum(), 1e-30))
    lam = omega.T @ omega
    found = np.empty((2, len(deviations), n_draws))

    def error(seen: NDArray[np.float64]) -> float:  # seen: the prototypes times Λ, (P, d)
        scores = X @ seen.T - 0.5 * (seen * W).sum(1)
        return float((labels[scores.argmax(1)] != y).mean())

    for draw in range(n_draws):
        on_omega = rng.standard_normal(omega.shape)
        on_lambda = rng.standard_normal(lam.shape)
        on_lambda = (on_lambda + on_lambda.T) / 2  # a quadratic form sees no more of it
        for v, deviation in enumerate(deviations):
            turned = omega + deviation * on_omega
            found[0, v, draw] = error((W @ turned.T) @ turned)
            found[1, v, draw] = error(W @ (lam + deviation * on_lambda))
    return found
