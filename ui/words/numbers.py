"""Formatting of the numbers in all displayed text.

- ε, σ and similar numbers have three significant digits; δ is a power of ten.
- Probabilities are in per cent, differences in percentage points.
- Thousands are separated by thin spaces.

``assets/live/data/numbers.js`` formats numbers identically.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Context, Decimal

__all__ = [
    "is_certain",
    "one_in",
    "percent",
    "percent_at_most",
    "round_step",
    "short",
    "show",
    "size",
    "tenths_at_most",
    "tex",
    "tidied",
]

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LEADS = (1, 1.2, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10)
_NOTHING = 1e-6  # a difference of shares this small is what single precision leaves of none
_SPACE = "\u202f"  # a thin space that keeps the number on its line
_SCIENTIFIC = re.compile(r"(?<![\w.])\d+(?:\.\d+)?e[-+]?\d+(?!\w)")
_ABOUT = re.compile(r"^about (.*) to (\d+)$")
_CODE = re.compile(r"^(\+?)(?:\.(\d+))?([%fgd])$")


def show(value: float, code: str = ".3g") -> str:
    r"""Return a number as text.

    Parameters
    ----------
    value : float
        Number to format; NaN means unknown.
    code : str
        Format of the number, one of:

        - a format code as in Python, with any number of digits, such as ".1%", ".2f", ".3g" or "d"; with "+" in
          front it shows the sign of a positive number; from 1000 % on, a percentage has three significant digits;
        - "points": change of a share in percentage points; a decrease is worded as "costs ...";
        - "cost": change of an error; an increase is worded as "costs ...";
        - "in 100": share as a number out of a hundred; 0 and 100 only if exact;
        - "hundredths": the same number without the words "in 100";
        - "count answer": number with a noun, here "answer", in singular or plural;
        - "bound in 100": upper bound of a belief as a number out of a hundred, rounded up to a tenth;
        - "about answer to 10000": estimated number with a noun, limited to a maximum, here 10000;
        - "name the count|the mean": one of the names separated by "|"; the number is its position, counted from 0;
        - "enough for about answer to 10000": statement that something is enough for this number of answers, as with
          "about answer to 10000", or for the number 0 that it is not enough for one.

    Examples
    --------
    >>> show(0.732, ".0%"), show(1e-05), show(-0.05, "points"), show(0.52, "in 100")
    ('73 %', '10⁻⁵', 'costs 5.0 points', '52 in 100')
    >>> show(0.731, "bound in 100"), show(0.9951, "bound in 100"), show(0.9995, "bound in 100")
    ('73.1 in 100', '99.6 in 100', 'practically certain')
    >>> show(0, "enough for about answer to 99"), show(7, "enough for about answer to 99")
    ('not enough for one answer', 'enough for about 7 answers')
    >>> show(1, "count answer"), show(20, "count answer")
    ('1 answer', '20 answers')
    >>> show(1196, "about answer to 10000"), show(10000, "about answer to 10000")
    ('about 1196 answers', 'at least 10\u202f000 answers')
    >>> show(1, "name the count|the mean")
    'the mean'
    >>> show(0.9999, "in 100"), show(0.43, "hundredths"), show(-0.0001, "points")
    ('more than 99 in 100', '43', 'costs less than 0.1 points')
    """
    if code.startswith("enough for "):
        amount = code.removeprefix("enough for ")
        one = _ABOUT.sub(r"one \1", amount)
        return f"not enough for {one}" if value == 0 else f"enough for {show(value, amount)}"
    about = _ABOUT.match(code)
    if about is not None:
        before = "at least " if value >= int(about[2]) else "about " if value > 1 else ""
        return before + show(value, f"count {about[1]}")
    first, _, rest = code.partition(" ")
    if first in _PREFIXED:
        return _PREFIXED[first](value, rest)
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞" if value > 0 else "−∞"
    if code in _WORDED:
        return _WORDED[code](value)
    match = _CODE.match(code)
    if match is None:
        raise ValueError(f"code={code!r} is not allowed: give one like .1%, .2f, .3g or d.")
    plus, digits, kind = match.groups()
    text = _unsigned(abs(value), kind, int(digits or 0))
    if not re.search("[1-9]", text):
        return text
    return f"−{text}" if value < 0 else f"{plus}{text}"


def short(value: float) -> str:
    """Return ε, δ or σ as text, with three significant digits and a power of ten if needed.

    >>> short(1e-05), short(5e-06), short(0.25), short(12345)
    ('10⁻⁵', '5·10⁻⁶', '0.25', '12\u202f300')
    """
    return show(value, ".3g")


def tex(value: float, code: str = ".3g") -> str:
    r"""Return a number as text for a formula in LaTeX, in the formats of `show`.

    >>> print(tex(1e-05), tex(12345), tex(0.5, ".0%"), tex(-0.25))
    10^{-5} 12\,300 50\,\% -0.25
    """
    text = show(value, code).replace("−", "-").replace("∞", r"\infty").replace("–", r"\text{–}")
    text = re.sub(f"[{''.join(map(chr, _RAISED.values()))}]+", _lowered, text)
    return text.replace(" %", r"\,\%").replace("·", r"\cdot ").replace(_SPACE, r"\,")


def tidied(text: str) -> str:
    """Return a text with numbers like 4e-22 written as powers of ten.

    >>> tidied("adds 4e-22 to δ = 1e-05")
    'adds 4·10⁻²² to δ = 10⁻⁵'
    """
    return _SCIENTIFIC.sub(lambda match: short(float(match[0])), text)


def size(*lengths: int) -> str:
    """Return the size of an image or a table as text.

    >>> size(8, 8)
    '8×8'
    """
    return "×".join(show(length, "d") for length in lengths)


def percent(share: float) -> str:
    """Return a share as text in per cent, with one decimal if needed.

    >>> percent(0.732), percent(0.5)
    ('73.2 %', '50 %')
    """
    return f"{_plain(Decimal(_fixed(100 * share, 1)))} %"


def percent_at_most(share: float) -> str:
    """Return an upper bound on a share as text in per cent, rounded up.

    >>> percent_at_most(0.73106), percent_at_most(0.5)
    ('73.2 %', '50 %')
    """
    return percent(tenths_at_most(share) / 100)


def tenths_at_most(share: float) -> float:
    """Return an upper bound on a share in per cent, rounded up to a tenth.

    >>> tenths_at_most(0.73106), tenths_at_most(0.5)
    (73.2, 50.0)
    """
    return math.ceil(1000 * share - 1e-9) / 10


def one_in(probability: float) -> str:
    """Return a small probability in (0, 1) as text, rounded up to a ratio of round numbers.

    >>> one_in(1.61e-4)
    '2 of 10\u202f000'
    """
    power = math.floor(math.log10(probability))
    lead = next(k for k in _LEADS if k * 10.0**power >= probability * (1 - 1e-9))
    if lead == 10:
        lead, power = 1, power + 1
    scale = 1 if lead == int(lead) else 10
    return f"{round(lead * scale)} of {show(scale * 10**-power, 'd')}"


def round_step(width: float, fewer_than: int) -> float:
    """Return the smallest round step that divides ``width`` into fewer than ``fewer_than`` parts.

    Round steps are ..., 0.1, 0.2, 0.5, 1, 2, ...; ``fewer_than`` must be at least 6.

    >>> round_step(0.832, 7), round_step(12.0, 6)
    (0.2, 5.0)
    """
    power = 10.0 ** math.floor(math.log10(width))
    return next(k * power for k in (0.1, 0.2, 0.5, 1.0, 2.0) if width / (k * power) < fewer_than)


def _lowered(match: re.Match[str]) -> str:
    """Return an exponent in superscript digits as an exponent in LaTeX."""
    back = {raised: chr(plain) for plain, raised in _RAISED.items()}
    return "^{" + match[0].translate(back) + "}"


def _unsigned(value: float, kind: str, digits: int) -> str:
    if kind == "%":
        many = 100 * value
        return f"{_fixed(many, digits) if value < 10 else _significant(many, 3)} %"
    if kind == "f":
        return _spaced(_fixed(value, digits))
    return _spaced(_fixed(value, 0)) if kind == "d" else _significant(value, digits or 3)


def _fixed(value: float, digits: int) -> str:
    """Return a number as text with fixed decimals.

    Ties are rounded up, as in JavaScript.
    """
    return (
        f"{Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, Context(prec=400)):f}"
    )


def _rounded(value: float, digits: int) -> Decimal:
    return Context(prec=digits, rounding=ROUND_HALF_UP).plus(Decimal(value))


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}" if value else "0"


def _significant(value: float, digits: int) -> str:
    rounded = _rounded(value, digits)
    if not rounded or Decimal("0.001") <= rounded < 10_000_000:
        return _spaced(_plain(rounded))
    power = rounded.adjusted()
    lead, ten = _plain(rounded.scaleb(-power)), "10" + str(power).translate(_RAISED)
    return ten if lead == "1" else f"{lead}·{ten}"


def _spaced(text: str) -> str:
    whole, dot, part = text.partition(".")
    wide = re.sub(r"\B(?=(\d{3})+$)", _SPACE, whole) if len(whole) > 4 else whole
    return f"{wide}{dot}{part}"


def _points(change: float) -> str:
    seen = change if abs(change) > _NOTHING else 0.0
    return _priced(-seen, _fixed(abs(100 * change), 1), " points", least="0.1")


def _cost(change: float) -> str:
    return _priced(change, _significant(abs(change), 2), "")


def _hundredths(share: float) -> str:
    return _fixed(100 * share, 0)


def _in_100(share: float) -> str:
    """Return a share as text such as "52 in 100".

    The texts "0 in 100" and "100 in 100" appear only for exact values.
    """
    rounded = _hundredths(share)
    if rounded == "100" and share < 1:
        return "more than 99 in 100"
    if rounded == "0" and share > 0:
        return "fewer than 1 in 100"
    return f"{rounded} in 100"


def is_certain(share: float) -> bool:
    """Return whether ``share``, a belief, is called practically certain, since rounding it up would give 100 %."""
    return share > 0.999


def _bound_in_100(share: float) -> str:
    """Return an upper bound of a belief as text, out of a hundred, rounded up as `percent_at_most` does."""
    if is_certain(share):
        return "practically certain"
    return f"{_significant(tenths_at_most(share), 3)} in 100"


def _priced(cost: float, amount: str, unit: str, least: str = "") -> str:
    if cost == 0:
        return "changes nothing"
    size = amount if re.search("[1-9]", amount) else f"less than {least}"
    return f"{'costs' if cost > 0 else 'gains'} {size}{unit}"


def _counted(value: float, noun: str) -> str:
    many = "no" if value == 0 else show(value, "d")
    return f"{many} {noun}{'' if many in ('no', '1') else 's'}"


def _named(value: float, names: str) -> str:
    by_number = dict(enumerate(names.split("|")))
    return by_number.get(round(value), "–") if math.isfinite(value) else "–"


_PREFIXED: Mapping[str, Callable[[float, str], str]] = {"count": _counted, "name": _named}
_WORDED: Mapping[str, Callable[[float], str]] = {
    "points": _points, "cost": _cost, "in 100": _in_100, "bound in 100": _bound_in_100, "hundredths": _hundredths,
}  # fmt: skip
