"""Trainings along C, q, T and η at one σ: what a handle needs to be drawn without a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpcore.experiments.descent.data import Problem
from dpcore.experiments.descent.params import DescentParams
from dpcore.experiments.descent.sweep import Sweep, run_sweep

__all__ = ["LINES", "Line", "run_line"]

LINES = ("clip_norm", "sample_rate", "n_steps", "learning_rate")


@dataclass(frozen=True)
class Line:
    """One training (a `Sweep` of one noise level) for every value of one parameter, in order."""

    sweeps: tuple[Sweep, ...]

    @property
    def nbytes(self) -> int:
        """Bytes of all trainings."""
        return sum(sweep.nbytes for sweep in self.sweeps)


def run_line(
    problem: Problem,
    params: DescentParams,
    name: str,
    cancelled: Callable[[], bool] = lambda: False,
) -> Line | None:
    """Train at ``params.noise_multiplier`` for every value that the slider ``name`` has.

    Parameters
    ----------
    problem : Problem
        Data and model.
    params : DescentParams
        Everything else.
    name : str
        One of ``LINES``.
    cancelled : callable
        Asked between trainings; then None is returned.

    Returns
    -------
    Line or None
    """
    sigma = np.array([params.noise_multiplier])
    found = []
    for value in params.controls()[name].grid or ():
        if cancelled():
            return None
        found.append(run_sweep(problem, params.but(**{name: value}), sigma))
    return Line(tuple(found))
