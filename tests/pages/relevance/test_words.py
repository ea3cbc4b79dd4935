"""What is taken along from Relevance learning: the page's own numbers, and no seed where none is wanted."""

import json
import re
from dataclasses import replace

import pytest

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.relevance import RelevanceParams
from pages.relevance import words
from pages.relevance.pipeline import PIPELINE
from ui.export import downloads
from ui.words.numbers import show

PARAMS = RelevanceParams(dataset="iris", prototypes_per_class=1, epsilon=5.0)


@pytest.fixture(scope="module")
def found():
    return PIPELINE.still(PARAMS, "sweep")


def test_the_curve_is_the_one_that_is_drawn(found):
    table = words.bundle(found).tables["curve"]()
    assert table["ε (privacy parameter)"].tolist() == list(EPSILON_GRID)
    at = EPSILON_GRID.index(5.0)
    assert table.curve[at] == pytest.approx(found["sweep"].at(5.0).accuracy, abs=1e-6)


def test_prototypes_are_in_the_units_of_the_data(found):
    table = words.prototype_table(found)
    assert table["class"].tolist() == ["setosa", "versicolor", "virginica"]
    assert table.iloc[:, 1:].to_numpy().min() >= 0
    assert table.iloc[:, 1].max() <= 10


def test_the_facts_are_the_numbers_under_the_figure(found):
    accuracy = found["sweep"].at(5.0).accuracy
    assert words.bundle(found).facts()["the private classifier gets right (this draw)"] == show(
        accuracy, "in 100"
    )


@pytest.mark.parametrize(
    "seed", [0, 987_653, 731_846]
)  # the default, the mark of the code, another
def test_a_copy_without_seed_holds_it_nowhere(found, seed):
    params = PARAMS.but(seed=seed)
    made = replace(words.bundle(replace(found, params=params, look=None)), seed=False)
    texts = [
        made.file(".csv"), made.program, downloads.notebook(made),
        # Plotly's own program holds all kinds of numbers.
        re.sub(r"<script.*?</script>", "", downloads.report(made), flags=re.DOTALL),
        made.figure().to_json(), downloads._csv(made.tables["curve"]),
    ]  # fmt: skip
    for text in texts:
        if seed:
            assert str(seed) not in text
        assert not re.search(r"seed[-=: ]*['\"]?\d", text)
    assert "does not contain the seed" in downloads.report(made)
    assert "does not contain the seed" in json.loads(texts[2])["cells"][0]["source"]
    assert "Seed" not in texts[3].replace("the seed", "")
