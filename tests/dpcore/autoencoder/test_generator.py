"""The private generator: its sensitivity, an audit, its limits, and how good its pictures are."""

import math
from dataclasses import replace

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.estimator_checks import check_estimator

import dpcore
from dpcore import autoencoder
from dpcore.autoencoder import (
    GENERATOR_PRESETS,
    ClassGaussians,
    GaussianSweep,
    accuracy,
    pairwise_epsilon,
    statistics,
)
from dpcore.mechanisms import gaussian_sigma
from dpcore.pipeline import StepReadsRecordsWarning


@pytest.mark.filterwarnings("ignore:.*:UserWarning:sklearn")
@pytest.mark.filterwarnings("ignore::dpcore.SizeFromDataWarning")
def test_scikit_learns_checks():
    check_estimator(ClassGaussians(), on_skip=None)
    check_estimator(ClassGaussians(random_state=0), on_skip=None)


def generator(digits, **options):
    common = {**GENERATOR_PRESETS["digits"], "classes": range(10), "random_state": 0}
    return ClassGaussians(**{**common, **options}).fit(digits.X, digits.y)


def sweep(digits, delta=1e-5, **options):
    common = {**GENERATOR_PRESETS["digits"], "classes": range(10), "random_state": 0}
    return GaussianSweep.of(digits.X, digits.y, delta=delta, **{**common, **options})


def test_the_classes_of_the_data_leak_and_declared_ones_do_not():
    """Removing the only record of a class changes what comes out, unless classes are declared."""
    X, y = np.random.default_rng(0).random((7, 4)), np.array([0, 0, 0, 1, 1, 1, 2])
    with pytest.warns(dpcore.SizeFromDataWarning, match="classes=None"):
        read = [ClassGaussians().fit(X[:n], y[:n]) for n in (7, 6)]
    assert [len(one.classes_) for one in read] == [3, 2]
    assert {one.privacy_.status for one in read} == {"nominal"}
    assert "READ from the data" in read[0].privacy_.public[0]
    told = [ClassGaussians(classes=[0, 1, 2]).fit(X[:n], y[:n]) for n in (7, 6)]
    assert {one.released_.means.shape for one in told} == {(3, 4)}
    assert {one.privacy_.status for one in told} == {"proved"}
    with pytest.raises(ValueError, match="which is not in classes="):
        ClassGaussians(classes=[0, 1]).fit(X, y)


def test_neither_statistics_nor_noise_stay_on_the_generator(digits):
    """Before, the exact sums and the noise were both there: the data, at any claim."""
    model = generator(digits, random_state=None)
    held = {name for name in vars(model) if name not in model.get_params()}
    assert held == {"classes_", "n_features_in_", "privacy_", "released_"}


@pytest.mark.parametrize("clip_norm", [1e-6, 1.0, 1e6])
def test_no_code_is_longer_than_its_bound(clip_norm):
    values = np.array([0.0, -0.0, 1e-45, 1e-30, 0.1, 1.0, -3.0, 1e6, 3e38], np.float32)
    codes = np.array([[a, b, c] for a in values for b in values for c in values], np.float32)
    found = statistics.clip_codes(codes, clip_norm)
    assert np.linalg.norm(found, axis=1).max() <= clip_norm
    moments = statistics.summarise(found[-1:], np.zeros(1, int), 1).moments
    assert np.linalg.norm(moments) <= clip_norm**2


@pytest.mark.parametrize("epsilon", [1e-12, 1.0, 1e300, math.inf])
@pytest.mark.parametrize("clip_norm", [1e-6, 1e6])
@pytest.mark.parametrize("delta", [5e-324, 1 - 1e-16])
def test_no_legal_input_gives_a_number_that_is_not_finite(epsilon, clip_norm, delta):
    X = np.array([[1.7e308, -1.7e308, -0.0, 5e-324]] * 3)
    model = ClassGaussians(
        epsilon=epsilon, delta=delta, clip_norm=clip_norm, classes=[0, 1, 2]
    ).fit(X, [0, 0, 1])
    for array in (model.released_.means, model.released_.factors):
        assert np.isfinite(array).all()
    images, _ = model.sample(3, np.random.default_rng(0))
    assert ((images >= 0) & (images <= 1)).all()


def test_the_basis_is_the_cosine_transform():
    from scipy.fft import dctn

    x = np.random.default_rng(0).random((6, 9))
    basis = statistics.cosine_basis((6, 9), 4)
    assert basis.shape == (16, 54)
    assert basis @ x.ravel() == pytest.approx(dctn(x, norm="ortho")[:4, :4].ravel(), abs=1e-5)
    assert statistics.cosine_basis((1, 9), 4).shape == (4, 9)


@pytest.mark.parametrize("epsilon", [0.1, 0.8, 8.0])
def test_no_neighbour_moves_the_scaled_statistics_by_more_than_promised(epsilon):
    """Remove every record in turn; add the worst ones: corners, huge ones, nothing at all."""
    R, k = 2.0, 5
    rng = np.random.default_rng(0)
    raw = rng.normal(size=(60, k)).astype(np.float32) * rng.exponential(2, (60, 1))
    raw = np.concatenate([raw, 1e6 * np.eye(k), -1e6 * np.ones((1, k)), np.zeros((1, k))])
    y = rng.integers(3, size=len(raw))
    codes = statistics.clip_codes(raw.astype(np.float32), R)
    scales = statistics.noise_scales(epsilon, 1e-5, R)
    whole = statistics.summarise(codes, y, 3)
    moved = []
    for i in range(len(codes)):
        less = statistics.summarise(np.delete(codes, i, 0), np.delete(y, i), 3)
        parts = [
            np.square((getattr(whole, name) - getattr(less, name)) / scale).sum()
            for name, scale in zip(("sizes", "sums", "moments"), scales, strict=True)
        ]
        moved.append(math.sqrt(sum(parts)))
    limit = 1 / gaussian_sigma(1.0, epsilon, delta=1e-5)
    assert max(moved) <= limit * (1 + 1e-6)
    assert max(moved) == pytest.approx(
        limit, rel=2e-5
    )  # what the rounding of sums may take is kept free


def test_the_release_is_nominal_too_behind_a_step_that_read_all_records(digits):
    model = ClassGaussians(**GENERATOR_PRESETS["digits"], classes=range(10))
    with pytest.warns(StepReadsRecordsWarning):
        make_pipeline(MinMaxScaler(), model).fit(digits.X, digits.y)
    assert model.privacy_.status == model.released_.guarantee.status == "nominal"


def test_packed_moments_have_the_length_of_the_matrix():
    z = np.random.default_rng(0).normal(size=(1, 7)).astype(np.float32)
    found = statistics.summarise(z, np.zeros(1, int), 1)
    assert np.linalg.norm(found.moments) == pytest.approx(float(z[0] @ z[0]), rel=1e-6)


def test_a_sweep_holds_what_the_estimator_releases(digits):
    other = {"delta": 1e-3, "random_state": 7}
    for epsilon in (0.8, math.inf):
        again = sweep(digits).again(**other).at(epsilon)
        fitted = generator(digits, epsilon=epsilon, **other)
        assert fitted.privacy_ == fitted.released_.guarantee
        assert again.guarantee == replace(
            fitted.privacy_, not_protected=again.guarantee.not_protected
        )
        assert (again.means == fitted.released_.means).all()
        assert (again.factors == fitted.released_.factors).all()


def audit(epsilon, noise=1.0, n=50_000):
    """Certified ε of the best linear score for one record, from n releases with and without it."""
    rng = np.random.default_rng(0)
    R, k = 2.5, 6
    codes = statistics.clip_codes(rng.normal(size=(40, k)).astype(np.float32), R)
    outlier = np.full((1, k), R / math.sqrt(k), np.float32)
    scales = statistics.noise_scales(epsilon, 1e-5, R)
    without = statistics.summarise(codes, np.zeros(40, int), 1)
    joined = statistics.summarise(np.concatenate([codes, outlier]), np.zeros(41, int), 1)
    scores = []
    for exact in (joined, without):
        unit = statistics.draw_unit(1, k, rng, (n,))
        seen = statistics.add_noise(exact, unit, tuple(noise * s for s in scales))
        scores.append(
            sum(
                ((getattr(seen, name) * (getattr(joined, name) - getattr(without, name)))
                 .reshape(n, -1).sum(1)) / scale**2
                for name, scale in zip(("sizes", "sums", "moments"), scales, strict=True)
            )
        )  # fmt: skip
    return pairwise_epsilon.certified_epsilon(*scores, confidence=1 - 1e-6)


@pytest.mark.parametrize("epsilon", [0.8, 2.4, 8.0])
def test_the_claim_survives_an_audit_that_would_catch_too_little_noise(epsilon):
    # At a confidence of 1 - 1e-6 a true claim is refuted once in a million.
    assert audit(epsilon) <= epsilon
    assert audit(epsilon) > 0.05 * epsilon
    assert audit(epsilon, noise=0.25) > epsilon if epsilon < 8 else audit(8.0, 0.25) > audit(8.0)


def test_infinite_epsilon_is_the_gaussian_of_the_data(digits):
    found = generator(digits, epsilon=math.inf, clip_norm=100.0).released_
    basis = statistics.cosine_basis((8, 8), 6)
    codes = (digits.X - np.float32(0.3)) @ basis.T
    for label in (0, 9):
        z = codes[digits.y == label]
        assert found.means[label] == pytest.approx(z.mean(0), abs=1e-4)
        spread = found.factors[label] @ found.factors[label].T
        assert spread == pytest.approx(np.cov(z.T, bias=True), abs=1e-4)


def test_noise_falls_with_epsilon_and_is_the_same_one(digits):
    made = sweep(digits)
    exact = made.at(math.inf).means
    gaps = [np.abs(made.at(e).means - exact).max() for e in (0.8, 2.4, 8.0, 100.0, 1e4)]
    assert (np.diff(gaps) < 0).all()
    assert (made.at(0.8).means == generator(digits, epsilon=0.8).released_.means).all()
    other = generator(digits, epsilon=0.8, random_state=1)
    assert (made.at(0.8).means != other.released_.means).any()


def test_repaired_gaussians_are_gaussians(digits):
    model = generator(digits, epsilon=0.1)
    assert np.isfinite(model.released_.factors).all()
    images, labels = model.sample(20, np.random.default_rng(0))
    assert images.shape == (200, 64)
    assert images.dtype == np.float32
    assert ((images >= 0) & (images <= 1)).all()
    assert (np.bincount(labels) == 20).all()
    again, _ = model.sample(20, np.random.default_rng(0))
    assert (images == again).all()


def test_repair_keeps_the_sum_of_the_eigenvalues():
    values = np.array([[-3.0, -1.0, 2.0, 5.0], [1.0, 2.0, 3.0, 4.0], [-4.0, -3.0, -2.0, 1.0]])
    found = statistics._simplex(values)
    assert (found >= 0).all()
    assert found.sum(1) == pytest.approx([3, 10, 0])
    assert found[0] == pytest.approx([0, 0, 0, 3])
    assert found[1] == pytest.approx(values[1])


def test_the_promise(digits):
    privacy = generator(digits, epsilon=0.8, random_state=None).privacy_
    assert (privacy.epsilon, privacy.delta) == (0.8, 1e-5)
    assert (privacy.status, privacy.neighbouring) == ("proved", "add_remove")
    assert sweep(digits).at(2.0).guarantee.epsilon == 2.0
    assert sweep(digits).at(2.0).guarantee.status == "proved_under_assumption"


def test_digits_drawn_privately_teach_a_classifier(digits):
    # Written down: .86 at .8, .91 at 8, .93 without noise.
    for epsilon, low in ((0.8, 0.80), (8.0, 0.88), (math.inf, 0.90)):
        scores = []
        for seed in range(2):
            model = generator(digits, epsilon=epsilon, random_state=seed)
            images, labels = model.sample(150, np.random.default_rng(seed))
            scores.append(accuracy(images, labels, X_test=digits.X_test, y_test=digits.y_test))
        assert min(scores) >= low
        assert np.mean(scores) == pytest.approx({0.8: 0.86, 8: 0.91}.get(epsilon, 0.93), abs=0.03)


@pytest.mark.slow
def test_mnist_drawn_privately_teaches_a_classifier(mnist):
    model = ClassGaussians(
        epsilon=0.8, **GENERATOR_PRESETS["mnist"], classes=range(10), random_state=0
    ).fit(mnist.X, mnist.y)  # fmt: skip
    images, labels = model.sample(500, np.random.default_rng(0))
    assert accuracy(images, labels, X_test=mnist.X_test, y_test=mnist.y_test) >= 0.86


def test_classifiers_learn(digits):
    for classifier in ("ridge", "mlp"):
        found = accuracy(
            digits.X, digits.y, X_test=digits.X_test, y_test=digits.y_test, classifier=classifier
        )
        assert found > 0.9
    with pytest.raises(ValueError, match="classifier='tree'"):
        accuracy(digits.X, digits.y, X_test=digits.X_test, y_test=digits.y_test, classifier="tree")


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"epsilon": 0}, "epsilon=0"),
        ({"delta": 0}, "delta=0"),
        ({"clip_norm": 0}, "clip_norm=0"),
        ({"clip_norm": 1e30}, "clip_norm=1e"),
        ({"epsilon": 1e-310}, "epsilon=1e-310"),
        ({"classes": [1]}, "classes="),
        ({"n_frequencies": 0}, "n_frequencies=0"),
        ({"grey": 2}, "grey=2"),
        ({"image_shape": (8, 9)}, "image_shape"),
    ],
)
def test_bad_arguments_are_named(digits, bad, words):
    with pytest.raises(ValueError, match=words):
        generator(digits, **bad)


def test_shares_are_checked():
    with pytest.raises(ValueError, match="shares"):
        statistics.noise_scales(1.0, 1e-5, 1.0, (0.5, 0.5, 0.5))
    assert autoencoder.ClassGaussians is ClassGaussians
