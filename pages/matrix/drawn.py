"""Noise, lots and initialization of the page's training, measured to audit the stated ε."""

from __future__ import annotations

from collections.abc import Iterator

from dpcore.audit.claims import Drawn
from dpcore.experiments import matrix
from dpcore.experiments.matrix import MatrixParams
from ui.prototypes.drawn import prototypes_drawn

__all__ = ["drawn"]


def drawn(params: MatrixParams) -> Iterator[Drawn]:
    """Yield the measured noise of the initialization and of the steps of a training with these parameters."""
    problem = matrix.problem_of(params)
    yield from prototypes_drawn(lambda: matrix.run_sweep(problem, params), problem, params)
