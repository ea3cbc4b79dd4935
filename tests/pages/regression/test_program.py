"""What is taken along from Linear regression: the program draws the page's curves, the fits name their sum."""

import io

import numpy as np
import pandas as pd
import pytest

from dpcore.datasets import own_regression, read_csv
from dpcore.experiments import regression
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression import METHODS, Problem, RegressionParams
from pages.regression import words
from pages.regression.pipeline import PIPELINE
from tests.programs import drawn, program_figure
from ui.export import downloads


def test_the_program_draws_the_error_of_every_method():
    params, shown = RegressionParams(), program_figure("regression")
    page = PIPELINE.still(params, "comparison")["comparison"].test
    assert [trace.name for trace in shown.data] == list(page)
    for mine, (_, median, _) in zip(shown.data, page.values(), strict=True):
        assert mine.x == pytest.approx(EPSILON_GRID)
        assert mine.y == pytest.approx(median)


@pytest.mark.parametrize(("method", "together"), [("gaussian", "8.17"), ("printed", "40")])
def test_the_fits_of_the_regression_name_their_sum(method, together):
    params = RegressionParams(dataset="synth1d", method=method, epsilon=1.0, delta=1e-5)
    text = downloads._csv(lambda: words.fits_table(PIPELINE.still(params, "fits")))
    first, *rest = text.splitlines()
    assert first.startswith("# 40 fits")
    assert f"together epsilon = {together}" in first
    assert len(pd.read_csv(io.StringIO(text), comment="#")) == 40 == len(rest) - 1
    assert f"**{together}**" in words._shown(params)


SMALL = RegressionParams(n_samples=400, n_features=2)


def program(params, problem=None):
    return words.program(params, problem or regression.problem_of(params))


@pytest.mark.parametrize("method", METHODS)
def test_the_promise_is_that_of_the_estimator_in_the_program(method):
    params = SMALL.but(method=method, epsilon=0.5, repair="floor2", split="equal")
    name, _ = regression.estimator_call(params)
    scope = {}
    figure = drawn(program(params), scope)
    assert type(scope["model"]).__name__ == name
    own, page = scope["model"].privacy_, regression.guarantee(params).with_seed(params.seed)
    assert page.public == (*regression.problem_of(params).dataset.public, *own.public)
    for field in ("epsilon", "delta", "neighbouring", "status", "argument"):
        assert getattr(page, field) == pytest.approx(getattr(own, field)), field
    assert [(p.name, p.mechanism) for p in page.parts] == [(p.name, p.mechanism) for p in own.parts]
    assert method in [trace.name for trace in figure.data]


@pytest.mark.parametrize("repair", ["none", "trim", "floor1"])
def test_the_program_of_every_repair_runs(repair):
    assert len(drawn(program(SMALL.but(repair=repair))).data) == len(METHODS)


def table(n=60):
    rng = np.random.default_rng(0)
    rows = [f"{a:.3f},{b:.3f},{10 * a + b:.3f}" for a, b in rng.uniform(0, 1, (n, 2))]
    return read_csv(("a,b,y\n" + "\n".join(rows) + "\n").encode())


def test_the_program_for_an_own_table_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table().frame.to_csv("your.csv", index=False)
    data = own_regression(table(), "y", low=[0, 0], high=[1, 1], target_low=0, target_high=11)
    params = RegressionParams(dataset="own", n_features=20)
    scope = {}
    assert len(drawn(program(params, Problem(data)), scope).data) == len(METHODS)
    assert (scope["data"].X == data.X).all()


def test_the_program_says_that_its_epsilon_is_nominal_where_bounds_are_read_from_the_data():
    code = program(
        RegressionParams(dataset="own"), Problem(own_regression(table(), "y", estimate_bounds=True))
    )
    assert "# ε is nominal: the bounds" in code
    assert "estimate_bounds=True" in code
    assert "low=[" not in code
