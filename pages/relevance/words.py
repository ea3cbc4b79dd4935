"""Texts of the Relevance learning page: a summary sentence, downloads, and the formula with numbers."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from dpcore.experiments import relevance
from dpcore.experiments.relevance import Problem, RelevanceParams, Sweep
from pages.relevance.figure import figure
from pages.relevance.pipeline import N_DRAWS
from ui.export import downloads, from_figure
from ui.figure_kit.usefulness import usefulness
from ui.frame.explanation import Explanation
from ui.live import Text
from ui.prototypes.estimates import causes_in_words, draws_of, median_noise_costs, while_moving
from ui.prototypes.program import prototype_program
from ui.prototypes.words import checks, formula, printed_sigma, shown, step_size
from ui.runner import PageState
from ui.upload.files import target_name
from ui.words import text
from ui.words.numbers import tex

__all__ = ["bundle", "meaning", "program", "prototype_table", "words"]

T = text.load_text(__file__)


def meaning(state: PageState[RelevanceParams]) -> Text:
    """Return the summary sentence for every ε: accuracy, protection, and the causes of the loss of accuracy."""
    sweep: Sweep = state["sweep"]
    is_drawn = len(sweep.nodes) > 1
    draws = draws_of(state.problem, state["outcomes"]) if is_drawn else None
    causes = causes_in_words(draws, state.params)
    useful = usefulness(
        T("meaning.subject"),
        None if draws is None or not causes else median_noise_costs(draws, state.params),
        relevance.guarantees(state.params, state.problem),
        is_computed=is_drawn,
    )
    strings = (
        [f"{one} {cause}" for one, cause in zip(useful, causes, strict=True)] if causes else useful
    )
    brief = useful if causes else ()
    return Text(strings=strings, brief=brief, dims=("epsilon",), along=while_moving(state))


def words(state: PageState[RelevanceParams]) -> Explanation:
    """Return the explanatory text below the figure, for the current parameters and results."""
    params = state.params
    return Explanation(
        shown=shown(params, N_DRAWS),
        formula=lambda: _formula(params),
        printed=lambda: printed_sigma(params),
        checks=checks(params, state.problem),
        bundle=bundle(state),
        tasks=T("words.tasks"),
        other=("matrix", T("words.next")),
    )


def _formula(params: RelevanceParams) -> None:
    formula(
        params,
        lambda sigma: (
            rf"W \leftarrow W - {step_size(params)}\Big(\sum_i \mathrm{{clip}}_C(g_i) + \sigma C Z\Big),"
            rf"\quad \sigma = {tex(sigma)},\ C = {tex(params.clip_norm)}",
        ),
    )


def bundle(state: PageState[RelevanceParams]) -> downloads.Bundle:
    """Return the files that a reader can download. Each file is computed when it is requested."""
    problem, target = state.problem, target_name("own_data")
    return from_figure.taken(
        figure,
        state,
        draws="curve",
        panels=("curve",),
        whole=("sweep",),
        tables={"prototypes": prototype_table},
        name="relevance",
        title=T("words.name", data=problem.dataset.title),
        guarantee=relevance.guarantee(state.params, problem),
        code=lambda chosen: program(chosen, problem, target),
    )


def program(params: RelevanceParams, problem: Problem, target: str) -> str:
    """Return the source code of a program that plots accuracy against ε.

    ``target`` names the column of a user's own table that holds the classes.
    """
    file = Path(__file__).with_name("program.py")
    own = "relevance.Problem(data, params.prototypes_per_class)"
    return prototype_program(file, params, problem.dataset, target, own)


def prototype_table(state: PageState[RelevanceParams]) -> pd.DataFrame:
    """Return a table of the private prototypes at the current ε, one per row, in the units of the data."""
    problem, data = state.problem, state.problem.dataset
    half, middle = (data.high - data.low) / 2, (data.high + data.low) / 2
    rows = state["sweep"].at(state.params.epsilon).prototypes * half + middle
    table = pd.DataFrame(rows, columns=list(data.feature_names))
    table.insert(0, "class", [data.classes[label] for label in problem.labels])
    return table
