"""The accountants against closed forms, tabulated values, each other and dp-accounting."""

import math

import dp_accounting as dpa
import numpy as np
import pytest
from scipy.stats import norm

from dpcore import accounting as a
from dpcore.accounting import closed_form, pld, rdp
from dpcore.mechanisms import gaussian_epsilon


def one_step(sigma, q, epsilon):
    """Exact δ(ε) of one Poisson-subsampled Gaussian step, both directions."""
    e = math.exp(epsilon)
    t = sigma**2 * math.log((e - 1 + q) / q) + 0.5
    remove = (1 - q - e) * norm.sf(t / sigma) + q * norm.sf((t - 1) / sigma)
    add = 0.0
    if 1 / e > 1 - q:
        u = sigma**2 * math.log((1 / e - 1 + q) / q) + 0.5
        add = norm.cdf(u / sigma) - e * (
            (1 - q) * norm.cdf(u / sigma) + q * norm.cdf((u - 1) / sigma)
        )
    return max(remove, add)


@pytest.mark.parametrize(
    ("sigma", "q", "delta", "epsilon"),
    [(4.844805, 0.01, 1e-7, 0.0111285), (1, 0.01, 1e-5, 0.199450), (1, 0.1, 1e-6, 2.181694)],
)
def test_one_step_closed_form(sigma, q, delta, epsilon):
    assert one_step(sigma, q, epsilon) == pytest.approx(delta, rel=2e-3)
    found = a.epsilon(noise_multiplier=sigma, sample_rate=q, n_steps=1, delta=delta)
    assert found >= epsilon - 1e-6
    assert found == pytest.approx(epsilon, rel=2e-3)


@pytest.mark.parametrize(("sigma", "pld"), [(1, 4.20184), (2, 1.47738), (4, 0.64921)])
def test_epsilon_of_the_paper_setting(sigma, pld):
    found = a.epsilon(noise_multiplier=sigma, sample_rate=0.01, n_steps=5000, delta=1e-5)
    assert pld <= found * (1 + 1e-6)
    assert found == pytest.approx(pld, rel=1e-3)
    assert found < a.epsilon(
        noise_multiplier=sigma, sample_rate=0.01, n_steps=5000, delta=1e-5, accountant="rdp"
    )


# ε₂, printed σ, its real ε₂ (PLD), the σ needed (PLD), total with the Laplace start.
PAPER = [
    (0.75, 7.9975, 0.3001, 4.289, 0.4168),
    (1.5, 3.9988, 0.6495, 2.3645, 0.8856),
    (2.5, 2.3993, 1.1789, 1.5902, 1.5738),
]


@pytest.mark.parametrize(("epsilon", "printed", "real", "needed", "total"), PAPER)
def test_what_the_printed_sigma_really_costs(epsilon, printed, real, needed, total):
    first, rest = 0.2 * epsilon, 0.8 * epsilon
    sigma = a.paper_noise_multiplier(rest, 1e-5, sample_rate=0.01, n_steps=5000)
    assert sigma == pytest.approx(printed, rel=2e-5)
    assert a.epsilon(
        noise_multiplier=sigma, sample_rate=0.01, n_steps=5000, delta=1e-5
    ) == pytest.approx(real, rel=1e-3)
    assert a.noise_multiplier(rest, 1e-5, sample_rate=0.01, n_steps=5000) == pytest.approx(
        needed, rel=1e-3
    )
    steps = a.Repeated(a.PoissonSampled(0.01, a.GaussianEvent(sigma)), 5000)
    start = a.LaplaceEvent(2 / first)
    assert a.spent(a.Sequence((start, start, steps)), 1e-5) == pytest.approx(total, rel=1e-3)


@pytest.mark.parametrize(("epsilon", "real"), [(0.75, 0.634), (1.5, 1.357), (2.5, 2.401)])
def test_replaced_records_cost_about_twice(epsilon, real):
    sigma = a.paper_noise_multiplier(0.8 * epsilon, 1e-5, sample_rate=0.01, n_steps=5000)
    found = a.epsilon(
        noise_multiplier=sigma,
        sample_rate=0.01,
        n_steps=5000,
        delta=1e-5,
        neighbouring="replace_one",
    )
    assert found == pytest.approx(real, rel=2e-3)


def test_the_printed_sigma_stops_being_private():
    for q, epochs, epsilon, ratio in [(0.01, 50, 10, 1.96), (0.0005, 50, 2.5, 2.414)]:
        rest, steps = 0.8 * epsilon, round(epochs / q)
        sigma = a.paper_noise_multiplier(rest, 1e-5, sample_rate=q, n_steps=steps)
        assert a.epsilon(
            noise_multiplier=sigma, sample_rate=q, n_steps=steps, delta=1e-5
        ) / rest == pytest.approx(ratio, rel=5e-3)


def test_composition_of_a_hundred_laplace_releases():
    event = a.Repeated(a.LaplaceEvent(10.0), 100)
    assert a.spent(event, 1e-5) == pytest.approx(4.220, rel=1e-3)
    assert a.spent(event, 1e-5, accountant="rdp") < 10  # better than adding up


@pytest.mark.parametrize("sigma", [0.6, 1.3, 4.0, 30.0])
@pytest.mark.parametrize("q", [0.001, 0.05, 1.0])
def test_own_rdp_equals_dp_accounting_at_whole_orders(sigma, q):
    orders = np.array([2.0, 3, 8, 32, 128])
    theirs = dpa.rdp.RdpAccountant(orders=orders.tolist())
    theirs.compose(dpa.PoissonSampledDpEvent(q, dpa.GaussianDpEvent(sigma)), 10)
    ours = 10 * rdp.subsampled_gaussian(sigma, q, orders)
    np.testing.assert_allclose(ours, theirs._rdp, rtol=1e-6, atol=1e-12)
    assert rdp.to_epsilon(ours, 1e-5, orders) == pytest.approx(theirs.get_epsilon(1e-5), rel=1e-9)


def test_rdp_never_promises_more_than_pld():
    for sigma in (0.7, 1.0, 3.0):
        for q, steps in ((0.01, 1000), (0.2, 50)):
            tight = a.epsilon(noise_multiplier=sigma, sample_rate=q, n_steps=steps, delta=1e-5)
            assert a.epsilon(
                noise_multiplier=sigma, sample_rate=q, n_steps=steps, delta=1e-5, accountant="rdp"
            ) >= tight * (1 - 1e-3)


@pytest.mark.parametrize("accountant", ["rdp", "pld"])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
def test_noise_multiplier_is_the_inverse_on_the_safe_side(epsilon, accountant):
    sigma = a.noise_multiplier(epsilon, 1e-5, sample_rate=0.02, n_steps=1000, accountant=accountant)
    spent = a.epsilon(
        noise_multiplier=sigma, sample_rate=0.02, n_steps=1000, delta=1e-5, accountant=accountant
    )
    assert spent <= epsilon
    assert spent == pytest.approx(epsilon, rel=4e-3)


def test_no_sampling_is_the_plain_gaussian():
    from dpcore.mechanisms import gaussian_epsilon

    exact = gaussian_epsilon(5.0 / 3.0, 1.0, delta=1e-5)  # nine releases at σ = 5 are one at 5/3
    assert a.epsilon(noise_multiplier=5.0, sample_rate=1.0, n_steps=9, delta=1e-5) == pytest.approx(
        exact, rel=1e-3
    )


def test_cost_is_monotone():
    base = {"noise_multiplier": 1.5, "sample_rate": 0.02, "n_steps": 500, "delta": 1e-5}

    def cost(**change):
        return a.epsilon(**{**base, **change}, accountant="rdp")

    assert cost(noise_multiplier=1.6) < cost() < cost(noise_multiplier=1.4)
    assert cost(sample_rate=0.01) < cost() < cost(sample_rate=0.04)
    assert cost(n_steps=400) < cost() < cost(n_steps=600)
    assert cost(delta=1e-4) < cost() < cost(delta=1e-6)


def test_limits():
    assert a.epsilon(noise_multiplier=0.0, sample_rate=0.1, n_steps=3, delta=1e-5) == math.inf
    assert a.epsilon(noise_multiplier=1.0, sample_rate=0.1, n_steps=0, delta=1e-5) == 0
    assert a.spent(a.Sequence(()), 1e-5) == 0
    assert a.noise_multiplier(math.inf, 1e-5, sample_rate=0.1, n_steps=10) == 0
    assert a.noise_multiplier(1.0, 1e-5, sample_rate=0.1, n_steps=0) == 0


@pytest.mark.parametrize(
    "bad",
    [
        {"noise_multiplier": -1},
        {"sample_rate": 0},
        {"sample_rate": 1.1},
        {"n_steps": -1},
        {"n_steps": 2.5},
        {"delta": 0},
        {"delta": 1},
        {"accountant": "clt"},
        {"neighbouring": "swap"},
    ],
)
def test_bad_arguments_are_named(bad):
    good = {"noise_multiplier": 1.0, "sample_rate": 0.1, "n_steps": 3, "delta": 1e-5}
    with pytest.raises(ValueError, match=next(iter(bad))):
        a.epsilon(**{**good, **bad})


def test_rdp_refuses_replaced_records_and_says_what_to_use():
    with pytest.raises(ValueError, match="use 'pld'"):
        a.epsilon(
            noise_multiplier=1.0,
            sample_rate=0.1,
            n_steps=3,
            delta=1e-5,
            neighbouring="replace_one",
            accountant="rdp",
        )


def test_a_budget_that_no_noise_can_keep():
    with pytest.raises(ValueError, match=r"above 1e\+06: give a larger epsilon"):
        a.noise_multiplier(1e-7, 1e-9, sample_rate=1.0, n_steps=10**6, accountant="rdp")


@pytest.mark.parametrize("accountant", ["pld", "rdp"])
def test_what_else_is_released_takes_its_share(accountant):
    besides = a.Repeated(a.Pure(0.1), 2)
    sigma = a.noise_multiplier(
        1.0, 1e-5, sample_rate=0.02, n_steps=500, accountant=accountant, besides=besides
    )
    steps = a.Repeated(a.PoissonSampled(0.02, a.GaussianEvent(sigma)), 500)
    cost = a.spent(a.Sequence((besides, steps)), 1e-5, accountant=accountant)
    assert 0.998 < cost <= 1.0
    alone, added = (
        a.noise_multiplier(e, 1e-5, sample_rate=0.02, n_steps=500, accountant=accountant)
        for e in (1, 0.8)
    )
    assert alone < sigma < added  # joint composition beats addition


def test_a_budget_that_is_used_up_is_refused():
    with pytest.raises(ValueError, match=r"epsilon=0\.5 is used up: .* costs 0\.6"):
        a.noise_multiplier(0.5, 1e-5, sample_rate=0.02, n_steps=500, besides=a.Pure(0.6))


@pytest.mark.parametrize(
    ("arguments", "relation"),
    [
        ((1, 0.01, 10**7, 1e-5), "add_remove"),
        ((1e-3, 0.01, 10, 1e-5), "add_remove"),
        ((1e-9, 0.01, 10, 1e-5), "replace_one"),
        ((1e-3, 0.5, 10, 1e-8), "replace_one"),
        ((1.0, 0.01, 10, 1e-20), "add_remove"),
        ((1.0, 0.01, 10, 1e-20), "replace_one"),
        ((1e-300, 0.01, 10**7, 1e-300), "add_remove"),
    ],
)
def test_extreme_arguments_are_answered(arguments, relation):
    names = ("noise_multiplier", "sample_rate", "n_steps", "delta")
    found = a.epsilon(**dict(zip(names, arguments, strict=True)), neighbouring=relation)
    assert 0 < found < math.inf or arguments[0] == 1e-300


def test_infinite_noise_costs_nothing_and_steps_may_be_a_whole_float():
    assert a.epsilon(noise_multiplier=math.inf, sample_rate=0.01, n_steps=10, delta=1e-5) == 0
    assert a.epsilon(noise_multiplier=1.0, sample_rate=0.01, n_steps=1e3, delta=1e-5) == a.epsilon(
        noise_multiplier=1.0, sample_rate=0.01, n_steps=1000, delta=1e-5
    )
    with pytest.raises(ValueError, match="n_steps=100000000"):
        a.epsilon(noise_multiplier=1.0, sample_rate=0.01, n_steps=10**8, delta=1e-5)


def test_noise_that_nothing_needs_is_refused():
    with pytest.raises(ValueError, match="the chance that a record is drawn"):
        a.noise_multiplier(1, 1e-2, sample_rate=0.004, n_steps=2)
    assert a.noise_multiplier(1, 7.9e-3, sample_rate=0.004, n_steps=2) > 0


def test_millions_of_steps_get_enough_noise():
    sigma = a.noise_multiplier(1, 1e-5, sample_rate=0.01, n_steps=10**6)
    assert a.epsilon(noise_multiplier=sigma, sample_rate=0.01, n_steps=10**6, delta=1e-5) <= 1
    assert a.epsilon(noise_multiplier=sigma * 0.9, sample_rate=0.01, n_steps=10**6, delta=1e-5) > 1


@pytest.mark.parametrize("relation", ["add_remove", "replace_one"])
def test_pure_and_sampled_laplace_releases_of_any_size(relation):
    twice = 2 if relation == "replace_one" else 1
    pure = a.spent(a.Pure(800), 1e-5, neighbouring=relation)
    assert (
        800 + math.log1p(-1e-5) * (1 + 1e-9) - 1e-9 <= pure <= 800
    )  # ε with δ of randomized response
    large = a.spent(a.LaplaceEvent(1e-5), 1e-5, neighbouring=relation)
    assert large == pytest.approx(twice * 1e5)
    sampled = a.spent(a.sampled(a.LaplaceEvent(1.0), 0.1), 1e-5, neighbouring=relation)
    assert sampled <= twice * math.log1p(0.1 * math.expm1(1)) * (1 + 1e-9)
    wide = a.spent(a.sampled(a.LaplaceEvent(1e-3), 0.5), 1e-5, neighbouring=relation)
    assert wide <= twice * (1000 + math.log(0.5)) + 1e-6


@pytest.mark.parametrize("relation", ["add_remove", "replace_one"])
@pytest.mark.parametrize("sigma", [1e-3, 0.05, 1.0, 30.0])
def test_the_closed_bound_of_gaussians_is_exact_and_never_below_the_distribution(sigma, relation):
    event = a.Repeated(a.GaussianEvent(sigma), 4)
    shift = (2 if relation == "replace_one" else 1) * 2 / sigma
    exact = gaussian_epsilon(1.0, shift, delta=1e-5)
    assert exact <= a.spent(event, 1e-5, neighbouring=relation) * (1 + 1e-9)
    assert a.spent(event, 1e-5, neighbouring=relation) == pytest.approx(exact, rel=1e-3)


@pytest.mark.parametrize(("sigma", "q", "steps"), [(1.0, 0.01, 10**5), (2.0, 0.01, 10**6)])
def test_many_small_steps_are_accounted_tightly(sigma, q, steps):
    # The grid has to be fine beside one step's loss: 45.1 and 26.09 were printed before.
    event = a.Repeated(a.sampled(a.GaussianEvent(sigma), q), steps)
    fine = 0.02 * q * math.sqrt(math.expm1(1 / sigma**2))
    best = pld.distribution(event, neighbouring="add_remove", width=fine)
    found = a.spent(event, 1e-5)
    assert found == pytest.approx(best.get_epsilon_for_delta(1e-5), rel=2e-3)


@pytest.mark.parametrize("relation", ["add_remove", "replace_one"])
def test_closed_bounds_hold_for_what_the_distribution_knows(relation):
    rng = np.random.default_rng(11)
    for _ in range(12):
        one = a.sampled(a.GaussianEvent(10 ** rng.uniform(-0.3, 1)), 10 ** rng.uniform(-2, 0))
        event = a.Repeated(one, int(10 ** rng.uniform(0, 3)))
        bound = closed_form.upper_bound(event, 1e-6, neighbouring=relation)
        found = pld.fine_distribution(event, neighbouring=relation, rough=bound)
        tight = pld.epsilon_at(found, 1e-6)
        assert tight <= bound * 1.01 + 1e-4


@pytest.mark.parametrize("count", [1, 5, 10_000])
def test_laplace_noise_for_replaced_records_is_that_of_half_the_scale(count):
    """The library takes no Laplace noise for replaced records: that was an error of its own."""
    told = a.spent(a.Repeated(a.LaplaceEvent(40.0), count), 1e-5, neighbouring="replace_one")
    half = a.spent(a.Repeated(a.LaplaceEvent(20.0), count), 1e-5)
    assert told == pytest.approx(half, rel=1e-3)
    both = a.Sequence((a.LaplaceEvent(40.0), a.GaussianEvent(8.0)))
    halves = a.Sequence((a.LaplaceEvent(20.0), a.GaussianEvent(4.0)))
    assert a.spent(both, 1e-5, neighbouring="replace_one") == pytest.approx(
        a.spent(halves, 1e-5), rel=1e-3
    )
