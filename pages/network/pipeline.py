"""Computations of the Deep networks page: trainings without privacy, at several ε, and with two schedules."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments import network
from dpcore.experiments.network import Costs, NetworkParams, Outcomes, Sweep, Training
from dpcore.network import Recipe
from pages.network.known import is_curve
from pages.network.measured import reading, readings
from ui.live.depth import Depth
from ui.runner import Context, Pipeline, Stage, previews
from ui.words import text

__all__ = ["PIPELINE", "other"]

T = text.load_text(__file__)
OWN_NOISE = 1_000_000
"""Number to add to a seed, for noise that no seed of the page gives."""
_OTHER = {"constant": "linear", "linear": "constant"}


def other(params: NetworkParams) -> NetworkParams:
    """Return the parameters with the learning-rate schedule that the user has not chosen."""
    return params.but(schedule=_OTHER[params.schedule])


def _trained(how: Recipe, seed: int, context: Context) -> Iterator[Training]:
    return network.trained_in_worker(how, seed, progress=context.progress, check=context.check)


def _is_new(problem: None, params: NetworkParams) -> bool:
    """Return whether a network must be trained, since no training with these parameters is stored."""
    return reading(params) is None


def _is_new_sweep(problem: None, params: NetworkParams) -> bool:
    """Return whether networks must be trained at several ε, since no such trainings are stored."""
    return readings(params) is None


def _private(
    problem: None, params: NetworkParams, context: Context
) -> Training | Iterator[Training]:
    if stored := reading(params):
        return stored[0]
    return _trained(network.recipe(params), params.seed, context)


def _plain(problem: None, params: NetworkParams, context: Context) -> Training | Iterator[Training]:
    if stored := reading(params):
        return stored[1]
    return _trained(network.recipe(params).plain(), params.seed, context)


def _sweep(problem: None, params: NetworkParams, context: Context) -> Sweep | Iterator[Sweep]:
    """Train a network for each of several ε, starting at the ε on display; yield all networks so far.

    If trainings at every ε are stored, return these instead.
    """
    if stored := readings(params):
        return stored.sweep
    first = params.epsilon if context.shown_params is None else context.shown_params.epsilon
    return network.run_sweep(params, first, progress=context.progress, check=context.check)


def _stored_outcomes(params: NetworkParams) -> Outcomes | None:
    stored = readings(params)
    return stored.outcomes if stored and params.epsilon == NetworkParams().epsilon else None


def _are_new_outcomes(problem: None, params: NetworkParams) -> bool:
    """Return whether trainings must be repeated, since no repetitions with these parameters are stored."""
    return _stored_outcomes(params) is None


def _outcomes(problem: None, params: NetworkParams, context: Context) -> Outcomes:
    if stored := _stored_outcomes(params):
        return stored
    return network.run_outcomes(params, progress=context.progress, check=context.check)


def _has_one(sweep: Sweep) -> bool:
    return len(sweep.epsilons) > 0


def _schedule(problem: None, params: NetworkParams, context: Context) -> Iterator[Training]:
    """Train a network with the learning-rate schedule that the user has not chosen; yield the curve after each epoch.

    The noise is independent of the displayed network's noise.
    """
    return _trained(network.recipe(other(params)), OWN_NOISE + params.seed, context)


def _spent(problem: None, params: NetworkParams, context: Context) -> NDArray[np.float64]:
    return network.spent(params)


def _costs(problem: None, params: NetworkParams, context: Context) -> Costs:
    return network.costs(context.along(params))


PIPELINE = Pipeline[NetworkParams](
    name="network",
    tab=T("panels.rates.tab"),
    stages=[
        Stage("private", _private, behind=_is_new, stays=is_curve, doing=T("doing.private")),
        Stage(
            "plain",
            _plain,
            ignores=("epsilon", "clip_norm", "delta"),
            behind=_is_new,
            doing=T("doing.plain"),
        ),
        Stage(
            "sweep",
            _sweep,
            ignores=("epsilon",),
            behind=_is_new_sweep,
            after="private",
            stays=_has_one,
            doing=T("doing.sweep"),
        ),
        Stage(
            "outcomes",
            _outcomes,
            behind=_are_new_outcomes,
            after="sweep",
            doing=T("doing.outcomes"),
        ),
        Stage(
            "spent",
            _spent,
            uses=("epsilon", "epochs", "delta", "sample_rate"),
            behind=False,
            depth=Depth.UNDERSTAND,
        ),
        Stage(
            "other",
            _schedule,
            after="sweep",
            depth=Depth.UNDERSTAND,
            tabs=(T("panels.rates.tab"),),
            doing=T("doing.other"),
        ),
        *previews(
            _costs,
            "epsilon",
            uses=("epochs", "delta", "sample_rate"),
            depth=Depth.UNDERSTAND,
            doing=T("doing.costs"),
        ),
    ],
    words=("private",),
)
