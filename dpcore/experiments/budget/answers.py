"""How many answers a budget pays for, counted once at every place of the handles by the account: no data in it.

``python -m dpcore.experiments.budget.answers`` makes ``answers.npz`` anew (about half an hour). A count is read
off a line between the accounts of 1, 2, 5, 10 and so on, and is then lowered until the account of that very
number of answers is within the budget: the true number may be larger by a little, never smaller.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpcore.accounting import GaussianEvent, LaplaceEvent, Repeated, sampled, spent
from dpcore.experiments import composition_tables
from dpcore.experiments.composition_tables import ANSWER_GRID, NOISE_GRID, RATE_GRID, STEPS_GRID
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID

__all__ = ["affordable", "count", "main"]

Floats = NDArray[np.float64]
_FILE = Path(__file__).with_name("answers.npz")
_LESS = 0.99  # of a count whose account is above the budget


def affordable(mechanism: str) -> NDArray[np.int32]:
    """Return how many answers each ε pays for, (n_noise, n_rates, n_deltas, n_epsilons).

    For "gaussian" the first axis is NOISE_GRID, for "laplace" ANSWER_GRID; from 0 for none up to the last of
    STEPS_GRID, which stands for more as well. The account of so many answers is at most ε.
    """
    return _loaded()[mechanism]


def count(mechanism: str, noise: float, rate: float, delta: float, costs: Floats) -> list[int]:
    """Return the counts for every ε of EPSILON_GRID; ``costs`` are the accounts of STEPS_GRID, (n_steps,)."""
    event = GaussianEvent(noise) if mechanism == "gaussian" else LaplaceEvent(1 / noise)
    step, logs = sampled(event, rate), np.log(np.maximum(costs, 1e-12))
    found = []
    for epsilon in EPSILON_GRID:
        fits = int(np.searchsorted(costs, epsilon, side="right"))
        least = STEPS_GRID[fits - 1] if fits else 0
        if fits in (0, len(STEPS_GRID)):
            found.append(least)
            continue
        line = float(np.exp(np.interp(np.log(epsilon), logs, np.log(STEPS_GRID))))
        n = min(int(line + 1e-9), STEPS_GRID[fits] - 1)
        while n > least and spent(Repeated(step, n), delta) > epsilon:
            n = min(n - 1, int(_LESS * n))
        found.append(max(n, least))
    return found


@lru_cache(maxsize=1)
def _loaded() -> dict[str, NDArray[np.int32]]:
    with np.load(_FILE) as file:
        found = {name: file[name] for name in file.files}
    for counts in found.values():
        counts.setflags(write=False)
    return found


def main() -> None:
    """Make the table and write it beside this module."""
    from joblib import Parallel, delayed

    made = {}
    for mechanism, grid in (("gaussian", NOISE_GRID), ("laplace", ANSWER_GRID)):
        costs = composition_tables.exact(mechanism)
        rows = Parallel(n_jobs=-1, verbose=5)(
            delayed(count)(mechanism, grid[i], RATE_GRID[j], DELTA_GRID[k], costs[i, j, k])
            for i, j, k in np.ndindex(costs.shape[:3])
        )
        made[mechanism] = np.array(rows, np.int32).reshape(*costs.shape[:3], len(EPSILON_GRID))
    np.savez_compressed(_FILE, gaussian=made["gaussian"], laplace=made["laplace"])


if __name__ == "__main__":
    main()
