"""Computations of the page Asking again: one topic, at every slider value."""

from __future__ import annotations

from dpcore.experiments import queries
from dpcore.experiments.queries import Found, QueriesParams
from ui.runner import Context, Pipeline, Stage

__all__ = ["PIPELINE"]

_SLIDERS = ("epsilon", "delta", "n_answers", "group", "n_numbers", "chance")


def _found(problem: None, params: QueriesParams, context: Context) -> Found:
    return queries.run(params)


PIPELINE = Pipeline[QueriesParams](
    name="queries", stages=[Stage("found", _found, ignores=_SLIDERS, behind=False)]
)
