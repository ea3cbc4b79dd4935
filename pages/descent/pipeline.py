"""What the page Gradient descent computes: a training at every σ, draws of chance, handles in advance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams, Outcomes, Places, Problem, Sizes, Sweep
from ui.frame.depth import Depth
from ui.runner import Context, Data, Pipeline, Stage, previews

__all__ = ["PIPELINE"]

_LOOKS = ("noise_multiplier", "budget", "delta", "regularisation", "width")
_AHEAD = ("clip_norm", "sample_rate", "n_steps", "learning_rate")


def _problem(upload: Any, params: DescentParams, context: Context) -> Problem:
    return descent.named_problem(params.dataset, params.model)


def _sweep(problem: Problem, params: DescentParams, context: Context) -> Sweep:
    return descent.run(params)


def _one_level(problem: Problem, params: DescentParams, context: Context) -> Sweep:
    return descent.run_sweep(problem, params, np.array([descent.sigma(params)]))


def _outcomes(problem: Problem, params: DescentParams, context: Context) -> Iterator[Outcomes]:
    for found in descent.run_outcomes(problem, params):
        context.progress(len(found.accuracy) / descent.N_DRAWS)
        yield found


def _places(problem: Problem, params: DescentParams, context: Context) -> Iterator[Places]:
    drawn = descent.run_places(
        params.dataset, params.regularisation, params.delta, params.seed, check=context.check
    )
    for found in drawn:
        context.progress(found.accuracy.shape[1] / descent.N_PLACE_DRAWS)
        yield found


def _sizes(problem: Problem, params: DescentParams, context: Context) -> Iterator[Sizes]:
    return descent.run_sizes(problem, params, progress=context.progress, check=context.check)


def _preview(problem: Problem, params: DescentParams, context: Context) -> tuple[Sweep, ...]:
    return tuple(_one_level(problem, at, context) for at in context.along(params))


PIPELINE = Pipeline[DescentParams](
    name="descent",
    tab="Accuracy",
    data=Data("data", _problem, uses=("dataset", "model")),
    stages=[
        Stage("sweep", _sweep, ignores=(*_LOOKS, "person"), behind=False, draft=_one_level),
        Stage(
            "outcomes",
            _outcomes,
            ignores=_LOOKS,
            tabs=("Accuracy", "Two worlds"),
            depth=Depth.UNDERSTAND,
            doing="Drawing other outcomes",
        ),
        Stage(
            "places",
            _places,
            uses=("dataset", "regularisation", "delta", "seed"),
            tabs=("Where the noise goes",),
            depth=Depth.UNDERSTAND,
            doing="Adding noise at four places",
        ),
        Stage(
            "sizes",
            _sizes,
            ignores=(*_LOOKS, "person", "model"),
            tabs=("Model size",),
            depth=Depth.UNDERSTAND,
            doing="Training models of every size",
        ),
        *previews(
            _preview,
            *_AHEAD,
            ignores=("regularisation", "person", "width"),
            depth=Depth.UNDERSTAND,
            doing="Training ahead along {}",
        ),
    ],
)
