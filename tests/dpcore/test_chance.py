"""A random state becomes a generator of ours; no reading of it asks for the global state."""

import numpy as np
import pytest

from dpcore._chance import generator


def test_a_seed_names_a_stream_and_none_does_not():
    assert generator(7).random() == generator(7).random() == np.random.default_rng(7).random()
    assert generator(None).random() != generator(None).random()


def test_a_generator_is_used_as_it_is_and_a_random_state_moves_on():
    rng = np.random.default_rng(0)
    assert generator(rng) is rng
    old = np.random.RandomState(3)
    assert generator(old).random() != generator(old).random()
    assert (
        generator(np.random.RandomState(3)).random() == generator(np.random.RandomState(3)).random()
    )


@pytest.mark.parametrize("wrong", [-1, 0.5, "seed", True])
def test_a_wrong_state_is_named(wrong):
    with pytest.raises(ValueError, match="random_state"):
        generator(wrong)
