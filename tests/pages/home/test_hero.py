"""The head of Home: a map as wide as the page, and Ada in the training or out of it."""

import numpy as np

from dpcore.experiments import relevance
from dpcore.experiments.grids import EPSILON_GRID
from pages.home.cards import figure_of, first
from ui.words.numbers import show


def test_ada_is_the_record_that_the_training_is_repeated_without():
    (figure,) = first()
    params = relevance.RelevanceParams()
    ada = relevance.chosen_person(relevance.problem_of(params), params)
    assert figure.breathing.person == "chosen"
    np.testing.assert_allclose(figure.arrays["chosen"].values[0], ada.x, rtol=1e-6)
    whole, rest = (figure.arrays[name].values for name in ("points", "points_without"))
    missing = np.isnan(rest).any(axis=1)
    assert np.flatnonzero(missing).tolist() == [ada.row]
    assert (rest[~missing] == whole[~missing][:, :2]).all()
    assert figure.breathing.without["points"] == "points_without"


def test_nobody_else_can_be_chosen_where_no_server_answers():
    (figure,) = first()
    assert figure.breathing.record == ""
    assert figure.panels[0].bets is None


def test_both_worlds_have_outcomes_with_the_same_noise_and_they_differ():
    (figure,) = first()
    here, there = (
        figure.arrays[world["proto"]].values
        for world in (figure.breathing.instead, figure.breathing.without)
    )
    assert here.shape == there.shape
    apart = np.abs(here - there).max(axis=(-1, -2))
    assert apart.max() > 0
    assert np.median(apart) < np.ptp(here, axis=0).max()  # less than chance moves them


def test_the_map_is_as_wide_as_the_page_and_shows_all_records():
    (figure,) = first()
    (panel,) = figure.panels
    (left, right), (low, high) = panel.x.range, panel.y.range
    assert panel.fills
    points = figure.arrays["points"].values
    assert left < points[:, 0].min()
    assert points[:, 0].max() < right
    assert low < points[:, 1].min()
    assert points[:, 1].max() < high


def test_the_third_number_is_a_bound_like_its_neighbours_and_nobody_reads_a_bare_hundred():
    (figure,) = first()
    (sure,) = [one for one in figure.readouts if one.value == "sure"]
    bounds = figure.arrays["sure"].values
    told = [show(float(bound), sure.format) for bound in bounds]
    assert told[EPSILON_GRID.index(1.0)] == "73.2 in 100"  # as on Relevance learning
    assert told[-1] == "practically certain"
    assert not any(one.startswith("100") for one in told)
    assert "fail" in sure.note
    assert "fail" not in sure.brief


def test_cards_of_one_row_stand_still():
    assert figure_of("relevance").breathing is None


def test_the_map_names_the_two_classes_of_its_data_set_each_in_the_region_of_its_records():
    (figure,) = first()
    problem = relevance.problem_of(relevance.RelevanceParams())
    points, labels = problem.X, problem.y
    named = [one for one in figure.panels[0].layers if getattr(one, "label", "").endswith(" moon")]
    assert [one.label for one in named] == [f"{name} moon" for name in problem.dataset.classes]
    for k, layer in enumerate(named):
        place = figure.evaluate(layer.xy)[0]
        own, other = (points[labels == one].mean(axis=0) for one in (k, 1 - k))
        assert np.linalg.norm(place - own) < np.linalg.norm(place - other)
