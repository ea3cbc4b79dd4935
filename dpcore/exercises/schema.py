"""Parsing of an exercise's file; errors name the file, the key, the value and the remedy."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from typing import Any

import yaml

from dpcore.exercises.exercise import MOST_DRAWS, Exercise, FigureLink, Hint
from dpcore.exercises.formulas import Formula, Value
from dpcore.exercises.kinds import Scope, part_of
from dpcore.exercises.node import ExerciseError, Node, grid
from dpcore.exercises.plain_yaml import refuse_references
from dpcore.exercises.plot import Handle, Plot

__all__ = ["HINTS", "TOPICS", "ExerciseError", "read"]

LARGEST = 64_000
HINTS = ("idea", "formula", "figure", "example")
TOPICS = ("attack", "mechanism", "budget", "learning", "proof")
_FIELDS = (
    "title", "topic", "level", "documents", "text", "parameters", "where", "values", "parts", "hints", "solution",
    "figure", "examples",
)  # fmt: skip


class _Loader(yaml.SafeLoader):
    """YAML loader that rejects duplicate keys."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = [key for key in keys if keys.count(key) > 1]
        if twice:
            raise yaml.YAMLError(f"the key {twice[0]!r} stands twice: leave one of them out")
        return super().construct_mapping(node, deep)


# "yes", "no", "on" and "off" are words in exercises: only true and false are read as booleans.
_Loader.yaml_implicit_resolvers = {
    sign: [(tag, form) for tag, form in known if tag != "tag:yaml.org,2002:bool" or sign in "tTfF"]
    for sign, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read(text: str, file: str) -> Exercise:
    """Return the exercise specified by the text of a file.

    Parameters
    ----------
    text : str
        YAML text of at most 64,000 characters.
    file : str
        Name of the file, for error messages. Without its ending it is the key of the exercise.

    Raises
    ------
    ExerciseError
        When the file cannot be used. The message names the file, the key, the value, what is allowed and the remedy.
    """
    if len(text) > LARGEST:
        raise ExerciseError(
            f"{file}: {len(text)} signs are not allowed: at most {LARGEST}. Shorten it."
        )
    try:
        refuse_references(text)
        content = yaml.load(text, _Loader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        reason = " ".join(str(error).split())[:300]
        raise ExerciseError(f"{file}: this is not YAML as it is read here: {reason}.") from None
    top = Node(file, "", content)
    top.only(_FIELDS)
    key = re.sub(r"\.ya?ml$", "", file.rpartition("/")[2])
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", key):
        raise ExerciseError(
            f"{file}: the name is not allowed: small letters, digits and -, at most 40."
        )
    return _exercise(top, key)


def _exercise(top: Node, key: str) -> Exercise:
    parameters = {name: _good_values(node) for name, node in top.get("parameters", {}).items()}
    shown = set(parameters)
    values: dict[str, Formula] = {}
    for name, node in top.get("values", {}).items():
        values[name] = node.formula(shown | values.keys())
    scope = Scope.of(shown, values)
    parts = tuple(part_of(node, scope) for node in top.get("parts").each(1, 6))
    if len({part.name for part in parts}) < len(parts):
        raise top.get("parts").refused("give every part a name of its own")
    exercise = Exercise(
        key=key,
        title=top.get("title").text(),
        topic=top.get("topic").one_of(TOPICS),
        level=_level(top.get("level", 2)),
        documents=_documents(top.get("documents", [])),
        text=top.get("text").text(shown, most=4000),
        parts=parts,
        parameters=parameters,
        where=top.get("where").formula(shown) if top.has("where") else None,
        values=values,
        hints=tuple(_hint(node, shown) for node in top.get("hints").each(3, 3)),
        solution=top.get("solution").text(scope.names, most=4000),
        figure=_figure(top.get("figure"), shown, scope.names) if top.has("figure") else None,
        examples=tuple(_example(node) for node in top.get("examples", []).each(0, 20)),
    )
    _count(top, exercise)
    return exercise


def _level(node: Node) -> int:
    if isinstance(node.value, bool) or node.value not in (1, 2, 3):
        raise node.refused("give 1 (one formula), 2 (several steps) or 3 (a proof or a search)")
    return int(node.value)


def _documents(node: Node) -> tuple[int, ...]:
    numbers = [item.value for item in node.each(0, 5)]
    if any(isinstance(number, bool) or number not in range(5) for number in numbers):
        raise node.refused("give numbers of the documents, from 0 to 4, such as [0, 3]")
    return tuple(dict.fromkeys(numbers))


def _hint(node: Node, shown: set[str]) -> Hint:
    """Return the hint in a node of the file, which is a text or a mapping from the kind of the hint to its text."""
    if isinstance(node.value, str):
        return Hint(text=node.text(shown))
    node.only(HINTS)
    if len(node.items()) != 1:
        raise node.refused(f"give one kind with its text, of {', '.join(HINTS)}")
    ((kind, item),) = node.items()
    return Hint(kind=kind, text=item.text(shown))


def _count(top: Node, exercise: Exercise) -> None:
    total = math.prod(map(len, exercise.parameters.values()))
    if total > MOST_DRAWS:
        raise top.get("parameters").refused(f"{total} draws: give at most {MOST_DRAWS} in all")
    try:
        draws = exercise.draws
    except ValueError as error:
        raise top.get("where").refused(str(error)) from None
    if not draws:
        raise top.get("where").refused("it leaves no draw: allow at least one")


def _good_values(node: Node) -> tuple[Value, ...]:
    if isinstance(node.value, str):
        return grid(node)
    values = []
    for item in node.each(1, 60):
        if not isinstance(item.value, bool | int | float | str):
            raise item.refused("give a number or a text")
        values.append(item.value if isinstance(item.value, bool | str) else item.number())
    return tuple(values)


def _figure(node: Node, shown: set[str], names: Collection[str]) -> FigureLink:
    if node.has("plot"):
        node.only(("plot",))
        return FigureLink(plot=_plot(node.get("plot"), names))
    node.only(("page", "state", "panel", "keep", "lock"))
    return FigureLink(
        page=node.get("page").key(),
        state={name: value.plain(shown) for name, value in node.get("state", {}).items()},
        panel=node.get("panel").key() if node.has("panel") else "",
        keep=tuple(item.key() for item in node.get("keep", []).each(0, 6)),
        lock=tuple(item.key() for item in node.get("lock", []).each(0, 12)),
    )


def _plot(node: Node, names: Collection[str]) -> Plot:
    node.only(("name", "label", "y_label", "from", "to", "curves", "handle"))
    name = _new_name(node.get("name"), names)
    handle = _handle(node.get("handle"), {*names, name}) if node.has("handle") else None
    known = {*names, name} | ({handle.name} if handle else set())
    low = node.get("from").number()
    curves = node.get("curves").items()
    if not 1 <= len(curves) <= 4:
        raise node.get("curves").refused("give 1 to 4 of them, each with its label and its formula")
    return Plot(
        name=name,
        label=node.get("label").text(most=80),
        y_label=node.get("y_label").text(most=80),
        low=low,
        high=node.get("to").number(low=low, open_low=True),
        curves=tuple((label, item.formula(known)) for label, item in curves),
        handle=handle,
    )


def _new_name(node: Node, names: Collection[str]) -> str:
    """Return a name for formulas that is not among ``names``."""
    if node.text(most=20) in names or not node.text().isidentifier():
        raise node.refused("give a name that is neither a parameter nor a value, for the formulas")
    return node.text()


def _handle(node: Node, names: Collection[str]) -> Handle:
    node.only(("name", "label", "from", "to", "gauge_label", "gauge", "goal"))
    name = _new_name(node.get("name"), names)
    low = node.get("from").number()
    return Handle(
        name=name,
        label=node.get("label").text(most=80),
        low=low,
        high=node.get("to").number(low=low, open_low=True),
        gauge_label=node.get("gauge_label").text(most=80),
        gauge=node.get("gauge").formula({*names, name}),
        goal=node.get("goal").formula(names),
    )


def _example(node: Node) -> tuple[Mapping[str, Value], Mapping[str, Any]]:
    node.only(("given", "answer"))
    values = {name: item.value for name, item in node.get("given").items()}
    return values, {name: item.value for name, item in node.get("answer").items()}
