"""Sensitivities of simple statistics under public bounds.

The neighbouring relation is always asked for, because every number depends on it: one record added
or removed, or one record replaced with the number of records public.
"""

from __future__ import annotations

import math

from dpcore import _checks
from dpcore.guarantee import Neighbouring

__all__ = [
    "class_sums",
    "clipped_sum",
    "count",
    "counts_and_sums",
    "histogram",
    "mean",
    "minimiser",
]


def _replace(neighbouring: Neighbouring) -> bool:
    _checks.one_of("neighbouring", neighbouring, ("add_remove", "replace_one"))
    return neighbouring == "replace_one"


def _norm(norm: int) -> int:
    return int(_checks.one_of("norm", norm, (1, 2)))


def _factor(norm: int, neighbouring: Neighbouring) -> float:
    """Return the factor of replacement, which changes two disjoint cells: 2 in L1, √2 in L2."""
    return (2.0 if _norm(norm) == 1 else math.sqrt(2)) if _replace(neighbouring) else 1.0


def count(*, neighbouring: Neighbouring) -> float:
    """Return the sensitivity of the number of records: 1, or 0 where it is public (replace_one)."""
    return 0.0 if _replace(neighbouring) else 1.0


def histogram(*, norm: int, neighbouring: Neighbouring) -> float:
    """Return the sensitivity of class counts: 1, or 2 (L1) and √2 (L2) under replace_one."""
    return _factor(norm, neighbouring)


def class_sums(n_features: int, *, norm: int, neighbouring: Neighbouring) -> float:
    """Return the sensitivity of the sums of records per class, records in [-1, 1]^d.

    L1: d, L2: √d; twice that under replace_one, because both records may be of one class, opposite.

    Parameters
    ----------
    n_features : int
        d ≥ 1.
    norm : 1 or 2
        Norm of the sensitivity.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the compared data sets.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        When an argument is not allowed.

    Examples
    --------
    >>> class_sums(16, norm=2, neighbouring="add_remove")
    4.0
    """
    d = _checks.integer("n_features", n_features, low=1)
    one = float(d) if _norm(norm) == 1 else math.sqrt(d)
    return 2 * one if _replace(neighbouring) else one


def counts_and_sums(n_features: int, *, norm: int, neighbouring: Neighbouring) -> float:
    """Return the sensitivity of class counts and class sums released together.

    L1: d + 1, L2: √(d + 1). Under replace_one two classes may change, or one class by 2 in every
    sum: L1 2(d + 1); L2 the larger of √(2(d + 1)) and 2√d, bounded here by 2√(d + 1).

    Parameters
    ----------
    n_features : int
        d ≥ 1; records in [-1, 1]^d.
    norm : 1 or 2
        Norm of the sensitivity.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the compared data sets.

    Returns
    -------
    float
    """
    return class_sums(n_features + 1, norm=norm, neighbouring=neighbouring)


def mean(low: float, high: float, *, n_samples: int, neighbouring: Neighbouring) -> float:
    """Return (high - low)/n, the sensitivity of the mean of n values; n must be public.

    Raises
    ------
    ValueError
        Under add_remove, where n is not public: release a noisy sum and a noisy count instead.
    """
    if not _replace(neighbouring):
        raise ValueError(
            "neighbouring='add_remove' is not allowed for a mean: its n is then private. "
            "Release a noisy sum and a noisy count instead."
        )
    _checks.number("high", high, low=low)
    return (high - low) / _checks.integer("n_samples", n_samples, low=1)


def clipped_sum(clip_norm: float, *, neighbouring: Neighbouring, fixed_size: bool = False) -> float:
    """Return the L2 sensitivity of a sum of vectors clipped at C: C, or 2C.

    2C under replace_one, and also when the lot has a fixed size: a record that joins then pushes
    another one out.
    """
    norm = _checks.number("clip_norm", clip_norm, low=0)
    return 2 * norm if fixed_size or _replace(neighbouring) else norm


def minimiser(
    lipschitz: float, strong_convexity: float, *, n_samples: int, neighbouring: Neighbouring
) -> float:
    """Return the L2 sensitivity of the minimiser of a μ-strongly convex mean of n losses.

    2G/(nμ) under replace_one, G/(nμ) under add_remove with n a fixed public constant; every loss
    G-Lipschitz on the domain (Chaudhuri, Monteleoni and Sarwate 2011).
    """
    g = _checks.number("lipschitz", lipschitz, low=0)
    mu = _checks.number("strong_convexity", strong_convexity, low=0, open_low=True)
    one = g / (_checks.integer("n_samples", n_samples, low=1) * mu)
    return 2 * one if _replace(neighbouring) else one
