"""Rounds of the game: six pictures of one digit, the published one where it is said to be, the batch's own noise."""

import numpy as np
import pytest

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import attacks, releases


@pytest.fixture(scope="module")
def problem():
    return autoencoder.digits_problem()


@pytest.mark.parametrize("seed", [0, 3])
def test_six_pictures_of_six_digits_hold_the_published_one(problem, seed):
    found = autoencoder.run_face_off(problem, seed)
    rows, _ = attacks.first_batch(problem, seed)
    for six, truth, row in zip(found.candidates, found.truth, rows, strict=False):
        assert len(set(problem.labels[six])) == autoencoder.N_CANDIDATES
        assert six[truth] == row
    assert len(set(found.truth.tolist())) > 1  # not always at the same place


@pytest.mark.parametrize("k", range(3))
def test_what_is_published_is_what_the_attacker_of_a_batch_sees(problem, k):
    found, v = autoencoder.run_face_off(problem, 0), 4
    who, batches = attacks._batches(problem, 0, v, k)
    node = int(np.argmin(abs(problem.nodes - attacks.LEVELS[v])))
    assert problem.nodes[node] == attacks.LEVELS[v]
    np.testing.assert_array_equal(found.candidates[range(10), found.truth], who[0][:10])
    np.testing.assert_allclose(found.released[node, k], batches[0][:10], atol=0.51 / 255)


def test_an_answer_is_told_among_the_six_or_as_another_picture(problem):
    found = autoencoder.run_face_off(problem, 0)
    right = found.candidates[range(10), found.truth].astype(float)
    assert autoencoder.picked_among(found, right).tolist() == found.truth.tolist()
    far = np.full(10, -1.0)
    assert (autoencoder.picked_among(found, far) == releases.ANOTHER).all()
    assert np.isnan(autoencoder.picked_among(found, np.full((2, 10), np.nan))).all()


def test_the_attacker_of_a_batch_finds_what_is_found_by_nobody_else(problem):
    """At ε = 0.8 and noise on the hidden biases all rounds are won; the answer is that of the share found."""
    found, v = autoencoder.run_face_off(problem, 0), autoencoder.LEVELS.index(0.8)
    cell = attacks._slow(problem, 0, v, KINDS.index("hidden"))
    assert (autoencoder.picked_among(found, cell["linked"]) == found.truth).all()
    assert cell["cancelled"] > 0.9
