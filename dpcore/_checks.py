"""Checks of arguments; an error message names the refused value, the allowed values and the remedy."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["SMALLEST_EPSILON", "delta", "ends", "epsilon", "integer", "number", "one_of", "scale"]

SMALLEST_EPSILON = 1e-12  # the noise of a smaller one leaves the range of a double


def _is_number(value: object) -> bool:
    if isinstance(value, bool | str | bytes) or not hasattr(value, "__float__"):
        return False
    try:
        return math.isfinite(float(value))
    except (OverflowError, TypeError):  # an int of 400 digits, an array of several numbers
        return False


def number(
    name: str,
    value: Any,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    open_low: bool = False,
    open_high: bool = False,
) -> float:
    """Return ``value`` as a float inside the interval from ``low`` to ``high``, or raise a ValueError."""
    inside = _is_number(value) and (
        (low < value if open_low else low <= value)
        and (value < high if open_high else value <= high)
    )
    if not inside:
        # An infinite end is excluded, so the interval is open there.
        left = "(" if open_low or math.isinf(low) else "["
        right = ")" if open_high or math.isinf(high) else "]"
        span = f"{left}{low:g}, {high:g}{right}"
        raise ValueError(f"{name}={_short(value)} is not allowed: give a number in {span}.")
    return float(value)


def integer(name: str, value: Any, *, low: int, high: int | None = None) -> int:
    """Return ``value`` as an int from ``low`` to ``high``, or raise a ValueError that names the allowed range."""
    top = math.inf if high is None else high
    if not _is_whole(value) or not low <= int(value) <= top:
        span = f"at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name}={_short(value)} is not allowed: give a whole number {span}.")
    return int(value)


def _is_whole(value: Any) -> bool:
    # Large ints lose digits as floats; very large ones overflow.
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return True
    return _is_number(value) and float(value) == int(value)


def _short(value: object) -> str:
    """Return a value as text for an error message; a very long text is truncated."""
    if isinstance(value, int) and abs(value) >= 10**40:
        return f"a number of about {int(value.bit_length() * math.log10(2)) + 1} digits"
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def one_of(name: str, value: Any, allowed: Collection[Any]) -> Any:
    """Return ``value`` if it is one of ``allowed``, or raise a ValueError that lists the allowed values."""
    if value not in allowed:
        choices = ", ".join(repr(choice) for choice in allowed)
        raise ValueError(f"{name}={_short(value)} is not allowed: choose one of {choices}.")
    return value


def epsilon(value: Any, *, low: float = 0.0) -> float:
    """Return ε as a float from ``low`` to inf, where inf means no privacy, or raise a ValueError."""
    if not isinstance(value, str) and value == math.inf:
        return math.inf
    try:
        return number("epsilon", value, low=low, open_low=low == 0)
    except ValueError as error:  # here infinity is allowed
        raise ValueError(str(error).replace("inf).", "inf], inf for no privacy.")) from None


def scale(name: str, value: Any) -> float:
    """Return a scale as a float in [1e-30, 1e30], or raise a ValueError.

    Products of several scales in this interval are finite.
    """
    return number(name, value, low=1e-30, high=1e30)


def delta(value: Any) -> float:
    """Return δ in (0, 1) as a float, or raise a ValueError."""
    return number("delta", value, low=0, high=1, open_low=True, open_high=True)


def ends(
    name: str, bounds: Any, n_features: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the bounds (low, high) of d features as two arrays (d,).

    ``low`` and ``high`` are numbers or arrays (d,). A number holds for every feature.

    Raises
    ------
    ValueError
        When an end has another shape or is not finite.
    """
    try:
        low, high = (np.asarray(end, float) for end in bounds)
    except (TypeError, ValueError):
        low = high = np.empty((0, 0))
    for end in (low, high):
        if end.shape not in ((), (1,), (n_features,)) or not np.isfinite(end).all():
            raise ValueError(
                f"{name}={_short(bounds)} is not allowed: give (low, high), each one finite number "
                f"or {n_features} of them, one for each column of the data."
            )
    return np.broadcast_to(low, n_features).copy(), np.broadcast_to(high, n_features).copy()
