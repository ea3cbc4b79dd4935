"""A random state becomes noise of our own; no reading of it asks for the global state or is short."""

import copy
import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone

import dpcore
from dpcore._random_state import (
    ForgetsNoise,
    SeededNoiseWarning,
    generator,
    is_secret,
    seed_sequence,
    warn_if_seeded,
)
from dpcore.guarantee import Guarantee


def test_a_seed_names_a_stream_and_none_does_not():
    assert generator(7).random() == generator(7).random() == np.random.default_rng(7).random()
    assert generator(None).random() != generator(None).random()


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_a_generator_moves_on_and_is_not_kept(make):
    given = make(3)
    first, second = generator(given), generator(given)
    assert first is not given
    assert first.random() != second.random()
    assert generator(make(3)).random() == generator(make(3)).random()


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_at_least_128_bits_come_from_a_generator(make):
    entropy = seed_sequence(make(0)).entropy
    assert len(entropy) == 8
    seen = np.array([seed_sequence(make(i)).entropy for i in range(64)], np.uint64)
    for column in range(8):  # every bit of every word is both 0 and 1 somewhere: 2^-63 by chance
        both = np.bitwise_or.reduce(seen[:, column]) & ~np.bitwise_and.reduce(seen[:, column])
        assert both == 2**32 - 1


def test_a_large_seed_is_used_in_full():
    assert generator(5).random() != generator(5 + 2**130).random()


@pytest.mark.parametrize("wrong", [-1, 0.5, "seed", True])
def test_a_wrong_state_is_named(wrong):
    with pytest.raises(ValueError, match="random_state"):
        generator(wrong)


def test_only_fresh_entropy_is_secret_and_a_seed_is_warned_of():
    assert is_secret(None)
    assert not is_secret(0)
    with pytest.warns(SeededNoiseWarning, match="stays secret"):
        warn_if_seeded(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_seeded(None)


class Release(ForgetsNoise, BaseEstimator):
    def __init__(self, epsilon=1.0, random_state=None):
        self.epsilon = epsilon
        self.random_state = random_state

    def fit(self):
        made = Guarantee(
            epsilon=self.epsilon, delta=0, neighbouring="add_remove", status="proved", argument=""
        )
        self._seal(made)
        return self


def passed_on(estimator):
    return [pickle.loads(pickle.dumps(estimator)), copy.copy(estimator), copy.deepcopy(estimator)]


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_a_generator_is_left_out_of_pickles_and_copies(make):
    given = make(3)
    model = Release(random_state=given).fit()
    assert model.get_params()["random_state"] is model.random_state is given
    assert isinstance(clone(model).random_state, type(given))
    for other in passed_on(model):
        assert other.random_state is None
        assert "left out" in other._left_out
        assert other.privacy_ == model.privacy_


@pytest.mark.parametrize("state", [3, None])
def test_a_whole_number_stays_the_parameter(state):
    for other in passed_on(Release(random_state=state).fit()):
        assert other.random_state == state
        assert not hasattr(other, "_left_out")


def test_the_seal_warns_once_where_the_fit_was_called():
    with pytest.warns(dpcore.SeededNoiseWarning) as found:
        model = Release(random_state=3).fit()
    assert [one.filename for one in found] == [__file__]
    assert model.privacy_.status == "proved_under_assumption"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Release().fit().privacy_.status == "proved"
        assert Release(np.inf, 3).fit().privacy_.status == "proved"
