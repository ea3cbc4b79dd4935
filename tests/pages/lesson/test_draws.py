"""What the lesson tells of many trainings is what many trainings gave."""

import json
from dataclasses import replace

import numpy as np

from dpcore.experiments import lesson
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.relevance import RelevanceParams
from pages.lesson import steps
from pages.lesson.figures import FIGURES
from ui.words.numbers import short, show


def test_a_draw_of_the_file_is_that_draw_computed_anew():
    told = json.loads(steps.DRAWS.read_text("utf-8"))
    assert told["params"] == RelevanceParams().to_code()
    assert told["n_draws"] == len(told["right"]) == 40
    (draw,) = lesson.draws([3])
    np.testing.assert_allclose(told["right"][2], draw, atol=1e-4)


def test_the_words_are_medians_and_no_single_draw():
    median, told = np.median(steps.trainings(), axis=0), steps.numbers()["learning"]
    assert told["bad"] == median[0]
    at = EPSILON_GRID.index(told["useful"])
    assert median[at] >= 0.9 > median[at - 1]


def test_one_draw_with_ada_stands_beside_the_same_draw_without_her():
    figure = FIGURES["learning"]()
    (item,) = figure.readouts
    accuracy, without = lesson.prototypes()[2], lesson.prototypes_without()[2]
    for epsilon in (0.1, 1.0, 20.0):
        at = EPSILON_GRID.index(epsilon)
        for ada, told in ((True, accuracy), (False, without)):
            values = {**figure.values, "ada": ada, "epsilon": epsilon}
            number, note = replace(figure, values=values).read(item)
            assert number == show(float(told[at]), "in 100")
            assert "this draw" in note


def test_the_study_counts_ada_in_both_counts_and_its_band_holds_the_sampling_error():
    found, at = lesson.study(), lesson.PEOPLE_GRID.index(1000)
    assert show(float(found.middle[at]), ".2%") == "30.00 %"
    assert show(float(found.middle_other[at]), ".2%") == "29.93 %"
    # Sampling alone: 1.645 deviations of a share of 100 people are 7.5 points on either side.
    hundred = lesson.PEOPLE_GRID.index(100)
    half = (found.high[hundred] - found.low[hundred]) / 2
    assert 0.075 < half < 0.13
    assert short(float(found.share)) == "0.3"
