"""Private linear regression, with noise on the sufficient statistics, on the solution or on the gradients."""

from typing import TYPE_CHECKING

from dpcore.regression import sensitivity, splits
from dpcore.regression.statistics import Bounds, SufficientStatistics, sufficient_statistics

if TYPE_CHECKING:
    from dpcore.regression.baselines import ada_ssp
    from dpcore.regression.descent import gradient_descent
    from dpcore.regression.draws import (
        Draws,
        functional_mechanism,
        gaussian_statistics,
        joint_release,
    )
    from dpcore.regression.estimators import (
        AdaSSP,
        DPGradientDescentRegression,
        FunctionalMechanismRegression,
        OutputPerturbationRegression,
        SufficientStatisticsRegression,
    )
    from dpcore.regression.perturbed_solution import output_perturbation
    from dpcore.regression.solve import Repair

__all__ = [
    "AdaSSP",
    "Bounds",
    "DPGradientDescentRegression",
    "Draws",
    "FunctionalMechanismRegression",
    "OutputPerturbationRegression",
    "Repair",
    "SufficientStatistics",
    "SufficientStatisticsRegression",
    "ada_ssp",
    "functional_mechanism",
    "gaussian_statistics",
    "gradient_descent",
    "joint_release",
    "output_perturbation",
    "sensitivity",
    "splits",
    "sufficient_statistics",
]

_LATER = {
    "AdaSSP": "estimators",
    "DPGradientDescentRegression": "estimators",
    "Draws": "draws",
    "FunctionalMechanismRegression": "estimators",
    "OutputPerturbationRegression": "estimators",
    "Repair": "solve",
    "SufficientStatisticsRegression": "estimators",
    "ada_ssp": "baselines",
    "functional_mechanism": "draws",
    "gaussian_statistics": "draws",
    "gradient_descent": "descent",
    "joint_release": "draws",
    "output_perturbation": "perturbed_solution",
}


def __getattr__(name: str) -> object:
    """Import a public name on first access, so scikit-learn loads only if an estimator is used."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"dpcore.regression.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    """Return the names in this module and all public names."""
    return sorted({*globals(), *__all__})
