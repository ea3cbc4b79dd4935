"""Questions with selections: a choice, steps in order, or a state of a figure."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dpcore.exercises.formulas import Formula, Value
from dpcore.exercises.part import Known, Part, Wrong
from dpcore.exercises.shuffled import shuffled
from dpcore.exercises.words import fill

__all__ = ["Choice", "State", "Steps"]


@dataclass(frozen=True, kw_only=True)
class Choice(Part):
    """Question with several options (key, text), one of which is right.

    ``right`` is the formula of the right option's key. ``ordered`` keeps the options in the order of the file.
    """

    options: tuple[tuple[str, str], ...]
    right: Formula
    ordered: bool = False
    kind: ClassVar[str] = "choice"

    def ask(self, known: Known) -> dict[str, Any]:
        texts = dict(self.options)
        listed = {letter: fill(texts[key], known.values) for letter, key in self._letters(known)}
        return super().ask(known) | {"options": listed}

    def read(self, raw: Any, known: Known) -> str:
        key = dict(self._letters(known)).get(str(raw))
        if key is None:
            raise ValueError("There is no answer yet: choose one of the options.")
        return key

    def is_right(self, answer: str, known: Known) -> bool:
        return answer == self.right(known.values)

    def is_wrong(self, answer: str, wrong: Wrong, known: Known) -> bool:
        return answer == wrong.option

    def show_right(self, known: Known) -> str:
        right = self.right(known.values)
        return next(letter for letter, key in self._letters(known) if key == right)

    def collisions(self, known: Known) -> list[str]:
        right = self.right(known.values)
        known_keys = [key for key, _ in self.options]
        return (
            [] if right in known_keys else [f"the right answer {right!r} is none of {known_keys}"]
        )

    def _letters(self, known: Known) -> list[tuple[str, str]]:
        keys = [key for key, _ in self.options]
        order = keys if self.ordered else shuffled(keys, known.seed + self.name.encode())
        return list(zip("ABCDEFGHIJKL", order, strict=False))


@dataclass(frozen=True, kw_only=True)
class Steps(Part):
    """Question that asks for the order of ``steps`` (key, text); the steps in ``extra`` must be left out.

    ``needs`` has the pairs (earlier, later) of steps whose order is fixed. Any order that respects these pairs is
    right.
    """

    steps: tuple[tuple[str, str], ...]
    extra: tuple[tuple[str, str], ...] = ()
    needs: tuple[tuple[str, str], ...] = ()
    kind: ClassVar[str] = "steps"

    def ask(self, known: Known) -> dict[str, Any]:
        texts = dict(self.steps + self.extra)
        listed = {letter: fill(texts[key], known.values) for letter, key in self._letters(known)}
        return super().ask(known) | {"steps": listed}

    def read(self, raw: Any, known: Known) -> tuple[str, ...]:
        letters = dict(self._letters(known))
        answer = list(raw) if isinstance(raw, str | Sequence) else []
        if not answer or any(letter not in letters for letter in map(str, answer)):
            raise ValueError(
                f"Give the letters of the steps in their order: of {', '.join(letters)}."
            )
        if len(set(answer)) != len(answer):
            raise ValueError("A step stands there twice: give each letter once at most.")
        return tuple(letters[str(letter)] for letter in answer)

    def is_right(self, answer: tuple[str, ...], known: Known) -> bool:
        places = {key: place for place, key in enumerate(answer)}
        return places.keys() == dict(self.steps).keys() and all(
            places[earlier] < places[later] for earlier, later in self.needs
        )

    def is_wrong(self, answer: tuple[str, ...], wrong: Wrong, known: Known) -> bool:
        if wrong.uses:
            return wrong.uses in answer
        first, second = wrong.before
        both = first in answer and second in answer
        return both and answer.index(first) < answer.index(second)

    def show_right(self, known: Known) -> list[str]:
        letters = {key: letter for letter, key in self._letters(known)}
        return [letters[key] for key, _ in self.steps]

    def collisions(self, known: Known) -> list[str]:
        fixed = self._fixed()
        return [
            f"{wrong.name} is said of a right order"
            for wrong in self.wrong
            if wrong.uses in dict(self.steps) or (wrong.before and wrong.before[::-1] not in fixed)
        ]

    def _fixed(self) -> set[tuple[str, str]]:
        """Return all pairs (earlier, later) of steps whose order is fixed, directly or through steps between them."""
        fixed = set(self.needs)
        for middle in dict(self.steps):
            fixed |= {(a, d) for a, b in fixed for c, d in fixed if b == c == middle}
        return fixed

    def _letters(self, known: Known) -> list[tuple[str, str]]:
        keys = [key for key, _ in self.steps + self.extra]
        return list(
            zip("ABCDEFGHIJKL", shuffled(keys, known.seed + self.name.encode()), strict=False)
        )


@dataclass(frozen=True, kw_only=True)
class State(Part):
    """Question in which the student moves the controls of a figure until a condition holds.

    ``right`` is the condition, a formula of the controls' values. ``moves`` maps each control to its possible values.
    For a control ``x``, the formula may also contain ``x_below`` and ``x_above``, the next lower and higher possible
    value.
    """

    moves: Mapping[str, tuple[float, ...]]
    right: Formula
    kind: ClassVar[str] = "state"

    def ask(self, known: Known) -> dict[str, Any]:
        return super().ask(known) | {
            "moves": {name: list(grid) for name, grid in self.moves.items()}
        }

    def read(self, raw: Any, known: Known) -> dict[str, float]:
        values = raw if isinstance(raw, Mapping) else {}
        state = {}
        for name, grid in self.moves.items():
            value = values.get(name)
            if (
                isinstance(value, bool)
                or not isinstance(value, int | float)
                or not math.isfinite(value)
            ):
                raise ValueError(f"The figure has not told its “{name}” yet: move its handle.")
            state[name] = min(grid, key=lambda place: abs(place - value))
        return state

    def is_right(self, answer: Mapping[str, float], known: Known) -> bool:
        return bool(self.right(self._names(answer, known)))

    def is_wrong(self, answer: Mapping[str, float], wrong: Wrong, known: Known) -> bool:
        return bool(wrong.value[0](self._names(answer, known)))

    def show_right(self, known: Known) -> dict[str, float]:
        for state in self._states():
            if self.is_right(state, known):
                return state
        raise ValueError("no state of the figure is right")

    def collisions(self, known: Known) -> list[str]:
        collisions = (
            []
            if any(self.is_right(state, known) for state in self._states())
            else ["no state is right"]
        )
        return collisions + [
            f"{wrong.name} is said of the right state {state}"
            for state in self._states()
            for wrong in self.wrong
            if self.is_right(state, known) and self.is_wrong(state, wrong, known)
        ]

    def _names(self, state: Mapping[str, float], known: Known) -> dict[str, Value]:
        """Return the values of all names that the condition may contain, for given values of the controls."""
        names = {**known.values, **state}
        for move, grid in self.moves.items():
            ordered = sorted(grid)
            place = ordered.index(state[move])
            names[f"{move}_below"] = ordered[max(place - 1, 0)]
            names[f"{move}_above"] = ordered[min(place + 1, len(ordered) - 1)]
        return names

    def _states(self) -> list[dict[str, float]]:
        return [
            dict(zip(self.moves, place, strict=True))
            for place in itertools.product(*self.moves.values())
        ]
