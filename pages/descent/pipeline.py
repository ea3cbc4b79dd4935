"""The gradient-descent page's computations: at once while dragging, whole sweeps and draws behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams, Line, Outcomes, Problem, Sweep
from ui import shell
from ui.jobs import Stage, Work

__all__ = ["Answer", "answer", "cancel", "sweep_of"]

_LOOKS = {"noise_multiplier": 2.0, "delta": 1e-5, "regularisation": 0.03}


@dataclass(frozen=True)
class Answer:
    """The best known answer: one noise level while dragging, all of them else; draws when there."""

    problem: Problem
    sweep: Sweep
    outcomes: Outcomes | None
    lines: Mapping[str, Line] = field(default_factory=dict)
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
    jobs = shell.jobs()
    lines = {
        name: jobs.poll(_line_key(params, name), _line_work(problem, params, name), wait=0.02)
        for name in descent.LINES
    }
    found = jobs.poll(_key(params), _work(problem, params), wait=0.02)
    known = {name: line.value for name, line in lines.items() if line.value is not None}
    busy = not (found.done and all(line.done for line in lines.values()))
    return Answer(problem, sweep, found.value, known, found.fraction, busy, found.error)


def cancel(params: DescentParams) -> None:
    """Stop what runs behind; what is there stays."""
    for key in (_key(params), *(_line_key(params, name) for name in descent.LINES)):
        shell.jobs().cancel(key)


def _key(params: DescentParams) -> object:
    return "descent", params.but(**_LOOKS)


def _line_key(params: DescentParams, name: str) -> object:
    """A line holds all values of its own parameter: moving that one does not ask for it anew."""
    fixed = {
        "delta": 1e-5,
        "regularisation": 0.03,
        "person": 0,
        name: params.controls()[name].default,
    }
    return "descent line", name, params.but(**fixed)


def _line_work(problem: Problem, params: DescentParams, name: str) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        found = descent.run_line(problem, params, name, cancelled)
        if found is not None:
            report(Stage(found, 1.0))

    return work


def _work(problem: Problem, params: DescentParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        for found in descent.run_outcomes(problem, params, cancelled=cancelled):
            report(Stage(found, len(found.accuracy) / descent.N_DRAWS, "Drawing other outcomes"))

    return work
