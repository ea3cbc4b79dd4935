"""The page on answers: each way of asking draws what was computed, from handles that the browser holds."""

from dataclasses import replace

import numpy as np
import pytest

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries import QueriesParams, hit_rate, records, somebody
from dpcore.experiments.queries.params import ANSWERS
from pages.queries.figure import figure, topic
from pages.queries.page import PAGE
from pages.queries.pipeline import PIPELINE
from pages.queries.words import words
from tests.pages.visits import app, opened
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
        assert ("topic" in names) == (depth > Depth.LOOK or name != "again")
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


def test_the_solver_is_shown_as_it_is_known(monkeypatch):
    params = QueriesParams(topic="reconstruct", epsilon=20.0)
    empty, solved = (PIPELINE.still(params, *stages) for stages in ((), ("solved",)))
    # Another test of this process may have computed them already.
    known = {
        name: value for name, value in solved.results.items() if name not in ("solved", "draws")
    }
    empty = replace(empty, results=known)
    solved = replace(solved, results=known | {"solved": solved["solved"]})
    monkeypatch.setattr(records, "N_DRAWS", 4)  # few draws, which the pipeline must not keep
    draws = records.recovered_in_draws(params)
    whole = replace(solved, results=solved.results | {"draws": draws})
    for state in (empty, solved, whole):
        drawn = figure(state)
        right, wrong = drawn.evaluate("right"), drawn.evaluate("wrong")
        assert np.isnan(right[np.isfinite(wrong)]).all()
        n_right = np.isfinite(right[:, 0]).sum()
        assert n_right == (0 if state is empty else drawn.evaluate("recovered"))
    assert "in this draw" in PAGE.meaning(solved).strings[0].lower()
    assert "The solver finds 12 of 12 people" in PAGE.meaning(whole).strings[-1]


def test_one_table_more_brings_the_solver_nearer():
    state = PIPELINE.still(QueriesParams(topic="reconstruct", counts="exact"), "solved")
    assert PAGE.meaning(state).strings == [
        "Only one block of twelve people has exactly these counts: 12 of 12 people are found."
    ]
    one = PIPELINE.still(QueriesParams(topic="reconstruct", counts="exact", n_tables=1), "solved")
    assert "1152 blocks of twelve people" in PAGE.meaning(one).strings[0].replace("\u202f", "")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "The join names 56 of 100 patients"),
        ({"coarse": True}, "the smallest group has 2 rows"),
        ({"by_year": False, "by_place": False}, "The join names nobody"),
        ({"release": "counts"}, "is a patient at most 51.3 in 100 times"),
    ],
)
def test_the_join_says_whom_it_names(values, said):
    state = PIPELINE.still(QueriesParams(topic="linkage", **values))
    assert said in PAGE.meaning(state).strings[0]
    drawn = figure(state)
    assert ("epsilon" in drawn.by_name()) == (values.get("release") == "counts")


@pytest.mark.parametrize(
    ("topic", "words"), [("reconstruct", "Dinur and Nissim"), ("linkage", "Cambridge")]
)
def test_what_the_papers_say_stands_at_check(topic, words):
    found = app("queries", topic=topic, depth="check")
    assert not found.exception
    assert "What the papers say" in [item.label for item in found.expander]
    found = opened(found, "What the papers say")
    assert any(words in item.value for item in found.markdown)


@pytest.mark.parametrize("name", TOPICS)
def test_every_way_of_asking_has_a_task_that_its_handles_allow(name):
    """A task speaks of what is published, and of handles that the figure has in this state."""
    pairs = {
        "reconstruct": ("counts", ("noisy", "exact")),
        "linkage": ("release", ("rows", "counts")),
    }
    field, values = pairs.get(name, ("topic", (name,)))
    for value in values:
        params = QueriesParams(topic=name).but(**{field: value})
        handles = {one.name for one in figure(PIPELINE.still(params)).controls if not one.disabled}
        said = PAGE.opening_at(params)
        assert "epsilon" in handles or "Drag ε" not in said
        assert "by_sex" in handles or "columns" not in said
        assert ("Ask again" in said) == (name == "again")


def test_a_bound_near_certainty_is_said_as_such():
    strings = PAGE.meaning(PIPELINE.still(QueriesParams(topic="linkage", release="counts"))).strings
    assert not any("certain times" in one for one in strings)
    assert "may be practically certain" in strings[-1]
    assert "99.4 in 100 times" in strings[EPSILON_GRID.index(5.0)]


@pytest.mark.parametrize(
    "values", [{"topic": "linkage"}, {"topic": "reconstruct", "counts": "exact"}]
)
def test_nothing_is_said_of_many_answers_where_no_noise_is_drawn(values):
    state = PIPELINE.still(QueriesParams(**values), "solved")
    assert words(state).shown == ""
    noisy = PIPELINE.still(QueriesParams(topic="reconstruct"), "solved", "draws")
    assert "Publish one" in words(noisy).shown


def test_the_caption_says_what_all_columns_name():
    shown = figure(PIPELINE.still(QueriesParams(topic="linkage")))
    caption = next(panel.caption for panel in shown.panels if panel.key == "columns")
    assert "exact values name 56 of 100 patients, coarse values 0" in caption


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        ("again", "Press “Ask again”"),
        ("reconstruct", "Drag ε"),
        ("linkage", "Publish fewer columns"),
        ("publish", "published rarely"),
    ],
)
def test_a_lesson_opens_with_a_task_of_its_own(topic, said):
    found = app("queries", topic=topic)
    assert not found.exception
    opening = [item.proto.body for item in found.get("html") if "dp-opening" in item.proto.body]
    assert sum(said in body for body in opening) == 1
    assert topic == "again" or not any("Press “Ask again”" in body for body in opening)


def test_the_page_opens_where_the_average_tells_ada_and_every_answer_up_to_there_is_drawn():
    params = QueriesParams()
    drawn = figure(PIPELINE.still(params))
    answers = drawn.evaluate("answers")
    assert np.isfinite(answers[:, 1]).sum() == params.n_answers
    assert answers[: params.n_answers, 0].tolist() == list(range(1, params.n_answers + 1))
    mean = float(drawn.evaluate("mean_now"))
    assert abs(mean - 100) < abs(mean - 99) / 3, "it lies with the truth with Ada"
    assert QueriesParams.from_link({"v": "6"})[0].n_answers == 8


def test_no_test_of_noisy_answers_is_said_to_be_right_for_certain():
    (readout,) = (
        one for one in figure(PIPELINE.still(QueriesParams())).readouts if one.value == "fresh_now"
    )
    for n_answers in (200, 1000):
        drawn = figure(PIPELINE.still(QueriesParams(epsilon=20.0, n_answers=n_answers)))
        assert drawn.read(readout)[0] == "more than 99 in 100"


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 5.0])
def test_answers_and_their_average_have_the_colour_of_the_nearer_truth(epsilon):
    drawn = figure(PIPELINE.still(QueriesParams(epsilon=epsilon, n_answers=100)))
    answers, labels = drawn.evaluate("answers"), drawn.evaluate("points_to")
    seen = np.isfinite(answers[:, 1])
    assert {0.0, 1.0} == set(labels[seen])
    np.testing.assert_array_equal(labels[seen] == 1, answers[seen, 1] < 99.5)
    for n in (1, 4, 20, 100):
        at = {"n_answers": n}
        place = {name: drawn.evaluate(f"last_{name}", at) for name in ("with", "without")}
        nearer = "with" if drawn.evaluate("mean_now", at) >= 99.5 else "without"
        assert {name for name, x in place.items() if np.isfinite(x)} == {nearer}
