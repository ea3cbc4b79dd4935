"""The shipped table: what it says is what the accountant says, always on the safe side."""

import numpy as np
import pytest

from dpcore import accounting
from dpcore.accounting import tables
from dpcore.grids import DELTA_GRID, EPOCHS_GRID, EPSILON_GRID, SAMPLE_RATE_GRID

RNG = np.random.default_rng(4)
PLACES = [
    (
        float(RNG.choice(SAMPLE_RATE_GRID)),
        int(RNG.choice(EPOCHS_GRID)),
        float(RNG.choice(DELTA_GRID)) / int(RNG.choice([1, 2])),
        float(np.exp(RNG.uniform(np.log(0.03), np.log(16)))),
    )
    for _ in range(14)
]
LOTS = ("poisson", "fixed")
RELATIONS = {"poisson": "add_remove", "fixed": "replace_one"}


def real_epsilon(sigma, delta, q, epochs, lots):
    steps = max(1, round(epochs / q))
    return accounting.epsilon(
        float(sigma), q, steps, delta, neighbouring=RELATIONS[lots], lots=lots
    )


@pytest.mark.parametrize("lots", LOTS)
@pytest.mark.parametrize(("q", "epochs", "delta", "epsilon"), PLACES)
def test_looked_up_noise_keeps_its_promise(q, epochs, delta, epsilon, lots):
    (sigma,) = tables.noise_multipliers([epsilon], delta, q, epochs, lots)
    spent = real_epsilon(sigma, delta, q, epochs, lots)
    assert spent <= epsilon * (1 + 1e-6)
    assert spent >= epsilon * 0.985


@pytest.mark.parametrize("lots", LOTS)
@pytest.mark.parametrize(("q", "epochs", "delta", "epsilon"), PLACES[:6])
def test_looked_up_epsilon_is_an_upper_bound(q, epochs, delta, epsilon, lots):
    (sigma,) = tables.noise_multipliers([epsilon], delta, q, epochs, lots)
    (found,) = tables.epsilons([1.07 * sigma], delta, q, epochs, lots)
    real = real_epsilon(1.07 * sigma, delta, q, epochs, lots)
    assert real <= found * (1 + 1e-6)
    assert found <= real * 1.015


@pytest.mark.parametrize("lots", LOTS)
def test_a_row_made_anew_is_the_row_that_is_shipped(lots):
    q, epochs = 0.2, 2
    sigmas, costs = tables.make_row(q, epochs, lots)
    i, j = SAMPLE_RATE_GRID.index(q), EPOCHS_GRID.index(epochs)
    np.testing.assert_allclose(tables._table(lots)["sigma"][i, j], sigmas, rtol=1e-12)
    np.testing.assert_allclose(tables._table(lots)["epsilon"][i, j], costs, rtol=1e-6)


@pytest.mark.parametrize("lots", LOTS)
def test_noise_falls_with_epsilon_everywhere(lots):
    for q in SAMPLE_RATE_GRID:
        for epochs in EPOCHS_GRID:
            found = tables.noise_multipliers(EPSILON_GRID, 1e-5, q, epochs, lots)
            assert (np.diff(found) < 0).all()


def test_lots_of_a_fixed_size_need_more_noise_everywhere():
    for q in SAMPLE_RATE_GRID:
        for epochs in EPOCHS_GRID:
            poisson, fixed = (
                tables.noise_multipliers(EPSILON_GRID, 1e-5, q, epochs, lots) for lots in LOTS
            )
            assert (fixed > 1.05 * poisson).all()
            if q == 1:  # everybody, always: replacing one moves the sum by 2C
                assert fixed / poisson == pytest.approx(2, rel=5e-3)


def test_other_lots_are_refused_with_a_sentence():
    with pytest.raises(ValueError, match="lots='shuffled'"):
        tables.noise_multipliers([1.0], 1e-5, 0.01, 50, "shuffled")


def test_off_the_grid_it_is_computed():
    (found,) = tables.noise_multipliers([2.0], 3e-6, 0.03, 7)
    assert found == pytest.approx(accounting.noise_multiplier(2.0, 3e-6, 0.03, round(7 / 0.03)))
    (cost,) = tables.epsilons([found], 3e-6, 0.03, 7)
    assert cost == pytest.approx(2.0, rel=3e-3)
    (fixed,) = tables.noise_multipliers([2.0], 3e-6, 0.03, 7, "fixed")
    assert real_epsilon(fixed, 3e-6, 0.03, 7, "fixed") == pytest.approx(2.0, rel=3e-3)
    (cost,) = tables.epsilons([fixed], 3e-6, 0.03, 7, "fixed")
    assert cost == pytest.approx(2.0, rel=3e-3)
