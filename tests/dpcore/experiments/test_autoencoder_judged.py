"""The rivals, noise on noise and disorder of the autoencoder experiment: oracles and what must hold."""

from itertools import pairwise

import numpy as np
import pytest

from dpcore.autoencoder import KINDS, paper, similarity
from dpcore.autoencoder.private_network import NETWORK_PRESETS, NetworkRecipe
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams, releases, rivals
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.mechanisms import gaussian_epsilon, gaussian_sigma

PARAMS = AutoencoderParams(epsilon=2.4, digit=3)


@pytest.fixture(scope="module")
def problem():
    return autoencoder.digits_problem()


@pytest.fixture(scope="module")
def renoised():
    return autoencoder.run_renoised(PARAMS, trials=4000)


def test_noise_on_a_release_costs_nothing_and_a_second_look_less_than_twice(renoised):
    grid = np.array(EPSILON_GRID)
    assert (renoised.alone < grid).all()
    assert (renoised.original > grid).all()
    assert (renoised.original < renoised.printed).all()
    e = EPSILON_GRID.index(1.0)
    sigma = gaussian_sigma(1.0, 1.0, delta=1e-5)
    assert renoised.alone[e] == pytest.approx(
        gaussian_epsilon(sigma * 2**0.5, 1.0, delta=1e-5), rel=1e-4
    )
    assert renoised.original[e] == pytest.approx(
        gaussian_epsilon(sigma / 2**0.5, 1.0, delta=1e-5), rel=1e-4
    )


def test_attacks_show_no_more_than_is_true_and_more_where_there_is_more(renoised):
    """Fixed seed; at 95 % each of the fifty ε may be passed by chance, so the margin is a factor."""
    grid = np.array(EPSILON_GRID)
    assert (renoised.shown_release < 1.1 * grid).all()
    assert (renoised.shown_original < 1.1 * renoised.original).all()
    assert renoised.shown_original[-1] > renoised.shown_release[-1] > 1


def test_wrong_steps_are_counted_one_by_one():
    rows = np.random.default_rng(0).random((4, 3, 7))
    wanted = [[sum(b > a for a, b in pairwise(row)) for row in k] for k in rows]
    np.testing.assert_array_equal(releases.wrong_steps(rows), wanted)


def test_disorder_is_no_work_of_the_curves(problem):
    """The network's tangent, on which nothing is curved, puts as many steps out of order."""
    found = autoencoder.run_irregular(problem, PARAMS)
    assert found.printed.tolist() == [1, 1, 3]
    assert (np.abs(found.linear - found.fresh) < 1).all()
    assert (found.fresh > 1).all()
    best = np.array([paper.TABLES[kind].hellinger for kind in KINDS])
    assert found.hellinger.shape == found.middle.shape == best.shape
    lost = round(similarity.MISSING * 64 / 784) / (2 * 64)
    np.testing.assert_allclose(found.bhattacharyya + found.hellinger**2, 1 - lost, atol=1e-12)


def test_the_tangent_is_the_derivative_of_the_network(problem):
    """With hardly any noise, network and tangent agree to second order."""
    from dpcore.autoencoder import draw_noise, perturb_biases

    x = problem.everyone[:1]
    noise = draw_noise(problem.weights, 20, rng=np.random.default_rng(0))
    for epsilon, near in ((1e4, 2e-4), (1e5, 2e-6)):
        exact = perturb_biases(problem.weights, x, kind=KINDS, epsilon=epsilon, noise=noise)[
            0, :, :, 0
        ]
        straight = releases._tangent(problem.weights, x[0], epsilon, noise)
        assert np.abs(exact - straight).max() < near


def test_what_one_epsilon_of_the_rivals_is_made_of(problem, monkeypatch):
    monkeypatch.setattr(rivals, "taught", lambda problem, X, y: float(len(X)))
    monkeypatch.setattr(rivals, "_retrained", lambda problem, progress: None)
    monkeypatch.setitem(NETWORK_PRESETS, "digits", NetworkRecipe(n_steps=2))
    told = []
    steps = autoencoder.run_rivals(problem, PARAMS, progress=told.append)
    nothing, found = next(steps), next(steps)
    assert np.isnan(nothing.network_taught).all()
    done = np.isfinite(found.network_taught)
    assert done.tolist() == [True] + [False] * 6  # the least ε first
    assert found.network_taught[0] == found.generator_taught[0] == 2000
    assert (found.bias_taught[:, 0] == len(problem.pixels)).all()
    assert found.redrawn.shape == (7, 10, 10, 64)
    assert found.invented.shape == found.generated.shape == (7, 10, 64)
    assert np.isfinite(found.redrawn[0]).all()
    assert (found.bias_error[:, 0] > found.network_error[0] / 3).all()
    assert told == sorted(told)
    assert max(told) < 1
