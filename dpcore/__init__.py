"""Differential privacy for learning: mechanisms, accountants, private estimators.

The names that most programs need can be imported from this package; all other names are in its subpackages. A name is
loaded when it is first used, so that importing this package loads no large module.

Examples
--------
>>> import dpcore
>>> count = dpcore.Laplace(epsilon=0.5)
>>> count.privacy.epsilon
0.5
>>> round(dpcore.noise_multiplier(2.0, 1e-5, sample_rate=0.01, n_steps=5000), 2)
1.59
"""

from importlib import import_module
from typing import TYPE_CHECKING

from dpcore._copies import BudgetError, RepeatedFitsWarning
from dpcore._declared_bounds import BoundsEstimatedWarning, SizeFromDataWarning
from dpcore._random_state import SeededNoiseWarning
from dpcore.guarantee import Guarantee, Part

if TYPE_CHECKING:
    from dpcore.accounting import epsilon, loss_tail, noise_multiplier, spent
    from dpcore.autoencoder import ClassGaussians
    from dpcore.budget import BudgetAccountant
    from dpcore.descent import ObjectivePerturbationClassifier
    from dpcore.estimate import Estimate
    from dpcore.kahm import CentralClassMean, KAHMClassifier
    from dpcore.lvq import DPGLVQ, DPGMLVQ, GLVQ, GMLVQ
    from dpcore.mechanisms import Exponential, Gaussian, Laplace, RandomizedResponse, Staircase
    from dpcore.pipeline import pipeline_guarantee
    from dpcore.preprocessing import BoundedScaler
    from dpcore.regression import (
        AdaSSP,
        DPGradientDescentRegression,
        FunctionalMechanismRegression,
        OutputPerturbationRegression,
        SufficientStatisticsRegression,
    )

_HOMES = {
    "accounting": ("epsilon", "loss_tail", "noise_multiplier", "spent"),
    "autoencoder": ("ClassGaussians",),
    "budget": ("BudgetAccountant",),
    "descent": ("ObjectivePerturbationClassifier",),
    "estimate": ("Estimate",),
    "kahm": ("CentralClassMean", "KAHMClassifier"),
    "lvq": ("DPGLVQ", "DPGMLVQ", "GLVQ", "GMLVQ"),
    "mechanisms": ("Exponential", "Gaussian", "Laplace", "RandomizedResponse", "Staircase"),
    "pipeline": ("pipeline_guarantee",),
    "preprocessing": ("BoundedScaler",),
    "regression": (
        "AdaSSP", "DPGradientDescentRegression", "FunctionalMechanismRegression",
        "OutputPerturbationRegression", "SufficientStatisticsRegression",
    ),
}  # fmt: skip
_LATER = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "DPGLVQ",
    "DPGMLVQ",
    "GLVQ",
    "GMLVQ",
    "AdaSSP",
    "BoundedScaler",
    "BoundsEstimatedWarning",
    "BudgetAccountant",
    "BudgetError",
    "CentralClassMean",
    "ClassGaussians",
    "DPGradientDescentRegression",
    "Estimate",
    "Exponential",
    "FunctionalMechanismRegression",
    "Gaussian",
    "Guarantee",
    "KAHMClassifier",
    "Laplace",
    "ObjectivePerturbationClassifier",
    "OutputPerturbationRegression",
    "Part",
    "RandomizedResponse",
    "RepeatedFitsWarning",
    "SeededNoiseWarning",
    "SizeFromDataWarning",
    "Staircase",
    "SufficientStatisticsRegression",
    "__version__",
    "epsilon",
    "loss_tail",
    "noise_multiplier",
    "pipeline_guarantee",
    "spent",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Load a name from its subpackage when it is first used."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    attribute = getattr(import_module(f"dpcore.{_LATER[name]}"), name)
    globals()[name] = attribute
    return attribute


def __dir__() -> list[str]:
    """Return all public names, whether or not they are loaded yet."""
    return sorted({*globals(), *__all__})
