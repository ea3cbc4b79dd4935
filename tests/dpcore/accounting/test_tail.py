"""How often the privacy loss exceeds ε: closed forms, numeric integration, and bounds it must keep."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import laplace, norm

from dpcore import accounting
from dpcore.accounting import (
    GaussianEvent,
    LaplaceEvent,
    PoissonSampled,
    Pure,
    Repeated,
    Sequence,
    loss_tail,
)
from dpcore.mechanisms import gaussian_sigma


@pytest.mark.parametrize(("epsilon", "times"), [(1.0, 16.1198), (0.1, 111.1512)])
def test_the_exact_gaussian_exceeds_epsilon_far_more_often_than_delta(epsilon, times):
    sigma = gaussian_sigma(1.0, epsilon, delta=1e-5)
    assert loss_tail(GaussianEvent(sigma), epsilon) == pytest.approx(times * 1e-5, rel=1e-4)


def test_the_steps_of_the_relevance_page_exceed_it_twenty_times_as_often():
    sigma = accounting.noise_multiplier(0.8, 5e-6, sample_rate=0.01, n_steps=5000)
    steps = Repeated(PoissonSampled(0.01, GaussianEvent(sigma)), 5000)
    assert 19 <= loss_tail(steps, 0.8) / 5e-6 <= 24


@pytest.mark.parametrize("scale", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("share", [0.0, 0.4, 0.9])
def test_one_laplace_answer_agrees_with_numeric_integration(scale, share):
    epsilon = share / scale

    def above(x):
        loss = laplace.logpdf(x, 0, scale) - laplace.logpdf(x, 1, scale)
        return laplace.pdf(x, 0, scale) * (loss > epsilon + 1e-12)

    edge = (1 - epsilon * scale) / 2  # the loss falls from 1/b to -1/b between the two answers
    direct = quad(above, -40 * scale, 0)[0] + quad(above, 0, edge)[0]
    assert loss_tail(LaplaceEvent(scale), epsilon) == pytest.approx(direct, rel=1e-6)


def _brute(sigma, rate, epsilon):
    """P[L > ε] of one sampled Gaussian step in both orders, by integrating over the outputs."""

    def loss(x):
        return np.log1p(rate * np.expm1((2 * x - 1) / (2 * sigma**2)))

    x = np.linspace(-40 * sigma, 40 * sigma + 1, 4_000_001)
    without = norm.pdf(x, 0, sigma)
    with_one = (1 - rate) * without + rate * norm.pdf(x, 1, sigma)
    width = x[1] - x[0]
    removed = (with_one * (loss(x) > epsilon)).sum() * width
    added = (without * (-loss(x) > epsilon)).sum() * width
    return max(removed, added)


@pytest.mark.parametrize(("sigma", "rate"), [(1.0, 0.1), (0.7, 0.5), (2.0, 0.9)])
def test_one_sampled_step_agrees_with_numeric_integration(sigma, rate):
    for epsilon in (0.1, 0.3, 0.8):
        found = loss_tail(PoissonSampled(rate, GaussianEvent(sigma)), epsilon)
        true = _brute(sigma, rate, epsilon)
        assert true * (1 - 1e-5) <= found <= true * 1.02 + 1e-9


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 5.0])
def test_many_gaussian_steps_by_the_grid_are_never_below_the_closed_form(epsilon):
    sigma = accounting.noise_multiplier(epsilon, 1e-5, sample_rate=1.0, n_steps=400)
    exact = loss_tail(Repeated(GaussianEvent(sigma), 400), epsilon)
    # A sample that everybody joins is accounted for on the grid.
    grid = loss_tail(Repeated(PoissonSampled(1.0, GaussianEvent(sigma)), 400), epsilon)
    assert exact <= grid
    assert grid <= 1.2 * exact


def test_gaussian_answers_count_as_one_and_replacement_doubles_the_signal():
    many = Sequence((GaussianEvent(4.0), Repeated(GaussianEvent(6.0), 3)))
    one = GaussianEvent(1 / math.sqrt(1 / 16 + 3 / 36))
    assert loss_tail(many, 1.0) == pytest.approx(loss_tail(one, 1.0))
    assert loss_tail(GaussianEvent(4.0), 1.0, neighbouring="replace_one") == loss_tail(
        GaussianEvent(2.0), 1.0
    )


@pytest.mark.parametrize(
    "event",
    [LaplaceEvent(0.5), Pure(2.0), Sequence((LaplaceEvent(1.0), Pure(1.0))), Repeated(GaussianEvent(1.0), 0),
     Repeated(PoissonSampled(0.3, LaplaceEvent(1.0)), 2)],
)  # fmt: skip
def test_a_loss_that_cannot_exceed_epsilon_never_does(event):
    assert loss_tail(event, 2.0) == 0


def test_no_noise_always_gives_away_more_and_infinite_epsilon_never():
    assert loss_tail(GaussianEvent(0.0), 3.0) == 1.0
    assert loss_tail(GaussianEvent(1.0), math.inf) == 0.0


@settings(max_examples=30, deadline=None)
@given(st.floats(0.05, 8), st.floats(0.5, 20))
def test_it_is_above_delta_and_below_what_a_smaller_epsilon_bounds(epsilon, sigma):
    """(1 - e^{s-ε}) P[L > ε] ≤ δ(s) for every s < ε, and δ(ε) ≤ P[L > ε]."""
    from dpcore.mechanisms import gaussian_delta

    found = loss_tail(GaussianEvent(sigma), epsilon)
    assert gaussian_delta(sigma, 1.0, epsilon=epsilon) <= found * (1 + 1e-9) + 1e-300
    for s in (0.5 * epsilon, 0.9 * epsilon):
        bound = gaussian_delta(sigma, 1.0, epsilon=s) / -math.expm1(s - epsilon)
        assert found <= bound * (1 + 1e-9) + 1e-300


@pytest.mark.parametrize("epsilon", [-1.0, math.nan])
def test_an_epsilon_that_is_none_is_refused(epsilon):
    with pytest.raises(ValueError, match="epsilon"):
        loss_tail(GaussianEvent(1.0), epsilon)


STEPS = Repeated(PoissonSampled(0.01, GaussianEvent(1.5)), 500)


@pytest.mark.parametrize(
    "event",
    [
        STEPS, Repeated(PoissonSampled(0.1, LaplaceEvent(2.0)), 40), GaussianEvent(2.0), GaussianEvent(0.0),
        LaplaceEvent(1.5),
        Repeated(LaplaceEvent(1.5), 3), Pure(0.5), Repeated(GaussianEvent(1.0), 0), Sequence((STEPS,
        LaplaceEvent(4.0))),
        Repeated(PoissonSampled(0.001, GaussianEvent(0.8)), 20),
    ],
)  # fmt: skip
def test_an_account_is_the_epsilon_that_is_spent_and_its_tail(event):
    found, epsilon = accounting.account(event, 1e-5), accounting.spent(event, 1e-5)
    assert found.epsilon == epsilon
    assert found.loss_tail == pytest.approx(
        loss_tail(event, epsilon), rel=0.1, abs=1e-12
    )  # as fine as the grids are


def test_an_account_composes_one_distribution(monkeypatch):
    composed, made = [], accounting.tail.pld.distribution
    monkeypatch.setattr(
        accounting.tail.pld, "distribution", lambda *a, **k: composed.append(a) or made(*a, **k)
    )
    event = Repeated(
        PoissonSampled(0.0123, GaussianEvent(1.4321)), 321
    )  # that nothing else asks for
    found = accounting.account(event, 1e-5)
    assert len(composed) == 1
    assert found.loss_tail > 1e-5
