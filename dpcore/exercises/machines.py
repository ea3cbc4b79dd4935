"""Kernel affine hull machines of two points, to compute by hand: membership, weights and image."""

from __future__ import annotations

import numpy as np

from dpcore import _checks

__all__ = ["hull_image", "hull_weight", "membership"]


def membership(kernel: float, ridge: float, *, own: bool = True) -> float:
    """Return h¹(x¹) or h²(x¹), the smoothed membership of the first of two points.

    Parameters
    ----------
    kernel : float
        Kernel κ = k(x¹, x²) in [0, 1) of the two points, with k(x, x) = 1.
    ridge : float
        Regularisation λ > 0.
    own : bool
        True for h¹, the membership in {x¹}; False for h², the membership in {x²}.
    """
    _checks.number("kernel", kernel, low=0, high=1, open_high=True)
    _checks.number("ridge", ridge, low=0, open_low=True)
    gram = np.array([[1.0, kernel], [kernel, 1.0]])
    memberships = gram @ np.linalg.inv(gram + ridge * np.eye(2))
    return float(memberships[0, 0 if own else 1])


def hull_weight(kernel: float, ridge: float) -> float:
    """Return h²(x¹)/(h¹(x¹) + h²(x¹)), the second point's weight in the image of the first."""
    other = membership(kernel, ridge, own=False)
    return other / (membership(kernel, ridge) + other)


def hull_image(first: float, second: float, kernel: float, ridge: float) -> float:
    """Return the image of the first of two numbers under the kernel affine hull machine of these two."""
    return first + hull_weight(kernel, ridge) * (second - first)
