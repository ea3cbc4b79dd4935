"""One checklist for every mechanism: bad arguments, identity, bias, spread, ratio of neighbours."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from dpcore import mechanisms as m

ADDITIVE = [
    (m.Laplace, {}),
    (m.Staircase, {}),
    (m.Gaussian, {"delta": 1e-5}),
    (m.Gaussian, {"delta": 1e-5, "calibration": "classical"}),
]
EVERY = [*ADDITIVE, (m.Exponential, {}), (m.RandomizedResponse, {})]
NAMES = ["laplace", "staircase", "gaussian", "classical", "exponential", "response"]
N = 400_000  # draws; z = 6 standard errors: a false alarm once in 5e8


def named(pairs):
    return pytest.mark.parametrize(("kind", "more"), pairs, ids=NAMES[: len(pairs)])


@named(EVERY)
@pytest.mark.parametrize("epsilon", [0, -1, math.nan, "1", None, True])
def test_bad_epsilon_is_named(kind, more, epsilon):
    with pytest.raises(ValueError, match=r"epsilon=.*is not allowed: give a number"):
        kind(epsilon=epsilon, **more)


@named(EVERY[:5])
@pytest.mark.parametrize("sensitivity", [-1, math.inf, math.nan, "1"])
def test_bad_sensitivity_is_named(kind, more, sensitivity):
    with pytest.raises(ValueError, match="sensitivity="):
        kind(epsilon=1.0, sensitivity=sensitivity, **more)


@named(EVERY)
def test_the_neighbouring_relation_is_one_of_two(kind, more):
    with pytest.raises(ValueError, match="neighbouring='both' is not allowed"):
        kind(epsilon=1.0, neighbouring="both", **more)


@pytest.mark.parametrize("delta", [0, 1, -1e-5, math.nan])
def test_bad_delta_is_named(delta):
    with pytest.raises(ValueError, match="delta="):
        m.Gaussian(epsilon=1.0, delta=delta)


@named(ADDITIVE)
@pytest.mark.parametrize("change", [{"sensitivity": 0.0}, {"epsilon": math.inf}])
def test_nothing_to_hide_is_the_identity(kind, more, change):
    found = kind(**{"epsilon": 1.0, **more, **change})
    values = np.array([-3.0, 0.0, 7.5])
    assert (found.sample(values, np.random.default_rng(0)) == values).all()
    assert found.exact
    assert found.variance() == found.mean_error() == 0
    hidden = "sensitivity" in change
    assert found.delta_at(0.5) == (0.0 if hidden else 1.0)
    assert found.type_two_error(0.25) == (0.75 if hidden else 0.0)
    assert found.density([0.0, 1.0]).tolist() == [math.inf, 0.0]
    assert found.shift() == found.shift(3) == (0.0 if hidden else math.inf)


@named(ADDITIVE)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_no_bias_and_the_stated_spread(kind, more, epsilon):
    found = kind(epsilon=epsilon, sensitivity=2.0, **more)
    noise = found.sample(np.zeros(N), np.random.default_rng(3))
    deviation = math.sqrt(found.variance())
    assert abs(noise.mean()) < 6 * deviation / math.sqrt(N)
    fourth = np.square(np.square(noise) - found.variance()).mean()
    assert abs(noise.var() - found.variance()) < 6 * math.sqrt(fourth / N) + 1e-4 * deviation**2
    assert np.abs(noise).mean() == pytest.approx(
        found.mean_error(), abs=6 * deviation / math.sqrt(N)
    )


@named(ADDITIVE)
def test_same_seed_same_draws_and_the_same_noise_at_every_epsilon(kind, more):
    first, second = (
        kind(epsilon=1.0, **more).sample(np.zeros(9), np.random.default_rng(5)) for _ in "ab"
    )
    assert (first == second).all()
    calm = kind(epsilon=4.0, **more).sample(np.zeros(9), np.random.default_rng(5))
    assert (np.sign(calm) == np.sign(first)).all()
    assert (np.argsort(np.abs(calm)) == np.argsort(np.abs(first))).all()


@named(ADDITIVE)
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_the_density_is_one(kind, more, epsilon):
    found = kind(epsilon=epsilon, sensitivity=1.5, **more)
    far = 40 * math.sqrt(found.variance())
    places = np.linspace(-far, far, 2_000_001)
    assert np.trapezoid(found.density(places), places) == pytest.approx(1, abs=2e-4)


@named(ADDITIVE)
@pytest.mark.parametrize("epsilon", [0.2, 0.9])
@pytest.mark.parametrize("group", [1, 3])
def test_neighbours_are_as_close_as_promised(kind, more, epsilon, group):
    """Hockey-stick divergence by numerical integration of the densities, against the closed form."""
    found = kind(epsilon=epsilon, **more)
    claim = group * epsilon
    over = 1e-6 if more else 0.0
    x = np.linspace(-60 / epsilon, 60 / epsilon, 1_200_001) + 1e-9
    p, q = found.density(x, 0.0), found.density(x, float(group))
    for eps in (0.0, 0.5 * claim, claim):
        integral = np.trapezoid(np.maximum(p - math.exp(eps) * q, 0), x)
        assert found.delta_at(eps, group) == pytest.approx(integral, abs=3e-5)
    if not more:
        assert p.max() > 0
        assert (p <= math.exp(claim) * q * (1 + 1e-9) + 1e-300).all()
    elif group == 1:
        assert found.delta_at(epsilon) <= found.delta + over


@named(ADDITIVE)
@pytest.mark.parametrize("group", [1, 2])
def test_no_test_beats_the_tradeoff_and_the_likelihood_ratio_reaches_it(kind, more, group):
    found = kind(epsilon=0.8, **more)
    rng = np.random.default_rng(11)
    null, other = found.sample(np.zeros(N), rng), found.sample(np.full(N, float(group)), rng)
    with np.errstate(divide="ignore"):
        score = [
            np.log(found.density(z, float(group)) / found.density(z, 0.0)) for z in (null, other)
        ]
    for threshold in (-0.3, 0.05, 0.4):
        alpha = (score[0] > threshold).mean()
        miss = (score[1] <= threshold).mean()
        assert miss == pytest.approx(
            found.type_two_error(alpha, group), abs=6 * 0.5 / math.sqrt(N) * 3
        )


@named(ADDITIVE)
def test_privacy_says_what_it_is(kind, more):
    found = kind(epsilon=0.7, neighbouring="replace_one", **more).privacy
    assert found.neighbouring == "replace_one"
    assert found.status == "proved"
    assert found.epsilon <= 0.7 * (1 + 1e-9)


def test_the_classical_formula_is_told_apart_where_it_fails():
    found = m.Gaussian(epsilon=20.0, delta=1e-5, calibration="classical").privacy
    assert found.claimed_epsilon == 20
    assert found.epsilon == pytest.approx(25.442611, rel=1e-6)


def test_values_are_held_inside_public_bounds():
    found = m.Laplace(epsilon=1e6, sensitivity=1.0, bounds=(0.0, 7.0))
    assert found.sample([-5.0, 3.0, 99.0], np.random.default_rng(0)) == pytest.approx(
        [0, 3, 7], abs=1e-3
    )
    with pytest.raises(ValueError, match="low ≤ high"):
        m.Laplace(epsilon=1.0, bounds=(1.0, 0.0))


@pytest.mark.parametrize(("epsilon", "error"), [(1.0, 0.959517), (3.0, 0.234821), (10.0, 0.006738)])
def test_staircase_has_the_smallest_error(epsilon, error):
    assert m.staircase(1.0, epsilon).mean_error() == pytest.approx(error, rel=1e-4)
    assert m.staircase(1.0, epsilon).mean_error() < m.Laplace(epsilon=epsilon).mean_error()
    found, _ = quad(lambda x: 2 * x * float(m.staircase(1.0, epsilon).density(x)), 0, 40 / epsilon,
                    limit=2000)  # fmt: skip
    assert found == pytest.approx(error, rel=2e-3)


@pytest.mark.parametrize(("group", "delta"), [(2, 3.71828e-5), (10, 0.128)])
def test_group_privacy_of_approximate_mechanisms(group, delta):
    from dpcore.accounting import group_privacy

    epsilon, found = group_privacy(1.0, 1e-5, group=group)
    assert epsilon == group
    assert found == pytest.approx(delta, rel=2e-3)
    exact = m.Gaussian(epsilon=1.0, delta=1e-5)
    assert exact.delta_at(epsilon, group) <= found


def test_a_group_of_two_under_gaussian_noise():
    sigma = m.gaussian_sigma(1.0, 1.0, delta=1e-5)
    assert m.gaussian_epsilon(sigma, 2.0, delta=1e-5) == pytest.approx(2.1547, abs=2e-4)


@named(ADDITIVE)
@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
def test_what_noise_cannot_hide_is_refused(kind, more, wrong):
    with pytest.raises(ValueError, match="which noise cannot hide"):
        kind(epsilon=1.0, **more).sample([0.0, wrong], np.random.default_rng(0))
    bounded = kind(epsilon=1.0, bounds=(0.0, 1.0), **more)
    if not math.isnan(wrong):
        assert np.isfinite(bounded.sample(wrong, np.random.default_rng(0)))


class Zero:
    """A generator that always throws the lowest uniform number."""

    def random(self, size):
        return np.zeros(size)

    def standard_exponential(self, size):
        return np.full(size, 1e-3)


@named(ADDITIVE)
def test_no_draw_is_infinite(kind, more):
    assert np.isfinite(kind(epsilon=1.0, **more).sample([0.0, 1.7e308], Zero())).all()
    huge = kind(epsilon=1.0, sensitivity=1e307, **more)
    assert np.isfinite(huge.sample([1.7e308] * 1000, np.random.default_rng(0))).all()


@named(ADDITIVE[:3])
def test_noise_beyond_a_float_is_refused(kind, more):
    if kind is m.Staircase:
        with pytest.raises(ValueError, match="Give at most 1000"):
            kind(epsilon=1e5)
    else:
        with pytest.raises(ValueError, match="more noise than a float can hold"):
            kind(epsilon=1e-9, sensitivity=1e308, **more)


@pytest.mark.parametrize("epsilon", [1e-9, 1e-5, 0.1, 1.0, 5.0, 900.0])
@pytest.mark.parametrize("group", [1, 3, 10_000])
def test_a_staircase_of_any_number_of_steps_has_its_delta(epsilon, group):
    stairs = m.Staircase(epsilon=epsilon)
    assert stairs.delta_at(group * epsilon, group) == pytest.approx(0, abs=1e-12)
    total = stairs.delta_at(0.0, group)
    assert -math.expm1(-group * epsilon / 2) * 0.4 <= total <= 1 + 1e-12
    if group * epsilon < 700:  # beyond, the tail is below any float
        assert stairs.type_two_error(0.0, group) == pytest.approx(1, abs=1e-9)
    with pytest.raises(ValueError, match="group=10001"):
        stairs.delta_at(0.0, 10_001)


@pytest.mark.parametrize("group", [1, 2, 7])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_a_staircase_agrees_with_all_its_steps_cut_one_by_one(epsilon, group):
    stairs = m.Staircase(epsilon=epsilon)
    k = np.arange(math.ceil(38 / epsilon) + group + 2)
    ladder = np.concatenate([k, k + stairs.step])
    both = np.concatenate([-ladder, ladder])
    edges = np.unique(np.concatenate([both, both + group]))
    middle, width = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    p, q = stairs.density(middle) * width, stairs.density(middle - group) * width
    for share in (0.0, 0.3, 0.9):
        at = share * epsilon * group
        expected = np.maximum(p - math.exp(at) * q, 0).sum()
        assert stairs.delta_at(at, group) == pytest.approx(expected, abs=1e-12)
