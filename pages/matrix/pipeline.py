"""What the matrix page computes and when: quick answers while dragging, full ones behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from dpcore import datasets
from dpcore.experiments import matrix
from dpcore.experiments.matrix import Line, MatrixOutcomes, MatrixParams, MatrixProblem, Study
from ui import own, shell
from ui.jobs import Jobs, Snapshot, Stage, Work
from ui.runner import Context

__all__ = ["Answer", "answer", "cancel", "complete", "problem_of", "spread", "still"]

FIRST_WAIT = 0.4  # seconds a committed value may take before the quick answer is shown instead
_NAMES = {
    "clip_norm": "C", "sample_rate": "q", "epochs": "E", "learning_rate": "η",
    "init_share": "the start's share", "prototypes_per_class": "m",
}  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """The best known answer, and how far the work on a better one is."""

    study: Study
    outcomes: MatrixOutcomes | None
    lines: Mapping[str, Line] = field(default_factory=dict)
    progress: float = 1.0
    text: str = ""
    busy: bool = False
    error: str = ""


def problem_of(params: MatrixParams) -> tuple[MatrixProblem, MatrixParams, str]:
    """Return the data, the parameters, and a sentence when other data had to be taken.

    A person's own table stays in their session.
    """
    instead = params.but(dataset="breast_cancer")
    if params.dataset == "own":
        data = st.session_state.get("own_data")
        if data is not None:
            return _own(data, params), params, ""
        said = "Give a CSV file under “Your own data” below; meanwhile breast cancer is shown."
        return matrix.problem_of(instead), instead, said
    if datasets.available(params.dataset):
        return matrix.problem_of(params), params, ""
    title = datasets.info(params.dataset).title
    said = (
        f"{title} is not here: put its file into a folder and set DPCORE_DATA to it. "
        "Breast cancer is shown instead."
    )
    return matrix.problem_of(instead), instead, said


def _own(data: datasets.Dataset, params: MatrixParams) -> MatrixProblem:
    kept: tuple[Any, dict[Any, MatrixProblem]] = st.session_state.get("own_matrix", (None, {}))
    if kept[0] is not data:
        kept = st.session_state["own_matrix"] = (data, {})
    shape = params.prototypes_per_class, params.rank
    if shape not in kept[1]:
        kept[1][shape] = MatrixProblem(data, *shape)
    return kept[1][shape]


def answer(problem: MatrixProblem, params: MatrixParams, *, dragging: bool) -> Answer:
    """Return the best answer there is now, and see to it that a better one is on its way."""
    jobs = _jobs(params)
    if dragging:
        return _known(problem, params)
    whole = jobs.poll(_study_key(params), _study_work(problem, params), wait=FIRST_WAIT)
    if whole.value is None:
        found, text = _quick(problem, params), whole.words("Training at every noise level")
        return Answer(found, None, {}, whole.fraction, text, not whole.done, whole.error)
    lines = {
        name: jobs.poll(_line_key(params, name), _line_work(problem, params, name), wait=0.02)
        for name in matrix.LINES
    }
    drawn = jobs.poll(_draws_key(params), _draws_work(problem, params), wait=0.02)
    return Answer(
        whole.value,
        drawn.value,
        {name: line.value for name, line in lines.items() if line.value is not None},
        min(drawn.fraction, *(line.fraction for line in lines.values())),
        _doing(drawn, lines),
        not (drawn.done and all(line.done for line in lines.values())),
        drawn.error or next((line.error for line in lines.values() if line.error), ""),
    )


def _doing(drawn: Snapshot, lines: Mapping[str, Snapshot]) -> str:
    """What is under way behind a settled picture, in words."""
    parts = [drawn.words("Drawing other outcomes")]
    waiting = [name for name, line in lines.items() if not line.done]
    if waiting:
        symbols = ", ".join(_NAMES[name] for name in waiting)
        parts.append(lines[waiting[0]].words(f"Training ahead along {symbols}"))
    return "; ".join(part for part in parts if part)


def _known(problem: MatrixProblem, params: MatrixParams) -> Answer:
    """What is there already; a quick study when there is no whole one."""
    jobs = _jobs(params)
    known, draws = jobs.peek(_study_key(params)), jobs.peek(_draws_key(params))
    study = known.value if known else None
    return Answer(study or _quick(problem, params), draws.value if draws else None)


def _quick(problem: MatrixProblem, params: MatrixParams) -> Study:
    """The quick answer, made once while the page asks again and again for the full one."""
    kept = st.session_state.get("quick.matrix")
    asked = params.but(touch=0.025, person=0)
    if kept is None or kept[0] is not problem or kept[1] != asked:
        found = matrix.quick_study(problem, asked)
        kept = st.session_state["quick.matrix"] = (problem, asked, found)
    return kept[2]


def complete(problem: MatrixProblem, params: MatrixParams) -> Answer:
    """Return the whole study, computed now if need be, with the draws that are there."""
    found = _known(problem, params)
    if len(found.study.sweep.nodes) > 1:
        return found
    return Answer(matrix.run_study(problem, params) or found.study, found.outcomes)


@st.cache_resource(show_spinner=False, max_entries=2)
def still(params: MatrixParams) -> Answer:
    """Return the whole study of a public data set without the work behind it, for a miniature."""
    study = matrix.run_study(matrix.problem_of(params), params)
    assert study is not None  # nothing cancels it
    return Answer(study, None)


def spread(problem: MatrixProblem, params: MatrixParams) -> Snapshot:
    """Return what is known of the sweep over C, q and E, and see to it that it goes on."""
    return _jobs(params).poll(_spread_key(params), _spread_work(problem, params), wait=0.2)


def cancel(params: MatrixParams) -> None:
    """Stop the work behind these parameters; what is there stays."""
    keys = [_study_key(params), _draws_key(params), _spread_key(params)]
    for key in [*keys, *(_line_key(params, name) for name in matrix.LINES)]:
        _jobs(params).cancel(key)


def _study_work(problem: MatrixProblem, params: MatrixParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        found = matrix.run_study(problem, params, progress=_part(report), check=_check(cancelled))
        if found is not None:
            report(Stage(found, 1.0))

    return work


def _line_work(problem: MatrixProblem, params: MatrixParams, name: str) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        found = matrix.run_line(
            problem, params, name, progress=_part(report), check=_check(cancelled)
        )
        if found is not None:
            report(Stage(found, 1.0))

    return work


def _draws_work(problem: MatrixProblem, params: MatrixParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        wanted = matrix.n_draws_for(problem)

        def tell(found: MatrixOutcomes) -> None:
            draw = len(found.errors)
            report(Stage(found, min(draw / wanted, 0.99), f"draw {draw} of {wanted}"))

        whole = matrix.whole_outcomes(problem, params, report=tell, check=_check(cancelled))
        if whole is not None:
            report(Stage(whole, 1.0))

    return work


def _spread_work(problem: MatrixProblem, params: MatrixParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        found = matrix.run_spread(problem, params, check=_check(cancelled), progress=_part(report))
        if not cancelled():
            report(Stage(found, 1.0))

    return work


def _check(cancelled: Callable[[], bool]) -> Callable[[], None]:
    return Context(cancelled=cancelled).check


def _part(report: Callable[[Stage], None]) -> Callable[[float], None]:
    return lambda part: report(Stage(None, min(part, 0.99)))


def _jobs(params: MatrixParams) -> Jobs:
    return shell.own_jobs() if params.dataset == "own" else shell.jobs()


def _still(params: MatrixParams) -> MatrixParams:
    return params.but(epsilon=1.0, touch=0.025)


def _key(what: str, params: MatrixParams) -> Any:
    return what, own.token("own_data") if params.dataset == "own" else "", params


def _study_key(params: MatrixParams) -> Any:
    return _key("matrix study", _still(params).but(person=0))


def _draws_key(params: MatrixParams) -> Any:
    return _key("matrix draws", _still(params))


def _spread_key(params: MatrixParams) -> Any:
    return _key("matrix spread", _still(params).but(person=0))


def _line_key(params: MatrixParams, name: str) -> Any:
    """A line holds all values of its own parameter: moving that one does not ask for it anew."""
    fixed = {name: params.controls()[name].default, "touch": 0.025, "person": 0}
    return _key(f"matrix line {name}", params.but(**fixed))
