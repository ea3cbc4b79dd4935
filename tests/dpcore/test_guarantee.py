"""The two verdicts on a release: what is proved, and how much that protects."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from dpcore import accounting, mechanisms
from dpcore.accounting import GaussianEvent, LaplaceEvent, PoissonSampled, Pure, Repeated
from dpcore.guarantee import SECRET_SEED, Guarantee, from_event, odds_bound, protection

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
    mu = 1 / mechanisms.gaussian_sigma(1.0, epsilon, delta=1e-5)
    assert norm.sf(epsilon / mu - mu / 2) / 1e-5 == pytest.approx(times, abs=0.5)


def test_odds_are_those_of_the_formula():
    assert odds_bound(1.0, 0.01) == pytest.approx(math.e * 0.01 / (math.e * 0.01 + 0.99))
    assert PROVED.odds() == odds_bound(1.0)
    assert odds_bound(math.inf) == 1


KNOWN = {"neighbouring": "add_remove", "argument": "Noise on a count."}
STEPS = Repeated(PoissonSampled(0.1, GaussianEvent(1.4)), 200)


@pytest.mark.parametrize("delta", [0.0, 1e-5, 0.1, 1.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0, 5.0, math.inf])
def test_no_test_is_right_more_often_than_both_numbers_allow(epsilon, delta):
    """The bound is reached by the mechanism that has the worst loss: randomized response, and all told with δ."""
    made = replace(PROVED, epsilon=epsilon, delta=delta)
    sure = 1 / (1 + math.exp(-epsilon))
    assert made.accuracy_bound() == pytest.approx(delta + (1 - delta) * sure)


def test_epsilon_is_the_account_of_the_event():
    assert from_event(STEPS, 1e-5, **KNOWN).epsilon == accounting.spent(STEPS, 1e-5)
    assert from_event(LaplaceEvent(2.0), 0.0, **KNOWN).epsilon == 0.5
    replaced = KNOWN | {"neighbouring": "replace_one"}
    assert from_event(LaplaceEvent(2.0), 0.0, **replaced).epsilon == 1.0
    assert from_event(GaussianEvent(3.0), 0.0, **KNOWN).epsilon == math.inf
    assert from_event(STEPS, 1e-5, at_most=5.7, **KNOWN).epsilon == 5.7


def test_twelve_laplace_counts_cost_what_their_own_composition_says():
    count = from_event(LaplaceEvent(1.0), 0.0, **KNOWN)
    assert count.repeated(12, delta=1e-5).epsilon == pytest.approx(11.96, abs=0.005)
    assert count.repeated(12).epsilon == 12
    gauss = from_event(GaussianEvent(mechanisms.gaussian_sigma(1, 1, delta=1e-5)), 1e-5, **KNOWN)
    assert gauss.repeated(12).epsilon == pytest.approx(4.02, abs=0.005)
    assert gauss.repeated(0).epsilon == 0
    assert gauss.repeated(1).epsilon == gauss.epsilon


def test_releases_without_an_event_add_up():
    both = PROVED.repeated(2)
    assert (both.epsilon, both.delta, both.event) == (2.0, 2e-5, None)
    with pytest.raises(ValueError, match="delta=1e-05"):
        PROVED.repeated(2, delta=1e-5)
    assert replace(PROVED, status="nominal").repeated(3).status == "nominal"


@pytest.mark.parametrize(
    ("event", "right"),
    [(LaplaceEvent(1.0), 0.697), (GaussianEvent(3.73063), 0.553), (GaussianEvent(0.0), 1.0)],
)
def test_the_best_attack_is_that_on_the_event(event, right):
    found = Guarantee(epsilon=1, delta=1e-5, status="proved", event=event, **KNOWN)
    assert found.best_attack() == pytest.approx(right, abs=5e-4)
    assert found.best_attack() <= 1


def test_the_best_attack_on_steps_is_that_of_their_distribution():
    # T steps with everybody are one Gaussian of σ/√T; a sample of them tells less.
    steps = from_event(Repeated(GaussianEvent(20.0), 100), 1e-5, **KNOWN)
    assert steps.best_attack() == pytest.approx(norm.cdf(0.25))
    few = from_event(Repeated(PoissonSampled(0.5, GaussianEvent(20.0)), 100), 1e-5, **KNOWN)
    assert 0.54 < few.best_attack() < 0.56  # μ ≈ q √T / σ = 0.25: Φ(μ/2) = 0.5497
    assert from_event(Pure(1.0), 0.0, **KNOWN).best_attack() is None
    assert PROVED.best_attack() is None


def test_a_group_costs_no_less_than_its_parts_tell():
    gauss = from_event(GaussianEvent(10.0), 1e-5, **KNOWN)
    for k in (1, 2, 5):
        exact = accounting.spent(GaussianEvent(10.0 / k), 1e-5)
        assert gauss.for_group(k).epsilon == pytest.approx(exact)
    assert from_event(LaplaceEvent(2.0), 0.0, **KNOWN).for_group(3).epsilon == 1.5
    steps = from_event(STEPS, 1e-5, **KNOWN)
    found = [steps.for_group(k).epsilon for k in (1, 2, 3, 138)]
    assert found == sorted(found)
    assert found[1] >= 2 * steps.epsilon  # δ grows on the way: more than twice
    assert PROVED.for_group(2).epsilon == 2
    assert PROVED.for_group(2).delta > 2e-5
