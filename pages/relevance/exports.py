"""What can be taken along from the relevance page."""

from __future__ import annotations

import pandas as pd

from dpcore.experiments import relevance
from dpcore.experiments.relevance import RelevanceParams
from pages.relevance.figure import figure
from ui.export import downloads, from_figure
from ui.runner import PageState
from ui.upload import tokens

__all__ = ["bundle", "prototype_table"]


def bundle(state: PageState[RelevanceParams]) -> downloads.Bundle:
    """Return what can be taken along; it is made when it is asked for."""
    problem, target = state.problem, tokens.target("own_data")
    return from_figure.taken(
        figure,
        state,
        draws="curve",
        panels=("curve",),
        whole=("sweep",),
        tables={"prototypes": prototype_table},
        name="relevance",
        title=f"Private prototypes on {problem.dataset.title}",
        guarantee=relevance.guarantee(state.params, problem),
        code=lambda chosen: relevance.code(chosen, problem, target),
    )


def prototype_table(state: PageState[RelevanceParams]) -> pd.DataFrame:
    """Return the private prototypes at ε in the units of the data, one row each."""
    problem, data = state.problem, state.problem.dataset
    half, middle = (data.high - data.low) / 2, (data.high + data.low) / 2
    found = state["sweep"].at(state.params.epsilon).prototypes * half + middle
    table = pd.DataFrame(found, columns=list(data.feature_names))
    table.insert(0, "class", [data.classes[label] for label in problem.labels])
    return table
