"""Composition in closed form: golden values, limits, against the tight account; what slides say."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from dpcore import accounting as a
from dpcore.accounting.groups import group_epsilon
from dpcore.experiments import composition_tables
from dpcore.mechanisms import gaussian_epsilon, gaussian_epsilons, gaussian_sigma


def test_a_hundred_laplace_answers_under_every_rule():
    answers = a.Repeated(a.LaplaceEvent(10.0), 100)
    assert a.basic(0.1, 100) == pytest.approx(10.0)
    assert a.advanced(0.1, 100, slack=1e-5) == pytest.approx(5.850, abs=5e-4)
    assert a.optimal(epsilon=0.1, n_steps=100, delta=1e-5) == pytest.approx(4.307, abs=5e-4)
    assert a.spent(answers, 1e-5) == pytest.approx(4.220, abs=1e-3)


@pytest.mark.parametrize("epsilon", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("count", [1, 7, 60])
def test_the_optimal_rule_is_the_composition_of_coins(epsilon, count):
    """Brute force over the 2^k answers, grouped by how many are true."""
    k = np.arange(count + 1)
    ways = np.array([math.comb(count, int(i)) for i in k], float)
    truth = 1 / (1 + math.exp(-epsilon))
    p = ways * truth**k * (1 - truth) ** (count - k)
    q = p[::-1]
    found = a.optimal(epsilon=epsilon, n_steps=count, delta=1e-4)
    assert np.maximum(p - math.exp(found) * q, 0).sum() <= 1e-4 * (1 + 1e-9)
    assert np.maximum(p - math.exp(0.999 * found) * q, 0).sum() > 1e-4 or found < 1e-6
    coins = a.spent(a.Repeated(a.Pure(epsilon), count), 1e-4)
    assert found * (1 - 1e-9) <= coins <= found * 1.02 + 1e-3


def test_rules_are_ordered():
    for count in (1, 10, 1000):
        best = a.optimal(epsilon=0.1, n_steps=count, delta=1e-6)
        assert (
            best
            <= min(float(a.basic(0.1, count)), float(a.advanced(0.1, count, slack=1e-6))) + 1e-12
        )


def test_amplification():
    assert a.amplified(1.0, 0.01) == pytest.approx(0.0170369, abs=5e-8)
    assert a.amplified([0.5, 30.0], 1.0) == pytest.approx([0.5, 30.0])
    assert a.amplified(800.0, 0.1) == pytest.approx(800 + math.log(0.1))
    assert a.amplified(2.0, 0.01) == pytest.approx(0.0619, abs=1e-4)
    assert a.printed_amplified(2.0, 0.01) == pytest.approx(0.04)


@pytest.mark.parametrize(
    ("rate", "until"),
    [(0.001, 1.2585), (0.01, 1.2777), (0.05, 1.3707), (0.1, 1.5094), (0.25, 2.1972), (0.4, 4.4987)],
)
def test_where_the_slides_2p_epsilon_ends(rate, until):
    def gap(epsilon):
        return float(a.amplified(epsilon, rate) - a.printed_amplified(epsilon, rate))

    assert brentq(gap, 0.5, 20) == pytest.approx(until, abs=1e-4)
    assert brentq(lambda e: math.expm1(e) - 2 * e, 0.5, 3) == pytest.approx(1.25643, abs=1e-5)
    assert gap(1.2564) < 0


def test_the_slides_sum_is_no_upper_bound():
    laplace = a.spent(a.PoissonSampled(0.01, a.LaplaceEvent(1.0)), 1e-9)
    assert laplace == pytest.approx(0.0170369, rel=2e-3)
    assert laplace > a.printed_sum(1.0, 0.01, n_steps=1) == pytest.approx(0.01)
    gaussian = a.epsilon(noise_multiplier=4.844805, sample_rate=0.01, n_steps=1, delta=1e-7)
    assert gaussian == pytest.approx(0.0111285, rel=2e-3)
    assert gaussian > a.printed_sum(1.0, 0.01, n_steps=1)
    assert 5000 * a.amplified(1.0, 0.01) == pytest.approx(85.18, abs=0.01)
    assert a.epsilon(
        noise_multiplier=4.844805, sample_rate=0.01, n_steps=5000, delta=1e-5
    ) == pytest.approx(0.522, rel=3e-3)


@pytest.mark.parametrize(
    ("each", "claim", "true"),
    [(1, 0.707, 0.522), (2, 1.414, 1.165), (4, 2.828, 2.9988), (8, 5.657, 15.17)],
)
def test_the_slides_root(each, claim, true):
    sigma = math.sqrt(2 * math.log(1.25e5)) / each
    assert a.printed_root(each, 0.01, n_steps=5000) == pytest.approx(claim, abs=1e-3)
    assert a.epsilon(
        noise_multiplier=sigma, sample_rate=0.01, n_steps=5000, delta=1e-5
    ) == pytest.approx(true, rel=3e-3)


def test_the_slides_epsilon_of_a_step_undoes_its_calibration():
    sigma = gaussian_sigma(1.0, 0.5, delta=1e-5, calibration="classical")
    np.testing.assert_allclose(
        a.printed_epsilon(noise_multiplier=sigma, delta=1e-5), 0.5, rtol=1e-12
    )
    assert gaussian_epsilon(sigma, 1.0, delta=1e-5) < 0.5  # proved up to 1, and not tight


def test_nobody_left_out_is_no_sampling():
    assert a.sampled(a.GaussianEvent(2.0), 1.0) == a.GaussianEvent(2.0)
    assert a.sampled(a.GaussianEvent(2.0), 0.5).sample_rate == 0.5


def test_clipping_the_batch_halves_the_noise_that_counts():
    for sigma, whole, half in ((1.0, 4.37718, 9.99726), (2.0, 1.99309, 4.37718)):
        assert gaussian_epsilon(sigma, 1.0, delta=1e-5) == pytest.approx(whole, abs=1e-5)
        assert gaussian_epsilon(sigma, 2.0, delta=1e-5) == pytest.approx(half, abs=1e-5)


def test_vectorised_epsilons_are_the_single_ones():
    sigmas, deltas = np.geomspace(0.3, 60, 9), np.array([[1e-9], [1e-5], [0.2]])
    found = gaussian_epsilons(sigmas, deltas)
    for i, delta in enumerate(deltas[:, 0]):
        one = [gaussian_epsilon(float(s), 1.0, delta=float(delta)) for s in sigmas]
        assert found[i] == pytest.approx(one, rel=1e-8, abs=1e-10)


@pytest.mark.parametrize("neighbouring", ["add_remove", "replace_one"])
@pytest.mark.parametrize("delta", [0.0, 1e-5])
@pytest.mark.parametrize("group", [1, 2])
def test_a_release_without_noise_protects_no_group(group, delta, neighbouring):
    bare = a.GaussianEvent(0.0)
    for event in (bare, a.Repeated(bare, 3), a.PoissonSampled(0.1, bare)):
        assert group_epsilon(event, delta, group, neighbouring=neighbouring) == math.inf


def test_group_privacy_limits():
    assert a.group_privacy(0.0, 1e-5, group=3) == (0.0, pytest.approx(3e-5))
    assert a.group_privacy(30.0, 1e-5, group=100) == (3000.0, 1.0)
    assert a.group_privacy(1.0, 1e-5, group=1) == (1.0, pytest.approx(1e-5))
    assert a.group_privacy(5e-324, 1e-5, group=3) == (1.5e-323, pytest.approx(3e-5))
    assert a.group_privacy(800.0, 1e-5, group=1) == (800.0, pytest.approx(1e-5))
    assert a.group_privacy(800.0, 1e-5, group=3) == (2400.0, 1.0)
    assert a.group_privacy(1e6, 0.0, group=3) == (3e6, 0.0)


@pytest.mark.parametrize(
    ("mechanism", "i", "rate", "steps"),
    [
        ("gaussian", 6, 0.01, 5000),
        ("gaussian", 15, 1.0, 200),
        ("laplace", 3, 1.0, 100),
        ("laplace", 8, 0.1, 20),
    ],
)
def test_the_table_is_the_account(mechanism, i, rate, steps):
    found = composition_tables.exact(mechanism)[
        i, composition_tables.RATE_GRID.index(rate), 3, composition_tables.STEPS_GRID.index(steps)
    ]
    grid = (
        composition_tables.NOISE_GRID if mechanism == "gaussian" else composition_tables.ANSWER_GRID
    )
    one = a.GaussianEvent(grid[i]) if mechanism == "gaussian" else a.LaplaceEvent(1 / grid[i])
    step = one if rate == 1 else a.PoissonSampled(rate, one)
    true = a.spent(a.Repeated(step, steps), 1e-5)
    assert found == pytest.approx(true, rel=1e-9)
    made = composition_tables.make_row(mechanism, grid[i], rate)[
        3, composition_tables.STEPS_GRID.index(steps)
    ]
    assert found == pytest.approx(float(made), rel=1e-6)


def test_the_table_is_never_below_the_truth():
    sigma = np.array(composition_tables.NOISE_GRID)[:, None, None]
    steps = np.sqrt(np.array(composition_tables.STEPS_GRID, float))
    truth = gaussian_epsilons(
        sigma / steps, np.array([1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3])[:, None]
    )
    found = composition_tables.exact("gaussian")[:, -1]
    assert found == pytest.approx(truth, rel=1e-9)
    optimal = composition_tables.optimal()
    laplace = composition_tables.exact("laplace")
    assert (laplace <= optimal * 1.003 + 2e-4).all()
