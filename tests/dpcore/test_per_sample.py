"""Gradients of single records in torch: against autograd one by one, and bounded whatever comes in."""

import itertools

import numpy as np
import pytest
import torch

from dpcore import per_sample

NUMBERS = (0.0, 1e-45, 1e-20, 1.0, -3.0, 1e20, 3e38, float("inf"), float("nan"))


def network():
    """A convolution, a rectifier and a dense layer, of weights that a fixed seed makes."""
    chance = torch.Generator().manual_seed(0)
    found = torch.nn.Sequential(
        torch.nn.Conv2d(1, 2, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(8, 3)
    )
    for weights in found.parameters():
        weights.data = torch.randn(weights.shape, generator=chance)
    images = torch.randn((5, 1, 4, 4), generator=chance)
    return found, dict(found.named_parameters()), (images, torch.arange(5) % 3)


def one_by_one(module, batch):
    rows = []
    for x, y in zip(*batch, strict=True):
        module.zero_grad()
        torch.nn.functional.cross_entropy(module(x[None])[0], y).backward()
        rows.append(torch.cat([part.grad.flatten() for part in module.parameters()]))
    return torch.stack(rows).double().numpy()


def test_they_are_what_autograd_finds_one_by_one():
    module, params, batch = network()
    loss = torch.nn.functional.cross_entropy
    wanted = one_by_one(module, batch)
    with torch.no_grad():
        found = per_sample.gradients(module, params, loss=loss, batch=batch).numpy()
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("clip_norm", [1e-30, 0.3, 1e30])
def test_the_sum_is_that_of_the_shortened_ones(clip_norm):
    module, params, batch = network()
    each = one_by_one(module, batch)
    norms = np.linalg.norm(each, axis=1, keepdims=True)
    most = (1 - per_sample.ROOM) * clip_norm
    wanted = (each * np.minimum(1, most / norms)).sum(0)
    found = per_sample.clipped_sum(
        module, params, loss=torch.nn.functional.cross_entropy, batch=batch, clip_norm=clip_norm
    )
    np.testing.assert_allclose(found.detach().numpy(), wanted, rtol=1e-4, atol=1e-5 * most)


def test_no_record_moves_the_sum_by_more_than_the_clip_norm():
    """Huge, tiny, infinite and missing numbers, in the record and in the weights."""
    module = torch.nn.Linear(2, 2)

    def loss(output, target):
        return (output - target).square().sum()

    rest = torch.tensor([[0.3, 1.0]] * 3), torch.tensor([[0.1, -0.2]] * 3)
    moved = []
    for size, x, target in itertools.product((0.0, 1e-30, 1.0, 1e38), NUMBERS, NUMBERS):
        params = {name: torch.full_like(p, size) for name, p in module.named_parameters()}
        one = torch.tensor([[x, 1.0]]), torch.tensor([[target, -x]])
        both = tuple(torch.cat(pair) for pair in zip(rest, one, strict=True))
        sums = [
            per_sample.clipped_sum(module, params, loss=loss, batch=lot, clip_norm=0.5)
            for lot in (both, rest)
        ]
        moved.append(float((sums[0] - sums[1]).norm()))
    assert np.isfinite(moved).all()
    assert 0.49 < max(moved) <= 0.5


def test_an_empty_lot_adds_nothing_and_bad_bounds_are_named():
    module, params, (images, labels) = network()
    loss = torch.nn.functional.cross_entropy
    nobody = images[:0], labels[:0]
    assert not per_sample.clipped_sum(module, params, loss=loss, batch=nobody, clip_norm=1.0).any()
    with pytest.raises(ValueError, match="clip_norm=0 is not allowed"):
        per_sample.clipped_sum(module, params, loss=loss, batch=nobody, clip_norm=0)


def test_noise_has_the_scale_that_was_asked_for():
    total = torch.zeros(20_000, dtype=torch.float64)
    found = per_sample.noisy(total, 2.0, clip_norm=0.3, rng=np.random.default_rng(0)).numpy()
    # Six standard errors of a standard deviation of so many normals: a false alarm below 1e-8.
    assert found.std() == pytest.approx(0.6, rel=6 / np.sqrt(2 * 20_000))


def test_a_record_adds_the_same_in_any_lot():
    """Zero and equal records under weights that cancel: which unit is above 0 is a matter of the last bit."""
    rng, loss = np.random.default_rng(3), torch.nn.functional.cross_entropy
    module = torch.nn.Sequential(torch.nn.Linear(64, 40), torch.nn.ReLU(), torch.nn.Linear(40, 10))
    for draw in range(20):
        params = {
            name: torch.from_numpy(1e3 * rng.choice([-1.0, 1.0], tuple(part.shape))).float()
            for name, part in module.named_parameters()
        }
        x = torch.from_numpy(rng.uniform(0, draw % 3, (1, 64))).float().repeat(18, 1)
        y = torch.zeros(18, dtype=torch.int64)
        sums = [
            per_sample.clipped_sum(
                module, params, loss=loss, batch=(x[:n], y[:n]), clip_norm=0.5
            ).detach()
            for n in (1, 2, 3, 17, 18)
        ]
        for n, found in zip((2, 3, 17, 18), sums[1:], strict=True):
            assert float((found - n * sums[0]).norm()) <= 1e-12
