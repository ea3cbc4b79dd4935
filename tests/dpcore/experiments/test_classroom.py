"""A class together: the poll's estimate, error and band against exact sums; bets against the bound."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from dpcore.experiments.classroom import (
    N_BETS,
    PrivatePoll,
    bets,
    count_to_bet_on,
    crowd,
)  # fmt: skip

LN3 = math.log(3)


@pytest.mark.parametrize(("people", "expected"), [(30, 0.179), (100, 0.098)])
def test_the_standard_error_is_the_sheets(people, expected):
    assert round(PrivatePoll(epsilon=LN3).standard_error(0.3, people), 3) == expected


def test_the_coins_alone_bring_less_than_people_and_coins():
    poll = PrivatePoll(epsilon=LN3)
    assert poll.coin_error(30) == pytest.approx(math.sqrt(0.75 * 0.25 / 30) / 0.5)
    assert poll.coin_error(30) < poll.standard_error(0.3, 30)


def test_the_two_coin_form_estimates_as_printed():
    poll = PrivatePoll(epsilon=LN3)
    assert poll.own_answer == pytest.approx(0.5)
    assert poll.estimate(40, 100) == pytest.approx((0.4 - 0.25) / 0.5)
    assert poll.estimate(0, 10) == pytest.approx(-0.5)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, LN3, 5.0])
def test_two_coins_are_randomized_response_and_the_estimate_is_unbiased(epsilon):
    poll = PrivatePoll(epsilon=epsilon)
    truth = poll.own_answer + (1 - poll.own_answer) / 2
    assert truth == pytest.approx(math.exp(epsilon) / (1 + math.exp(epsilon)))
    n, share = 20, 0.3
    weights = binom.pmf(np.arange(n + 1), n, 1 - truth + share * (2 * truth - 1))
    found = np.array([poll.estimate(k, n) for k in range(n + 1)])
    assert weights @ found == pytest.approx(share)
    assert math.sqrt(weights @ (found - share) ** 2) == pytest.approx(poll.standard_error(share, n))


@pytest.mark.parametrize("people", [10, 30, 100])
def test_the_band_holds_the_truth_as_often_as_it_says(people):
    """Summed over all outcomes; Wilson's interval may fall short of 95 % by three points for so few."""
    poll, share = PrivatePoll(epsilon=LN3), 0.3
    weights = binom.pmf(np.arange(people + 1), people, 0.25 + share / 2)
    ends = [poll.band(k, people) for k in range(people + 1)]
    assert weights @ [low <= share <= high for low, high in ends] > 0.92


@pytest.mark.parametrize("epsilon", [0.5, LN3, 4.0])
def test_the_guarantee_is_what_bayes_finds_of_a_word(epsilon):
    poll = PrivatePoll(epsilon=epsilon)
    truth = poll.response.matrix[1, 1]
    for prior in (0.2, 0.5):
        belief = prior * truth / (prior * truth + (1 - prior) * (1 - truth))
        assert poll.guarantee.odds(prior) == pytest.approx(belief, rel=1e-12)
    assert (poll.guarantee.status, poll.guarantee.delta) == ("proved", 0.0)


@pytest.mark.parametrize("wrong", [0, -1, math.inf, math.nan, "1"])
def test_an_epsilon_that_is_none_is_refused(wrong):
    with pytest.raises(ValueError, match="epsilon="):
        PrivatePoll(epsilon=wrong)


def test_the_best_adversary_reaches_its_rate_and_stays_below_the_bound():
    """Threshold at the middle of the two counts; 8,000 fixed bets, six standard errors: below 1e-8."""
    for epsilon in (0.5, 2.0):
        made = [bets(epsilon, b"%d" % k) for k in range(400)]
        rate = sum(one.hits(one.published > 100.5) for one in made) / (400 * N_BETS)
        promised = count_to_bet_on(epsilon).privacy
        assert promised.best_attack() == pytest.approx(1 - math.exp(-epsilon / 2) / 2, rel=1e-9)
        assert abs(rate - promised.best_attack()) < 6 * 0.5 / math.sqrt(400 * N_BETS)
        assert promised.best_attack() < promised.odds()


def test_bets_are_the_same_for_the_same_seed_and_wrong_numbers_of_guesses_are_refused():
    one, again = bets(1.0, b"a"), bets(1.0, b"a")
    assert np.array_equal(one.published, again.published)
    assert one.hits(again.present) == N_BETS
    with pytest.raises(ValueError, match="give 20"):
        one.hits([True])


def test_the_crowd_is_read_from_counts():
    counts = np.array([[9, 1, 0], [0, 0, 0], [0, 0, 4]])
    found = crowd(counts, [0.0, 0.5, 1.0], (0.5, 0.95))
    assert np.array_equal(found, [[0, np.nan, 1], [0.5, np.nan, 1]], equal_nan=True)
