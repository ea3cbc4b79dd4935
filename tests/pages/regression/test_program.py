"""What is taken along from Linear regression: the program draws the page's curves, the fits name their sum."""

import io

import pandas as pd
import pytest

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression import METHODS, RegressionParams
from pages.regression import words
from pages.regression.pipeline import PIPELINE
from tests.programs import program_figure
from ui.export import downloads


def test_the_program_draws_the_error_of_every_method():
    params, shown = RegressionParams(), program_figure("regression")
    page = PIPELINE.still(params, "comparison")["comparison"].test
    assert [trace.name for trace in shown.data] == [METHODS[name] for name in page]
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
