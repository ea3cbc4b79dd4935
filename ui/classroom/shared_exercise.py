"""Activity "shared exercise": a class solves one exercise.

Only counts of misconceptions are stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from ui.classroom.activity import Counted, Json, no_answer
from ui.words.text import load_text

if TYPE_CHECKING:
    from dpcore.exercises import Exercise, ExerciseInstance

__all__ = ["Together", "offered", "on_a_phone"]

T = load_text(__file__)

_ON_A_PHONE = {"number", "choice"}


def offered(name: str = "") -> dict[str, str]:
    """Return the titles, by key, of the exercises that can be answered on a phone.

    The exercises of the set ``name`` come first.
    """
    from ui.exercises.files import in_set, load_all

    known = load_all()
    return {key: known[key].title for key in in_set(known, name) if on_a_phone(known[key])}


def on_a_phone(exercise: Exercise) -> bool:
    """Return whether an exercise can be answered on a phone."""
    return {part.kind for part in exercise.parts} <= _ON_A_PHONE


@lru_cache(maxsize=64)
def _load_exercise(key: str, number: int) -> ExerciseInstance:
    from ui.exercises.files import load_all

    return load_all()[key].draw("room", "class", number)


@dataclass(frozen=True)
class Together:
    """One exercise for a whole class, graded on the server.

    Everybody gets the same numbers.
    """

    key: str
    number: int = 0
    kind: ClassVar[str] = "exercise"
    spends: ClassVar[float] = 0.0
    least: ClassVar[int] = 0

    def __post_init__(self) -> None:
        from ui.exercises.files import load_all

        if self.key not in load_all():
            raise ValueError(f"There is no exercise {self.key!r}.")

    @property
    def instance(self) -> ExerciseInstance:
        """Exercise with random numbers that are the same for all phones of the class."""
        return _load_exercise(self.key, self.number)

    def misconceptions(self) -> dict[str, str]:
        """Return the names and descriptions of the wrong answers that the exercise anticipates."""
        parts = self.instance.exercise.parts
        return {wrong.name: wrong.misconception for part in parts for wrong in part.wrong}

    def names(self) -> list[str]:
        """Return the names of the counts: right, each anticipated misconception, other wrong answers."""
        return ["right", "other", *(f"wrong {name}" for name in self.misconceptions())]

    def brief(self) -> Json:
        """Return the data for all phones: the text and the parts to answer, without solutions."""
        return self.instance.public()

    def mine(self, seed: bytes) -> Json:
        """Return an empty dictionary, since all phones get the same data."""
        return {}

    def count(self, answer: Any, seed: bytes) -> Counted:
        """Return the name of the count that an answer increases, and the reply to the phone.

        There is a count for right answers, one for each misconception, and one for other answers. The reply contains
        feedback, but not the right answer.
        """
        if not isinstance(answer, dict) or any(
            not isinstance(value, str) or len(value) > 60 for value in answer.values()
        ):
            raise no_answer(T("refused.texts"))
        try:
            verdict = self.instance.grade(answer)
        except ValueError as error:
            raise no_answer(str(error).rstrip(".")) from None
        name = (
            "right"
            if verdict.right
            else f"wrong {verdict.misconception}"
            if verdict.misconception
            else "other"
        )
        title = T("exercise.took", took=verdict.took) if verdict.took else verdict.title
        if title and verdict.about:
            title = T("exercise.at", about=verdict.about, title=title)
        reply = {"right": verdict.right, "title": title, "feedback": verdict.feedback}
        return Counted([name], reply)

    def outcome(self, counts: Mapping[str, int], answered: int) -> Json:
        """Return the numbers of right answers, other answers, and each misconception, most frequent ones first."""
        named = self.misconceptions()
        rows = [[named[name], counts.get(f"wrong {name}", 0)] for name in named]
        return {
            "answered": answered, "right": counts.get("right", 0), "other": counts.get("other", 0),
            "misconceptions": sorted((one for one in rows if one[1]), key=lambda one: -one[1]),
        }  # fmt: skip
