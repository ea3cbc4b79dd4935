"""Base class of the parts of exercises, and of the listed wrong answers that they recognise.

A part is one question. ``ask`` returns what is sent to the browser, without the answer; ``read`` parses an answer,
and ``is_right`` and ``is_wrong`` grade it. Options and steps are labelled by letters, in a random order for every
student.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dpcore.exercises.formulas import Formula, Value
from dpcore.exercises.words import fill

__all__ = ["APART", "Known", "Part", "Wrong"]

APART = 0.05
"""How far a listed wrong answer lies from the right one, as a share of it."""


@dataclass(frozen=True, kw_only=True)
class Wrong:
    """Listed wrong answer to a part: how it is recognised, the misconception behind it, and the feedback.

    ``credit`` is the score, above 0 for an answer that is valid but loose. ``value`` holds the formula of the
    wrong answer, two for an interval; ``option`` is the key of a wrong option. For steps, ``uses`` names a step
    that must be left out, and ``before`` two steps in the wrong order.
    """

    name: str
    misconception: str
    feedback: str
    credit: float = 0.0
    value: tuple[Formula, ...] = ()
    option: str = ""
    uses: str = ""
    before: tuple[str, ...] = ()


@dataclass(frozen=True)
class Known:
    """Values and seed that are known when a part is asked or graded.

    ``values`` has the values of all names; ``seed`` determines the order of options.
    """

    values: Mapping[str, Value]
    seed: bytes = b""


@dataclass(frozen=True, kw_only=True)
class Part:
    """Base class of the parts of an exercise, each one question; ``wrong`` lists known wrong answers."""

    name: str
    label: str
    wrong: tuple[Wrong, ...] = ()
    kind: ClassVar[str] = ""

    def ask(self, known: Known) -> dict[str, Any]:
        """Return the question as JSON for the browser, without the answer."""
        return {"name": self.name, "kind": self.kind, "label": fill(self.label, known.values)}

    def read(self, raw: Any, known: Known) -> Any:
        """Return the parsed answer, or raise a ValueError whose message tells the student how to write it."""
        raise NotImplementedError

    def is_right(self, answer: Any, known: Known) -> bool:
        """Return whether a parsed answer is right."""
        raise NotImplementedError

    def is_wrong(self, answer: Any, wrong: Wrong, known: Known) -> bool:
        """Return whether a parsed answer matches a listed wrong answer."""
        raise NotImplementedError

    def show_right(self, known: Known) -> Any:
        """Return a right answer, in the form that `read` accepts."""
        raise NotImplementedError

    def collisions(self, known: Known) -> list[str]:
        """Return a sentence for each listed wrong answer that is too close to the right answer."""
        return []
