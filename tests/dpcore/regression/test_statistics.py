"""Bounds and sums: scaling, clipping, one pass, and a test error that needs no records."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from dpcore.regression import Bounds, SufficientStatistics, sufficient_statistics
from dpcore.regression import statistics as module

UNIT = {"target_low": -1, "target_high": 1}


def records(n=500, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 5, (n, d))
    return X, X @ rng.standard_normal(d) + rng.standard_normal(n)


def wide(d=4):
    return Bounds(low=[-3] * d, high=[5] * d, target_low=-40, target_high=30)


def test_the_room_opens_without_scikit_learn():
    code = "import sys, dpcore.regression; print('sklearn' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_scaling_is_affine_inside_and_flat_outside():
    bounds = Bounds(low=[0, -10], high=[10, 10], target_low=100, target_high=300)
    scaled = bounds.scale([[0, -10], [5, 0], [10, 10], [99, -99]])
    assert scaled.tolist() == [[-1, -1], [0, 0], [1, 1], [1, -1]]
    assert bounds.scale_target([100, 250, 900]).tolist() == [-1, 0.5, 1]
    assert bounds.unscale_target([-1, 0.5]).tolist() == [100, 250]


def test_a_feature_of_one_value_becomes_zero_whatever_a_record_has():
    bounds = Bounds(low=[2, 0], high=[2, 1], **UNIT)
    rows = [[2.0, 1], [2.5, 1], [7.0, 1], [-1.7e308, 1]]
    assert bounds.scale(rows).tolist() == [[0.0, 1.0]] * 4
    assert bounds.unscale([0.5, 9.0, 1.0])[1].tolist() == [0.0, 2.0]
    flat = Bounds(low=[0], high=[1], target_low=3, target_high=3)
    assert flat.scale_target([3.0, 99.0]).tolist() == [0, 0]
    assert flat.unscale_target([0.2]).tolist() == [3.0]


VALUES = [0.0, -0.0, 5e-324, -1e-310, 1e-50, 0.1, -3.0, 1e50, 1e308, -1.7e308, np.inf, -np.inf]


@pytest.mark.parametrize("ends", [(-1, 1), (0, 1e-50), (1e50, 1e50), (-1e50, 1e50), (0.1, 0.1 + 2e-17),
                                  (3, np.nextafter(3, 4)), (-1e-49, 5e-50)])  # fmt: skip
def test_no_record_moves_a_sum_by_more_than_its_bound(ends):
    """|x| ≤ 1 in every column of the running code, whatever the floats: ‖zzᵀ‖ ≤ d + 2."""
    bounds = Bounds(low=[ends[0]] * 2, high=[ends[1]] * 2, target_low=ends[0], target_high=ends[1])
    for x in VALUES:
        for y in VALUES:
            one = sufficient_statistics([[x, y]], [x], bounds=bounds)
            assert np.abs(one.quadratic).max() <= 1
            assert np.abs(one.linear).max() <= 1
            assert one.target_square <= 1


def test_numbers_that_are_none_are_refused():
    unit = Bounds(low=[0], high=[1], **UNIT)
    with pytest.raises(ValueError, match="NaN is not allowed"):
        sufficient_statistics([[np.nan], [0.5]], [0, 1], bounds=unit)


def test_sums_are_those_of_the_scaled_rows_whatever_the_blocks(monkeypatch):
    X, y = records()
    bounds = wide()
    rows = np.column_stack([np.ones(len(X)), bounds.scale(X)])
    target = bounds.scale_target(y)
    for block in (7, 500, 8192):
        monkeypatch.setattr(module, "_ROWS", block)
        sums = sufficient_statistics(X, y, bounds=bounds)
        np.testing.assert_allclose(sums.quadratic, rows.T @ rows, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(sums.linear, rows.T @ target, rtol=1e-12, atol=1e-10)
        assert sums.target_square == pytest.approx(target @ target)
        assert (sums.n_samples, sums.n_features) == (500, 4)


def test_solution_and_error_are_those_of_scikit_learn():
    X, y = records()
    bounds = wide()
    sums = sufficient_statistics(X, y, bounds=bounds)
    intercept, slopes = bounds.unscale(sums.solve())
    plain = LinearRegression().fit(X, y)
    np.testing.assert_allclose(slopes, plain.coef_, rtol=1e-9)
    assert intercept == pytest.approx(plain.intercept_)
    thetas = np.random.default_rng(1).standard_normal((2, 3, 5))
    rows = np.column_stack([np.ones(len(X)), bounds.scale(X)])
    direct = ((rows @ thetas[..., None])[..., 0] - bounds.scale_target(y)) ** 2
    np.testing.assert_allclose(sums.mse(thetas), direct.mean(axis=-1), rtol=1e-10)
    assert sums.mse(sums.solve()) <= sums.mse(thetas).min()


def test_singular_sums_have_the_solution_of_smallest_norm():
    sums = SufficientStatistics(
        quadratic=np.ones((2, 2)), linear=np.ones(2), target_square=1.0, n_samples=1
    )
    np.testing.assert_allclose(sums.solve(), [0.5, 0.5])


def test_estimated_bounds_say_so_and_bounds_cannot_be_changed():
    X, y = records()
    found = Bounds.estimated(X, y)
    assert found.status == "estimated"
    assert (found.low == X.min(0)).all()
    assert found.target_high == y.max()
    with pytest.raises(ValueError, match="read-only"):
        found.low[0] = 0


@pytest.mark.parametrize(
    ("low", "high", "target"),
    [([1], [0], (-1, 1)), ([0], [np.inf], (-1, 1)), ([0, 0], [1], (-1, 1)), ([0], [1], (1, -1))],
)
def test_bad_bounds_are_named(low, high, target):
    with pytest.raises(ValueError, match=r"bounds=.*is not allowed: give finite numbers"):
        Bounds(low=low, high=high, target_low=target[0], target_high=target[1])


@pytest.mark.parametrize(
    ("X", "y"), [(np.zeros((3, 2)), np.zeros(3)), (np.zeros(3), np.zeros(3)),
                 (np.zeros((3, 1)), np.zeros(2))],
)  # fmt: skip
def test_shapes_that_do_not_belong_together_are_refused(X, y):
    with pytest.raises(ValueError, match="give \\(n, d\\) and \\(n,\\) with d = 1"):
        sufficient_statistics(X, y, bounds=Bounds(low=[0], high=[1], **UNIT))


def test_an_error_of_nothing_is_not_below_nothing():
    """A target that its features give exactly: rounding must not make a negative mean square."""
    k = np.arange(80.0)
    X = np.column_stack([(7 * k) % 50, k % 9])
    for high in np.linspace(50, 70, 41):
        bounds = Bounds(
            low=np.zeros(2), high=np.array([high, 10.0]), target_low=0.0, target_high=high
        )
        sums = sufficient_statistics(X, X[:, 0] + 3, bounds=bounds)
        assert sums.mse(sums.solve()) >= 0
