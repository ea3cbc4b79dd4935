"""Linkage, cancelled noise and averages: exact where they must be, and as strong as written down."""

import numpy as np
import pytest

from dpcore.autoencoder import (
    EPSILONS,
    KINDS,
    attacks,
    batch_reidentification,
    draw_noise,
    noise_cancelling,
    perturb_biases,
)


def test_nearest_is_the_nearest():
    rng = np.random.default_rng(0)
    points, table = rng.normal(size=(3, 4, 5)), rng.normal(size=(50, 5))
    wanted = np.square(points[..., None, :] - table).sum(-1).argmin(-1)
    assert (attacks.nearest(points, table) == wanted).all()
    assert (attacks.nearest(table + 100, table + 100) == np.arange(50)).all()


def test_nearest_in_blocks_is_the_nearest(monkeypatch):
    rng = np.random.default_rng(0)
    points, table = rng.normal(size=(30, 5)), rng.normal(size=(50, 5))
    whole = attacks.nearest(points, table)
    monkeypatch.setattr(attacks, "_BLOCK", 350)
    assert (attacks.nearest(points, table) == whole).all()


def test_eight_bits_and_logits():
    x = np.random.default_rng(0).random((3, 4))
    assert np.abs(attacks.quantise(x) - x).max() <= 0.5 / 255 + 1e-7
    assert attacks.quantise(attacks.quantise(x)) == pytest.approx(attacks.quantise(x))
    assert 1 / (1 + np.exp(-attacks.logit(x))) == pytest.approx(x)
    assert np.isfinite(attacks.logit([0.0, 1.0])).all()


def test_clean_pictures_are_found(digits):
    C = digits.everyone
    clean, rows = digits.model.reconstruct(C), np.arange(len(C))
    # Written down: 97 % of the clean reconstructions by look alone, after the 300 epochs of a longer
    # recipe; the quick one of the preset reaches 92 %.
    assert attacks.linked_share(attacks.link_pixels(clean, C), rows) == pytest.approx(
        0.97, abs=0.06
    )
    for kind in KINDS:
        assert (
            attacks.linked_share(attacks.link_weights(digits.model, clean, C, kind=kind), rows)
            > 0.995
        )


def fresh(setting, kind, n, draws=1, epsilon=EPSILONS, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.choice(len(setting.everyone), n, replace=False)
    noise = draw_noise(setting.model, draws, rng=rng, images=n)
    return rows, perturb_biases(
        setting.model, setting.everyone[rows], kind=kind, epsilon=epsilon, noise=noise
    )[:, 0]


# Fractions written down for .8 ... 8: nearest in pixels, then knowing the weights.
DIGITS = {
    "hidden": ((0, 0.03, 0.07, 0.17, 0.27, 0.50, 0.71), (0, 0.03, 0.08, 0.24, 0.37, 0.69, 0.89)),
    "output": ((0.02, 0.13, 0.30, 0.50, 0.65, 0.80, 0.86), (0.1, 0.5, 0.79, 0.93, 0.98, 1, 1)),
    "both": ((0, 0.01, 0, 0.02, 0.02, 0.10, 0.16), (0, 0.01, 0.01, 0.02, 0.05, 0.17, 0.35)),
}
MNIST = {
    "hidden": ((0.06, 0.48, 0.78, 0.92, 0.95, 0.98, 0.99), (0.2, 0.83, 0.92, 0.98, 0.99, 1, 1)),
    "output": ((0.8, 0.96, 0.99, 0.99, 1, 1, 1), (0.98, 1, 1, 1, 1, 1, 1)),
    "both": ((0.001, 0.05, 0.21, 0.44, 0.62, 0.87, 0.93), (0.01, 0.17, 0.54, 0.75, 0.9, 0.96, 0.99)),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_single_digits_are_found_as_often_as_written_down(digits, kind):
    rows, releases = fresh(digits, kind, 300)
    C = digits.everyone
    looks = attacks.linked_share(attacks.link_pixels(releases[:, 0], C), rows)
    knows = [
        attacks.linked_share(
            attacks.link_weights(digits.model, r[0], C, kind=kind, epsilon=epsilon), rows
        )
        for epsilon, r in zip(EPSILONS, releases, strict=True)
    ]
    # Six standard deviations of a fraction of 300 are .17 at most; most lie far below.
    assert looks == pytest.approx(DIGITS[kind][0], abs=0.12)
    assert knows == pytest.approx(DIGITS[kind][1], abs=0.14)
    assert looks[-1] > looks[0] + 0.05


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_single_mnist_pictures_are_found_as_often_as_written_down(mnist, kind):
    rows, releases = fresh(mnist, kind, 200, epsilon=[0.8, 2.4, 8.0])
    found = attacks.linked_share(attacks.link_pixels(releases[:, 0], mnist.everyone), rows)
    assert found == pytest.approx(np.array(MNIST[kind][0])[[0, 2, -1]], abs=0.12)
    knows = attacks.link_weights(
        mnist.model, releases[1, 0], mnist.everyone, kind=kind, epsilon=2.4
    )
    assert attacks.linked_share(knows, rows) == pytest.approx(MNIST[kind][1][2], abs=0.12)


def batch(setting, kind, epsilon, n=100, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.choice(len(setting.everyone), n, replace=False)
    released = perturb_biases(
        setting.model, setting.everyone[rows], kind=kind, epsilon=epsilon, draws=1, rng=rng
    )
    return rows, released[:, 0, 0]


@pytest.mark.parametrize("kind", ["hidden", "output"])
def test_a_batch_of_digits_is_found_at_every_epsilon(digits, kind):
    for epsilon in (0.8, 8.0):
        rows, released = batch(digits, kind, [epsilon])
        saved = attacks.quantise(released[0])
        found = batch_reidentification.link_batch(
            digits.model, saved, digits.everyone, kind=kind, epsilon=epsilon
        )
        assert attacks.linked_share(found, rows) >= 0.97


def test_a_batch_of_both_is_found_from_the_middle_on(digits):
    rows, released = batch(digits, "both", [3.2])
    found = batch_reidentification.link_batch(
        digits.model, attacks.quantise(released[0]), digits.everyone, kind="both", epsilon=3.2
    )
    assert attacks.linked_share(found, rows) >= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hidden", "both"])
def test_a_batch_of_mnist_is_found_at_the_strongest_noise(mnist, kind):
    rows, released = batch(mnist, kind, [0.8])
    found = batch_reidentification.link_batch(
        mnist.model, attacks.quantise(released[0]), mnist.everyone, kind=kind, epsilon=0.8
    )
    assert attacks.linked_share(found, rows) >= 0.97


def test_float_pictures_need_no_fit(digits):
    for epsilon in (0.8, 8.0):
        rows, released = batch(digits, "output", [epsilon], n=30)
        found = noise_cancelling.link_shared(digits.model, released[0], digits.everyone)
        assert attacks.linked_share(found, rows) >= 0.94


def test_without_a_model_batches_are_found_too(digits):
    # Written down for batches of 100 digits, 8 bits: hidden .29 ... .89, output .76 ... .89.
    for kind, wanted in (("hidden", (0.29, 0.89)), ("output", (0.76, 0.89))):
        parts = [batch(digits, kind, [0.8, 8.0], seed=seed) for seed in range(8)]
        found = [
            attacks.linked_share(attacks.link_centred(attacks.quantise(r), digits.everyone), rows)
            for rows, r in parts
        ]
        assert np.mean(found, axis=0) == pytest.approx(wanted, abs=0.15)


@pytest.mark.slow
def test_without_a_model_mnist_is_found_too(mnist):
    for kind, wanted in (("hidden", 0.92), ("output", 0.99), ("both", 0.67)):
        parts = [batch(mnist, kind, [0.8], seed=seed) for seed in range(3)]
        found = [
            attacks.linked_share(attacks.link_centred(attacks.quantise(r), mnist.everyone), rows)
            for rows, r in parts
        ]
        assert np.mean(found) == pytest.approx(wanted, abs=0.15)


def test_one_known_picture_takes_the_noise_off_all_others(digits):
    rows, released = batch(digits, "output", [0.8], n=30)
    originals = digits.everyone[rows]
    freed = noise_cancelling.cancel_with_known(
        digits.model, released[0], 3, originals[3], kind="output"
    )
    clean = digits.model.reconstruct(originals)
    # Float32 pictures blur a pixel that sits at 1; the others come back to rounding.
    seen = np.abs(attacks.logit(released[0])).max(0) < 10
    assert seen.sum() > 20
    assert np.abs(freed - clean)[:, seen].max() < 1e-3
    before = np.square(released[0] - clean).mean()
    assert np.square(freed - clean).mean() < before / 20
    assert freed[3] == pytest.approx(clean[3], abs=1e-5)


def test_one_known_picture_takes_hidden_noise_off_while_units_are_on(digits):
    rows, released = batch(digits, "hidden", [8.0], n=30)
    originals = digits.everyone[rows]
    freed = noise_cancelling.cancel_with_known(
        digits.model, released[0], 0, originals[0], kind="hidden"
    )
    clean = digits.model.reconstruct(originals)
    assert np.square(freed - clean).mean() < np.square(released[0] - clean).mean() / 5


def test_averages_of_more_releases_are_found_more_often(digits):
    rows, releases = fresh(digits, "output", 300, draws=10, epsilon=[1.6])
    index = noise_cancelling.link_averages(releases[0], digits.everyone, (1, 3, 10))
    found = attacks.linked_share(index, rows)
    assert (np.diff(found) > 0.05).all()
    # Written down: .13 from one release, .61 from the average of ten.
    assert found[[0, 2]] == pytest.approx([0.13, 0.61], abs=0.12)
    assert (index[0] == attacks.link_pixels(releases[0, 0], digits.everyone)).all()


@pytest.mark.slow
def test_averages_of_mnist(mnist):
    rows, releases = fresh(mnist, "hidden", 150, draws=10, epsilon=[0.8])
    found = attacks.linked_share(
        noise_cancelling.link_averages(releases[0], mnist.everyone, (1, 3, 10)), rows
    )
    assert found == pytest.approx([0.09, 0.29, 0.75], abs=0.14)


def test_bad_arguments_are_named(digits):
    w, x = digits.weights, digits.X_test[:2]
    with pytest.raises(ValueError, match="kind='all'"):
        attacks.link_weights(w, x, x, kind="all")
    with pytest.raises(ValueError, match="known=2"):
        noise_cancelling.cancel_with_known(w, x, 2, x[0], kind="output")
    with pytest.raises(ValueError, match="counts=3"):
        noise_cancelling.link_averages(x[:, None], x, (3,))
    with pytest.raises(ValueError, match="pictures in the batch=1"):
        attacks.link_centred(x[:1], x)
    with pytest.raises(ValueError, match="pictures in the batch=1"):
        batch_reidentification.link_batch(w, x[:1], x, kind="output", epsilon=1.0)
    with pytest.raises(ValueError, match="rounds=-1"):
        noise_cancelling.link_shared(w, x, x, rounds=-1)


def test_the_slope_of_the_fit_is_the_slope_of_its_cost(digits):
    X = digits.X_test[:20]
    for kind in KINDS:
        fit = batch_reidentification._Fit(
            digits.weights, np.array([kind != "output", kind != "hidden"], float)
        )
        _, released = batch(digits, kind, [2.4], n=20)
        for cost in (fit.moments(X, released[0]), fit.pairs(X, released[0], np.full(20, 0.1))):
            at = np.random.default_rng(0).normal(size=fit.size).astype(np.float32)
            slope = cost(at)[1]
            along = np.random.default_rng(1).normal(size=fit.size).astype(np.float32)
            step = 2e-3
            change = (cost(at + step * along)[0] - cost(at - step * along)[0]) / (2 * step)
            assert change == pytest.approx(float(slope @ along), rel=0.03)
