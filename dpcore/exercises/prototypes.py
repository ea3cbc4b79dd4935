"""Steps of GLVQ and GMLVQ to compute by hand, for one sample with two features and two prototypes.

One prototype, a, has the class of the sample; the other one, b, has another class.
"""

from __future__ import annotations

import numpy as np

from dpcore import _checks
from dpcore._types import Floats
from dpcore.lvq import clipped_sum, gradient_norms
from dpcore.lvq import gradients as glvq

__all__ = [
    "glvq_cost",
    "glvq_moved",
    "glvq_norm",
    "gmlvq_distance",
    "relevance",
    "squared_distance",
]

_CLASS, _LABELS = np.array([0]), np.array([0, 1])


def _pair(x: tuple[float, float], *prototypes: tuple[float, float]) -> tuple[Floats, Floats]:
    return np.array([x], float), np.array(prototypes, float)


def squared_distance(x1: float, x2: float, w1: float, w2: float) -> float:
    """Return the squared Euclidean distance of a sample x to a prototype w."""
    return float(glvq.squared_distances(*_pair((x1, x2), (w1, w2)))[0, 0])


def glvq_cost(x1: float, x2: float, a1: float, a2: float, b1: float, b2: float) -> float:
    """Return μ = (d⁺ - d⁻)/(d⁺ + d⁻), the cost of a sample x.

    d⁺ is the squared distance of x to a, the prototype of its class. d⁻ is the squared distance of x to b, the
    prototype of another class.
    """
    X, W = _pair((x1, x2), (a1, a2), (b1, b2))
    return glvq.cost(X, _CLASS, W, _LABELS)


def glvq_norm(x1: float, x2: float, a1: float, a2: float, b1: float, b2: float) -> float:
    """Return the norm of the gradient of μ with respect to both prototypes together."""
    X, W = _pair((x1, x2), (a1, a2), (b1, b2))
    return float(gradient_norms(X, _CLASS, W=W, labels=_LABELS)[0])


def glvq_moved(
    x1: float, x2: float, a1: float, a2: float, b1: float, b2: float, rate: float, name: str
) -> float:
    """Return a coordinate of a prototype after one gradient descent step on μ.

    The step has no clipping and no noise. ``name`` is "a1" or "a2" for the prototype of the sample's class, "b1" or
    "b2" for the other prototype.
    """
    _checks.one_of("name", name, ("a1", "a2", "b1", "b2"))
    X, W = _pair((x1, x2), (a1, a2), (b1, b2))
    moved = W - rate * clipped_sum(X, _CLASS, W=W, labels=_LABELS)
    return float(moved["ab".index(name[0]), int(name[1]) - 1])


def gmlvq_distance(u1: float, u2: float, o11: float, o12: float, o22: float) -> float:
    """Return uᵀΩᵀΩu, GMLVQ's squared distance for a difference u and Ω = ((o11, o12), (0, o22))."""
    omega = np.array([[o11, o12], [0.0, o22]])
    return float(np.square(omega @ np.array([u1, u2])).sum())


def relevance(o11: float, o12: float, o22: float, feature: float) -> float:
    """Return Λ_jj/trace Λ, the relevance of feature j = 1 or 2, for Λ = ΩᵀΩ and Ω = ((o11, o12), (0, o22))."""
    omega = np.array([[o11, o12], [0.0, o22]])
    diagonal = np.square(omega).sum(0)
    return float(diagonal[_checks.integer("feature", feature, low=1, high=2) - 1] / diagonal.sum())
