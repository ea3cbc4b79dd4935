"""Prototype classifiers, private and not: generalised LVQ (GLVQ) and its matrix form (GMLVQ)."""

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
    """Load the estimators, and with them scikit-learn, only when they are asked for."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    """Return all public names, also those that are not loaded yet."""
    return sorted({*globals(), *__all__})
