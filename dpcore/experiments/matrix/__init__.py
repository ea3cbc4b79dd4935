"""Experiment of the Relevance matrix page: which features a private classifier uses, at every ε.

A *sweep* trains at all noise levels at once, on the same batches. All levels have the same standard
normal noise, scaled for each level. ε and δ affect the training only through the noise multiplier
σ, so results for other ε and δ are looked up in the sweep.
"""

from dpcore.experiments.matrix.noise import (
    PAPER_NOISE,
    matrix_noise,
    noisy_errors,
    read_readings,
)
from dpcore.experiments.matrix.outcomes import (
    N_SETTINGS,
    PAPER_SPREAD,
    SPREAD_EPSILONS,
    MatrixOutcomes,
    draft_outcomes,
    n_draws_for,
    run_outcomes,
    run_spread,
    whole_outcomes,
)
from dpcore.experiments.matrix.params import (
    DATASETS,
    FITTING,
    MATRIX_NOISE_GRID,
    PAPER,
    MatrixParams,
    MatrixProblem,
    named_problem,
    problem_of,
)
from dpcore.experiments.matrix.training import (
    LINE_TIMES,
    LINES,
    N_EIGEN,
    SLOW,
    Line,
    MatrixModel,
    MatrixSweep,
    MatrixView,
    Study,
    draft_epochs,
    draft_study,
    matrix_view,
    relevances,
    run_line,
    run_study,
    run_sweep,
    sample,
)
from dpcore.experiments.relevance import guarantee, guarantees

__all__ = [
    "DATASETS",
    "FITTING",
    "LINES",
    "LINE_TIMES",
    "MATRIX_NOISE_GRID",
    "N_EIGEN",
    "N_SETTINGS",
    "PAPER",
    "PAPER_NOISE",
    "PAPER_SPREAD",
    "SLOW",
    "SPREAD_EPSILONS",
    "Line",
    "MatrixModel",
    "MatrixOutcomes",
    "MatrixParams",
    "MatrixProblem",
    "MatrixSweep",
    "MatrixView",
    "Study",
    "draft_epochs",
    "draft_outcomes",
    "draft_study",
    "guarantee",
    "guarantees",
    "matrix_noise",
    "matrix_view",
    "n_draws_for",
    "named_problem",
    "noisy_errors",
    "problem_of",
    "read_readings",
    "relevances",
    "run",
    "run_line",
    "run_outcomes",
    "run_spread",
    "run_study",
    "run_sweep",
    "sample",
    "whole_outcomes",
]


def run(params: MatrixParams) -> MatrixSweep:
    """Return the trainings at all noise levels for the data set of the parameters.

    See `run_sweep`.

    Parameters
    ----------
    params : MatrixParams
        All settings; ``epsilon`` does not affect the sweep.

    Returns
    -------
    MatrixSweep
    """
    return run_sweep(problem_of(params), params)
