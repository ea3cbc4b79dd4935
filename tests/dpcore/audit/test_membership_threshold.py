"""Whom a test points at: right at every prior, its limit never tried where it was set."""

import math

import numpy as np
import pytest
from scipy.special import ndtr

from dpcore import audit


@pytest.mark.parametrize("prior", [0.5, 0.1, 0.01])
def test_a_test_is_right_as_often_as_it_is_at_the_readers_prior_and_not_as_its_auc(prior):
    """Fits of N(0, 1) and N(2, 1): the best limit is 1; right 84.1 % of the time, where the AUC is 92.1 %.

    40,000 people: standard errors below 0.005; ten of them are allowed, at a false alarm of 10^-20.
    """
    rng = np.random.default_rng(0)
    fits = [rng.standard_normal((1, 1, 40_000)) + at for at in (0, 2)]
    found = audit.pointed_at(*fits, rng=rng)
    assert found.right == pytest.approx(ndtr(1), abs=0.02)
    hits, false = ndtr(1), ndtr(-1)
    pointed = prior * hits / (prior * hits + (1 - prior) * false)
    odds = found.log_odds + math.log(prior / (1 - prior))
    assert 1 / (1 + np.exp(-odds)) == pytest.approx(pointed, abs=0.03)


def test_a_limit_that_suits_those_it_was_set_on_proves_nothing():
    """Members and others alike: were the limit tried where it was set, it would seem right in 60 of 100.

    200 divisions and fits: the standard error of the mean is 0.005; eight of them are allowed.
    """
    rng = np.random.default_rng(1)
    found = [
        audit.pointed_at(*rng.standard_normal((2, 1, 1, 30)), rng=rng).right for _ in range(200)
    ]
    assert np.mean(found) == pytest.approx(0.5, abs=0.04)


@pytest.mark.parametrize(
    ("members", "others"),
    [((1, 2, 5), (1, 3, 5)), ((1, 5), (1, 5)), ((1, 2, 1), (1, 2, 5)), ((1, 2, 5), (2, 2, 5))],
)
def test_scores_that_do_not_belong_together_are_refused(members, others):
    with pytest.raises(ValueError, match="are not allowed: give"):
        audit.pointed_at(np.zeros(members), np.zeros(others), rng=np.random.default_rng(0))
