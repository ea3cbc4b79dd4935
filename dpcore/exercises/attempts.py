"""State of a student's attempts at an exercise: tries, hints, solution, best score."""

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
    """A student's attempt at an exercise; immutable, methods return a new attempt.

    ``number``: index of the drawn set of numbers. ``wrong``: failed tries on this set; each unlocks
    a hint, the third the solution. ``seen``: whether the solution for these numbers was shown; an
    answer then scores 0. ``score``: the best so far.
    """

    number: int = 0
    wrong: int = 0
    seen: bool = False
    score: float = 0.0
    verdict: Verdict | None = None

    @property
    def hints(self) -> int:
        """Number of hints unlocked."""
        return min(self.wrong, TRIES)

    @property
    def earned(self) -> bool:
        """Whether the solution is unlocked: by a right answer, or by three wrong ones."""
        return self.solved or self.wrong >= TRIES

    @property
    def solved(self) -> bool:
        """Whether the last answer was right."""
        return self.verdict is not None and self.verdict.right

    def is_over(self, exercise: Exercise) -> bool:
        """Return whether these numbers accept no more answers: after a right one, or three tries if others can be
        drawn.
        """
        return self.solved or (self.wrong >= TRIES and len(exercise.draws) > 1)

    def after(self, verdict: Verdict) -> Attempt:
        """Return the attempt after an answer, which scores 0 if the solution was already shown."""
        worth = replace(verdict, score=0.0) if self.seen else verdict
        wrong = self.wrong + (not verdict.right)
        return replace(self, verdict=worth, wrong=wrong, score=max(self.score, worth.score))

    def solution_shown(self) -> Attempt:
        """Return the attempt after the solution was shown.

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
        """Return the attempt with newly drawn numbers and the best score so far."""
        return Attempt(number=self.number + 1, score=self.score)


class Shown:
    """Record of numbers whose solution was shown in this process, so that they score no more points.

    Only hashes are stored, the newest ``most`` of them, in memory: a restart clears them.
    """

    def __init__(self, most: int = 100_000) -> None:
        self._most, self._lock = most, threading.Lock()
        self._seen: OrderedDict[bytes, None] = OrderedDict()

    def add(self, exercise: Exercise, salt: str, pseudonym: str, number: int) -> None:
        """Record that the solution of these numbers was shown."""
        with self._lock:
            self._seen[_place(exercise, salt, pseudonym, number)] = None
            while len(self._seen) > self._most:
                self._seen.popitem(last=False)

    def holds(self, exercise: Exercise, salt: str, pseudonym: str, number: int) -> bool:
        """Return whether the solution of these numbers was shown."""
        return _place(exercise, salt, pseudonym, number) in self._seen

    def fresh(self, exercise: Exercise, salt: str, pseudonym: str, attempt: Attempt) -> Attempt:
        """Return the attempt with numbers whose solution was not shown elsewhere.

        If the solutions of all numbers were shown, the attempt is marked as seen and scores 0.
        """
        if attempt.seen or not self.holds(exercise, salt, pseudonym, attempt.number):
            return attempt
        every = range(len(exercise.draws))
        number = next((k for k in every if not self.holds(exercise, salt, pseudonym, k)), None)
        if number is None:
            return replace(attempt, seen=True)
        return Attempt(number=number, score=attempt.score)


def _place(exercise: Exercise, salt: str, pseudonym: str, number: int) -> bytes:
    """Return the key of the drawn numbers; an exercise with a single set of numbers has one key."""
    return seed_of(salt, pseudonym, exercise.key, str(number % len(exercise.draws)))
