"""The gradient-descent page's computations: at once while dragging, whole sweeps and draws behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams, Outcomes, Problem, Sweep
from ui import house
from ui.jobs import Stage, Work

__all__ = ["Answer", "answer", "cancel", "sweep_of"]

_LOOKS = {"noise_multiplier": 2.0, "delta": 1e-5, "regularisation": 0.03}


@dataclass(frozen=True)
class Answer:
    """The best known answer: one noise level while dragging, all of them else; draws when there."""

    problem: Problem
    sweep: Sweep
    outcomes: Outcomes | None
    progress: float = 1.0
    busy: bool = False
    error: str = ""


@lru_cache(maxsize=64)
def sweep_of(params: DescentParams) -> Sweep:
    """Return the whole sweep; σ, δ and λ are not part of the question."""
    return descent.run(params.but(**_LOOKS, person=0))


def answer(params: DescentParams, *, dragging: bool) -> Answer:
    """Return what can be drawn now, and see to it that the draws are on their way."""
    problem = descent.named_problem(params.dataset, params.model)
    if dragging:
        one = descent.run_sweep(problem, params, np.array([params.noise_multiplier]))
        return Answer(problem, one, None)
    sweep = sweep_of(params.but(**_LOOKS, person=0))
    found = house.jobs().poll(_key(params), _work(problem, params), wait=0.02)
    return Answer(problem, sweep, found.value, found.fraction, not found.done, found.error)


def cancel(params: DescentParams) -> None:
    """Stop drawing other outcomes; what is there stays."""
    house.jobs().cancel(_key(params))


def _key(params: DescentParams) -> object:
    return "descent", params.but(**_LOOKS)


def _work(problem: Problem, params: DescentParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        for found in descent.run_outcomes(problem, params, cancelled=cancelled):
            report(Stage(found, len(found.accuracy) / descent.N_DRAWS, "Drawing other outcomes"))

    return work
