"""GLVQ's closed forms against autograd, finite differences and brute force."""

import numpy as np
import pytest

from dpcore.lvq import clipped_sum, error_rates, gradient_norms, predict
from dpcore.lvq.gradients import cost

SHAPES = [(17, 2, 3, 1), (23, 5, 2, 3), (40, 19, 7, 1), (12, 64, 10, 2), (9, 1, 2, 2)]


def make(n, d, k, m, dtype=np.float64):
    rng = np.random.default_rng(n + d)
    X = rng.uniform(-1, 1, (n, d)).astype(dtype)
    W = rng.uniform(-1, 1, (k * m, d)).astype(dtype)
    return X, np.arange(n) % k, W, np.repeat(np.arange(k), m)


def autograd(X, y, W, labels):
    """Per-sample gradients (n, P, d) by torch.func."""
    import torch

    own = torch.tensor(labels == y[:, None])
    far = torch.tensor(1e9, dtype=torch.float64).to(torch.tensor(X).dtype)

    def loss(w, x, mask):
        distance = ((x - w) ** 2).sum(-1)
        near = torch.where(mask, distance, far).min()
        other = torch.where(mask, far, distance).min()
        return (near - other) / (near + other)

    grad = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0, 0))
    return grad(torch.tensor(W), torch.tensor(X), own).numpy()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("clip_norm", [1e-3, 0.3, 1.0, np.inf])
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-12), (np.float32, 1e-5)])
def test_clipped_sum_equals_autograd(shape, clip_norm, dtype, tolerance):
    X, y, W, labels = make(*shape, dtype)
    single = autograd(X, y, W, labels)
    norms = np.sqrt(np.square(single).sum((1, 2)))
    wanted = (single * np.minimum(1, clip_norm / norms)[:, None, None]).sum(0)
    found = clipped_sum(X, y, W=W, labels=labels, clip_norm=clip_norm)
    assert found.dtype == dtype
    assert np.abs(found - wanted).max() <= tolerance * max(1, np.abs(wanted).max())


@pytest.mark.parametrize("shape", SHAPES)
def test_norms_equal_autograd_and_obey_their_bound(shape):
    X, y, W, labels = make(*shape)
    wanted = np.sqrt(np.square(autograd(X, y, W, labels)).sum((1, 2)))
    norms = gradient_norms(X, y, W=W, labels=labels)
    np.testing.assert_allclose(norms, wanted, rtol=1e-9)
    distances = np.square(X[:, None] - W).sum(-1)
    own = labels == y[:, None]
    total = np.where(own, distances, np.inf).min(1) + np.where(own, np.inf, distances).min(1)
    assert (norms <= 2 / np.sqrt(total) + 1e-12).all()


def test_gradient_equals_finite_differences():
    X, y, W, labels = make(30, 4, 3, 2)
    slope, h = clipped_sum(X, y, W=W, labels=labels), 1e-6
    for p, j in ((0, 0), (2, 3), (5, 1)):
        up, down = W.copy(), W.copy()
        up[p, j] += h
        down[p, j] -= h
        change = (cost(X, y, up, labels) - cost(X, y, down, labels)) / (2 * h)
        assert slope[p, j] == pytest.approx(change, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("clip_norm", [0.05, 0.5, 2.0])
def test_one_record_moves_the_sum_by_at_most_the_clipping_norm(clip_norm):
    X, y, W, labels = make(40, 3, 4, 1)
    whole = clipped_sum(X, y, W=W, labels=labels, clip_norm=clip_norm)
    for i in range(len(X)):
        keep = np.arange(len(X)) != i
        moved = np.linalg.norm(
            whole - clipped_sum(X[keep], y[keep], W=W, labels=labels, clip_norm=clip_norm)
        )
        assert moved <= clip_norm * (1 + 1e-12)


def test_names_of_classes_do_not_matter():
    X, y, W, labels = make(40, 3, 4, 1)
    turn = np.array([2, 0, 3, 1])
    swapped = clipped_sum(X, turn[y], W=W, labels=turn[labels], clip_norm=0.3)
    np.testing.assert_allclose(
        swapped, clipped_sum(X, y, W=W, labels=labels, clip_norm=0.3), atol=1e-14
    )


def test_a_sample_on_both_prototypes_pulls_nowhere():
    X = np.zeros((1, 2))
    assert (clipped_sum(X, [0], W=np.zeros((2, 2)), labels=[0, 1], clip_norm=1.0) == 0).all()


def test_predictions_and_errors_agree_over_many_sets():
    X, y, W, labels = make(60, 5, 3, 2)
    sets = np.stack([W, W[::-1], -W]).reshape(3, 1, 6, 5)
    errors = error_rates(X, y, W=sets, labels=labels)
    assert errors.shape == (3, 1)
    for i in range(3):
        assert errors[i, 0] == (predict(X, sets[i, 0], labels=labels) != y).mean()
