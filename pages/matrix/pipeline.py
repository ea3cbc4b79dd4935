"""What the matrix page computes: a study at every ε, other outcomes of it, trainings along the handles."""

from __future__ import annotations

from typing import Any

from dpcore import datasets
from dpcore.experiments import matrix, relevance
from dpcore.experiments.matrix import Line, MatrixOutcomes, MatrixParams, MatrixProblem, Study
from dpcore.experiments.relevance import NoisyStart
from ui.prototypes.noisy_start import starts_stage
from ui.prototypes.starts import draw_starts
from ui.runner import Context, Data, Pipeline, Stage, previews

__all__ = ["PIPELINE"]

_PERSON = ("person", "person_dx", "person_dy")


def _problem(
    own: datasets.OwnTable[datasets.Dataset] | None, params: MatrixParams, context: Context
) -> MatrixProblem:
    if own is not None:
        ready = own.under(relevance.neighbouring(params))
        return MatrixProblem(ready.data, params.prototypes_per_class, params.rank)
    if not datasets.available(params.dataset):
        title = datasets.info(params.dataset).title
        raise ValueError(
            f"{title} is not here: put its file into a folder and set DPCORE_DATA to it."
        )
    return matrix.problem_of(params)


def _study(problem: MatrixProblem, params: MatrixParams, context: Context) -> Study:
    return matrix.run_study(problem, params, progress=context.progress, check=context.check)


def _draft(problem: MatrixProblem, params: MatrixParams, context: Context) -> Study:
    return matrix.draft_study(problem, params)


def _outcomes(problem: MatrixProblem, params: MatrixParams, context: Context) -> MatrixOutcomes:
    wanted = matrix.n_draws_for(problem)

    def tell(found: MatrixOutcomes) -> None:
        draw = len(found.errors)
        context.progress(draw / wanted, f"draw {draw} of {wanted}")
        context.better(found)

    return matrix.whole_outcomes(problem, params, report=tell, check=context.check)


def _starts(
    problem: MatrixProblem, params: MatrixParams, context: Context
) -> dict[str, NoisyStart]:
    return draw_starts(problem, params)


def _preview(problem: MatrixProblem, params: MatrixParams, context: Context) -> Line:
    return matrix.run_line(
        problem, params, context.control, progress=context.progress, check=context.check
    )


def _spread(problem: MatrixProblem, params: MatrixParams, context: Context) -> dict[str, Any]:
    return matrix.run_spread(problem, params, progress=context.progress, check=context.check)


PIPELINE = Pipeline[MatrixParams](
    tab="Map",
    name="matrix",
    data=Data(
        "data",
        _problem,
        uses=("dataset", "prototypes_per_class", "rank", "lots"),
        own="own_data",
        instead={"dataset": "breast_cancer"},
        shown="Breast cancer is shown instead.",
    ),
    stages=[
        Stage(
            "study",
            _study,
            ignores=("epsilon", "matrix_noise_std", *_PERSON),
            draft=_draft,
            rests_on=("best_pair", "best_error"),
            wait=0.4,
            doing="Training at every noise level",
        ),
        *previews(
            _preview,
            *matrix.LINES,
            ignores=("matrix_noise_std", *_PERSON),
            after="study",
            doing="Training ahead along {}",
        ),
        Stage(
            "outcomes",
            _outcomes,
            ignores=("epsilon", "matrix_noise_std"),
            after="study",
            doing="Drawing other outcomes",
        ),
        starts_stage(_starts),
        Stage(
            "spread",
            _spread,
            ignores=("epsilon", "matrix_noise_std", *_PERSON),
            on_demand=True,
            wait=0.2,
        ),
    ],
)
