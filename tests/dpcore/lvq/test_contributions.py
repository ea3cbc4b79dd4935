"""What one record adds to the sum that gets noise: at most C, for hostile numbers, in every backend."""

import numpy as np
import pytest

from dpcore.lvq import clipped_sum, lanes, matrix, matrix_train, train
from dpcore.sgd import Lots

ONE = Lots(np.array([0], np.int32), np.array([0, 1]))
NONE = Lots(np.zeros(0, np.int32), np.array([0, 0]))
GAPS = (0.0, 1e-45, 1e-38, 1e-22, 1e-15, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.3)
SIZES = (0.0, 1e-40, 1e-20, 1e-3, 0.7, 1.0, 1.0, 1.0, 100.0, 1e6, 1e10, 1e19, 1e25, 3e38, 1e300)
DIMS = (1, 1, 2, 3, 5, 8, 17, 40)
CLIPS = (1e-6, 0.01, 0.5, 2.0, 1000.0)


def hostile(rng):
    """Return a record, its prototypes and their classes: all near one place, corners, huge, tiny."""
    d, P = int(rng.choice(DIMS)), int(rng.integers(2, 5))
    size = rng.choice(SIZES)
    centre = size * rng.choice([-1.0, 0.0, 0.5, 1.0, rng.uniform(-1, 1)], d)
    x = centre + rng.choice(GAPS) * rng.standard_normal(d)
    W = centre + rng.choice(GAPS, (P, 1)) * rng.standard_normal((P, d))
    if rng.random() < 0.2:
        W[-1] = W[0]
    if rng.random() < 0.02:
        x[0] = rng.choice([np.nan, np.inf, -np.inf])
    labels = np.arange(P) % 2
    with np.errstate(over="ignore"):
        x = x.astype(rng.choice([np.float32, np.float64]))
    return x[None], W, labels, float(rng.choice(CLIPS))


def settings(clip, levels):
    return {
        "noise_multiplier": np.zeros(levels), "clip_norm": np.full(levels, clip), "snapshots": [1],
        "learning_rate": 1.0, "expected_lot": 1.0, "key": 1, "average": False, "bounds": None,
    }  # fmt: skip


def contribution(rng, backend, levels=1, matrices=False):
    """Return |added| / C, measured as a step from where float32 hides nothing of it.

    A step is put beside the step of the empty lot, with noise that cancels none: σ = 0.
    """
    x, W, labels, clip = hostile(rng)
    W = np.clip(W, -1e9, 1e9)
    y, first = rng.integers(0, 2, 1), np.repeat(W[None], levels, 0)
    options = settings(clip, levels) | {"backend": backend}
    if not matrices:
        found = (train.sweep(x, y, first, labels, ONE, **options),)
        start = (train.sweep(x, y, first, labels, NONE, **options),)
    else:
        rank = int(rng.integers(1, W.shape[1] + 1))
        omega = rng.choice(SIZES[1:11]) * rng.standard_normal((rank, W.shape[1]))
        found = matrix_train.sweep(x, y, first, omega, labels, ONE, **options)
        start = matrix_train.sweep(x, y, first, omega, labels, NONE, **options)
    moved, lost = 0.0, 0.0
    for after, before in zip(found, start, strict=True):
        assert np.isfinite(after).all()
        moved += np.square(after[0].astype(float) - before[0]).sum()
        lost += np.square(np.spacing(np.maximum(np.abs(after[0]), np.abs(before[0]))) / 2.0).sum()
    # The iterate is rounded after the noise: half a last digit of each number is not the sum's.
    return max(np.sqrt(moved) - np.sqrt(lost), 0) / clip


BACKENDS = [
    ("numpy", 1, False), ("numba", 1, False), ("numba", 8, False), ("numpy", 1, True),
    ("numba", 1, True),
]  # fmt: skip


def worst(backend, levels, matrices, trials, seed):
    assert lanes.fits(8, 40 * 4)
    rng = np.random.default_rng(seed)
    found = [contribution(rng, backend, levels, matrices) for _ in range(trials)]
    return max(found), sum(v > 1 for v in found)


@pytest.mark.parametrize(("backend", "levels", "matrices"), BACKENDS)
def test_one_record_adds_at_most_the_clipping_norm(backend, levels, matrices):
    largest, _ = worst(backend, levels, matrices, 400, 7)
    assert largest <= 1
    assert largest > 0.99  # or the attack found nothing to clip


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "levels", "matrices"), BACKENDS)
def test_one_record_adds_at_most_the_clipping_norm_in_six_thousand_steps(backend, levels, matrices):
    assert worst(backend, levels, matrices, 6000, 8)[0] <= 1


@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_two_prototypes_close_to_a_record(backend):
    path = train.sweep(
        np.array([[0.7]]), [0], np.array([[[0.7002], [0.6997]]], "f4"), [0, 1], ONE,
        noise_multiplier=0.0, clip_norm=0.5, learning_rate=1.0, expected_lot=1.0, key=1,
        snapshots=[0, 1], average=False, bounds=None, backend=backend,
    )  # fmt: skip
    assert np.linalg.norm(path[0, 1] - path[0, 0]) / 0.5 <= 1


@pytest.mark.parametrize("backend", ["numpy", "numba"])
@pytest.mark.parametrize("gap", [1e-3, 1e-4, 1e-5, 1e-6, 1e-7])
@pytest.mark.parametrize("rank", [1, 4])
@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e-8, 1e-15])
def test_prototypes_that_nearly_coincide_and_a_small_matrix(backend, gap, rank, scale):
    rng = np.random.default_rng(3)
    for _ in range(5):
        centre = rng.uniform(-1, 1, 4)
        W = centre + gap * rng.standard_normal((1, 2, 4))
        omega = scale * matrix.start(4, rank)
        options = settings(0.5, 1) | {"backend": backend, "snapshots": [0, 1]}
        found = matrix_train.sweep(centre[None], [0], W, omega, [0, 1], ONE, **options)
        moved = [np.linalg.norm(path[0, 1].astype(float) - path[0, 0]) for path in found]
        assert np.hypot(*moved) / 0.5 <= 1 + 1e-6


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_sums_that_are_shown_are_bounded_too(dtype):
    rng = np.random.default_rng(5)
    for _ in range(300):
        x, W, labels, clip = hostile(rng)
        x, W = (np.clip(v, -1e30, 1e30).astype(dtype) for v in (x, W))
        y = rng.integers(0, 2, 1)
        assert (
            np.linalg.norm(clipped_sum(x, y, W=W, labels=labels, clip_norm=clip).astype(float))
            <= clip
        )
        omega = rng.standard_normal((2, W.shape[1])).astype(dtype)
        parts = matrix.clipped_sum(x, y, W, omega, labels, clip)
        assert np.hypot(*(np.linalg.norm(v.astype(float)) for v in parts)) <= clip * (1 + 1e-6)


@pytest.mark.parametrize("backend", ["numpy", "numba"])
@pytest.mark.parametrize("matrices", [False, True])
def test_a_large_lot_differs_by_its_record_alone(backend, matrices):
    """Sums of 20,000 records: float32 would lose as much as the record there."""
    rng = np.random.default_rng(1)
    X = np.repeat(rng.uniform(-1, 1, (1, 3)), 20_001, 0) + 1e-3 * rng.standard_normal((20_001, 3))
    W = rng.uniform(-1, 1, (1, 2, 3))
    whole = Lots(np.arange(20_001, dtype=np.int32), np.array([0, 20_001]))
    options = settings(0.01, 1) | {"backend": backend, "learning_rate": 1e-2}
    where = []
    for lots in (whole, whole.without(77)):
        if matrices:
            found = matrix_train.sweep(
                X, np.zeros(20_001, int), W, np.eye(3), [0, 1], lots, **options
            )
        else:
            found = (train.sweep(X, np.zeros(20_001, int), W, [0, 1], lots, **options),)
        where.append(np.concatenate([path[0, 0].ravel() for path in found]).astype(float))
    rounding = np.sqrt(where[0].size) * 2.0**-23 * np.abs(where[0]).max()
    assert np.linalg.norm(where[0] - where[1]) <= 1e-2 * 0.01 + rounding
