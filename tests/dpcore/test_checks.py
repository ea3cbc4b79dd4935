"""Whatever stands where a number should gets a sentence that names it, short enough to read."""

import numpy as np
import pytest

from dpcore import _checks


@pytest.mark.parametrize(
    "value",
    [3, 3.0, np.int32(3), np.float32(3), 10**400],
    ids=lambda v: type(v).__name__ + str(v)[:3],
)
def test_whole_numbers_of_any_kind_and_size(value):
    assert _checks.integer("n", value, low=0) == int(value)


@pytest.mark.parametrize("value", [10**400, -(10**6000), 10**6000], ids=["400", "-6000", "6000"])
def test_integers_of_many_digits_are_refused_in_a_short_sentence(value):
    with pytest.raises(ValueError, match="digits is not allowed") as refused:
        _checks.integer("n", value, low=0, high=10)
    assert len(str(refused.value)) < 200
    with pytest.raises(ValueError, match="digits is not allowed"):
        _checks.number("x", value)


@pytest.mark.parametrize("value", [True, "3", b"3", None, [3], np.array([1.0, 2.0]), 2.5, np.nan])
def test_what_is_no_whole_number_is_refused(value):
    with pytest.raises(ValueError, match="is not allowed"):
        _checks.integer("n", value, low=0)


def test_a_long_text_is_cut():
    with pytest.raises(ValueError) as refused:
        _checks.one_of("kind", "x" * 10_000, ("a", "b"))
    assert len(str(refused.value)) < 200


def test_the_brackets_say_whether_infinity_is_allowed():
    with pytest.raises(ValueError, match=r"x=inf is not allowed: give a number in \[0, inf\)\."):
        _checks.number("x", np.inf, low=0)
    with pytest.raises(ValueError, match=r"give a number in \(0, inf\], inf for no privacy"):
        _checks.epsilon(0)
    assert _checks.epsilon(np.inf) == np.inf
