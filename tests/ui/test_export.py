"""What can be taken along: the report is a page, the notebook runs, the tables hold the figure."""

import io
import json
import re
from dataclasses import replace

import pandas as pd
import pytest

from dpcore.datasets import load
from dpcore.experiments import relevance
from dpcore.experiments.relevance import Problem, RelevanceParams
from dpcore.grids import EPSILON_GRID
from pages.relevance import exports
from tests.programs import drawn
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


def test_the_report_says_it_all_and_escapes(found):
    page = export.report(bundle(found))
    for words in ("A &lt;b&gt;title", "ε = 5", "Not protected", "accuracy", "RelevanceParams("):
        assert words in page


def test_the_notebook_is_valid_and_its_code_runs(found):
    book = json.loads(export.notebook(bundle(found)))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            assert drawn(cell["source"]).data


def test_file_names_say_which_picture(found):
    assert bundle(found).file(".csv") == "relevance-epsilon-5-seed-0.csv"


def test_a_copy_with_the_seed_says_what_that_means(found):
    made = bundle(found)
    assert "take it away" in export.report(made)
    assert "take it away" in json.loads(export.notebook(made))["cells"][0]["source"]


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


def test_a_page_that_draws_no_noise_has_no_seed_to_warn_of():
    from dpcore.experiments import budget

    params = budget.BudgetParams()
    made = export.Bundle(
        name="budget", title="Budget", params=params, guarantee=budget.guarantee(params, 1.8),
        code=budget.code, figure=exports.go.Figure, tables={}, facts=dict,
    )  # fmt: skip
    assert made.file(".csv") == "budget-epsilon-2.csv"
    assert "seed" not in export.report(made).split("<script")[0]
    assert "seed" not in export.notebook(made)


def test_the_code_without_seed_runs_with_fresh_noise(found):
    made = replace(bundle(found), seed=False)
    compile(made.program, "code", "exec")
    assert made.program.startswith("from secrets import randbelow")
    assert "seed=seed" in made.program


def test_a_note_stands_above_the_table_and_pandas_skips_it():
    table = pd.DataFrame({"a": [1.0, 2.0]})
    table.attrs["note"] = "2 releases, together epsilon = 2"
    text = export._csv(lambda: table)
    assert text.startswith("# 2 releases")
    pd.testing.assert_frame_equal(pd.read_csv(io.StringIO(text), comment="#"), pd.DataFrame(table))


@pytest.mark.parametrize(("method", "together"), [("gaussian", "8.17"), ("printed", "40")])
def test_the_fits_of_the_regression_name_their_sum(method, together):
    from dpcore.experiments.regression import RegressionParams
    from pages.regression import words as regression
    from pages.regression.pipeline import PIPELINE

    params = RegressionParams(dataset="synth1d", method=method, epsilon=1.0, delta=1e-5)
    text = export._csv(lambda: regression.fits_table(PIPELINE.still(params)))
    first, *rest = text.splitlines()
    assert first.startswith("# 40 fits")
    assert f"together epsilon = {together}" in first
    assert len(pd.read_csv(io.StringIO(text), comment="#")) == 40 == len(rest) - 1
    assert f"**{together}**" in regression._shown(params)


@pytest.mark.parametrize(("noise", "together"), [("laplace", "80"), ("gaussian", "12.53")])
def test_the_answers_of_the_mechanisms_name_their_sum(noise, together):
    from dpcore.experiments.mechanisms import MechanismsParams
    from pages.mechanisms import view as mechanisms

    params = MechanismsParams(noise=noise, epsilon=1.0, delta=1e-5)
    text = export._csv(lambda: mechanisms.draw_table(params))
    assert text.startswith("# 80 answers")
    assert f"together epsilon = {together}" in text.splitlines()[0]
    assert len(pd.read_csv(io.StringIO(text), comment="#")) == 80
