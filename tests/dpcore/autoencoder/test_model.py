"""The autoencoder as an estimator: scikit-learn's checks, seeds, gradients, what training reaches."""

import math

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from dpcore.autoencoder import Autoencoder, Weights, pixels, preset
from dpcore.autoencoder.train import gradient
from dpcore.autoencoder.weights import sigmoid, weights_of
from tests.stopping import Stopped, stop_after

SMALL = {"n_hidden": 4, "epochs": 2, "batch_size": 32, "random_state": 0}


def images(n=200, d=9, seed=0):
    return np.random.default_rng(seed).random((n, d)).astype(np.float32)


@pytest.mark.filterwarnings("ignore:.*:UserWarning:sklearn")
def test_scikit_learns_checks():
    check_estimator(Autoencoder(**SMALL), on_skip=None)


def test_gradient_is_autograds():
    import torch

    rng = np.random.default_rng(0)
    shapes = [(9, 4), (4,), (4, 9), (9,)]
    parts = [torch.tensor(rng.normal(size=s), requires_grad=True) for s in shapes]
    x = torch.tensor(rng.random((7, 9)))
    W1, b1, W2, b2 = parts
    loss = ((((x @ W1 + b1).relu() @ W2 + b2).sigmoid() - x) ** 2).mean()
    loss.backward()
    slopes = [torch.zeros_like(p) for p in parts]
    with torch.no_grad():
        ours = gradient(parts, x, slopes)
    assert float(ours) == pytest.approx(loss.item(), rel=1e-12)
    for part, slope in zip(parts, slopes, strict=True):
        assert torch.allclose(part.grad, slope, rtol=1e-10, atol=1e-14)


def test_same_seed_same_weights_and_torchs_own_chance_is_left_alone():
    import torch

    state, threads = torch.get_rng_state(), torch.get_num_threads()
    one, two = (Autoencoder(**SMALL).fit(images()) for _ in range(2))
    other = Autoencoder(**{**SMALL, "random_state": 1}).fit(images())
    for name in ("W1", "b1", "W2", "b2"):
        assert (getattr(one.weights_, name) == getattr(two.weights_, name)).all()
    assert (one.weights_.W1 != other.weights_.W1).any()
    assert (torch.get_rng_state() == state).all()
    assert torch.get_num_threads() == threads
    for chance in (None, np.random.default_rng(0), np.random.RandomState(0)):
        model = Autoencoder(**{**SMALL, "random_state": chance}).fit(images())
        assert model.weights_.W1.shape == (9, 4)


def test_training_tells_how_far_it_is_and_can_be_stopped():
    told = []
    whole = Autoencoder(**{**SMALL, "epochs": 5}).fit(
        images(), progress=lambda share, loss: told.append((share, loss))
    )
    assert [share for share, _ in told] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    assert [loss for _, loss in told] == whole.loss_curve_.tolist()
    cut = Autoencoder(**{**SMALL, "epochs": 5})
    with pytest.raises(Stopped):
        cut.fit(images(), check=stop_after(1))
    assert not hasattr(cut, "weights_")


def test_the_numpy_pass_is_the_model(digits):
    import torch

    w = digits.weights
    x = torch.tensor(digits.X_test)
    codes = (x @ torch.tensor(np.array(w.W1)) + torch.tensor(np.array(w.b1))).relu()
    out = (codes @ torch.tensor(np.array(w.W2)) + torch.tensor(np.array(w.b2))).sigmoid().numpy()
    assert np.allclose(digits.model.transform(digits.X_test), codes.numpy(), atol=1e-4)
    assert np.allclose(digits.model.reconstruct(digits.X_test), out, atol=1e-5)
    assert np.allclose(w.reconstruct(digits.X_test), out, atol=1e-5)
    assert digits.model.score(digits.X_test) == pytest.approx(
        -float(np.mean((out - digits.X_test) ** 2)), rel=1e-4
    )


def test_digits_are_learnt_as_well_as_written_down(digits):
    # Test error .0092 at 120 epochs of batch 64, step 3e-3; 16 principal components reach .0115.
    assert -digits.model.score(digits.X_test) == pytest.approx(0.0092, abs=0.001)
    centred = digits.X - digits.X.mean(0)
    axes = np.linalg.svd(centred, full_matrices=False)[2][:16]
    rest = digits.X_test - digits.X.mean(0)
    linear = np.square(rest - rest @ axes.T @ axes).mean()
    assert linear == pytest.approx(0.0115, abs=0.001)
    assert -digits.model.score(digits.X_test) < linear
    assert digits.model.privacy_.epsilon == math.inf
    assert digits.model.privacy_.status == "nominal"


@pytest.mark.slow
def test_mnist_is_learnt_as_well_as_written_down(mnist):
    # .0041 at 10 epochs of batch 128, step 2e-3; 64 principal components reach .0090.
    assert -mnist.model.score(mnist.X_test) == pytest.approx(0.0041, rel=0.05)


def test_values_outside_are_put_on_the_bounds():
    X = images()
    far = X.copy()
    far[0, 0], X[0, 0] = 9.0, 1.0
    one, two = (Autoencoder(**SMALL).fit(data) for data in (far, X))
    assert (one.weights_.W1 == two.weights_.W1).all()
    assert (one.reconstruct(far) == two.reconstruct(X)).all()


def test_sigmoid_is_right_where_it_overflows():
    x = np.array([-1e4, -100, -1, 0, 1, 100, 1e4], np.float32)
    wanted = [0, 0, 1 / (1 + math.e), 0.5, 1 / (1 + 1 / math.e), 1, 1]
    assert sigmoid(x) == pytest.approx(wanted, abs=1e-7)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"n_hidden": 0}, "n_hidden=0"),
        ({"epochs": 0}, "epochs=0"),
        ({"batch_size": 0.5}, "batch_size=0.5"),
        ({"learning_rate": 0}, "learning_rate=0"),
        ({"learning_rate": math.inf}, "learning_rate=inf"),
    ],
)
def test_bad_arguments_are_named(bad, words):
    with pytest.raises(ValueError, match=words):
        Autoencoder(**{**SMALL, **bad}).fit(images())


def test_other_bad_arguments():
    with pytest.raises(ValueError, match="low < high"):
        pixels([[1.0]], 1, high=1)
    with pytest.raises(ValueError, match="'cifar'"):
        preset("cifar")
    with pytest.raises(ValueError, match="do not fit"):
        Weights(np.zeros((3, 2)), np.zeros(2), np.zeros((2, 4)), np.zeros(4))
    with pytest.raises(ValueError, match="not finite"):
        Weights([[np.nan]], [0], [[0]], [0])
    with pytest.raises(ValueError, match="fitted Autoencoder"):
        weights_of("model")


def test_torch_is_needed_for_training_only(monkeypatch, digits):
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"needs torch.*pip install torch"):
        Autoencoder(**SMALL).fit(images())
    assert digits.model.reconstruct(digits.X_test).shape == digits.X_test.shape


def test_importing_the_room_loads_nothing_heavy():
    import subprocess
    import sys

    code = (
        "import sys, dpcore.autoencoder\n"
        "print([m for m in ('torch', 'sklearn', 'pandas', 'numba') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_a_fit_that_raises_leaves_no_model_and_no_guarantee_of_an_older_one():
    model = Autoencoder(n_hidden=2, epochs=1, random_state=0).fit(np.zeros((4, 3)))
    with pytest.raises(ValueError, match="NaN"):
        model.fit(np.full((4, 3), np.nan))
    assert vars(model).keys() == model.get_params().keys()
