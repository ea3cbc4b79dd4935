"""How somebody stands with an exercise: tries, hints and solution that are earned, the best score."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace

from dpcore.exercises.exercise import Exercise, Verdict
from dpcore.exercises.shuffled import seed_of

__all__ = ["TRIES", "Attempt", "Shown"]

TRIES = 3


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One student's work on one exercise; a new object after every step.

    ``number`` says which of the drawn numbers these are, ``wrong`` how many tries have failed on them; each
    earns a hint, and the third the solution. ``seen`` is whether the solution of these numbers was shown: an
    answer to them then gives no point. ``score`` is the best so far.
    """

    number: int = 0
    wrong: int = 0
    seen: bool = False
    score: float = 0.0
    verdict: Verdict | None = None

    @property
    def hints(self) -> int:
        """How many hints are earned."""
        return min(self.wrong, TRIES)

    @property
    def earned(self) -> bool:
        """Whether the solution is earned: by a right answer, or by three that were not."""
        return self.solved or self.wrong >= TRIES

    @property
    def solved(self) -> bool:
        """Whether the last answer was right."""
        return self.verdict is not None and self.verdict.right

    def is_over(self, exercise: Exercise) -> bool:
        """Whether these numbers take no more answers: after a right one, or three tries where there are others."""
        return self.solved or (self.wrong >= TRIES and len(exercise.draws) > 1)

    def after(self, verdict: Verdict) -> Attempt:
        """Return the attempt after an answer; with the solution in sight it gives no point."""
        worth = replace(verdict, score=0.0) if self.seen else verdict
        wrong = self.wrong + (not verdict.right)
        return replace(self, verdict=worth, wrong=wrong, score=max(self.score, worth.score))

    def solution_shown(self) -> Attempt:
        """Return the attempt once the solution is on the screen.

        Raises
        ------
        ValueError
            When it is not earned yet.
        """
        if not self.earned:
            left = TRIES - self.wrong
            raise ValueError(
                f"The solution comes after a right answer, or after {left} more tries."
            )
        return replace(self, seen=True)

    def again(self) -> Attempt:
        """Return the attempt with the next numbers; the best score stays."""
        return Attempt(number=self.number + 1, score=self.score)


class Shown:
    """The numbers whose solution this process has shown, so that nobody opens them anew for a point.

    Kept are hashes alone, the newest ``most``; in memory, so that a restart forgets them.
    """

    def __init__(self, most: int = 100_000) -> None:
        self._most, self._lock = most, threading.Lock()
        self._seen: OrderedDict[bytes, None] = OrderedDict()

    def add(self, exercise: Exercise, salt: str, pseudonym: str, number: int) -> None:
        """Note that the solution of these numbers was shown."""
        with self._lock:
            self._seen[_place(exercise, salt, pseudonym, number)] = None
            while len(self._seen) > self._most:
                self._seen.popitem(last=False)

    def holds(self, exercise: Exercise, salt: str, pseudonym: str, number: int) -> bool:
        """Whether the solution of these numbers was shown."""
        return _place(exercise, salt, pseudonym, number) in self._seen

    def fresh(self, exercise: Exercise, salt: str, pseudonym: str, attempt: Attempt) -> Attempt:
        """Return the attempt, with numbers whose solution was not shown elsewhere.

        Where all were shown, the attempt says so: it then gives no point.
        """
        if attempt.seen or not self.holds(exercise, salt, pseudonym, attempt.number):
            return attempt
        every = range(len(exercise.draws))
        number = next((k for k in every if not self.holds(exercise, salt, pseudonym, k)), None)
        if number is None:
            return replace(attempt, seen=True)
        return Attempt(number=number, score=attempt.score)


def _place(exercise: Exercise, salt: str, pseudonym: str, number: int) -> bytes:
    """A name for the numbers: where there are no others, the next ones are the same again."""
    return seed_of(salt, pseudonym, exercise.key, str(number % len(exercise.draws)))
