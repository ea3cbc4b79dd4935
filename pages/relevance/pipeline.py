"""Computations of the Relevance learning page: prototypes at every ε, repeated draws, and previews of sliders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpcore.datasets import Dataset, OwnTable
from dpcore.experiments import relevance
from dpcore.experiments.relevance import (
    Line,
    Outcomes,
    Problem,
    RelevanceParams,
    Sweep,
)
from pages.relevance.stored import N_DRAWS, stored_outcomes, stored_sweep
from ui.figure_kit.outcomes import enough
from ui.prototypes.pipeline import CURVE_TAB, PERSON, doing, is_quick, starts_stage
from ui.runner import Context, Data, Pipeline, Stage, previews

__all__ = ["N_DRAWS", "PIPELINE"]


def _problem(own: OwnTable[Dataset] | None, params: RelevanceParams, context: Context) -> Problem:
    if own is not None:
        ready = own.under(relevance.neighbouring(params))
        return Problem(ready.data, params.prototypes_per_class)
    return relevance.problem_of(params)


def _sweep(problem: Problem, params: RelevanceParams, context: Context) -> Sweep:
    stored = stored_sweep(params)
    if stored is not None:
        return stored
    sweep = relevance.run_sweep(problem, params, progress=context.progress, check=context.check)
    context.progress(1.0, doing("best"))
    _ = problem.best  # seconds where there are many records: here, and not while the page waits
    return sweep


def _one_epsilon(problem: Problem, params: RelevanceParams, context: Context) -> Sweep:
    return relevance.draft_sweep(problem, params)


def _outcomes(problem: Problem, params: RelevanceParams, context: Context) -> Iterator[Outcomes]:
    stored = stored_outcomes(params)
    if stored is not None:
        yield stored
        return
    person = relevance.chosen_person(problem, params)
    growing = relevance.run_outcomes(
        problem, params, person, n_draws=N_DRAWS, threads=1, check=context.check
    )
    for draw, outcomes in enumerate(growing, start=1):
        context.progress(draw / N_DRAWS, doing("draw", draw=draw, all=N_DRAWS))
        if enough(draw, N_DRAWS):
            yield outcomes


def _few_outcomes(problem: Problem, params: RelevanceParams, context: Context) -> Outcomes | None:
    """Return a few repeated draws as a quick first result.

    Return None if the user has not chosen a record to remove, or if trainings on the data set are slow.
    """
    chosen = any(getattr(params, name) for name in PERSON)
    return relevance.draft_outcomes(problem, params) if chosen and is_quick(problem) else None


def _preview(problem: Problem, params: RelevanceParams, context: Context) -> Line:
    return relevance.run_line(
        problem, params, context.control, progress=context.progress, check=context.check
    )


def _no_pictures(problem: Problem, params: RelevanceParams) -> bool:
    """Return whether the records are not images, so that the slider of prototypes per class has a preview."""
    return problem.dataset.image_shape is None


_AHEAD: dict[str, Any] = {"ignores": PERSON, "after": "sweep", "doing": doing("ahead")}
PIPELINE = Pipeline[RelevanceParams](
    name="relevance",
    tab=CURVE_TAB,
    data=Data(
        "data",
        _problem,
        uses=("dataset", "prototypes_per_class", "lots"),
        own="own_data",
        instead={"dataset": "moons"},
    ),
    stages=[
        Stage(
            "sweep",
            _sweep,
            ignores=("epsilon", *PERSON),
            draft=_one_epsilon,
            rests_on=("best",),
            holds=lambda problem, sweep: problem.best_known,
            wait=0.3,
            doing=doing("sweep"),
        ),
        Stage(
            "outcomes",
            _outcomes,
            ignores=("epsilon",),
            draft=_few_outcomes,
            after="sweep",
            doing=doing("outcomes"),
        ),
        starts_stage(),
        *previews(_preview, "clip_norm", "learning_rate", "init_share", **_AHEAD),
        *previews(_preview, "prototypes_per_class", when=_no_pictures, **_AHEAD),
        # Its steps are those of the present q: another q is another preview.
        Stage("preview sample_rate", _preview, control="sample_rate", **_AHEAD),
    ],
)
