"""The sentence of Linear regression: it says what the numbers say, at every ε and while a handle moves."""

import numpy as np
import pytest

from dpcore.experiments import regression
from dpcore.experiments.regression import RegressionParams
from dpcore.grids import EPSILON_GRID
from pages.regression.meaning import meaning, said
from pages.regression.pipeline import PIPELINE
from ui.runner import PageState


@pytest.mark.parametrize(
    ("private", "words"),
    [
        (1.5, "hardly matters"),
        (1.6, "The noise shows"),
        (2.5, "does harm"),
        (3.0, "too much noise"),
    ],
)
def test_the_sentence_follows_the_error_between_the_best_line_and_the_mean(private, words):
    assert words in said(private, best=1.5, guess=3.0)


def test_where_no_line_helps_the_sentence_says_so():
    assert "Even without privacy" in said(5.0, best=3.0, guess=3.0)


def test_a_line_is_called_worse_than_the_mean_exactly_where_it_is():
    state = PIPELINE.still(RegressionParams(), "fits")
    setting, fits = state.problem.setting(state.params), state["fits"]
    worse = np.median(np.sqrt(fits.test), axis=0) >= np.sqrt(setting.guess_mse)
    strings = meaning(state).strings
    assert 0 < worse.sum() < len(EPSILON_GRID)
    assert [("too much noise" in text) for text in strings] == list(worse)


def test_while_the_number_of_people_moves_the_sentence_is_that_of_each_number():
    params = RegressionParams(epsilon=0.5)
    state = PIPELINE.still(params, "fits", "page n_samples")
    moved = meaning(state).along["n_samples"].strings
    at = EPSILON_GRID.index(0.5)
    for value, text in zip(params.controls()["n_samples"].grid, moved, strict=True):
        if value <= 1600:
            there = PIPELINE.still(params.but(n_samples=value), "fits")
            assert text == meaning(there).strings[at], value


def test_before_there_are_fits_it_is_said_that_they_are_computed():
    params = RegressionParams()
    state = PageState(params=params, problem=regression.problem_of(params), results={})
    assert list(meaning(state).strings) == [
        "We are still computing which lines could be published."
    ]
