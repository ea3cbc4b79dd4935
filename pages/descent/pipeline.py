"""Computations of the Gradient descent page: trainings at every σ, repeated draws, and previews of sliders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams, Outcomes, Places, Problem, Sizes, Sweep
from ui.figure_kit.outcomes import enough
from ui.live.depth import Depth
from ui.runner import Context, Data, Pipeline, Stage, previews
from ui.words import text

__all__ = ["PIPELINE"]

T = text.load_text(__file__)

_PERSON = ("person", "record")
_LOOKS = ("noise_multiplier", "budget", "delta", "regularisation", "width")
_AHEAD = {
    Depth.LOOK: ("clip_norm", "sample_rate"),
    Depth.UNDERSTAND: ("n_steps", "learning_rate"),
}


def _problem(upload: Any, params: DescentParams, context: Context) -> Problem:
    return descent.named_problem(params.dataset, params.model)


def _sweep(problem: Problem, params: DescentParams, context: Context) -> Sweep:
    return descent.run(params)


def _one_level(problem: Problem, params: DescentParams, context: Context) -> Sweep:
    return descent.run_sweep(problem, params, np.array([descent.sigma(params)]))


def _outcomes(problem: Problem, params: DescentParams, context: Context) -> Iterator[Outcomes]:
    for outcomes in descent.run_outcomes(problem, params):
        n_done = len(outcomes.accuracy)
        context.progress(n_done / descent.N_DRAWS)
        if enough(n_done, descent.N_DRAWS):
            yield outcomes


def _few_outcomes(problem: Problem, params: DescentParams, context: Context) -> Outcomes | None:
    """Return a few repeated draws as a quick first result.

    Return None if the user has not chosen a person to remove.
    """
    chosen = any(getattr(params, name) for name in _PERSON)
    return descent.draft_outcomes(problem, params) if chosen else None


def _places(problem: Problem, params: DescentParams, context: Context) -> Iterator[Places]:
    better = descent.run_places(
        params.dataset, params.regularisation, params.delta, params.seed, check=context.check
    )
    for places in better:
        context.progress(places.accuracy.shape[1] / descent.N_PLACE_DRAWS)
        yield places


def _sizes(problem: Problem, params: DescentParams, context: Context) -> Iterator[Sizes]:
    return descent.run_sizes(problem, params, progress=context.progress, check=context.check)


def _preview(problem: Problem, params: DescentParams, context: Context) -> tuple[Sweep, ...]:
    return tuple(_one_level(problem, at, context) for at in context.along(params))


def _preview_stages(depth: Depth) -> list[Stage]:
    """Return the stages of the pipeline that train in advance, for the sliders of a level of detail.

    The figure draws these trainings while such a slider moves.
    """
    return previews(
        _preview,
        *_AHEAD[depth],
        ignores=("regularisation", *_PERSON, "width"),
        depth=depth,
        doing=T("doing.ahead"),
    )


PIPELINE = Pipeline[DescentParams](
    name="descent",
    tab=T("panels.against.tab"),
    data=Data("data", _problem, uses=("dataset", "model")),
    stages=[
        Stage("sweep", _sweep, ignores=(*_LOOKS, *_PERSON), behind=False, draft=_one_level),
        *_preview_stages(Depth.LOOK),
        Stage(
            "outcomes",
            _outcomes,
            ignores=_LOOKS,
            draft=_few_outcomes,
            doing=T("doing.outcomes"),
        ),
        Stage(
            "places",
            _places,
            uses=("dataset", "regularisation", "delta", "seed"),
            tabs=(T("panels.places.tab"),),
            depth=Depth.UNDERSTAND,
            doing=T("doing.places"),
        ),
        Stage(
            "sizes",
            _sizes,
            ignores=(*_LOOKS, *_PERSON, "model"),
            tabs=(T("panels.sizes.tab"),),
            depth=Depth.UNDERSTAND,
            doing=T("doing.sizes"),
        ),
        *_preview_stages(Depth.UNDERSTAND),
    ],
)
