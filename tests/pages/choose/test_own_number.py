"""A person's own table with a number to predict: the methods of regression, in the target's own unit."""

import dataclasses
import re
from datetime import date

import pytest

from dpcore.experiments import choose
from dpcore.experiments.choose import REGRESSORS
from pages.choose import backwards
from pages.choose.memo import memo
from pages.choose.page import PAGE
from pages.choose.words import order, program
from tests.pages.test_own_wizard import give, widget
from tests.pages.visits import app, data, on_tab, until


@pytest.fixture(scope="module")
def page():
    """The page with the table in use; its tests leave the table where it is."""
    with pytest.MonkeyPatch.context() as patch:
        give(patch)
        yield _page()


def _page():
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
    (every,) = [panel for panel in data(page)["panels"] if panel["key"] == "methods"]
    labels = {layer.get("label") for layer in every["layers"]}
    assert set(REGRESSORS.values()) <= labels
    assert "DP-GLVQ" not in labels
    assert cost["y"]["title"] == "typical error: score"
    readouts = {one["label"]: one for one in data(page)["readouts"]}
    assert readouts["a prediction is off by"]["note"] == "score"
    on_tab(page, "How much data")
    (said,) = [one.value for one in page.markdown if "With how many people" in one.value]
    assert "At ε = 1 and at most 10 (score), with AdaSSP: " in said


def test_made_up_data_are_shown_where_the_table_is_not_to_be_looked_at(page):
    """The honest order has a tool: the same page on made-up data with the declared facts."""
    asked = {one["name"]: one for one in data(page)["controls"] if "name" in one}
    assert not asked["shown"].get("hidden")
    assert any("measured on your table, for your eyes alone" in one.value for one in page.info)
    made = choose.lookalike(choose.Problem(page.session_state["own_choice"].data), 0)
    said = choose.guarantee(choose.ChooseParams(dataset="own", shown="madeup"), made)
    assert any("no record of the table has been used" in one for one in said.not_protected)
    words = order(made)
    assert "no row was read" in words
    assert any(one.value.startswith("## How the method is chosen") for one in page.markdown)


def test_the_program_names_how_the_table_is_read(page):
    made = choose.Problem(page.session_state["own_choice"].data)
    params = choose.ChooseParams(dataset="own")
    assert "own_regression(table, ...)" in program(params, made)
    assert choose.guarantee(params, made).status == "proved"


def test_pages_that_know_of_classes_alone_do_not_meet_the_table(page):
    page.switch_page("relevance/page.py").run()
    assert not page.exception
    assert "own_data" not in page.session_state


def test_a_hostile_name_of_the_target_stays_a_name():
    diabetes = choose.named_problem("diabetes").dataset
    name = "![x](http://a/b)<b>{now}$x$"
    problem = choose.Problem(dataclasses.replace(diabetes, target_name=name, name="own"))
    params = choose.ChooseParams(dataset="diabetes")
    costs = next(choose.grow(problem, params))
    look = dataclasses.replace(PAGE.pipeline.still(params), problem=problem)
    figure = PAGE.figure(dataclasses.replace(look, results={"costs": costs}))
    (cost,) = [panel for panel in figure.panels if panel.key == "cost"]
    assert "{now}" not in cost.alt
    assert "(now)" in cost.alt
    for said in (
        backwards.enough(problem, params, costs),
        backwards.within(problem, params, costs),
    ):
        assert "](http" not in re.sub("`[^`]*`", "", said)
        assert "<b>" not in re.sub("`[^`]*`", "", said)
    page = memo(problem, params, costs, "", date(2026, 11, 22))
    assert "<b>(" not in page
    assert name not in page
