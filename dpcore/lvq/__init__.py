"""Prototype classifiers with and without privacy: generalised LVQ (GLVQ) and its matrix form (GMLVQ)."""

from typing import TYPE_CHECKING

from dpcore._declared_bounds import BoundsEstimatedWarning
from dpcore.lvq import init, matrix, matrix_train, train
from dpcore.lvq.gradients import clipped_sum, error_rates, gradient_norms, predict

if TYPE_CHECKING:
    from dpcore.lvq.glvq import GLVQ
    from dpcore.lvq.gmlvq import GMLVQ
    from dpcore.lvq.private import DPGLVQ
    from dpcore.lvq.private_gmlvq import DPGMLVQ

__all__ = [
    "DPGLVQ",
    "DPGMLVQ",
    "GLVQ",
    "GMLVQ",
    "BoundsEstimatedWarning",
    "clipped_sum",
    "error_rates",
    "gradient_norms",
    "init",
    "matrix",
    "matrix_train",
    "predict",
    "train",
]

_LATER = {
    "GLVQ": "dpcore.lvq.glvq",
    "GMLVQ": "dpcore.lvq.gmlvq",
    "DPGLVQ": "dpcore.lvq.private",
    "DPGMLVQ": "dpcore.lvq.private_gmlvq",
}


def __getattr__(name: str) -> object:
    """Import a public name on first access, so scikit-learn loads only if an estimator is used."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    """Return the names in this module and all public names."""
    return sorted({*globals(), *__all__})
