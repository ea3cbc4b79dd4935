"""What a training really costs, in every reading of the printed algorithm."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

from dpcore import accounting
from dpcore.accounting import rdp, surfaces
from dpcore.accounting.surfaces import NOISE_GRID, RATE_GRID, STEPS_GRID
from dpcore.experiments.descent.data import N_TRAIN
from dpcore.experiments.descent.params import DescentParams
from dpcore.grids import DELTA_GRID

__all__ = ["epsilon_table", "real_epsilon", "real_noise"]


def real_noise(params: DescentParams, noise_multiplier: float) -> float:
    """Return the noise multiplier that counts: 0 when there is no guarantee.

    Clipping the batch halves it (a record moves the step by 2C); noise once per record makes it √(qN)
    times larger, for the expected lot (an empty lot gets none: this reading proves nothing).
    """
    if params.parts != "both":
        return 0.0
    sigma = noise_multiplier
    if params.noise == "example":
        sigma *= math.sqrt(params.sample_rate * N_TRAIN)
    return sigma / 2 if params.clipping == "batch" else sigma


def real_epsilon(params: DescentParams) -> float:
    """Return ε of the training by PLD (add or remove one record); inf without a guarantee."""
    sigma = real_noise(params, params.noise_multiplier)
    return accounting.epsilon(sigma, params.sample_rate, params.n_steps, params.delta)


def epsilon_table(params: DescentParams) -> NDArray[np.float64]:
    """Return ε for every σ and δ of the sliders, (n_noise, n_deltas): by table, Rényi beyond it.

    Between tabulated noises it is interpolated in logarithms, which errs by less than 1 %.
    """
    sigmas = tuple(real_noise(params, s) for s in NOISE_GRID)
    return _table(sigmas, params.sample_rate, params.n_steps)


@lru_cache(maxsize=256)
def _table(noise: tuple[float, ...], sample_rate: float, n_steps: int) -> NDArray[np.float64]:
    sigmas = np.array(noise)
    if not sigmas.any():
        return np.full((len(sigmas), len(DELTA_GRID)), np.inf)
    q = RATE_GRID.index(sample_rate)
    table = surfaces.exact("gaussian")[:, q, :, STEPS_GRID.index(n_steps)].astype(float)
    beyond = n_steps * rdp.subsampled_gaussian(sigmas, sample_rate)
    found = rdp.to_epsilon(beyond[:, None, :], np.array(DELTA_GRID))
    for j in range(len(DELTA_GRID)):
        known = np.isfinite(table[:, j]) & (table[:, j] > 0)
        inside = (sigmas >= np.array(NOISE_GRID)[known][0] - 1e-12) & (
            sigmas <= NOISE_GRID[-1] + 1e-9
        )
        curve = PchipInterpolator(np.log(NOISE_GRID)[known], np.log(table[known, j]))
        found[inside, j] = np.exp(curve(np.log(sigmas[inside])))
    found.flags.writeable = False
    return found
