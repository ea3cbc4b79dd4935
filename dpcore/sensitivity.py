"""Sensitivities of simple statistics of records with public bounds.

The neighbouring relation is a required argument, because every sensitivity depends on it. Either one record is added
or removed, or one record is replaced while the number of records is public.
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
    """Return the sensitivity of class counts: 1 under add_remove, and 2 (L1) or √2 (L2) under replace_one.

    A replaced record may change the counts of two classes.
    """
    return (2.0 if _norm(norm) == 1 else math.sqrt(2)) if _replace(neighbouring) else 1.0


def count(*, neighbouring: Neighbouring) -> float:
    """Return the sensitivity of the number of records.

    The sensitivity is 1 under add_remove. Under replace_one the number is public, and the sensitivity is 0.
    """
    return 0.0 if _replace(neighbouring) else 1.0


def histogram(*, norm: int, neighbouring: Neighbouring) -> float:
    """Return the sensitivity of class counts: 1 under add_remove; 2 (L1) or √2 (L2) under replace_one."""
    return _factor(norm, neighbouring)


def class_sums(n_features: int, *, norm: int, neighbouring: Neighbouring) -> float:
    """Return the sensitivity of all class sums together, for records in [-1, 1]^d.

    A class sum is the sum of all records of a class. The sensitivity is d in the L1 norm and √d in the L2 norm. Under
    replace_one both are doubled, because the old and the new record may be opposite vectors of the same class.

    Parameters
    ----------
    n_features : int
        Number d ≥ 1 of features.
    norm : 1 or 2
        Norm of the sensitivity.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the compared data sets.

    Returns
    -------
    float
        Sensitivity of all class sums together.

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
    """Return the sensitivity of class counts and class sums that are released together.

    - Under add_remove the sensitivity is d + 1 in the L1 norm and √(d + 1) in the L2 norm.
    - Under replace_one it is 2(d + 1) in the L1 norm. In the L2 norm the upper bound 2√(d + 1) is returned; the exact
      value is the larger of √(2(d + 1)) and 2√d.

    Parameters
    ----------
    n_features : int
        Number d ≥ 1 of features, for records in [-1, 1]^d.
    norm : 1 or 2
        Norm of the sensitivity.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the compared data sets.

    Returns
    -------
    float
        Sensitivity, or an upper bound on it.
    """
    return class_sums(n_features + 1, norm=norm, neighbouring=neighbouring)


def mean(low: float, high: float, *, n_samples: int, neighbouring: Neighbouring) -> float:
    """Return (high - low)/n, the sensitivity under replace_one of the mean of n values in [low, high].

    Raises
    ------
    ValueError
        When ``neighbouring`` is "add_remove", because n is then private. Release a noisy sum and a noisy count
        instead.
    """
    if not _replace(neighbouring):
        raise ValueError(
            "neighbouring='add_remove' is not allowed for a mean: its n is then private. "
            "Release a noisy sum and a noisy count instead."
        )
    _checks.number("high", high, low=low)
    return (high - low) / _checks.integer("n_samples", n_samples, low=1)


def clipped_sum(clip_norm: float, *, neighbouring: Neighbouring, fixed_size: bool = False) -> float:
    """Return the L2 sensitivity of a sum of vectors clipped to norm C: C under add_remove, 2C under replace_one.

    If ``fixed_size`` is True, the sensitivity is always 2C, because an added record replaces another record in a lot
    (batch) of fixed size.
    """
    norm = _checks.number("clip_norm", clip_norm, low=0)
    return 2 * norm if fixed_size or _replace(neighbouring) else norm


def minimiser(
    lipschitz: float, strong_convexity: float, *, n_samples: int, neighbouring: Neighbouring
) -> float:
    """Return the L2 sensitivity of the minimiser of a mean of n losses that is μ-strongly convex.

    Every loss must be G-Lipschitz on the domain. The sensitivity is then 2G/(nμ) under replace_one. Under add_remove
    it is G/(nμ), where n is a public constant (Chaudhuri, Monteleoni and Sarwate 2011).
    """
    g = _checks.number("lipschitz", lipschitz, low=0)
    mu = _checks.number("strong_convexity", strong_convexity, low=0, open_low=True)
    one = g / (_checks.integer("n_samples", n_samples, low=1) * mu)
    return 2 * one if _replace(neighbouring) else one
