"""The search for the noise that a budget asks for: few accounts, on grids that end, whatever is asked."""

import math

import numpy as np
import pytest

from dpcore import accounting as a
from dpcore.accounting import accountant, convolve, losses, pld


@pytest.fixture
def counted(monkeypatch):
    """How many accounts were made, and the points of the largest grids, of one event and composed."""
    seen = {"accounts": 0, "points": 0}
    spent, on_grid, of_many = accountant.spent, losses._on_grid, convolve._power

    def account(*arguments, **options):
        seen["accounts"] += 1
        return spent(*arguments, **options)

    def grid(one, *rest):
        seen["points"] = max(seen["points"], len(one))
        return on_grid(one, *rest)

    def power(pmf, count):
        found = of_many(pmf, count)
        seen["points"] = max(seen["points"], len(found._probs))
        return found

    monkeypatch.setattr(accountant, "spent", account)
    monkeypatch.setattr(losses, "_on_grid", grid)
    monkeypatch.setattr(convolve, "_power", power)
    return seen


EXTREMES = [
    (5e-13, 0.01, 0.1, 1),
    (1e-4, 1e-5, 1.0, 1),
    (1e-3, 0.5, 0.9, 3),
    (1e-3, 0.99, 1.0, 30),
    (200.0, 1e-12, 0.01, 100),
    (0.02, 1e-9, 1e-4, 100_000),
    (30.0, 1e-5, 0.999, 2_000),
]


@pytest.mark.parametrize("arguments", EXTREMES, ids=str)
@pytest.mark.parametrize("relation", ["add_remove", "replace_one"])
def test_a_search_makes_few_accounts_on_grids_of_bounded_size(counted, arguments, relation):
    epsilon, delta, rate, steps = arguments
    sigma = a.noise_multiplier(
        epsilon, delta, sample_rate=rate, n_steps=steps, neighbouring=relation
    )
    assert counted["accounts"] <= 35
    assert counted["points"] <= pld._MOST_POINTS
    assert (
        a.epsilon(
            noise_multiplier=sigma,
            sample_rate=rate,
            n_steps=steps,
            delta=delta,
            neighbouring=relation,
        )
        <= epsilon
    )


@pytest.mark.slow
def test_legal_extremes_get_an_answer_or_a_sentence(counted):
    rng = np.random.default_rng(3)
    refused = []
    for _ in range(20):
        rate = float(rng.choice([1.0, 10 ** rng.uniform(-6, 0), 1 - 10 ** rng.uniform(-9, -1)]))
        steps, delta = int(10 ** rng.uniform(0, 6)), float(10 ** rng.uniform(-15, -0.01))
        counted["accounts"] = 0
        try:
            found = a.noise_multiplier(
                float(10 ** rng.uniform(-14, 4)), delta, sample_rate=rate, n_steps=steps
            )
            assert 0 < found < math.inf
        except ValueError as error:
            refused.append(str(error))
        assert counted["accounts"] <= 35
        assert counted["points"] <= pld._MOST_POINTS
    assert all("ive a" in sentence for sentence in refused)
