"""Parsing of the parts (questions) of an exercise from its file, by their kinds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dpcore.exercises.formulas import Formula
from dpcore.exercises.measured import Curve, Interval, Number
from dpcore.exercises.node import Node, grid
from dpcore.exercises.part import APART, Part, Wrong
from dpcore.exercises.selected import Choice, State, Steps

__all__ = ["Scope", "part_of"]

_COMMON = ("name", "kind", "label", "marks", "wrong")
_WRONG = ("name", "misconception", "took", "feedback", "credit")


@dataclass(frozen=True)
class Scope:
    """Names that may occur in an exercise's file.

    ``shown`` are the names allowed in texts for students, ``names`` the names allowed in formulas.
    """

    shown: frozenset[str]
    names: frozenset[str]

    @classmethod
    def of(cls, shown: Iterable[str], values: Iterable[str]) -> Scope:
        """Return the names allowed in an exercise with the parameters ``shown`` and the computed values ``values``.

        Texts may contain the parameters, formulas may contain both.
        """
        return cls(frozenset(shown), frozenset(shown) | frozenset(values))

    def also(self, names: Iterable[str]) -> Scope:
        """Return the same scope with additional names that formulas may contain."""
        return replace(self, names=self.names | set(names))


def part_of(node: Node, scope: Scope) -> Part:
    """Return the part (question) that is specified by a node, a value in an exercise's file.

    ``scope`` contains the names that formulas and texts may use.
    """
    node.only([*_COMMON, *{field for _, fields in _KINDS.values() for field in fields}])
    kind = node.get("kind").one_of(list(_KINDS))
    make, fields = _KINDS[kind]
    node.only([*_COMMON, *fields])
    common = {
        "name": node.get("name").key(),
        "label": node.get("label").text(scope.shown, most=200),
        "marks": node.get("marks", 1).number(low=1, high=10),
    }
    return make(node, scope, common)


def _computed(node: Node, scope: Scope) -> Formula:
    """Return the formula in a node of the file; raise an error if it is a constant."""
    formula = node.formula(scope.names)
    if not (formula.calls or formula.names):
        raise node.refused(
            "let it be computed, by arithmetic with the parameters or by a function of the list"
        )
    return formula


def _wrong(node: Node, scope: Scope, *fields: str) -> list[tuple[Node, dict[str, Any]]]:
    """Return the listed wrong answers of a question, each as its node in the file and its parsed common fields.

    Every wrong answer has a name, a misconception, a feedback and a credit. ``fields`` are further keys that wrong
    answers to this kind of question may have.
    """
    answers = []
    for item in node.get("wrong", []).each(0, 8):
        item.only([*_WRONG, *fields])
        common = {
            "name": item.get("name").key(),
            "misconception": item.get("misconception").text(most=120),
            "took": item.get("took").text(scope.shown, most=160) if item.has("took") else "",
            "feedback": item.get("feedback").text(scope.shown),
            "credit": item.get("credit", 0.0).number(low=0, high=0.5),
        }
        answers.append((item, common))
    return answers


def _valued(node: Node, scope: Scope, field: str = "value") -> tuple[Wrong, ...]:
    return tuple(
        Wrong(**common, value=(item.get(field).formula(scope.names),))
        for item, common in _wrong(node, scope, field)
    )


def _tolerance(node: Node, usual: float, high: float) -> float:
    return node.get("tolerance", usual).number(low=1e-6, high=high)


def _span(node: Node) -> tuple[float, float]:
    """Return the lowest and the highest possible right answer, from the key "range"; by default ±inf."""
    if not node.has("range"):
        return -math.inf, math.inf
    low, high = (item.number() for item in node.get("range").each(2, 2))
    if not low < high:
        raise node.get("range").refused("give the lower end, then the higher one")
    return low, high


def _number(node: Node, scope: Scope, common: dict[str, Any]) -> Part:
    return Number(
        **common,
        right=_computed(node.get("right"), scope),
        span=_span(node),
        also=tuple(_computed(item, scope) for item in node.get("also", []).each(0, 4)),
        tolerance=_tolerance(node, 0.02, 2 * APART),
        unit=node.get("unit").text(most=40) if node.has("unit") else "",
        wrong=_valued(node, scope),
    )


def _interval(node: Node, scope: Scope, common: dict[str, Any]) -> Part:
    listed = _wrong(node, scope, "low", "high")
    return Interval(
        **common,
        low=_computed(node.get("low"), scope),
        high=_computed(node.get("high"), scope),
        tolerance=_tolerance(node, 0.05, 0.1),
        unit=node.get("unit").text(most=40) if node.has("unit") else "",
        wrong=tuple(
            Wrong(
                **fields,
                value=(item.get("low").formula(scope.names), item.get("high").formula(scope.names)),
            )
            for item, fields in listed
        ),
    )


def _choice(node: Node, scope: Scope, common: dict[str, Any]) -> Part:
    shown = scope.shown
    options = tuple((key, item.text(shown, most=300)) for key, item in node.get("options").items())
    keys = [key for key, _ in options]
    if not 2 <= len(keys) <= 8:
        raise node.get("options").refused("give 2 to 8 of them")
    right = node.get("right")
    formula = Formula(repr(right.value)) if right.value in keys else right.formula(scope.names)
    listed = _wrong(node, scope, "option")
    return Choice(
        **common,
        options=options,
        right=formula,
        ordered=bool(node.get("ordered", False).value),
        wrong=tuple(
            Wrong(**fields, option=item.get("option").one_of(keys)) for item, fields in listed
        ),
    )


def _steps(node: Node, scope: Scope, common: dict[str, Any]) -> Part:
    shown = scope.shown
    steps = tuple((key, item.text(shown, most=400)) for key, item in node.get("steps").items())
    extra = tuple((key, item.text(shown, most=400)) for key, item in node.get("extra", {}).items())
    keys = [key for key, _ in steps + extra]
    if len(steps) < 3 or len(keys) > 12 or len(set(keys)) < len(keys):
        raise node.get("steps").refused(
            "give 3 steps at least, 12 with the extra ones, each its own key"
        )
    wrong = []
    for item, fields in _wrong(node, scope, "uses", "before"):
        uses = item.get("uses").one_of(keys) if item.has("uses") else ""
        before = item.get("before").each(2, 2) if item.has("before") else []
        if bool(uses) == bool(before):
            raise item.refused("say what it is by one of “uses” and “before”")
        wrong.append(Wrong(**fields, uses=uses, before=tuple(step.one_of(keys) for step in before)))
    return Steps(
        **common, steps=steps, extra=extra, needs=_needs(node, dict(steps)), wrong=tuple(wrong)
    )


def _needs(node: Node, steps: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the pairs (earlier, later) of solution steps whose order is fixed.

    They come from the key "needs". If the file has no such key, the steps must be in the order of the file.
    """
    if not node.has("needs"):
        return tuple(itertools.pairwise(steps))
    order = list(steps)
    pairs = []
    for later, item in node.get("needs").items():
        if later not in steps:
            raise item.refused(f"there is no step “{later}”: use {', '.join(steps)}")
        for before in item.each(1, 8):
            earlier = before.one_of(order[: order.index(later)])
            pairs.append((earlier, later))
    return tuple(pairs)


def _state(node: Node, scope: Scope, common: dict[str, Any]) -> Part:
    moves = {name: grid(item) for name, item in node.get("moves").items()}
    if not moves or math.prod(map(len, moves.values())) > 1000:
        raise node.get("moves").refused("give one to three controls, at most 1000 states in all")
    inside = scope.also(name for move in moves for name in (move, f"{move}_below", f"{move}_above"))
    return State(
        **common,
        moves=moves,
        right=_computed(node.get("right"), inside),
        wrong=_valued(node, inside, "when"),
    )


def _curve(node: Node, scope: Scope, common: dict[str, Any]) -> Part:
    ends = [item.number() for item in node.get("range").each(2, 2)]
    if not ends[0] < ends[1]:
        raise node.get("range").refused("give the lower end, then the higher one")
    inside = scope.also("x")
    return Curve(
        **common,
        x=tuple(item.number() for item in node.get("x").each(3, 8)),
        right=_computed(node.get("right"), inside),
        low=ends[0],
        high=ends[1],
        x_label=node.get("x_label").text(most=80),
        y_label=node.get("y_label").text(most=80),
        tolerance=_tolerance(node, 0.05, 0.1),
        wrong=_valued(node, inside),
    )


_Make = Callable[[Node, Scope, dict[str, Any]], Part]
_KINDS: dict[str, tuple[_Make, tuple[str, ...]]] = {
    "number": (_number, ("right", "also", "range", "tolerance", "unit")),
    "interval": (_interval, ("low", "high", "tolerance", "unit")),
    "choice": (_choice, ("options", "right", "ordered")),
    "steps": (_steps, ("steps", "extra", "needs")),
    "state": (_state, ("moves", "right")),
    "curve": (_curve, ("x", "right", "range", "x_label", "y_label", "tolerance")),
}
