"""Gradient descent of least squares: one record replaced leaves what the others add as it is, bit for bit."""

import numpy as np

from dpcore.regression.descent import clipped_gradients


def test_one_replaced_record_moves_the_sum_by_at_most_two_clipping_norms():
    """Coefficients that cancel, up to 1e200; more and fewer records than go through one product."""
    rng, C, most = np.random.default_rng(2), 0.5, 0.0
    for draw in range(400):
        n = int(rng.choice([1, 2, 3, 7, 40, 2048, 2049])) if draw % 20 else 5000
        d = int(rng.integers(1, 14))
        theta = rng.choice([1e-3, 1.0, 1e9, 1e200]) * rng.choice([-1.0, 1.0], (5, d + 1))
        rows = np.column_stack([np.ones(n), np.repeat(rng.uniform(-1, 1, (1, d)), n, 0)])
        y, i = rng.uniform(-1, 1, n), int(rng.integers(n))
        other, target = rows.copy(), y.copy()
        other[i, 1:], target[i] = rng.uniform(-1, 1, d), rng.uniform(-1, 1)
        a, b = clipped_gradients(rows, y, theta, C), clipped_gradients(other, target, theta, C)
        most = max(most, float(np.linalg.norm(a - b, axis=1).max()))
    assert C < most <= 2 * C


def test_the_other_records_residuals_are_the_same_bits():
    rng = np.random.default_rng(3)
    for n in (2, 5, 33, 500):
        theta = 1e9 * rng.choice([-1.0, 1.0], (60, 9))
        rows = np.column_stack([np.ones(n), rng.uniform(-1, 1, (n, 8))])
        other, i = rows.copy(), int(rng.integers(n))
        other[i] = rng.uniform(-1, 1, 9)
        keep = np.arange(n) != i
        assert ((theta @ rows.T)[:, keep] == (theta @ other.T)[:, keep]).all()
