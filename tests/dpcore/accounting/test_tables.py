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


@pytest.mark.parametrize(("q", "epochs", "delta", "epsilon"), PLACES)
def test_looked_up_noise_keeps_its_promise(q, epochs, delta, epsilon):
    (sigma,) = tables.noise_multipliers([epsilon], delta, q, epochs)
    spent = accounting.epsilon(float(sigma), q, max(1, round(epochs / q)), delta)
    assert spent <= epsilon * (1 + 1e-6)
    assert spent >= epsilon * 0.985


@pytest.mark.parametrize(("q", "epochs", "delta", "epsilon"), PLACES[:6])
def test_looked_up_epsilon_is_an_upper_bound(q, epochs, delta, epsilon):
    (sigma,) = tables.noise_multipliers([epsilon], delta, q, epochs)
    (found,) = tables.epsilons([1.07 * sigma], delta, q, epochs)
    real = accounting.epsilon(1.07 * float(sigma), q, max(1, round(epochs / q)), delta)
    assert real <= found * (1 + 1e-6)
    assert found <= real * 1.015


def test_a_row_made_anew_is_the_row_that_is_shipped():
    q, epochs = 0.2, 2
    sigmas, costs = tables.make_row(q, epochs)
    i, j = SAMPLE_RATE_GRID.index(q), EPOCHS_GRID.index(epochs)
    np.testing.assert_allclose(tables._table()["sigma"][i, j], sigmas, rtol=1e-12)
    np.testing.assert_allclose(tables._table()["epsilon"][i, j], costs, rtol=1e-6)


def test_noise_falls_with_epsilon_everywhere():
    for q in SAMPLE_RATE_GRID:
        for epochs in EPOCHS_GRID:
            found = tables.noise_multipliers(EPSILON_GRID, 1e-5, q, epochs)
            assert (np.diff(found) < 0).all()


def test_off_the_grid_it_is_computed():
    (found,) = tables.noise_multipliers([2.0], 3e-6, 0.03, 7)
    assert found == pytest.approx(accounting.noise_multiplier(2.0, 3e-6, 0.03, round(7 / 0.03)))
    (cost,) = tables.epsilons([found], 3e-6, 0.03, 7)
    assert cost == pytest.approx(2.0, rel=3e-3)
