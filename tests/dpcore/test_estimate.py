"""Estimates hold what their words say: medians, middles, intervals of stated coverage."""

import math

import numpy as np
import pytest
from scipy import stats

from dpcore.estimate import (
    Difference,
    Estimate,
    Rate,
    difference,
    draws_to_separate,
    median_interval,
    middle,
)

RNG = np.random.default_rng(0)


def test_an_estimate_is_the_median_with_the_middle_of_its_draws():
    draws = RNG.normal(size=41)
    found = Estimate.of(draws, over="noise", unit="points", direction="higher")
    assert found.value == np.sort(draws)[20]
    assert np.mean((draws >= found.low) & (draws <= found.high)) == pytest.approx(0.8, abs=0.03)
    assert (found.n_draws, found.over, found.unit, found.direction) == (
        41, "noise", "points", "higher",
    )  # fmt: skip


def test_order_does_not_count_and_scale_and_shift_go_through():
    draws = RNG.exponential(size=23)
    plain = Estimate.of(draws, over="noise")
    assert Estimate.of(RNG.permutation(draws), over="noise") == plain
    moved = Estimate.of(3 - 2 * draws, over="noise")
    assert (moved.low, moved.value, moved.high) == pytest.approx(
        (3 - 2 * plain.high, 3 - 2 * plain.value, 3 - 2 * plain.low)
    )


def test_middle_of_an_array_is_that_of_each_column():
    draws = RNG.normal(size=(17, 3, 2))
    whole = middle(draws)
    assert whole.shape == (3, 3, 2)
    one = Estimate.of(draws[:, 2, 1], over="noise")
    assert whole[:, 2, 1] == pytest.approx((one.low, one.value, one.high))


@pytest.mark.parametrize(
    "draws", [[], [1.0, math.nan], [math.inf], [[1.0, 2.0]]], ids=["none", "nan", "inf", "matrix"]
)
def test_draws_that_are_no_row_of_numbers_are_refused(draws):
    with pytest.raises(ValueError, match="give a row of one or more finite numbers"):
        Estimate.of(draws, over="noise")
    with pytest.raises(ValueError, match="give a row of one or more finite numbers"):
        difference([1.0], draws, over="noise", paired=False)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"value": 3.0}, "give a median from low=1.0 to high=2.0"),
        ({"n_draws": 0}, "at least 1"),
        ({"over": ""}, "say what varied"),
        ({"direction": "up"}, "choose one of"),
    ],
)
def test_an_estimate_that_cannot_be_is_refused(wrong, message):
    given = {"value": 1.5, "low": 1.0, "high": 2.0, "n_draws": 5, "over": "noise"}
    with pytest.raises(ValueError, match=message):
        Estimate(**(given | wrong))


@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.95, 0.99])
@pytest.mark.parametrize("n", [1, 2, 5, 6, 7, 17, 30, 40, 41, 300])
def test_ranks_are_the_largest_that_keep_the_coverage(n, coverage):
    low, high = median_interval(np.arange(1.0, n + 1), coverage=coverage)
    if np.isinf(low):
        assert 2 * 0.5**n > 1 - coverage  # even the whole range holds the median too rarely
        return
    rank = int(low)
    assert high == n + 1 - rank
    assert 1 - 2 * stats.binom.cdf(rank - 1, n, 0.5) >= coverage - 1e-12
    assert rank == n // 2 or 1 - 2 * stats.binom.cdf(rank, n, 0.5) < coverage


@pytest.mark.parametrize("coverage", [0.5, 0.9, 0.95, 0.999])
def test_fewer_draws_than_are_needed_show_nothing(coverage):
    n = draws_to_separate(coverage)
    assert np.isinf(median_interval(np.ones(n - 1), coverage=coverage)).all()
    assert np.isfinite(median_interval(np.ones(n), coverage=coverage)).all()
    assert not difference(np.ones(n - 1), 0.0, over="noise", coverage=coverage).leaves_out_zero
    assert difference(np.ones(n), 0.0, over="noise", coverage=coverage).leaves_out_zero


@pytest.mark.parametrize(
    ("sample", "median"),
    [
        (lambda shape: RNG.exponential(size=shape), math.log(2)),
        (lambda shape: RNG.standard_cauchy(size=shape), 0.0),
        (lambda shape: RNG.integers(0, 3, size=shape), 1.0),
    ],
    ids=["skew", "heavy tails", "ties"],
)
def test_the_interval_holds_the_median_as_often_as_it_says(sample, median):
    repetitions = 20_000
    low, high = median_interval(sample((15, repetitions)), coverage=0.9)
    hits = int(((low <= median) & (median <= high)).sum())
    # A true coverage of 0.9 gives fewer hits than this with probability below 1e-7.
    assert hits >= stats.binom.ppf(1e-7, repetitions, 0.9)


def test_unpaired_intervals_hold_the_difference_as_often_as_they_say():
    repetitions, hits = 2000, 0
    for _ in range(repetitions):
        found = difference(
            RNG.exponential(size=20) + 1, RNG.normal(size=30), paired=False, over="seed", coverage=0.9
        )  # fmt: skip
        hits += found.low <= 1 + math.log(2) <= found.high
    assert hits >= stats.binom.ppf(1e-7, repetitions, 0.9)  # false alarm below 1e-7


def test_pairs_show_what_their_common_chance_hides():
    common = RNG.normal(size=20)
    a, b = common + 0.1 + 0.01 * RNG.normal(size=20), common
    assert difference(a, b, over="noise").leaves_out_zero
    assert not difference(a, b, over="noise", paired=False).leaves_out_zero


def test_a_difference_turns_around_with_its_sides():
    a, b = RNG.normal(size=15), RNG.normal(size=15)
    one, other = difference(a, b, over="noise"), difference(b, a, over="noise")
    assert (one.value, one.low, one.high) == pytest.approx((-other.value, -other.high, -other.low))
    assert difference(a, a, over="noise").leaves_out_zero is False


def test_a_setting_without_chance_is_one_number():
    a = RNG.normal(size=12)
    one = difference(a, 0.3, over="noise")
    every = difference(a, np.full(12, 0.3), over="noise")
    assert one == every
    assert one.n_draws == 12


def test_a_loss_knows_which_side_is_better():
    lower = difference([2.0], [1.0], over="noise", direction="lower")
    higher = difference([2.0], [1.0], over="noise", direction="higher")
    assert (lower.loss, higher.loss) == (1.0, -1.0)
    with pytest.raises(ValueError, match="has no loss"):
        _ = difference([2.0], [1.0], over="noise").loss


def test_pairs_of_different_number_are_refused():
    with pytest.raises(ValueError, match="say paired=False"):
        difference([1.0, 2.0], [1.0, 2.0, 3.0], over="noise")
    assert difference([1.0, 2.0], [1.0, 2.0, 3.0], over="noise", paired=False).n_draws == 2


@pytest.mark.parametrize("interval", [(0.1, 0.3), (-0.3, -0.1)])
def test_zero_is_left_out_on_either_side(interval):
    given = {"value": interval[0], "n_draws": 9, "coverage": 0.95, "over": "noise"}
    assert Difference(low=interval[0], high=interval[1], **given).leaves_out_zero
    assert not Difference(
        low=min(0.0, interval[0]), high=max(0.0, interval[1]), **given
    ).leaves_out_zero


@pytest.mark.parametrize(("hits", "tries"), [(0, 10), (10, 10), (40, 80), (47, 80), (1, 1)])
def test_a_rate_has_the_interval_of_clopper_and_pearson(hits, tries):
    found = Rate(hits=hits, tries=tries)
    exact = stats.binomtest(hits, tries).proportion_ci(0.95, method="exact")
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high))
    assert found.value == hits / tries


@pytest.mark.parametrize("wrong", [{"hits": 3}, {"hits": -1}, {"tries": 0}, {"coverage": 1.0}])
def test_rates_that_cannot_be_are_refused(wrong):
    with pytest.raises(ValueError, match="is not allowed"):
        Rate(**({"hits": 1, "tries": 2} | wrong))
