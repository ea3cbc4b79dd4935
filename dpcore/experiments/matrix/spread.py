"""The paper's sweep over C, q and E: how much the test error depends on each setting."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.grids import CLIP_NORM_GRID, EPOCHS_GRID, EPSILON_GRID, SAMPLE_RATE_GRID
from dpcore.experiments.matrix.params import MatrixParams
from dpcore.experiments.matrix.problem import MatrixProblem
from dpcore.experiments.matrix.training import run_sweep
from dpcore.experiments.relevance import budget

__all__ = ["N_SETTINGS", "PAPER_SPREAD", "SPREAD_EPSILONS", "run_spread"]

SPREAD_EPSILONS = (0.75, 1.0, 2.5)
PAPER_SPREAD = {
    "clip_norm": (0.1275, 0.0412, 0.0062),
    "sample_rate": (0.0899, 0.0370, 0.0062),
    "epochs": (0.0361, 0.0081, 0.0060),
}
"""Standard deviations of the test error on Motion at the three ε (section 4 of the paper)."""
_VALUES: dict[str, tuple[float, ...]] = {
    "clip_norm": tuple(c for c in CLIP_NORM_GRID if 0.05 <= c <= 2),
    "sample_rate": tuple(q for q in SAMPLE_RATE_GRID if q <= 0.1),
    "epochs": tuple(e for e in EPOCHS_GRID if 10 <= e <= 100),
}
N_SETTINGS = sum(map(len, _VALUES.values()))
"""How many settings are trained."""


def run_spread(
    problem: MatrixProblem,
    params: MatrixParams,
    *,
    progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> dict[str, NDArray[np.float64]]:
    """Train at every value of C, q and E, the others as they are, at ε = 0.75, 1 and 2.5.

    Parameters
    ----------
    problem : MatrixProblem
        The data.
    params : MatrixParams
        Everything else.
    progress, check : callables, optional
        As in `run_sweep`.

    Returns
    -------
    dict of str to ndarray (V, 3)
        Test errors by the name of the setting that varies. Their standard deviations stand beside
        ``PAPER_SPREAD``.
    """
    found = {name: np.full((len(v), 3), np.nan) for name, v in _VALUES.items()}
    done = 0
    where = [EPSILON_GRID.index(epsilon) for epsilon in SPREAD_EPSILONS]
    for name, values in _VALUES.items():
        for k, value in enumerate(values):
            here = params.but(**{name: value})
            nodes = budget.noise_multipliers(here)[where]
            sweep = run_sweep(problem, here, nodes=nodes, references=False, check=check)
            found[name][k] = sweep.errors[:, -1]
            done += 1
            if progress is not None:
                progress(done / N_SETTINGS)
    return found
