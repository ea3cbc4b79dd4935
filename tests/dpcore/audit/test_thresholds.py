"""Thresholds are chosen on other trainings, and not by luck."""

import math

import numpy as np
import pytest

from dpcore.audit import thresholds


def normal(seed, n, mu):
    rng = np.random.default_rng(seed)
    return rng.normal(0, 1, n), rng.normal(mu, 1, n)


def test_between_worlds_that_lie_apart():
    for n in (5, 50, 3000):
        without, joined = normal(0, n, 100)
        cut = thresholds.choose_threshold(without, joined)
        assert without.max() + 20 < cut < joined.min() - 20
    assert thresholds.choose_threshold([0, 0, 0], [1, 1, 1]) == 0.5
    assert thresholds.choose_threshold([0, 0], [0, 0]) == 0
    assert thresholds.choose_threshold([-math.inf] * 4, [0.0, 1, 2, math.inf]) < 0
    assert thresholds.choose_threshold([0.0] * 4, [math.inf] * 4) == 0


@pytest.mark.parametrize("seed", range(5))
def test_no_cut_is_chosen_by_its_luck(seed):
    """The count of the luckiest cut is not repeated: here enough scores lie beyond the choice."""
    without, joined = normal(seed, 4000, 0.7)
    cut = thresholds.choose_threshold(without, joined, delta=1e-5)
    k0, k1 = thresholds.count(without, joined, threshold=cut)
    assert min(k0, 4000 - k1) >= 10 or min(k1, 4000 - k0) >= 10
    assert 1.0 < thresholds.split_bound(*normal(seed, 8000, 0.7), delta=1e-5).epsilon_lower < 2.35


def test_a_last_bit_hardly_moves_a_bound():
    """Another processor rounds otherwise: the certificate may follow by a hundredth, not by a half."""
    for seed in range(20):
        scores = normal(seed, 8000, 0.7)
        rng = np.random.default_rng(seed)
        other = [s * (1 + 1e-15 * rng.integers(-3, 4, len(s))) for s in scores]
        first, second = (
            thresholds.split_bound(*s, delta=1e-5).epsilon_lower for s in (scores, other)
        )
        assert first == pytest.approx(second, abs=0.02)


def test_the_choice_never_sees_what_is_counted():
    without, joined = normal(1, 400, 1.0)
    same = [np.concatenate([s[:200], np.full(200, math.inf)]) for s in (without, joined)]
    cut = thresholds.choose_threshold(without[:200], joined[:200])
    k0, k1 = thresholds.count(without[200:], joined[200:], threshold=cut)
    found = thresholds.split_bound(without, joined)
    assert (found.k0, found.k1, found.n) == (k0, k1, 200)
    assert thresholds.split_bound(*same).k0 == 200  # chosen on the first half alone


def test_scores_are_checked():
    with pytest.raises(ValueError, match="at least two"):
        thresholds.choose_threshold([1.0], [2.0, 3.0])
    with pytest.raises(ValueError, match="not a number"):
        thresholds.choose_threshold([1.0, math.nan], [2.0, 3.0])
    with pytest.raises(ValueError, match="four"):
        thresholds.split_bound([1.0] * 3, [2.0] * 9)
