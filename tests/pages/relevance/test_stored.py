"""The stored trainings are those that the page's default parameters give."""

from dataclasses import fields
from itertools import islice

import numpy as np
import pytest

from dpcore.experiments import relevance
from dpcore.experiments.relevance import RelevanceParams
from pages.relevance.stored import N_DRAWS, stored_outcomes, stored_sweep

USUAL = RelevanceParams()


def test_the_stored_sweep_is_that_sweep_computed_anew():
    stored, now = stored_sweep(USUAL), relevance.run_sweep(relevance.problem_of(USUAL), USUAL)
    for one in fields(now):
        if one.name != "params":
            np.testing.assert_allclose(
                getattr(stored, one.name), getattr(now, one.name), atol=2e-5, err_msg=one.name
            )


def test_the_first_stored_outcomes_are_those_computed_anew():
    problem = relevance.problem_of(USUAL)
    person = relevance.chosen_person(problem, USUAL)
    *_, now = islice(relevance.run_outcomes(problem, USUAL, person, n_draws=N_DRAWS), 2)
    stored = stored_outcomes(USUAL)
    assert len(stored.errors) == N_DRAWS
    np.testing.assert_allclose(stored.nodes, now.nodes)
    done = len(now.errors)
    for name in ("errors", "with_record", "without_record"):
        np.testing.assert_allclose(
            getattr(stored, name)[:done], getattr(now, name), atol=2e-5, err_msg=name
        )


@pytest.mark.parametrize(
    "change", [{"seed": 9}, {"sample_rate": 0.5}, {"person": 50}, {"dataset": "spirals"}]
)
def test_other_parameters_have_no_stored_trainings(change):
    assert stored_sweep(USUAL.but(**change)) is None
    assert stored_outcomes(USUAL.but(**change)) is None


def test_every_epsilon_has_the_same_stored_trainings():
    other = stored_sweep(USUAL.but(epsilon=5.0))
    np.testing.assert_array_equal(other.prototypes, stored_sweep(USUAL).prototypes)
    assert other.params.epsilon == 5.0
