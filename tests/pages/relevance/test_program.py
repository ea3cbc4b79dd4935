"""The program of Relevance learning draws the page's own curve, of own data too."""

import numpy as np
import pytest

from dpcore.datasets import read_csv
from dpcore.experiments import relevance
from dpcore.experiments.grids import DELTA_GRID, EPOCHS_GRID, EPSILON_GRID
from dpcore.experiments.relevance import RelevanceParams
from pages.relevance.figure import figure
from pages.relevance.pipeline import PIPELINE
from pages.relevance.words import program
from tests.own_data import estimated_classes
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
    shown = drawn(program(params, problem, "kind"))
    sweep = relevance.run_sweep(problem, params)
    assert curve(shown, "with privacy")[-1] == pytest.approx(sweep.at(20.0).accuracy)


@pytest.mark.parametrize("changes", [{"dataset": "iris", "epsilon": 5.0, "recipe": "paper"}, {}])
def test_the_program_draws_the_accuracy_at_the_chosen_epsilon(changes):
    params = RelevanceParams(**changes)
    shown = drawn(program(params, relevance.problem_of(params), ""))
    assert shown.data[2].y[0] == relevance.run(params).at(params.epsilon).accuracy


def test_the_program_draws_lots_of_a_fixed_size():
    params = RelevanceParams(lots="fixed", sample_rate=0.1, dataset="iris", prototypes_per_class=1)
    text = program(params, relevance.problem_of(params), "")
    assert "lots='fixed'" in text
    sweep = relevance.run(params)
    expected = [sweep.at(epsilon).accuracy for epsilon in EPSILON_GRID]
    assert drawn(text).data[0].y == pytest.approx(expected)


def test_the_program_of_an_uploaded_table_says_that_its_epsilon_is_nominal():
    data = estimated_classes()
    code = program(relevance.RelevanceParams(dataset="own"), relevance.Problem(data, 1), "kind")
    assert "# ε is nominal: the bounds" in code
    assert "estimate_bounds=True" in code
    assert "low=[" not in code
