"""Private least-squares fits for many draws and every ε of a grid, with test errors.

Each draw has one unit noise. It is scaled for every ε, so curves over ε are smooth. Many draws simulate possible
releases; a data holder would publish only one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.regression import noise as noises
from dpcore.regression.solve import Repair, solve_grid
from dpcore.regression.splits import budget_share
from dpcore.regression.statistics import SufficientStatistics

__all__ = ["Draws", "functional_mechanism", "gathered", "gaussian_statistics", "joint_release"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Draws:
    """Private least-squares fits for several draws of the noise and every ε of a grid.

    Parameters
    ----------
    coefficients : ndarray (draws, n_eps, D)
        The D coefficients for the scaled features, intercept first.
    test_mse : ndarray (draws, n_eps) or None
        Mean squared error on the scaled test targets, with unclipped predictions; None without a test set.
    indefinite_share : ndarray (n_eps,) or None
        Fraction of the draws with a noisy matrix A = Σxxᵀ that is not positive definite before any repair. The
        objective then has no minimum. None if the method releases no matrix.

    See Also
    --------
    functional_mechanism, joint_release, gaussian_statistics
    """

    coefficients: NDArray[np.float64]
    test_mse: NDArray[np.float64] | None
    indefinite_share: NDArray[np.float64] | None


def functional_mechanism(
    train: SufficientStatistics,
    epsilon: ArrayLike,
    *,
    n_draws: int,
    rng: np.random.Generator,
    split: str | float = "proportional",
    sensitivities: str = "printed",
    repair: Repair | None = None,
    test: SufficientStatistics | None = None,
) -> Draws:
    """Return fits by the functional mechanism: solutions of Aθ = c with noisy A and c.

    A = Σxxᵀ and c = Σyx are sums over the scaled records. The noise is Lap(Δ₁/ε₁) on A and Lap(Δ₂/ε₂)/2 on c. Δ₁ and
    Δ₂ are the L1 sensitivities of A and of -2c, and ε₁ + ε₂ = ε.

    Parameters
    ----------
    train : SufficientStatistics
        Statistics of the private records.
    epsilon : array-like (n_eps,)
        ε > 0, inf for no noise.
    n_draws : int
        Number of independent draws of the noise.
    rng : numpy.random.Generator
        Source of the draws.
    split : "proportional", "equal", "variance", "error" or float
        Fraction ε₁/ε of the budget, as a number or by a rule of `dpcore.regression.splits`.
    sensitivities : "printed" or "tight"
        Δ₁ = 2(d+1)² as printed in the slides of Jiang, or its exact value (d+1)².
    repair : Repair or None
        Correction of the noisy A before solving; None makes no correction.
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
    joint_release, gaussian_statistics, FunctionalMechanismRegression

    Notes
    -----
    Each fit is ε-DP under replace_one with n public, by adding the two budgets; repairs are post-processing.
    The method follows Zhang et al. 2012 and the slides of Jiang.

    References
    ----------
    J. Zhang, Z. Zhang, X. Xiao, Y. Yang and M. Winslett, "Functional mechanism: regression analysis
    under differential privacy", PVLDB 5(11), 2012.

    Examples
    --------
    >>> sums = SufficientStatistics(quadratic=900 * np.eye(2), linear=np.array([90.0, 450.0]),
    ...                             target_square=300.0, n_samples=900)
    >>> fits = functional_mechanism(
    ...     sums, [1.0, np.inf], n_draws=5, rng=np.random.default_rng(0), test=sums
    ... )
    >>> fits.coefficients.shape, fits.coefficients[0, 1].round(3).tolist()
    ((5, 2, 2), [0.1, 0.5])
    """
    noise = noises.functional_noise(
        train.n_features, _checks.integer("n_draws", n_draws, low=1), rng,
        share=budget_share(split, train.n_features), sensitivities=sensitivities,
    )  # fmt: skip
    return _released(train, noise, noises.laplace_scales(epsilon), repair, test)


def joint_release(
    train: SufficientStatistics,
    epsilon: ArrayLike,
    *,
    n_draws: int,
    rng: np.random.Generator,
    repair: Repair | None = None,
    test: SufficientStatistics | None = None,
) -> Draws:
    """Return fits to one joint Laplace release of the distinct entries of A = Σxxᵀ and c = Σyx.

    The budget is not split. ``train`` holds the sums A and c, and ``epsilon`` (n_eps,) the values of ε. The other
    arguments and the returned `Draws` are described in `functional_mechanism`. Each fit is ε-DP under replace_one
    with n public, and under add_remove.

    See Also
    --------
    functional_mechanism, gaussian_statistics

    References
    ----------
    C. Dwork, F. McSherry, K. Nissim and A. Smith, "Calibrating noise to sensitivity in private data
    analysis", TCC, 2006.
    J. Zhang, Z. Zhang, X. Xiao, Y. Yang and M. Winslett, "Functional mechanism: regression analysis
    under differential privacy", PVLDB 5(11), 2012.
    """
    noise = noises.joint_noise(train.n_features, _checks.integer("n_draws", n_draws, low=1), rng)
    return _released(train, noise, noises.laplace_scales(epsilon), repair, test)


def gaussian_statistics(
    train: SufficientStatistics,
    epsilon: ArrayLike,
    *,
    delta: float,
    n_draws: int,
    rng: np.random.Generator,
    repair: Repair | None = None,
    test: SufficientStatistics | None = None,
) -> Draws:
    """Return fits to one joint Gaussian release of A = Σxxᵀ and c = Σyx, with the analytic noise scale.

    ``train`` holds the sums A and c, ``epsilon`` (n_eps,) the values of ε, and ``delta`` is in (0, 1). The other
    arguments and the returned `Draws` are described in `functional_mechanism`. Each fit is (ε, δ)-DP under
    replace_one (Balle and Wang 2018, Algorithm 1, with L2 sensitivity Δ₂ = √2(d+2)).

    See Also
    --------
    joint_release, ada_ssp, SufficientStatisticsRegression

    References
    ----------
    B. Balle and Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy: analytical
    calibration and optimal denoising", ICML, 2018.
    """
    noise = noises.gaussian_noise(train.n_features, _checks.integer("n_draws", n_draws, low=1), rng)
    return _released(train, noise, noises.gaussian_scales(epsilon, delta), repair, test)


def _released(
    train: SufficientStatistics,
    noise: noises.UnitNoise,
    scales: NDArray[np.float64],
    repair: Repair | None,
    test: SufficientStatistics | None,
) -> Draws:
    rule = Repair(kind="none") if repair is None else repair
    coefficients, indefinite = solve_grid(train, noise, scales, rule)
    return gathered(coefficients, test, indefinite)


def gathered(
    coefficients: NDArray[np.float64],
    test: SufficientStatistics | None,
    indefinite: NDArray[np.bool_] | None = None,
) -> Draws:
    """Return coefficients (draws, n_eps, D) as `Draws`, with their mean squared errors on the test records."""
    return Draws(
        coefficients=coefficients,
        test_mse=None if test is None else test.mse(coefficients),
        indefinite_share=None if indefinite is None else indefinite.mean(axis=0),
    )
