"""Choose ε through AppTest: what a visitor is told, at the present ε and data set."""

from dataclasses import replace

import pytest

from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams
from pages.choose.page import PAGE
from tests.pages.visits import app, data, until
from ui.live.depth import Depth


def whole(found):
    return until(found, lambda: not (data(found).get("busy")))


@pytest.mark.parametrize("dataset", ["iris", "diabetes"])
def test_both_tasks_run_and_name_their_unit(dataset):
    found = whole(app("choose", dataset=dataset))
    assert not found.exception
    readouts = {item["label"]: item for item in data(found)["readouts"]}
    told = "get a wrong answer" if dataset == "iris" else "a prediction is off by"
    assert told in readouts
    assert [panel["key"] for panel in data(found)["panels"]] == ["cost"]
    assert len(readouts) == 3
    assert "all your results together cost ε" in readouts


def test_all_three_panels_follow_epsilon_in_the_browser_alone():
    figure = PAGE.figure(PAGE.pipeline.still(ChooseParams(dataset="iris")))
    (epsilon,) = [control for control in figure.controls if control.name == "epsilon"]
    assert epsilon.mode == "local"
    for panel in [panel for panel in figure.panels if panel.depth == Depth.LOOK]:
        moving = [name for layer in panel.layers for name in layer.array_names()]
        assert any("epsilon" in figure.arrays[name].dims for name in moving), panel.key


def test_the_worst_off_group_stands_beside_the_mean_and_its_name_does_nothing():
    iris = choose.named_problem("iris").dataset
    evil = replace(iris, classes=("{now}", "[[noise]]", "<b>$x$"))
    problem, params = choose.Problem(evil), ChooseParams(dataset="iris", epsilon=20.0, least=10)
    costs = next(choose.grow(problem, params))
    look = replace(PAGE.pipeline.still(params), problem=problem, results={"costs": costs})
    said = PAGE.meaning(look).strings
    assert "for everybody, and" in said[-1]  # two means in one sentence, and a median in another
    assert "in the worst-off group (" in said[-1]
    assert "17 in the test)" in said[-1]
    few = replace(look, params=params.but(least=30))
    assert "worst-off" not in PAGE.meaning(few).strings[-1]
    assert not any(mark in text for text in said for mark in ("{now}", "[[noise]]"))


def test_a_chosen_method_that_fails_is_not_all_methods():
    problem = choose.named_problem("iris")
    costs = next(choose.grow(problem, ChooseParams(dataset="iris")))
    method = next(iter(costs.tried))
    for params, said in (
        (
            ChooseParams(dataset="iris"),
            "no method is better than giving everybody the same prediction",
        ),
        (ChooseParams(dataset="iris", method=method), f"{problem.names[method]} is no better than"),
    ):
        lost = replace(costs, trivial=0.0)
        state = replace(PAGE.pipeline.still(params), problem=problem, results={"costs": lost})
        assert said in PAGE.meaning(state).strings[0]


def test_the_page_says_that_choosing_on_private_data_leaks():
    found = app("choose", dataset="iris")
    assert any("gives something away that no ε counts" in item.value for item in found.info)


def test_what_is_asked_of_an_own_table_alone_is_not_asked_of_public_data():
    figure = PAGE.figure(PAGE.pipeline.still(ChooseParams(dataset="iris")))
    asked = {
        control.name: control.hidden for control in figure.controls if hasattr(control, "name")
    }
    assert asked["shown"]
    assert asked["beforehand"]
    assert not asked["epsilon"]
