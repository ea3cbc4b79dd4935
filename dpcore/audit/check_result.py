"""Result of one deterministic check: declared and measured value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore._types import Floats

__all__ = ["Check", "at_most", "lengths", "worst"]

_ROUNDING = 1e-6
"""A sensitivity exceeded by less moves ε by a millionth of itself, below every digit that is shown."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """Declared value, measured value, and whether the declaration holds."""

    name: str
    declared: float
    measured: float
    holds: bool


def at_most(name: str, declared: float, measured: float) -> Check:
    """Return a check that a measured value is at most the declared one; non-finite values fail."""
    holds = math.isfinite(measured) and measured <= declared * (1 + _ROUNDING)
    return Check(name=name, declared=declared, measured=measured, holds=holds)


def lengths(moves: Any) -> NDArray[np.float64]:
    """Return the Euclidean norm of each row, (...,), of vectors (..., d)."""
    return cast(Floats, np.sqrt(np.square(np.asarray(moves, float)).sum(-1)))


def worst(found: list[float]) -> float:
    """Return the largest value, or inf if any is not finite."""
    return math.inf if not np.isfinite(found).all() else max(found)
