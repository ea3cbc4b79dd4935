"""The training loop: compiled and plain agree, threads and company change nothing."""

import numpy as np
import pytest

from dpcore import sgd
from dpcore._noise import unit_normals
from dpcore.lvq import clipped_sum, train
from tests.stopping import Stopped, stop_after

SIGMAS = np.array([0.0, 0.3, 2.0, 9.0, 40.0])


def problem(n=150, d=3, k=3, m=2, q=0.05, steps=120):
    rng = np.random.default_rng(5)
    X = rng.uniform(-1, 1, (n, d)).astype(np.float32)
    start = np.repeat(rng.uniform(-1, 1, (1, k * m, d)), len(SIGMAS), 0)
    lots = sgd.poisson_lots(n, q, n_steps=steps, rng=rng)
    return (X, np.arange(n) % k, start, np.repeat(np.arange(k), m), lots), {
        "noise_multiplier": SIGMAS,
        "clip_norm": 0.5,
        "learning_rate": 0.1,
        "expected_lot": n * q,
        "key": 99,
        "snapshots": [0, 1, 60, steps],
    }


def test_compiled_and_plain_loop_give_the_same_numbers():
    data, options = problem()
    fast = train.sweep(*data, **options, backend="numba")
    plain = train.sweep(*data, **options, backend="numpy")
    assert np.abs(fast - plain).max() < 2e-5


@pytest.mark.parametrize("backend", ["numba", "numpy"])
def test_threads_do_not_change_a_bit(backend):
    data, options = problem()
    one = train.sweep(*data, **options, backend=backend)
    for threads in (2, 3, 8):
        found = train.sweep(*data, **options, backend=backend, threads=threads)
        assert (found == one).all()


def test_a_level_in_company_is_the_level_alone():
    (X, y, start, labels, lots), options = problem()
    together = train.sweep(X, y, start, labels, lots, **options)
    for k in range(len(SIGMAS)):
        alone = train.sweep(
            X, y, start[[k]], labels, lots, **{**options, "noise_multiplier": SIGMAS[[k]]}
        )
        assert (alone[0] == together[k]).all()


def company(n_levels):
    """As `problem`, at so many levels that small models go through the loop side by side."""
    (X, y, start, labels, lots), options = problem()
    sigma = np.geomspace(0.3, 40, n_levels)
    clip = np.full(n_levels, 0.5)
    sigma[-1], clip[-1] = 0.0, np.inf
    data = X, y, np.repeat(start[:1], n_levels, 0), labels, lots
    return data, options | {"noise_multiplier": sigma, "clip_norm": clip}


@pytest.mark.parametrize("n_levels", [8, 26, 32, 70])
def test_levels_side_by_side_are_the_levels_one_after_the_other(n_levels):
    data, options = company(n_levels)
    fast = train.sweep(*data, **options, backend="numba")
    plain = train.sweep(*data, **options, backend="numpy")
    assert np.abs(fast - plain).max() < 2e-5
    for threads in (2, 8):
        assert (train.sweep(*data, **options, backend="numba", threads=threads) == fast).all()


def test_levels_side_by_side_tell_how_far_they_are_and_stop():
    data, options = company(70)
    lots = sgd.poisson_lots(len(data[0]), 0.5, n_steps=20_000, rng=np.random.default_rng(0))
    told = []
    options["snapshots"] = [0, 20_000]
    with pytest.raises(Stopped):
        train.sweep(
            *data[:4], lots, **options, backend="numba", progress=told.append,
            check=stop_after(2, told),
        )  # fmt: skip
    assert told == sorted(told)
    assert 0 <= told[-1] < 1


def test_one_step_is_the_formula():
    (X, y, start, labels, lots), options = problem()
    found = train.sweep(X, y, start, labels, lots, **{**options, "average": False})
    lot = lots.indices[: lots.offsets[1]]
    z = unit_normals(99, 0, start[0].size).reshape(start[0].shape)
    for k, sigma in enumerate(SIGMAS):
        total = clipped_sum(
            X[lot], y[lot], W=start[k].astype(np.float32), labels=labels, clip_norm=0.5
        )
        step = 0.1 * (total + sigma * 0.5 * z) / (150 * 0.05)
        np.testing.assert_allclose(found[k, 1], np.clip(start[k] - step, -1, 1), atol=2e-6)


def test_empty_lots_are_noised_too():
    (X, y, start, labels, _), options = problem()
    empty = sgd.Lots(np.zeros(0, np.int32), np.zeros(2, np.int64))
    found = train.sweep(X, y, start, labels, empty, **{**options, "snapshots": [0, 1]})
    assert (found[0, 0] == found[0, 1]).all()
    assert (found[2, 0] != found[2, 1]).any()


def test_projection_keeps_prototypes_in_the_domain_and_can_be_switched_off():
    data, options = problem()
    assert np.abs(train.sweep(*data, **options)).max() <= 1
    assert np.abs(train.sweep(*data, **options, bounds=None)).max() > 1


def test_clip_norm_of_each_level_is_its_own():
    (X, y, start, labels, lots), options = problem()
    options |= {"noise_multiplier": np.zeros(5), "clip_norm": [0.1, 0.1, 0.5, 5.0, np.inf]}
    found = train.sweep(X, y, start, labels, lots, **options)
    assert (found[0] == found[1]).all()
    moved = np.abs(found[:, -1] - found[:, 0]).sum((1, 2))
    assert moved[0] < moved[2] < moved[3] <= moved[4] * 1.5


def test_progress_and_cancel():
    data, options = problem(n=4000, d=30, q=0.5, steps=4000)
    told = []
    with pytest.raises(Stopped):
        train.sweep(*data, **options, progress=told.append, check=stop_after(1, told))
    assert told
    assert 0 <= told[0] < 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"noise_multiplier": -1.0}, "noise_multiplier"),
        ({"clip_norm": 0.0}, "clip_norm"),
        ({"clip_norm": np.inf}, "finite clip_norm"),
        ({"clip_norm": 1e-30}, "1e-9 to 1e9"),
        ({"clip_norm": 1e30}, "1e-9 to 1e9"),
        ({"noise_multiplier": 1e300}, "at most 1e9"),
        ({"learning_rate": 0.0}, "learning_rate"),
        ({"learning_rate": 1e30}, "learning_rate"),
        ({"learning_rate": 1e300, "expected_lot": 1e299}, "learning_rate"),
        ({"expected_lot": 1e-300}, "learning_rate"),
        ({"key": -1}, "key"),
        ({"expected_lot": 0.0}, "expected_lot"),
        ({"snapshots": [0, 5, 5]}, "increasing"),
        ({"snapshots": [500]}, "increasing"),
        ({"schedule": "cosine"}, "schedule"),
        ({"backend": "fortran"}, "backend"),
    ],
)
def test_bad_arguments_are_named(change, words):
    data, options = problem()
    with pytest.raises(ValueError, match=words):
        train.sweep(*data, **{**options, **change})


@pytest.mark.parametrize("backend", ["numba", "numpy"])
def test_the_largest_steps_and_noise_stay_finite(backend):
    data, options = problem()
    options |= {"learning_rate": 7e9, "clip_norm": 1e9, "noise_multiplier": 1e9, "bounds": None}
    assert np.isfinite(train.sweep(*data, **options, backend=backend)).all()


def test_one_class_of_prototypes_is_refused():
    (X, y, start, _, lots), options = problem()
    with pytest.raises(ValueError, match="at least two"):
        train.sweep(X, y, start, np.zeros(6, int), lots, **options)
