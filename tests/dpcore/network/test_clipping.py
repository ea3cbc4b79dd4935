"""Per-picture gradients against autograd one by one; clipping against hostile numbers."""

import numpy as np
import pytest
import torch
from torch.func import functional_call, grad, vmap

from dpcore.network import DIGITS, MNIST, ConvNet, Convolution, clipped_sum, gradients, scores

TINY = ConvNet(4, Convolution(1, 2, 1), Convolution(2, 1, 1), hidden=2, n_classes=2)


def as_torch(network):
    """The same network of torch's own layers."""
    a, b = network.first, network.second
    flat = network.shapes[4][1]
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, a.filters, a.size, a.stride, a.padding), torch.nn.ReLU(),
        torch.nn.MaxPool2d(2, 1),
        torch.nn.Conv2d(a.filters, b.filters, b.size, b.stride, b.padding), torch.nn.ReLU(),
        torch.nn.MaxPool2d(2, 1), torch.nn.Flatten(),
        torch.nn.Linear(flat, network.hidden), torch.nn.ReLU(),
        torch.nn.Linear(network.hidden, network.n_classes),
    )  # fmt: skip


def some(network, n, seed=0):
    rng = np.random.default_rng(seed)
    weights = network.start(rng) + np.float32(0.05) * rng.standard_normal(network.n_weights)
    X = rng.random((n, network.side**2), dtype=np.float32)
    return weights.astype(np.float32), X, rng.integers(0, network.n_classes, n)


@pytest.mark.parametrize("network", [MNIST, DIGITS, TINY], ids=["mnist", "digits", "tiny"])
def test_gradients_are_autograds_one_by_one(network):
    weights, X, y = some(network, 5)
    model, found = as_torch(network), gradients(network, weights, X=X, y=y)
    torch.nn.utils.vector_to_parameters(torch.from_numpy(weights), model.parameters())
    pictures, classes = torch.from_numpy(X).view(-1, 1, *[network.side] * 2), torch.from_numpy(y)
    for i in range(5):
        model.zero_grad()
        torch.nn.functional.cross_entropy(model(pictures[[i]]), classes[[i]]).backward()
        own = torch.cat([p.grad.flatten() for p in model.parameters()]).numpy()
        np.testing.assert_allclose(found[i], own, atol=2e-6, rtol=2e-4)
    np.testing.assert_allclose(
        scores(network, weights, X=X), model(pictures).detach().numpy(), atol=1e-5
    )


def test_gradients_are_those_of_torch_func():
    weights, X, y = some(DIGITS, 7)
    model = as_torch(DIGITS)
    torch.nn.utils.vector_to_parameters(torch.from_numpy(weights), model.parameters())
    parameters = {name: p.detach() for name, p in model.named_parameters()}

    def loss(parameters, picture, label):
        out = functional_call(model, parameters, (picture[None],))
        return torch.nn.functional.cross_entropy(out, label[None])

    each = vmap(grad(loss), (None, 0, 0))(
        parameters, torch.from_numpy(X).view(-1, 1, 8, 8), torch.from_numpy(y)
    )
    flat = torch.cat([each[name].flatten(1) for name in parameters], 1).numpy()
    np.testing.assert_allclose(gradients(DIGITS, weights, X=X, y=y), flat, atol=2e-6, rtol=2e-4)


def test_the_sum_is_of_clipped_gradients():
    weights, X, y = some(DIGITS, 150)  # more than two chunks
    each = gradients(DIGITS, weights, X=X, y=y)
    length = np.linalg.norm(each, axis=1)
    clip = float(np.median(length))
    expected = (each * np.minimum(1, clip / length)[:, None]).sum(0)
    cut = 150 * clip / 2**24  # every picture adds whole numbers of units, cut towards 0
    np.testing.assert_allclose(
        clipped_sum(DIGITS, weights, X=X, y=y, clip_norm=clip), expected, atol=1e-5 + cut
    )
    np.testing.assert_allclose(
        clipped_sum(DIGITS, weights, X=X, y=y, clip_norm=None), each.sum(0), atol=1e-4
    )


def test_an_empty_lot_adds_nothing():
    weights, X, y = some(DIGITS, 0)
    assert not clipped_sum(DIGITS, weights, X=X, y=y, clip_norm=1.0).any()


HOSTILE = (np.nan, np.inf, -np.inf, 3e38, -3e38, 1e-45, 1e20)


@pytest.mark.parametrize("bad", HOSTILE)
@pytest.mark.parametrize("where", ["picture", "weights", "both", "all weights"])
@pytest.mark.parametrize("clip", [1e-6, 1.0, 1e6])
def test_no_picture_moves_the_sum_by_more_than_the_clipping_norm(bad, where, clip):
    weights, X, y = some(TINY, 6, seed=3)
    if where in ("picture", "both"):
        X[2, ::3] = bad
    if where in ("weights", "both"):
        weights[::5] = bad
    if where == "all weights":
        weights[:] = bad
    rest = np.arange(6) != 2
    alone = clipped_sum(TINY, weights, X=X[[2]], y=y[[2]], clip_norm=clip)
    with_it = clipped_sum(TINY, weights, X=X, y=y, clip_norm=clip)
    without = clipped_sum(TINY, weights, X=X[rest], y=y[rest], clip_norm=clip)
    assert np.linalg.norm(alone) <= clip
    assert np.linalg.norm(with_it - without) <= clip


def test_a_tiny_factor_times_a_huge_one_is_clipped_too():
    """In float32 the square of 1e-25 is 0: a length measured there would let 1e12 pass."""
    weights, X, y = some(TINY, 1, seed=1)
    views = np.split(weights, np.cumsum(TINY.sizes)[:-1])
    views[2][:], views[3][:] = 1e-25, 0.0  # what comes into the hidden layer
    views[4][:], views[5][:] = 1.0, 1.0
    views[6][:] = [1e36, 1e36, -1e36, -1e36]  # what comes back to it
    views[7][:] = 0.0
    weights = np.concatenate(views)
    assert np.linalg.norm(gradients(TINY, weights, X=X, y=y)) > 1e6
    assert np.linalg.norm(clipped_sum(TINY, weights, X=X, y=y, clip_norm=1.0)) <= 1.0
