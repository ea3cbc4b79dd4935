"""Argument checks whose messages name the value, what is allowed and the remedy."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

__all__ = ["delta", "epsilon", "integer", "number", "one_of"]


def _is_number(value: Any) -> bool:
    return (
        not isinstance(value, bool | str | bytes) and hasattr(value, "__float__")
    ) and math.isfinite(float(value))


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
        raise ValueError(f"{name}={value!r} is not allowed: give a number in {span}.")
    return float(value)


def integer(name: str, value: Any, *, low: int, high: int | None = None) -> int:
    """Return ``value`` as an int inside ``[low, high]``, or raise a ValueError saying why not."""
    top = math.inf if high is None else high
    whole = _is_number(value) and float(value) == int(value)
    if not whole or not low <= int(value) <= top:
        span = f"at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name}={value!r} is not allowed: give a whole number {span}.")
    return int(value)


def one_of(name: str, value: Any, allowed: Collection[Any]) -> Any:
    """Return ``value`` when it is among ``allowed``, or raise a ValueError listing the choices."""
    if value not in allowed:
        choices = ", ".join(repr(choice) for choice in allowed)
        raise ValueError(f"{name}={value!r} is not allowed: choose one of {choices}.")
    return value


def epsilon(value: Any) -> float:
    """Return ε > 0 as a float, inf (no privacy asked for) included, or raise a ValueError."""
    return math.inf if value == math.inf else number("epsilon", value, low=0, open_low=True)


def delta(value: Any) -> float:
    """Return δ in (0, 1) as a float, or raise a ValueError."""
    return number("delta", value, low=0, high=1, open_low=True, open_high=True)
