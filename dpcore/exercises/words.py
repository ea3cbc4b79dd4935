"""Formatting and parsing of numbers in the texts of exercises and in answers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from dpcore.exercises.formulas import Value

__all__ = ["fill", "named", "read_number", "say"]

_FIELD = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_HIGH = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_LOW = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


def say(value: Value, code: str = "") -> str:
    """Return a number as text with four significant digits, with a power of ten if very small or large.

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
    """Return the number in a student's answer, written as 0.5 or 0,5 or 1.3e-5 or 1.3·10^-5 or 10⁻⁵.

    Raises
    ------
    ValueError
        When the text is not a number; the message is a sentence for the student.
    """
    if isinstance(text, int | float) and not isinstance(text, bool):
        return _finite(float(text), text)
    if not isinstance(text, str) or not text.strip():
        raise ValueError("There is no answer yet: write a number, such as 0.5.")
    if len(text) > 60:
        raise ValueError(f"A number of {len(text)} signs is not read: write at most 60.")
    plain = re.sub(r"[\s_\u202f]", "", text).translate(_LOW)
    plain = (
        re.sub(r"^([+-]?)10\^?(-?\d+)$", r"\g<1>1e\2", plain)
        if "^" in plain or _has_high(text)
        else plain
    )
    plain = re.sub(r"[·*x×]10\^?\(?([+-]?\d+)\)?$", r"e\1", plain)
    plain = plain.replace(",", ".")
    if plain.endswith("%"):
        raise ValueError(f"“{text}” is not read: write 5 % as 0.05.")
    if not _NUMBER.fullmatch(plain):
        raise ValueError(f"“{text}” is no number: write it as 0.5, or as 1.3e-5.")
    return _finite(float(plain), text)


def _has_high(text: str) -> bool:
    return any(sign in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻" for sign in text)


def _finite(value: float, text: object) -> float:
    if not math.isfinite(value):
        raise ValueError(f"“{str(text)[:60]}” is too large: write a finite number.")
    return value
