"""Formatting and parsing of numbers in the texts of exercises and in answers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from dpcore.exercises.arithmetic import compute
from dpcore.exercises.formulas import Value

__all__ = ["fill", "named", "read_number", "say"]

_FIELD = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_HIGH = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def say(value: Value, code: str = "") -> str:
    """Return a value as text.

    A number below 0.001 or from 10⁷ on has a power of ten and at most three significant digits. Other numbers are
    rounded to integers if they are at least 10,000, and to four significant digits if they are smaller and not whole.
    If given, ``code`` is a Python format specification that is used instead.

    Examples
    --------
    >>> say(0.5), say(1.3e-5), say(2500.0), say(1e-6)
    ('0.5', '1.3·10⁻⁵', '2500', '10⁻⁶')
    """
    if isinstance(value, bool | str):
        return str(value)
    if code:
        return format(value, code)
    if value and not 1e-3 <= abs(value) < 1e7:
        digits, power = f"{value:.2e}".split("e")
        digits = digits.rstrip("0").rstrip(".")
        ten = f"10{str(int(power)).translate(_HIGH)}"
        return {"1": ten, "-1": f"−{ten}"}.get(digits, f"{digits}·{ten}").replace("-", "−")
    whole = float(value).is_integer() or abs(value) >= 1e4
    text = f"{value:,.0f}" if whole else f"{value:.4g}"
    text = text.replace(",", "\u202f" if abs(value) >= 1e4 else "")
    return text.replace("-", "−")


def named(text: str) -> set[str]:
    """Return the set of names in braces in a text template."""
    return {match[1] for match in _FIELD.finditer(text)}


def fill(text: str, values: Mapping[str, Value]) -> str:
    """Return a text template with its names in braces replaced by values; ``{x:.2f}`` sets the format of x."""
    return _FIELD.sub(lambda match: say(values[match[1]], match[2] or ""), text)


def read_number(text: object) -> float:
    """Return the number in a student's answer.

    It may be written as 0.5, 0,5 or 1.3·10⁻⁵, or as arithmetic like ln(3)/2.

    Raises
    ------
    ValueError
        When the text is not a number, or can be read in two ways. The message is a sentence for the student.
    """
    if isinstance(text, int | float) and not isinstance(text, bool):
        try:
            value = float(text)
        except OverflowError:  # an integer of more than 308 digits
            value = math.inf
        if not math.isfinite(value):
            raise ValueError("This number is too large: write a finite number.")
        return value
    if not isinstance(text, str) or not text.strip():
        raise ValueError("There is no answer yet: write a number, such as 0.5.")
    return compute(text.strip())
