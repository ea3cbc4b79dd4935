"""What k Laplace results of ε each cost together, on a grid of handles; every entry is an account.

``python -m dpcore.experiments.choose.laplace_table`` makes ``laplace_table.npz`` anew (about three minutes).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID

__all__ = ["COUNTS", "ONES", "RELEASES_GRID", "TABLES_GRID", "YEARS_GRID", "laplace_table"]

Floats = NDArray[np.float64]
RELEASES_GRID: tuple[int, ...] = (1, 2, 4, 12, 52)
YEARS_GRID: tuple[int, ...] = (1, 2, 3, 5, 10)
TABLES_GRID: tuple[int, ...] = (1, 2, 3, 5)
COUNTS: tuple[int, ...] = tuple(
    sorted({a * b * c for a in RELEASES_GRID for b in YEARS_GRID for c in TABLES_GRID})
)
"""How many results the handles can ask for."""
_BELOW = np.geomspace(2e-5, EPSILON_GRID[0], 31)[:-1]
ONES: tuple[float, ...] = (*map(float, _BELOW), *EPSILON_GRID)
"""The ε of one result: the handle's, and smaller ones, which many results may cost."""
_FILE = Path(__file__).with_name("laplace_table.npz")


@lru_cache(maxsize=1)
def laplace_table() -> Floats:
    """Return the ε at δ of k Laplace results of ε each: (δ of `DELTA_GRID`, k of `COUNTS`, ε of `ONES`)."""
    with np.load(_FILE) as held:
        found: Floats = held["epsilon"].astype(float)
    found.setflags(write=False)
    return found


def _make() -> None:
    from dpcore.accounting import LaplaceEvent, Repeated, spent

    rows = np.array(
        [
            [[spent(Repeated(LaplaceEvent(1 / one), k), delta) for one in ONES] for k in COUNTS]
            for delta in DELTA_GRID
        ]
    )
    rounded = rows.astype(np.float32)
    np.savez_compressed(
        _FILE, epsilon=np.where(rounded < rows, np.nextafter(rounded, np.float32(np.inf)), rounded)
    )


if __name__ == "__main__":
    _make()
