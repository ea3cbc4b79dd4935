"""The scale of people above the curve of cost: derived from the guarantee, at every δ, and nominal where it is."""

from dataclasses import replace

import numpy as np
import pytest

from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from pages.choose.meaning import attacker
from pages.choose.page import PAGE
from pages.choose.people_axis import PEOPLE, people_axis


def promise(delta=1e-5, **fields):
    """The guarantee of one result of the page."""
    params = ChooseParams(dataset="iris", delta=delta)
    return replace(choose.guarantee(params, choose.named_problem("iris")), **fields)


@pytest.mark.parametrize("delta", DELTA_GRID)
def test_a_number_of_people_stands_at_the_epsilon_that_allows_it(delta):
    axis, given = people_axis(promise(delta), "flowers"), promise(delta)
    assert len(axis.ticks) == len(axis.words) >= 6
    allowed = [100 * one.accuracy_bound() for one in given.tabulated(axis.ticks)]
    assert allowed == pytest.approx([float(word) for word in axis.words], abs=1e-6)
    assert list(axis.ticks) == sorted(axis.ticks)
    assert EPSILON_GRID[0] <= axis.ticks[0]
    assert axis.ticks[-1] <= EPSILON_GRID[-1]


def test_a_larger_delta_allows_the_same_number_at_a_smaller_epsilon():
    small, large = (dict(zip(one.words, one.ticks, strict=True))
                    for one in (people_axis(promise(delta), "") for delta in (1e-8, 1e-3)))  # fmt: skip
    assert all(large[word] < small[word] for word in set(small) & set(large))


def test_without_privacy_in_sight_no_number_is_named():
    (last,) = promise().tabulated([EPSILON_GRID[-1]])
    assert 100 * last.accuracy_bound() > PEOPLE[-1]  # so nothing stands beyond the last number


def test_a_nominal_epsilon_is_said_to_prove_nothing():
    axis = people_axis(promise(status="nominal"), "rows")
    assert axis.title.startswith("nothing is proved; if this ε were correct, of 100 rows")
    assert "proved" not in people_axis(promise(), "rows").title


def test_the_sentence_and_the_scale_say_the_same_number():
    state = PAGE.pipeline.still(ChooseParams(dataset="iris"), "costs")
    figure, said = PAGE.figure(state), PAGE.meaning(state).strings
    (top,) = [panel.top for panel in figure.panels if panel.key == "cost"]
    for k, epsilon in enumerate(EPSILON_GRID):
        scale = 100 * np.interp(epsilon, top.ticks, [float(word) / 100 for word in top.words])
        if "more than 99.9" in said[k]:
            assert epsilon > top.ticks[-1] * 0.9
        elif top.ticks[0] <= epsilon <= top.ticks[-1]:
            number = float(said[k].rsplit("at most ", 1)[1].split()[0])
            assert number >= 100 * promise().tabulated([epsilon])[0].accuracy_bound() - 1e-9
            assert number == pytest.approx(scale, abs=1.5)  # between two numbers of the scale


def test_what_a_nominal_table_is_told_of_attackers():
    assert attacker(promise(status="nominal"), "rows") == "No limit on an attacker is proved."
    (wide,) = promise().tabulated([20.0])
    assert attacker(wide, "rows").startswith(
        "ε allows an attacker to guess right for more than 99.9"
    )
