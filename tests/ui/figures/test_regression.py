"""The arrays of the regression lab equal the results, and stay small."""

import numpy as np
import pytest

from dpcore.experiments import regression
from dpcore.experiments.regression import METHODS, RegressionParams
from dpcore.grids import EPSILON_GRID
from ui.figures import common
from ui.figures import regression as figure
from ui.figures.regression_arrays import arrays as arrays_of
from ui.live import Lab
from ui.regression import Answer
from ui.views.regression import _controls

AT = EPSILON_GRID.index(0.5)


def answered(params, **more):
    problem = regression.problem_of(params)
    setting, fits = problem.setting(params), regression.run(params)
    found = list(regression.compare(setting, params))[-1][0] if more.pop("all", False) else None
    answer = Answer(
        setting=setting, fits=fits, objective=regression.objective(setting, params),
        worlds=regression.worlds(setting, params, fits.coefficients),
        shares=regression.shares(setting, params), comparison=found, tried=None, **more,
    )  # fmt: skip
    return problem, answer


def lab_of(params, problem, answer):
    arrays = arrays_of(params, answer)
    return Lab(
        controls=_controls(params), values=common.values(params), arrays=arrays,
        panels=figure.panels(problem, params, answer, arrays),
        readouts=figure.readouts(params, arrays),
    )  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_lines_are_the_predictions_of_the_fits(method):
    params = RegressionParams(
        dataset="diabetes", n_features=3, n_samples=200, method=method, repair="floor2", epsilon=0.5
    )
    problem, answer = answered(params)
    lab, fits, setting = lab_of(params, problem, answer), answer.fits, answer.setting
    centre = setting.centre.copy()
    for place, x in ((0, -1.0), (1, 1.0)):
        centre[1] = x
        wanted = setting.bounds.unscale_target(fits.coefficients[:, AT] @ centre)
        np.testing.assert_allclose(lab.evaluate("lines_y")[place::3], wanted, rtol=1e-4, atol=1e-2)
    assert np.isnan(lab.evaluate("lines_y")[2::3]).all()
    assert lab.evaluate("loss") == pytest.approx(np.median(fits.test[:, AT]), rel=1e-5)
    loss = lab.evaluate("loss") - lab.evaluate("best_test")
    prices = lab.evaluate("method_price") + lab.evaluate("noise_price")
    assert prices == pytest.approx(loss, rel=1e-3, abs=1e-6)


def test_parabolas_and_their_colours():
    params = RegressionParams(n_samples=200, epsilon=0.5)
    problem, answer = answered(params)
    lab, found = lab_of(params, problem, answer), answer.objective
    drawn = lab.evaluate("parabolas")
    np.testing.assert_allclose(drawn[:, 0], found.curvature[:, AT], rtol=1e-5)
    np.testing.assert_allclose(drawn[:, 1], found.slope[:, AT], rtol=1e-5)
    assert (drawn[:, 2] == answer.fits.indefinite[:, AT]).all()
    assert 0 < drawn[:, 2].sum() < 40
    assert (lab.evaluate("parabola")[0] == drawn[0]).all()


def test_methods_of_the_comparison_are_the_drawn_ones():
    params = RegressionParams(n_samples=200, method="joint", epsilon=0.5)
    problem, answer = answered(params, all=True)
    lab = lab_of(params, problem, answer)
    for name in METHODS:
        low, middle, high = answer.comparison.test[name][:, AT]
        assert lab.evaluate(f"test_{name}_now") == pytest.approx(middle, rel=1e-5)
        np.testing.assert_allclose(lab.evaluate(f"test_{name}_span"), [low, high], rtol=1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_a_lab_travels_in_half_a_megabyte(method):
    params = RegressionParams(dataset="diabetes", n_features=10, method=method, repair="floor1")
    problem, answer = answered(params, all=True)
    lab = lab_of(params, problem, answer)
    assert sum(array.values.nbytes for array in lab.arrays.values()) < 500_000


def test_a_lab_without_fits_is_drawn_all_the_same():
    params = RegressionParams(method="descent", n_samples=200)
    problem = regression.problem_of(params)
    setting = problem.setting(params)
    empty = Answer(
        setting=setting, fits=None, objective=None, worlds=None, comparison=None, tried=None,
        shares=regression.shares(setting, params),
    )  # fmt: skip
    lab = lab_of(params, problem, empty)
    assert np.isnan(lab.evaluate("loss"))
    assert "clouds" not in [panel.key for panel in lab.panels]
