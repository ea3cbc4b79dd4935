"""Answers that can be checked without a server: salted digests of the finitely many spellings that count as right.

A number counts to three significant digits. So the numbers within the tolerance of a question are finitely many, and
each has one spelling (`spelled`). A digest hides an answer from people who read the page, but not from a program that
tries all numbers. It therefore must not protect anything that students have to earn.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from dpcore.exercises.exercise import ExerciseInstance
from dpcore.exercises.measured import Interval, Number
from dpcore.exercises.part import Known, Part
from dpcore.exercises.selected import Choice, Steps
from dpcore.exercises.words import fill

__all__ = ["checks", "digest", "spelled"]

_DIGITS = 3
_LEAST = 0.01  # tolerance: a right answer, rounded to three digits, is off by .005 at most
_MOST = 5000  # spellings of one answer
_HEX = 16


def spelled(value: float) -> str:
    """Return the spelling of a number to three significant digits; halves are rounded away from 0.

    Examples
    --------
    >>> spelled(3.7306), spelled(-0.00012345), spelled(999.6), spelled(0)
    ('3.73e+0', '-1.23e-4', '1.00e+3', '0')
    """
    if value == 0:
        return "0"
    exact = Decimal(value)
    place = exact.adjusted()
    mantissa = int(exact.scaleb(_DIGITS - 1 - place).to_integral_value(ROUND_HALF_UP))
    if abs(mantissa) == 10**_DIGITS:
        mantissa, place = mantissa // 10, place + 1
    return _spelling(mantissa, place)


def _spelling(mantissa: int, place: int) -> str:
    sign, digits = "-" * (mantissa < 0), str(abs(mantissa))
    return f"{sign}{digits[0]}.{digits[1:]}e{place:+d}"


def digest(salt: str, question: str, answer: str) -> str:
    """Return the digest of an answer to a question: the first half of a SHA-256 of both and of a public salt."""
    text = f"{salt}\n{question}\n{answer}"
    return hashlib.sha256(text.encode()).hexdigest()[:_HEX]


def checks(instance: ExerciseInstance, salt: str) -> list[dict[str, Any]] | None:
    """Return what a browser needs to check each question of an exercise, as JSON.

    Parameters
    ----------
    instance : ExerciseInstance
        The exercise with its numbers.
    salt : str
        Public text that enters every digest.

    Returns
    -------
    list of dict, or None
        For each question its ``name``, its ``kind``, the digests of the right answers (``right``, one list for each
        field of the answer), and the listed mistakes (``wrong``) with their digests and the sentence about them. None
        if an answer is a state of a figure or a curve, or has too many spellings.
    """
    known = instance._known
    found = [_check(part, known, salt) for part in instance.exercise.parts]
    return None if None in found else [one for one in found if one is not None]


def _check(part: Part, known: Known, salt: str) -> dict[str, Any] | None:
    match part:
        case Number():
            spellings = _numbers(part, known)
        case Interval():
            spellings = _ends(part, known)
        case Choice():
            spellings = [[part.show_right(known)]], _options(part, known)
        case Steps():
            orders = _orders(part, known)
            spellings = None if orders is None else ([orders], [])
        case _:
            return None
    if spellings is None:
        return None
    right, wrong = spellings

    def hidden(fields: Iterable[Iterable[str]]) -> list[list[str]]:
        return [
            sorted(digest(salt, f"{part.name}.{place}", one) for one in field)
            for place, field in enumerate(fields)
        ]

    mistakes = [
        {"digests": hidden(fields), "says": _said(part, name, known)} for name, fields in wrong
    ]
    return {"name": part.name, "kind": part.kind, "right": hidden(right), "wrong": mistakes}


_Spellings = tuple[list[list[str]], list[tuple[str, list[list[str]]]]]


def _said(part: Part, name: str, known: Known) -> str:
    """Return the sentences about a listed mistake."""
    (wrong,) = (one for one in part.wrong if one.name == name)
    took = f"It looks as if you took {wrong.took}. " if wrong.took else ""
    return fill(took + wrong.feedback, known.values)


def _numbers(part: Number, known: Known) -> _Spellings | None:
    if part.tolerance < _LEAST:
        return None
    targets = [formula.number(known.values) for formula in (part.right, *part.also)]
    right = _near(targets, part.tolerance, lambda value: part.is_right(value, known))
    wrong = [
        (one.name, [_near([one.value[0].number(known.values)], part.tolerance,
                          lambda value, one=one: part.is_wrong(value, one, known))])  # type: ignore[misc]
        for one in part.wrong
    ]  # fmt: skip
    return [right], wrong


def _ends(part: Interval, known: Known) -> _Spellings | None:
    if part.tolerance < _LEAST:
        return None

    def ends(targets: tuple[float, ...]) -> list[list[str]]:
        return [
            _near([end], part.tolerance, lambda value, end=end: part._off([value], [end]) <= part.tolerance)  # type: ignore[misc]
            for end in targets
        ]  # fmt: skip

    wrong = [(one.name, ends(part._ends(one.value, known))) for one in part.wrong]
    return ends(part.show_right(known)), wrong


def _near(targets: Iterable[float], tolerance: float, fits: Callable[[float], bool]) -> list[str]:
    """Return the spellings of all numbers of three digits near a target for which ``fits`` is true.

    Numbers with a relative distance of up to 1.5 ``tolerance`` from a target are tried.
    """
    return sorted({
        spelling for target in targets for spelling in _around(target, tolerance) if fits(float(spelling))
    })  # fmt: skip


def _around(target: float, tolerance: float) -> Iterator[str]:
    if target == 0:
        yield "0"
        return
    low, high = (abs(target) * (1 + side * 1.5 * tolerance) for side in (-1, 1))
    for place in range(math.floor(math.log10(low)) - 1, math.floor(math.log10(high)) + 2):
        step = 10.0 ** (place - _DIGITS + 1)
        first, last = max(100, math.floor(low / step)), min(999, math.ceil(high / step))
        for mantissa in range(first, last + 1):
            yield _spelling(mantissa if target > 0 else -mantissa, place)


def _options(part: Choice, known: Known) -> list[tuple[str, list[list[str]]]]:
    letters = {key: letter for letter, key in part._letters(known)}
    return [(wrong.name, [[letters[wrong.option]]]) for wrong in part.wrong]


def _orders(part: Steps, known: Known) -> list[str] | None:
    """Return every right order of the steps, each as a text of letters; None if there are more than 5000."""
    letters = {key: letter for letter, key in part._letters(known)}
    keys, found = [key for key, _ in part.steps], [""]
    before = {key: {letters[a] for a, b in part.needs if b == key} for key in keys}
    for _ in keys:
        found = [
            order + letters[key]
            for order in found
            for key in keys
            if letters[key] not in order and before[key] <= {*order}
        ]
        if len(found) > _MOST:
            return None
    return found
