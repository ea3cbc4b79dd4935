"""Exercises: every draw of every one, own numbers, named mistakes, and nothing told too early."""

import json

import pytest

from dpcore.exercises import faults
from ui.exercises.files import load_all

EXERCISES = load_all()


@pytest.mark.parametrize("key", EXERCISES)
def test_every_draw_is_right_and_its_wrong_answers_lie_apart(key):
    assert faults(EXERCISES[key]) == []


def test_numbers_are_a_students_own_and_the_same_after_a_reload():
    exercise = EXERCISES["laplace-scale"]
    first = exercise.draw("course", "otter")
    assert first == exercise.draw("course", "otter")
    others = [exercise.draw("course", f"student-{k}").parameters for k in range(60)]
    assert len({tuple(one.items()) for one in others}) > 20
    assert exercise.draw("other", "otter") != first != exercise.draw("course", "otter", 1)
    again = [exercise.draw("course", "otter", k).parameters for k in range(len(exercise.draws))]
    assert len({tuple(one.items()) for one in again}) == len(exercise.draws)


def test_a_right_answer_gives_the_point_and_a_known_mistake_its_name():
    drawn = EXERCISES["laplace-scale"].draw("course", "otter")
    assert drawn.grade(drawn.right_answer()).score == 1
    wrong = drawn.grade(drawn.parameters["C"] * drawn.parameters["epsilon"])
    assert (wrong.score, wrong.right) == (0, False)
    assert wrong.misconception == "more-epsilon-more-noise"
    assert "small ε" not in wrong.feedback
    assert drawn.grade("7e9").misconception == ""


@pytest.mark.parametrize("key", EXERCISES)
def test_the_browser_is_told_nothing_of_the_answer(key):
    drawn = EXERCISES[key].draw("course", "otter")
    told = json.dumps(drawn.public(), ensure_ascii=False)
    for part in drawn.exercise.parts:
        for wrong in part.wrong:
            assert wrong.name not in told
            assert wrong.misconception not in told
    assert "right" not in {name for part in drawn.public()["parts"] for name in part}
    for text in (drawn.exercise.solution, drawn.solution, *(drawn.hint(k) for k in range(3))):
        assert json.dumps(text, ensure_ascii=False)[1:-1] not in told  # lines and quotes as in JSON
