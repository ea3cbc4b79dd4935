"""What T sampled steps cost, tabulated once over whole grids: no data in it.

``python -m dpcore.accounting.surfaces`` makes ``composition_table.npz`` anew (some minutes): the
ε by PLD of T Poisson-sampled Gaussian steps of noise multiplier σ, and of T sampled Laplace answers
of ε₀ each, add-or-remove neighbours, for every value that the sliders have. inf: above 60.
"""

from __future__ import annotations

import math
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from dpcore.accounting import composition, pld, rdp
from dpcore.accounting.events import Event, Gaussian, Laplace, Repeated, sampled
from dpcore.grids import DELTA_GRID

__all__ = [
    "ANSWER_GRID",
    "NOISE_GRID",
    "RATE_GRID",
    "STEPS_GRID",
    "exact",
    "main",
    "make_row",
    "optimal",
]

# fmt: off
NOISE_GRID: tuple[float, ...] = (
    0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0, 20.0, 50.0,
)
ANSWER_GRID: tuple[float, ...] = (
    0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0,
)
RATE_GRID: tuple[float, ...] = (0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 1.0)
STEPS_GRID: tuple[int, ...] = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
# fmt: on
_TOP = 60.0
_FILE = "composition_table.npz"


def exact(mechanism: str) -> NDArray[np.float32]:
    """Return ε by PLD, (n_noise, n_rates, n_deltas, n_steps), for "gaussian" or "laplace".

    The first axis is NOISE_GRID or ANSWER_GRID; inf where ε is above 60.
    """
    return _table()[mechanism]


def optimal() -> NDArray[np.float32]:
    """Return ε of T sampled ε₀-DP answers of any kind, (n_answers, n_rates, n_deltas, n_steps)."""
    return _table()["optimal"]


@lru_cache(maxsize=1)
def _table() -> dict[str, NDArray[np.float32]]:
    with resources.files("dpcore.accounting").joinpath(_FILE).open("rb") as file:
        loaded = np.load(file)
        return {name: loaded[name] for name in loaded.files}


def make_row(mechanism: str, noise: float, rate: float) -> NDArray[np.float32]:
    """Return ε by PLD of one mechanism on a sample, (n_deltas, n_steps)."""
    one = Gaussian(noise) if mechanism == "gaussian" else Laplace(1 / noise)
    step = sampled(one, rate)
    return np.array([_column(Repeated(step, n), _rough(one, rate, n)) for n in STEPS_GRID]).T


def _rough(one: Gaussian | Laplace, rate: float, n_steps: int) -> float:
    """About what it costs at δ = 1e-8: it sets the width of the grid."""
    if isinstance(one, Gaussian):
        event = Repeated(sampled(one, rate), n_steps)
        return float(rdp.to_epsilon(rdp.curve(event), DELTA_GRID[0]))
    each = float(composition.amplified(1 / one.noise_multiplier, rate))
    pair = (n_steps * each, float(composition.advanced(each, n_steps, DELTA_GRID[0])))
    return min(pair)


def _column(event: Event, rough: float) -> list[float]:
    if rough > 4 * _TOP:
        return [math.inf] * len(DELTA_GRID)
    width = min(max(2e-4 * rough, 2e-6), 5e-3)
    found = pld.distribution(event, neighbouring="add_remove", width=width)
    costs = [pld.epsilon_at(found, delta) for delta in DELTA_GRID]
    return [cost if cost <= _TOP else math.inf for cost in costs]


def _make_optimal(answer: float, rate: float) -> NDArray[np.float32]:
    each = float(composition.amplified(answer, rate))
    return np.array(
        [[composition.optimal(each, n, delta) for n in STEPS_GRID] for delta in DELTA_GRID]
    )


def main() -> None:
    """Make the table and write it beside this module."""
    from pathlib import Path

    from joblib import Parallel, delayed

    run = Parallel(n_jobs=-1, verbose=5)
    found = {}
    for name, grid in (("gaussian", NOISE_GRID), ("laplace", ANSWER_GRID)):
        rows = run(delayed(make_row)(name, noise, rate) for noise in grid for rate in RATE_GRID)
        found[name] = np.array(rows, np.float32).reshape(len(grid), len(RATE_GRID), *rows[0].shape)
    rows = run(delayed(_make_optimal)(answer, rate) for answer in ANSWER_GRID for rate in RATE_GRID)
    found["optimal"] = np.array(rows, np.float32).reshape(found["laplace"].shape)
    target = Path(__file__).with_name(_FILE)
    np.savez_compressed(
        target, gaussian=found["gaussian"], laplace=found["laplace"], optimal=found["optimal"]
    )


if __name__ == "__main__":
    main()
