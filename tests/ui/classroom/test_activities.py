"""What runs in a room besides the poll: only counts are kept, and phones are not told the answer."""

import json
import math

import pytest

from ui.classroom import activities, shared_exercise
from ui.classroom.activities import Betting, Poll, Predict, Together
from ui.classroom.models import Refused
from ui.classroom.predicting import LEVELS, PREDICTIONS, prepared

ALL = [Poll("?", 1.0), prepared("poll"), prepared("value"), Betting(1.0), Together("laplace-scale")]


@pytest.mark.parametrize("made", ALL, ids=lambda made: made.kind)
def test_what_the_store_keeps_is_the_same_activity_and_its_names_fit(made):
    again = activities.read(json.loads(json.dumps(activities.written(made))))
    assert json.dumps(again.brief()) == json.dumps(made.brief())
    assert len(set(again.names())) == len(again.names())
    assert max(map(len, again.names())) <= 80
    assert json.dumps(again.outcome({}, 0))


@pytest.mark.parametrize("made", ALL, ids=lambda made: made.kind)
@pytest.mark.parametrize(
    "answer", [None, "x", [], [1] * 500, {"a": [1]}, {"a": "x" * 99}, [True] * 7, 2]
)
def test_what_is_no_answer_is_refused(made, answer):
    with pytest.raises(Refused, match="no answer"):
        made.count(answer, b"seed")


@pytest.mark.parametrize("name", sorted({*PREDICTIONS} - {"classifier"}))
def test_a_truth_lies_within_the_pad_and_is_not_told_before(name):
    made = prepared(name)
    low, high = made.prediction.ends
    assert len(made.truth) == len(made.prediction.places)
    assert all(low <= height <= high for height in made.truth)
    assert "truth" not in made.brief()


def test_the_crowd_is_told_from_counts():
    made = Predict("value", (69.7,))
    counted = [made.count([level], b"") for level in (0, 10, 10, LEVELS - 1)]
    counts = {}
    for one in counted:
        (name,) = one.names
        counts[name] = counts.get(name, 0) + 1
    found = made.outcome(counts, 4)
    assert (found["low"], found["middle"], found["high"]) == ([50], [75], [100])
    assert found["truth"] == [69.7]
    assert all(one.reply == {} for one in counted)


def test_an_exercise_counts_right_answers_and_named_misconceptions_and_no_other():
    made = Together("laplace-scale")
    right = made.instance.right_answer()
    assert made.count({"b": str(right["b"])}, b"").names == ["right"]
    assert made.count({"b": "123456"}, b"").names == ["other"]
    wrong = made.instance.exercise.parts[0].wrong[0]
    value = wrong.value[0](made.instance.parameters)
    counted = made.count({"b": str(value)}, b"")
    assert counted.names == [f"wrong {wrong.name}"]
    assert counted.reply["title"] == f"It looks as if you took {wrong.took}."
    assert str(right["b"]) not in json.dumps(counted.reply)
    assert "right" not in made.brief()
    found = made.outcome({"right": 3, "other": 1, counted.names[0]: 2}, 6)
    assert found == {
        "answered": 6, "right": 3, "other": 1, "misconceptions": [[wrong.misconception, 2]],
    }  # fmt: skip


def test_exercises_on_a_phone_have_parts_that_fit_one():
    found = shared_exercise.offered()
    assert len(found) >= 8
    for key in found:
        assert {part["kind"] for part in Together(key).brief()["parts"]} <= {"number", "choice"}


def test_bets_are_told_beside_the_bound():
    made = Betting(2.0)
    found = made.outcome({"right 10": 1, "right 20": 1}, 2)
    assert found["students"] == 2
    assert found["rate"].startswith(
        "The class was right in about 75 in 100 (59 to 87, from 40 tries)"
    )
    assert "81.6 %" in found["reach"]
    assert "88.1 %" in found["reach"]
    assert made.outcome({}, 0)["rate"] == ""


def test_the_words_of_a_poll_are_those_of_its_guarantee():
    made = Poll("?", math.log(3), 30)
    found = made.brief()
    no, yes = found["known"]
    assert (no["marked"], yes["marked"]) == (25, 75)
    assert "at most 75 % sure that you mean no" in no["told"]
    assert "at most 75 % sure that you mean yes" in yes["told"]
    assert "off by about 18 points" in found["price"]
    assert "In 50 % of cases you answer" in found["coin"]
    louder = Poll("?", 4.0, 30).brief()["known"][1]
    assert "at most 98.3 % sure" in louder["told"], "rounded up: 98.20 %"
