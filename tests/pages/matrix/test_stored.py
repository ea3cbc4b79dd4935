"""The stored models are those that the page's default parameters give."""

from dataclasses import fields

import numpy as np
import pytest

from dpcore.experiments import matrix
from dpcore.experiments.matrix import MatrixParams
from pages.matrix.figure import figure
from pages.matrix.pipeline import PIPELINE
from pages.matrix.stored import OPENING, last_epoch, stored_study

USUAL = MatrixParams()


def assert_close(stored, now, *, but=()):
    for one in fields(now):
        if one.name not in but:
            np.testing.assert_allclose(
                getattr(stored, one.name), getattr(now, one.name), atol=1e-4, err_msg=one.name
            )


def test_the_stored_models_are_those_computed_anew():
    now, stored = last_epoch(matrix.run_study(matrix.problem_of(USUAL), USUAL)), stored_study(USUAL)
    assert_close(stored.sweep, now.sweep, but=("params",))
    assert_close(stored.views, now.views)
    assert_close(stored.best, now.best)
    assert_close(stored, now, but=("sweep", "views", "best"))


def test_the_file_is_small():
    assert OPENING.stat().st_size < 250_000


@pytest.mark.parametrize("change", [{"seed": 9}, {"sample_rate": 0.5}, {"dataset": "wine"}])
def test_other_parameters_have_no_stored_models(change):
    assert stored_study(USUAL.but(**change)) is None


def test_the_page_opens_with_the_models_at_every_epsilon():
    drawn = figure(PIPELINE.ready(USUAL.but(epsilon=2.0)))
    at = [drawn.evaluate("profile", {"epsilon": epsilon}) for epsilon in (0.5, 2.0, 10.0)]
    assert not np.allclose(at[0], at[1])
    assert not np.allclose(at[1], at[2])
    assert "best_profile" in drawn.arrays
