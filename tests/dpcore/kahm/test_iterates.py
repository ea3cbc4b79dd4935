"""The search for λ, step by step: the same fixed point as by the short way, as fast as proven."""

import itertools

import numpy as np
import pytest

from dpcore.kahm.hull import KAHM, kernel
from dpcore.kahm.ridge import Iteration, fixed_point, training_error


def problem(seed, N=25, p=3, factor=2.0):
    Y = np.random.default_rng(seed).random((N, p))
    K = kernel(KAHM(p).fit(Y).scores_)
    return K, Y, Iteration.of(K, Y, tau_factor=factor)


@pytest.mark.parametrize("seed", range(4))
def test_a_step_is_the_training_error_of_a_ridge_regression(seed):
    K, Y, found = problem(seed)
    errors = found.steps(0.3, 3)
    for before, after in itertools.pairwise(errors):
        assert after == pytest.approx(training_error(K, Y, before + found.tau), rel=1e-9)


@pytest.mark.parametrize("factor", [0.5, 2.0, 16.0])
def test_it_ends_where_the_short_way_ends_and_is_as_fast_as_proven(factor):
    K, Y, found = problem(5, factor=factor)
    end = fixed_point(K, Y, tau_factor=factor, tol=1e-13).lam - found.tau
    for start in (0.0, found.mean_square / 2, 100 * found.mean_square):
        gaps = np.abs(found.steps(start, 12) - end)
        assert (gaps[1:] <= found.rate * gaps[:-1] + 1e-12).all()
        assert gaps[-1] < 1e-4 * found.mean_square
    assert found.rate == pytest.approx(8 / (27 * factor))


def test_a_wrong_factor_is_named():
    with pytest.raises(ValueError, match="tau_factor"):
        Iteration.of(np.eye(2), np.ones((2, 1)), tau_factor=0.2)
