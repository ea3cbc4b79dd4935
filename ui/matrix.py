"""What the matrix page computes and when: quick answers while dragging, full ones behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpcore import datasets
from dpcore.experiments import matrix
from dpcore.experiments.matrix import MatrixOutcomes, MatrixParams, MatrixProblem, Study
from ui import house
from ui.jobs import Snapshot, Stage, Work

__all__ = ["Answer", "answer", "cancel", "complete", "problem_of", "spread"]

FIRST_WAIT = 0.4  # seconds a committed value may take before the quick answer is shown instead


@dataclass(frozen=True)
class Answer:
    """The best known answer, and how far the work on a better one is."""

    study: Study
    outcomes: MatrixOutcomes | None
    progress: float = 1.0
    text: str = ""
    busy: bool = False
    error: str = ""


def problem_of(params: MatrixParams) -> tuple[MatrixProblem, MatrixParams, str]:
    """Return the data, the parameters, and a sentence when other data had to be taken."""
    if datasets.available(params.dataset):
        return matrix.problem_of(params), params, ""
    title = datasets.info(params.dataset).title
    default = params.but(dataset="breast_cancer")
    said = (
        f"{title} is not here: put its file into a folder and set DPCORE_DATA to it. "
        "Breast cancer is shown instead."
    )
    return matrix.problem_of(default), default, said


def answer(problem: MatrixProblem, params: MatrixParams, *, dragging: bool) -> Answer:
    """Return the best answer there is now, and see to it that a better one is on its way."""
    jobs = house.jobs()
    if dragging:
        known, draws = jobs.peek(_study_key(params)), jobs.peek(_draws_key(params))
        study = known.value if known else None
        return Answer(study or _quick(problem, params), draws.value if draws else None)
    whole = jobs.poll(_study_key(params), _study_work(params), wait=FIRST_WAIT)
    if whole.value is None:
        found, text = _quick(problem, params), _left("Training at every noise level", whole)
        return Answer(found, None, whole.fraction, text, not whole.done, whole.error)
    drawn = jobs.poll(_draws_key(params), _draws_work(problem, params), wait=0.02)
    text = _left("Drawing other outcomes", drawn)
    return Answer(whole.value, drawn.value, drawn.fraction, text, not drawn.done, drawn.error)


def _quick(problem: MatrixProblem, params: MatrixParams) -> Study:
    """The quick answer, made once while the page asks again and again for the full one."""
    kept = st.session_state.get("quick.matrix")
    asked = params.but(touch=0.025, person=0)
    if kept is None or kept[0] != asked:
        kept = st.session_state["quick.matrix"] = (asked, matrix.quick_study(problem, asked))
    return kept[1]


def complete(problem: MatrixProblem, params: MatrixParams) -> Answer:
    """Return the whole study, computed now if need be, with the draws that are there."""
    jobs = house.jobs()
    known, draws = jobs.peek(_study_key(params)), jobs.peek(_draws_key(params))
    study = known.value if known else None
    found = study or matrix.run_study(params) or _quick(problem, params)
    return Answer(found, draws.value if draws else None)


def spread(problem: MatrixProblem, params: MatrixParams) -> Snapshot:
    """Return what is known of the sweep over C, q and E, and see to it that it goes on."""
    return house.jobs().poll(_spread_key(params), _spread_work(problem, params), wait=0.2)


def cancel(params: MatrixParams) -> None:
    """Stop the work behind these parameters; what is there stays."""
    for key in (_study_key(params), _draws_key(params), _spread_key(params)):
        house.jobs().cancel(key)


def _study_work(params: MatrixParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        found = matrix.run_study(
            params, progress=lambda part: report(Stage(None, min(part, 0.99))), cancelled=cancelled
        )
        if found is not None:
            report(Stage(found, 1.0))

    return work


def _draws_work(problem: MatrixProblem, params: MatrixParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        wanted = matrix.n_draws_for(problem)
        found = matrix.run_outcomes(problem, params, cancelled=cancelled)
        for draw, outcomes in enumerate(found, start=1):
            report(Stage(outcomes, draw / wanted, f"draw {draw} of {wanted}"))

    return work


def _spread_work(problem: MatrixProblem, params: MatrixParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        found = matrix.run_spread(
            problem, params, cancelled=cancelled,
            progress=lambda part: report(Stage(None, min(part, 0.99))),
        )  # fmt: skip
        if not cancelled():
            report(Stage(found, 1.0))

    return work


def _still(params: MatrixParams) -> MatrixParams:
    return params.but(epsilon=1.0, touch=0.025)


def _study_key(params: MatrixParams) -> Any:
    return "matrix study", _still(params).but(person=0)


def _draws_key(params: MatrixParams) -> Any:
    return "matrix draws", _still(params)


def _spread_key(params: MatrixParams) -> Any:
    return "matrix spread", _still(params).but(person=0)


def _left(doing: str, snapshot: Snapshot) -> str:
    if snapshot.done:
        return ""
    seconds = snapshot.seconds_left
    left = "" if seconds is None else f", about {max(1, round(seconds))} s left"
    return f"{doing}{': ' + snapshot.text if snapshot.text else ''}{left}"
