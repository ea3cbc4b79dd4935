"""Objective perturbation, carried out: rows of bounded norm, a solver, and noise for the solver's error."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.descent.erm import RegularisedLogistic, minimise
from dpcore.descent.objective import ObjectiveNoise

__all__ = ["perturbed_minimiser", "unit_rows"]

Floats = NDArray[np.float64]


def unit_rows(scaled: ArrayLike) -> Floats:
    """Return rows (n, d + 1) of norm at most 1, whatever was rounded: (x, 1)/√(d + 1) for x in [-1, 1]^d.

    See Also
    --------
    perturbed_minimiser

    Examples
    --------
    >>> bool(np.square(unit_rows([[1.0, -1.0], [7.0, 0.0]])).sum(1).max() <= 1)
    True
    """
    inside = np.clip(np.nan_to_num(np.asarray(scaled, float)), -1, 1)
    rows = np.column_stack([inside, np.ones(len(inside))])
    return rows / (math.sqrt(rows.shape[1]) * (1 + 1e-12))


def perturbed_minimiser(
    X: Floats, y: Floats, noise: ObjectiveNoise, rng: np.random.Generator
) -> Floats:
    """Return the weights (d + 1,) that minimise the tilted objective, with the solver's error hidden.

    (ε, δ) of `objective_noise`, for the solver that runs here: it stops where ‖gradient‖ ≤ γ, so no more
    than γ/m from the minimum, and the noise on its result is for two such results 2γ/m apart. Sums
    in doubles are rounded by far less than γ.

    Parameters
    ----------
    X : ndarray (n, d + 1)
        Rows of norm at most 1, see `unit_rows`.
    y : ndarray (n,)
        Labels 0 or 1.
    noise : ObjectiveNoise
        How the objective is perturbed.
    rng : numpy.random.Generator
        Where b and the noise on the result come from.

    Returns
    -------
    ndarray (d + 1,)

    Raises
    ------
    ValueError
        When a row is longer than 1, a label is neither 0 nor 1, or the minimum is out of reach.

    See Also
    --------
    unit_rows, objective_noise

    References
    ----------
    K. Chaudhuri, C. Monteleoni and A. D. Sarwate, "Differentially private empirical risk minimization",
    Journal of Machine Learning Research 12, 2011.
    """
    if not np.square(X).sum(1).max(initial=0) <= 1:
        raise ValueError("X has a row longer than 1, which is not allowed: see unit_rows.")
    if not np.isin(y, (0, 1)).all():
        raise ValueError(
            "y has a label that is neither 0 nor 1: give 0 for one class, 1 for the other."
        )
    n, n_weights = max(len(y), 1), X.shape[1]
    b = noise.tilt(n_weights, rng)
    problem = RegularisedLogistic(X, y, noise.curvature / (2 * n), b / n)
    close = noise.tolerance(n_weights) / (n * math.sqrt(n_weights))
    return minimise(problem, tolerance=close) + noise.on_solution(n_weights, rng)
