"""Arithmetic in students' answers: numbers, operators, roots, logarithms and exponentials.

Operators are ``+ - * / ^`` and parentheses. The text is split into tokens, each token is checked, and the syntax tree
is interpreted. Nothing is executed.
"""

from __future__ import annotations

import ast
import math
import re
import unicodedata
from collections.abc import Callable, Mapping

from dpcore.exercises.formulas import BINARY

__all__ = ["LONGEST", "compute"]

LONGEST = 60
"""Largest number of characters in an answer."""
_DEEPEST = 30
_LARGEST_POWER = 400
_NAMES: Mapping[str, float] = {"e": math.e, "pi": math.pi}
_FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "sqrt": math.sqrt, "ln": math.log, "log": math.log, "exp": math.exp, "abs": abs,
}  # fmt: skip
_HIGH = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"
_LOW = str.maketrans(_HIGH, "0123456789-+")
_SIGNS = str.maketrans({
    **dict.fromkeys("−–‐‑‒—﹣－", "-"), **dict.fromkeys("·×∙⋅•＊", "*"), **dict.fromkeys("÷:∶⁄∕／", "/"),
    "π": "pi", "＋": "+", "＾": "^", "（": "(", "）": ")", "．": ".", "，": ",", "％": "%", "٪": "%", "٫": ",",
    "½": "(1/2)", "¼": "(1/4)", "¾": "(3/4)", "⅓": "(1/3)", "⅔": "(2/3)",
})  # fmt: skip
_GROUPS = re.compile(r"(?<=\d)[ _'’\u00a0\u2009\u202f](?=\d{3}(?!\d))")
_POWERS = re.compile(f"[{_HIGH}]+")
_TIMES = re.compile(r"(?<=[\d.])\s*[xX]\s*(?=10\s*(?:\^|\*\*))")
_LOST_POWER = re.compile(r"(\d[\d.,]*)\s*[*xX]\s*10\s*-\s*(\d{1,2})")
_ROOT = re.compile(r"√\s*(\d+(?:[.,]\d+)?)")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d[\d.,]*|\.\d+)(?:[eE][+-]?\d+(?![\w.]))?)|(?P<name>[A-Za-z]\w*)|(?P<sign>\*\*|[-+*/^()]))\s*"
)


def compute(text: str) -> float:
    """Return the value of an answer: a number, or arithmetic such as ``ln(3)/2`` or ``1.3·10⁻⁵``.

    ``ln`` and ``log`` are the natural logarithm. A decimal comma is read as a point if no other reading is possible.

    Raises
    ------
    ValueError
        When the text is no arithmetic, is ambiguous (such as 1,000), or has no finite value; the message is a
        sentence for the student.

    Examples
    --------
    >>> compute("1.5·10⁻⁵"), compute("(0,5 - 1/4)/0.5"), compute("√4")
    (1.5000000000000002e-05, 0.5, 2.0)
    """
    if len(text) > LONGEST:
        raise ValueError(f"An answer of {len(text)} signs is not read: write at most {LONGEST}.")
    if "%" in text.translate(_SIGNS):
        raise ValueError(f"“{text}” is not read: write 5 % as 0.05.")
    try:
        tree = ast.parse(_as_python(text), mode="eval").body
        value = _value(tree, 0, text)
    except (SyntaxError, MemoryError, RecursionError):
        raise _not_read(text) from None
    except OverflowError:
        raise ValueError(f"“{text}” is too large: write a finite number.") from None
    except ZeroDivisionError:
        raise ValueError(f"“{text}” divides by 0: change it.") from None
    if not math.isfinite(value):
        raise ValueError(f"“{text}” is too large: write a finite number.")
    return value


def _not_read(text: str) -> ValueError:
    return ValueError(
        f"“{text}” is not read: write a number, such as 0.5 or 1.3e-5, or arithmetic with + - * / ^ ( ), "
        "sqrt, ln and exp, such as ln(3)/2."
    )


def _as_python(text: str) -> str:
    """Return a student's text as a Python expression, with each token checked."""
    plain = _POWERS.sub(lambda match: f"^({match[0].translate(_LOW)})", text)
    plain = _GROUPS.sub("", "".join(map(_ascii_digit, plain)).translate(_SIGNS))
    if lost := _LOST_POWER.fullmatch(plain.strip()):
        meant = f"{lost[1].replace(',', '.')}e-{lost[2]}"
        raise ValueError(
            f"Do you mean {meant}? “{text}” is a product less {lost[2]}: write {meant}, or brackets "
            "around the product."
        )
    plain = _ROOT.sub(r"sqrt(\1)", _TIMES.sub("*", plain)).replace("√", "sqrt")
    tokens, place = [], 0
    while place < len(plain):
        match = _TOKEN.match(plain, place)
        if match is None:
            raise _not_read(text)
        tokens.append(_token(match, text))
        place = match.end()
    return " ".join(tokens)


def _ascii_digit(sign: str) -> str:
    """Return a decimal digit of any script as one of 0 to 9; return any other character unchanged."""
    return str(unicodedata.decimal(sign, sign))


def _token(match: re.Match[str], text: str) -> str:
    if number := match["number"]:
        return _number(number, text)
    if name := match["name"]:
        if name.lower() not in {*_FUNCTIONS, *_NAMES}:
            raise _not_read(text)
        return name.lower()
    return "**" if match["sign"] == "^" else match["sign"]


def _number(number: str, text: str) -> str:
    """Return a number of a student's text in Python's notation.

    A ValueError is raised if the number has two readings, and the message asks which one is meant.
    """
    digits, _, power = number.lower().partition("e")
    exponent = f"e{power}" if power else ""
    if len(re.findall("[.,]", digits)) > 1:
        if not re.fullmatch(r"\d{1,3}([.,]\d{3})*[.,]\d+", digits):
            raise _not_read(text)
        whole, last, tail = re.fullmatch(r"(.*)([.,])(\d+)", digits).groups()  # type: ignore[union-attr]
        grouped = last in whole and len(tail) == 3
        meant = re.sub("[.,]", "", whole) + ("" if grouped else ".") + tail
        raise ValueError(
            f"Do you mean {meant}{exponent}? “{number}” has more than one point or comma: write it with one point "
            "at most."
        )
    if re.fullmatch(r"[1-9]\d{0,2},\d{3}", digits):
        thousands, decimal = digits.replace(",", ""), float(digits.replace(",", "."))
        raise ValueError(
            f"Do you mean {thousands}{exponent} or {decimal}{exponent}? “{number}” can be read as both: write it "
            "without a comma."
        )
    if re.fullmatch(r"[1-9]\d{0,2}\.\d\d0", digits):
        thousands, decimal = digits.replace(".", ""), float(digits)
        raise ValueError(
            f"Do you mean {thousands}{exponent} or {decimal}{exponent}? “{number}” can be read as both: write one of "
            "these."
        )
    value = float(digits.replace(",", ".") + exponent)
    if not math.isfinite(value):
        raise OverflowError
    if not value and re.search("[1-9]", digits):
        raise ValueError(f"“{number}” is too small: write 0, or a number above 1e-300.")
    return repr(value)


def _value(node: ast.expr, depth: int, text: str) -> float:
    if depth > _DEEPEST:
        raise ValueError(f"“{text}” is nested too deeply: at most {_DEEPEST} levels are read.")
    match node:
        case ast.Constant(value=float() as value):
            return value
        case ast.Name(id=name) if name in _NAMES:
            return _NAMES[name]
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=operand):
            value = _value(operand, depth + 1, text)
            return -value if isinstance(op, ast.USub) else value
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            return _binary(op, _value(left, depth + 1, text), _value(right, depth + 1, text), text)
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _FUNCTIONS:
            return _called(name, _value(argument, depth + 1, text), text)
    raise _not_read(text)


def _binary(op: ast.operator, left: float, right: float, text: str) -> float:
    if isinstance(op, ast.Pow) and abs(right) > _LARGEST_POWER:
        raise ValueError(
            f"“{text}” has an exponent beyond ±{_LARGEST_POWER}: write the number itself."
        )
    try:
        return float(BINARY[type(op)](left, right))
    except ValueError:
        raise ValueError(f"“{text}” has no real value: change it.") from None


def _called(name: str, argument: float, text: str) -> float:
    try:
        return _FUNCTIONS[name](argument)
    except ValueError:
        raise ValueError(f"“{text}”: {name} of {argument:g} is not a number. Change it.") from None
