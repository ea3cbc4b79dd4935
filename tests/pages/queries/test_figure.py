"""The page on answers: each way of asking draws what was computed, from handles that the browser holds."""

import numpy as np
import pytest

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries import QueriesParams, hit_rate, somebody
from dpcore.experiments.queries.params import ANSWERS
from pages.queries.figure import figure, topic
from pages.queries.page import PAGE
from pages.queries.pipeline import PIPELINE
from tests.pages.visits import app
from ui.frame.page_spec import shown
from ui.live.depth import Depth

TOPICS = list(QueriesParams.controls()["topic"].choices)


@pytest.mark.parametrize("name", TOPICS)
def test_each_way_of_asking_shows_its_own_handles_and_few_at_look(name):
    params = QueriesParams(topic=name)
    state = PIPELINE.still(params)
    for depth in Depth:
        seen = shown(PAGE, state, depth)
        names = {control.name for control in seen.controls if not control.hidden} - {"actions"}
        assert names <= {"topic", *topic(params).shows}
        assert ("topic" in names) == (depth > Depth.LOOK)
        assert seen.panels
        assert depth > Depth.LOOK or len(seen.readouts) <= 3


@pytest.mark.parametrize("name", ["bounds", "publish"])
def test_a_way_of_asking_opens_from_a_link(name):
    found = app("queries", topic=name, depth="understand")
    assert not found.exception
    assert not found.warning


def test_the_numbers_follow_the_handles():
    drawn = figure(PIPELINE.still(QueriesParams()))
    at = {"epsilon": 0.5, "n_answers": 50}
    assert drawn.evaluate("fresh_now", at) == pytest.approx(hit_rate(0.5, 50), rel=1e-5)
    assert drawn.evaluate("together", at) == pytest.approx(25.0)
    assert drawn.evaluate("error_now", at) == pytest.approx((2 / 0.25 / 50) ** 0.5, rel=1e-5)
    rare = figure(PIPELINE.still(QueriesParams(topic="publish", n_people=300)))
    assert rare.evaluate("somebody", {"chance": 0.003}) == pytest.approx(
        somebody(0.003, 300), rel=1e-5
    )


def test_the_same_noise_stays_while_epsilon_moves():
    drawn = figure(PIPELINE.still(QueriesParams()))
    near, far = (
        drawn.evaluate("mean", {"epsilon": e, "n_answers": 1000}) - 100 for e in (2.0, 0.5)
    )
    assert far == pytest.approx(4 * near, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("depth", ["understand", "check"])
def test_what_the_lecture_says_stands_at_check_alone(depth):
    found = app("queries", topic="numbers", depth=depth)
    assert not found.exception
    told = " ".join(item.label for item in found.expander)
    assert ("Sarkar's lecture" in told) == (depth == "check")
    assert not any("Sarkar" in item.value for item in found.markdown)


def test_own_options_are_drawn_and_bad_ones_are_said():
    found = app("queries", topic="choosing", options="Tea 5, Milk 4", depth="understand")
    assert not found.exception
    found.text_input(key="own_options").set_value("Tea").run()
    found.button[[b.label for b in found.button].index("Choose among these")].click().run()
    assert any("is not allowed" in item.value for item in found.warning)
    found.text_input(key="own_options").set_value("Tea 1, Rum 7").run()
    found.button[[b.label for b in found.button].index("Choose among these")].click().run()
    assert not found.exception
    assert found.session_state["params.queries"].options == "Tea 1, Rum 7"


@pytest.mark.parametrize(
    ("epsilon", "k", "said"),
    [
        (1.0, 1, "is a weak hint"),
        (20.0, 1, "One answer gives Ada away"),
        (1.0, 20, "Repeating one stored answer would not give her away."),
        (2.5, 20, "would do so less often."),
        (20.0, 20, "One answer alone does so already."),
    ],
)
def test_what_a_kept_answer_tells_is_that_of_one_answer(epsilon, k, said):
    """An answer that is kept hides nobody where one answer alone tells all."""
    state = PAGE.pipeline.still(QueriesParams())
    at = EPSILON_GRID.index(epsilon) * len(ANSWERS) + ANSWERS.index(k)
    assert said in PAGE.meaning(state).strings[at]


@pytest.mark.parametrize("epsilon", [0.05, 0.2, 0.5, 1.0, 20.0])
def test_the_axis_of_answers_holds_the_average_at_every_epsilon(epsilon):
    shown = figure(PIPELINE.still(QueriesParams(epsilon=epsilon, n_answers=1000)))
    low, high = shown.panels[0].y.range
    mean = shown.evaluate("mean")
    assert low < np.nanmin(mean)
    assert np.nanmax(mean) < high
    # The strip of a typical average takes a good part of the height: the axis is not too long either.
    assert np.ptp([shown.evaluate("low").min(), shown.evaluate("high").max()]) > 0.01 * (high - low)
    assert sum(bool(layer.label) for layer in shown.panels[0].layers) <= 4
