"""The one sentence of Relevance learning that says what its figure shows now."""

from __future__ import annotations

from dpcore.experiments import relevance
from dpcore.experiments.relevance import RelevanceParams, Sweep
from ui.figure_kit.usefulness import usefulness
from ui.live import Text
from ui.prototypes.estimates import (
    draws_of,
    median_noise_costs,
    said_causes,
    while_moving,
)
from ui.runner import PageState

__all__ = ["meaning"]


def meaning(state: PageState[RelevanceParams]) -> Text:
    """Return the sentence for every ε."""
    sweep: Sweep = state["sweep"]
    drawn = len(sweep.nodes) > 1
    draws = draws_of(state.problem, state["outcomes"]) if drawn else None
    told = said_causes(draws, state.params)
    useful = usefulness(
        "the prototypes",
        None if draws is None or not told else median_noise_costs(draws, state.params),
        relevance.guarantees(state.params, state.problem),
        drawn=drawn,
    )
    strings = (
        [f"{one} {cause}" for one, cause in zip(useful, told, strict=True)] if told else useful
    )
    return Text(strings=strings, dims=("epsilon",), along=while_moving(state))
