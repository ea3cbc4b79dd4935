"""The noisy start and Figure 1 on Relevance learning: what is drawn, where it stands, what the words say."""

import math

import numpy as np
import pytest

from dpcore.datasets import load
from dpcore.experiments import relevance, table1
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.relevance import Problem, RelevanceParams
from dpcore.experiments.table1 import PRINTED
from pages.relevance.figure import figure, figure_rows, paper_panels
from pages.relevance.pipeline import PIPELINE
from ui.live.depth import Depth
from ui.prototypes import paper
from ui.prototypes.paper import SWEEP, best_table, extent, spread_table, sweep_words
from ui.prototypes.words import releases
from ui.runner import PageState

PARAMS = RelevanceParams(dataset="iris", prototypes_per_class=1)


@pytest.fixture(scope="module")
def problem():
    return Problem(load("iris"), 1)


@pytest.fixture(scope="module")
def sweep(problem):
    return relevance.draft_sweep(problem, PARAMS)


def drawn(problem, sweep, params=PARAMS):
    starts = {
        kind: relevance.noisy_start(problem, params, kind) for kind in ("laplace", "gaussian")
    }
    state = PageState(params=params, problem=problem, results={"sweep": sweep, "starts": starts})
    return figure(state), starts


def panel(found, key):
    return next(panel for panel in found.panels if panel.key == key)


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_the_start_drawn_is_the_one_computed(problem, sweep, kind):
    found, starts = drawn(problem, sweep)
    origin, axes = problem.plane
    last = (starts[kind].means[0] - origin) @ axes
    places = found.evaluate(f"start_{kind}", {"epsilon": EPSILON_GRID[-1], "delta": 1e-3})
    np.testing.assert_allclose(places, last, atol=0.05)
    assert np.std(places) < np.std(found.evaluate(f"start_{kind}", {"epsilon": EPSILON_GRID[0]}))
    assert panel(found, f"start_{kind}").depth == Depth.CHECK


def test_the_start_waits_until_its_tab_is_opened(problem, sweep):
    stage = PIPELINE.stage("starts")
    closed = figure(PageState(params=PARAMS, problem=problem, results={"sweep": sweep}))
    assert (stage.tabs, stage.depth) == ((panel(closed, "start_laplace").tab,), Depth.CHECK)
    assert not panel(closed, "start_laplace").layers
    assert "start_laplace" not in closed.arrays


def test_pictures_start_as_pictures():
    digits = Problem(load("digits"), 1)
    params = RelevanceParams(dataset="digits", prototypes_per_class=1, epsilon=20.0)
    found, starts = drawn(digits, relevance.draft_sweep(digits, params), params)
    tiles = found.evaluate("start_gaussian_pictures", {"epsilon": 20.0, "delta": 1e-3})
    wanted = digits.dataset.to_images(starts["gaussian"].means[0, 0]).reshape(10, -1)
    np.testing.assert_allclose(tiles, wanted, atol=0.02)
    assert panel(found, "start_gaussian").kind == "mosaic"


def test_the_releases_of_the_start_have_the_scales_their_formulas_say():
    params = RelevanceParams(epsilon=2.5, init_share=0.2)
    printed, replaced, together, gaussian = releases(params, 16)
    root = math.sqrt(2)
    assert (printed.on_size, printed.on_sum) == pytest.approx((root * 4, root * 64))
    assert (replaced.on_size, replaced.on_sum) == pytest.approx((root * 8, root * 128))
    assert (together.on_size, together.on_sum) == pytest.approx((root * 34, root * 34))
    assert gaussian.on_size == gaussian.on_sum > 0


def test_figure_1_has_six_curves_with_labels_and_the_printed_points():
    for recipe, one in zip(("paper", "tight"), paper_panels(), strict=True):
        lines = [layer for layer in one.layers if layer.kind == "line"]
        marks = [layer for layer in one.layers if layer.kind == "markers"]
        assert len(lines) == len(marks) == 6
        assert len({layer.label for layer in lines}) == 6
        cells = ((d, m) for d in table1.DATA for m in table1.MODELS)
        for line, mark, (data, model) in zip(lines, marks, cells, strict=True):
            assert line.y == table1.curve(figure_rows(), data, model, recipe)
            assert not np.isnan(line.y).any()
            errors = PRINTED[data, model]
            assert mark.xy[1::2] == [errors[e][0] for e in (0.75, 1.5, 2.5, "sgd")]
            assert (line.dash, mark.hollow) == (model == "glvq", model == "glvq")
        assert one.depth == Depth.CHECK
        assert "printed: 0.479, 0.179, 0.164" in one.alt


def test_the_words_on_the_sweep_name_the_leak_and_every_best_setting():
    words = sweep_words()
    assert "Choosing is a leak of its own" in words
    rows = table1.read_means(SWEEP)
    names = {"segment": "Segment", "har": "Motion", "mnist": "MNIST"}
    for data in {row["data"] for row in rows if row["recipe"] == "tight"}:
        name = names[data]
        assert best_table(rows).count(name) == 6
        for model in ("glvq", "gmlvq"):
            found = table1.best(rows, data, model, "tight", 2.5)
            assert f"{found['error']:.4f}" in words
    assert "Not run" not in words.partition("How much the test error varies")[0]
    assert "(0.1275)" in spread_table([row | {"data": "har"} for row in rows])


def test_the_words_on_the_sweep_say_what_a_file_lacks(tmp_path, monkeypatch):
    lines = SWEEP.read_text("utf-8").splitlines(keepends=True)
    part = tmp_path / "part.csv"
    part.write_text(
        "".join(line for line in lines if not line.startswith(("har,glvq,tight", "mnist,gmlvq")))
    )
    monkeypatch.setattr(paper, "SWEEP", part)
    first = sweep_words().partition("How much the test error varies")[0]
    assert "Not run: MNIST, GMLVQ; Motion, GLVQ with the tight σ." in first


def test_the_page_and_the_map_of_the_documents_say_what_of_all_combinations_was_run():
    docs = SWEEP.parent
    said = extent()
    assert said in sweep_words()
    assert said in (docs / "coverage.md").read_text("utf-8")
    curves, _ = table1.read_whole(docs / "sweep_whole.npz")
    assert said.count(" fold") == len(curves)
    assert ("Segment, GLVQ, tight" in said.partition("Not run")[2]) == (
        ("segment", "glvq", "tight") not in curves
    )
