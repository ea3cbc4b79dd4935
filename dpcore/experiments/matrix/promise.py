"""The code that reproduces the matrix figure; the guarantee is that of the prototype page."""

from __future__ import annotations

from dpcore.experiments.matrix.params import MatrixParams
from dpcore.experiments.relevance.promise import guarantee

__all__ = ["code", "guarantee"]


def code(params: MatrixParams) -> str:
    """Return the program that reproduces the figure."""
    return (
        "from dpcore.experiments import matrix\n\n"
        f"params = matrix.{params.to_code()}\n"
        "sweep = matrix.run(params)             # every noise level at once\n"
        "model = sweep.at(params.epsilon)       # what the handle shows\n"
        "names = matrix.problem_of(params).dataset.feature_names\n"
        'print(f"accuracy {model.accuracy:.3f}, noise multiplier {model.noise_multiplier:.3f}")\n'
        "for k in model.relevances.argsort()[:-4:-1]:\n"
        '    print(f"{names[k]}: relevance {model.relevances[k]:.1%}")\n'
    )
