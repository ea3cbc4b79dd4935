"""Validation of exercises for all allowed parameter values, before students see the exercises."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from dpcore.exercises.exercise import Exercise, ExerciseInstance
from dpcore.exercises.formulas import Value

__all__ = ["faults"]

_EXAMPLE = 0.005


def faults(exercise: Exercise) -> list[str]:
    """Return at most ten faults of an exercise, each as a sentence.

    These conditions are tested, the first three for every allowed set of parameters:

    - The right answer can be computed and is graded as right.
    - Every listed wrong answer differs from the right one by more than 5 % (`dpcore.exercises.part.APART`).
    - The numbers can be filled into the texts and the solution.
    - The examples in the file agree with the computed values within 0.5 %.
    """
    sentences: list[str] = []
    for place, parameters in enumerate(exercise.draws):
        instance = ExerciseInstance(
            exercise=exercise, parameters=parameters, seed=place.to_bytes(2)
        )
        sentences += [
            f"{exercise.key}: with {_assignments(parameters)}: {fault}."
            for fault in _of_draw(instance)
        ]
        if len(sentences) >= 10:
            return sentences[:10]
    for values, answer in exercise.examples:
        sentences += [
            f"{exercise.key}: example {_assignments(values)}: {w}."
            for w in _of_example(exercise, values, answer)
        ]
    return sentences[:10]


def _of_draw(instance: ExerciseInstance) -> list[str]:
    try:
        collisions = instance.collisions()
        verdict = instance.grade(instance.right_answer())
        instance.public(), instance.solution, instance.figure
    except (ValueError, KeyError, StopIteration) as error:
        return [str(error).rstrip(".")]
    return (
        collisions
        if verdict.right or collisions
        else [*collisions, "the right answer does not count as right"]
    )


def _of_example(
    exercise: Exercise, values: Mapping[str, Value], answer: Mapping[str, Any]
) -> list[str]:
    missing = exercise.parameters.keys() - values.keys()
    if missing:
        return [f"it lacks {min(missing)}"]
    try:
        right = ExerciseInstance(exercise=exercise, parameters=values).right_answer(letters=False)
    except (ValueError, KeyError) as error:
        return [str(error).rstrip(".")]
    return [
        f"{name} is {right.get(name)!r} and not {claimed_value!r}"
        for name, claimed_value in answer.items()
        if not _same(right.get(name), claimed_value)
    ]


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, Sequence) and not isinstance(first, str):
        same_length = isinstance(second, Sequence) and len(first) == len(second)
        return same_length and all(_same(a, b) for a, b in zip(first, second, strict=True))
    if isinstance(first, bool | str) or not isinstance(second, int | float):
        return bool(first == second)
    return isinstance(first, int | float) and math.isclose(first, second, rel_tol=_EXAMPLE)


def _assignments(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items()) or "no parameters"
