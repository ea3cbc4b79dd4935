"""Base class of the parts (questions) of exercises, and their listed wrong answers.

``ask`` returns the JSON for the browser, without the answer. ``read`` parses an answer, ``is_right`` and ``is_wrong``
grade it. Options and steps are labelled by letters, in a random order for every student.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dpcore.exercises.formulas import Formula, Value
from dpcore.exercises.words import fill

__all__ = ["APART", "Known", "Part", "Wrong"]

APART = 0.05
"""Smallest allowed relative distance of a listed wrong answer from the right answer."""


@dataclass(frozen=True, kw_only=True)
class Wrong:
    """Known wrong answer to a question: how it is recognised, its misconception, and the feedback.

    - ``credit`` is the share of the question's marks. It is above 0 for an answer that is true but weak.
    - ``took`` completes the sentence "It looks as if you took …" for the student, or is "".
    - ``value`` is the formula of the wrong answer (two formulas for an interval).
    - ``option`` is the key of a wrong option.
    - ``uses`` names a step that does not belong in the solution.
    - ``before`` names two steps that the student put in the wrong order.
    """

    name: str
    misconception: str
    feedback: str
    took: str = ""
    credit: float = 0.0
    value: tuple[Formula, ...] = ()
    option: str = ""
    uses: str = ""
    before: tuple[str, ...] = ()


@dataclass(frozen=True)
class Known:
    """Numbers of one student, which are needed to ask and grade a question.

    ``values`` maps all names in the exercise to their values. ``seed`` determines the order of options.
    """

    values: Mapping[str, Value]
    seed: bytes = b""


@dataclass(frozen=True, kw_only=True)
class Part:
    """Base class of the parts of an exercise; a part is one question.

    ``wrong`` lists known wrong answers. ``marks`` is the weight of the part in the score of the exercise.
    """

    name: str
    label: str
    wrong: tuple[Wrong, ...] = ()
    marks: float = 1.0
    kind: ClassVar[str] = ""

    def ask(self, known: Known) -> dict[str, Any]:
        """Return the question as JSON for the browser, without the answer."""
        return {"name": self.name, "kind": self.kind, "label": fill(self.label, known.values)}

    def read(self, raw: Any, known: Known) -> Any:
        """Return the parsed answer, or raise a ValueError.

        The message explains to the student how to write the answer.
        """
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
        """Return one sentence for each listed wrong answer that is too close to the right one."""
        return []
