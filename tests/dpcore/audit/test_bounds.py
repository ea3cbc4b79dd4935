"""Bounds on ε from attacks, against recomputed and published values."""

import math

import numpy as np
import pytest
from scipy.special import bdtrc, ndtr

from dpcore.audit import bounds
from dpcore.audit.one_run import one_run, one_run_p_value
from dpcore.audit.posterior import bayesian_interval
from dpcore.mechanisms import gaussian_delta


def test_twenty_false_and_five_hundred_missed_of_a_thousand():
    assert bounds.error_bound(20, 1000, beta=0.025) == pytest.approx(0.03072, abs=5e-6)
    assert bounds.error_bound(500, 1000, beta=0.025) == pytest.approx(0.53145, abs=5e-6)
    for delta, wanted in ((0.0, 2.7247), (1e-5, 2.72470)):
        found = bounds.two_worlds(20, 500, n=1000, delta=delta)
        assert found.epsilon_lower == pytest.approx(wanted, abs=5e-5)
        assert (found.n, found.k0, found.k1, found.delta, found.confidence) == (
            1000, 20, 500, delta, 0.95,
        )  # fmt: skip


CEILINGS = {
    10: 0.807, 20: 1.597, 50: 2.570, 100: 3.281, 200: 3.984, 500: 4.906, 1000: 5.601, 10_000: 7.905,
}  # fmt: skip


@pytest.mark.parametrize(("n", "wanted"), CEILINGS.items())
def test_the_ceiling_is_the_bound_without_an_error(n, wanted):
    assert bounds.ceiling(n) == pytest.approx(wanted, abs=5e-4)
    faultless = bounds.two_worlds(0, 0, n=n)
    assert faultless.epsilon_lower == faultless.ceiling == bounds.ceiling(n)
    assert bounds.error_bound(0, n, beta=0.025) == pytest.approx(1 - 0.025 ** (1 / n))
    if n >= 100:
        assert wanted == pytest.approx(math.log(n / 3.69), abs=0.03)


def test_fewer_trainings_refute_nothing():
    wanted = {0.5: 8, 1: 12, 2: 30, 3: 76, 4: 204, 5: 550, 8: 10_999}
    for epsilon, n in wanted.items():
        assert bounds.fewest_trainings(epsilon) == n
        assert bounds.ceiling(n) > epsilon >= bounds.ceiling(n - 1)
        assert bounds.two_worlds(0, 0, n=n).can_refute(epsilon)
        assert not bounds.two_worlds(0, 0, n=n - 1).can_refute(epsilon)


def test_the_better_of_both_directions_counts():
    one, other = bounds.two_worlds(2, 60, n=100), bounds.two_worlds(60, 2, n=100)
    assert one.epsilon_lower == pytest.approx(other.epsilon_lower)
    assert one.epsilon_lower > 1
    assert bounds.two_worlds(100, 100, n=100).epsilon_lower == 0
    assert bounds.two_worlds(100, 0, n=100).epsilon_lower == 0
    assert bounds.error_bound(7, 7, beta=0.025) == 1
    assert bounds.two_worlds(0, 50, n=100, delta=0.6).epsilon_lower == 0


# Sheet: formulas (a) and (b) at 80 % power, thresholds chosen well; the sheet says ±10 %.
@pytest.mark.parametrize(
    ("sigma_share", "by_a", "by_b"),
    [(3, 1430, 160), (4, 410, 81), (8, 50, 17), (16, 15, 9)],
)
def test_trainings_that_refute_a_gaussian_with_too_little_noise(sigma_share, by_a, by_b):
    mu, delta, rng = sigma_share / 3.730632, 1e-5, np.random.default_rng(sigma_share)

    def power(n, bound):
        best = 0.0
        for t in np.linspace(mu / 2, mu / 2 + 3, 31):  # the other side is its mirror
            k0 = rng.binomial(n, ndtr(-t), 300)
            k1 = rng.binomial(n, ndtr(t - mu), 300)
            best = max(
                best, np.mean([bound(int(x), int(y), n) for x, y in zip(k0, k1, strict=True)])
            )
        return best

    def first(k0, k1, n):
        return bounds.two_worlds(k0, k1, n=n, delta=delta).epsilon_lower > 1

    def second(k0, k1, n):
        # ε(μ) rises: μ above that of the claim says the same, much faster
        return bounds.gaussian_mu(k0, k1, n=n) > 1 / 3.730632

    assert power(round(1.3 * by_a), first) > 0.8 > power(round(0.6 * by_a), first)
    assert power(round(1.3 * by_b), second) > 0.8 > power(round(0.6 * by_b), second)


def test_the_gaussian_bound():
    assert bounds.gaussian_mu(20, 500, n=1000) == pytest.approx(1.7914, abs=5e-5)
    for delta, wanted in ((1e-5, 8.736), (1e-2, 5.140)):
        found = bounds.gaussian_bound(20, 500, n=1000, delta=delta, curve="gaussian")
        assert found.epsilon_lower == pytest.approx(wanted, abs=5e-4)
        assert found.ceiling > found.epsilon_lower
    assert gaussian_delta(1.0, 1.0, epsilon=1.0) == pytest.approx(0.12694, abs=5e-6)
    assert bounds._of_mu(1.0, 1e-5) == pytest.approx(4.377, abs=5e-4)
    assert bounds.gaussian_mu(0, 0, n=50) == pytest.approx(2.935, abs=5e-4)
    faultless = bounds.gaussian_bound(0, 0, n=50, delta=1e-5, curve="gaussian")
    assert faultless.epsilon_lower == faultless.ceiling == pytest.approx(16.2, abs=0.05)
    assert bounds.two_worlds(0, 0, n=50).epsilon_lower == pytest.approx(2.57, abs=5e-3)
    assert bounds.gaussian_bound(50, 0, n=50, delta=1e-5, curve="gaussian").epsilon_lower == 0


def test_the_gaussian_bound_would_be_a_false_alarm_on_laplace():
    """Half and half e^-1 is what a correct Laplace of ε = 1 shows at its canary's threshold 0."""
    n = 10**8
    false, missed = n // 2, round(n * math.exp(-1) / 2)
    mu = bounds.gaussian_mu(false, missed, n=n)
    assert mu == pytest.approx(0.900, abs=1e-3)
    assert bounds._of_mu(mu, 1e-5) == pytest.approx(3.88, abs=0.01)
    assert bounds.two_worlds(false, missed, n=n).epsilon_lower <= 1
    for curve in ("laplace", "subsampled_gaussian", "unknown"):
        with pytest.raises(ValueError, match="two_worlds"):
            bounds.gaussian_bound(false, missed, n=n, delta=1e-5, curve=curve)


@pytest.mark.parametrize(
    ("m", "r", "v", "delta", "wanted", "within"),
    [
        (100, 100, 75, 0.0, 0.702, 5e-4),
        (100, 100, 75, 1e-4, 0.699, 5e-4),
        (1000, 100, 75, 1e-4, 0.673, 5e-4),
        (100_000, 1510, 1439, 1e-5, 2.6759, 5e-5),
        (1000, 600, 600, 1e-5, 5.2704, 5e-5),
        (100, 100, 100, 1e-5, 3.4902, 5e-5),
        (1000, 100, 95, 1e-5, 2.1652, 5e-5),
        (100, 100, 50, 0.0, 0.0, 0.0),
        (100, 30, 15, 1e-5, 0.0, 0.0),
        (100, 30, 0, 1e-5, 0.0, 0.0),
    ],
)
def test_one_run(m, r, v, delta, wanted, within):
    found = one_run(canaries=m, guesses=r, correct=v, delta=delta)
    assert found.epsilon_lower == pytest.approx(wanted, abs=within)
    assert found.epsilon_lower <= found.ceiling


def test_one_run_has_a_ceiling_and_an_expected_value():
    for r, wanted in ((20, 1.82), (50, 2.79), (100, 3.49), (1000, 5.81)):
        found = one_run(canaries=r, guesses=r, correct=r)
        assert found.ceiling == pytest.approx(wanted, abs=6e-3)  # 2.7847 for 50: rounded twice
        assert found.epsilon_lower == pytest.approx(found.ceiling, abs=1e-9)
    right = 1 / (1 + math.exp(-2))  # true ε = 2 for each canary
    for r, wanted in ((100, 1.47), (1000, 1.84)):
        found = one_run(canaries=r, guesses=r, correct=round(r * right))
        assert found.epsilon_lower == pytest.approx(wanted, abs=5e-3)


def test_one_run_by_hand():
    # Two guesses, both right, ε = 0: ¼; δ adds 2 m δ max(P[1 ≤ Bin < 2], P[0 ≤ Bin < 2]/2) = m δ.
    assert one_run_p_value(0.0, canaries=5, guesses=2, correct=2) == pytest.approx(0.25)
    found = one_run_p_value(0.0, canaries=5, guesses=2, correct=2, delta=0.01)
    assert found == pytest.approx(0.25 + 2 * 5 * 0.01 * 0.5)
    with pytest.raises(ValueError, match="guesses=9"):
        one_run(canaries=5, guesses=9, correct=1)


@pytest.mark.parametrize(
    ("counts", "wanted"),
    [((20, 500, 1000), (2.785, 3.187, 3.650)), ((0, 0, 50), (3.28, 4.97, 8.27))],
)
def test_the_bayesian_interval(counts, wanted):
    # The sheet's values are drawn; integrated, the last ones are 3.6507 and 8.2816.
    assert bayesian_interval(*counts[:2], n=counts[2]) == pytest.approx(
        wanted, abs=1e-3, rel=1.5e-3
    )


def test_the_bayesian_interval_is_its_own_monte_carlo():
    # 400,000 draws: the standard error of a middle quantile is about .003
    rng = np.random.default_rng(0)
    x, y = rng.beta(6, 46, 200_000), rng.beta(21, 31, 200_000)
    drawn = np.maximum(np.log(np.maximum((0.9 - y) / x, (0.9 - x) / y).clip(1)), 0)
    found = bayesian_interval(5, 20, n=50, delta=0.1)
    assert found == pytest.approx(np.quantile(drawn, [0.025, 0.5, 0.975]), abs=0.02)
    assert bayesian_interval(40, 40, n=50).low == 0
    assert bayesian_interval(0, 0, n=50, prior=0.5).high > bayesian_interval(0, 0, n=50).high


def test_looks_share_one_error_rate():
    assert [1 - bounds.look_confidence(k) for k in (1, 2, 3)] == pytest.approx(
        [0.025, 0.0125, 0.00625]
    )
    assert sum(1 - bounds.look_confidence(k) for k in range(1, 41)) <= 0.05 + 1e-12


def test_what_cannot_happen_without_the_canary_bounds_delta():
    # Clopper-Pearson by its own definition: 33 or more of 3,000 have a chance of β at the bound.
    found = bounds.impossible_delta(33, 3000)
    assert bdtrc(32, 3000, found) == pytest.approx(0.05)
    assert bounds.impossible_delta(0, 3000) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((5, 1, 4), "k=5"),
        ((0, 0, 0), "n=0"),
        ((0, 1.5, 4), "k=1.5"),
    ],
)
def test_counts_are_checked(arguments, words):
    with pytest.raises(ValueError, match=words):
        bounds.two_worlds(*arguments[:2], n=arguments[2])
    with pytest.raises(ValueError, match="confidence=1"):
        bounds.two_worlds(0, 0, n=4, confidence=1)
    with pytest.raises(ValueError, match="delta=1"):
        bounds.two_worlds(0, 0, n=4, delta=1)
