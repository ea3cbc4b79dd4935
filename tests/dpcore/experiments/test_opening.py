"""Jiang's opening example: averaged answers against closed forms, draws and the bound of ε."""

import numpy as np
import pytest

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression.attacks import (
    ATTACKED,
    PLACES,
    TABLE,
    averaged_density,
    difference,
    difference_right,
    guesses_right,
)
from dpcore.experiments.regression.problem import ANSWERS

EPSILONS = np.array(EPSILON_GRID)


def test_the_tables_are_those_that_are_printed():
    assert [name for name, ill in TABLE if ill] == ["Ross", "Monica", "Chandler"]
    assert TABLE[-1] == (ATTACKED, 1)


def test_one_answer_is_laplace():
    expected = EPSILONS[:, None] / 2 * np.exp(-EPSILONS[:, None] * abs(PLACES - 3))
    assert averaged_density(1) == pytest.approx(expected, rel=0.01, abs=1e-5)
    assert guesses_right(1) == pytest.approx(1 - np.exp(-EPSILONS / 2) / 2, abs=1e-5)


@pytest.mark.parametrize("n", [5, 50])
def test_several_answers_are_as_drawn(n):
    """40,000 draws: off by 0.0125, five deviations, with a chance below 6e-7 a comparison."""
    means = np.random.default_rng(n).laplace(size=(40_000, n)).mean(1)
    for epsilon in (0.1, 0.5, 1.0):
        found = guesses_right(n)[EPSILON_GRID.index(epsilon)]
        assert found == pytest.approx((means < epsilon / 2).mean(), abs=0.0125)


def test_more_answers_and_a_larger_epsilon_help_and_no_attack_beats_the_bound():
    right = np.array([guesses_right(n) for n in ANSWERS])
    assert (np.diff(right, axis=0) > -1e-6).all()
    assert (np.diff(right, axis=1) > -1e-6).all()
    spent = np.outer(ANSWERS, EPSILONS)
    assert (right <= 1 / (1 + np.exp(-spent)) + 1e-9).all()


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_difference_of_two_noisy_counts_is_right_as_often_as_is_said(epsilon):
    """4,000 pairs: off by five deviations, 0.04, with a chance below 6e-7."""
    counts = np.array([difference(epsilon, seed) for seed in range(4000)])
    share = (np.subtract(*counts.T) > 0.5).mean()
    assert share == pytest.approx(difference_right(epsilon), abs=0.04)
    assert difference_right(epsilon) <= 1 / (1 + np.exp(-epsilon))


def test_exact_counts_tell_the_entry():
    assert difference(1e9, 0) == pytest.approx((3, 2), abs=1e-6)
