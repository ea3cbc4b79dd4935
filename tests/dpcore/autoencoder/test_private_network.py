"""The autoencoder trained by DP-SGD: its account, its gradients, its claim under attack, what it learns."""

import math
from dataclasses import replace
from functools import partial

import dp_accounting
import numpy as np
import pytest
import torch
from dp_accounting import pld

from dpcore import accounting, per_sample
from dpcore.audit.bounds import two_worlds
from dpcore.autoencoder import neighbouring_pairs, private_network
from dpcore.autoencoder.private_network import NETWORK_PRESETS, NetworkRecipe, train_private

QUICK = NetworkRecipe(n_hidden=3, n_steps=4, sample_rate=0.5)
X, Y = np.random.default_rng(0).random((12, 9)), np.arange(12) % 2


def made(recipe=QUICK, data=(X, Y), **options):
    common = {"epsilon": 2.0, "delta": 1e-5, "expected_n": 12, "classes": [0, 1], "random_state": 3}
    return train_private(*data, recipe=recipe, **{**common, **options})


@pytest.mark.parametrize("name", list(NETWORK_PRESETS))
@pytest.mark.parametrize("epsilon", [0.8, 8.0])
def test_steps_and_sums_together_cost_what_an_independent_accountant_says(name, epsilon):
    recipe = NETWORK_PRESETS[name]
    step, sums = recipe.noise(epsilon, 1e-5)
    account = pld.PLDAccountant(dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE)
    one = dp_accounting.GaussianDpEvent(step)
    account.compose(dp_accounting.PoissonSampledDpEvent(recipe.sample_rate, one), recipe.n_steps)
    account.compose(dp_accounting.GaussianDpEvent(sums))
    assert account.get_epsilon(1e-5) == pytest.approx(epsilon, rel=4e-3)


def test_the_parts_of_the_guarantee_are_cheaper_than_the_whole():
    found = made().guarantee
    assert found.status == "proved_under_assumption"  # of a seed
    assert made(random_state=None).guarantee.status == "proved"
    assert found.neighbouring == "add_remove"
    assert max(part.epsilon for part in found.parts) < found.epsilon
    assert sum(part.epsilon for part in found.parts) > found.epsilon


def _module(start):
    class Network(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.W1, self.b1, self.W2, self.b2 = (
                torch.nn.Parameter(torch.from_numpy(part)) for part in start
            )

        def forward(self, x):
            return ((x @ self.W1 + self.b1).relu() @ self.W2 + self.b2).sigmoid()

    return Network()


@pytest.mark.parametrize("clip_norm", [1e-3, 0.05, 10.0])
def test_gradients_by_hand_and_compiled_are_those_of_torch(clip_norm):
    rng = np.random.default_rng(1)
    start = [rng.normal(size=shape).astype("f4") for shape in ((9, 3), (3,), (3, 9), (9,))]
    x = torch.from_numpy(X.astype("f4"))
    module = _module(start)

    def error(output, target):
        return (output - target).square().mean()

    with torch.no_grad():
        found = per_sample.gradients(
            module, dict(module.named_parameters()), loss=error, batch=(x, x)
        ).numpy()
    flat = np.concatenate([part.ravel() for part in start])
    wanted = [neighbouring_pairs.picture_gradient(flat, picture, 3) for picture in x.numpy()]
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)
    scale = np.minimum(1, clip_norm / np.linalg.norm(found, axis=1))
    total = private_network.clipped_sum(flat, 3, x.numpy(), clip_norm)
    np.testing.assert_allclose(total, scale @ found, rtol=1e-4, atol=1e-5 * clip_norm + 1e-6)


def test_a_picture_adds_the_same_bits_alone_and_in_any_lot():
    rng, long = np.random.default_rng(2), 0
    for _ in range(2000):
        d, h, n = (int(v) for v in (rng.integers(1, 40), rng.integers(1, 20), rng.integers(2, 40)))
        weights = rng.choice([1e-3, 1.0, 1e3, 1e15]) * rng.choice(
            [-1.0, 0.0, 1.0, rng.normal()], 2 * d * h + d + h
        )
        pictures = rng.uniform(0, 1, (n, d)) * rng.choice([0.0, 1.0])
        if rng.random() < 0.5:
            pictures[:] = pictures[0]
        clip = float(2.0 ** rng.integers(-30, 10))
        i = int(rng.integers(n))
        lots = (slice(i, i + 1), slice(None), np.arange(n) != i)
        alone, whole, rest = (
            private_network.clipped_sum(
                weights.astype("f4"), h, pictures[lot].astype("f4"), clip
            )
            for lot in lots
        )  # fmt: skip
        assert (whole - rest == alone).all()
        assert np.linalg.norm(alone) <= clip
        long += np.linalg.norm(alone) > 0.9 * clip
    assert long > 300


def test_a_code_does_not_depend_on_who_else_is_there():
    from dpcore._fixed_order import compiled_products, products

    rng = np.random.default_rng(3)
    for d, h in ((5, 3), (64, 24), (784, 64), (64, 40)):
        A, B = rng.normal(size=(70, d)).astype("f4"), rng.normal(size=(h, d)).astype("f4")
        whole = compiled_products(A, B)
        np.testing.assert_allclose(whole, A @ B.T, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(whole, products(A, B), rtol=1e-4, atol=1e-4)
        for cut in (slice(1), slice(3), slice(5, 6), slice(1, 70), slice(2, 63)):
            assert (compiled_products(A[cut], B) == whole[cut]).all()


def test_a_seed_gives_the_same_network_and_another_another():
    first, again, other = made(), made(), made(random_state=4)
    np.testing.assert_array_equal(first.weights.W1, again.weights.W1)
    np.testing.assert_array_equal(first.means, again.means)
    assert not np.array_equal(first.weights.W1, other.weights.W1)


def test_it_learns_when_the_budget_is_large(digits):
    """Hardly any noise: better than the mean picture, and its invented pictures look like their class."""
    recipe = replace(NETWORK_PRESETS["digits"], n_steps=120)
    found = train_private(
        digits.X, digits.y, recipe=recipe, epsilon=1e4, delta=1e-5, expected_n=len(digits.X),
        classes=range(10), random_state=0,
    )  # fmt: skip
    mean = digits.X.mean(0)
    error = np.square(found.weights.reconstruct(digits.X_test) - digits.X_test).mean()
    assert error < 0.85 * np.square(digits.X_test - mean).mean()
    images = found.sample(20, np.random.default_rng(0))
    assert images.shape == (10, 20, 64)
    assert ((images >= 0) & (images <= 1)).all()
    averages = np.array([digits.X[digits.y == digit].mean(0) for digit in range(10)])
    off = np.square(images.mean(1)[:, None] - averages).sum(-1)
    assert (off.argmin(1) == np.arange(10)).sum() >= 5


def test_nobody_at_all_is_trained_on_without_a_mistake():
    found = made(data=(X[:0], Y[:0]))
    assert np.isfinite(found.means).all()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"data": (X, Y[:5])}, "X has 12 pictures and y 5"),
        ({"data": (np.full_like(X, np.nan), Y)}, "pixels are finite"),
        ({"data": (X, Y + 1)}, "which is not in classes"),
        ({"expected_n": 0}, "expected_n=0 is not allowed"),
        ({"epsilon": 0}, "epsilon=0 is not allowed"),
        ({"epsilon": math.inf}, "epsilon=inf is not allowed"),
    ],
)
def test_bad_input_gets_a_sentence(options, said):
    with pytest.raises(ValueError, match=said):
        made(**options)


@pytest.mark.parametrize(("field", "value"), [("n_hidden", 0), ("share", 1.0), ("clip_norm", 0)])
def test_a_bad_recipe_gets_a_sentence(field, value):
    with pytest.raises(ValueError, match=f"{field}={value} is not allowed"):
        NetworkRecipe(**{field: value})


def demonstrated(trainings):
    """ε that an attack on the steps demonstrates; a true claim is refuted with a chance below 1e-6."""
    (worlds,) = (one for one in neighbouring_pairs.WORLDS if one.name.endswith("DP-SGD, q = 1"))
    rng = np.random.default_rng(5)
    hits = [
        sum(worlds.release(canary, rng) > 0 for _ in range(trainings)) for canary in (False, True)
    ]
    bound = two_worlds(hits[0], trainings - hits[1], n=trainings, delta=1e-5, confidence=1 - 1e-6)
    return bound, worlds.claim()


def test_the_claim_survives_an_attack_and_too_little_noise_does_not(monkeypatch):
    bound, claim = demonstrated(20)
    assert not bound.refutes(claim.epsilon)
    weak = partial(_weakly_noisy, per_sample.noisy)
    monkeypatch.setattr(per_sample, "noisy", weak)
    bound, claim = demonstrated(80)
    assert bound.refutes(claim.epsilon)


def _weakly_noisy(noisy, total, noise_multiplier, clip_norm, rng):
    return noisy(total, noise_multiplier / 20, clip_norm=clip_norm, rng=rng)


def test_sums_of_codes_are_bounded_by_the_same_noise_as_the_generators():
    recipe = replace(QUICK, code_norm=1e-3)
    step, sums = recipe.noise(2.0, 1e-5)
    assert step > 0
    assert accounting.spent(accounting.GaussianEvent(sums), 1e-5) < 2.0
