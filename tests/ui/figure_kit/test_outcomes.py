"""The person in whom two worlds differ: her name, her record in words, and the dots that can be chosen."""

import numpy as np

from dpcore.units import Unit
from ui.figure_kit.outcomes import enough, name_of, someone
from ui.live import Array

POINTS = Array(np.arange(8, dtype=np.float32).reshape(4, 2), (None, None))


def test_the_first_person_is_ada_and_all_others_have_other_names():
    assert name_of(5, first=5) == "Ada"
    others = {name_of(record, first=5) for record in range(5)}
    assert len(others) == 5
    assert "Ada" not in others


def test_a_record_that_is_no_person_is_called_what_it_is():
    flower = Unit(singular="flower", plural="flowers")
    assert someone([0, 0], POINTS, 1, first=1, unit=Unit()).whose == "Ada"
    assert someone([0, 0], POINTS, 1, first=1, unit=flower).whose == "Ada's flower"


def test_her_dot_alone_is_left_out():
    found = someone([2, 3], POINTS, 1, first=0, unit=Unit())
    left = found.arrays["points_without"].values
    assert np.flatnonzero(np.isnan(left).any(axis=1)).tolist() == [1]
    assert found.choice["numbers"] == ""


def test_where_some_records_are_drawn_their_dots_have_numbers():
    drawn = [1, 4, 6, 9]
    found = someone([2, 3], POINTS, 4, first=0, unit=Unit(), rows=drawn)
    left = found.arrays["points_without"].values
    assert np.flatnonzero(np.isnan(left).any(axis=1)).tolist() == [1]
    assert found.arrays[found.choice["numbers"]].values.tolist() == [2, 5, 7, 10]
    unseen = someone([2, 3], POINTS, 5, first=0, unit=Unit(), rows=drawn)
    assert not np.isnan(unseen.arrays["points_without"].values).any()


def test_few_draws_are_not_shown_where_more_are_wanted():
    assert not enough(7, 40)
    assert enough(8, 40)
    assert enough(3, 3)
