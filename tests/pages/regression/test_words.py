"""The sentence of Linear regression: it says what the numbers say, at every ε and while a handle moves."""

import numpy as np
import pytest

from dpcore.estimate import difference, median_interval
from dpcore.experiments import regression
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression import RegressionParams
from pages.regression.figure import figure
from pages.regression.pipeline import PIPELINE
from pages.regression.words import error_kind, meaning
from ui.runner import PageState
from ui.words.numbers import show


@pytest.mark.parametrize(
    ("private", "cost", "kind"),
    [
        (1.4, (-0.2, -0.05), "less"),
        (1.5, (-0.1, 0.1), "same"),
        (1.7, (-0.1, 0.4), "same"),
        (1.6, (0.05, 0.2), "off"),
        (2.5, (0.9, 1.1), "much"),
        (3.0, (-0.1, 2.0), "worse"),
    ],
)
def test_the_sentence_follows_the_errors_and_their_interval(private, cost, kind):
    assert error_kind(private, best=1.5, guess=3.0, cost=cost) == kind


def test_where_no_line_helps_the_sentence_says_so():
    assert error_kind(5.0, best=3.0, guess=3.0, cost=(1.0, 3.0)) == "lost"


@pytest.mark.parametrize("dataset", ["diabetes", "synth1d"])
def test_no_difference_is_said_exactly_where_the_interval_of_the_lines_holds_0(dataset):
    state = PIPELINE.still(RegressionParams(dataset=dataset), "fits")
    setting, fits = state.problem.setting(state.params), state["fits"]
    best = np.sqrt(setting.test.mse(setting.best))
    low, high = median_interval(np.sqrt(fits.test) - best)
    worse = np.median(np.sqrt(fits.test), axis=0) >= np.sqrt(setting.guess_mse)
    told = meaning(state)
    same = [("lines shows no difference" in text) for text in told.strings]
    assert same == list(~worse & (low <= 0) & (high >= 0))
    less = [("may show the reverse" in text) for text in told.strings]
    assert less == list(~worse & (high < 0))
    # At first sight the slopes are told, and an error only where privacy costs much.
    assert all("published lines claim" in text for text in told.brief)
    for text, costs_nothing, is_worse in zip(told.brief, low <= 0, worse, strict=True):
        assert ("off by" in text) <= (not costs_nothing)
        assert ("guessing the average beats" in text) == is_worse


def test_a_line_is_called_worse_than_the_mean_exactly_where_it_is():
    state = PIPELINE.still(RegressionParams(), "fits")
    setting, fits = state.problem.setting(state.params), state["fits"]
    worse = np.median(np.sqrt(fits.test), axis=0) >= np.sqrt(setting.guess_mse)
    strings = meaning(state).strings
    assert 0 < worse.sum() < len(EPSILON_GRID)
    assert [("guessing the average beats" in text) for text in strings] == list(worse)


@pytest.mark.parametrize("epsilon", [5.0, 20.0])
def test_the_noise_is_not_blamed_for_what_the_method_does(epsilon):
    """Noise on the result at δ = 1e-8: off by as much without any noise."""
    state = PIPELINE.still(RegressionParams(method="output", epsilon=epsilon, delta=1e-8), "fits")
    said_now = meaning(state).strings[EPSILON_GRID.index(epsilon)]
    first, told = said_now.split("; without privacy by {best_off}. ")
    assert "noise" not in first.lower()
    assert told.startswith("The method itself costs")
    fits = state["fits"]
    at = EPSILON_GRID.index(epsilon)
    found = difference(
        np.sqrt(fits.test[:, at]), float(np.sqrt(fits.ideal_test)), over="noise", direction="lower"
    )
    assert ("oise: no difference" in told) is not found.leaves_out_zero


def test_every_cost_is_that_of_its_own_counterfactual_in_the_unit_of_the_target():
    state = PIPELINE.still(RegressionParams(), "fits")
    setting, fits = state.problem.setting(state.params), state["fits"]
    half = (setting.bounds.target_high - setting.bounds.target_low) / 2
    at = EPSILON_GRID.index(0.2)
    cost = half * np.median(np.sqrt(fits.test[:, at]) - np.sqrt(fits.ideal_test))
    assert f"he noise {show(float(cost), 'cost')}" in meaning(state).strings[at]


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


@pytest.mark.parametrize("dataset", ["diabetes", "synth1d"])
def test_the_claim_is_the_median_rise_of_the_lines_that_are_drawn(dataset):
    params = RegressionParams(dataset=dataset, epsilon=2.0)
    state = PIPELINE.still(params, "fits")
    shown, at = figure(state), EPSILON_GRID.index(2.0)
    x, y = (
        np.reshape(shown.evaluate("lines_x"), (-1, 3)),
        np.reshape(shown.evaluate("lines_y"), (-1, 3)),
    )
    rises = (y[:, 1] - y[:, 0]) / (x[:, 1] - x[:, 0])
    assert shown.evaluate("claim") == pytest.approx(np.median(rises), rel=1e-3)
    assert shown.evaluate("claim_draw") == pytest.approx(rises[0], rel=1e-3)
    best = np.diff(shown.evaluate("best_y")) / np.diff(shown.evaluate("ends"))
    assert shown.evaluate("claim_best") == pytest.approx(best[0], rel=1e-3)
    told = meaning(state).strings[at]
    assert f"by about {show(float(np.median(rises)), '+.2g')} (median of 40 lines" in told
    assert f"without privacy by {show(float(best[0]), '+.2g')}" in told


def test_what_the_page_opens_with_has_units_on_its_axes():
    panel = figure(PIPELINE.still(RegressionParams(), "fits")).panels[0]
    assert "kg per m²" in panel.x.title
    assert "score" in panel.y.title
    other = figure(PIPELINE.still(RegressionParams(dataset="synth1d"), "fits")).panels[0]
    assert (other.x.title, other.y.title) == ("x", "y")
