"""What a picture adds: the same bits alone and in any lot, at any place of it, for weights up to the limit."""

import numpy as np
import pytest

pytest.importorskip("torch")

from dpcore.network import DIGITS, ConvNet, Convolution, clipped_sum, gradients
from dpcore.network.train import WEIGHT_LIMIT

NETWORKS = (
    ConvNet(4, Convolution(1, 2, 1), Convolution(2, 1, 1), hidden=2, n_classes=2),
    ConvNet(6, Convolution(9, 3, 1, padding=1), Convolution(5, 2, 1, padding=1), 11, 3),
    ConvNet(9, Convolution(3, 4, 2, padding=2), Convolution(8, 2, 1), 8, 10),
    DIGITS,
)
CLIPS = 2.0 ** np.array([-90, -10, 0, 7, 60])  # powers of two: sums of their units are exact


def adversarial(network, rng):
    """Return weights, a lot of pictures and its classes: zero, equal, bright, weights at the limit that cancel."""
    n = int(rng.integers(2, 50))
    kind = rng.integers(4)
    if kind == 0:
        weights = rng.choice([-WEIGHT_LIMIT, WEIGHT_LIMIT], network.n_weights)
    elif kind == 1:
        weights = rng.choice([-1.0, 0.0, 1.0], network.n_weights) * rng.choice([1e-3, 1.0, 30.0])
    elif kind == 2:
        weights = np.round(rng.standard_normal(network.n_weights), 1)
    else:
        weights = network.start(rng) * rng.choice([1.0, 10.0, 1000.0])
    X = rng.uniform(0, 1, (n, network.side**2))
    if rng.random() < 0.3:
        X[:] = 0
    elif rng.random() < 0.4:
        X = np.repeat(X[:1], n, 0)
    if rng.random() < 0.05:
        X[rng.integers(n)] = rng.choice([np.nan, np.inf, 3e38])
    y = rng.integers(0, network.n_classes, n)
    return weights.astype("f4"), X.astype("f4"), y, float(rng.choice(CLIPS))


def test_a_picture_adds_the_same_bits_alone_and_in_any_lot():
    rng, long = np.random.default_rng(4), 0
    for draw in range(2000):
        network = NETWORKS[draw % 3 if draw % 25 else 3]
        weights, X, y, clip = adversarial(network, rng)
        i = int(rng.integers(len(y)))
        keep = np.arange(len(y)) != i
        alone = clipped_sum(network, weights, X=X[i : i + 1], y=y[i : i + 1], clip_norm=clip)
        whole = clipped_sum(network, weights, X=X, y=y, clip_norm=clip)
        assert np.isfinite(whole).all()
        assert (
            whole - clipped_sum(network, weights, X=X[keep], y=y[keep], clip_norm=clip) == alone
        ).all()
        assert np.linalg.norm(alone) <= clip
        long += np.linalg.norm(alone) > 0.9 * clip
    assert long > 300


@pytest.mark.parametrize("sizes", [(1, 2), (3, 4), (16, 17), (160, 161)])
def test_black_pictures_under_weights_at_the_limit(sizes):
    """The sum moved by 1.33 C when a second black picture joined a first one, and by more with a fourth."""
    rng = np.random.default_rng(5)
    for _ in range(30):
        weights = rng.choice([-WEIGHT_LIMIT, WEIGHT_LIMIT], DIGITS.n_weights).astype("f4")
        X, y = np.zeros((sizes[1], 64), np.float32), np.full(sizes[1], rng.integers(10))
        sums = [clipped_sum(DIGITS, weights, X=X[:n], y=y[:n], clip_norm=0.5) for n in (1, *sizes)]
        assert (sums[2] - sums[1] == sums[0]).all()
        assert (sums[1] == sizes[0] * sums[0]).all()


@pytest.mark.parametrize("network", NETWORKS)
def test_the_compiled_gradients_are_those_of_torch(network):
    rng = np.random.default_rng(6)
    weights = (network.start(rng) + 0.01 * rng.standard_normal(network.n_weights)).astype("f4")
    X = rng.uniform(0, 1, (19, network.side**2)).astype("f4")
    y = rng.integers(0, network.n_classes, 19)
    each = gradients(network, weights, X=X, y=y)
    for clip in (1e-2, 0.5, 1e6):
        wanted = (each * np.minimum(1, clip / np.linalg.norm(each, axis=1))[:, None]).sum(0)
        found = clipped_sum(network, weights, X=X, y=y, clip_norm=clip)
        # Whole numbers of C 2^-24, cut towards 0; torch's own last digits.
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=2e-6 * (1 + clip))
    free = clipped_sum(network, weights, X=X, y=y, clip_norm=None)
    np.testing.assert_allclose(free, each.sum(0), rtol=1e-4, atol=1e-6)


def test_more_pictures_than_a_sum_of_32_bits_holds():
    weights = DIGITS.start(np.random.default_rng(7))
    X = np.repeat(np.linspace(0, 1, 64, dtype=np.float32)[None], 5000, 0)
    y = np.zeros(5000, int)
    assert (
        clipped_sum(DIGITS, weights, X=X, y=y, clip_norm=2.0**-10)
        == 5000 * clipped_sum(DIGITS, weights, X=X[:1], y=y[:1], clip_norm=2.0**-10)
    ).all()
