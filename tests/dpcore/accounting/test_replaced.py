"""The worst pair of a Poisson step where one record is replaced: see docs/poisson_replace_one.md."""

import itertools
import math

import dp_accounting
import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as library
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
        pair = losses.from_above(losses.replaced_gaussian(sigma, rate), 1e-4)
        assert pair.get_delta_for_epsilon(epsilon) == pytest.approx(worst, rel=5e-3)


def test_a_pair_that_leaves_the_record_out_is_not_the_worst():
    """What an account of adding or removing promises is broken by replacing: the brute force sees it."""
    removed = hockey_stick((1.0, 0.0), (0.0, 0.0), 1.0, 0.5, math.exp(0.2))
    assert hockey_stick((1.0, 0.0), (-0.7, 0.0), 1.0, 0.5, math.exp(0.2)) > 1.3 * removed


LINE = np.linspace(-14, 14, 1401)


def on_a_line(rate, gradient, sigma):
    return (1 - rate) * norm.pdf(LINE, 0, sigma) + rate * norm.pdf(LINE, gradient, sigma)


def above(one, two, alpha):
    return float(np.maximum(one - alpha * two, 0).sum() * (LINE[1] - LINE[0]))


def random_setting(rng):
    rate, sigma = rng.uniform(0.01, 1), math.exp(rng.uniform(-0.5, 1))
    pair = rng.uniform(-1, 1, 2) if rng.random() < 0.6 else rng.choice([-1.0, 1.0], 2)
    return float(rate), sigma, pair


def test_whole_lots_of_others_hide_no_less():
    """All coins at once, nothing conditioned on: mixtures over the sixteen lots of four records."""
    rng = np.random.default_rng(11)
    for _ in range(60):
        rate, sigma, pair = random_setting(rng)
        alpha, others = math.exp(rng.uniform(-2, 3)), rng.uniform(-1, 1, 3)

        def outputs(last, rate=rate, sigma=sigma, others=others):
            found = np.zeros_like(LINE)
            for joins in itertools.product((0, 1), repeat=4):
                chance = math.prod(rate if j else 1 - rate for j in joins)
                found += chance * norm.pdf(LINE, np.dot(joins, [*others, last]), sigma)
            return found

        worst = above(on_a_line(rate, 1, sigma), on_a_line(rate, -1, sigma), alpha)
        assert above(outputs(pair[0]), outputs(pair[1]), alpha) <= worst + 1e-12


def test_two_steps_whose_gradients_answer_the_first_output_hide_no_less():
    """The second pair is the best of 25 for each first output: what an adaptive training could do."""
    rng = np.random.default_rng(12)
    some = slice(0, len(LINE), 20)
    cell = 20 * (LINE[1] - LINE[0])
    ends = (-1, -0.5, 0, 0.5, 1)
    for _ in range(5):
        rate, sigma, pair = random_setting(rng)
        alpha = math.exp(rng.uniform(0, 3))

        def lost(first, seconds, alpha=alpha):
            ratios = alpha * first[1][some] / np.maximum(first[0][some], 1e-300)
            best = [max(above(*second, r) for second in seconds) for r in ratios]
            return float((first[0][some] * best).sum() * cell)

        def both(one, other, rate=rate, sigma=sigma):
            return on_a_line(rate, one, sigma), on_a_line(rate, other, sigma)

        opposite = both(1, -1)
        adaptive = lost(both(*pair), [both(*ends_of) for ends_of in itertools.product(ends, ends)])
        assert adaptive <= lost(opposite, [opposite]) + 1e-12


@pytest.mark.parametrize("sigma", [0.6, 3.0])
@pytest.mark.parametrize("rate", [0.01, 0.5, 1.0])
def test_the_numbers_are_those_of_dp_accounting(sigma, rate):
    theirs = library.from_gaussian_mechanism(
        sigma, sampling_prob=rate, value_discretization_interval=1e-3,
        neighboring_relation=dp_accounting.NeighboringRelation.REPLACE_ONE,
    )  # fmt: skip
    ours = losses.from_above(losses.replaced_gaussian(sigma, rate), 1e-3)
    for times, epsilon in itertools.product((1, 20), (0.0, 0.3, 1.0, 3.0)):
        expected = theirs.self_compose(times).get_delta_for_epsilon(epsilon)
        found = ours.self_compose(times).get_delta_for_epsilon(epsilon)
        assert found == pytest.approx(expected, rel=2e-3, abs=1e-10)
