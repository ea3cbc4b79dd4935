"""The two verdicts on a release: what is proved, and how much that protects."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from dpcore import mechanisms
from dpcore.guarantee import SECRET_SEED, Guarantee, odds_bound, protection

PROVED = Guarantee(
    epsilon=1.0, delta=1e-5, neighbouring="add_remove", status="proved", argument="One Gaussian."
)
STATES = [7, np.random.default_rng(0), np.random.RandomState(0)]


@pytest.mark.parametrize("state", STATES, ids=["int", "Generator", "RandomState"])
def test_a_seed_leaves_at_best_an_assumption(state):
    found = PROVED.with_seed(state)
    assert (found.status, found.assumptions) == ("proved_under_assumption", (SECRET_SEED,))
    assert replace(found, status="proved", assumptions=()) == PROVED
    assert found.with_seed(state) == found


def test_fresh_entropy_proves_and_no_seed_proves_a_nominal_number():
    assert PROVED.with_seed(None) is PROVED
    nominal = replace(PROVED, status="nominal")
    assert nominal.with_seed(3).status == "nominal"
    assert nominal.with_seed(3).assumptions == (SECRET_SEED,)


def test_without_noise_a_seed_gives_nothing_away():
    assert replace(PROVED, epsilon=math.inf).with_seed(3).status == "proved"


def test_assumptions_add_up_and_are_not_repeated():
    both = PROVED.assuming("n is public").with_seed(3)
    assert both.assumptions == ("n is public", SECRET_SEED)
    assert PROVED.assuming() is PROVED
    assert both.assuming("n is public") == both


def test_protection_falls_with_epsilon_and_a_nominal_number_protects_nobody():
    order = ["strong", "moderate", "weak", "none"]
    places = [order.index(protection(e)) for e in np.r_[0, np.geomspace(1e-3, 1e3, 200), math.inf]]
    assert places == sorted(places)
    edges = [1, 1.01, 4.99, 5, 10, 10.01]
    wanted = ["strong", "moderate", "moderate", "weak", "weak", "none"]
    assert [protection(e) for e in edges] == wanted
    assert PROVED.protection == "strong"
    assert replace(PROVED, epsilon=512.0).protection == "none"
    assert replace(PROVED, status="nominal").protection == "none"


@pytest.mark.parametrize("epsilon", [-1, math.nan])
def test_an_epsilon_that_is_none_has_no_verdict(epsilon):
    with pytest.raises(ValueError, match="epsilon="):
        protection(epsilon)


@pytest.mark.parametrize("tail", [-0.1, 1.1, math.nan])
def test_the_tail_of_the_loss_is_a_probability(tail):
    with pytest.raises(ValueError, match="loss_tail"):
        replace(PROVED, loss_tail=tail)
    assert replace(PROVED, loss_tail=1.6e-4).loss_tail == 1.6e-4


@pytest.mark.parametrize(("epsilon", "times"), [(1.0, 16), (0.1, 111)])
def test_delta_is_not_how_often_the_odds_move_further(epsilon, times):
    # The figures that the docstring of odds_bound quotes.
    mu = 1 / mechanisms.gaussian_sigma(1.0, epsilon, 1e-5)
    assert norm.sf(epsilon / mu - mu / 2) / 1e-5 == pytest.approx(times, abs=0.5)


def test_odds_are_those_of_the_formula():
    assert odds_bound(1.0, 0.01) == pytest.approx(math.e * 0.01 / (math.e * 0.01 + 0.99))
    assert PROVED.odds() == odds_bound(1.0)
    assert odds_bound(math.inf) == 1
