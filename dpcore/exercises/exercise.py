"""Exercises, exercises with the numbers drawn for a student, and the grading of answers."""

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
    """Figure of an exercise: a link to a panel of an interactive app page, or the exercise's own curves.

    ``page`` and ``panel`` name the figure, ``state`` its parameter values; ``keep`` lists the visible controls and
    ``lock`` the fixed ones. Without a page the figure shows the curves of ``plot``, see `Drawn.curves`.
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

    ``score`` is 1 for a right answer, 0.5 for a valid but loose one, else 0. ``misconception`` is the identifier of
    the recognised wrong answer, "" for none, and ``title`` describes the misconception in words. ``feedback`` is the
    text for the student. ``parts`` maps the name of each part to whether its answer is right.
    """

    score: float
    right: bool
    misconception: str = ""
    title: str = ""
    feedback: str = ""
    parts: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """Exercise as specified in its file, before numbers are drawn for a student.

    ``key`` is the name of the file without its ending. ``parameters`` maps each parameter to its allowed values;
    ``where`` is a condition that a combination of values must satisfy. All fields are described in
    ``docs/guide/exercises.md``.
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
        """All combinations of parameter values that fulfil the condition ``where``."""
        every = itertools.islice(itertools.product(*self.parameters.values()), MOST_DRAWS + 1)
        parameter_sets = [dict(zip(self.parameters, values, strict=True)) for values in every]
        return tuple(one for one in parameter_sets if self.where is None or self.where(one))

    def draw(self, salt: str, pseudonym: str, number: int = 0) -> Drawn:
        """Return the exercise with the numbers of one student, determined by the three arguments.

        Parameters
        ----------
        salt, pseudonym : str
            Secret text of the course, and pseudonym of the student. The numbers are derived from both and
            the key of the exercise by SHA-256.
        number : int
            Index of the set of numbers; consecutive indices give different sets if there is more than one.
        """
        _checks.integer("number", number, low=0)
        order = shuffled(range(len(self.draws)), seed_of(salt, pseudonym, self.key))
        seed = seed_of(salt, pseudonym, self.key, str(number))
        return Drawn(exercise=self, parameters=self.draws[order[number % len(order)]], seed=seed)

    def public(self) -> dict[str, Any]:
        """Return the key, title, topic and kinds of parts as JSON, without answers, hints and solution."""
        kinds = [part.kind for part in self.parts]
        return {"key": self.key, "title": self.title, "topic": self.topic, "kinds": kinds}


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """Exercise with the parameter values of one student: its texts, its answers and the grading.

    Before an answer only the result of ``public()`` may be sent to the browser. Each hint and the solution are
    sent on request, once they are unlocked.
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
        """Text of the question, in Markdown."""
        return fill(self.exercise.text, self.parameters)

    @property
    def figure(self) -> FigureLink | None:
        """Figure of the exercise with the parameter values filled in; None if it has no figure."""
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
        """Computed curves of the exercise's own figure; None if it has no such figure."""
        link = self.exercise.figure
        return link.plot.computed(self._known.values) if link and link.plot else None

    def public(self) -> dict[str, Any]:
        """Return what may be sent to the browser, as JSON: key, title, question, and the parts with their options."""
        known = Known(self.parameters, self.seed)
        parts = [part.ask(known) for part in self.exercise.parts]
        return self.exercise.public() | {"text": self.text, "parts": parts}

    def hint(self, place: int) -> str:
        """Return the text of the first, second or third hint, for ``place`` 0, 1 or 2."""
        return fill(self.exercise.hints[place], self.parameters)

    @property
    def solution(self) -> str:
        """Text of the worked solution, in Markdown."""
        return fill(self.exercise.solution, self._known.values)

    def right_answer(self, *, letters: bool = True) -> dict[str, Any]:
        """Return a right answer to every part by the part's name, for use on the server only.

        With ``letters`` the answers have the form that `grade` accepts, where options are letters instead of keys.
        """
        shown = {part.name: part.show_right(self._known) for part in self.exercise.parts}
        if letters:
            return shown
        return {part.name: part.read(shown[part.name], self._known) for part in self.exercise.parts}

    def collisions(self) -> list[str]:
        """Return a sentence for each listed wrong answer that is too close to the right answer."""
        return [fault for part in self.exercise.parts for fault in part.collisions(self._known)]

    def grade(self, answer: Any) -> Verdict:
        """Grade an answer and return the verdict on it.

        Parameters
        ----------
        answer : mapping
            The answer to each part by the part's name; an exercise with a single part also accepts the plain
            answer. An answer is a number or its text, the letter of an option, the letters of steps in order,
            the two ends of an interval, the heights of a curve, or the values of a figure's controls.

        Raises
        ------
        ValueError
            When the answer cannot be parsed. The message is for the student, and the answer must not be
            counted as wrong.
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
        off = [part for part in parts if not right[part.name]]
        mistakes = [self._recognised(part, answers[part.name]) for part in off]
        named = [wrong for wrong in mistakes if wrong]
        if not named:
            missed = (
                ""
                if len(parts) == 1
                else f" Look again at: {', '.join(part.label for part in off)}."
            )
            feedback = fill(f"This is not right yet.{missed}", self.parameters)
            return Verdict(score=0.0, right=False, feedback=feedback, parts=right)
        loose = all(wrong and wrong.credit for wrong in mistakes)
        first = named[0] if loose else next((w for w in named if not w.credit), named[0])
        return Verdict(
            score=min(wrong.credit for wrong in named) if loose else 0.0, right=False,
            misconception=first.name, title=first.misconception,
            feedback=fill(first.feedback, self.parameters), parts=right,
        )  # fmt: skip

    def _recognised(self, part: Part, answer: Any) -> Wrong | None:
        return next((w for w in part.wrong if part.is_wrong(answer, w, self._known)), None)
