"""The one sentence of Relevance learning that says what its figure shows now."""

from __future__ import annotations

from dpcore.experiments import relevance
from dpcore.experiments.relevance import RelevanceParams, Sweep
from ui.figure_kit.usefulness import usefulness
from ui.live import Text
from ui.runner import PageState

__all__ = ["meaning"]


def meaning(state: PageState[RelevanceParams]) -> Text:
    """Return the sentence for every ε."""
    sweep: Sweep = state["sweep"]
    method = 1 - float(sweep.method_errors[-1])
    return Text(
        strings=usefulness(
            "the prototypes",
            (method - sweep.accuracies()).tolist(),
            [float(epsilon) for epsilon in relevance.real_epsilons(state.params)],
            drawn=len(sweep.nodes) > 1,
        ),
        dims=("epsilon",),
    )
