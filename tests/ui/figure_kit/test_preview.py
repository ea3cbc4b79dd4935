"""What a handle draws while it moves: parts that differ, of any size, where all other handles stand."""

import numpy as np
import pytest

from ui.figure_kit.common import in_bytes
from ui.figure_kit.preview import at_values, instead_of, stack_previews, take_at
from ui.live import Array


def node(n):
    label = Array(np.ones(n, np.int32), (None,))
    return {"x": Array(np.arange(n, dtype="f4"), (None,)), "label": label}


def test_parts_of_several_sizes_are_filled_with_nothing():
    made = stack_previews("n", at_values((1, 2, 3), [{1: node(2), 2: node(3)}]), {})
    np.testing.assert_array_equal(made["x"].values, [[0, 1, np.nan], [0, 1, 2], [np.nan] * 3])
    np.testing.assert_array_equal(made["label"].values, [[1, 1, 0], [1, 1, 1], [0, 0, 0]])
    assert made["x"].dims == ("n", None)


def test_what_is_the_same_at_every_value_is_drawn_anyway():
    assert stack_previews("n", [node(2), node(2)], {}) == {}


def test_later_kinds_replace_earlier_ones():
    (found,) = at_values((1,), [{1: node(2)}, {1: {"x": Array([7.0], (None,))}}])
    assert found["x"].values.tolist() == [7]
    assert found["label"].values.tolist() == [1, 1]


@pytest.mark.parametrize(("place", "row"), [(0, 0), (1.5, 3), (9, 4), (-1, 0)])
def test_a_held_dimension_goes_and_the_others_stay(place, row):
    array = Array(np.add.outer([0, 2, 4], [0, 10]), ("u", "progress"))
    found = take_at(array, {"u": place})
    assert found.dims == ("progress",)
    assert found.values.tolist() == [row, row + 10]
    assert take_at(array, {"progress": 1}).values.tolist() == [10, 12, 14]


def test_bytes_stay_bytes():
    found = take_at(in_bytes([[0.0], [1.0]], "u"), {"u": 0.5})
    assert (found.values.dtype, found.scale) == (np.uint8, (0.0, 1.0))
    assert found.values.tolist() == [128]


def test_names_say_what_stands_in_for_what():
    made, previews = instead_of({"n": node(2)}, ("gone", "x"))
    assert set(made) == {"x_by_n", "label_by_n"}
    assert previews == {"n": {"gone": "", "x": "x_by_n", "label": "label_by_n"}}
