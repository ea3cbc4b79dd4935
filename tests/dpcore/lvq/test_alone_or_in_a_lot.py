"""What a record adds: the same bits alone and in any lot, at any place of it, in every backend."""

import numpy as np
import pytest

from dpcore.lvq import _compiled, _lanes_compiled, _reference, lanes, matrix_train
from dpcore.lvq.contributions import tame
from dpcore.sgd import Lots

DIMS = (1, 2, 3, 5, 8, 9, 16, 17, 31, 40, 64, 100)
CLIPS = 2.0 ** np.array([-20, -6, -1, 0, 3, 12])  # powers of two: sums of their units are exact
SPREADS = (0.0, 1e-7, 1e-3, 0.3, 1.0)
EXTREMES = (1e-30, 1e-6, 1e3, 1e9, 1e25)


def corners(rng, shape):
    """Return points of [-1, 1]^d: corners of the box, in which projections press prototypes, or within."""
    found = rng.uniform(-1, 1, shape)
    return np.where(rng.random(shape) < rng.choice([0.0, 0.5, 1.0]), np.sign(found), found)


def adversarial(rng, dims=DIMS, most=40):
    """Return a lot, a model with tied prototypes and Λ ≠ 1, and a clipping norm."""
    d, P, n = int(rng.choice(dims)), int(rng.integers(2, 12)), int(rng.integers(1, most))
    rank = d if rng.random() < 0.5 else int(rng.integers(1, d + 1))
    k = int(rng.integers(2, P + 1))
    labels = (np.arange(P) % k).astype(np.int32)
    W = corners(rng, (P, d))
    if rng.random() < 0.7:  # all of them in one place, or next to it
        W = W[:1] + rng.choice(SPREADS, (P, 1)) * rng.standard_normal((P, d))
    X = corners(rng, (n, d))
    if rng.random() < 0.5:
        X = np.repeat(X[:1], n, 0)
    omega = np.eye(rank, d) + rng.choice(SPREADS) * rng.standard_normal((rank, d))
    scale = [10.0 ** rng.integers(-6, 6) if rng.random() < 0.2 else 1.0 for _ in range(2)]
    if rng.random() < 0.05:
        scale[0] = rng.choice(EXTREMES)
    return (
        tame(X * (scale[0] if rng.random() < 0.5 else 1.0)),
        rng.integers(0, k, n).astype(np.int32), tame(W * scale[0]), tame(omega * scale[1], 1e6),
        labels, float(rng.choice(CLIPS)),
    )  # fmt: skip


def joint(backend):
    def sums(X, y, W, omega, labels, clip):
        found = matrix_train.lot_sums(X, y, W, omega, labels, clip, backend=backend)
        return np.concatenate([part.ravel() for part in found])

    return sums


def plain(X, y, W, omega, labels, clip):
    return _reference._clipped_sums(X, y, W[None], labels, np.array([clip], "f4")).ravel()


def compiled(X, y, W, omega, labels, clip):
    G, total = np.zeros(W.shape, np.int32), np.zeros(W.shape)
    slack = np.float32((X.shape[1] + 16) * 2.0**-24)
    rows = np.arange(len(X), dtype=np.int32)
    unit = _compiled._sum(X, y, rows, W, labels, np.float32(clip), slack, G, total)
    return (total + unit * G).ravel()


def side_by_side(X, y, W, omega, labels, clip):
    levels = np.full(lanes.LANES, clip, "f4")
    wide = np.ascontiguousarray(np.repeat(W[..., None], lanes.LANES, -1))
    G, total = np.zeros(wide.shape, np.int32), np.zeros(wide.shape)
    units, unit = np.float32(2.0**24) / levels, levels.astype(float) / 2.0**24
    most = np.float32((1 - np.float32((X.shape[1] + 16) * 2.0**-24)) * np.float32(2.0**24))
    rows = np.arange(len(X), dtype=np.int32)
    _lanes_compiled._sum(X, y, rows, wide, labels, units, most, unit, G, total)
    return (total + unit * G)[..., 0].ravel()


SUMS = {
    "GLVQ, numpy": plain, "GLVQ, numba": compiled, "GLVQ, numba, 32 levels": side_by_side,
    "GMLVQ, numpy": joint("numpy"), "GMLVQ, numba": joint("numba"),
}  # fmt: skip


def check(sums, draws, seed, **options):
    """Compare the contribution alone with the difference of lots, bit for bit; return how many add something."""
    rng, some = np.random.default_rng(seed), 0
    for _ in range(draws):
        X, y, *model = adversarial(rng, **options)
        i = int(rng.integers(len(X)))
        keep = np.arange(len(X)) != i
        alone = sums(X[i : i + 1], y[i : i + 1], *model)
        moved = sums(X, y, *model) - sums(X[keep], y[keep], *model)
        assert (moved == alone).all()
        assert np.linalg.norm(alone) <= model[-1]
        some += np.linalg.norm(alone) > 0.5 * model[-1]
    return some


@pytest.mark.parametrize("name", SUMS)
def test_a_record_adds_the_same_bits_alone_and_in_any_lot(name):
    slow = "numpy" in name
    draws, options = (300, {"dims": DIMS[:8], "most": 12}) if slow else (2000, {})
    assert check(SUMS[name], draws, 11, **options) > draws / 10


@pytest.mark.slow
@pytest.mark.parametrize("name", SUMS)
def test_a_record_adds_the_same_bits_in_two_thousand_lots_more(name):
    assert check(SUMS[name], 2000, 12) > 200


@pytest.mark.parametrize("backend", ["numpy", "numba"])
@pytest.mark.parametrize("seed", range(3))
def test_many_identical_records_do_not_change_their_winner_together(backend, seed):
    """Prototypes in one corner, Λ ≠ 1, d = 8: with 5,003 records for 5,002 the sum moved by 5,955 C."""
    rng, C = np.random.default_rng(seed), 0.5
    W = np.repeat(np.sign(rng.standard_normal((1, 8))), 10, 0).astype("f4")
    omega = tame(np.eye(8) + 0.3 * rng.standard_normal((8, 8)))
    x, labels = rng.uniform(-1, 1, (1, 8)), np.arange(10, dtype=np.int32)
    sums, sizes = joint(backend), (54, 55, 58, 59, 546, 547, 5002, 5003)
    each = [
        sums(tame(np.repeat(x, n, 0)), np.zeros(n, np.int32), W, omega, labels, C)
        for n in (1, *sizes)
    ]
    for n, found in zip(sizes, each[1:], strict=True):
        assert (found == n * each[0]).all()


@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_a_step_of_training_moves_by_one_contribution(backend):
    """The public loop itself, lots of 58 and of 59 records; float32 carries what is left to see."""
    rng, C = np.random.default_rng(0), 0.5
    W = np.repeat(np.sign(rng.standard_normal((1, 1, 8))), 10, 1).astype("f4")
    omega, x = np.eye(8) + 0.3 * rng.standard_normal((8, 8)), rng.uniform(-1, 1, (1, 8))
    for n in (54, 58, 550):
        X, y = np.repeat(x, n + 1, 0), np.zeros(n + 1, int)
        whole = Lots(np.arange(n + 1, dtype=np.int32), np.array([0, n + 1]))
        ends = [
            matrix_train.sweep(
                X, y, W, omega, np.arange(10), lots, noise_multiplier=0.0, clip_norm=C,
                learning_rate=1.0, expected_lot=1.0, key=1, snapshots=[1], average=False, bounds=None,
                backend=backend,
            )
            for lots in (whole, whole.without(n))
        ]  # fmt: skip
        moved = np.hypot(*(np.linalg.norm(a.astype(float) - b) for a, b in zip(*ends, strict=True)))
        assert moved <= C * (1 + 1e-3)
