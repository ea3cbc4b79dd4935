"""What can be taken along: the report is a page, the notebook runs, the tables hold the figure."""

import io
import json
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go
import pytest

from dpcore.datasets import load
from dpcore.experiments import relevance
from dpcore.experiments.relevance import Problem, RelevanceParams
from pages import specs
from tests import programs
from ui.export import downloads
from ui.figure_kit.controls import option_words


@pytest.fixture(scope="module")
def found():
    problem, params = Problem(load("iris"), 1), RelevanceParams(dataset="iris", epsilon=5.0)
    return problem, params, relevance.run_sweep(problem, params)


def bundle(found):
    problem, params, sweep = found
    return downloads.Bundle(
        name="relevance", title="A <b>title</b>", params=params,
        guarantee=relevance.guarantee(params, problem), code=programs.bundle("relevance").code,
        figure=lambda: go.Figure().add_scatter(y=[sweep.at(e).accuracy for e in (1.0, 5.0)]), tables={},
        facts=lambda: {"accuracy": "93 %"},
    )  # fmt: skip


def test_the_report_says_it_all_and_escapes(found):
    page = downloads.report(bundle(found))
    for words in ("A &lt;b&gt;title", "ε = 5", "Not protected", "accuracy", "RelevanceParams("):
        assert words in page


def test_the_setting_is_in_the_words_of_the_controls_as_on_the_page(found):
    setting = downloads.report(bundle(found)).split("<h2>Setting</h2>")[1].split("</table>")[0]
    (controls,) = (spec.controls for spec in specs() if spec.key == "relevance")
    (dataset,) = (item for item in controls if item.name == "dataset")
    words = option_words(dataset, RelevanceParams.controls()["dataset"], "iris")
    assert f"<td>{words}</td>" in setting
    assert ">iris<" not in setting
    assert "<td>10⁻⁵</td>" in setting
    assert words in downloads.titled(bundle(found)).layout.title.subtitle.text


def test_what_depends_on_the_data_is_said_as_on_the_page(found):
    named = replace(bundle(found), words=lambda: {"recipe": "as <in> the picture"})
    assert "<td>as &lt;in&gt; the picture</td>" in downloads.report(named)
    assert "as &lt;in&gt; the picture" in downloads.titled(named).layout.title.subtitle.text


def test_the_notebook_is_valid_and_its_code_runs(found):
    book = json.loads(downloads.notebook(bundle(found)))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    first, *code = book["cells"]
    assert first["cell_type"] == "markdown"
    assert programs.drawn("\n".join(cell["source"] for cell in code)).data


def test_file_names_say_which_picture(found):
    assert bundle(found).file(".csv") == "relevance-epsilon-5-seed-0.csv"


def test_a_copy_with_the_seed_says_what_that_means(found):
    made = bundle(found)
    assert "take it away" in downloads.report(made)
    assert "take it away" in json.loads(downloads.notebook(made))["cells"][0]["source"]


def test_a_page_that_draws_no_noise_has_no_seed_to_warn_of():
    from dpcore.experiments import budget

    params = budget.BudgetParams()
    made = downloads.Bundle(
        name="budget", title="Budget", params=params, guarantee=budget.guarantee(params),
        code=programs.bundle("budget").code, figure=go.Figure, tables={}, facts=dict,
    )  # fmt: skip
    assert made.file(".csv") == "budget-epsilon-2.csv"
    assert "seed" not in downloads.report(made).split("<script")[0]
    assert "seed" not in downloads.notebook(made)


def test_the_code_without_seed_runs_with_fresh_noise(found):
    made = replace(bundle(found), seed=False)
    compile(made.program, "code", "exec")
    assert made.program.startswith("from secrets import randbelow")
    assert "seed=seed" in made.program


def test_a_note_stands_above_the_table_and_pandas_skips_it():
    table = pd.DataFrame({"a": [1.0, 2.0]})
    table.attrs["note"] = "2 releases, together epsilon = 2"
    text = downloads._csv(lambda: table)
    assert text.startswith("# 2 releases")
    pd.testing.assert_frame_equal(pd.read_csv(io.StringIO(text), comment="#"), pd.DataFrame(table))
