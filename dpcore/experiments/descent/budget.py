"""What a training really costs, in every reading of the printed algorithm."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpcore import accounting
from dpcore.experiments import epsilon_tables
from dpcore.experiments.composition_tables import NOISE_GRID
from dpcore.experiments.descent.handles import counting, table
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID

if TYPE_CHECKING:
    from dpcore.experiments.descent.params import DescentParams

__all__ = [
    "asked_epsilons",
    "epsilon_table",
    "in_step",
    "levels",
    "noise_table",
    "real_epsilon",
    "real_noise",
    "sigma",
]

_N_LEVELS = 24


def real_noise(params: DescentParams, noise_multiplier: float) -> float:
    """Return the noise multiplier that counts: 0 when there is no guarantee.

    Clipping the batch halves it (a record moves the step by 2C); noise once per record makes it √(qN)
    times larger, for the expected lot (an empty lot gets none: this reading proves nothing).
    """
    return noise_multiplier * _counts(params) if params.parts == "both" else 0.0


def _counts(params: DescentParams) -> float:
    """How much of σ counts, where both parts are done."""
    return counting(params.clipping, params.noise, params.sample_rate)


def sigma(params: DescentParams) -> float:
    """Return the noise multiplier of the training: as it is set, or what the ε that is asked for needs."""
    if params.asked == "noise":
        return params.noise_multiplier
    place = EPSILON_GRID.index(params.budget), DELTA_GRID.index(params.delta)
    return float(noise_table(params)[place])


def levels(params: DescentParams) -> NDArray[np.float64]:
    """Return the noise multipliers that are trained, increasing, (18,) or (24,).

    Those of the slider, or some that reach over the noise for every ε and δ that may be asked for.
    """
    if params.asked == "noise":
        return np.array(NOISE_GRID)
    table = noise_table(params)
    return np.geomspace(table.min(), table.max(), _N_LEVELS)


def noise_table(params: DescentParams) -> NDArray[np.float64]:
    """Return σ for every ε and δ of the grids, (50, n_deltas): with it the training costs no more than ε.

    From the account's table, whose nodes cost no more, and less than 1 % less; without a guarantee, the σ that
    both parts together would need.
    """
    return _noise_table(params.sample_rate, params.n_steps) / _counts(params)


@lru_cache(maxsize=64)
def _noise_table(sample_rate: float, n_steps: int) -> NDArray[np.float64]:
    columns = [
        epsilon_tables.steps_noise_multipliers(EPSILON_GRID, delta, sample_rate, n_steps)
        for delta in DELTA_GRID
    ]
    return np.array(columns).T


def asked_epsilons(params: DescentParams) -> NDArray[np.float64]:
    """Return ε for every ε that may be asked for and every δ, (50, n_deltas); inf without a guarantee."""
    there = params.parts == "both"
    found = np.tile(np.array(EPSILON_GRID)[:, None], (1, len(DELTA_GRID)))
    return found if there else np.full(found.shape, np.inf)


def in_step(params: DescentParams, before: DescentParams) -> DescentParams:
    """Return the parameters with the slider that is not shown next to the one that is."""
    if params.asked == "noise":
        if before.asked == "noise":
            return params
        near = _nearest(NOISE_GRID, sigma(before))
        return params.but(noise_multiplier=near, budget=params.controls()["budget"].default)
    if before.asked == "noise":
        cost = epsilon_table(before.but(parts="both"))
        now = cost[NOISE_GRID.index(before.noise_multiplier), DELTA_GRID.index(before.delta)]
        params = params.but(budget=_nearest(EPSILON_GRID, float(now)))
    return params.but(noise_multiplier=_nearest(NOISE_GRID, sigma(params)))


def _nearest(grid: tuple[float, ...], value: float) -> float:
    return min(grid, key=lambda one: abs(math.log(one / value)))


def real_epsilon(params: DescentParams, noise_multiplier: float | None = None) -> float:
    """Return ε of the training by PLD (add or remove one record); inf without a guarantee.

    Where an ε is asked for, that: the noise for it costs no more. ``noise_multiplier`` asks about another σ.
    """
    if params.asked == "epsilon" and noise_multiplier is None and params.parts == "both":
        return params.budget
    used = sigma(params) if noise_multiplier is None else noise_multiplier
    if params.parts == "both" and used in NOISE_GRID:
        place = NOISE_GRID.index(used), DELTA_GRID.index(params.delta)
        return float(epsilon_table(params)[place])
    return accounting.epsilon(
        noise_multiplier=real_noise(params, used),
        sample_rate=params.sample_rate,
        n_steps=params.n_steps,
        delta=params.delta,
    )


def epsilon_table(params: DescentParams) -> NDArray[np.float64]:
    """Return ε for every σ and δ of the sliders, (n_noise, n_deltas), by the account; inf without a guarantee."""
    if params.parts != "both":
        return np.full((len(NOISE_GRID), len(DELTA_GRID)), np.inf)
    return table(params.clipping, params.noise, params.sample_rate, params.n_steps)
