"""Exercises as specified in their files, exercises with one student's numbers, and grading."""

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

__all__ = ["Exercise", "ExerciseInstance", "FigureLink", "Hint", "Verdict"]

MOST_DRAWS = 2000
"""Largest number of parameter combinations of an exercise.

A test checks all of them.
"""

_UNKNOWN = Wrong(name="", misconception="", feedback="This is not right yet.")


@dataclass(frozen=True, kw_only=True)
class FigureLink:
    """Figure beside an exercise: a panel of an app page, or curves that the exercise defines itself.

    - ``page`` and ``panel`` name the panel; ``state`` gives the parameter values that the panel shows.
    - ``keep`` lists the controls that are visible, ``lock`` those that cannot be moved.
    - ``plot`` defines the exercise's own curves; it is used if ``page`` is "".
    """

    page: str = ""
    state: Mapping[str, str] = field(default_factory=dict)
    panel: str = ""
    keep: tuple[str, ...] = ()
    lock: tuple[str, ...] = ()
    plot: Plot | None = None


@dataclass(frozen=True, kw_only=True)
class Hint:
    """Hint of an exercise: its text and its kind.

    The kind is "idea", "formula", "figure", "example" or "" (not stated).
    """

    text: str
    kind: str = ""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Result of grading an answer to an exercise of one or several questions (parts).

    - ``score`` is the share of the marks that the answer earns, rounded to two decimals. ``right`` is True if all
      answers are right.
    - ``parts`` states for each question, by name, whether its answer is right.
    - ``misconception`` is the identifier of a known wrong answer that was given, "" for none. ``title`` describes the
      misconception in words, ``feedback`` is the text for the student.
    - ``took`` completes the sentence "It looks as if you took …" for the student, or is "".
    - ``about`` is the label of the question with this wrong answer, in quotes; "" if there is only one question.
    """

    score: float
    right: bool
    misconception: str = ""
    title: str = ""
    took: str = ""
    about: str = ""
    feedback: str = ""
    parts: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """Exercise as specified in its file, before numbers are drawn for a student.

    - ``key`` is the name of the file without its ending.
    - ``parameters`` maps each parameter to its allowed values. ``where`` is a condition on combinations of values.
    - ``level`` is the difficulty, from 1 to 3.
    - ``documents`` are the numbers of the documents that the exercise is about, the main one first.

    All fields are described in ``docs/guide/exercises.md``.
    """

    key: str
    title: str
    topic: str
    text: str
    parts: tuple[Part, ...]
    level: int = 2
    documents: tuple[int, ...] = ()
    parameters: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    where: Formula | None = None
    values: Mapping[str, Formula] = field(default_factory=dict)
    hints: tuple[Hint, ...] = ()
    solution: str = ""
    figure: FigureLink | None = None
    examples: tuple[tuple[Mapping[str, Value], Mapping[str, Any]], ...] = ()

    @cached_property
    def draws(self) -> tuple[Mapping[str, Value], ...]:
        """All combinations of parameter values that fulfil the condition ``where``."""
        every = itertools.islice(itertools.product(*self.parameters.values()), MOST_DRAWS + 1)
        parameter_sets = [dict(zip(self.parameters, values, strict=True)) for values in every]
        return tuple(one for one in parameter_sets if self.where is None or self.where(one))

    def draw(self, salt: str, pseudonym: str, number: int = 0) -> ExerciseInstance:
        """Return the exercise with the numbers of one student, determined by the three arguments.

        Parameters
        ----------
        salt, pseudonym : str
            Secret text of the course, and pseudonym of the student. The numbers are derived by SHA-256 from both and
            from the key of the exercise.
        number : int
            Index of the set of numbers; consecutive indices give different sets if there is more than one.
        """
        _checks.integer("number", number, low=0)
        order = shuffled(range(len(self.draws)), seed_of(salt, pseudonym, self.key))
        seed = seed_of(salt, pseudonym, self.key, str(number))
        return ExerciseInstance(
            exercise=self, parameters=self.draws[order[number % len(order)]], seed=seed
        )

    def public(self) -> dict[str, Any]:
        """Return key, title, topic, level and kinds of questions as JSON, without answers and hints."""
        kinds = [part.kind for part in self.parts]
        return {
            "key": self.key,
            "title": self.title,
            "topic": self.topic,
            "level": self.level,
            "kinds": kinds,
        }


@dataclass(frozen=True, kw_only=True)
class ExerciseInstance:
    """Exercise with the parameter values of one student: its texts, answers and grading.

    Before an answer only the result of ``public()`` may be sent to the browser. Hints and solution are sent on
    request, once they are unlocked.
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
        """Text of the exercise, in Markdown, with the parameter values filled in."""
        return fill(self.exercise.text, self.parameters)

    @property
    def figure(self) -> FigureLink | None:
        """Figure of the exercise with the parameter values filled in, or None."""
        link = self.exercise.figure
        if link is None:
            return None
        plain = {
            name: f"{v:.12g}" if isinstance(v, float) else v for name, v in self.parameters.items()
        }
        state = {name: fill(value, plain) for name, value in link.state.items()}
        return replace(link, state=state)

    @property
    def curves(self) -> Curves | None:
        """Computed curves of the exercise's own figure, or None if it has no such figure."""
        link = self.exercise.figure
        return link.plot.computed(self._known.values) if link and link.plot else None

    def public(self) -> dict[str, Any]:
        """Return the JSON for the browser: key, title, text, and the questions with their options."""
        known = Known(self.parameters, self.seed)
        parts = [part.ask(known) for part in self.exercise.parts]
        return self.exercise.public() | {"text": self.text, "parts": parts}

    def hint(self, place: int) -> str:
        """Return the text of the first, second or third hint, for ``place`` 0, 1 or 2."""
        return fill(self.exercise.hints[place].text, self.parameters)

    @property
    def solution(self) -> str:
        """Text of the worked solution, in Markdown."""
        return fill(self.exercise.solution, self._known.values)

    def right_answer(self, *, letters: bool = True) -> dict[str, Any]:
        """Return a right answer to each question, by the question's name; for use on the server only.

        With ``letters`` the answers have the form that `grade` accepts. Options are then letters instead of keys.
        """
        shown = {part.name: part.show_right(self._known) for part in self.exercise.parts}
        if letters:
            return shown
        return {part.name: part.read(shown[part.name], self._known) for part in self.exercise.parts}

    def collisions(self) -> list[str]:
        """Return one sentence for each listed wrong answer that is too close to the right one."""
        return [fault for part in self.exercise.parts for fault in part.collisions(self._known)]

    def grade(self, answer: Any) -> Verdict:
        """Grade an answer and return the verdict on it.

        Parameters
        ----------
        answer : mapping
            The answers to the parts (questions) by name. An exercise with a single part also accepts the plain
            answer. An answer is a number or its text, the letter of an option, the letters of steps in order, the two
            ends of an interval, the heights of a curve, or the values of a figure's controls.

        Raises
        ------
        ValueError
            When the answer cannot be parsed. The message is for the student. The answer must not count as wrong.
        """
        parts = self.exercise.parts
        raw = answer
        if len(parts) == 1 and not (isinstance(raw, Mapping) and parts[0].name in raw):
            raw = {parts[0].name: raw}
        if not isinstance(raw, Mapping):
            raise ValueError(f"Give an answer to each of {', '.join(part.name for part in parts)}.")
        answers = {part.name: part.read(raw.get(part.name), self._known) for part in parts}
        return self._verdict(answers)

    def _verdict(self, answers: Mapping[str, Any]) -> Verdict:
        known, parts = self._known, self.exercise.parts
        right = {part.name: part.is_right(answers[part.name], known) for part in parts}
        if all(right.values()):
            return Verdict(score=1.0, right=True, parts=right)
        mistakes = {
            part.name: self._recognised(part, answers[part.name])
            for part in parts
            if not right[part.name]
        }
        named = [(name, wrong) for name, wrong in mistakes.items() if wrong]
        plain = [one for one in named if not one[1].credit]
        about, first = [*plain, *named, ("", _UNKNOWN)][0]
        off = [part for part in parts if part.name in mistakes and len(parts) > 1]
        labels = {part.name: f"“{part.label}”" for part in off}
        others = ", ".join(label for name, label in labels.items() if name != about)
        again = f" Look again at {others}." if others else ""
        return Verdict(
            score=self._score(right, mistakes), right=False, parts=right,
            misconception=first.name, title=first.misconception, took=fill(first.took, self.parameters),
            about=fill(labels.get(about, ""), self.parameters),
            feedback=fill(first.feedback + again, self.parameters),
        )  # fmt: skip

    def _score(self, right: Mapping[str, bool], mistakes: Mapping[str, Wrong | None]) -> float:
        """Return the share of the marks that an answer earns, rounded to two decimals.

        A right part counts in full, and a known wrong answer by its ``credit``.
        """
        credits = {name: wrong.credit if wrong else 0.0 for name, wrong in mistakes.items()}
        parts = self.exercise.parts
        earned = sum(p.marks * (1.0 if right[p.name] else credits[p.name]) for p in parts)
        return round(earned / sum(part.marks for part in parts), 2)

    def _recognised(self, part: Part, answer: Any) -> Wrong | None:
        return next((w for w in part.wrong if part.is_wrong(answer, w, self._known)), None)
