"""Formulas in exercises: arithmetic with parameters and registered functions.

The functions are in `dpcore.exercises.registry`. Only numbers, names, ``+ - * / **``, comparisons, and/or/not, ``a if
b else c``, and calls of registered functions are allowed. A formula is interpreted, never executed as Python.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dpcore.exercises.registry import ARITHMETIC, FUNCTIONS

__all__ = ["BINARY", "Formula", "Value"]

Value = float | str | bool
_ALL = {**FUNCTIONS, **ARITHMETIC}
_LONGEST = 300
BINARY: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: lambda a, b: math.pow(a, b),
}  # fmt: skip
"""Operators between two numbers, by their class in a syntax tree."""
_COMPARE: dict[type, Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip


@dataclass(frozen=True)
class Formula:
    """Formula of an exercise, parsed from a text of at most 300 characters.

    Call the formula with values for its names to get its value.

    Raises
    ------
    ValueError
        When the text is no formula, or calls a function that is not registered.

    Examples
    --------
    >>> Formula("laplace_scale(C, epsilon)")({"C": 250.0, "epsilon": 0.5})
    500.0
    """

    text: str
    _tree: ast.expr = field(init=False, repr=False, compare=False)
    names: frozenset[str] = field(init=False, repr=False, compare=False)
    calls: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        tree = _parsed(self.text)
        called = list(_check(tree, self.text))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        object.__setattr__(self, "_tree", tree)
        object.__setattr__(self, "calls", frozenset(called))
        object.__setattr__(self, "names", frozenset(names - set(called)))

    def __call__(self, values: Mapping[str, Value]) -> Value:
        """Return the value of the formula for given values of its names.

        A ValueError is raised if the value is undefined.
        """
        try:
            value = _value(self._tree, values)
        except (ArithmeticError, TypeError) as error:
            raise ValueError(f"{self.text} cannot be computed: {error}.") from error
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{self.text} is not a finite number.")
        return value

    def number(self, values: Mapping[str, Value]) -> float:
        """Return the value of the formula as a float, or raise a ValueError."""
        value = self(values)
        if isinstance(value, bool | str):
            raise ValueError(f"{self.text} is no number.")
        return value


def _parsed(text: str) -> ast.expr:
    if len(text) > _LONGEST:
        raise ValueError(f"a formula of {len(text)} signs is not allowed: at most {_LONGEST}.")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"“{text}” is no formula: write it as C / (n * epsilon).") from None


def _check(node: ast.expr, text: str) -> Iterator[str]:
    """Check that a formula contains only allowed syntax; yield the names of the functions that it calls.

    A ValueError is raised at the first node that is not allowed.
    """
    inside = _inside(node)
    if inside is None:
        raise ValueError(
            f"“{text}” holds what a formula may not: only numbers, names, + - * / **, comparisons, "
            "and/or/not, “a if b else c”, and functions of the list."
        )
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        _require_function(node.func.id)
        yield node.func.id
    for part in inside:
        yield from _check(part, text)


def _inside(node: ast.expr) -> list[ast.expr] | None:
    """Return the parts of a syntax node, such as the operands of ``+``; None for a node that is not allowed."""
    match node:
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            return [left, right]
        case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=operand):
            return [operand]
        case ast.Compare(left=left, ops=ops, comparators=others):
            return [left, *others] if {type(op) for op in ops} <= _COMPARE.keys() else None
        case ast.BoolOp(values=values):
            return values
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return [test, body, orelse]
        case ast.Call(func=ast.Name(), args=args, keywords=[]):
            return args
        case ast.Name() | ast.Constant(value=bool() | int() | float() | str()):
            return []
    return None


def _require_function(name: str) -> None:
    if name not in _ALL:
        known = ", ".join(sorted(_ALL))
        raise ValueError(f"there is no function “{name}”: use one of {known}.")


def _value(node: ast.expr, values: Mapping[str, Value]) -> Value:
    match node:
        case ast.Constant(value=bool() | int() | float() | str() as value):
            return _plain(value)
        case ast.Name(id=name):
            if name not in values:
                raise ValueError(f"“{name}” is neither a parameter nor a value of this exercise.")
            return _plain(values[name])
        case ast.BinOp(left=left, op=op, right=right):
            return float(BINARY[type(op)](_value(left, values), _value(right, values)))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _value(body if _value(test, values) else orelse, values)
        case ast.Call(func=ast.Name(id=name), args=args):
            return _plain(_ALL[name](*(_value(arg, values) for arg in args)))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -float(_value(operand, values))
    return _truth(node, values)


def _plain(value: Any) -> Value:
    return value if isinstance(value, bool | str) else float(value)


def _truth(node: ast.expr, values: Mapping[str, Value]) -> bool:
    match node:
        case ast.UnaryOp(operand=operand):
            return not _value(operand, values)
        case ast.BoolOp(op=op, values=parts):
            each = (bool(_value(part, values)) for part in parts)
            return all(each) if isinstance(op, ast.And) else any(each)
        case ast.Compare(left=left, ops=ops, comparators=others):
            operands: list[Any] = [_value(part, values) for part in (left, *others)]
            pairs = zip(operands, ops, operands[1:], strict=False)
            return all(_COMPARE[type(op)](first, second) for first, op, second in pairs)
    raise AssertionError(node)  # excluded by `_check`
