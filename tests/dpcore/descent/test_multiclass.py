"""Models of several classes: gradients against finite differences, and against the model of two."""

import numpy as np
import pytest
from scipy.special import log_softmax

from dpcore.descent import Logistic, Softmax, SoftmaxNetwork
from dpcore.descent.train import clipped_sum, gradients, norms

MODELS = [Softmax(3, 4), SoftmaxNetwork(3, 4, 5)]


def records(n=6, d=3, k=4):
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.uniform(-1, 1, (n, d)), np.ones(n)])
    return X, np.arange(n) % k, rng


def loss(model, weights, X, y):
    return -log_softmax(model.scores(weights[None], X)[0], axis=-1)[np.arange(len(y)), y]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_gradients_are_finite_differences(model):
    X, y, rng = records()
    weights = rng.standard_normal(model.n_weights)
    found = gradients(model.factors(weights[None], X, y))[0]
    h = 1e-6
    for k in range(model.n_weights):
        step = h * np.eye(model.n_weights)[k]
        slope = (loss(model, weights + step, X, y) - loss(model, weights - step, X, y)) / (2 * h)
        assert found[:, k] == pytest.approx(slope, abs=1e-7)


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_norms_and_sums_are_those_of_the_gradients(model):
    X, y, rng = records()
    weights = rng.standard_normal((2, model.n_weights))
    factors = model.factors(weights, X, y)
    every = gradients(factors)
    assert norms(factors) == pytest.approx(np.linalg.norm(every, axis=-1))
    scale = rng.random((2, len(y)))
    assert clipped_sum(factors, scale) == pytest.approx((every * scale[..., None]).sum(1))


def test_two_classes_are_logistic_regression():
    X, y, rng = records(k=2)
    w = rng.standard_normal((1, 4))
    both = np.concatenate([-w / 2, w / 2], axis=1)
    found = gradients(Softmax(3, 2).factors(both, X, y))[0]
    one = gradients(Logistic(3).factors(w, X, y.astype(float)))[0]
    assert found[:, 4:] == pytest.approx(one)
    assert found[:, :4] == pytest.approx(-one)


def test_the_start_sees_no_data():
    one, other = (SoftmaxNetwork(3, 4).start(np.random.default_rng(2)) for _ in range(2))
    assert (one == other).all()
    assert not Softmax(3, 4).start(np.random.default_rng(2)).any()


@pytest.mark.parametrize("bad", [{"n_features": 0}, {"n_classes": 1}])
def test_bad_sizes_are_refused_in_a_sentence(bad):
    with pytest.raises(ValueError, match="is not allowed"):
        Softmax(**{"n_features": 2, "n_classes": 2} | bad)
