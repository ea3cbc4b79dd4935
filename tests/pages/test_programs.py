"""The program of every page draws the page's figure, and so does its notebook, cell by cell."""

import json
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from dpcore.accounting.surfaces import NOISE_GRID, RATE_GRID
from dpcore.datasets import read_csv
from dpcore.experiments import (
    autoencoder,
    budget,
    descent,
    kahm,
    matrix,
    mechanisms,
    regression,
    relevance,
)
from dpcore.grids import DELTA_GRID, EPOCHS_GRID
from pages.autoencoder import exports as autoencoder_exports
from pages.autoencoder.spec import PAGE as AUTOENCODER
from pages.budget import view as budget_view
from pages.descent.spec import PAGE as DESCENT
from pages.kahm import exports as kahm_exports
from pages.kahm.spec import PAGE as KAHM
from pages.matrix import exports as matrix_exports
from pages.matrix.spec import PAGE as MATRIX
from pages.mechanisms import view as mechanisms_view
from pages.regression import words as regression_words
from pages.regression.spec import PAGE as REGRESSION
from pages.relevance.spec import PAGE as RELEVANCE
from tests.programs import drawn
from ui import export

PAGES = {
    "mechanisms": mechanisms.MechanismsParams(),
    "budget": budget.BudgetParams(),
    "descent": descent.DescentParams(),
    "relevance": relevance.RelevanceParams(),
    "matrix": matrix.MatrixParams(),
    "regression": regression.RegressionParams(),
    "autoencoder": autoencoder.AutoencoderParams(),
    "kahm": kahm.KahmParams(),
}


@lru_cache(maxsize=8)
def bundle(page):
    params = PAGES[page]
    if page == "relevance":
        return RELEVANCE.words(RELEVANCE.pipeline.known(params)).bundle
    if page == "matrix":
        return MATRIX.words(MATRIX.pipeline.known(params)).bundle
    if page == "regression":
        return REGRESSION.words(REGRESSION.pipeline.still(params)).bundle
    if page == "autoencoder":
        return AUTOENCODER.words(AUTOENCODER.pipeline.known(params)).bundle
    if page == "kahm":
        return KAHM.words(KAHM.pipeline.known(params)).bundle
    if page == "descent":
        return DESCENT.words(DESCENT.pipeline.known(params)).bundle
    if page == "budget":
        return budget_view._bundle(params, budget.guarantee(params, 1.8))
    return mechanisms_view._bundle(params, mechanisms.guarantee(params))


@lru_cache(maxsize=8)
def figure(page):
    return drawn(bundle(page).program)


def sizes(shown):
    return [(trace.name, trace.type) for trace in shown.data]


@pytest.mark.parametrize("page", PAGES)
def test_the_program_is_short_and_draws_named_finite_curves(page):
    text = bundle(page).program
    assert len(text.splitlines()) <= 25
    assert "import plotly.graph_objects as go" in text
    assert max(map(len, text.splitlines())) <= 110
    for trace in figure(page).data:
        assert trace.name
        values = np.asarray(trace.z if trace.type == "heatmap" else trace.y, float)
        assert values.size
        assert np.isfinite(values).all()
        if trace.x is not None:
            assert len(trace.x) == len(values)


@pytest.mark.parametrize("page", PAGES)
def test_the_notebook_draws_the_same_figure(page):
    scope, cells = {}, json.loads(export.notebook(bundle(page)))["cells"]
    shown = [drawn(cell["source"], scope) for cell in cells if cell["cell_type"] == "code"]
    assert [sizes(one) for one in shown] == [sizes(figure(page))]


@pytest.mark.parametrize("page", [page for page in PAGES if page != "budget"])
def test_without_the_seed_it_draws_fresh_noise(page):
    made = replace(bundle(page), seed=False)
    scope = {}
    other = drawn(made.program, scope)
    assert "seed = randbelow" in made.program
    assert sizes(other) == sizes(figure(page))
    values = [
        np.concatenate([np.ravel(t.z if t.type == "heatmap" else t.x) for t in shown.data]
                       + [np.ravel(t.y) for t in shown.data if t.y is not None])
        for shown in (other, figure(page))
    ]  # fmt: skip
    assert scope["seed"] == 0 or (values[0] != values[1]).any()


def y(shown, name):
    (found,) = [np.asarray(trace.y) for trace in shown.data if trace.name == name]
    return found


def test_mechanisms_draws_the_densities_and_the_answers():
    params, shown = PAGES["mechanisms"], figure("mechanisms")
    page = mechanisms_view.density_figure(params)
    for mine, its in zip(shown.data, page.data, strict=False):
        assert mine.x == pytest.approx(its.x)
        assert mine.y == pytest.approx(its.y)
    assert shown.data[2].x == pytest.approx(mechanisms_view.draw_table(params)["with"])


def test_budget_draws_the_curves_of_the_live_figure():
    params, shown = PAGES["budget"], figure("budget")
    live = budget_view.lab(params, False).arrays
    place = (
        NOISE_GRID.index(params.noise_multiplier), RATE_GRID.index(params.sample_rate),
        DELTA_GRID.index(params.delta),
    )  # fmt: skip
    for name, array in (("true cost", "pld"), ("slides: qε√T", "printed_root")):
        found = np.asarray(live[array].values)[place]
        assert np.minimum(y(shown, name), 1e4) == pytest.approx(found[: len(y(shown, name))])


def test_descent_draws_the_curve_of_the_live_figure():
    params, shown = PAGES["descent"], figure("descent")
    live = DESCENT.figure(DESCENT.pipeline.still(params)).arrays
    assert y(shown, "with privacy") == pytest.approx(np.asarray(live["curve"].values)[:, -1])
    assert y(shown, "plain")[0] == pytest.approx(np.asarray(live["plain_curve"].values)[-1])


def test_relevance_draws_the_curve_of_the_live_figure():
    params, shown = PAGES["relevance"], figure("relevance")
    live = RELEVANCE.figure(RELEVANCE.pipeline.still(params, "sweep")).arrays
    place = DELTA_GRID.index(params.delta), EPOCHS_GRID.index(params.epochs)
    curve = np.asarray(live["curve"].values)[place]
    assert y(shown, "with privacy") == pytest.approx(curve, abs=1e-6)
    assert y(shown, "without privacy")[0] == pytest.approx(float(live["best_accuracy"].values))


def test_matrix_draws_the_profile():
    params, shown = PAGES["matrix"], figure("matrix")
    problem = matrix.problem_of(params)
    table = matrix_exports.profile_table(problem, params, matrix.run_study(problem, params))
    assert list(shown.data[0].x) == list(table.feature)
    assert shown.data[0].y == pytest.approx(table.private, rel=1e-5)
    assert shown.data[1].y == pytest.approx(table.without_privacy, rel=1e-4)


def test_regression_draws_the_error_of_every_method():
    params, shown = PAGES["regression"], figure("regression")
    page = regression_words.loss_figure(REGRESSION.pipeline.still(params))
    assert [t.name for t in shown.data] == [t.name for t in page.data]
    for mine, its in zip(shown.data, page.data, strict=True):
        assert mine.x == pytest.approx(its.x)
        assert mine.y == pytest.approx(its.y)


def test_autoencoder_draws_the_pictures():
    page = autoencoder_exports.picture_figure(AUTOENCODER.pipeline.still(PAGES["autoencoder"]))
    assert figure("autoencoder").data[0].z == pytest.approx(page.data[0].z)


def test_hulls_draw_the_records():
    page = kahm_exports.picture_figure(PAGES["kahm"])
    for mine, its in zip(figure("kahm").data, page.data, strict=True):
        assert mine.x == pytest.approx(its.x)
        assert mine.y == pytest.approx(its.y)


def test_the_program_of_own_data_draws_its_curve(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    rows = [f"{a:.3f},{b:.3f},{'ab'[int(a > 0.5)]}" for a, b in rng.random((80, 2))]
    text = "x,y,kind\n" + "\n".join(rows)
    (tmp_path / "your.csv").write_text(text)
    monkeypatch.chdir(tmp_path)
    data = read_csv(text.encode()).to_dataset("kind", ("x", "y"), low=[0, 0], high=[1, 1])
    params = relevance.RelevanceParams(dataset="own", epochs=5, prototypes_per_class=1)
    problem = relevance.Problem(data, 1)
    shown = drawn(relevance.code(params, problem, "kind"))
    sweep = relevance.run_sweep(problem, params)
    assert y(shown, "with privacy")[-1] == pytest.approx(sweep.at(20.0).accuracy)
    with pytest.raises(ValueError, match="needs its problem"):
        relevance.code(params)
