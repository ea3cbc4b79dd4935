"""The page's trainings and the published settings: ε against the account, runs that go on where they were."""

import numpy as np
import pytest

from dpcore.accounting import rdp
from dpcore.experiments import network
from dpcore.experiments.network import PUBLISHED, NetworkParams, mnist, published
from dpcore.experiments.network.mnist import BATCH, DELTA, N_TRAIN
from dpcore.journal import Refused
from dpcore.network import MNIST

PRIVATE = [row for row in PUBLISHED if row.epsilon]


@pytest.mark.parametrize("row", PRIVATE, ids=lambda row: row.name)
def test_the_published_epsilon_is_the_older_account_of_these_settings(row):
    """Rényi orders with ε = RDP + ln(1/δ)/(α - 1): that the settings are those of the table.

    Theirs has orders between whole ones too, which gives 0.02 less at most.
    """
    one = rdp.subsampled_gaussian(row.noise_multiplier, BATCH / N_TRAIN)
    older = (row.step(row.epochs) * one + np.log(1 / DELTA) / (rdp.ORDERS - 1)).min()
    assert older == pytest.approx(row.epsilon, abs=0.03)
    assert row.recipe().epsilon(DELTA, accountant="rdp") < older


def test_the_network_is_the_published_one():
    assert MNIST.n_weights == 26_010
    assert [row.step(1) for row in PUBLISHED] == [234] * 4


def test_the_noise_of_the_page_is_the_least_that_epsilon_allows():
    params = NetworkParams(epsilon=2.0, epochs=5)
    made = network.recipe(params)
    assert made.epsilon(params.delta) == pytest.approx(2.0, rel=1e-2)
    assert made.epsilon(params.delta) <= 2.0
    spent = network.spent(params)
    assert spent[0] == 0
    assert (np.diff(spent) > 0).all()
    assert network.guarantee(params).epsilon == spent[-1]


@pytest.mark.parametrize(
    "changes", [{}, {"epsilon": 20.0}, {"epochs": 80, "epsilon": 0.05, "delta": 1e-8}]
)
def test_what_is_spent_by_an_epoch_is_what_the_account_of_its_steps_says(changes):
    params = NetworkParams(**changes)
    made, epochs = network.recipe(params), np.unique(np.linspace(1, params.epochs, 7).astype(int))
    exact = [made.epsilon(params.delta, network.STEPS_AN_EPOCH * k) for k in epochs.tolist()]
    found = network.spent(params)[epochs] / exact
    assert found.min() >= 1 - 1e-6  # both are bounds, each on a grid of its own
    assert found.max() <= 1.0025


def test_a_training_grows_from_where_its_twin_starts(monkeypatch):
    monkeypatch.setattr("dpcore.experiments.network.digits.STEPS_AN_EPOCH", 2)
    params = NetworkParams(epochs=5, epsilon=0.5)
    network.recipe.cache_clear()
    private, plain = network.run(params)
    network.recipe.cache_clear()
    assert len(private.accuracy) == len(plain.accuracy) == 6
    assert private.accuracy[0] == plain.accuracy[0]


def some(n=300):
    rng = np.random.default_rng(0)
    X = rng.random((n, 784), dtype=np.float32)
    return X, rng.integers(0, 10, n), X[:20], rng.integers(0, 10, 20)


def test_a_run_that_was_cut_short_goes_on_where_it_was(tmp_path, monkeypatch):
    """The last epoch is forgotten, as a kill would; started again it is made anew, alike."""
    monkeypatch.setattr("dpcore.experiments.network.mnist.N_TRAIN", 512)  # 2 steps an epoch
    monkeypatch.setattr("dpcore.experiments.network.mnist.N_TRAIN", 512)
    row = mnist.Published(
        name="1.19", learning_rate=0.25, noise_multiplier=1.3, clip_norm=1.5, epochs=3, epsilon=1.19,
        accuracy=0.95,
    )  # fmt: skip
    told = []

    def stop(text):
        told.append(text)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mnist.train(row, some(), tmp_path / "cut", seed=3, tell=stop)
    mnist.train(row, some(), tmp_path / "cut", seed=3, tell=told.append)
    mnist.train(row, some(), tmp_path / "whole", seed=3, tell=told.append)
    assert [text.split(",")[0] for text in told[:3]] == [f"1.19: epoch {k} of 3" for k in (1, 2, 3)]
    cut, whole = (
        mnist.write(tmp_path / f"{name}.json", tmp_path / name, [row], seed=3)[0]
        for name in ("cut", "whole")
    )
    assert cut.accuracy == whole.accuracy
    assert cut.epsilon == whole.epsilon
    assert mnist.read(tmp_path / "cut.json") == (cut,)


def test_less_than_the_whole_mnist_is_refused(monkeypatch):
    few = np.zeros((5, 784), np.uint8), np.zeros(5, int)
    monkeypatch.setattr(mnist, "split_records", lambda name, home: (*few, *few))
    with pytest.raises(Refused, match="5 training records"):
        mnist.pictures(None)


def test_a_published_row_is_found_by_its_name():
    assert published("3.01").epochs == 60


def test_the_page_opens_with_a_twin_that_has_settled_and_a_price_that_is_seen():
    """A last step that overshoots would understate what privacy costs."""
    private, plain = network.run(NetworkParams())
    assert plain.accuracy[-1] > max(plain.accuracy) - 0.01
    assert 0.1 < plain.accuracy[-1] - private.accuracy[-1] < 0.3
    assert private.accuracy[-1] > 0.7
