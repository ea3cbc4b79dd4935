"""A person's own table with a number to predict: the methods of regression, in the target's own unit."""

import pytest

from dpcore.experiments import choose
from dpcore.experiments.choose import REGRESSORS
from tests.pages.test_own_wizard import given, widget
from tests.pages.visits import app, data, until

__all__ = ["given"]


@pytest.fixture
def page(given):
    found = app("choose", dataset="own", depth="check")
    widget(found.selectbox, "to predict").select("score").run()
    widget(found.radio, "score holds numbers").set_value("regression").run()
    widget(found.button, "step 2").click().run()
    widget(found.radio, "Lowest").set_value("each").run()
    for box in found.checkbox:
        box.check().run()
    for name, pair in {"age": "0, 120", "visits": "0, 20", "score": "0, 100"}.items():
        widget(found.text_input, name).input(pair).run()
    widget(found.button, "step 3").click().run()
    widget(found.button, "Use this table").click().run()
    assert not found.exception
    return until(found, lambda: not data(found).get("busy"))


def test_the_methods_of_regression_and_the_unit_appear(page):
    made = page.session_state["own_choice"]
    assert (made.data.target_low, made.data.target_high, made.status) == (0, 100, "")
    (cost,) = [panel for panel in data(page)["panels"] if panel["key"] == "cost"]
    labels = {layer.get("label") for layer in cost["layers"]}
    assert set(REGRESSORS.values()) <= labels
    assert "DP-GLVQ" not in labels
    assert cost["y"]["title"] == "typical error: score"
    readouts = {one["label"]: one for one in data(page)["readouts"]}
    assert readouts["a prediction is off by"]["note"] == "score"
    (said,) = [one.value for one in page.markdown if "With how many people" in one.value]
    assert "At ε = 1 and at most 10 (score), with AdaSSP: " in said


def test_pages_that_know_of_classes_alone_do_not_meet_the_table(page):
    page.switch_page("relevance/page.py").run()
    assert not page.exception
    assert "own_data" not in page.session_state


def test_the_program_names_how_the_table_is_read(page):
    made = choose.Problem(page.session_state["own_choice"].data)
    params = choose.ChooseParams(dataset="own")
    assert "own_regression(table, ...)" in choose.code(params, made)
    assert choose.guarantee(params, made).status == "proved"
