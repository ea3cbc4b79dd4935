"""The program of Relevance learning draws the page's own curve, of own data too."""

import numpy as np
import pytest

from dpcore.datasets import read_csv
from dpcore.experiments import relevance
from dpcore.experiments.grids import DELTA_GRID, EPOCHS_GRID
from dpcore.experiments.relevance import RelevanceParams
from pages.relevance.figure import figure
from pages.relevance.pipeline import PIPELINE
from tests.programs import curve, drawn, program_figure


def test_the_program_draws_the_curve_of_the_live_figure():
    params, shown = RelevanceParams(), program_figure("relevance")
    live = figure(PIPELINE.still(params, "sweep")).arrays
    place = DELTA_GRID.index(params.delta), EPOCHS_GRID.index(params.epochs)
    expected = np.asarray(live["curve"].values)[place]
    assert curve(shown, "with privacy") == pytest.approx(expected, abs=1e-6)
    assert curve(shown, "without privacy")[0] == pytest.approx(float(live["best_accuracy"].values))


def test_the_program_of_own_data_draws_its_curve(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    rows = [f"{a:.3f},{b:.3f},{'ab'[int(a > 0.5)]}" for a, b in rng.random((80, 2))]
    text = "x,y,kind\n" + "\n".join(rows)
    (tmp_path / "your.csv").write_text(text)
    monkeypatch.chdir(tmp_path)
    data = read_csv(text.encode()).to_dataset("kind", ("x", "y"), low=[0, 0], high=[1, 1])
    params = RelevanceParams(dataset="own", epochs=5, prototypes_per_class=1)
    problem = relevance.Problem(data, 1)
    shown = drawn(relevance.code(params, problem, "kind"))
    sweep = relevance.run_sweep(problem, params)
    assert curve(shown, "with privacy")[-1] == pytest.approx(sweep.at(20.0).accuracy)
    with pytest.raises(ValueError, match="needs its problem"):
        relevance.code(params)
