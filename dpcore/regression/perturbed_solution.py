"""Output perturbation of ridge regression, with coefficients restricted to a ball."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from dpcore import _checks, _draws
from dpcore._types import Floats
from dpcore.regression import sensitivity
from dpcore.regression.draws import Draws, gathered
from dpcore.regression.noise import gaussian_scales
from dpcore.regression.statistics import SufficientStatistics

__all__ = ["ball_ridge", "output_perturbation"]


def ball_ridge(
    train: SufficientStatistics, ridge: float, radius: float = 1.0
) -> NDArray[np.float64]:
    """Return the exact minimiser (D,) of (1/n)Σ(xᵀθ - y)²/2 + μ‖θ‖²/2 over the ball ‖θ‖ ≤ R.

    Parameters
    ----------
    train : SufficientStatistics
        Statistics of the records.
    ridge : float
        μ in [1e-30, 1e30]; the intercept is penalised too.
    radius : float
        Radius R of the ball, in [1e-30, 1e30].

    Returns
    -------
    ndarray (D,)
        The D coefficients, intercept first.
    """
    mu, R = _checks.scale("ridge", ridge), _checks.scale("radius", radius)
    values, vectors = np.linalg.eigh(train.quadratic / train.n_samples)
    values = np.maximum(values, 0)  # eigenvalues of a Gram matrix, negative by rounding only
    inside = vectors.T @ train.linear / train.n_samples

    def excess(multiplier: float) -> float:
        return float(np.linalg.norm(inside / (values + mu + multiplier))) - R

    # ‖θ‖ falls as the multiplier of the constraint grows; ‖c/n‖/R is enough to be inside.
    enough = float(np.linalg.norm(inside)) / R + 1e-12
    multiplier = brentq(excess, 0.0, enough, xtol=1e-14) if excess(0.0) > 0 else 0.0
    minimiser = vectors @ (inside / (values + mu + multiplier))
    return cast(Floats, minimiser / max(1.0, float(np.linalg.norm(minimiser)) / R))


def output_perturbation(
    train: SufficientStatistics,
    epsilon: ArrayLike,
    *,
    delta: float,
    n_draws: int,
    rng: np.random.Generator,
    ridge: float = 0.3,
    radius: float = 1.0,
    test: SufficientStatistics | None = None,
) -> Draws:
    """Return ridge solutions with Gaussian noise on the coefficients, projected back on the ball.

    The release is θ + σ(ε, δ) Δ Z, projected on ‖θ‖ ≤ R (post-processing). θ is the solution of `ball_ridge`, Z is
    standard normal, and σ is the analytic scale at sensitivity 1. The sensitivity is Δ = 2G/(nμ) with G = B(BR + 1)
    and B = √(d+1).

    Parameters
    ----------
    train : SufficientStatistics
        Statistics of the private records; n is public.
    epsilon : array-like (n_eps,)
        ε > 0, inf for no noise.
    delta : float
        δ in (0, 1).
    n_draws : int
        Number of independent draws of the noise.
    rng : numpy.random.Generator
        Source of the draws.
    ridge : float
        μ in [1e-30, 1e30] of the penalty μ‖θ‖²/2.
    radius : float
        Public radius R of the ball, in [1e-30, 1e30].
    test : SufficientStatistics or None
        Statistics of the test records.

    Returns
    -------
    Draws
        ``coefficients`` (n_draws, n_eps, d + 1).

    Raises
    ------
    ValueError
        When an argument is outside its range.

    See Also
    --------
    OutputPerturbationRegression

    Notes
    -----
    Each fit is (ε, δ)-DP under replace_one (Chaudhuri, Monteleoni and Sarwate 2011).

    References
    ----------
    K. Chaudhuri, C. Monteleoni and A. D. Sarwate, "Differentially private empirical risk
    minimization", Journal of Machine Learning Research 12, 2011.
    """
    m = _checks.integer("n_draws", n_draws, low=1)
    reach = sensitivity.output(train.n_features, train.n_samples, ridge, radius)
    scales = reach * gaussian_scales(epsilon, delta)
    unit = _draws.normal(rng, (m, 1, len(train.linear)))
    coefficients = ball_ridge(train, ridge, radius) + scales[:, None] * unit
    coefficients /= np.maximum(1, np.linalg.norm(coefficients, axis=-1, keepdims=True) / radius)
    return gathered(coefficients, test)
