"""What the relevance page computes: a sweep, other outcomes of it, and trainings along the handles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpcore.datasets import Dataset, OwnTable
from dpcore.experiments import relevance
from dpcore.experiments.relevance import (
    Line,
    NoisyStart,
    Outcomes,
    Problem,
    RelevanceParams,
    Sweep,
)
from ui.prototypes.noisy_start import starts_stage
from ui.prototypes.starts import draw_starts
from ui.runner import Context, Data, Pipeline, Stage, previews

__all__ = ["N_DRAWS", "PIPELINE"]

N_DRAWS = 40
_PERSON = ("person", "person_dx", "person_dy")


def _problem(own: OwnTable[Dataset] | None, params: RelevanceParams, context: Context) -> Problem:
    if own is not None:
        ready = own.under(relevance.neighbouring(params))
        return Problem(ready.data, params.prototypes_per_class)
    return relevance.named_problem(params.dataset, params.prototypes_per_class)


def _sweep(problem: Problem, params: RelevanceParams, context: Context) -> Sweep:
    found = relevance.run_sweep(problem, params, progress=context.progress, check=context.check)
    context.progress(1.0, "the best prototypes without privacy")
    _ = problem.best  # seconds where there are many records: here, and not while the page waits
    return found


def _one_epsilon(problem: Problem, params: RelevanceParams, context: Context) -> Sweep:
    return relevance.draft_sweep(problem, params)


def _outcomes(problem: Problem, params: RelevanceParams, context: Context) -> Iterator[Outcomes]:
    person = relevance.chosen_person(problem, params)
    growing = relevance.run_outcomes(
        problem, params, person, n_draws=N_DRAWS, threads=1, check=context.check
    )
    for draw, found in enumerate(growing, start=1):
        context.progress(draw / N_DRAWS, f"draw {draw} of {N_DRAWS}")
        yield found


def _few_outcomes(problem: Problem, params: RelevanceParams, context: Context) -> Outcomes | None:
    """A few draws for a person who is being moved; for others those that there are will do."""
    moved = any(getattr(params, name) for name in _PERSON)
    return relevance.draft_outcomes(problem, params) if moved else None


def _starts(problem: Problem, params: RelevanceParams, context: Context) -> dict[str, NoisyStart]:
    return draw_starts(problem, params)


def _preview(problem: Problem, params: RelevanceParams, context: Context) -> Line:
    return relevance.run_line(
        problem, params, context.control, progress=context.progress, check=context.check
    )


def _no_pictures(problem: Problem, params: RelevanceParams) -> bool:
    """Whether m is drawn ahead: not where prototypes are pictures, one tile each."""
    return problem.dataset.image_shape is None


_AHEAD: dict[str, Any] = {"ignores": _PERSON, "after": "sweep", "doing": "Training ahead along {}"}
PIPELINE = Pipeline[RelevanceParams](
    name="relevance",
    tab="Privacy against accuracy",
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
            ignores=("epsilon", *_PERSON),
            draft=_one_epsilon,
            rests_on=("best",),
            holds=lambda problem, found: problem.best_known,
            wait=0.3,
            doing="Training at every noise level",
        ),
        Stage(
            "outcomes",
            _outcomes,
            ignores=("epsilon",),
            draft=_few_outcomes,
            after="sweep",
            doing="Drawing other outcomes",
        ),
        starts_stage(_starts),
        *previews(_preview, "clip_norm", "learning_rate", "init_share", **_AHEAD),
        *previews(_preview, "prototypes_per_class", when=_no_pictures, **_AHEAD),
        # Its steps are those of the present q: another q is another preview.
        Stage("preview sample_rate", _preview, control="sample_rate", **_AHEAD),
    ],
)
