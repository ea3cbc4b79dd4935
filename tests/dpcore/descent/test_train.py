"""Private descent: gradients against autograd, clipping, limits, sensitivity by brute force."""

import numpy as np
import pytest

from dpcore import sgd
from dpcore.descent import Logistic, Network, Recipe, descend
from dpcore.descent.train import clipped_sum, gradients, norms, step
from tests.stopping import Stopped, stop_after

MODELS = [Logistic(2), Network(2, width=5)]


def data(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.uniform(-1, 1, (n, 2)), np.ones(n)])
    return X, (X[:, 0] * X[:, 1] > 0).astype(float)


def trained(model, X, y, recipe, sigmas, *, seed, snapshots, **more):
    """Train at the noise multipliers ``sigmas``, with the noise of one seed."""
    return descend(
        model, X, y=y, recipe=recipe, noise_multiplier=np.array(sigmas), streams=sgd.Streams.of(seed),
        snapshots=snapshots, **more,
    )  # fmt: skip


def several(model, count=3):
    rng = np.random.default_rng(4)
    return np.array(
        [model.start(rng) + 0.3 * rng.standard_normal(model.n_weights) for _ in range(count)]
    )


def loss(model, weights, X, y):
    z = model.scores(weights[None], X)[0]
    return np.logaddexp(0, z) - y * z


@pytest.mark.parametrize("model", MODELS, ids=["logistic", "network"])
def test_gradients_are_finite_differences(model):
    X, y = data(7)
    w = several(model, 1)[0]
    found = gradients(model.factors(w[None], X, y))[0]
    h = 1e-6
    for k in range(model.n_weights):
        e = np.eye(model.n_weights)[k] * h
        numeric = (loss(model, w + e, X, y) - loss(model, w - e, X, y)) / (2 * h)
        assert found[:, k] == pytest.approx(numeric, abs=1e-8)


@pytest.mark.parametrize("model", MODELS, ids=["logistic", "network"])
@pytest.mark.parametrize("clip", [0.05, 0.5, 50.0])
def test_clipped_sums_equal_per_example_autograd(model, clip):
    torch = pytest.importorskip("torch")
    X, y = data()
    W = several(model)
    Xt, yt = torch.tensor(X), torch.tensor(y)

    def score(w, x):
        if isinstance(model, Logistic):
            return x @ w
        cut = model.width * (model.n_features + 1)
        hidden = torch.tanh(w[:cut].reshape(model.width, -1) @ x)
        return hidden @ w[cut:-1] + w[-1]

    def one(w, x, t):
        z = score(w, x)
        return torch.nn.functional.softplus(z) - t * z

    each = torch.func.vmap(torch.func.grad(one), (None, 0, 0))
    factors = model.factors(W, X, y)
    scale = 1 / np.maximum(1, norms(factors) / clip)
    found = clipped_sum(factors, scale)
    for k, w in enumerate(W):
        grads = each(torch.tensor(w), Xt, yt)
        length = grads.norm(dim=1)
        expected = (grads * torch.clamp(clip / length, max=1.0)[:, None]).sum(0)
        assert norms(factors)[k] == pytest.approx(length.numpy(), rel=1e-12)
        assert found[k] == pytest.approx(expected.numpy(), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("model", MODELS, ids=["logistic", "network"])
@pytest.mark.parametrize(("clipping", "reach"), [("example", 1.0), ("batch", 2.0)])
def test_one_record_moves_a_step_by_no_more_than_the_sensitivity(model, clipping, reach):
    """Brute force: every record taken out, at every place of several weights."""
    X, y = data(25)
    W = several(model, 4) * 3
    recipe = Recipe(clip_norm=0.3, sample_rate=1.0, clipping=clipping)
    unit = 25 * recipe.sample_rate if clipping == "example" else 1.0
    none = np.zeros((4, model.n_weights))
    whole = step(model, W, X, y, recipe, none, 25)
    worst = max(
        np.sqrt(np.square(
            whole - step(model, W, np.delete(X, i, 0), np.delete(y, i), recipe, none, 25)
        ).sum(-1)).max() * unit
        for i in range(25)
    )  # fmt: skip
    assert worst <= reach * 0.3 * (1 + 1e-9)
    if clipping == "example":
        assert worst > 0.25


def test_a_clipped_batch_can_move_by_two_clips():
    """One record turns a batch's gradient around: the bound 2C is attained."""
    model, recipe = Logistic(1), Recipe(clip_norm=0.1, sample_rate=1.0, clipping="batch")
    W, none = np.zeros((1, 2)), np.zeros((1, 2))
    X, y = np.array([[0.2, 1.0], [2.0, 10.0]]), np.array([1.0, 0.0])
    both = step(model, W, X, y, recipe, none, 2)
    one = step(model, W, X[:1], y[:1], recipe, none, 2)
    assert np.linalg.norm(both - one) == pytest.approx(2 * 0.1)


@pytest.mark.parametrize("model", MODELS, ids=["logistic", "network"])
def test_levels_side_by_side_are_single_trainings(model):
    X, y = data(200)
    recipe = Recipe(n_steps=30, sample_rate=0.1)
    moments = np.array([0, 0, 7, 30])
    together = trained(model, X, y, recipe, [0.0, 1.0, 8.0], seed=3, snapshots=moments)
    for k, sigma in enumerate((0.0, 1.0, 8.0)):
        alone = trained(model, X, y, recipe, [sigma], seed=3, snapshots=moments)
        assert together.weights[k] == pytest.approx(alone.weights[0], abs=1e-12)
    assert (together.weights[:, 0] == together.weights[0, 0]).all()
    again = trained(model, X, y, recipe, [8.0], seed=3, snapshots=moments)
    assert again.weights[0] == pytest.approx(together.weights[2], abs=1e-12)


def test_readings_differ_as_they_should():
    X, y = data(300)
    model = Logistic(2)
    moments = np.array([40])
    base = Recipe(n_steps=40, sample_rate=0.1, clip_norm=0.5)

    def last(sigma, **changes):
        recipe = Recipe(**{**vars(base), **changes})
        return trained(model, X, y, recipe, [sigma], seed=1, snapshots=moments).weights[0, 0]

    calm = last(0.0)
    once, each = last(2.0), last(2.0, noise="example")
    # The same unit noise, about √30 times as large.
    assert np.linalg.norm(each - calm) > 3 * np.linalg.norm(once - calm)
    assert last(0.0, noise="example") == pytest.approx(calm)
    loose = last(0.0, clipping="none")
    assert last(0.0, clip_norm=1e6) == pytest.approx(loose)


def test_without_a_record_everybody_elses_coins_stay():
    X, y = data(100)
    model = Logistic(2)
    recipe = Recipe(n_steps=50, sample_rate=0.05)
    with_all = trained(model, X, y, recipe, [1.0], seed=0, snapshots=np.array([50]))
    gone = trained(model, X, y, recipe, [1.0], seed=0, snapshots=np.array([50]), without=7)
    lots, less = with_all.lots, gone.lots
    for t in range(50):
        here = lots.indices[lots.offsets[t] : lots.offsets[t + 1]]
        there = less.indices[less.offsets[t] : less.offsets[t + 1]]
        assert (here[here != 7] == there).all()
    assert (with_all.unit == gone.unit).all()


def test_empty_lots_get_their_noise():
    model = Logistic(2)
    recipe = Recipe(sample_rate=0.1, clip_norm=0.5)
    noise = np.array([[3.0, -1.0, 2.0]])
    found = step(model, np.zeros((1, 3)), np.empty((0, 3)), np.empty(0), recipe, noise, 100)
    assert found == pytest.approx(noise * 0.5 / 10)
    printed = Recipe(sample_rate=0.1, clip_norm=0.5, noise="example")
    assert step(
        model, np.zeros((1, 3)), np.empty((0, 3)), np.empty(0), printed, noise, 100
    ) == pytest.approx(0)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"clip_norm": 0}, "clip_norm=0"),
        ({"sample_rate": 1.5}, "sample_rate=1.5"),
        ({"n_steps": 0}, "n_steps=0"),
        ({"learning_rate": -1}, "learning_rate=-1"),
        ({"clipping": "some"}, "clipping='some'"),
        ({"noise": "twice"}, "noise='twice'"),
    ],
)
def test_bad_recipes_are_named(changes, words):
    with pytest.raises(ValueError, match=words):
        Recipe(**changes)


def test_what_the_check_raises_ends_the_training():
    X, y = data(50)
    with pytest.raises(Stopped):
        descend(
            Logistic(2), X, y=y, recipe=Recipe(n_steps=20), noise_multiplier=np.array([1.0]),
            streams=sgd.Streams.of(0), snapshots=np.array([0, 10, 20]), check=stop_after(1),
        )  # fmt: skip


def test_the_size_that_steps_are_divided_by_is_declared_not_counted():
    """len(y) in the divisor shows the size by the scale of the noise: 10 records against 9."""
    X, y = np.zeros((10, 2)), np.zeros(10)
    recipe = Recipe(sample_rate=1.0, n_steps=1)

    def moved(n, **public):
        return descend(
            Logistic(1), X[:n], y=y[:n], recipe=recipe, noise_multiplier=np.array([1.0]), streams=sgd.Streams.of(0),
            snapshots=np.array([1]), **public,
        ).weights[0, 0]  # fmt: skip

    assert moved(9) == pytest.approx(moved(10) * 10 / 9)  # all gradients are 0: noise alone
    assert (moved(9, expected_n=10) == moved(10, expected_n=10)).all()
    with pytest.raises(ValueError, match="expected_n=0"):
        moved(9, expected_n=0)


@pytest.mark.parametrize("model", [Logistic(2), Network(2, 3)])
@pytest.mark.parametrize("rate", [1e-30, 1e30])
@pytest.mark.parametrize("clip_norm", [1e-30, 1.0, 1e30])
def test_no_record_moves_a_step_by_more_than_c_and_all_stays_finite(model, rate, clip_norm):
    values = [-1e50, -1.0, -0.0, 5e-324, 1e-30, 1.0, 1e50]
    X = np.array([[a, b, 1.0] for a in values for b in values])
    y = np.arange(len(X)) % 2.0
    recipe = Recipe(clip_norm=clip_norm, learning_rate=rate, sample_rate=1.0, n_steps=5)
    found = descend(
        model, X, y=y, recipe=recipe, noise_multiplier=np.array([0.0, 1e10]), streams=sgd.Streams.of(1),
        snapshots=np.arange(6), expected_n=len(y),
    )  # fmt: skip
    assert np.isfinite(found.weights).all()
    plain = Recipe(clip_norm=clip_norm, sample_rate=1.0)
    for t in range(5):
        weights = found.weights[:, t]
        nothing = np.zeros_like(weights)
        for row, label in zip(X, y, strict=True):
            one = step(model, weights, row[None], label[None], plain, nothing, 1)
            assert np.linalg.norm(one / clip_norm, axis=1).max() <= 1


def test_what_would_overflow_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match="learning_rate="):
        Recipe(learning_rate=1.7e308)
    with pytest.raises(ValueError, match="scale the features"):
        descend(
            Logistic(1), np.full((2, 2), 1e200), y=np.zeros(2), recipe=Recipe(), noise_multiplier=np.array([1.0]),
            streams=sgd.Streams.of(0), snapshots=np.array([1]),
        )  # fmt: skip


def test_an_empty_sample_has_no_gradients():
    from dpcore.descent.train import gradients

    factors = [
        (np.zeros((1, 0, 3)), np.zeros((2, 0, 4))),
        (np.zeros((2, 0, 5)), np.zeros((2, 0, 1))),
    ]
    assert gradients(factors).shape == (2, 0, 17)
