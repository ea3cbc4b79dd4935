"""What a training costs at every place of the handles, by the account itself: no data in it.

``python -m dpcore.experiments.descent.handles`` makes ``handles.npz`` anew (a quarter of an hour).
"""

from __future__ import annotations

import math
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from dpcore import accounting
from dpcore.experiments.composition_tables import NOISE_GRID
from dpcore.experiments.descent.data import N_TRAIN
from dpcore.experiments.grids import DELTA_GRID

__all__ = ["CLIPPINGS", "NOISES", "RATE_GRID", "STEP_GRID", "counting", "main", "make_row", "table"]

CLIPPINGS, NOISES = ("example", "batch"), ("lot", "example")
RATE_GRID: tuple[float, ...] = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0)
STEP_GRID: tuple[int, ...] = (10, 20, 50, 100, 200, 500)
_FILE = "handles.npz"


def counting(clipping: str, noise: str, sample_rate: float) -> float:
    """Return how much of σ counts where gradients are clipped and noise is added.

    Clipping the batch halves it (a record moves the step by 2C); noise once per record makes it √(qN)
    times larger, for the expected lot.
    """
    lot = sample_rate * N_TRAIN if noise == "example" else 1.0
    return math.sqrt(lot) / (2 if clipping == "batch" else 1)


def table(clipping: str, noise: str, sample_rate: float, n_steps: int) -> NDArray[np.float64]:
    """Return ε by `accounting.epsilon` for every σ and δ of the handles, (n_noise, n_deltas)."""
    place = (
        CLIPPINGS.index(clipping), NOISES.index(noise), RATE_GRID.index(sample_rate), STEP_GRID.index(n_steps),
    )  # fmt: skip
    return np.asarray(_loaded()[place])


def make_row(clipping: str, noise: str, sample_rate: float, n_steps: int) -> NDArray[np.float64]:
    """Return what `table` does, computed now (several seconds)."""
    counts = counting(clipping, noise, sample_rate)
    return np.array(
        [
            [
                accounting.epsilon(
                    noise_multiplier=sigma * counts,
                    sample_rate=sample_rate,
                    n_steps=n_steps,
                    delta=delta,
                )
                for delta in DELTA_GRID
            ]
            for sigma in NOISE_GRID
        ]
    )


@lru_cache(maxsize=1)
def _loaded() -> NDArray[np.float64]:
    with resources.files("dpcore.experiments.descent").joinpath(_FILE).open("rb") as file:
        found: NDArray[np.float64] = np.load(file)["epsilon"]
    found.flags.writeable = False
    return found


def main() -> None:
    """Make the table and write it beside this module."""
    from pathlib import Path

    from joblib import Parallel, delayed

    places = [(c, n, q, t) for c in CLIPPINGS for n in NOISES for q in RATE_GRID for t in STEP_GRID]
    rows = Parallel(n_jobs=-1, verbose=5)(delayed(make_row)(*place) for place in places)
    shape = len(CLIPPINGS), len(NOISES), len(RATE_GRID), len(STEP_GRID)
    found = np.array(rows).reshape(*shape, *rows[0].shape)
    np.savez_compressed(Path(__file__).with_name(_FILE), epsilon=found)


if __name__ == "__main__":
    main()
