"""Calibration of noise: exact, monotone, inverse to each other, equal to an independent library."""

import itertools
import math

import numpy as np
import pytest
from dp_accounting import get_sigma_gaussian

from dpcore import mechanisms as m

GRID = [1e-3, 0.1, 1.0, 8.0, 100.0]
# Classical and analytic Gaussian at δ = 1e-5, Δ = 1 (independently tabulated).
TABLE = [
    (0.1, 48.44805, 30.749566),
    (0.5, 9.689611, 7.031827),
    (0.8, 6.056007, 4.572762),
    (1.0, 4.844805, 3.730632),
    (2.4, 2.018669, 1.694379),
    (4.0, 1.211201, 1.081162),
    (8.0, 0.605601, 0.600229),
    (10.0, 0.484481, 0.499889),
    (20.0, 0.242240, 0.290041),
]


@pytest.mark.parametrize(("epsilon", "classical", "analytic"), TABLE)
def test_gaussian_table(epsilon, classical, analytic):
    assert m.gaussian_sigma(1, epsilon, delta=1e-5) == pytest.approx(analytic, rel=2e-6)
    found = m.gaussian_sigma(1, epsilon, delta=1e-5, calibration="classical")
    assert found == pytest.approx(classical, rel=2e-6)


@pytest.mark.parametrize(
    ("epsilon", "real"), [(0.1, 0.060704), (1, 0.750977), (8, 7.914370), (10, 10.393882)]
)
def test_what_the_classical_formula_really_costs(epsilon, real):
    sigma = m.gaussian_sigma(1, epsilon, delta=1e-5, calibration="classical")
    assert m.gaussian_epsilon(sigma, 1, delta=1e-5) == pytest.approx(real, rel=1e-5)


@pytest.mark.parametrize(("epsilon", "delta"), list(itertools.product(GRID, [1e-12, 1e-5, 0.1])))
def test_analytic_gaussian_equals_dp_accounting(epsilon, delta):
    assert m.gaussian_sigma(2.0, epsilon, delta=delta) == pytest.approx(
        2 * get_sigma_gaussian(epsilon, delta), rel=1e-6
    )


@pytest.mark.parametrize(
    ("epsilon", "delta"), list(itertools.product([0.1, 1.0, 8.0], [1e-8, 1e-3]))
)
def test_sigma_and_epsilon_are_inverse_and_on_the_safe_side(epsilon, delta):
    sigma = m.gaussian_sigma(1.5, epsilon, delta=delta)
    assert m.gaussian_delta(sigma, 1.5, epsilon=epsilon) <= delta
    assert m.gaussian_epsilon(sigma, 1.5, delta=delta) == pytest.approx(epsilon, rel=1e-8)


def test_less_privacy_needs_less_noise():
    sigmas = [m.gaussian_sigma(1, e, delta=1e-5) for e in np.geomspace(0.01, 50, 40)]
    assert (np.diff(sigmas) < 0).all()


def test_limits():
    assert m.gaussian_sigma(1, math.inf, delta=1e-5) == 0
    assert m.gaussian_sigma(0, 1, delta=1e-5) == 0
    assert m.laplace_scale(0, 1) == 0
    assert m.laplace_scale(3, math.inf) == 0
    assert m.gaussian_delta(1.0, 0.0, epsilon=1.0) == 0


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, "1", None, True])
@pytest.mark.parametrize(
    "calibrate", [m.laplace_scale, lambda s, e: m.gaussian_sigma(s, e, delta=1e-5)]
)
def test_bad_epsilon_is_named(calibrate, epsilon):
    with pytest.raises(ValueError, match=r"epsilon=.* is not allowed: give a number"):
        calibrate(1.0, epsilon)


@pytest.mark.parametrize("delta", [0, 1, -1e-5, math.nan, "x"])
def test_bad_delta_is_named(delta):
    with pytest.raises(ValueError, match="delta="):
        m.gaussian_sigma(1, 1, delta=delta)


def test_samplers_use_only_their_generator_and_have_the_right_spread():
    # 200,000 draws: the relative error of a standard deviation is below 0.8 % but for 1e-6.
    zeros = np.zeros(200_000)
    gauss = m.add_gaussian(zeros, 3.0, rng=np.random.default_rng(1))
    laplace = m.add_laplace(zeros, 3.0, rng=np.random.default_rng(1))
    assert gauss.std() == pytest.approx(3.0, rel=0.01)
    assert np.abs(laplace).mean() == pytest.approx(3.0, rel=0.015)
    assert (gauss == m.add_gaussian(zeros, 3.0, rng=np.random.default_rng(1))).all()
