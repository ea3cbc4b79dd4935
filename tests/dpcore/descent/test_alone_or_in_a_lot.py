"""A record's gradient: the same bits alone and in any lot, at any place of it, for weights up to ±1e50."""

import numpy as np
import pytest

from dpcore.descent import Logistic, Network, Recipe, Softmax, SoftmaxNetwork, descend
from dpcore.descent.train import norms, step
from dpcore.sgd import Streams

DIMS = (1, 2, 3, 7, 8, 15, 33, 100)
SIZES = (0.0, 1e-200, 1e-3, 1.0, 30.0, 1e8, 1e50)
MODELS = {
    "logistic": lambda d, rng: Logistic(d),
    "network": lambda d, rng: Network(d, int(rng.integers(1, 20))),
    "softmax": lambda d, rng: Softmax(d, int(rng.integers(2, 12))),
    "softmax network": lambda d, rng: SoftmaxNetwork(
        d, int(rng.integers(2, 12)), int(rng.integers(1, 20))
    ),
}


def adversarial(name, rng):
    """Return a model, weights that cancel, a lot and its classes."""
    d, n, V = int(rng.choice(DIMS)), int(rng.integers(2, 40)), int(rng.integers(1, 4))
    model = MODELS[name](d, rng)
    W = rng.choice(SIZES) * rng.choice([-1.0, 0.0, 1.0, rng.uniform()], (V, model.n_weights))
    X = rng.choice([0.0, 1.0, -1.0, 1e-9, rng.uniform(-1, 1)], (n, d))
    if rng.random() < 0.5:
        X = np.repeat(X[:1] + rng.uniform(-1, 1, (1, d)), n, 0)
    if rng.random() < 0.3:
        X = np.asfortranarray(X)
    classes = getattr(model, "n_classes", 2)
    return model, W, np.column_stack([X, np.ones(n)]), rng.integers(0, classes, n).astype(float)


@pytest.mark.parametrize("name", MODELS)
def test_a_record_has_the_same_gradient_alone_and_in_any_lot(name):
    rng, C, most = np.random.default_rng(8), 1e30, 0.0
    recipe = Recipe(clip_norm=C, sample_rate=1.0, learning_rate=1e30)
    for _ in range(2000):
        model, W, X, y = adversarial(name, rng)
        i = int(rng.integers(len(X)))
        one, keep = slice(i, i + 1), np.arange(len(X)) != i
        with np.errstate(all="ignore"):
            whole, alone = model.factors(W, X, y), model.factors(W, X[one], y[one])
            for (inputs, errors), (x, e) in zip(whole, alone, strict=True):
                assert np.array_equal(inputs[..., one, :], x)
                assert np.array_equal(errors[:, one], e)
            assert np.array_equal(norms(whole)[:, one], norms(alone))
            none = np.zeros_like(W)
            ends = [step(model, W, X[k], y[k], recipe, none, 1) for k in (keep | ~keep, keep)]
        most = max(most, float(np.linalg.norm(ends[0] - ends[1], axis=1).max()))
    assert most <= C


def test_a_sum_that_rounds_too_much_is_refused_by_its_public_size():
    X, y = np.ones((4, 2)), np.array([0.0, 1.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="round too much"):
        descend(
            Logistic(1), X, y=y, recipe=Recipe(sample_rate=1.0), noise_multiplier=np.array([1.0]),
            streams=Streams.of(1), snapshots=np.array([0]), expected_n=100_001,
        )  # fmt: skip
