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
    """State of a student's work on an exercise; immutable.

    An exercise is a text with numbers that are drawn for each student. After some attempts the student gets another
    set of numbers.

    - ``number`` is the index of the present set of numbers.
    - ``wrong`` is the number of wrong answers for this set. Each one unlocks a hint; the third one also unlocks the
      solution.
    - ``seen`` is True if the solution for this set was shown. An answer then scores 0.
    - ``score`` is the best score of all answers, ``verdict`` the result of the last answer.
    """

    number: int = 0
    wrong: int = 0
    seen: bool = False
    score: float = 0.0
    verdict: Verdict | None = None

    @property
    def hints(self) -> int:
        """Number of unlocked hints, one for each wrong answer, at most three."""
        return min(self.wrong, TRIES)

    @property
    def earned(self) -> bool:
        """Whether the solution is unlocked, by a right answer or by three wrong answers."""
        return self.solved or self.wrong >= TRIES

    @property
    def solved(self) -> bool:
        """Whether the last answer was right."""
        return self.verdict is not None and self.verdict.right

    def is_over(self, exercise: Exercise) -> bool:
        """Return whether no more answers are accepted for the present set of numbers.

        This is so after a right answer. It is also so after three wrong answers, if the exercise has another set of
        numbers.
        """
        return self.solved or (self.wrong >= TRIES and len(exercise.draws) > 1)

    def after(self, verdict: Verdict) -> Attempt:
        """Return the state after an answer with this verdict.

        The answer scores 0 if the solution was shown before.
        """
        worth = replace(verdict, score=0.0) if self.seen else verdict
        wrong = self.wrong + (not verdict.right)
        return replace(self, verdict=worth, wrong=wrong, score=max(self.score, worth.score))

    def solution_shown(self) -> Attempt:
        """Return the state after the solution was shown to the student.

        Raises
        ------
        ValueError
            When the solution is not unlocked yet.
        """
        if not self.earned:
            left = TRIES - self.wrong
            raise ValueError(
                f"The solution comes after a right answer, or after {left} more tries."
            )
        return replace(self, seen=True)

    def again(self) -> Attempt:
        """Return the state with the next set of numbers, no wrong answers, and an unchanged best score."""
        return Attempt(number=self.number + 1, score=self.score)


class Shown:
    """Register of the solutions that this server process has shown to students.

    A solution belongs to a student's set of numbers for an exercise. After it was shown, answers for this set score
    0. The register is in memory only and holds hashes of at most ``most`` sets, the latest ones.
    """

    def __init__(self, most: int = 100_000) -> None:
        self._most, self._lock = most, threading.Lock()
        self._seen: OrderedDict[bytes, None] = OrderedDict()

    def add(self, exercise: Exercise, salt: str, pseudonym: str, number: int) -> None:
        """Record that a student has seen the solution for the set of numbers with index ``number``."""
        with self._lock:
            self._seen[_place(exercise, salt, pseudonym, number)] = None
            while len(self._seen) > self._most:
                self._seen.popitem(last=False)

    def holds(self, exercise: Exercise, salt: str, pseudonym: str, number: int) -> bool:
        """Return whether a student has seen the solution for the set of numbers with index ``number``."""
        return _place(exercise, salt, pseudonym, number) in self._seen

    def fresh(self, exercise: Exercise, salt: str, pseudonym: str, attempt: Attempt) -> Attempt:
        """Return the attempt, or a new one if the student has seen the solution for the attempt's set of numbers.

        A new attempt has a set of numbers for which the student has not seen the solution. If there is no such set,
        the given attempt is marked as ``seen``, so that answers score 0.
        """
        if attempt.seen or not self.holds(exercise, salt, pseudonym, attempt.number):
            return attempt
        every = range(len(exercise.draws))
        number = next((k for k in every if not self.holds(exercise, salt, pseudonym, k)), None)
        if number is None:
            return replace(attempt, seen=True)
        return Attempt(number=number, score=attempt.score)


def _place(exercise: Exercise, salt: str, pseudonym: str, number: int) -> bytes:
    """Return a hash of a student's set of numbers for an exercise.

    Two indices ``number`` that select the same set of numbers give the same hash.
    """
    return seed_of(salt, pseudonym, exercise.key, str(number % len(exercise.draws)))
