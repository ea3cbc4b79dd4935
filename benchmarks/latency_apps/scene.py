"""Latency benchmark: the scene that two applications draw, with 2,000 points, 12 prototypes and their regions."""

from __future__ import annotations

from functools import lru_cache

from dpcore.datasets import load
from dpcore.experiments import relevance
from dpcore.experiments.relevance import Problem, RelevanceParams, Sweep

PARAMS = RelevanceParams(prototypes_per_class=3)


@lru_cache(maxsize=1)
def scene() -> tuple[Problem, Sweep]:
    """Return a learning problem with 2,000 training points of four classes, and 12 prototypes trained at every ε."""
    problem = Problem(load("blobs", n_samples=3000), 3)
    assert len(problem.y) == 2000
    return problem, relevance.run_sweep(problem, PARAMS)
