"""What is taken along from Linear regression: the program draws the page's curves, the fits name their sum."""

import io

import pandas as pd
import pytest

from dpcore.experiments.regression import RegressionParams
from pages.regression import words
from pages.regression.pipeline import PIPELINE
from tests.programs import program_figure
from ui import export


def test_the_program_draws_the_error_of_every_method():
    params, shown = RegressionParams(), program_figure("regression")
    page = words.loss_figure(PIPELINE.still(params))
    assert [t.name for t in shown.data] == [t.name for t in page.data]
    for mine, its in zip(shown.data, page.data, strict=True):
        assert mine.x == pytest.approx(its.x)
        assert mine.y == pytest.approx(its.y)


@pytest.mark.parametrize(("method", "together"), [("gaussian", "8.17"), ("printed", "40")])
def test_the_fits_of_the_regression_name_their_sum(method, together):
    params = RegressionParams(dataset="synth1d", method=method, epsilon=1.0, delta=1e-5)
    text = export._csv(lambda: words.fits_table(PIPELINE.still(params)))
    first, *rest = text.splitlines()
    assert first.startswith("# 40 fits")
    assert f"together epsilon = {together}" in first
    assert len(pd.read_csv(io.StringIO(text), comment="#")) == 40 == len(rest) - 1
    assert f"**{together}**" in words._shown(params)
