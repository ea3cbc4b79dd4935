"""The published uses: every row complete, ρ by one rule with published numbers, no total of a daily ε."""

import pytest

from dpcore.experiments.choose.releases import (
    Deployment,
    deployments,
    epsilon_of_rho,
    groups,
)


@pytest.mark.parametrize(
    ("rho", "epsilon"), [(4.96, 25.41), (7.70, 33.29), (2.56, 17.16), (0.81, 8.92)]
)
def test_rho_is_converted_as_recomputed_elsewhere(rho, epsilon):
    assert epsilon_of_rho(rho) == pytest.approx(epsilon, abs=0.006)


def test_the_conversion_is_the_least_over_all_orders():
    import numpy as np

    for rho in (0.015, 1.0, 20.0):
        a = 1 + np.geomspace(1e-3, 5e3, 400_000)
        every = rho * a + np.log(1 / (a * 1e-10)) / (a - 1) + np.log1p(-1 / a)
        assert epsilon_of_rho(rho) == pytest.approx(every.min(), rel=1e-6)


def test_every_row_has_a_source_and_stands_in_one_group():
    rows = deployments()
    assert len(rows) >= 35
    assert len({row.name for row in rows}) == len(rows)
    assert all(row.source and row.unit and row.period for row in rows)
    assert sorted(row.name for part in groups().values() for row in part) == sorted(
        row.name for row in rows
    )
    for (unit, period, model), part in groups().items():
        assert {(row.unit, row.period, row.model) for row in part} == {(unit, period, model)}
        assert [row.year for row in part] == sorted(row.year for row in part)  # not by ε


def test_what_is_spent_daily_is_as_published_and_no_total():
    daily = {row.name: row.high for row in deployments() if row.period == "each day"}
    assert daily["Google: Community Mobility Reports"] == 2.64
    assert max(daily.values()) <= 16
    assert not any("per year" in row.period for row in deployments())


def test_a_row_without_a_source_is_refused():
    good = vars(deployments()[0])
    for wrong in ({"source": ""}, {"model": "magic"}, {"low": 9.0, "high": 1.0}):
        with pytest.raises(ValueError, match="is not allowed"):
            Deployment(**good | wrong)
