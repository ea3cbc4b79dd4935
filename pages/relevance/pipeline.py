"""What the relevance page computes and when: quick answers while dragging, full ones behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpcore.datasets import Dataset
from dpcore.experiments import relevance
from dpcore.experiments.relevance import Line, Outcomes, Problem, RelevanceParams, Sweep
from ui import own, shell
from ui.jobs import Jobs, Stage, Work

__all__ = ["Answer", "answer", "cancel", "complete", "problem_of"]

N_DRAWS = 40
FIRST_WAIT = 0.3  # seconds a committed value may take before the quick answer is shown instead


@dataclass(frozen=True)
class Answer:
    """The best known answer, and how far the work on a better one is."""

    sweep: Sweep
    outcomes: Outcomes | None
    lines: Mapping[str, Line] | None = None
    progress: float = 1.0
    text: str = ""
    busy: bool = False
    error: str = ""


def problem_of(params: RelevanceParams, data: Dataset | None) -> Problem:
    """Return the data the page works on; a person's own data stays in their session.

    Raises
    ------
    ValueError
        When own data is asked for and none was given.
    """
    if params.dataset != "own":
        return relevance.named_problem(params.dataset, params.prototypes_per_class)
    if data is None:
        raise ValueError("Give a CSV file under “Your own data” below, or choose another data set.")
    kept: Problem | None = st.session_state.get("own_problem")
    wanted = (data, params.prototypes_per_class)
    if kept is None or (kept.dataset, kept.prototypes_per_class) != wanted:
        kept = st.session_state["own_problem"] = Problem(*wanted)
    return kept


def answer(problem: Problem, params: RelevanceParams, *, dragging: bool) -> Answer:
    """Return the best answer there is now, and see to it that a better one is on its way."""
    jobs = _jobs(params)
    if dragging:
        return _quick(jobs, problem, params)
    work = _sweep_work(problem, params)
    sweep = jobs.poll(_sweep_key(params), work, wait=FIRST_WAIT)
    if sweep.value is not None and not problem.best_known:  # found for a problem no longer kept
        jobs.forget(_sweep_key(params))
        sweep = jobs.poll(_sweep_key(params), work, wait=FIRST_WAIT)
    if sweep.value is None:
        found = _kept_quick(problem, params)
        text = sweep.words("Training at every noise level")
        return Answer(found, None, None, sweep.fraction, text, not sweep.done, sweep.error)
    outcomes = jobs.poll(_outcomes_key(params), _outcomes_work(problem, params), wait=0.02)
    lines = {
        name: jobs.poll(
            _line_key(params, name, sweep.value), _line_work(problem, params, sweep.value, name),
            wait=0.02,
        )
        for name in _lines(problem)
    }  # fmt: skip
    text = outcomes.words("Drawing other outcomes") or "Training ahead along the other handles"
    return Answer(
        sweep.value,
        outcomes.value,
        {name: line.value for name, line in lines.items() if line.value is not None},
        outcomes.fraction,
        text,
        not (outcomes.done and all(line.done for line in lines.values())),
        outcomes.error or "".join(line.error for line in lines.values())[:200],
    )


def _lines(problem: Problem) -> list[str]:
    """The handles drawn ahead: not m where prototypes are pictures, one tile each."""
    pictures = problem.dataset.image_shape is not None
    return [n for n in relevance.LINES if not (pictures and n == "prototypes_per_class")]


def _kept_quick(problem: Problem, params: RelevanceParams) -> Sweep:
    """The quick answer, made once while the page asks again and again for the full one."""
    kept = st.session_state.get("quick")
    if kept is None or kept[0] != (problem, params):
        found = relevance.quick_sweep(problem, params)
        kept = st.session_state["quick"] = ((problem, params), found)
    return kept[1]


def complete(problem: Problem, params: RelevanceParams) -> Answer:
    """Return the whole sweep, computed now if need be, with the draws that are there."""
    jobs = _jobs(params)
    sweep, outcomes = jobs.peek(_sweep_key(params)), jobs.peek(_outcomes_key(params))
    known = sweep.value if sweep else None
    found = relevance.run_sweep(problem, params) if known is None else known
    return Answer(found, outcomes.value if outcomes else None)


def cancel(params: RelevanceParams) -> None:
    """Stop the work behind these parameters; what is there stays."""
    jobs = _jobs(params)
    sweep = jobs.peek(_sweep_key(params))
    keys = [_sweep_key(params), _outcomes_key(params)]
    if sweep is not None and sweep.value is not None:
        keys += [_line_key(params, name, sweep.value) for name in relevance.LINES]
    for key in keys:
        jobs.cancel(key)


def _quick(jobs: Jobs, problem: Problem, params: RelevanceParams) -> Answer:
    sweep, outcomes = jobs.peek(_sweep_key(params)), jobs.peek(_outcomes_key(params))
    draws = outcomes.value if outcomes and outcomes.done else None
    if draws is None and _person_moved(params):
        draws = relevance.quick_outcomes(problem, params)
    known = sweep.value if sweep else None
    return Answer(known or relevance.quick_sweep(problem, params), draws)


def _sweep_work(problem: Problem, params: RelevanceParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        found = relevance.run_sweep(
            problem,
            params,
            progress=lambda part: report(Stage(None, min(part, 0.99))),
            cancelled=cancelled,
        )
        if not cancelled():
            report(Stage(None, 0.99, "the best prototypes without privacy"))
            # Seconds where there are many records: here, and not while the page waits.
            _ = problem.best
            report(Stage(found, 1.0))

    return work


def _outcomes_work(problem: Problem, params: RelevanceParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        person = relevance.chosen_person(problem, params)
        found = relevance.run_outcomes(
            problem, params, person, n_draws=N_DRAWS, threads=1, cancelled=cancelled
        )
        for draw, outcomes in enumerate(found, start=1):
            report(Stage(outcomes, draw / N_DRAWS, f"draw {draw} of {N_DRAWS}"))

    return work


def _line_work(problem: Problem, params: RelevanceParams, sweep: Sweep, name: str) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        found = relevance.run_lines(problem, params, sweep, cancelled, [name])
        if not cancelled():
            report(Stage(found[name], 1.0))

    return work


def _line_key(params: RelevanceParams, name: str, sweep: Sweep) -> Any:
    """A line holds all values of its own parameter: moving that one does not ask for it anew."""
    _, table, rest = _sweep_key(params)
    default = params.controls()[name].default
    return (
        "line",
        name,
        table,
        rest.but(epsilon=params.epsilon, **{name: default}),
        sweep.epochs.tobytes(),
    )


def _jobs(params: RelevanceParams) -> Jobs:
    return shell.own_jobs() if params.dataset == "own" else shell.jobs()


def _sweep_key(params: RelevanceParams) -> Any:
    name = own.token("own_data") if params.dataset == "own" else ""
    return "sweep", name, params.but(epsilon=1.0, person=0, person_dx=0.0, person_dy=0.0)


def _outcomes_key(params: RelevanceParams) -> Any:
    name = own.token("own_data") if params.dataset == "own" else ""
    return "outcomes", name, params.but(epsilon=1.0)


def _person_moved(params: RelevanceParams) -> bool:
    return (params.person, params.person_dx, params.person_dy) != (0, 0.0, 0.0)
