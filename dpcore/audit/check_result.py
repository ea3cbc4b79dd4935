"""Result of a deterministic check, with the declared value, the measured value, and whether the check passes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore._types import Floats

__all__ = ["Check", "at_most", "lengths", "worst"]

_ROUNDING = 1e-6
"""Relative tolerance of checks.

If a sensitivity exceeds its declared value by this fraction, the relative change of ε is also only 10⁻⁶. Displayed
numbers have fewer digits.
"""


@dataclass(frozen=True, kw_only=True)
class Check:
    """Result of one check.

    - ``name`` is the name of the check.
    - ``declared`` and ``measured`` are the compared values, for example a declared and a measured sensitivity.
    - ``holds`` is True if the check passes.
    """

    name: str
    declared: float
    measured: float
    holds: bool


def at_most(name: str, declared: float, measured: float) -> Check:
    """Return a check that passes if the measured value is finite and at most the declared value, up to rounding."""
    holds = math.isfinite(measured) and measured <= declared * (1 + _ROUNDING)
    return Check(name=name, declared=declared, measured=measured, holds=holds)


def lengths(moves: Any) -> NDArray[np.float64]:
    """Return the Euclidean norms (...,) of vectors (..., d)."""
    return cast(Floats, np.sqrt(np.square(np.asarray(moves, float)).sum(-1)))


def worst(values: list[float]) -> float:
    """Return the largest of the values, or inf if one of them is not finite."""
    return math.inf if not np.isfinite(values).all() else max(values)
