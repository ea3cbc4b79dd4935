"""Lots of a fixed size: their account against all subsets, adaptive attackers and dp-accounting."""

import itertools
import math

import dp_accounting as dpa
import numpy as np
import pytest
from dp_accounting.rdp import RdpAccountant
from scipy.stats import norm

from dpcore import accounting as a
from dpcore.accounting import closed_form, fixed_size, rdp

X = np.linspace(-40, 40, 40_001)
WIDTH = X[1] - X[0]
REPLACED = {"neighbouring": "replace_one"}


def density(gradients, size, sigma):
    """The output of one step with C = 1, summed over all subsets."""
    sums = [sum(lot) for lot in itertools.combinations(gradients, size)]
    return np.mean([norm.pdf(X, s, sigma) for s in sums], axis=0)


def hockey_stick(p, q, epsilon):
    return float(np.maximum(p - math.exp(epsilon) * q, 0).sum() * WIDTH)


def account(sigma, rate, epsilon, times=1):
    one = fixed_size.distribution(a.FixedSizeSampled(rate, a.GaussianEvent(sigma)), 1e-4)
    return one.self_compose(times).get_delta_for_epsilon(epsilon)


@pytest.mark.parametrize(("n", "size", "sigma"), [(3, 1, 1.0), (4, 2, 2.0), (6, 2, 3.0)])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5, 1.0])
def test_no_data_beat_the_account_of_one_step_and_the_worst_reach_it(n, size, sigma, epsilon):
    promised = account(sigma, size / n, epsilon)
    worst = 0.0
    rng = np.random.default_rng(0)
    tried = [(-1.0,) * (n - 1), (1.0,) * (n - 1), (0.0,) * (n - 1)]
    tried += [tuple(rng.uniform(-1, 1, n - 1)) for _ in range(8)]
    for rest in tried:
        p, q = (density((*rest, end), size, sigma) for end in (1.0, -1.0))
        worst = max(worst, hockey_stick(p, q, epsilon), hockey_stick(q, p, epsilon))
    assert worst <= promised * (1 + 1e-6)
    assert worst == pytest.approx(promised, rel=1e-4)


def test_an_attacker_who_turns_the_others_around_beats_poisson_steps_at_half_the_noise():
    # Two steps; in the second, the others' gradients go against or with the canary's, as what was
    # seen in the first makes best: the heavier side of the pair is then in either data set.
    sigma, rate, epsilon = 1.0, 0.5, 0.1
    base = norm.pdf(X, 0, sigma)
    mixed = (1 - rate) * base + rate * norm.pdf(X, 2, sigma)
    first = slice(18_000, 24_000, 20)
    with np.errstate(divide="ignore"):
        loss = np.log(mixed[first] / base[first])
    likely = mixed[first] * WIDTH * 20
    rest = [epsilon - one for one in loss]
    one_way = sum(w * hockey_stick(mixed, base, e) for w, e in zip(likely, rest, strict=True))
    turned = sum(
        w * max(hockey_stick(mixed, base, e), hockey_stick(base, mixed, e))
        for w, e in zip(likely, rest, strict=True)
    )
    steps = a.Repeated(a.PoissonSampled(rate, a.GaussianEvent(sigma / 2)), 2)
    of_poisson = a.spent(steps, turned)
    assert turned > 1.005 * one_way
    assert of_poisson < epsilon  # Poisson steps would promise less than is lost
    assert turned <= account(sigma, rate, epsilon, 2)


# Claimed ε₂; what is lost at least, T Poisson steps at σ/2 in one direction; what is lost at most.
PAPER = [(0.6, 0.6494, 0.7112), (1.2, 1.4780, 1.7395), (2.0, 3.0459, 3.8291)]


@pytest.mark.parametrize(("claimed", "least", "most"), PAPER)
def test_what_the_printed_sigma_costs_when_lots_have_a_fixed_size(claimed, least, most):
    sigma = a.paper_noise_multiplier(claimed, 1e-5, sample_rate=0.01, n_steps=5000)
    assert a.epsilon(
        noise_multiplier=sigma / 2, sample_rate=0.01, n_steps=5000, delta=1e-5
    ) == pytest.approx(least, rel=1e-3)
    found = a.epsilon(
        noise_multiplier=sigma, sample_rate=0.01, n_steps=5000, delta=1e-5, lots="fixed", **REPLACED
    )
    assert found == pytest.approx(most, rel=1e-3)
    assert least < found < a.epsilon(noise_multiplier=sigma, sample_rate=0.01, n_steps=5000, delta=1e-5,
    lots="fixed", accountant="rdp",
                                     **REPLACED)  # fmt: skip


@pytest.mark.parametrize(("sigma", "rate"), [(8.0, 0.01), (2.0, 0.01), (1.0, 0.3), (4.0, 1.0)])
def test_renyi_is_that_of_the_pair_and_above_both_orders_of_the_poisson_step(sigma, rate):
    one = fixed_size.distribution(a.FixedSizeSampled(rate, a.GaussianEvent(sigma)), 1e-4)
    pmf = one._pmf_remove
    losses = (np.arange(len(pmf._probs)) + pmf._lower_loss) * 1e-4
    orders = np.array([2.0, 3])  # the grid ends where e^-50 of the mass is left
    found = rdp.fixed_size_gaussian(sigma, rate, orders)
    for order, value in zip(orders, found, strict=True):
        direct = math.log((pmf._probs * np.exp((order - 1) * losses)).sum()) / (order - 1)
        assert value == pytest.approx(direct, rel=1e-3)
    half = sigma / 2
    x = np.linspace(-30 * half, 30 * half, 40_001)
    with np.errstate(divide="ignore"):
        base, moved = norm.logpdf(x, 0, half), norm.logpdf(x, 1, half) + np.log(rate)
        mixed = np.logaddexp(base + np.log(1 - rate), moved)
    for p, q in ((mixed, base), (base, mixed)):
        for order, value in zip(orders, found, strict=True):
            total = np.exp(order * p + (1 - order) * q).sum() * (x[1] - x[0])
            assert math.log(total) / (order - 1) <= value * (1 + 1e-9)


@pytest.mark.parametrize("sigma", [2.4, 8.0])
def test_below_the_renyi_bound_of_dp_accounting(sigma):
    # The library takes σ/C for the noise over the distance of two gradients, which is 2C.
    theirs = RdpAccountant(neighboring_relation=dpa.NeighboringRelation.REPLACE_ONE)
    one = dpa.SampledWithoutReplacementDpEvent(1000, 10, dpa.GaussianDpEvent(sigma / 2))
    theirs.compose(one, 5000)
    ours = a.epsilon(
        noise_multiplier=sigma, sample_rate=0.01, n_steps=5000, delta=1e-5, lots="fixed", **REPLACED
    )
    assert ours <= theirs.get_epsilon(1e-5)


@pytest.mark.parametrize("rate", [0.01, 0.2, 1.0])
def test_the_noise_that_is_found_keeps_the_budget_and_is_hardly_too_much(rate):
    sigma = a.noise_multiplier(1.5, 1e-5, sample_rate=rate, n_steps=200, lots="fixed", **REPLACED)
    spent = a.epsilon(
        noise_multiplier=sigma, sample_rate=rate, n_steps=200, delta=1e-5, lots="fixed", **REPLACED
    )
    assert 0.99 * 1.5 <= spent <= 1.5
    if rate == 1.0:  # everybody, always: a Gaussian on a sum that moves by 2C
        full = a.noise_multiplier(1.5, 1e-5, sample_rate=1.0, n_steps=200, **REPLACED)
        assert sigma == pytest.approx(full, rel=2e-3)


def test_joint_account_and_how_often_more_is_lost():
    sigma, rate = 2.0, 0.1
    step = a.FixedSizeSampled(rate, a.GaussianEvent(sigma))
    alone = a.spent(step, 1e-6, **REPLACED)
    both = a.spent(a.Sequence((a.GaussianEvent(10.0), a.Repeated(step, 3))), 1e-6, **REPLACED)
    assert alone < both < alone * 3 + a.spent(a.GaussianEvent(10.0), 1e-7, **REPLACED)
    base, mixed = norm.pdf(X, 0, 1), (1 - rate) * norm.pdf(X, 0, 1) + rate * norm.pdf(X, 1, 1)
    above = (mixed * (mixed > math.exp(0.1) * base)).sum() * WIDTH
    found = a.loss_tail(step, 0.1, **REPLACED)
    assert above * 0.999 <= found <= above * 1.1
    assert a.spent(a.FixedSizeSampled(rate, a.GaussianEvent(0.0)), 1e-6, **REPLACED) == math.inf
    assert closed_form.upper_bound(step, 1e-6, **REPLACED) >= alone


def test_added_records_are_refused_with_a_sentence():
    step = a.Repeated(a.FixedSizeSampled(0.1, a.GaussianEvent(1.0)), 3)
    calls = [
        lambda: a.spent(step, 1e-5),
        lambda: a.loss_tail(step, 1.0),
        lambda: a.epsilon(
            noise_multiplier=1.0, sample_rate=0.1, n_steps=3, delta=1e-5, lots="fixed"
        ),
        lambda: a.noise_multiplier(1.0, 1e-5, sample_rate=0.1, n_steps=3, lots="fixed"),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="Poisson lots"):
            call()
    with pytest.raises(ValueError, match="lots='sorted'"):
        a.epsilon(
            noise_multiplier=1.0, sample_rate=0.1, n_steps=3, delta=1e-5, lots="sorted", **REPLACED
        )
