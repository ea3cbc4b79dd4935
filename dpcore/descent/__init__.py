"""Private gradient descent of small models, and output and objective perturbation.

Training needs no array of per-example gradients. In a layer, a record's gradient is the outer product of two vectors,
the layer's inputs and errors. The norm of the gradient is the product of their norms. The sum of all clipped
gradients is one matrix product of inputs and rescaled errors.
"""

from typing import TYPE_CHECKING

from dpcore.descent.erm import RegularisedLogistic, minimise, output_sensitivity
from dpcore.descent.models import Logistic, Model, Network, Softmax, SoftmaxNetwork
from dpcore.descent.objective import (
    ObjectiveNoise,
    objective_delta,
    objective_noise,
    perturbed_minimiser,
    unit_rows,
)
from dpcore.descent.train import CLIPPING, Path, Recipe, descend

if TYPE_CHECKING:
    from dpcore.descent.private import ObjectivePerturbationClassifier

__all__ = [
    "CLIPPING",
    "Logistic",
    "Model",
    "Network",
    "ObjectiveNoise",
    "ObjectivePerturbationClassifier",
    "Path",
    "Recipe",
    "RegularisedLogistic",
    "Softmax",
    "SoftmaxNetwork",
    "descend",
    "minimise",
    "objective_delta",
    "objective_noise",
    "output_sensitivity",
    "perturbed_minimiser",
    "unit_rows",
]


def __getattr__(name: str) -> object:
    """Import the estimator on first access, so scikit-learn loads only if it is used."""
    if name != "ObjectivePerturbationClassifier":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from dpcore.descent.private import ObjectivePerturbationClassifier

    return ObjectivePerturbationClassifier


def __dir__() -> list[str]:
    """Return the names in this module and all public names."""
    return sorted({*globals(), *__all__})
