"""λ as a fixed point: unique, proved bounds, two ways to compute it."""

import math

import numpy as np
import pytest

from dpcore.kahm.hull import encode, kernel
from dpcore.kahm.ridge import fixed_point, training_error


def random_data(seed, N=40, p=6):
    return np.random.default_rng(seed).random((N, p))


@pytest.mark.parametrize("p", [3, 60])
def test_lambda_is_the_unique_fixed_point_wherever_the_start(p):
    Y = random_data(1, 30, p)
    K, mean_square = kernel(encode(Y, 5).scores(Y)), np.square(Y).mean()
    found = [fixed_point(K, Y, tol=1e-14, start=e * mean_square).lam for e in (0, 0.5, 1, 100, 1e6)]
    assert np.ptp(found) <= 1e-12 * mean_square
    assert 2 * mean_square <= found[0] < 3 * mean_square
    error = training_error(K, Y, found[0])
    assert found[0] == pytest.approx(error + 2 * mean_square, rel=1e-12)
    assert found[0] > error


def test_the_error_is_a_contraction_with_the_proved_rate():
    Y = random_data(2)
    K, m = kernel(encode(Y, 6).scores(Y)), np.square(random_data(2)).mean()
    e = np.linspace(0, 3, 12) * m
    R = np.array([training_error(K, Y, one + 2 * m) for one in e])
    slopes = np.diff(R) / np.diff(e)
    assert (slopes >= 0).all()
    assert (slopes <= 4 / 27).all()
    assert R.min() >= 0
    assert R.max() < m


def test_eigenvalues_and_factorisations_agree():
    Y = random_data(3, 30, 29)
    wide = np.hstack([Y, np.zeros((30, 2))])
    K = kernel(encode(Y, 5).scores(Y))
    narrow = fixed_point(K, Y, tol=1e-14)
    # Zero columns change M₀ by p alone, so τ is kept by the factor.
    other = fixed_point(K, wide * math.sqrt(31 / 29), tol=1e-14)
    assert other.lam == pytest.approx(narrow.lam, rel=1e-12)
    assert other.alpha == pytest.approx(narrow.alpha, rel=1e-9)
    B = random_data(4, 30, 2)
    assert other.solve(B) == pytest.approx(narrow.solve(B), rel=1e-9)


def test_two_factorisations_are_the_rule(digits):
    X, _, y, _ = digits()
    K = kernel(encode(X[y == 3], 20).scores(X[y == 3]))
    assert fixed_point(K, X[y == 3]).n_iter <= 2


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fixed_point(np.eye(2), np.zeros((2, 1))), "all zero"),
        (lambda: fixed_point(np.eye(5), np.ones((5, 2)), start=-1), "start=-1"),
        (lambda: fixed_point(np.eye(5), np.ones((5, 2)), max_iter=0), "max_iter=0"),
    ],
)
def test_bad_arguments_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
