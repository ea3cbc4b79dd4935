"""Argument checks whose messages name the value, what is allowed and the remedy."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np

__all__ = ["delta", "epsilon", "integer", "number", "one_of"]


def _is_number(value: Any) -> bool:
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
    """Return ``value`` as a float inside the interval, or raise a ValueError saying why not."""
    inside = _is_number(value) and (
        (low < value if open_low else low <= value)
        and (value < high if open_high else value <= high)
    )
    if not inside:
        span = f"{'(' if open_low else '['}{low:g}, {high:g}{')' if open_high else ']'}"
        raise ValueError(f"{name}={_short(value)} is not allowed: give a number in {span}.")
    return float(value)


def integer(name: str, value: Any, *, low: int, high: int | None = None) -> int:
    """Return ``value`` as an int inside ``[low, high]``, or raise a ValueError saying why not."""
    top = math.inf if high is None else high
    if not _is_whole(value) or not low <= int(value) <= top:
        span = f"at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name}={_short(value)} is not allowed: give a whole number {span}.")
    return int(value)


def _is_whole(value: Any) -> bool:
    # A large int has no float of its own, and a very large one none at all.
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return True
    return _is_number(value) and float(value) == int(value)


def _short(value: Any) -> str:
    """How a message shows a value: whole, unless it is very long."""
    if isinstance(value, int) and abs(value) >= 10**40:
        return f"a number of about {int(value.bit_length() * math.log10(2)) + 1} digits"
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def one_of(name: str, value: Any, allowed: Collection[Any]) -> Any:
    """Return ``value`` when it is among ``allowed``, or raise a ValueError listing the choices."""
    if value not in allowed:
        choices = ", ".join(repr(choice) for choice in allowed)
        raise ValueError(f"{name}={_short(value)} is not allowed: choose one of {choices}.")
    return value


def epsilon(value: Any) -> float:
    """Return ε > 0 as a float, inf (no privacy asked for) included, or raise a ValueError."""
    return math.inf if value == math.inf else number("epsilon", value, low=0, open_low=True)


def delta(value: Any) -> float:
    """Return δ in (0, 1) as a float, or raise a ValueError."""
    return number("delta", value, low=0, high=1, open_low=True, open_high=True)
