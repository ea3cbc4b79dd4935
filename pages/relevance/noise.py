"""Measurement of the noise, lots and initialization of the page's training, for the audit of the stated ε."""

from __future__ import annotations

from collections.abc import Iterator

from dpcore.audit.claims import NoiseDraw
from dpcore.experiments import relevance
from dpcore.experiments.relevance import RelevanceParams
from ui.prototypes.noise import prototype_noise

__all__ = ["noise_draws"]


def noise_draws(params: RelevanceParams) -> Iterator[NoiseDraw]:
    """Yield the measured noise of a training with these parameters, in its initialization and in its steps."""
    problem = relevance.problem_of(params)
    yield from prototype_noise(lambda: relevance.run_sweep(problem, params), problem, params)
