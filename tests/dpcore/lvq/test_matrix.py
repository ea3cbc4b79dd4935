"""GMLVQ's closed forms against autograd, finite differences and brute force."""

import numpy as np
import pytest

from dpcore.lvq import contributions, gradients, matrix

SHAPES = [
    (17, 2, 3, 1, 2),
    (23, 5, 2, 3, 3),
    (40, 19, 7, 1, 19),
    (12, 64, 10, 2, 8),
    (9, 1, 2, 2, 1),
]


def make(n, d, k, m, rank, dtype=np.float64):
    rng = np.random.default_rng(n + d)
    X = rng.uniform(-1, 1, (n, d)).astype(dtype)
    W = rng.uniform(-1, 1, (k * m, d)).astype(dtype)
    omega = (matrix.start(d, rank) + 0.3 * rng.standard_normal((rank, d))).astype(dtype)
    return X, np.arange(n) % k, W, omega, np.repeat(np.arange(k), m)


def autograd(X, y, W, omega, labels):
    """Per-sample gradients (n, P d + l d) by torch.func."""
    import torch

    own = torch.tensor(labels == y[:, None])
    far = torch.tensor(1e9, dtype=torch.float64).to(torch.tensor(X).dtype)

    def loss(both, x, mask):
        distance = ((x - both[0]) @ both[1].T).square().sum(-1)
        near = torch.where(mask, distance, far).min()
        other = torch.where(mask, far, distance).min()
        return (near - other) / (near + other)

    grad = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0, 0))
    found = grad((torch.tensor(W), torch.tensor(omega)), torch.tensor(X), own)
    return np.concatenate([g.flatten(1).numpy() for g in found], axis=1)


def flat(sums):
    return np.concatenate([s.ravel() for s in sums])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("clip_norm", [1e-3, 0.3, 1.0, 3.0, np.inf])
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-12), (np.float32, 2e-5)])
def test_clipped_sum_equals_autograd(shape, clip_norm, dtype, tolerance):
    problem = make(*shape, dtype)
    single = autograd(*problem)
    norms = np.linalg.norm(single, axis=1)
    share = contributions.joint_slack(shape[1], shape[4], dtype)
    limit = clip_norm * (1 - share / 4)  # what rounding may take is kept free
    wanted = (single * np.minimum(1, limit / norms)[:, None]).sum(0)
    found = matrix.clipped_sum(*problem, clip_norm)
    assert [f.dtype for f in found] == [dtype, dtype]
    # Every record adds whole numbers of units, cut towards 0.
    units = contributions.UNITS if dtype == np.float32 else contributions.FINE_UNITS
    cut = 0 if np.isinf(clip_norm) else len(single) * clip_norm / units
    assert np.abs(flat(found) - wanted).max() <= tolerance * max(1, np.abs(wanted).max()) + cut


@pytest.mark.parametrize("shape", SHAPES)
def test_norms_equal_autograd(shape):
    problem = make(*shape)
    wanted = np.linalg.norm(autograd(*problem), axis=1)
    np.testing.assert_allclose(matrix.gradient_norms(*problem), wanted, rtol=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
def test_cost_and_its_gradient_are_the_unclipped_sum(shape):
    X, y, W, omega, labels = problem = make(*shape)
    cost, *slopes = matrix.cost_and_gradient(*problem)
    wanted = flat(matrix.clipped_sum(*problem))
    assert np.abs(flat(slopes) - wanted).max() <= 1e-10 * max(1, np.abs(wanted).max())
    assert cost == pytest.approx(gradients.cost(X @ omega.T, y, W @ omega.T, labels), abs=1e-9)


def test_gradient_equals_finite_differences():
    X, y, W, omega, labels = make(30, 4, 3, 2, 3)
    _, _, turn = matrix.cost_and_gradient(X, y, W, omega, labels)
    h = 1e-6
    for r, j in ((0, 0), (1, 3), (2, 2)):
        up, down = omega.copy(), omega.copy()
        up[r, j] += h
        down[r, j] -= h
        change = (
            matrix.cost_and_gradient(X, y, W, up, labels)[0]
            - matrix.cost_and_gradient(X, y, W, down, labels)[0]
        ) / (2 * h)
        assert turn[r, j] == pytest.approx(change, rel=1e-5, abs=1e-7)


def test_the_identity_is_glvq():
    X, y, W, _, labels = make(40, 6, 3, 2, 6)
    slope, _ = matrix.clipped_sum(X, y, W, np.eye(6), labels)
    np.testing.assert_allclose(slope, gradients.clipped_sum(X, y, W=W, labels=labels), atol=1e-12)
    assert (matrix.predict(X, W, np.eye(6), labels) == gradients.predict(X, W, labels=labels)).all()
    joint = matrix.gradient_norms(X, y, W, np.eye(6), labels)
    assert (joint >= gradients.gradient_norms(X, y, W=W, labels=labels)).all()


@pytest.mark.parametrize("clip_norm", [0.05, 0.5, 2.0])
def test_one_record_moves_both_sums_together_by_at_most_the_clipping_norm(clip_norm):
    X, y, W, omega, labels = make(40, 3, 4, 1, 2)
    whole = flat(matrix.clipped_sum(X, y, W, omega, labels, clip_norm))
    moves = []
    for i in range(len(X)):
        keep = np.arange(len(X)) != i
        rest = flat(matrix.clipped_sum(X[keep], y[keep], W, omega, labels, clip_norm))
        moves.append(np.linalg.norm(whole - rest))
    assert max(moves) <= clip_norm * (1 + 1e-12)
    assert max(moves) > 0.9 * min(clip_norm, matrix.gradient_norms(X, y, W, omega, labels).max())


def test_the_cost_does_not_feel_the_scale_of_omega():
    X, y, W, omega, labels = make(30, 4, 3, 2, 3)
    cost, _, turn = matrix.cost_and_gradient(X, y, W, omega, labels)
    assert matrix.cost_and_gradient(X, y, W, 7 * omega, labels)[0] == pytest.approx(cost)
    assert (turn * omega).sum() == pytest.approx(0, abs=1e-9)


def test_a_sample_on_both_prototypes_pulls_nowhere():
    found = matrix.clipped_sum(np.zeros((1, 2)), [0], np.zeros((2, 2)), np.eye(2), [0, 1], 1.0)
    assert (flat(found) == 0).all()


def test_many_models_at_once_are_each_alone():
    X, y, W, omega, labels = make(25, 5, 3, 2, 4)
    sets, turns = np.stack([W, -W, W[::-1]]), np.stack([omega, omega, 2 * omega])
    together = matrix.clipped_sums(X, y, sets, turns, labels, 0.3)
    errors = matrix.error_rates(X, y, sets, turns, labels)
    for k in range(3):
        alone = matrix.clipped_sum(X, y, sets[k], turns[k], labels, 0.3)
        for found, wanted in zip(together, alone, strict=True):
            assert (found[k] == wanted).all()
        assert errors[k] == (matrix.predict(X, sets[k], turns[k], labels) != y).mean()


def test_start_is_orthonormal_and_always_the_same():
    for d, rank in ((7, 3), (784, 16), (5, 5)):
        first = matrix.start(d, rank)
        np.testing.assert_allclose(first @ first.T, d / rank * np.eye(rank), atol=1e-10)
        assert (first == matrix.start(d, rank)).all()
    assert (matrix.start(4) == np.eye(4)).all()
    for bad in (0, 5, 1.5):
        with pytest.raises(ValueError, match="rank"):
            matrix.start(4, bad)
