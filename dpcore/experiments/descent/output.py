"""Output perturbation of regularised logistic regression at every ε and δ, with both sensitivities."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.descent import RegularisedLogistic, minimise, output_sensitivity
from dpcore.experiments.descent.data import LIPSCHITZ, named_problem
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.mechanisms import gaussian_sigma

__all__ = ["OutputSweep", "run_output"]

Floats = NDArray[np.float64]
_N_DRAWS = 100


@dataclass(frozen=True, kw_only=True)
class OutputSweep:
    """Test accuracy of logistic regression plus Gaussian noise, E = 50 values of ε.

    ``proved`` and ``printed`` (3, E): the 10, 50 and 90 % of 100 draws, noise by 2G/(nμ) with
    μ = 2λ and by Sarkar's 4G/(nλ); ``exact`` without noise; ``sensitivities`` of both.
    """

    proved: Floats
    printed: Floats
    exact: float
    sensitivities: tuple[float, float]


@lru_cache(maxsize=64)
def run_output(dataset: str, regularisation: float, delta: float, seed: int) -> OutputSweep:
    """Return what output perturbation gives at every ε; the same standard noise for all of them.

    Parameters
    ----------
    dataset : str
        As in `named_problem`.
    regularisation : float
        λ > 0.
    delta : float
        δ, one of DELTA_GRID.
    seed : int
        Names the noise.

    Returns
    -------
    OutputSweep
    """
    problem = named_problem(dataset, "logistic")
    w = minimise(RegularisedLogistic(problem.X, problem.y, regularisation))
    unit = np.random.default_rng([seed, 77]).standard_normal((_N_DRAWS, len(w)))
    n = len(problem.y)
    both = (
        output_sensitivity(LIPSCHITZ, regularisation, n_samples=n),
        output_sensitivity(LIPSCHITZ, regularisation, n_samples=n, as_printed=True),
    )
    sigma = np.array([gaussian_sigma(1.0, e, delta=delta) for e in EPSILON_GRID])
    bands = []
    for reach in both:
        weights = w + reach * sigma[:, None, None] * unit
        found = problem.accuracy(weights.reshape(-1, len(w))).reshape(len(sigma), _N_DRAWS)
        bands.append(np.quantile(found, [0.1, 0.5, 0.9], axis=1))
    exact = float(problem.accuracy(w[None])[0])
    return OutputSweep(proved=bands[0], printed=bands[1], exact=exact, sensitivities=both)
