"""Choose ε through AppTest: what a visitor is told, at the present ε and data set."""

import pytest

from tests.pages.visits import app, data, until


def whole(found):
    return until(found, lambda: not (data(found).get("busy")))


@pytest.mark.parametrize("dataset", ["wine", "diabetes"])
def test_both_tasks_run_and_name_their_unit(dataset):
    found = whole(app("choose", dataset=dataset))
    assert not found.exception
    readouts = {item["label"]: item for item in data(found)["readouts"]}
    told = "get a wrong answer" if dataset == "wine" else "a prediction is off by"
    assert told in readouts
    assert [panel["key"] for panel in data(found)["panels"]] == ["cost", "whom"]


def test_the_page_says_that_choosing_on_private_data_leaks():
    found = app("choose", dataset="iris")
    assert any("gives something away that no ε counts" in item.value for item in found.info)
