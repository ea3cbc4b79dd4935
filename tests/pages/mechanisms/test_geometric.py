"""Noise on whole numbers comes closer to a count than any on real numbers, and the page says so of counts alone."""

import numpy as np
import pytest

from dpcore.experiments import mechanisms
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.mechanisms import MechanismsParams
from dpcore.experiments.mechanisms.additive import geometric_error
from pages.mechanisms.figure import figure
from pages.mechanisms.pipeline import PIPELINE


def panel(**settings):
    found = figure(PIPELINE.still(MechanismsParams(**settings)))
    return next(one for one in found.panels if one.key == "errors")


@pytest.mark.parametrize(("epsilon", "error"), [(1.0, 0.851), (5.0, 0.0135)])
def test_the_mean_error_is_that_of_the_distribution(epsilon, error):
    assert geometric_error(epsilon) == pytest.approx(error, rel=3e-3)
    z = np.arange(-2000, 2001)
    a = np.exp(-epsilon)
    p = (1 - a) / (1 + a) * a ** np.abs(z).astype(float)
    assert (np.abs(z) * p).sum() == pytest.approx(float(geometric_error(epsilon)))
    assert np.abs(np.diff(np.log(p[1990:2011]))).max() == pytest.approx(epsilon)  # ε-private


def test_it_is_closer_than_staircase_noise_at_every_epsilon():
    errors = mechanisms.compare().errors
    assert len(errors["geometric"]) == len(EPSILON_GRID)
    assert (errors["geometric"] < errors["staircase"]).all()


def test_only_of_a_count_it_is_told_that_it_is_closer():
    count, mean = panel(question="count"), panel(question="mean")
    assert "0.851, staircase noise by 0.960" in count.caption
    assert "geometric" not in mean.caption
    for found in (count, mean):
        assert "For answers that are real numbers" in found.caption
