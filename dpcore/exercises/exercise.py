"""Exercises, the numbers drawn for a student, and the grading of answers."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from dpcore import _checks
from dpcore.exercises.formulas import Formula, Value
from dpcore.exercises.part import Known, Part, Wrong
from dpcore.exercises.plot import Curves, Plot
from dpcore.exercises.shuffled import seed_of, shuffled
from dpcore.exercises.words import fill

__all__ = ["Drawn", "Exercise", "FigureLink", "Verdict"]

MOST_DRAWS = 2000
"""The most sets of parameters that an exercise may have: a test goes over all of them."""


@dataclass(frozen=True, kw_only=True)
class FigureLink:
    """Link to a live figure: page, parameter values, one ``panel``, visible and locked controls.

    Without a page, the exercise's own curves: ``plot``, see `Drawn.curves`.
    """

    page: str = ""
    state: Mapping[str, str] = field(default_factory=dict)
    panel: str = ""
    keep: tuple[str, ...] = ()
    lock: tuple[str, ...] = ()
    plot: Plot | None = None


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Result of grading an answer.

    ``score``: 1 for a right answer, 0.5 for a valid but loose one, else 0. ``misconception``: name
    of the recognised wrong answer, "" for none; ``title``: its name in words. ``parts``: which
    parts are right.
    """

    score: float
    right: bool
    misconception: str = ""
    title: str = ""
    feedback: str = ""
    parts: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """Exercise as specified in its file; see the guide for the fields, and `draw` for a student's own.

    ``key`` is the file's name; ``parameters`` holds the allowed values of each; ``where`` excludes
    combinations.
    """

    key: str
    title: str
    topic: str
    text: str
    parts: tuple[Part, ...]
    parameters: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    where: Formula | None = None
    values: Mapping[str, Formula] = field(default_factory=dict)
    hints: tuple[str, ...] = ()
    solution: str = ""
    figure: FigureLink | None = None
    examples: tuple[tuple[Mapping[str, Value], Mapping[str, Any]], ...] = ()

    @cached_property
    def draws(self) -> tuple[Mapping[str, Value], ...]:
        """All parameter sets that may be drawn."""
        every = itertools.islice(itertools.product(*self.parameters.values()), MOST_DRAWS + 1)
        found = [dict(zip(self.parameters, values, strict=True)) for values in every]
        return tuple(one for one in found if self.where is None or self.where(one))

    def draw(self, salt: str, pseudonym: str, number: int = 0) -> Drawn:
        """Return the exercise with a student's own numbers, determined by the three arguments.

        Parameters
        ----------
        salt, pseudonym : str
            Course and student; the numbers are derived from them and the exercise's key by SHA-256.
        number : int
            Index of the set of numbers; consecutive sets differ if there is more than one.
        """
        _checks.integer("number", number, low=0)
        order = shuffled(range(len(self.draws)), seed_of(salt, pseudonym, self.key))
        seed = seed_of(salt, pseudonym, self.key, str(number))
        return Drawn(exercise=self, parameters=self.draws[order[number % len(order)]], seed=seed)

    def public(self) -> dict[str, Any]:
        """Return the public part as JSON: without answers, hints and solution."""
        kinds = [part.kind for part in self.parts]
        return {"key": self.key, "title": self.title, "topic": self.topic, "kinds": kinds}


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """Exercise with drawn parameters: question and grading.

    ``public()`` is all that a browser may know before an answer. Hints and the solution are
    requested one by one, once unlocked.
    """

    exercise: Exercise
    parameters: Mapping[str, Value]
    seed: bytes = b""

    @cached_property
    def _known(self) -> Known:
        values = dict(self.parameters)
        for name, formula in self.exercise.values.items():
            values[name] = formula(values)
        return Known(values, self.seed)

    @property
    def text(self) -> str:
        """Question, in Markdown."""
        return fill(self.exercise.text, self.parameters)

    @property
    def figure(self) -> FigureLink | None:
        """Live figure with the drawn parameters filled in."""
        found = self.exercise.figure
        if found is None:
            return None
        plain = {
            name: f"{v:.12g}" if isinstance(v, float) else v for name, v in self.parameters.items()
        }
        state = {name: fill(value, plain) for name, value in found.state.items()}
        return replace(found, state=state)

    @property
    def curves(self) -> Curves | None:
        """Curves of the exercise's own figure; None if it has none."""
        found = self.exercise.figure
        return found.plot.computed(self._known.values) if found and found.plot else None

    def public(self) -> dict[str, Any]:
        """Return what is sent to the browser, as JSON: key, title, text and the parts with their options."""
        known = Known(self.parameters, self.seed)
        asked = [part.ask(known) for part in self.exercise.parts]
        return self.exercise.public() | {"text": self.text, "parts": asked}

    def hint(self, place: int) -> str:
        """Return the first, second or third hint: 0, 1 or 2."""
        return fill(self.exercise.hints[place], self.parameters)

    @property
    def solution(self) -> str:
        """Worked solution, in Markdown."""
        return fill(self.exercise.solution, self._known.values)

    def right_answer(self, *, letters: bool = True) -> dict[str, Any]:
        """Return a right answer to every part, for the server only; ``letters`` replaces option keys by letters."""
        shown = {part.name: part.show_right(self._known) for part in self.exercise.parts}
        if letters:
            return shown
        return {part.name: part.read(shown[part.name], self._known) for part in self.exercise.parts}

    def collisions(self) -> list[str]:
        """Return a sentence for each listed wrong answer that is too close to the right one."""
        return [fault for part in self.exercise.parts for fault in part.collisions(self._known)]

    def grade(self, answer: Any) -> Verdict:
        """Return the verdict on an answer.

        Parameters
        ----------
        answer : mapping
            The answer to each part by its name; to a single part just its answer. A number or its text, the
            letter of an option, letters of steps in order, two ends, heights, or values of controls.

        Raises
        ------
        ValueError
            When the answer cannot be parsed; the message is for the student, and no try is used up.
        """
        parts = self.exercise.parts
        raw = answer
        if len(parts) == 1 and not (isinstance(raw, Mapping) and parts[0].name in raw):
            raw = {parts[0].name: raw}
        if not isinstance(raw, Mapping):
            raise ValueError(f"Give an answer to each of {', '.join(part.name for part in parts)}.")
        given = {part.name: part.read(raw.get(part.name), self._known) for part in parts}
        return self._verdict(given)

    def _verdict(self, given: Mapping[str, Any]) -> Verdict:
        known, parts = self._known, self.exercise.parts
        right = {part.name: part.is_right(given[part.name], known) for part in parts}
        if all(right.values()):
            return Verdict(score=1.0, right=True, parts=right)
        off = [part for part in parts if not right[part.name]]
        found = [self._recognised(part, given[part.name]) for part in off]
        named = [wrong for wrong in found if wrong]
        if not named:
            missed = (
                ""
                if len(parts) == 1
                else f" Look again at: {', '.join(part.label for part in off)}."
            )
            told = fill(f"This is not right yet.{missed}", self.parameters)
            return Verdict(score=0.0, right=False, feedback=told, parts=right)
        loose = all(wrong and wrong.credit for wrong in found)
        first = named[0] if loose else next((w for w in named if not w.credit), named[0])
        return Verdict(
            score=min(wrong.credit for wrong in named) if loose else 0.0, right=False,
            misconception=first.name, title=first.misconception,
            feedback=fill(first.feedback, self.parameters), parts=right,
        )  # fmt: skip

    def _recognised(self, part: Part, given: Any) -> Wrong | None:
        return next((w for w in part.wrong if part.is_wrong(given, w, self._known)), None)
