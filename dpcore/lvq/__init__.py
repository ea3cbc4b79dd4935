"""Prototype classifiers, plain and private: generalised learning vector quantisation (GLVQ)."""

from typing import TYPE_CHECKING, Any

from dpcore.lvq import init, train
from dpcore.lvq.gradients import clipped_sum, error_rates, gradient_norms, predict

if TYPE_CHECKING:
    from dpcore.lvq.glvq import GLVQ
    from dpcore.lvq.private import DPGLVQ, BoundsEstimatedWarning

__all__ = [
    "DPGLVQ",
    "GLVQ",
    "BoundsEstimatedWarning",
    "clipped_sum",
    "error_rates",
    "gradient_norms",
    "init",
    "predict",
    "train",
]

_LATER = {
    "GLVQ": "dpcore.lvq.glvq",
    "DPGLVQ": "dpcore.lvq.private",
    "BoundsEstimatedWarning": "dpcore.lvq.private",
}


def __getattr__(name: str) -> Any:
    """Load the estimators, and with them scikit-learn, only when they are asked for."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)
