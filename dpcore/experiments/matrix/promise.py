"""The code that reproduces the matrix figure; the guarantee is that of the prototype page."""

from __future__ import annotations

from dpcore.experiments.matrix.params import MatrixParams
from dpcore.experiments.matrix.problem import MatrixProblem
from dpcore.experiments.relevance.promise import guarantee

__all__ = ["code", "guarantee"]


def code(
    params: MatrixParams, problem: MatrixProblem | None = None, target: str = "your class column"
) -> str:
    """Return the program that reproduces the figure.

    Of own data ``problem`` tells the features and bounds, ``target`` the column with the class.
    """
    own = params.dataset == "own"
    made = _own(params, problem, target) if own else "problem = matrix.problem_of(params)\n"
    return (
        "from dpcore.experiments import matrix\n\n"
        f"params = matrix.{params.to_code()}\n"
        f"{made}"
        "sweep = matrix.run_sweep(problem, params)  # every noise level at once\n"
        "model = sweep.at(params.epsilon)           # what the handle shows\n"
        "names = problem.dataset.feature_names\n"
        'print(f"accuracy {model.accuracy:.3f}, noise multiplier {model.noise_multiplier:.3f}")\n'
        "for k in model.relevances.argsort()[:-4:-1]:\n"
        '    print(f"{names[k]}: relevance {model.relevances[k]:.1%}")\n'
    )


def _own(params: MatrixParams, problem: MatrixProblem | None, target: str) -> str:
    if problem is None:
        raise ValueError("dataset='own' needs its problem: the code names its columns and bounds.")
    data = problem.dataset
    bounds = (
        "estimate_bounds=True"
        if data.bounds_status == "estimated"
        else f"low={data.low.tolist()}, high={data.high.tolist()}"
    )
    return (
        "from dpcore.datasets import read_csv\n\n"
        "table = read_csv('your.csv')  # the file you gave\n"
        f"data = table.to_dataset({target!r}, {list(data.feature_names)!r}, {bounds})\n"
        f"problem = matrix.MatrixProblem(data, {params.prototypes_per_class}, {params.rank!r})\n"
    )
