"""What can be taken along: the report is a page, the notebook runs, the tables hold the figure."""

import json

import pytest

from dpcore.datasets import load
from dpcore.experiments import relevance
from dpcore.experiments.relevance import Problem, RelevanceParams
from dpcore.grids import EPSILON_GRID
from ui import export
from ui.relevance import Answer
from ui.views import relevance as view


@pytest.fixture(scope="module")
def found():
    problem, params = Problem(load("iris"), 1), RelevanceParams(dataset="iris", epsilon=5.0)
    return problem, params, Answer(relevance.run_sweep(problem, params), None)


def bundle(found):
    problem, params, answer = found
    return export.Bundle(
        name="relevance", title="A <b>title</b>", params=params,
        guarantee=relevance.guarantee(params, problem), code=relevance.code(params),
        figure=lambda: view.curve_figure(problem, params, answer), tables={},
        facts=lambda: {"accuracy": "93 %"},
    )  # fmt: skip


def test_the_curve_is_the_one_that_is_drawn(found):
    problem, params, answer = found
    table = view.curve_table(problem, params, answer)
    assert table.epsilon.tolist() == list(EPSILON_GRID)
    at = EPSILON_GRID.index(5.0)
    assert table.accuracy[at] == pytest.approx(answer.sweep.at(5.0).accuracy)
    assert table.noise_multiplier.is_monotonic_decreasing


def test_prototypes_are_in_the_units_of_the_data(found):
    table = view.prototype_table(*found[:2], found[2].sweep)
    assert table["class"].tolist() == ["setosa", "versicolor", "virginica"]
    assert table.iloc[:, 1:].to_numpy().min() >= 0
    assert table.iloc[:, 1].max() <= 10


def test_the_report_says_it_all_and_escapes(found):
    page = export.report(bundle(found))
    for words in ("A &lt;b&gt;title", "ε = 5", "Not protected", "accuracy", "RelevanceParams("):
        assert words in page


def test_the_notebook_is_valid_and_its_code_runs(found):
    book = json.loads(export.notebook(bundle(found)))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            exec(cell["source"], {})


def test_file_names_say_which_picture(found):
    assert bundle(found).file(".csv") == "relevance-epsilon-5-seed-0.csv"
