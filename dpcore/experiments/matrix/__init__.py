"""Private relevance matrices: which features a private classifier looks at, at every ε.

As in `dpcore.experiments.relevance`, a *sweep* trains all noise levels at once on the same lots and
normals; ε and δ act through the noise multiplier σ alone, so moving them is a look-up.
"""

from dpcore.experiments.matrix.matrix_view import (
    N_EIGEN,
    MatrixView,
    matrix_view,
    relevances,
    sample,
)
from dpcore.experiments.matrix.noise import (
    PAPER_NOISE,
    matrix_noise,
    noisy_errors,
    read_readings,
)
from dpcore.experiments.matrix.outcomes import (
    MatrixOutcomes,
    n_draws_for,
    run_outcomes,
    whole_outcomes,
)
from dpcore.experiments.matrix.params import (
    DATASETS,
    FITTING,
    MATRIX_NOISE_GRID,
    PAPER,
    MatrixParams,
)
from dpcore.experiments.matrix.problem import MatrixProblem, named_problem, problem_of
from dpcore.experiments.matrix.spread import (
    N_SETTINGS,
    PAPER_SPREAD,
    SPREAD_EPSILONS,
    run_spread,
)
from dpcore.experiments.matrix.training import (
    LINE_TIMES,
    LINES,
    SLOW,
    Line,
    MatrixModel,
    MatrixSweep,
    Study,
    draft_epochs,
    draft_study,
    run_line,
    run_study,
    run_sweep,
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
    """Run the whole sweep of the data set the parameters name; see `run_sweep`.

    Parameters
    ----------
    params : MatrixParams
        Everything; its ``epsilon`` only says where ``MatrixSweep.at`` reads.

    Returns
    -------
    MatrixSweep
    """
    return run_sweep(problem_of(params), params)
