"""The shipped tables: what they say is the account of a node on the expensive side, less than 1 % away."""

import math

import numpy as np
import pytest

from dpcore import accounting
from dpcore.experiments import epsilon_tables
from dpcore.experiments.epsilon_tables import HIGHEST, LOWEST, TABLES
from dpcore.experiments.grids import DELTA_GRID, EPOCHS_GRID, EPSILON_GRID, SAMPLE_RATE_GRID

RNG = np.random.default_rng(4)
PLACES = [
    (
        float(RNG.choice(SAMPLE_RATE_GRID)),
        int(RNG.choice(EPOCHS_GRID)),
        float(RNG.choice(DELTA_GRID)) / int(RNG.choice([1, 2])),
        float(np.exp(RNG.uniform(np.log(0.03), np.log(16)))),
    )
    for _ in range(6)
]
LOTS = ("poisson", "fixed")
RELATIONS = {"poisson": "add_remove", "fixed": "replace_one"}


def real_epsilon(sigma, delta, q, epochs, lots):
    steps = max(1, round(epochs / q))
    return accounting.epsilon(
        noise_multiplier=float(sigma),
        sample_rate=q,
        n_steps=steps,
        delta=delta,
        neighbouring=RELATIONS[lots],
        lots=lots,
    )


def curves(table):
    return [
        epsilon_tables.curve(table, i, j)
        for i in range(len(table.rates))
        for j in range(len(table.lengths))
    ]


@pytest.mark.parametrize("name", TABLES)
def test_nodes_lie_so_close_that_the_expensive_side_is_less_than_a_percent_away(name):
    """The proof: σ of the nodes rise, ε falls, by less than 0.92 % wherever a look-up answers."""
    for one in curves(TABLES[name]):
        assert (np.diff(one.sigmas) > 0).all()
        above, below = one.epsilons[:-1], one.epsilons[1:]
        assert (below <= above).all()
        answers = (above >= LOWEST) & (above <= HIGHEST)
        with np.errstate(divide="ignore", invalid="ignore"):
            assert np.log(above / below)[answers].max() <= 0.0092
        assert one.epsilons[0].min() > HIGHEST
        assert one.epsilons[-1].max() < LOWEST * 1.001


@pytest.mark.parametrize("name", TABLES)
def test_what_is_said_is_the_node_before(name):
    rng = np.random.default_rng(7)
    for one in curves(TABLES[name])[::7]:
        at = rng.integers(1, len(one.sigmas) - 1, 50)
        sigmas = one.sigmas[at] + rng.random(50) * np.diff(one.sigmas)[at]
        for k in range(one.epsilons.shape[1]):
            said, before = one.epsilon(k, sigmas), one.epsilons[at, k]
            known = (before >= LOWEST) & (before <= HIGHEST)
            assert (said[known] == before[known]).all()
            assert np.isnan(said[~known]).all()
            assert (one.epsilon(k, one.sigmas[at])[known] == before[known]).all()
            wanted = before[known]
            found = one.noise_multiplier(k, wanted)
            assert (one.epsilon(k, found[~np.isnan(found)]) <= wanted[~np.isnan(found)]).all()


@pytest.mark.parametrize("name", TABLES)
def test_random_places_off_the_nodes(name):
    """``python -m dpcore.experiments.epsilon_tables --check 10000`` asks as many of each table."""
    ratios = epsilon_tables.check(TABLES[name], 12, seed=3)
    assert len(ratios) > 6
    assert ratios.min() >= 1
    assert ratios.max() <= 1.01


@pytest.mark.parametrize(("sigma", "epochs", "delta"), [(0.86679, 5, 1e-8), (0.75112, 10, 5e-8)])
def test_where_a_smooth_curve_was_below_the_account(sigma, epochs, delta):
    (found,) = epsilon_tables.epsilons([sigma], delta, 0.001, epochs)
    assert 1 <= found / real_epsilon(sigma, delta, 0.001, epochs, "poisson") <= 1.01


@pytest.mark.parametrize(
    ("q", "epochs", "delta", "sigma"),
    [
        (0.001, 75, 5e-9, 0.49480081120735536), (0.001, 20, 5e-9, 0.7699728696314642),
        (0.005, 20, 1e-5, 0.48075379530222495),
    ],
)  # fmt: skip
def test_where_the_bound_of_a_node_was_below_the_account(q, epochs, delta, sigma):
    """By 7·10⁻⁵ at most, in 3 of 10,000 places: both are above the truth, each on a grid of its own."""
    (found,) = epsilon_tables.epsilons([sigma], delta, q, epochs)
    assert 1 <= found / real_epsilon(sigma, delta, q, epochs, "poisson") <= 1.01


@pytest.mark.parametrize("lots", LOTS)
@pytest.mark.parametrize(("q", "epochs", "delta", "epsilon"), PLACES)
def test_looked_up_noise_keeps_its_promise(q, epochs, delta, epsilon, lots):
    (sigma,) = epsilon_tables.noise_multipliers([epsilon], delta, q, epochs, lots)
    spent = real_epsilon(sigma, delta, q, epochs, lots)
    assert epsilon * 0.99 <= spent <= epsilon


@pytest.mark.parametrize("lots", LOTS)
def test_nodes_made_anew_are_those_that_are_shipped(lots):
    table, q, epochs = TABLES[lots], 0.5, 1
    place = SAMPLE_RATE_GRID.index(q), EPOCHS_GRID.index(epochs)
    shipped = epsilon_tables.curve(table, *place)
    logs, costs = epsilon_tables.make_curve(table, q, epochs)
    assert shipped.sigmas == pytest.approx(np.exp(logs * 2e-4), rel=1e-12)
    known = (shipped.epsilons > LOWEST) & (shipped.epsilons < HIGHEST)
    assert shipped.epsilons[known] == pytest.approx(np.exp((costs + 1) * 2e-4)[known], rel=1e-4)


@pytest.mark.parametrize("lots", LOTS)
def test_noise_falls_with_epsilon_everywhere(lots):
    for q in SAMPLE_RATE_GRID:
        for epochs in EPOCHS_GRID:
            found = epsilon_tables.noise_multipliers(EPSILON_GRID, 1e-5, q, epochs, lots)
            assert (np.diff(found) < 0).all()


def test_lots_of_a_fixed_size_need_more_noise_everywhere():
    for q in SAMPLE_RATE_GRID:
        for epochs in EPOCHS_GRID:
            poisson, fixed = (
                epsilon_tables.noise_multipliers(EPSILON_GRID, 1e-5, q, epochs, lots)
                for lots in LOTS
            )
            assert (fixed > 1.05 * poisson).all()
            if q == 1:  # everybody, always: replacing one moves the sum by 2C
                assert fixed / poisson == pytest.approx(2, rel=0.01)


def test_other_lots_are_refused_with_a_sentence():
    with pytest.raises(ValueError, match="lots='shuffled'"):
        epsilon_tables.noise_multipliers([1.0], 1e-5, 0.01, 50, "shuffled")


def test_where_a_table_ends_the_account_is_asked():
    (found,) = epsilon_tables.noise_multipliers([2.0], 3e-6, 0.03, 7)
    assert found == pytest.approx(
        accounting.noise_multiplier(2.0, 3e-6, sample_rate=0.03, n_steps=round(7 / 0.03))
    )
    (cost,) = epsilon_tables.epsilons([found], 3e-6, 0.03, 7)
    assert cost == pytest.approx(2.0, rel=3e-3)
    one = epsilon_tables.curve(TABLES["steps"], 0, 0)
    beyond = [float(one.sigmas[0]) / 2, 2 * float(one.sigmas[-1])]
    said = epsilon_tables.steps_epsilons(beyond, 1e-5, TABLES["steps"].rates[0], 1)
    real = [
        accounting.epsilon(
            noise_multiplier=sigma, sample_rate=TABLES["steps"].rates[0], n_steps=1, delta=1e-5
        )
        for sigma in beyond
    ]
    assert said.tolist() == real
    assert math.isfinite(epsilon_tables.steps_noise_multipliers([40.0], 1e-5, 0.1, 10)[0])
