"""The odds sentence never promises more than the proof."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.guarantee import odds_bound
from ui.guarantee import odds_sentence


def test_the_sentence_of_epsilon_one():
    assert "at most 73.2 : 26.8, except with probability about 1e-5" in odds_sentence(1.0, 1e-5)


@given(st.floats(0.01, 6))
def test_percentages_are_rounded_up_and_sum_to_a_hundred(epsilon):
    high, low = map(
        float, re.search(r"most ([\d.]+) : (\d+(?:\.\d+)?)", odds_sentence(epsilon, 0)).groups()
    )
    assert high / 100 >= odds_bound(epsilon) - 1e-12
    assert high / 100 - odds_bound(epsilon) <= 0.0011
    assert high + low == pytest.approx(100, abs=0.06)


@pytest.mark.parametrize("epsilon", [20.0, math.inf])
def test_huge_epsilon_is_called_next_to_nothing(epsilon):
    sentence = odds_sentence(epsilon, 1e-5)
    assert "next to nothing" in sentence
    assert "100" not in sentence
