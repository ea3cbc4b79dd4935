"""The cost of private gradient descent on the sliders' grids, tabulated once: no data in it.

``python -m dpcore.accounting.tables`` makes both files anew (a few minutes): the PLD ε of T = E/q
Gaussian steps at geometric noise multipliers, on Poisson lots when a record is added or removed, and
on lots of a fixed size when one is replaced. Look-ups interpolate monotonically in (ln σ, ln ε) and
stay on the safe side.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._types import Floats
from dpcore.accounting.public import LOTS, steps_event
from dpcore.accounting.public import epsilon as exact_epsilon
from dpcore.accounting.search import noise_multiplier as exact_noise_multiplier
from dpcore.grids import DELTA_GRID, EPOCHS_GRID, SAMPLE_RATE_GRID
from dpcore.guarantee import Neighbouring

__all__ = ["MARGIN", "NEIGHBOURING", "epsilons", "load", "main", "noise_multipliers"]

NEIGHBOURING: dict[str, Neighbouring] = {"poisson": "add_remove", "fixed": "replace_one"}
"""Which data sets the account of each kind of lots compares."""

DELTAS = tuple(sorted({*DELTA_GRID, *(delta / 2 for delta in DELTA_GRID)}))
MARGIN = 1.001
"""Looked-up noise multipliers and ε are this factor above the curve through the table."""
_N_NODES = 32
_LOWEST, _HIGHEST = 0.02, 24.0
_FILES = {"poisson": "epsilon_table.npz", "fixed": "fixed_epsilon_table.npz"}


def noise_multipliers(
    epsilons: ArrayLike, delta: float, sample_rate: float, epochs: float, lots: str = "poisson"
) -> NDArray[np.float64]:
    """Return σ for many ε at once, at most about 0.3 % above the smallest private one.

    Parameters
    ----------
    epsilons : array (n,)
        ε in [0.02, 24] for a look-up.
    delta : float
        A value of ``DELTA_GRID`` or half of one for a look-up.
    sample_rate : float
        A value of ``SAMPLE_RATE_GRID`` for a look-up.
    epochs : float
        A value of ``EPOCHS_GRID`` for a look-up; the steps are T = round(E/q).
    lots : "poisson" or "fixed"
        For a record that is added or removed, or for one that is replaced.

    Returns
    -------
    ndarray (n,)
        σ; off the grids it is computed by `accounting.noise_multiplier`, about half a second each.

    Examples
    --------
    >>> noise_multipliers([0.6], 1e-5, 0.01, 50).round(2).tolist()
    [4.29]
    """
    wanted = np.atleast_1d(np.asarray(epsilons, float))
    curve = _curve(delta, sample_rate, epochs, lots)
    if curve is None or wanted.min() < _LOWEST or wanted.max() > _HIGHEST:
        steps = max(1, round(epochs / sample_rate))
        exact = [
            exact_noise_multiplier(
                e, delta, sample_rate, steps, neighbouring=NEIGHBOURING[lots], lots=lots
            )
            for e in wanted.tolist()
        ]
        return np.array(exact)
    log_sigma, log_epsilon = curve
    return cast(Floats, MARGIN * np.exp(np.interp(-np.log(wanted), -log_epsilon, log_sigma)))


def epsilons(
    noise_multipliers: ArrayLike,
    delta: float,
    sample_rate: float,
    epochs: float,
    lots: str = "poisson",
) -> NDArray[np.float64]:
    """Return an upper bound on ε for many σ at once; see `noise_multipliers` for the grids.

    Parameters
    ----------
    noise_multipliers : array (n,)
        σ > 0; outside the tabulated range ε is computed by `accounting.epsilon`.
    delta, sample_rate, epochs, lots
        As in `noise_multipliers`.

    Returns
    -------
    ndarray (n,)
    """
    sigmas = np.atleast_1d(np.asarray(noise_multipliers, float))
    curve = _curve(delta, sample_rate, epochs, lots)
    steps = max(1, round(epochs / sample_rate))
    found = np.empty_like(sigmas)
    inside = np.zeros(len(sigmas), bool)
    if curve is not None:
        log_sigma, log_epsilon = curve
        inside = (sigmas >= np.exp(log_sigma[0])) & (sigmas <= np.exp(log_sigma[-1]))
        found[inside] = np.exp(np.interp(np.log(sigmas[inside]), log_sigma, log_epsilon))
        found[inside] *= MARGIN
    for i in np.flatnonzero(~inside):
        found[i] = exact_epsilon(
            float(sigmas[i]), sample_rate, steps, delta, neighbouring=NEIGHBOURING[lots], lots=lots
        )
    return found


def _curve(
    delta: float, sample_rate: float, epochs: float, lots: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """A dense (ln σ, ln ε) curve, σ increasing, or None off the grids."""
    _checks.one_of("lots", lots, LOTS)
    i = _find(sample_rate, SAMPLE_RATE_GRID)
    j = _find(epochs, EPOCHS_GRID)
    k = _find(delta, DELTAS)
    if i is None or j is None or k is None:
        return None
    log_sigma, log_epsilon = _block(i, j, lots)
    return log_sigma, log_epsilon[k]


@lru_cache(maxsize=256)
def _block(i: int, j: int, lots: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The dense curves of one (q, E): ln σ (n,) and ln ε (n_deltas, n)."""
    from scipy.interpolate import PchipInterpolator

    table = _table(lots)
    log_sigma, log_epsilon = np.log(table["sigma"][i, j]), np.log(table["epsilon"][i, j])
    dense = np.linspace(log_sigma[0], log_sigma[-1], 16 * len(log_sigma))
    curves = PchipInterpolator(log_sigma, log_epsilon, axis=0)(dense)
    return dense, np.ascontiguousarray(curves.T)


def load() -> None:
    """Prepare all look-ups now (a fraction of a second), so that the first of them is not slow."""
    for i in range(len(SAMPLE_RATE_GRID)):
        for j in range(len(EPOCHS_GRID)):
            for lots in LOTS:
                _block(i, j, lots)


def _find(value: float, grid: tuple[float, ...]) -> int | None:
    near = [i for i, g in enumerate(grid) if abs(g - value) <= 1e-9 * g]
    return near[0] if near else None


@lru_cache(maxsize=2)
def _table(lots: str) -> dict[str, NDArray[np.float64]]:
    with resources.files("dpcore.accounting").joinpath(_FILES[lots]).open("rb") as file:
        loaded = np.load(file)
        return {name: loaded[name].astype(float) for name in ("sigma", "epsilon")}


def make_row(
    sample_rate: float, epochs: float, lots: str = "poisson"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the noise nodes (n,) and their ε (n, n_deltas) for one (q, E), computed by PLD."""
    steps = max(1, round(epochs / sample_rate))
    ends = [
        exact_noise_multiplier(
            eps,
            delta,
            sample_rate,
            steps,
            accountant="rdp",
            neighbouring=NEIGHBOURING[lots],
            lots=lots,
        )
        for eps, delta in ((_HIGHEST, DELTAS[-1]), (_LOWEST, DELTAS[0]))
    ]
    sigmas = np.geomspace(0.8 * ends[0], ends[1], _N_NODES)
    return sigmas, np.array([_at_all_deltas(float(s), sample_rate, steps, lots) for s in sigmas])


def _at_all_deltas(sigma: float, sample_rate: float, steps: int, lots: str) -> list[float]:
    from dpcore.accounting import pld, rdp

    event = steps_event(sigma, sample_rate, steps, lots)
    rough = float(rdp.to_epsilon(rdp.curve(event), 1e-5))
    found = pld.distribution(
        event, neighbouring=NEIGHBOURING[lots], width=min(max(2e-4 * rough, 2e-6), 5e-3)
    )
    return [pld.epsilon_at(found, delta) for delta in DELTAS]


def main() -> None:
    """Make the tables and write them beside this module."""
    from pathlib import Path

    from joblib import Parallel, delayed

    shape = (len(SAMPLE_RATE_GRID), len(EPOCHS_GRID))
    for lots, file in _FILES.items():
        rows = Parallel(n_jobs=-1, verbose=5)(
            delayed(make_row)(q, epochs, lots) for q in SAMPLE_RATE_GRID for epochs in EPOCHS_GRID
        )
        sigma = np.array([row[0] for row in rows]).reshape(*shape, _N_NODES)
        epsilon = np.array([row[1] for row in rows]).reshape(*shape, _N_NODES, len(DELTAS))
        np.savez_compressed(Path(__file__).with_name(file), sigma=sigma, epsilon=epsilon)


if __name__ == "__main__":
    main()
