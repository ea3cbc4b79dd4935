"""Machines of many data sets at once: the same as one by one."""

import numpy as np
import pytest

from dpcore.experiments import kahm
from dpcore.experiments.kahm import KahmParams, picture
from dpcore.experiments.kahm.params import fabricated, hull_options
from dpcore.kahm import HullOptions
from dpcore.kahm.batched import deep_batch, fit_batch, images_batch
from dpcore.kahm.wide import Deep

SMALL = KahmParams(n_records=40, shape="spirals")


def sets(seed, count, N, p):
    return np.random.default_rng(seed).random((count, N, p))


@pytest.mark.parametrize(
    ("N", "p", "n"), [(12, 2, 2), (12, 2, 1), (30, 4, 3), (5, 8, 4), (1, 2, 2)]
)
def test_each_gets_the_machine_it_would_get_alone(N, p, n):
    options, Y = HullOptions(n_components=n, tol=1e-12), sets(1, 7, N, p)
    Y[3, :, 0] = 0.5  # does not vary in one direction
    Y[5] = 0.25  # nor in any
    query = sets(2, 1, 20, p)[0]
    for (machine, ridge), own in zip(fit_batch(Y, options), Y, strict=True):
        alone = options.machine()
        wanted = alone.fit_ridge(own)
        assert (ridge is None) == (wanted is None)
        assert machine.lam_ == pytest.approx(alone.lam_, rel=1e-11)
        np.testing.assert_allclose(machine.transform(query), alone.transform(query), atol=1e-8)


def test_layers_too():
    options, Y = HullOptions(n_components=2, n_layers=3, tol=1e-12), sets(3, 4, 15, 2)
    for machine, own in zip(deep_batch(Y, options), Y, strict=True):
        found, wanted = machine.image(own), Deep.fitted(own, options).image(own)
        np.testing.assert_allclose(found[0], wanted[0], atol=1e-8)


@pytest.mark.parametrize(
    ("n", "n_layers", "still"), [(2, 1, False), (1, 1, False), (2, 1, True), (2, 2, False)]
)
def test_images_of_each_set_are_those_of_its_machine(n, n_layers, still):
    options, Y = HullOptions(n_components=n, n_layers=n_layers), sets(4, 5, 14, 2)
    if still:
        Y[2, :, 1] = 0.5  # this machine has a direction less
    machines, places = deep_batch(Y, options), sets(5, 5, 9, 2)
    for machine, own, found in zip(machines, places, images_batch(machines, places), strict=True):
        np.testing.assert_allclose(found, machine.image(own)[0], atol=1e-10)


@pytest.mark.parametrize(
    "changed",
    [{}, {"operator": "rebuild"}, {"operator": "centred", "noise": "staircase"}, {"rounds": 0},
     {"block_size": 25, "n_records": 100}, {"atom": 0.1, "n_components": 1}, {"stop": "paper"}],
)  # fmt: skip
def test_all_draws_at_once_are_what_each_draw_gives(changed, monkeypatch):
    monkeypatch.setattr(picture, "N_DRAWS", 3)
    params = SMALL.but(**changed)
    X, y = kahm.picture_data(params.shape, params.n_records)
    options = hull_options(params, params.n_components)
    epsilons = (0.5, 20.0)
    for e, (found, gaps) in zip(epsilons, picture.published(X, y, params, epsilons), strict=True):
        for draw in range(3):
            single = fabricated(X, y, e, params, (params.seed, 1 + draw), options)
            np.testing.assert_allclose(found[draw], single.X, atol=1e-4 / e)
            assert gaps[draw] == pytest.approx(single.errors[-1].mean(), rel=1e-4)
