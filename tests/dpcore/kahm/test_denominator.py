"""The denominator of a machine: its sign is that of the kernel sum, and it vanishes for some machines."""

import numpy as np
import pytest

from dpcore.kahm.denominator import _sums, denominator_along, least_denominator, random_machine


@pytest.mark.parametrize("seed", range(6))
def test_the_sign_is_that_of_the_kernel_sum(seed):
    model = random_machine(seed, 1.0)
    Z = model.scores_
    x = 2 * np.random.default_rng(seed).normal(size=(50, Z.shape[1]))
    distances = np.square(x[:, None] - Z[None]).sum(-1)
    direct = np.exp(-distances / (2 * Z.shape[1])) @ model.alpha_
    np.testing.assert_array_equal(np.sign(_sums(model, x)), np.sign(direct))


def test_positive_weights_keep_it_positive_and_others_may_not():
    least = [
        (random_machine(seed, 1.0), least_denominator(random_machine(seed, 1.0)))
        for seed in range(60)
    ]
    for model, value in least:
        if (model.alpha_ > 0).all():
            assert value == model.alpha_.min() > 0
    assert any(value < 0 for _, value in least)


def test_along_the_worst_direction_it_changes_its_sign():
    model = random_machine(57, 1.0)
    assert denominator_along(model, 0.0) > 0
    assert denominator_along(model, 64.0) < 0
