"""Computations of the Asking again page: one topic, at every slider value."""

from __future__ import annotations

from dpcore._types import Integers
from dpcore.experiments import queries
from dpcore.experiments.queries import Found, QueriesParams, Reconstructed
from ui.runner import Context, Pipeline, Stage
from ui.words import text

__all__ = ["PIPELINE"]

T = text.load_text(__file__)
_SLIDERS = ("epsilon", "delta", "n_answers", "group", "n_numbers", "chance")


def _run(problem: None, params: QueriesParams, context: Context) -> Found:
    return queries.run(params)


def _solved(problem: None, params: QueriesParams, context: Context) -> Reconstructed:
    return queries.reconstructed(params, check=context.check)


def _draws(problem: None, params: QueriesParams, context: Context) -> Integers:
    return queries.recovered_in_draws(params, progress=context.progress, check=context.check)


def _reconstructs(problem: None, params: QueriesParams) -> bool:
    return params.topic == "reconstruct"


def _reconstructs_from_noise(problem: None, params: QueriesParams) -> bool:
    return params.topic == "reconstruct" and params.counts == "noisy"


PIPELINE = Pipeline[QueriesParams](
    name="queries",
    stages=[
        Stage("found", _run, ignores=_SLIDERS, behind=False),
        Stage("solved", _solved, uses=("topic", "n_tables", "counts", "relation", "seed"), when=_reconstructs,
              wait=0.5, doing=T("doing.solved")),
        Stage("draws", _draws, uses=("n_tables", "relation"), when=_reconstructs_from_noise, after="solved",
              doing=T("doing.draws")),
    ],
)  # fmt: skip
