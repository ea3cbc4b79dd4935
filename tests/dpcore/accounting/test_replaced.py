"""The worst pair of a Poisson step where one record is replaced: see docs/poisson_replace_one.md."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import norm

from dpcore.accounting import losses

GRID = np.linspace(-9, 9, 361)
CELL = (GRID[1] - GRID[0]) ** 2


def hockey_stick(gradient, other, sigma, rate, alpha):
    """∫ (P - αQ)⁺ over the plane, at σ = 1 after scaling."""

    def bump(mean):
        x, y = (norm.pdf(GRID, m / sigma) for m in mean)
        return np.outer(x, y)

    base = bump((0.0, 0.0))
    one, two = ((1 - rate) * base + rate * bump(mean) for mean in (gradient, other))
    return float(np.maximum(one - alpha * two, 0).sum() * CELL)


def in_the_disc(rng):
    angle, length = rng.uniform(0, 2 * math.pi), rng.uniform(0, 1)
    return length * math.cos(angle), length * math.sin(angle)


@pytest.mark.parametrize(("sigma", "rate"), [(0.6, 0.1), (1.0, 0.5), (2.0, 0.9), (1.0, 1.0)])
@pytest.mark.parametrize("epsilon", [-0.3, 0.0, 0.2, 1.0])
def test_no_two_gradients_are_told_apart_better_than_opposite_ones(sigma, rate, epsilon):
    alpha = math.exp(epsilon)
    worst = hockey_stick((1.0, 0.0), (-1.0, 0.0), sigma, rate, alpha)
    rng = np.random.default_rng(5)
    tried = [(in_the_disc(rng), in_the_disc(rng)) for _ in range(25)]
    corners = [(1.0, 0.0), (0.0, 1.0), (0.0, 0.0), (0.6, 0.8)]
    tried += list(itertools.product(corners, corners))
    assert max(hockey_stick(*pair, sigma, rate, alpha) for pair in tried) <= worst * (1 + 1e-9)
    if epsilon >= 0:
        pair = losses.replaced_gaussian(sigma, rate, 1e-4)
        assert pair.get_delta_for_epsilon(epsilon) == pytest.approx(worst, rel=5e-3)


def test_a_pair_that_leaves_the_record_out_is_not_the_worst():
    """What an account of adding or removing promises is broken by replacing: the brute force sees it."""
    removed = hockey_stick((1.0, 0.0), (0.0, 0.0), 1.0, 0.5, math.exp(0.2))
    assert hockey_stick((1.0, 0.0), (-0.7, 0.0), 1.0, 0.5, math.exp(0.2)) > 1.3 * removed
