"""AdaSSP, a baseline method of private regression: ridge regression on noisy sums.

Fits are computed for many draws of the noise and for all ε at once.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks, _draws, mechanisms
from dpcore.regression.draws import Draws, gathered
from dpcore.regression.noise import epsilons, gaussian_scales
from dpcore.regression.statistics import SufficientStatistics

__all__ = [
    "ada_ssp",
    "ada_ssp_epsilon",
]

_BLOCK = 1024
_SMALLEST_PIVOT = 1e-6  # relative pivot below which a system is solved with pivoting
CALIBRATIONS = ("exact", "published")


def _ada_scales(
    epsilon: ArrayLike, delta: float, calibration: str
) -> tuple[NDArray[np.float64], float, float]:
    """Return AdaSSP's noise scales σ (n_eps,) at sensitivity 1, and the sensitivities of the sums A and c.

    The sensitivity of A = Σxxᵀ is in units of B², the sensitivity of c = Σyx in units of B. B = √(d + 1) bounds the
    norm of a record x.
    """
    _checks.one_of("calibration", calibration, CALIBRATIONS)
    _checks.delta(delta)
    if calibration == "published":
        return 3 * math.sqrt(math.log(6) - math.log(delta)) / epsilons(epsilon), 1.0, 1.0
    # Three Gaussians at σ each are one Gaussian of sensitivity √3/σ.
    return math.sqrt(3) * gaussian_scales(epsilon, delta), math.sqrt(2), 2.0


def ada_ssp_epsilon(epsilon: float, delta: float, calibration: str = "exact") -> float:
    """Return the actual ε of AdaSSP at δ, by exact composition of its three Gaussian releases.

    "published": each release has the noise scale σ = 3√(ln(6/δ))/ε at sensitivity 1, where ε is the claimed
    ``epsilon``. All three together are one Gaussian mechanism of sensitivity √3 at this scale. The result is the
    actual ε of this mechanism (add_remove).

    "exact": the result is ``epsilon``.

    Examples
    --------
    >>> round(ada_ssp_epsilon(1.0, 1e-5, "published"), 3)
    0.562
    """
    sigma = float(_ada_scales(epsilon, delta, calibration)[0][0])
    if calibration == "exact" or sigma == 0:
        return float(epsilon)
    if sigma < 1e-100:  # beyond the double range, so rounded up
        return math.inf
    return mechanisms.gaussian_epsilon(sigma / math.sqrt(3), 1.0, delta=delta)


def ada_ssp(
    train: SufficientStatistics,
    epsilon: ArrayLike,
    *,
    delta: float,
    n_draws: int,
    rng: np.random.Generator,
    calibration: str = "exact",
    failure: float = 0.05,
    test: SufficientStatistics | None = None,
) -> Draws:
    """Return private fits by AdaSSP: ridge regression on noisy sums, with a data-dependent ridge.

    A fit is θ = (A + noise + λI)⁻¹(c + noise), with A = Σxxᵀ and c = Σyx (Wang 2018, Algorithm 2). The ridge is λ =
    max(0, √(D ln(2D²/ρ)) sd - λ̃), where D = d + 1, and sd is the noise scale on A. λ̃ is a noisy lower bound on A's
    smallest eigenvalue λ_min: λ̃ = max(λ_min + σB²Z - √(ln(6/δ)) σB², 0). Z is standard normal, B² = D bounds ‖x‖²,
    and σ is the noise scale at sensitivity 1.

    Parameters
    ----------
    train : SufficientStatistics
        Statistics of the private records.
    epsilon : array-like (n_eps,)
        ε > 0, inf for no noise.
    delta : float
        δ in (0, 1).
    n_draws : int
        Number of draws.
    rng : numpy.random.Generator
        Source of the draws.
    calibration : "exact" or "published"
        "exact" composes the three Gaussian releases as one, with the sensitivities under replace_one: B² for λ_min,
        √2B² for A, 2B for c. "published" gives ε/3 and δ/3 to each release, under add_remove. `ada_ssp_epsilon`
        returns the actual ε of this calibration.
    failure : float
        ρ in (0, 1), the probability that the ridge is smaller than the noise on A. Privacy does not depend on ρ.
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
    AdaSSP, gaussian_statistics

    References
    ----------
    Y.-X. Wang, "Revisiting differentially private linear regression: optimal and adaptive
    prediction & estimation in unbounded domain", UAI, 2018.
    """
    sigma, quadratic, linear = _ada_scales(epsilon, delta, calibration)
    rho = _checks.number("failure", failure, low=0, high=1, open_low=True, open_high=True)
    m, D = _checks.integer("n_draws", n_draws, low=1), len(train.linear)
    upper = np.triu(_draws.normal(rng, (m, D, D)))
    N = quadratic * D * (upper + np.triu(upper, 1).transpose(0, 2, 1))
    M = linear * math.sqrt(D) * _draws.normal(rng, (m, D))
    safe = D * (_draws.normal(rng, (m, 1)) - math.sqrt(math.log(6) - math.log(delta)))
    lowest = np.maximum(np.linalg.eigvalsh(train.quadratic)[0] + sigma * safe, 0)
    edge = math.sqrt(D * math.log(2 * D**2 / rho)) * quadratic * D * sigma
    ridge = np.maximum(edge - lowest, 0)
    return gathered(_solved(train, N, M, sigma, ridge), test)


def _solved(
    train: SufficientStatistics,
    N: NDArray[np.float64],
    M: NDArray[np.float64],
    sigma: NDArray[np.float64],
    ridge: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the solutions θ (draws, n_eps, D) of (A + σN + λI)θ = c + σM, for all draws and scales σ.

    With D coefficients, A (D, D) and c (D,) are the exact sums in ``train``, N (draws, D, D) and M (draws, D) are
    unit noise, and λ (draws, n_eps) is ``ridge``.
    """
    solutions = np.empty((*ridge.shape, len(train.linear)))
    solutions[:, sigma == 0] = train.solve()
    noisy = sigma > 0
    left = np.tile(noisy, (len(N), 1))
    if noisy.any():
        solutions[:, noisy], left[:, noisy] = _compiled(
            train, N, M, sigma[noisy], np.ascontiguousarray(ridge[:, noisy])
        )
    draws, points = np.nonzero(left)
    for start in range(0, len(draws), _BLOCK):
        i, j = draws[start : start + _BLOCK], points[start : start + _BLOCK]
        A = train.quadratic + sigma[j, None, None] * N[i]
        A += ridge[i, j, None, None] * np.eye(A.shape[-1])
        c = train.linear + sigma[j, None] * M[i]
        solutions[i, j] = _answers(A, c)
    return solutions


def _answers(A: NDArray[np.float64], c: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the solutions A⁻¹c (m, D) of m linear systems, with the pseudo-inverse if a matrix is singular."""
    try:
        return np.asarray(np.linalg.solve(A, c[..., None])[..., 0], float)
    except np.linalg.LinAlgError:
        return np.asarray((np.linalg.pinv(A, hermitian=True) @ c[..., None])[..., 0], float)


def _compiled(
    train: SufficientStatistics,
    N: NDArray[np.float64],
    M: NDArray[np.float64],
    sigma: NDArray[np.float64],
    ridge: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Solve the linear systems of ``_solved`` by compiled code; return the solutions (draws, n_eps, D) and a mask.

    The mask (draws, n_eps) is True for systems that need pivoting. The compiled code does not pivot, so their
    solutions must not be used.
    """
    from dpcore.regression._compiled import solve_cells

    solutions, worst = np.empty((*ridge.shape, len(train.linear))), np.empty(ridge.shape)
    solve_cells(train.quadratic, train.linear, N, M, sigma, ridge, solutions, worst)
    return solutions, ~(worst > _SMALLEST_PIVOT)
