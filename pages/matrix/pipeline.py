"""Computations of the Relevance matrix page: models at every ε, repeated draws, and previews of sliders."""

from __future__ import annotations

from typing import Any

from dpcore import datasets
from dpcore.experiments import matrix, relevance
from dpcore.experiments.matrix import Line, MatrixOutcomes, MatrixParams, MatrixProblem, Study
from ui.figure_kit.outcomes import enough
from ui.prototypes.pipeline import PERSON, doing, is_quick, starts_stage
from ui.runner import Context, Data, Pipeline, Stage, previews
from ui.words import text

__all__ = ["PIPELINE"]

T = text.load_text(__file__)


def _problem(
    own: datasets.OwnTable[datasets.Dataset] | None, params: MatrixParams, context: Context
) -> MatrixProblem:
    if own is not None:
        ready = own.under(relevance.neighbouring(params))
        return MatrixProblem(ready.data, params.prototypes_per_class, params.rank)
    if not datasets.available(params.dataset):
        title = datasets.info(params.dataset).title
        raise ValueError(T("data.missing", title=title))
    return matrix.problem_of(params)


def _study(problem: MatrixProblem, params: MatrixParams, context: Context) -> Study:
    return matrix.run_study(problem, params, progress=context.progress, check=context.check)


def _draft(problem: MatrixProblem, params: MatrixParams, context: Context) -> Study:
    return matrix.draft_study(problem, params)


def _outcomes(problem: MatrixProblem, params: MatrixParams, context: Context) -> MatrixOutcomes:
    wanted = matrix.n_draws_for(problem)

    def report(outcomes: MatrixOutcomes) -> None:
        draw = len(outcomes.errors)
        context.progress(draw / wanted, doing("draw", draw=draw, all=wanted))
        if enough(draw, wanted):
            context.better(outcomes)

    return matrix.whole_outcomes(problem, params, report=report, check=context.check)


def _few_outcomes(
    problem: MatrixProblem, params: MatrixParams, context: Context
) -> MatrixOutcomes | None:
    """Return a few repeated draws as a quick first result.

    Return None if the user has not chosen a record to remove, or if trainings on the data set are slow.
    """
    chosen = any(getattr(params, name) for name in PERSON)
    return matrix.draft_outcomes(problem, params) if chosen and is_quick(problem) else None


def _preview(problem: MatrixProblem, params: MatrixParams, context: Context) -> Line:
    return matrix.run_line(
        problem, params, context.control, progress=context.progress, check=context.check
    )


def _spread(problem: MatrixProblem, params: MatrixParams, context: Context) -> dict[str, Any]:
    return matrix.run_spread(problem, params, progress=context.progress, check=context.check)


PIPELINE = Pipeline[MatrixParams](
    tab=T("panels.plain_map.tab"),
    name="matrix",
    data=Data(
        "data",
        _problem,
        uses=("dataset", "prototypes_per_class", "rank", "lots"),
        own="own_data",
        instead={"dataset": "breast_cancer"},
        shown=T("data.instead"),
    ),
    stages=[
        Stage(
            "study",
            _study,
            ignores=("epsilon", "matrix_noise_std", *PERSON),
            draft=_draft,
            rests_on=("best_pair", "best_error"),
            ships=True,
            wait=0.4,
            doing=doing("sweep"),
        ),
        *previews(
            _preview,
            *matrix.LINES,
            ignores=("matrix_noise_std", *PERSON),
            after="study",
            doing=doing("ahead"),
        ),
        Stage(
            "outcomes",
            _outcomes,
            ignores=("epsilon", "matrix_noise_std"),
            draft=_few_outcomes,
            ships=True,
            after="study",
            doing=doing("outcomes"),
        ),
        starts_stage(),
        Stage(
            "spread",
            _spread,
            ignores=("epsilon", "matrix_noise_std", *PERSON),
            on_demand=True,
            wait=0.2,
        ),
    ],
)
