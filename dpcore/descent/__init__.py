"""Private gradient descent of small models, and output and objective perturbation.

No per-example gradient is ever stored: a layer's gradient is an outer product, so its norm is a
product of norms, and the clipped sum is one matrix product of reweighted factors.
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
    """Load the estimator, and with it scikit-learn, only when it is asked for."""
    if name != "ObjectivePerturbationClassifier":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from dpcore.descent.private import ObjectivePerturbationClassifier

    return ObjectivePerturbationClassifier


def __dir__() -> list[str]:
    """Return all public names, also those that are not loaded yet."""
    return sorted({*globals(), *__all__})
