"""ε is asked for and σ follows: dp-accounting agrees, and both stay in step when a reader changes sides."""

import math

import dp_accounting
import numpy as np
import pytest
from dp_accounting.pld import PLDAccountant

from dpcore.experiments import descent
from dpcore.experiments.composition_tables import NOISE_GRID
from dpcore.experiments.descent import DescentParams
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID


def independent(sigma, params):
    event = dp_accounting.PoissonSampledDpEvent(
        params.sample_rate, dp_accounting.GaussianDpEvent(sigma)
    )
    spent = PLDAccountant(value_discretization_interval=1e-3)
    return spent.compose(event, params.n_steps).get_epsilon(params.delta)


@pytest.mark.parametrize(
    ("epsilon", "options"),
    [
        (1.0, {}),
        (8.0, {"sample_rate": 0.2, "n_steps": 20, "delta": 1e-3}),
        (0.3, {"sample_rate": 1.0, "n_steps": 10}),
        (20.0, {"sample_rate": 0.5, "n_steps": 20, "delta": 1e-6}),
    ],
)
def test_the_noise_for_epsilon_costs_no_more_and_hardly_less(epsilon, options):
    params = DescentParams(asked="epsilon", budget=epsilon, **options)
    cost = independent(descent.sigma(params), params)
    assert 0.93 * epsilon < cost <= epsilon * (1 + 2e-3)
    assert descent.real_epsilon(params) == epsilon


@pytest.mark.parametrize(
    ("options", "factor"),
    [
        ({"clipping": "batch"}, 2.0),
        ({"noise": "example"}, 1 / math.sqrt(40)),
        ({"parts": "clip"}, 1.0),
    ],
)
def test_other_readings_need_other_noise(options, factor):
    plain = descent.sigma(DescentParams(asked="epsilon"))
    assert descent.sigma(DescentParams(asked="epsilon", **options)) == pytest.approx(factor * plain)
    table = descent.requested_epsilons(DescentParams(asked="epsilon", **options))
    assert np.isinf(table).all() == ("parts" in options)


@pytest.mark.parametrize(
    "options", [{}, {"sample_rate": 0.01, "n_steps": 10}, {"sample_rate": 1.0, "n_steps": 500}]
)
def test_every_epsilon_and_delta_lies_inside_what_is_trained(options):
    params = DescentParams(asked="epsilon", **options)
    table, levels = descent.noise_table(params), descent.levels(params)
    assert table.shape == (len(EPSILON_GRID), len(DELTA_GRID))
    assert (np.diff(table, axis=0) <= 0).all()
    assert (np.diff(table, axis=1) <= 0).all()
    assert (np.diff(levels) > 0).all()
    assert (levels[0], levels[-1]) == pytest.approx((table.min(), table.max()))


def test_changing_sides_keeps_the_place():
    before = DescentParams(asked="noise", noise_multiplier=5.0)
    after = before.but(asked="epsilon").following(before)
    cost = descent.real_epsilon(before)
    near = min(EPSILON_GRID, key=lambda e: abs(math.log(e / cost)))
    assert after == DescentParams(budget=near)
    moved = after.but(budget=4.0).following(after)
    assert moved == DescentParams(budget=4.0)
    s = descent.sigma(moved)
    near = min(NOISE_GRID, key=lambda one: abs(math.log(one / s)))
    back = moved.but(asked="noise").following(moved)
    assert back == DescentParams(asked="noise", noise_multiplier=near)
    for params in (moved, back):
        link = DescentParams.from_link(params.to_link())[0]
        assert link == params
        assert link.following(link) == link


@pytest.mark.parametrize(
    ("link", "asked"),
    [
        ({"v": "1"}, "noise"),
        ({"v": "2", "model": "logistic"}, "noise"),
        ({"v": "2", "asked": "epsilon"}, "epsilon"),
        ({"v": "2", "asked": "epsilon", "budget": "2"}, "epsilon"),
        ({"v": "2", "asked": "epsilon", "noise_multiplier": "5"}, "epsilon"),
        ({"noise_multiplier": "20"}, "noise"),
        ({}, "epsilon"),
        ({"v": "3"}, "epsilon"),
    ],
)
def test_a_link_means_what_it_meant_before_epsilon_was_asked_for(link, asked):
    params, problems = DescentParams.from_link(link)
    assert not problems
    assert params.asked == asked
    usual = "1" if link.get("v") in ("1", "2") else "0.5"
    assert params.budget == float(link.get("budget", usual))
    assert DescentParams.from_link({**params.to_link(), "v": "3"})[0] == params
    assert params.noise_multiplier == float(link.get("noise_multiplier", 7.0))
