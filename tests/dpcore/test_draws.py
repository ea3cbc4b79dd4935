"""Draws without an end: numpy's own nearly always, and beyond its end what the distribution says."""

import math

import numpy as np
import pytest
from scipy import stats

from dpcore import _draws, mechanisms
from dpcore.descent import objective_noise


class Extreme:
    """A generator that hands out what a script says, then numpy's own: it stands for the rarest draws."""

    def __init__(self, script, seed=0):
        self._script, self._rng = list(script), np.random.default_rng(seed)

    def _next(self, name, shape):
        if self._script:
            return np.full(shape, self._script.pop(0))
        return getattr(self._rng, name)(size=shape)

    def random(self, shape=()):
        return self._next("random", shape)

    def standard_exponential(self, shape=()):
        return self._next("standard_exponential", shape)

    def standard_normal(self, shape=()):
        return self._next("standard_normal", shape)

    def laplace(self, size=()):
        return self._next("laplace", size)

    def gumbel(self, size=()):
        return self._next("gumbel", size)

    def integers(self, *given, **named):
        return self._rng.integers(*given, **named)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(_draws.laplace, "laplace"), (_draws.normal, "standard_normal"), (_draws.gumbel, "gumbel"),
     (_draws.exponential, "standard_exponential")],
)  # fmt: skip
def test_draws_are_numpys_own_bit_for_bit(ours, theirs):
    expected = getattr(np.random.default_rng(5), theirs)(size=(40, 50))
    assert (ours(np.random.default_rng(5), (40, 50)) == expected).all()
    assert ours(np.random.default_rng(5)) == getattr(np.random.default_rng(5), theirs)()


def test_where_numpy_ends_they_go_on():
    """Each script is numpy's largest draw, or one beyond a threshold, several times over."""
    assert _draws.exponential(Extreme([44.0, 44.0, 44.0, 2.0])) == 92.0
    assert _draws.laplace(Extreme([-36.04, 44.0, 3.0])) == -63.0
    assert _draws.gumbel(Extreme([36.7, 31.0, 1.5])) == 61.5
    assert _draws.normal(Extreme([12.2, 44.0, 44.0, 20.0])) > 14
    assert _draws.normal(Extreme([-12.2, 44.0, 44.0, 20.0])) < -14
    assert _draws.gamma(Extreme([44.0, 44.0, 2.0]), 3) == 3 * 62.0
    assert _draws.log_tail(Extreme([1 - 2.0**-53, 44.0, 7.0])) == pytest.approx(
        -33 * math.log(2) - 37
    )


@pytest.mark.parametrize("k", [1, 3, 50])
def test_gamma_draws_are_distributed_as_said(k):
    """Kolmogorov-Smirnov at a level of 1e-6, 4000 draws, fixed seed."""
    rng = np.random.default_rng(k)
    found = [_draws.gamma(rng, k) for _ in range(4000)]
    assert stats.kstest(found, "gamma", args=(k,)).pvalue > 1e-6


def test_a_pure_tilt_of_an_objective_has_no_longest_length():
    """Normal numbers of one for its direction, then exponentials beyond numpy's end for its length."""
    noise = objective_noise(1.0, 0.0, regularisation=0.05, n_samples=100)
    tilt = noise.tilt(2, Extreme([1.0, 44.0, 44.0, 44.0, 1.0]))
    assert np.linalg.norm(tilt) == pytest.approx(noise.scale * 2 * 91.0)


@pytest.mark.parametrize("far", [30.001, 33.0, 36.04])
def test_the_rest_of_a_laplace_draw_is_exponential(far):
    """Kolmogorov-Smirnov at a level of 1e-6, 4000 draws, fixed seed."""
    script = [far]
    rest = np.array([float(_draws.laplace(Extreme(script, seed))) for seed in range(4000)]) - 30
    assert stats.kstest(rest, "expon").pvalue > 1e-6


def test_the_rest_of_a_normal_draw_is_the_normal_tail():
    """Kolmogorov-Smirnov at a level of 1e-6, 4000 draws, fixed seed."""
    found = np.array([float(_draws.normal(Extreme([7.5], seed))) for seed in range(4000)])
    assert (found > 7).all()
    survival = np.exp(stats.norm.logsf(found) - stats.norm.logsf(7.0))
    assert stats.kstest(survival, "uniform").pvalue > 1e-6


@pytest.mark.parametrize("kind", [mechanisms.Laplace, mechanisms.Gaussian, mechanisms.Staircase])
def test_noise_of_a_mechanism_reaches_its_neighbour_at_any_epsilon(kind):
    """Outputs of 0 and 1 overlap: at ε = 80 Laplace noise reaches 80 scales, where 53 random bits end at 36."""
    made = kind(epsilon=80.0)
    far = [44.0, 44.0, 10.0]
    up = float(made.sample(0.0, Extreme([1 - 2.0**-53, *far])))
    down = float(made.sample(1.0, Extreme([0.0, *far])))
    assert up >= 1  # a step of the staircase is thinner than a float
    assert down <= 0
    # Continuous where the uniform number becomes too coarse.
    edge = 1 - _draws.RARE
    below = float(made.sample(0.0, Extreme([edge - 2.0**-50])))
    beyond = float(made.sample(0.0, Extreme([edge + 2.0**-50, 1e-9])))
    assert beyond == pytest.approx(below, rel=1e-3)


def test_randomized_response_lies_as_often_as_it_says():
    """At ε = 45 a lie has probability e^{-45}, below the lattice of 53 bits: it still happens."""
    made = mechanisms.RandomizedResponse(epsilon=45.0)
    assert made.truth == 1.0
    lie = made.sample(np.array(0), Extreme([1 - 2.0**-53, 44.0, 9.0]))
    truth = made.sample(np.array(0), Extreme([1 - 2.0**-53, 15.0]))
    assert (int(lie), int(truth)) == (1, 0)
    some = mechanisms.RandomizedResponse(epsilon=1.0, n_options=3)
    rng = np.random.default_rng(2)
    other = (rng.integers(1, 3, size=200) + 0) % 3
    expected = np.where(rng.random(200) < some.truth, 0, other)
    assert (some.sample(np.zeros(200, int), np.random.default_rng(2)) == expected).all()


def test_an_option_that_is_rarer_than_a_gumbel_draw_is_chosen():
    made = mechanisms.Exponential(epsilon=1.0)

    class Once(Extreme):
        def gumbel(self, size=()):
            return np.array([[0.0, 36.7]])

    assert made.sample([120.0, 0.0], Once([44.0, 44.0]))[0] == 1
