"""Nodes of an exercise's file: values with their file and key, for error messages."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from dpcore import _checks
from dpcore.exercises.formulas import Formula
from dpcore.exercises.words import named
from dpcore.experiments import grids
from dpcore.journal import Refused

__all__ = ["ExerciseError", "Node", "grid"]


class ExerciseError(Refused):
    """Error in an exercise's file; the message names the file, the key, the value and what is allowed."""


class Node:
    """Value in an exercise's file, with the name of the file and the key of the value."""

    def __init__(self, file: str, key: str, value: Any) -> None:
        self.file, self.path, self.value = file, key, value

    def refused(self, why: str) -> ExerciseError:
        """Return an error that names the file, the key, the value, and what is allowed (``why``)."""
        shown = repr(self.value)
        shown = shown if len(shown) <= 80 else shown[:77] + "..."
        where = f"{self.path}={shown}" if self.path else shown
        return ExerciseError(f"{self.file}: {where} is not allowed: {why}.")

    def only(self, fields: Collection[str]) -> None:
        """Raise an error unless the value is a mapping with keys from ``fields`` only."""
        for name, node in self.items():
            if name not in fields:
                message = f"{node.path} is not a key that means something: use {', '.join(fields)}."
                raise ExerciseError(f"{self.file}: {message}")

    def items(self) -> list[tuple[str, Node]]:
        """Return the keys of a mapping with the nodes of their values."""
        if not isinstance(self.value, dict) or not all(isinstance(k, str) for k in self.value):
            raise self.refused("give keys with values, “key: value” on each line")
        return [(name, self._child(name, value)) for name, value in self.value.items()]

    def has(self, name: str) -> bool:
        """Return whether the value is a mapping with the key ``name``."""
        return isinstance(self.value, dict) and name in self.value

    def get(self, name: str, default: Any = None) -> Node:
        """Return the node at the key ``name`` of a mapping.

        An error is raised if the key is missing and ``default`` is None.
        """
        self.items()
        if name not in self.value and default is None:
            message = f"the key {self._child(name, None).path} is missing"
            raise ExerciseError(f"{self.file}: {message}: add it, the guide says what it holds.")
        return self._child(name, self.value.get(name, default))

    def each(self, least: int, most: int) -> list[Node]:
        """Return the nodes of a list's items; the list must have between ``least`` and ``most`` items."""
        if not isinstance(self.value, list) or not least <= len(self.value) <= most:
            span = f"{least}" if least == most else f"{least} to {most}"
            raise self.refused(f"give a list of {span} items, each on a line with “- ”")
        return [
            Node(self.file, f"{self.path}[{place}]", item) for place, item in enumerate(self.value)
        ]

    def text(self, names: Collection[str] | None = None, *, most: int = 1500) -> str:
        """Return the value as a text template of at most ``most`` characters.

        The template may refer, in braces, only to ``names``.
        """
        if not isinstance(self.value, str) or not self.value.strip() or len(self.value) > most:
            raise self.refused(
                f"give a text of at most {most} signs, in quotes where it holds “: ”"
            )
        wanted = named(self.value) - set(names or ())
        if wanted:
            known = ", ".join(sorted(names or ())) or "none"
            raise self.refused(f"“{{{min(wanted)}}}” cannot be filled in here: allowed are {known}")
        return self.value.strip()

    def plain(self, names: Collection[str]) -> str:
        """Return the value as text of at most 80 characters, for a parameter in a link."""
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        if isinstance(self.value, int | float):
            return str(self.value)
        return self.text(names, most=80)

    def key(self) -> str:
        """Return the value as an identifier of lower-case letters, digits, - and _."""
        if not isinstance(self.value, str) or not re.fullmatch(r"[a-z][\w-]{0,39}", self.value):
            raise self.refused("give a name of small letters, digits, - and _, at most 40")
        return self.value

    def one_of(self, allowed: Collection[str]) -> str:
        """Return the value if it is one of the allowed texts, or raise an error."""
        if not isinstance(self.value, str) or self.value not in allowed:
            raise self.refused(f"choose one of {', '.join(allowed)}")
        return self.value

    def number(self, **bounds: Any) -> float:
        """Return the value as a float, or raise an error if it is outside the bounds."""
        try:
            return _checks.number(self.path, self.value, **bounds)
        except ValueError as error:
            raise ExerciseError(f"{self.file}: {error}") from None

    def formula(self, names: Collection[str]) -> Formula:
        """Return the value, a text or a number, as a formula that uses only ``names``."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise self.refused("give a formula, such as C / epsilon")
        try:
            formula = Formula(str(value))
        except ValueError as error:
            raise self.refused(str(error).rstrip(".")) from None
        unknown = formula.names - set(names)
        if unknown:
            known = ", ".join(sorted(names)) or "none"
            raise self.refused(f"“{min(unknown)}” is not known here: allowed are {known}")
        return formula

    def _child(self, name: str, value: Any) -> Node:
        return Node(self.file, f"{self.path}.{name}" if self.path else name, value)


def grid(node: Node) -> tuple[float, ...]:
    """Return the numbers of a grid, named or listed in a file.

    A name is a grid of `dpcore.experiments.grids`. A list has 2 to 200 numbers.
    """
    if isinstance(node.value, str):
        return tuple(float(value) for value in getattr(grids, node.one_of(grids.__all__)))
    return tuple(item.number() for item in node.each(2, 200))
