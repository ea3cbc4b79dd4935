"""Output perturbation: the exact minimiser, its sensitivity by brute force, the slide's formula."""

import numpy as np
import pytest
from scipy.optimize import minimize

from dpcore.descent import RegularisedLogistic, minimise, output_sensitivity


def problem(seed, strength=0.05, n=30):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.uniform(-1, 1, (n, 2)), np.ones(n)])
    return RegularisedLogistic(X, (rng.random(n) < 0.5).astype(float), strength)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("strength", [1e-3, 0.05, 1.0])
def test_the_minimiser_is_exact(seed, strength):
    found = problem(seed, strength)
    w = minimise(found)
    assert np.abs(found.gradient(w)).max() < 1e-11
    other = minimize(found.objective, np.zeros(3), jac=found.gradient, tol=1e-12)
    assert found.objective(w) <= other.fun + 1e-12
    h = 1e-6
    for k in range(3):
        e = h * np.eye(3)[k]
        assert (found.objective(w + e) - found.objective(w - e)) / (2 * h) == pytest.approx(
            0, abs=1e-8
        )


@pytest.mark.parametrize("strength", [0.01, 0.1])
def test_no_replaced_record_moves_it_further(strength):
    base = problem(1, strength)
    w = minimise(base)
    bound = output_sensitivity(np.sqrt(3), strength, n_samples=len(base.y))
    corners = np.array([[a, b, 1.0] for a in (-1, 1) for b in (-1, 1)])
    worst = 0.0
    for i in range(0, len(base.y), 3):
        for corner in corners:
            for label in (0.0, 1.0):
                X, y = base.X.copy(), base.y.copy()
                X[i], y[i] = corner, label
                moved = minimise(RegularisedLogistic(X, y, strength))
                worst = max(worst, float(np.linalg.norm(moved - w)))
    assert 0.05 * bound < worst <= bound


def test_the_bound_is_attained_by_linear_losses():
    """ℓ = -G z w with z = ±1 and R = (μ/2) w²: replacing one z moves the minimiser by 2G/(nμ)."""
    g, mu, n = 1.0, 0.1, 50
    here = g * (n * 1.0) / (n * mu)
    there = g * (n - 2.0) / (n * mu)
    assert here - there == pytest.approx(0.4)
    assert output_sensitivity(g, mu / 2, n_samples=n) == pytest.approx(0.4)
    assert output_sensitivity(g, mu, n_samples=n, as_printed=True) == pytest.approx(0.8)


def test_the_slide_is_four_times_loose():
    right = output_sensitivity(2.0, 0.3, n_samples=100)
    assert output_sensitivity(2.0, 0.3, n_samples=100, as_printed=True) == pytest.approx(4 * right)
    assert output_sensitivity(2.0, 0.3, n_samples=100, neighbouring="add_remove") == pytest.approx(
        right / 2
    )
    with pytest.raises(ValueError, match="regularisation=0"):
        output_sensitivity(1.0, 0, n_samples=10)
