"""Linear regression through AppTest: what it says, and how it answers."""

import pytest

from tests.pages.visits import CODE, app, data, opened, until

PRINTED = "What Jiang's slides print, and what is right"
OPENING = "The opening example: two tables that differ in one person"


def test_at_look_only_what_it_shows_is_computed():
    found = app("regression")
    until(found, lambda: data(found)["panels"] and not data(found)["busy"])
    assert [panel["key"] for panel in data(found)["panels"]] == ["fits"]
    assert set(data(found)["previews"]) == set()
    meaning = data(found)["texts"][0]
    assert meaning["role"] == "meaning"
    assert len(meaning["strings"]) == 50


def test_the_regression_page_has_its_grammar_and_answers_its_handles():
    found = app("regression", depth="check")
    until(found, lambda: data(found)["panels"])  # its data are read behind
    assert not found.exception
    text = " ".join(element.value for element in found.markdown)
    for words in (
        "Guarantee",
        "What is protected",
        "Not protected",
        "Suppose somebody thinks it is 50 to 50",
    ):
        assert words in text
    tables = " ".join(m.value for m in opened(found, OPENING).markdown)
    assert "| Chandler | 1 | 0 |" in tables
    assert "3 − 2 = 1" in tables
    assert "Jiang prints" in " ".join(m.value for m in opened(found, PRINTED).markdown)
    assert "regression.compare(part, params)" in opened(found, CODE).code[0].value
    tabs = {panel.get("tab", "") for panel in data(found)["panels"]}
    assert {"No minimum?", "All methods", "The split of ε", "Two worlds"} <= tabs
    for changes in ({"n_features": 5}, {"method": "descent"}, {"repair": "trim"}):
        page = found.session_state["params.regression"].but(**changes)
        found.session_state["params.regression"] = page
        found.run()
        assert not found.exception
        assert data(found)["panels"]


def test_a_data_set_that_is_not_to_be_had_is_said_once_and_stays_said(monkeypatch, tmp_path):
    from dpcore.datasets import DataError
    from dpcore.experiments import regression

    asked = []

    def refuse(name):
        if name != "acs":
            return found_problem(name)
        asked.append(name)
        raise DataError("The survey is not to be had: no local folder holds it.")

    found_problem = regression.named_problem
    monkeypatch.setattr(regression, "named_problem", refuse)
    found = app("regression", dataset="acs")
    until(found, lambda: found.warning)
    for _ in range(3):  # as while something is computed: the page asks again and again
        assert any("not to be had" in item.value for item in found.warning)
        assert data(found)["panels"]
        found.run()
    assert asked == ["acs"]


def test_delta_of_the_regression_is_drawn_ahead_where_it_matters():
    found = app("regression", method="gaussian", depth="check")
    lines = {"delta", "n_samples", "n_features"}
    until(found, lambda: lines <= set(data(found)["previews"]))
    previews = data(found)["previews"]
    assert "lines_y" in previews["delta"]
    odds = data(found)["texts"][1]
    assert odds["dims"] == ["epsilon", "delta"]
    assert len(odds["strings"]) == 50 * 6


@pytest.mark.parametrize("depth", ["look", "check"])
def test_another_own_table_replaces_the_first_one(depth):
    """The target is exactly linear in the feature: no error is left, and axes of logarithms bear it."""
    from dpcore.datasets import OwnChoices, own_table, read_csv

    found = app("regression", depth=depth)
    seen = []
    for name in ("weight", "price"):
        rows = "".join(f"{k},{len(name) * k}\n" for k in range(40))
        table = read_csv(f"age,{name}\n{rows}".encode())
        said = OwnChoices(task="regression", target=name, features=("age",))
        found.session_state["own_regression"] = own_table(table, said)
        page = found.session_state["params.regression"].but(dataset="own")
        found.session_state["params.regression"] = page
        found.run()
        assert not found.exception
        assert data(found)["panels"][0]["y"]["title"] == name
        seen.append(sorted(array["id"] for array in data(found)["arrays"].values()))
    assert seen[0] != seen[1]
    assert any("proof: none" in item.value for item in found.markdown)
