"""Activity "shared exercise": a class solves one exercise; only counts of misconceptions are stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from ui.classroom.activity import Counted, Json, no_answer
from ui.words.text import beside

if TYPE_CHECKING:
    from dpcore.exercises import Drawn

__all__ = ["Together", "offered"]

T = beside(__file__)

_ON_A_PHONE = {"number", "choice"}


@lru_cache(maxsize=1)
def offered() -> dict[str, str]:
    """Return the titles of the exercises suitable for phones, by key."""
    from ui.exercises.files import load_all

    return {
        key: found.title
        for key, found in load_all().items()
        if {part.kind for part in found.parts} <= _ON_A_PHONE
    }


@lru_cache(maxsize=64)
def _drawn(key: str, number: int) -> Drawn:
    from ui.exercises.files import load_all

    return load_all()[key].draw("room", "class", number)


@dataclass(frozen=True)
class Together:
    """One exercise with the same numbers for the whole class, graded on the server."""

    key: str
    number: int = 0
    kind: ClassVar[str] = "exercise"
    spends: ClassVar[float] = 0.0
    least: ClassVar[int] = 0

    @property
    def drawn(self) -> Drawn:
        """The exercise with its drawn numbers."""
        return _drawn(self.key, self.number)

    def misconceptions(self) -> dict[str, str]:
        """Return the listed wrong answers, in words."""
        parts = self.drawn.exercise.parts
        return {wrong.name: wrong.misconception for part in parts for wrong in part.wrong}

    def names(self) -> list[str]:
        """Return the names of the counts."""
        return ["right", "other", *(f"wrong {name}" for name in self.misconceptions())]

    def brief(self) -> Json:
        """Return the public part: text and parts, without the answer."""
        return self.drawn.public()

    def mine(self, seed: bytes) -> Json:
        """Return nothing, as all phones get the same data."""
        return {}

    def count(self, answer: Any, seed: bytes) -> Counted:
        """Return the effect of an answer; the reply contains feedback but not the right answer."""
        if not isinstance(answer, dict) or any(
            not isinstance(value, str) or len(value) > 60 for value in answer.values()
        ):
            raise no_answer(T("refused.texts"))
        try:
            found = self.drawn.grade(answer)
        except ValueError as error:
            raise no_answer(str(error).rstrip(".")) from None
        name = (
            "right"
            if found.right
            else f"wrong {found.misconception}"
            if found.misconception
            else "other"
        )
        told = {"right": found.right, "title": found.title, "feedback": found.feedback}
        return Counted([name], told)

    def outcome(self, counts: Mapping[str, int], answered: int) -> Json:
        """Return the number of right answers and of each misconception, then the worked solution."""
        named = self.misconceptions()
        found = [[named[name], counts.get(f"wrong {name}", 0)] for name in named]
        return {
            "answered": answered, "right": counts.get("right", 0), "other": counts.get("other", 0),
            "misconceptions": sorted((one for one in found if one[1]), key=lambda one: -one[1]),
        }  # fmt: skip
