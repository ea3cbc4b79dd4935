"""One hull machine: golden numbers, the affine hull, bounds, degenerate data."""

import math

import numpy as np
import pytest

from dpcore.kahm.hull import KAHM, encode, kernel

FIVE = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 0.25]])


def random_data(seed, N=40, p=6):
    return np.random.default_rng(seed).random((N, p))


def explicit(Y, queries, n, lam):
    """The definition, with every inverse written out."""
    Y = np.asarray(Y)
    vectors = np.linalg.eigh(np.cov(Y.T))[1]
    P = vectors[:, ::-1][:, :n].T
    X, x = Y @ P.T, queries @ P.T
    inverse = np.linalg.inv(np.atleast_2d(np.cov(X.T)))

    def k(a, b):
        gap = a[:, None] - b[None]
        return np.exp(-np.einsum("ijk,kl,ijl->ij", gap, inverse, gap) / (2 * n))

    h = k(x, X) @ np.linalg.inv(k(X, X) + lam * np.eye(len(Y)))
    return h / h.sum(1, keepdims=True)


def test_golden_five_points():
    model = KAHM(2, tol=1e-13).fit(FIVE)
    values = 1 / np.square(np.linalg.norm(model.encoding_.axes, axis=0))
    assert values == pytest.approx([0.2625, 0.25])
    assert model.lam_ == pytest.approx(0.9379387885089, rel=1e-12)
    assert model.lam_ / np.square(FIVE).mean() == pytest.approx(2.17493052)
    assert model.lam_ * model.alpha_ == pytest.approx(
        [0.2999489488, 0.2999489488, 0.3168060101, 0.3168060101, 0.1078152537], abs=1e-10
    )
    assert model.bound() == pytest.approx(1.8916018200, abs=1e-9)
    queries = [[0.5, 0.5], [0, 0], [2, 2], [1, 0.2]]
    images = [
        (0.5, 0.4687023969), (0.1550760551, 0.1366187888), (1.2317635774, 1.2556520412),
        (0.8446130381, 0.2619495739),
    ]  # fmt: skip
    assert model.transform(queries) == pytest.approx(np.array(images), abs=1e-10)
    assert model.distance(queries) == pytest.approx(
        [0.0312976031, 0.2066719050, 1.0696920514, 0.1672807748], abs=1e-10
    )
    assert model.weights(queries[:1])[0] == pytest.approx(
        [0.1403228936, 0.1403228936, 0.1925758958, 0.1925758958, 0.3342024212], abs=1e-10
    )


def test_golden_digits(digits):
    X, X_test, y, y_test = digits()
    lams = [KAHM(tol=1e-12).fit(X[y == c]).lam_ for c in range(4)]
    assert lams == pytest.approx([0.449616, 0.516433, 0.479699, 0.457386], abs=1e-6)
    model = KAHM(tol=1e-12).fit(X[y == 3])
    assert model.lam_ == pytest.approx(0.457386477, abs=1e-9)
    assert model.lam_ / np.square(X[y == 3]).mean() == pytest.approx(2.014116670, abs=1e-8)
    own, test = model.distance(X[y == 3]).mean(), model.distance(X_test[y_test == 3]).mean()
    assert own == pytest.approx(0.3230455744, abs=1e-8)
    assert test == pytest.approx(0.5532349218, abs=1e-8)
    assert own < test < model.distance(X_test[y_test != 3]).mean()


@pytest.mark.parametrize("n", [2, 4, 6])
def test_prediction_is_that_of_explicit_inverses_and_in_the_affine_hull(n):
    Y, queries = random_data(n), random_data(n + 10, 25) * 2 - 0.5
    model = KAHM(n, tol=1e-13).fit(Y)
    weights = explicit(Y, queries, n, model.lam_)
    assert model.transform(queries) == pytest.approx(weights @ Y, rel=1e-9, abs=1e-10)
    assert model.weights(queries) == pytest.approx(weights, abs=1e-8)
    assert model.weights(queries).sum(1) == pytest.approx(np.ones(25), abs=1e-8)


def test_kernel_and_encoding_have_the_stated_properties():
    Y = random_data(5, 50, 8)
    Z = encode(Y, 5).scores(Y)
    assert np.cov(Z.T) == pytest.approx(np.eye(5), abs=1e-10)
    K = kernel(Z)
    assert (np.diag(K) == 1).all()
    assert (K == K.T).all()
    assert ((K >= 0) & (K <= 1)).all()
    gap = np.square(Z[:, None] - Z[None]).sum(-1)
    np.testing.assert_allclose(K, np.exp(-gap / 10), atol=1e-12)


def test_few_records_of_many_features_have_the_same_axes_as_many_of_few():
    Y = random_data(6, 12, 12)
    padded = np.hstack([Y, np.zeros((12, 30))])
    few, many = encode(padded, 6).scores(padded), encode(Y, 6).scores(Y)
    assert np.abs(few) == pytest.approx(np.abs(many), abs=1e-8)


def test_smooth_fit_of_one_at_the_records():
    model = KAHM(3).fit(random_data(7))
    k = kernel(model.scores_) @ model.alpha_
    assert k == pytest.approx(1 - model.lam_ * model.alpha_, abs=1e-12)


def test_rotations_and_permutations():
    Y, queries = random_data(8), random_data(9, 10)
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((6, 6)))[0]
    order = np.random.default_rng(1).permutation(len(Y))
    images = KAHM(4).fit(Y).transform(queries)
    assert KAHM(4).fit(Y[order]).transform(queries) == pytest.approx(images, abs=1e-10)
    assert KAHM(4).fit(Y @ Q).transform(queries @ Q) == pytest.approx(images @ Q, abs=1e-10)


def test_scale_matters():
    Y = random_data(10)
    scaled = KAHM(4).fit(16 * Y).transform(16 * Y[:3]) / 16
    assert np.abs(scaled - KAHM(4).fit(Y).transform(Y[:3])).max() > 0.01


def test_bound_holds_when_it_is_finite_and_alpha_is_positive_under_dominance():
    rng = np.random.default_rng(11)
    finite = dominated = 0
    for _ in range(300):
        N, p = rng.integers(3, 20), rng.integers(1, 5)
        Y = rng.random((N, p)) * rng.choice([0.3, 1, 3])
        model = KAHM(int(rng.integers(1, 5))).fit(Y)
        bound = model.bound()
        rows = kernel(model.scores_).sum(1) - 1
        if len(model.alpha_) == N and rows.max() < model.lam_ + 1:
            dominated += 1
            assert math.isfinite(bound)
        if math.isfinite(bound):
            finite += 1
            queries = rng.standard_normal((50, p)) * np.geomspace(0.1, 1e4, 50)[:, None]
            assert np.linalg.norm(model.transform(queries), axis=1).max() <= bound * (1 + 1e-9)
    assert finite > 100
    assert dominated > 20


def test_distance_is_at_most_the_weighted_distances_to_the_records():
    Y, queries = random_data(12), random_data(13, 20)
    model = KAHM(4).fit(Y)
    weights, reach = model.weights(queries), np.linalg.norm(queries[:, None] - Y, axis=2)
    distance = model.distance(queries) * (1 - 1e-9)
    assert (distance <= np.linalg.norm(weights, axis=1) * np.linalg.norm(reach, axis=1)).all()
    assert (distance <= np.abs(weights).sum(1) * reach.max(1)).all()


@pytest.mark.parametrize(
    "Y",
    [
        np.full((5, 3), 0.4),
        np.zeros((4, 3)),
        [[0.2, 0.3]],
        [[0.2, 0.3], [0.7, 0.1]],
        np.repeat([[0.2, 0.3], [0.7, 0.1], [0.5, 0.9]], 4, axis=0),
        np.outer(np.linspace(0, 1, 9), [1, 2, 3]),
        np.random.default_rng(0).random((5, 200)),
        np.vstack([np.zeros((60, 40)), np.eye(1, 40) * 0.002]),
    ],
    ids=["equal", "zeros", "one", "two", "doubled", "line", "wide", "almost zero"],
)
def test_degenerate_data_give_numbers(Y):
    Y = np.asarray(Y, float)
    model = KAHM().fit(Y)
    queries = np.vstack([Y, Y.mean(0) + 1e6, Y.mean(0) - 1e6, Y.mean(0) + 0.1])
    assert np.isfinite(model.transform(queries)).all()
    assert np.isfinite(model.distance(queries)).all()
    assert model.weights(Y).sum(1) == pytest.approx(np.ones(len(Y)))
    if np.ptp(Y, axis=0).max() == 0:
        assert model.transform(queries) == pytest.approx(np.tile(Y[0], (len(queries), 1)))
        assert model.distance(Y) == pytest.approx(np.zeros(len(Y)))
        assert model.bound() == pytest.approx(np.linalg.norm(Y[0]))


def test_queries_in_parts_are_the_same():
    Y = random_data(14, 3000, 3)
    model = KAHM(3).fit(Y[:20])
    together = model.distance(np.tile(Y, (3, 1)))
    apart = np.concatenate([model.distance(one[None]) for one in Y[1000:1200]])
    assert together[4000:4200] == pytest.approx(apart)  # across the end of a part of 4,096
    assert len(together) == 9000
    assert model.transform(Y[:0]).shape == (0, 3)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: KAHM(0).fit(FIVE), "n_components=0"),
        (lambda: KAHM().fit([1.0, 2.0]), "Y of shape"),
        (lambda: KAHM().fit([[1.0], [math.nan]]), "finite"),
        (lambda: KAHM().fit(np.zeros((0, 2))), "Y of shape"),
        (lambda: KAHM(tau_factor=0.2).fit(FIVE), "tau_factor=0.2"),
        (lambda: KAHM(tol=0).fit(FIVE), "tol=0"),
    ],
)
def test_bad_arguments_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
