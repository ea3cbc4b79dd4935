"""What is taken along from Relevance learning: the page's own numbers, and no seed where none is wanted."""

import json
import re
from dataclasses import replace

import pytest

from dpcore.datasets import load
from dpcore.experiments import relevance
from dpcore.experiments.relevance import Problem, RelevanceParams
from dpcore.grids import EPSILON_GRID
from pages.relevance import exports
from ui import export


@pytest.fixture(scope="module")
def found():
    problem, params = Problem(load("iris"), 1), RelevanceParams(dataset="iris", epsilon=5.0)
    return problem, params, relevance.run_sweep(problem, params)


def bundle(found):
    problem, params, sweep = found
    return export.Bundle(
        name="relevance", title="A <b>title</b>", params=params,
        guarantee=relevance.guarantee(params, problem), code=relevance.code,
        figure=lambda: exports.curve_figure(
            problem, params, exports.curve_table(problem, params, sweep)
        ), tables={},
        facts=lambda: {"accuracy": "93 %"},
    )  # fmt: skip


def test_the_curve_is_the_one_that_is_drawn(found):
    problem, params, sweep = found
    table = exports.curve_table(problem, params, sweep)
    assert table.epsilon.tolist() == list(EPSILON_GRID)
    at = EPSILON_GRID.index(5.0)
    assert table.accuracy[at] == pytest.approx(sweep.at(5.0).accuracy)
    assert table.noise_multiplier.is_monotonic_decreasing


def test_prototypes_are_in_the_units_of_the_data(found):
    table = exports.prototype_table(*found)
    assert table["class"].tolist() == ["setosa", "versicolor", "virginica"]
    assert table.iloc[:, 1:].to_numpy().min() >= 0
    assert table.iloc[:, 1].max() <= 10


@pytest.mark.parametrize(
    "seed", [0, 987_653, 731_846]
)  # the default, the mark of the code, another
def test_a_copy_without_seed_holds_it_nowhere(found, seed):
    problem, params, sweep = found
    params = params.but(seed=seed)
    made = replace(bundle((problem, params, sweep)), seed=False)
    texts = [
        made.file(".csv"), made.program, export.notebook(made),
        # Plotly's own program holds all kinds of numbers.
        re.sub(r"<script.*?</script>", "", export.report(made), flags=re.DOTALL),
        made.figure().to_json(), export._csv(lambda: exports.curve_table(problem, params, sweep)),
    ]  # fmt: skip
    for text in texts:
        if seed:
            assert str(seed) not in text
        assert not re.search(r"seed[-=: ]*['\"]?\d", text)
    assert "does not contain the seed" in export.report(made)
    assert "does not contain the seed" in json.loads(texts[2])["cells"][0]["source"]
    assert "Seed" not in texts[3].replace("the seed", "")
