"""What every part of an exercise has, and the wrong answers that it knows.

A part is told to the browser by ``ask``, which holds nothing of the answer, and looks at an answer with
``read``, ``is_right`` and ``is_wrong``. Options and steps have letters there, in an order of their own
for every student.
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
    """A wrong answer with a name: the misconception behind it, and what is said to who gives it.

    ``credit`` > 0 for an answer that is valid, but loose. ``value`` computes it (two of them for an
    interval); for steps ``uses`` names a step that does not belong, ``before`` two in the wrong order.
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
    """What a part is asked and graded with: the drawn values, and the seed of the order of its options."""

    values: Mapping[str, Value]
    seed: bytes = b""


@dataclass(frozen=True, kw_only=True)
class Part:
    """One thing that is asked for; ``wrong`` are tried before an answer is just not right."""

    name: str
    label: str
    wrong: tuple[Wrong, ...] = ()
    kind: ClassVar[str] = ""

    def ask(self, known: Known) -> dict[str, Any]:
        """Return what the browser is told, as JSON: nothing that gives the answer away."""
        return {"name": self.name, "kind": self.kind, "label": fill(self.label, known.values)}

    def read(self, raw: Any, known: Known) -> Any:
        """Return the answer that somebody gave, or raise a ValueError with a sentence; no try is used up."""
        raise NotImplementedError

    def is_right(self, given: Any, known: Known) -> bool:
        """Whether an answer is right."""
        raise NotImplementedError

    def is_wrong(self, given: Any, wrong: Wrong, known: Known) -> bool:
        """Whether an answer is that wrong one."""
        raise NotImplementedError

    def show_right(self, known: Known) -> Any:
        """Return a right answer in the form that `read` takes."""
        raise NotImplementedError

    def collisions(self, known: Known) -> list[str]:
        """Return a sentence for each listed wrong answer that lies too near to the right one."""
        return []
