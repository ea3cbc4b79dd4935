"""Bounds that were read from a table: one far value costs mistakes, and the page says so only where it does."""

import numpy as np

from dpcore.datasets import OwnChoices, own_table, read_csv
from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams
from pages.choose.words import far_values

PARAMS = ChooseParams(dataset="own", epsilon=1.0)


def problem(far):
    """300 incomes from 0 to 100, four of them far out where that is asked for."""
    rng = np.random.default_rng(0)
    incomes = rng.uniform(0, 100, 300)
    kinds = incomes > 50
    incomes[[10, 60, 100, 200]] = np.where(far, 2750.0, incomes[[10, 60, 100, 200]])
    rows = "\n".join(
        f"{a:.2f},{'ja' if b else 'nein'}" for a, b in zip(incomes, kinds, strict=True)
    )
    said = OwnChoices(
        task="classification", target="kind", features=("income",), public=("n", "classes")
    )
    made = own_table(read_csv(f"income,kind\n{rows}".encode()), said)
    return choose.Problem(made.data, made.groups, made)


def test_a_far_value_is_named_with_what_it_costs_against_narrower_bounds():
    one = problem(True)
    found = choose.far_values(one, PARAMS)
    assert found.wide.value > found.narrow.value + 0.1
    assert found.more.leaves_out_zero
    said = far_values(one, PARAMS, found)
    assert "The bounds cost mistakes" in said
    assert "leave out the lowest and highest 1 %" in said


def test_without_a_far_value_nothing_is_said():
    one = problem(False)
    found = choose.far_values(one, PARAMS)
    assert abs(found.more.value) < 0.1
    assert far_values(one, PARAMS, found) == ""
    assert far_values(one, PARAMS, None) == ""
