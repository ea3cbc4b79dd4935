"""Precomputed ε of T sampled answers at all slider values; the table contains no data.

``python -m dpcore.experiments.composition_tables`` recreates ``composition_table.npz`` in half an
hour. The table has the ε of T Poisson-sampled Gaussian answers with noise multiplier σ, and of T
sampled Laplace answers of ε₀ each. Neighbours add or remove a record. Nothing is interpolated.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from dpcore.accounting import composition
from dpcore.accounting.accountant import spent
from dpcore.accounting.events import GaussianEvent, LaplaceEvent, Repeated, sampled
from dpcore.experiments.grids import DELTA_GRID

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
_FILE = "composition_table.npz"


def exact(mechanism: str) -> NDArray[np.float64]:
    """Return the precomputed ε (n_noise, n_rates, n_deltas, n_steps) of T answers on random samples.

    Axes: noise level (NOISE_GRID for the mechanism "gaussian", ANSWER_GRID for "laplace"), sampling
    rate, δ, and number of answers T.
    """
    return _table()[mechanism]


def optimal() -> NDArray[np.float64]:
    """Return the precomputed ε (n_answers, n_rates, n_deltas, n_steps) of T answers of any ε₀-DP mechanism.

    The ε follows from the optimal composition theorem. Each answer is on a random sample. Axes: ε₀
    of one answer, sampling rate, δ, and number of answers T.
    """
    return _table()["optimal"]


@lru_cache(maxsize=1)
def _table() -> dict[str, NDArray[np.float64]]:
    with resources.files("dpcore.experiments").joinpath(_FILE).open("rb") as file:
        loaded = np.load(file)
        table = {name: loaded[name].astype(float) for name in loaded.files}
    for values in table.values():
        values.flags.writeable = False
    return table


def make_row(mechanism: str, noise: float, rate: float) -> NDArray[np.float64]:
    """Return the ε (n_deltas, n_steps) of T answers of a mechanism at one noise level and sampling rate.

    Axes: δ, and number of answers T.
    """
    step = sampled(
        GaussianEvent(noise) if mechanism == "gaussian" else LaplaceEvent(1 / noise), rate
    )
    return np.array([[spent(Repeated(step, n), d) for n in STEPS_GRID] for d in DELTA_GRID])


def _make_optimal(answer: float, rate: float) -> NDArray[np.float64]:
    each = float(composition.amplified(answer, rate))
    return np.array(
        [
            [composition.optimal(epsilon=each, n_steps=n, delta=delta) for n in STEPS_GRID]
            for delta in DELTA_GRID
        ]
    )


def rounded_up(values: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return upper bounds as float32, rounded up."""
    near = values.astype(np.float32)
    return np.where(near < values, np.nextafter(near, np.float32(np.inf)), near)


def main() -> None:
    """Compute the tables and write them to ``composition_table.npz`` in this package."""
    from pathlib import Path

    from joblib import Parallel, delayed

    run = Parallel(n_jobs=-1, verbose=5)
    tables = {}
    for name, grid in (("gaussian", NOISE_GRID), ("laplace", ANSWER_GRID)):
        rows = run(delayed(make_row)(name, noise, rate) for noise in grid for rate in RATE_GRID)
        tables[name] = np.array(rows).reshape(len(grid), len(RATE_GRID), *rows[0].shape)
    rows = run(delayed(_make_optimal)(answer, rate) for answer in ANSWER_GRID for rate in RATE_GRID)
    tables["optimal"] = rounded_up(np.array(rows).reshape(tables["laplace"].shape))
    target = Path(__file__).with_name(_FILE)
    np.savez_compressed(
        target, gaussian=tables["gaussian"], laplace=tables["laplace"], optimal=tables["optimal"]
    )


if __name__ == "__main__":
    main()
