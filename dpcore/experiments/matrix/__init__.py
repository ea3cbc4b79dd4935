"""Private relevance matrices: which features a private classifier looks at, at every ε.

As in `dpcore.experiments.relevance`, a *sweep* trains all noise levels at once on the same lots and
normals; ε and δ act through the noise multiplier σ alone, so moving them is a look-up.
"""

from dpcore.experiments.matrix.guarantee import code, guarantee
from dpcore.experiments.matrix.kept import SLOW
from dpcore.experiments.matrix.lines import LINE_TIMES, LINES, Line, run_line
from dpcore.experiments.matrix.look import N_EIGEN, Look, look, sample
from dpcore.experiments.matrix.noise import N_TOUCHES, PAPER_NOISE, matrix_noise, noisy_errors
from dpcore.experiments.matrix.outcomes import (
    MatrixOutcomes,
    n_draws_for,
    run_outcomes,
    whole_outcomes,
)
from dpcore.experiments.matrix.params import DATASETS, FITTING, PAPER, TOUCH_GRID, MatrixParams
from dpcore.experiments.matrix.problem import MatrixProblem, named_problem, problem_of
from dpcore.experiments.matrix.spread import (
    N_SETTINGS,
    PAPER_SPREAD,
    SPREAD_EPSILONS,
    run_spread,
)
from dpcore.experiments.matrix.study import Study, quick_epochs, quick_study, run_study
from dpcore.experiments.matrix.sweep import MatrixModel, MatrixSweep, relevances, run_sweep

__all__ = [
    "DATASETS",
    "FITTING",
    "LINES",
    "LINE_TIMES",
    "N_EIGEN",
    "N_SETTINGS",
    "N_TOUCHES",
    "PAPER",
    "PAPER_NOISE",
    "PAPER_SPREAD",
    "SLOW",
    "SPREAD_EPSILONS",
    "TOUCH_GRID",
    "Line",
    "Look",
    "MatrixModel",
    "MatrixOutcomes",
    "MatrixParams",
    "MatrixProblem",
    "MatrixSweep",
    "Study",
    "code",
    "guarantee",
    "look",
    "matrix_noise",
    "n_draws_for",
    "named_problem",
    "noisy_errors",
    "problem_of",
    "quick_epochs",
    "quick_study",
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
