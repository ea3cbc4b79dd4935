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
    """Return the titles, by key, of the exercises that can be answered on a phone."""
    from ui.exercises.files import load_all

    return {
        key: exercise.title
        for key, exercise in load_all().items()
        if {part.kind for part in exercise.parts} <= _ON_A_PHONE
    }


@lru_cache(maxsize=64)
def _drawn(key: str, number: int) -> Drawn:
    from ui.exercises.files import load_all

    return load_all()[key].draw("room", "class", number)


@dataclass(frozen=True)
class Together:
    """One exercise for a whole class, with the same numbers for everybody, graded on the server."""

    key: str
    number: int = 0
    kind: ClassVar[str] = "exercise"
    spends: ClassVar[float] = 0.0
    least: ClassVar[int] = 0

    @property
    def drawn(self) -> Drawn:
        """Exercise with the random numbers drawn for the class."""
        return _drawn(self.key, self.number)

    def misconceptions(self) -> dict[str, str]:
        """Return the names and descriptions of the wrong answers that the exercise anticipates."""
        parts = self.drawn.exercise.parts
        return {wrong.name: wrong.misconception for part in parts for wrong in part.wrong}

    def names(self) -> list[str]:
        """Return the names of the counts: right, each anticipated misconception, other wrong answers."""
        return ["right", "other", *(f"wrong {name}" for name in self.misconceptions())]

    def brief(self) -> Json:
        """Return the data for all phones: the text and the parts to answer, without solutions."""
        return self.drawn.public()

    def mine(self, seed: bytes) -> Json:
        """Return an empty dictionary, since all phones get the same data."""
        return {}

    def count(self, answer: Any, seed: bytes) -> Counted:
        """Return the count that an answer increases: right answers, a misconception, or other answers; and the
        reply.

        The reply to the phone contains feedback, but not the right answer.
        """
        if not isinstance(answer, dict) or any(
            not isinstance(value, str) or len(value) > 60 for value in answer.values()
        ):
            raise no_answer(T("refused.texts"))
        try:
            verdict = self.drawn.grade(answer)
        except ValueError as error:
            raise no_answer(str(error).rstrip(".")) from None
        name = (
            "right"
            if verdict.right
            else f"wrong {verdict.misconception}"
            if verdict.misconception
            else "other"
        )
        reply = {"right": verdict.right, "title": verdict.title, "feedback": verdict.feedback}
        return Counted([name], reply)

    def outcome(self, counts: Mapping[str, int], answered: int) -> Json:
        """Return the number of right answers and of each misconception, and then the worked solution."""
        named = self.misconceptions()
        rows = [[named[name], counts.get(f"wrong {name}", 0)] for name in named]
        return {
            "answered": answered, "right": counts.get("right", 0), "other": counts.get("other", 0),
            "misconceptions": sorted((one for one in rows if one[1]), key=lambda one: -one[1]),
        }  # fmt: skip
