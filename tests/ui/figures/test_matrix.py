"""The arrays of the matrix lab: what is drawn is what was computed, from the first draw on."""

import numpy as np
import pytest

from dpcore.experiments import matrix
from dpcore.experiments.matrix import TOUCH_GRID, MatrixParams
from ui.figures import matrix_arrays as arrays_of
from ui.matrix import Answer
from ui.views import matrix as view
from ui.views import matrix_words as words

PARAMS = MatrixParams(dataset="iris", epsilon=5.0)


@pytest.fixture(scope="module")
def problem():
    return matrix.problem_of(PARAMS)


@pytest.fixture(scope="module")
def study():
    return matrix.run_study(PARAMS)


@pytest.fixture(scope="module")
def draws(problem):
    return list(matrix.run_outcomes(problem, PARAMS, n_draws=9))


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 5.0, 20.0])
def test_the_lab_evaluates_to_the_model(problem, study, epsilon):
    lab = view.drawn(problem, PARAMS, Answer(study, None))
    model = study.sweep.at(epsilon)
    here = {"epsilon": epsilon}
    np.testing.assert_allclose(lab.evaluate("profile", here)[::2], model.relevances, atol=1e-5)
    assert (lab.evaluate("profile", here)[1::2] == 0).all()
    assert lab.evaluate("accuracy", here) == pytest.approx(model.accuracy, abs=1e-6)
    assert lab.evaluate("sigma", here) == pytest.approx(model.noise_multiplier, rel=1e-6)
    at = list(PARAMS.controls()["epsilon"].grid).index(epsilon)
    assert lab.evaluate("curve")[at] == pytest.approx(model.accuracy, abs=1e-6)


def test_the_heat_map_is_the_matrix(problem, study):
    lab = view.drawn(problem, PARAMS, Answer(study, None))
    shade = lab.evaluate("best_heat").reshape(4, 4)
    top = arrays_of.heat_top(study)
    np.testing.assert_allclose(np.sign(shade) * shade**2 * top, study.best.matrix, atol=0.012 * top)
    assert lab.evaluate("heat").shape == (1, 16)


def test_prices_add_up_to_the_loss(problem, study):
    lab = view.drawn(problem, PARAMS, Answer(study, None))
    loss = lab.evaluate("accuracy") - lab.evaluate("best_accuracy")
    both = lab.evaluate("method_price") + lab.evaluate("noise_price")
    assert both == pytest.approx(loss, abs=1e-6)
    assert 0 < lab.evaluate("overlap") <= 1 + 1e-6


def test_noise_on_the_finished_matrix_follows_its_slider(problem, study):
    lab = view.drawn(problem, PARAMS, Answer(study, None))
    for k, touch in enumerate(TOUCH_GRID):
        wanted = 1 - study.best_touched[0, k].mean()
        assert lab.evaluate("touch_best_now", {"touch": touch}) == pytest.approx(wanted, abs=1e-6)
    start = lab.evaluate("touch_best_now", {"touch": 0.0})
    assert start == pytest.approx(lab.evaluate("best_accuracy"), abs=1e-6)


@pytest.mark.parametrize("n_draws", [1, 7, 9])
def test_outcomes_are_drawn_from_the_first_one_on(problem, study, draws, n_draws):
    lab = view.drawn(problem, PARAMS, Answer(study, draws[n_draws - 1]))
    assert lab.evaluate("draws").shape == (n_draws, 3, 3)
    low, middle, high = (lab.evaluate(f"band_{name}") for name in ("low", "middle", "high"))
    assert (low <= middle + 1e-9).all()
    assert (middle <= high + 1e-9).all()
    strokes = lab.evaluate("spread").reshape(-1, 3)
    assert np.isnan(strokes[:, 2]).all()
    assert (strokes[:, 0] <= strokes[:, 1]).all()
    assert np.isfinite(lab.evaluate("guessed")) == (n_draws >= 8)


def test_a_quick_answer_keeps_every_panel(problem, study, draws):
    quick = view.drawn(problem, PARAMS, Answer(matrix.quick_study(problem, PARAMS), None))
    whole = view.drawn(problem, PARAMS, Answer(study, draws[-1]))
    assert [p.key for p in quick.panels] == [p.key for p in whole.panels]
    assert np.isnan(quick.evaluate("method_price"))
    assert np.isfinite(quick.evaluate("accuracy"))


def test_pictures_and_messages_stay_small():
    params = MatrixParams(dataset="digits", epochs=2)
    problem, study = matrix.problem_of(params), matrix.run_study(params)
    lab = view.drawn(problem, params, Answer(study, None))
    assert lab.evaluate("eigen").shape == (4, 64)
    assert "eigen" in [panel.key for panel in lab.panels]
    assert sum(array.values.nbytes for array in lab.arrays.values()) < 2e6


def test_words_and_tables_tell_the_same(problem, study):
    found = words.profile_table(problem, PARAMS, study)
    assert found.private.sum() == pytest.approx(1)
    top = found.feature[found.private.idxmax()]
    at = list(PARAMS.controls()["epsilon"].grid).index(5.0)
    assert f"looks most at {top}" in words.looks_at(problem, study)[at]
    assert words.matrix_table(problem, PARAMS, study).shape == (4, 4)
    assert words.profile_figure(problem, PARAMS, study).data
    table = words.curve_table(PARAMS, Answer(study, None))
    assert table.accuracy[at] == pytest.approx(study.sweep.at(5.0).accuracy)
    errors = {name: np.full((3, 3), 0.1) for name in matrix.PAPER_SPREAD}
    assert "**0.0000** (0.1275)" in words.spread_table(problem, errors)
    assert "0.1761" in words.noise_experiment()
