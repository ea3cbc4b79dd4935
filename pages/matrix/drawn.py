"""The noise, the lots and the start of the page's training, measured."""

from __future__ import annotations

from collections.abc import Iterator

from dpcore.audit.claims import Drawn
from dpcore.experiments import matrix
from dpcore.experiments.matrix import MatrixParams
from dpcore.experiments.matrix.problem import problem_of
from dpcore.experiments.matrix.sweep import run_sweep
from dpcore.lvq import matrix_train
from ui.prototypes.drawn import prototypes_drawn

__all__ = ["drawn"]


def drawn(params: MatrixParams) -> Iterator[Drawn]:
    """Yield start and steps of the training at these parameters."""
    problem = problem_of(params)
    promised = matrix.guarantee(params, problem)
    run = lambda: run_sweep(problem, params)  # noqa: E731
    yield from prototypes_drawn(matrix_train, run, problem, params, promised, matrix=True)
