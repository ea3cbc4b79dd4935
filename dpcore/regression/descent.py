"""Private gradient descent for least squares, for many draws and all ε at once.

Steps use all records or Poisson samples. The gradient of (xᵀθ - y)²/2 is r x with the residual r = xᵀθ - y. Clipping
the gradient to norm C means clipping the residual to [-C/‖x‖, C/‖x‖]. No per-example gradient has to be stored.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks, _draws, accounting, sgd
from dpcore.regression.draws import Draws, gathered
from dpcore.regression.noise import gaussian_scales
from dpcore.regression.statistics import SufficientStatistics

__all__ = ["clipped_gradients", "descent_noise", "gradient_descent"]

_ROWS, _FITS = 2048, 512
_FARTHEST = 1e200


def descent_noise(
    epsilon: ArrayLike, delta: float, *, sample_rate: float = 1.0, n_steps: int
) -> NDArray[np.float64]:
    """Return the noise multipliers z (n_eps,) at which T steps are (ε, δ)-DP under replace_one.

    A step adds Gaussian noise of scale zC to a sum of gradients clipped to norm C; a replaced record changes the sum
    by up to 2C. At q = 1, T steps compose exactly to one Gaussian release of sensitivity 2√T/z at noise scale 1. So
    z = 2√T σ(ε, δ), where σ(ε, δ) is the analytic noise scale at sensitivity 1 (Balle and Wang 2018). For q < 1 the
    accountant computes z.

    Parameters
    ----------
    epsilon : array-like (n_eps,)
        ε > 0, inf for no noise.
    delta : float
        δ in (0, 1).
    sample_rate : float
        q in (0, 1], probability that a record joins a step. Below 1 the computation takes about half a second per ε.
    n_steps : int
        Number T ≥ 1 of steps.

    Returns
    -------
    ndarray (n_eps,)
        Noise multiplier z for each ε.

    Raises
    ------
    ValueError
        When an argument is outside its range.
    """
    steps = _checks.integer("n_steps", n_steps, low=1)
    if sample_rate == 1:
        return 2 * math.sqrt(steps) * gaussian_scales(epsilon, delta)
    wanted = np.atleast_1d(np.asarray(epsilon, float))
    multipliers = [
        0.0
        if math.isinf(one)
        else accounting.noise_multiplier(
            float(one), delta, sample_rate=sample_rate, n_steps=steps, neighbouring="replace_one"
        )
        for one in wanted
    ]
    return np.array(multipliers)


def clipped_gradients(
    X: NDArray[np.float64], y: NDArray[np.float64], theta: NDArray[np.float64], clip_norm: float
) -> NDArray[np.float64]:
    """Return the sums of clipped gradients Σ_i clip_C(r_i x_i) (m, D) at m coefficient vectors ``theta`` (m, D).

    x_i are the rows of X (n, D), with D = d + 1 for d features, and r_i = x_iᵀθ - y_i the residuals.

    - The norm of each term is at most C for any ``theta``. Non-finite coefficients are replaced by finite ones,
      because a NaN residual would not be clipped.
    - Under replace_one n is public, so the matrix products for two neighbouring data sets have the same shapes. Every
      record has the same position in both, so the records that they share contribute the same bits.
    - Terms are clipped slightly below C, to cover the rounding error of the sums.
    """
    total = np.zeros_like(theta)
    room = (len(X) + theta.shape[-1] + 4) ** 2 * 2.0**-51
    theta = np.clip(np.nan_to_num(theta), -_FARTHEST, _FARTHEST)
    for start in range(0, len(X), _ROWS):
        rows = X[start : start + _ROWS]
        limit = max(1 - 1e-12 - room, 0.0) * clip_norm / np.sqrt(np.einsum("ij,ij->i", rows, rows))
        residual = theta @ rows.T
        residual -= y[start : start + _ROWS]
        np.clip(residual, -limit, limit, out=residual)
        total += residual @ rows
    return total


def gradient_descent(
    X: NDArray[np.float64],
    y: NDArray[np.float64],
    *,
    epsilon: ArrayLike,
    delta: float,
    noise_multiplier: ArrayLike | None = None,
    sample_rate: float = 1.0,
    n_steps: int = 20,
    n_draws: int,
    rng: np.random.Generator,
    learning_rate: float = 0.5,
    clip_norm: float = 1.0,
    average: bool = True,
    test: SufficientStatistics | None = None,
) -> Draws:
    """Return private fits by noisy gradient descent, for many draws of the noise and every ε.

    A step is θ ← θ - (η/(qn))(Σ clip_C(r_i x_i) + zC Z), with residuals r_i, standard normal Z, and θ = 0 at the
    start. The sum is over all records at q = 1, else over the step's Poisson sample (`dpcore.sgd.growing_lots`). By
    default a fit is the mean of the last half of the steps.

    Parameters
    ----------
    X : ndarray (n, d)
        Records on [-1, 1]^d.
    y : ndarray (n,)
        Targets on [-1, 1].
    epsilon : array-like (n_eps,)
        ε > 0, inf for no noise.
    delta : float
        δ in (0, 1).
    noise_multiplier : array-like (n_eps,) or None
        z ≥ 0 for each ε, such as precomputed values of `descent_noise`; None computes them.
    sample_rate : float
        q in (0, 1], probability that a record joins a step.
    n_steps : int
        Number T ≥ 1 of steps.
    n_draws : int
        Number of draws.
    rng : numpy.random.Generator
        Source of the draws.
    learning_rate : float
        η in [1e-30, 1e30].
    clip_norm : float
        Clip norm C in [1e-30, 1e30] of a record's gradient.
    average : bool
        Whether to return the mean of the iterates after step T/2 instead of the last iterate (post-processing).
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
    DPGradientDescentRegression

    Notes
    -----
    Each fit is (ε, δ)-DP under replace_one with n public, if z is that of `descent_noise`. Computing a fit
    takes about q·n·T·d operations.

    References
    ----------
    R. Bassily, A. Smith and A. Thakurta, "Private empirical risk minimization: efficient algorithms
    and tight error bounds", FOCS, 2014.
    """
    eta, C = _checks.scale("learning_rate", learning_rate), _checks.scale("clip_norm", clip_norm)
    m, q = (
        _checks.integer("n_draws", n_draws, low=1),
        _checks.number("sample_rate", sample_rate, low=0, high=1, open_low=True),
    )
    known = noise_multiplier is not None
    z = noise_multiplier if known else descent_noise(epsilon, delta, sample_rate=q, n_steps=n_steps)
    spread = C * np.atleast_1d(np.asarray(z, float))
    rows = np.column_stack([np.ones(len(X)), X])
    step = max(1, _FITS // len(spread))
    sizes = [min(step, m - start) for start in range(0, m, step)]
    units = (_draws.normal(rng, (n_steps, size, 1, rows.shape[1])) for size in sizes)
    if q == 1:
        parts = [_descend(rows, y, spread[:, None], unit, eta, C, average) for unit in units]
    else:  # the noise first: it is the same at every q
        singles = [unit[:, [k]] for unit in list(units) for k in range(unit.shape[1])]
        parts = [
            _descend(
                rows, y, spread[:, None], unit, eta, C, average, q,
                sgd.growing_lots(max(len(rows), 1), q, n_steps=n_steps, rng=rng),
            )
            for unit in singles
        ]  # fmt: skip
    return gathered(np.concatenate(parts), test)


def _descend(
    rows: NDArray[np.float64],
    y: NDArray[np.float64],
    spread: NDArray[np.float64],
    unit: NDArray[np.float64],
    eta: float,
    clip_norm: float,
    average: bool,
    sample_rate: float = 1.0,
    lots: sgd.Lots | None = None,
) -> NDArray[np.float64]:
    """Return the coefficients (draws, n_eps, D) of DP gradient descent, for many draws and all noise scales.

    ``spread`` are the noise scales, and ``unit`` (T, draws, 1, D) the standard normal noise of the T steps for D
    coefficients. The result is the mean of the last half of the iterates if ``average``, else the last iterate.
    """
    n_steps = len(unit)
    theta = np.zeros((unit.shape[1], len(spread), unit.shape[-1]))
    first = n_steps // 2 if average else n_steps - 1
    mean = np.zeros_like(theta)
    for t in range(n_steps):
        flat = theta.reshape(-1, theta.shape[-1])
        X, targets = (rows, y) if lots is None else (rows[lots.at(t)], y[lots.at(t)])
        slope = clipped_gradients(X, targets, flat, clip_norm).reshape(theta.shape)
        theta = theta - eta / (sample_rate * len(rows)) * (slope + spread * unit[t])
        if t >= first:
            mean += theta / (n_steps - first)
    return mean
