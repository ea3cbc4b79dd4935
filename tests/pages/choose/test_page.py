"""Choose ε through AppTest: what a visitor is told, at the present ε and data set."""

from dataclasses import replace

import pytest

from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams
from pages.choose.meaning import in_full
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
    assert [panel["key"] for panel in data(found)["panels"]] == (
        ["cost", "crowd"] if dataset == "iris" else ["cost"]
    )
    assert not readouts  # the sentence says the numbers of the choice
    (said,) = {text["strings"][-1] for text in data(found)["texts"] if text["role"] == "meaning"}
    told = "of 1000 flowers get a wrong answer" if dataset == "iris" else "A prediction is off by"
    assert told in said
    assert (
        f"right for more than 99.9 of 100 {'flowers' if dataset == 'iris' else 'patients'}." in said
    )


def test_all_three_panels_follow_epsilon_in_the_browser_alone():
    figure = PAGE.figure(PAGE.pipeline.still(ChooseParams(dataset="iris")))
    (epsilon,) = [control for control in figure.controls if control.name == "epsilon"]
    assert epsilon.mode == "local"
    for panel in [panel for panel in figure.panels if panel.depth == Depth.LOOK]:
        moving = [name for layer in panel.layers for name in layer.array_names()]
        assert any("epsilon" in figure.arrays[name].dims for name in moving), panel.key


def test_the_pictogram_marks_as_many_records_as_the_curve_says():
    params = ChooseParams(dataset="iris")
    state = PAGE.pipeline.still(params)
    costs = next(choose.grow(state.problem, params))
    figure = PAGE.figure(replace(state, results={"costs": costs}))
    places = figure.evaluate("crowd")
    assert len({tuple(place) for place in places.tolist()}) == 1000
    for epsilon in (0.05, 1.0, 20.0):
        curve = figure.evaluate("error_now", {"epsilon": epsilon})
        assert figure.evaluate("wrong", {"epsilon": epsilon}) == pytest.approx(curve, abs=0.51)
    assert figure.evaluate("wrong_plain") == pytest.approx(1000 * costs.best, abs=0.51)


def test_the_worst_off_group_stands_beside_the_mean_and_its_name_does_nothing():
    iris = choose.named_problem("iris").dataset
    evil = replace(iris, classes=("{now}", "[[noise]]", "<b>$x$"))
    problem, params = choose.Problem(evil), ChooseParams(dataset="iris", epsilon=20.0, least=10)
    costs = next(choose.grow(problem, params))
    look = replace(PAGE.pipeline.still(params), problem=problem, results={"costs": costs})
    said = in_full(problem, params, costs)
    assert "for everybody, and" in said  # two means in one sentence, and a median in another
    assert "in the worst-off group (" in said
    assert "17 in the test)" in said
    assert "worst-off" not in in_full(problem, params.but(least=30), costs)
    shown = [said, *PAGE.meaning(look).strings]
    assert not any(mark in text for text in shown for mark in ("{now}", "[[noise]]"))


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


def test_the_method_and_its_spread_are_said_from_understand_on():
    found = whole(app("choose", dataset="iris", epsilon="20"))
    assert not any("8 of 10 lie between" in item.value for item in found.markdown)
    deeper = whole(app("choose", dataset="iris", epsilon="20", depth="understand"))
    assert any("8 of 10 lie between" in item.value for item in deeper.markdown)


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


def test_the_two_kinds_of_wrong_answers_are_named_at_dots_that_stay():
    figure = PAGE.figure(PAGE.pipeline.still(PAGE.params(), "costs"))
    places = figure.evaluate("crowd").tolist()
    plain = int(figure.evaluate("wrong_plain"))
    for epsilon in (0.05, 1.0, 20.0):
        at = {"epsilon": epsilon}
        wrong, more = (int(figure.evaluate(name, at)) for name in ("wrong", "wrong_more"))
        assert wrong == plain + more
        anyway, privacy = (
            places.index([float(figure.evaluate(f"{name}_{axis}", at)) for axis in "xy"])
            for name in ("anyway", "privacy")
        )
        assert anyway < plain <= privacy < wrong
    crowd = next(panel for panel in figure.panels if panel.key == "crowd")
    told = [figure.filled(one.words) for one in crowd.layers if one.kind == "annotation"]
    assert told == [
        f"wrong anyway {plain}",
        f"wrong through privacy {int(figure.evaluate('wrong_more'))}",
    ]
