"""Machines of data sets with fewer records than values, together: the same as one by one."""

import numpy as np
import pytest

from dpcore.kahm import HullOptions
from dpcore.kahm.batched import distances_batch, fit_batch, smooth_batch
from dpcore.kahm.small_batched import fit_small_batch
from dpcore.kahm.smoothing import repeated
from dpcore.kahm.wide import Deep


def sets(seed, count, N, p):
    return np.random.default_rng(seed).random((count, N, p))


@pytest.mark.parametrize(
    ("N", "p", "n"), [(2, 3, 2), (5, 8, 4), (30, 31, 40), (12, 64, 20), (9, 200, 3)]
)
def test_each_gets_the_machine_it_would_get_alone(N, p, n):
    options, Y = HullOptions(n_components=n), sets(1, 6, N, p)
    few, places = fit_small_batch(Y, options), sets(2, 1, 50, p)[0]
    assert few is not None
    found = few.distances(places)
    for b, own in enumerate(Y):
        alone = options.machine()
        ridge = alone.fit_ridge(own)
        assert few.lam[b] == pytest.approx(alone.lam_, rel=1e-12)
        np.testing.assert_allclose(found[b], alone.distance(places), rtol=1e-7)
        np.testing.assert_allclose(few.solve(Y)[b], ridge.solve(own), atol=1e-9)
        machine, same = few.one(b, options.machine())
        np.testing.assert_allclose(machine.transform(places), alone.transform(places), atol=1e-8)
        np.testing.assert_allclose(same.solve(own), ridge.solve(own), atol=1e-9)


@pytest.mark.parametrize("operator", ["fixed", "centred", "rebuild"])
def test_rounds_are_those_of_each(operator):
    options, Y = HullOptions(n_components=5), 3 * sets(3, 4, 10, 20)
    last, after = smooth_batch(Y, 2, operator, options)
    for own, two, three in zip(Y, last, after, strict=True):
        now = [own]
        step = repeated(own, operator, options.machine().fit_ridge(own))
        for _ in range(3):
            if operator == "rebuild":
                now.append(options.machine().fit(now[-1]).transform(now[-1]))
            else:
                now.append(step(now[-1]))
        np.testing.assert_allclose(two, now[2], atol=1e-9)
        np.testing.assert_allclose(three, now[3], atol=1e-9)


@pytest.mark.parametrize("n_layers", [1, 2])
@pytest.mark.parametrize("N", [6, 12, 15])
def test_distances_are_those_of_each_machine(N, n_layers):
    """Fewer records than values, as many, and more."""
    options, Y = HullOptions(n_components=4, n_layers=n_layers), sets(4, 3, N, 12)
    places = sets(5, 1, 40, 12)[0]
    for own, found in zip(Y, distances_batch(Y, options, places), strict=True):
        np.testing.assert_allclose(found, Deep.fitted(own, options).distance(places), rtol=1e-5)


@pytest.mark.parametrize("what", ["one record", "as many records as values", "still", "equal"])
def test_what_is_out_of_the_ordinary_is_left_to_each(what):
    Y = sets(6, 3, *((1, 4) if what == "one record" else (5, 5 if what[:2] == "as" else 8)))
    if what == "still":
        Y[1, :, 1:] = 0.5  # varies along one direction alone
    if what == "equal":
        Y[2] = 0.25
    options = HullOptions(n_components=3)
    assert fit_small_batch(Y, options) is None
    for (machine, _), own in zip(fit_batch(Y, options), Y, strict=True):
        np.testing.assert_allclose(
            machine.transform(own), options.machine().fit(own).transform(own), rtol=1e-5
        )
