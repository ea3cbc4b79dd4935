"""Shares of the budget: formulas, optima found by search, numbers of the audit."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from dpcore.regression import splits


@pytest.mark.parametrize("d", [1, 3, 10, 13])
def test_variance_optimal_is_where_the_curve_is_lowest(d):
    found = minimize_scalar(
        lambda p: float(splits.expected_noise_variance(p, d)), bounds=(0.01, 0.99),
        method="bounded", options={"xatol": 1e-9},
    )  # fmt: skip
    assert splits.variance_optimal(d) == pytest.approx(found.x, abs=1e-6)
    ratio = splits.variance_optimal(d) / (1 - splits.variance_optimal(d))
    assert ratio == pytest.approx((d + 1) / 4 ** (1 / 3))


@pytest.mark.parametrize(("d", "equal", "proportional"), [(10, 2.68, 1.017), (13, 2.90, 1.014)])
def test_excess_over_the_optimum(d, equal, proportional):
    shares = [splits.equal(d), splits.proportional(d), splits.variance_optimal(d)]
    variance = splits.expected_noise_variance(shares, d)
    assert variance[0] / variance[2] == pytest.approx(equal, abs=0.005)
    assert variance[1] / variance[2] == pytest.approx(proportional, abs=0.0005)


def test_shares_of_the_audit():
    assert splits.proportional(13) == 0.875
    assert splits.variance_optimal(13) == pytest.approx(0.89816, abs=5e-6)
    assert splits.error_optimal(13) == pytest.approx(14 ** (2 / 3) / (1 + 14 ** (2 / 3)))
    assert splits.proportional(1) == splits.equal(1) == 0.5


@pytest.mark.parametrize(("d", "norm"), [(1, 1.0), (10, 0.7), (13, 2.0)])
def test_error_optimal_minimises_the_noise_that_reaches_the_coefficients(d, norm):
    theta = np.zeros(d + 1)
    theta[0] = norm
    D = d + 1

    def reached(share, symmetrised):
        first, second = 2 * D**2 / share, 4 * D / (1 - share) / 2
        linear = D * 2 * second**2
        if not symmetrised:
            return D * 2 * first**2 * norm**2 + linear
        entries = np.full((D, D), first**2)  # the mean of two Laplace draws
        np.fill_diagonal(entries, 2 * first**2)
        return (entries @ theta**2).sum() + linear

    for symmetrised in (False, True):
        found = minimize_scalar(
            reached, bounds=(0.01, 0.99), method="bounded", args=(symmetrised,),
            options={"xatol": 1e-9},
        )  # fmt: skip
        share = splits.error_optimal(d, norm, symmetrised=symmetrised)
        assert share == pytest.approx(found.x, abs=1e-6)


def test_variance_falls_with_the_budget_and_with_the_tight_sensitivity():
    shares = np.linspace(0.1, 0.9, 9)
    one, two = (splits.expected_noise_variance(shares, 5, e) for e in (1.0, 2.0))
    np.testing.assert_allclose(one / two, 4)
    assert (splits.expected_noise_variance(shares, 5, sensitivities="tight") < one).all()


def test_names_and_numbers():
    assert splits.budget_share("equal", 7) == 0.5
    assert splits.budget_share(0.3, 7) == 0.3
    for wrong in ("half", 0.0, 1.0, None):
        with pytest.raises(ValueError, match="split="):
            splits.budget_share(wrong, 7)
    with pytest.raises(ValueError, match=r"give numbers in \(0, 1\)"):
        splits.expected_noise_variance([0.5, 1.0], 3)
