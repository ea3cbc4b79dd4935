"""Histogram measures, their blindness, and measures that see places."""

import numpy as np
import pytest

from dpcore.autoencoder import similarity as s


def pictures(n, d=784, seed=0):
    x = np.random.default_rng(seed).random((n, d))
    x[x < 0.2], x[x > 0.9] = 0, 1
    return x


@pytest.mark.parametrize("bins", [1, 2, 16, 256])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_histogram_is_numpys(bins, dtype):
    x = pictures(6).reshape(2, 3, 784).astype(dtype)
    found = s.histogram(x, bins)
    wanted = [[np.histogram(a, bins, (0, 1))[0] / 784 for a in row] for row in x]
    assert found == pytest.approx(np.array(wanted))
    lost = s.histogram(x, bins, upper="exclusive")
    assert (found - lost)[..., :-1] == pytest.approx(0)
    assert (found - lost)[..., -1] == pytest.approx((x == 1).mean(-1))


def test_measures_of_complete_histograms():
    p, q = s.histogram(pictures(20)), s.histogram(pictures(20, seed=1) ** 2)
    assert s.bhattacharyya(p, q) + s.hellinger(p, q) ** 2 == pytest.approx(1)
    assert s.hellinger(p, p) == pytest.approx(0)
    assert s.hellinger(p, q) == pytest.approx(s.hellinger(q, p))
    apart = s.hellinger([1.0, 0.0], [0.0, 1.0]), s.bhattacharyya([1.0, 0.0], [0.0, 1.0])
    assert apart == (1, 0)


def test_shuffled_pixels_are_a_perfect_match():
    x = pictures(5)
    other = np.random.default_rng(1).permuted(x, axis=1)
    p, q = s.histogram(x), s.histogram(other)
    assert s.hellinger(p, q).max() < 1e-12
    assert s.bhattacharyya(p, q) == pytest.approx(1)
    assert s.ssim(x, other).max() < 0.2


def test_the_tables_arithmetic():
    x, y = pictures(5), pictures(20, seed=1).reshape(4, 5, 784)
    H, BC = s.printed(x, y)
    assert H.shape == BC.shape == (4, 5)
    assert pytest.approx(769 / 784, abs=1e-12) == BC + H**2
    complete, _ = s.printed(x, y, missing=0)
    assert complete == pytest.approx(s.hellinger(s.histogram(x), s.histogram(y)))


def test_an_exclusive_edge_loses_what_is_printed():
    x = np.zeros((1, 784))
    x[0, :30], y = 1, np.full((1, 784), 0.5)
    p, q = s.histogram(x, upper="exclusive"), s.histogram(y, upper="exclusive")
    assert s.bhattacharyya(p, q) + s.hellinger(p, q) ** 2 == pytest.approx(769 / 784)
    assert s.printed(x, y)[0] == pytest.approx(s.hellinger(p, q))


def test_mse_is_the_mean_square():
    x, y = pictures(3), pictures(6, seed=1).reshape(2, 3, 784)
    assert s.mse(x, y) == pytest.approx(((y - x) ** 2).mean(-1))


@pytest.mark.parametrize("shape", [(8, 8), (28, 28), (9, 14)])
def test_ssim_is_its_definition(shape):
    n = shape[0] * shape[1]
    x, y = pictures(2, n), np.clip(pictures(2, n) * 0.5 + pictures(2, n, 1) * 0.5, 0, 1)
    found = s.ssim(x, y, shape)
    for i in range(2):
        windows = [
            np.lib.stride_tricks.sliding_window_view(a[i].reshape(shape), (7, 7)).reshape(-1, 49)
            for a in (x, y)
        ]
        values = []
        for a, b in zip(*windows, strict=True):
            c = np.cov(a, b)
            top = (2 * a.mean() * b.mean() + 1e-4) * (2 * c[0, 1] + 9e-4)
            bottom = (a.mean() ** 2 + b.mean() ** 2 + 1e-4) * (c[0, 0] + c[1, 1] + 9e-4)
            values.append(top / bottom)
        assert found[i] == pytest.approx(np.mean(values), abs=1e-10)
    assert s.ssim(x, x, shape) == pytest.approx(1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: s.histogram([2.0]), "outside"),
        (lambda: s.histogram([np.nan]), "outside"),
        (lambda: s.histogram([0.5], 0), "bins=0"),
        (lambda: s.histogram([0.5], upper="open"), "upper='open'"),
        (lambda: s.printed(np.zeros((1, 64)), np.zeros((1, 64)), missing=64), "missing=64"),
        (lambda: s.ssim(np.zeros((1, 64)), np.zeros((1, 64)), (8, 9)), "shape"),
        (lambda: s.ssim(np.zeros((1, 64)), np.zeros((1, 64)), window=9), "window=9"),
        (lambda: s.baselines(np.zeros((2, 4)), [0, 1], np.zeros((2, 4)), 1, None), "label=1"),
    ],
)
def test_bad_arguments_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_on_digits_the_measure_is_of_no_use_at_all(digits):
    # The clean reconstruction scores .299 where a perfect copy has 0.
    clean = digits.model.reconstruct(digits.X_test)
    found = s.hellinger(s.histogram(digits.X_test), s.histogram(clean))
    assert np.median(found) == pytest.approx(0.299, rel=0.15)


@pytest.mark.slow
def test_what_a_tenth_means_on_mnist(mnist):
    clean = mnist.model.reconstruct(mnist.X_test)
    found = s.baselines(mnist.X_test, mnist.y_test, clean, 9, np.random.default_rng(0))
    middle = {name: float(np.median(values)) for name, values in found.items()}
    assert middle["the same, shuffled"] == pytest.approx(0, abs=1e-9)
    assert middle["clean reconstruction"] == pytest.approx(0.085, abs=0.015)
    assert middle["another of its class"] == pytest.approx(0.098, abs=0.01)
    assert middle["another class"] == pytest.approx(0.107, abs=0.01)
    assert middle["blank"] == pytest.approx(0.300, abs=0.015)
