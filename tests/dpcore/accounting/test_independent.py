"""Two hundred random accountings against an independent one: never below the truth, hardly above.

``make test`` takes the first forty of them, ``DPCORE_FUZZ=full`` (``make audit``) all.
"""

import dataclasses
import math
import os

import numpy as np
import pytest
from scipy.stats import norm

from dpcore import accounting as a
from dpcore.mechanisms import gaussian_epsilon
from tests.dpcore.accounting import contour

CLOSE = 0.0012
ROUNDING = 1e-6  # of the integral
N_ACCOUNTINGS = 200 if os.environ.get("DPCORE_FUZZ") == "full" else 40


def times(orders, count):
    return [[dataclasses.replace(one, count=count)] for one in orders]


def poisson(rng, sigma, rate, steps):
    event = a.Repeated(a.sampled(a.GaussianEvent(sigma), rate), steps)
    return event, "add_remove", times(contour.poisson(sigma, rate), steps)


def replaced(rng, sigma, rate, steps):
    event = a.Repeated(a.sampled(a.GaussianEvent(sigma), rate), steps)
    return event, "replace_one", times(contour.replaced(sigma, rate), steps)


def fixed(rng, sigma, rate, steps):
    event = a.Repeated(a.FixedSizeSampled(rate, a.GaussianEvent(sigma)), steps)
    return event, "replace_one", times(contour.fixed(sigma, rate), steps)


def with_a_start(rng, sigma, rate, steps):
    """A Laplace and a Gaussian answer, a mechanism of which ε alone is known, and steps."""
    scale, noise, pure = (float(x) for x in np.exp(rng.uniform(0, 3, 3)))
    event, _, orders = poisson(rng, sigma, rate, steps)
    besides = a.Sequence((a.LaplaceEvent(scale), a.GaussianEvent(noise), a.Pure(1 / pure)))
    beside = [contour.laplace(scale), contour.gaussian(noise), contour.coin(1 / pure)]
    return a.Sequence((besides, event)), "add_remove", [[*one, *beside] for one in orders]


def laplace(rng, sigma, rate, steps):
    orders = times([contour.laplace(2 * sigma)], steps)
    return a.Repeated(a.LaplaceEvent(2 * sigma), steps), "add_remove", orders


def sampled_laplace(rng, sigma, rate, steps):
    event = a.Repeated(a.sampled(a.LaplaceEvent(sigma), rate), steps)
    return event, "add_remove", times(contour.sampled_laplace(sigma, rate), steps)


KINDS = (
    [poisson] * 8 + [replaced] * 4 + [fixed] * 3 + [with_a_start] * 3 + [laplace, sampled_laplace]
)


def accounting(number):
    """The event, neighbours, δ and the true ε of one random accounting whose ε is in [0.02, 50]."""
    rng = np.random.default_rng([13, number])
    while True:
        sigma, rate = (float(10**x) for x in (rng.uniform(-0.3, 1.3), rng.uniform(-3, 0)))
        steps, delta = round(10 ** rng.uniform(0, 4)), float(10 ** rng.uniform(-9, -3))
        event, relation, orders = KINDS[number % len(KINDS)](rng, sigma, rate, steps)
        if max(contour.chernoff(one, delta)[0] for one in orders) <= 60:
            try:
                truth = contour.epsilon(orders, delta)
            except ArithmeticError:  # the largest loss there is: a sum, nothing to integrate
                continue
            if 0.02 <= truth <= 50:
                return event, relation, delta, truth


def closed(sigma, rate, epsilon):
    """δ(ε) of one sampled Gaussian step, a record removed."""
    t = sigma**2 * math.log((math.expm1(epsilon) + rate) / rate) + 0.5
    there, base = norm.sf((t - 1) / sigma), norm.sf(t / sigma)
    return rate * there + (1 - rate - math.exp(epsilon)) * base


@pytest.mark.parametrize("sigma", [0.3, 1.0, 5.0, 50.0])
def test_the_independent_account_reproduces_the_closed_form_of_a_gaussian(sigma):
    found = contour.epsilon([[contour.gaussian(sigma)]], 1e-6)
    assert found == pytest.approx(gaussian_epsilon(sigma, 1.0, delta=1e-6), rel=1e-8)


@pytest.mark.parametrize(("sigma", "rate"), [(1.0, 0.01), (1.0, 0.1), (0.6, 0.5), (5.0, 0.9)])
@pytest.mark.parametrize("delta", [1e-8, 1e-5])
def test_the_independent_account_reproduces_the_closed_form_of_one_step(sigma, rate, delta):
    found = contour.epsilon([[contour.poisson(sigma, rate)[0]]], delta)
    assert closed(sigma, rate, found) == pytest.approx(delta, rel=1e-6)


def test_the_independent_account_composes_gaussians():
    parts = [dataclasses.replace(contour.gaussian(3.0), count=4), contour.gaussian(2.0)]
    joint = gaussian_epsilon(1.0, math.sqrt(4 / 9 + 1 / 4), delta=1e-5)
    assert contour.epsilon([parts], 1e-5) == pytest.approx(joint, rel=1e-8)


@pytest.mark.parametrize(
    "number",
    [pytest.param(i, marks=[pytest.mark.slow] if i >= 20 else []) for i in range(N_ACCOUNTINGS)],
)
def test_an_account_is_never_below_the_truth_and_within_a_thousandth_of_it(number):
    event, relation, delta, truth = accounting(number)
    found = a.spent(event, delta, neighbouring=relation)
    assert truth * (1 - ROUNDING) <= found <= truth * (1 + CLOSE)


@pytest.mark.parametrize(("kind", "number"), [(poisson, 5), (replaced, 30), (fixed, 3)])
def test_an_account_that_believes_in_a_little_more_noise_is_caught(kind, number):
    sigma, rate, steps, delta = 1.5, 0.05, 40 * number, 1e-6
    _, relation, orders = kind(None, sigma, rate, steps)
    event, _, _ = kind(None, 1.002 * sigma, rate, steps)
    truth = contour.epsilon(orders, delta)
    assert a.spent(event, delta, neighbouring=relation) < truth * (1 - ROUNDING)
