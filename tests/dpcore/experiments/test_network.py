"""The page's trainings and the published settings: ε against the account, runs that go on where they were."""

from dataclasses import replace

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
    "changes",
    [{}, {"epsilon": 20.0}, {"epochs": 80, "epsilon": 0.05, "delta": 1e-8}, {"sample_rate": 0.5}],
)
def test_what_is_spent_by_an_epoch_is_what_the_account_of_its_steps_says(changes):
    params = NetworkParams(**changes)
    made, epochs = network.recipe(params), np.unique(np.linspace(1, params.epochs, 7).astype(int))
    by = network.steps_an_epoch(params.sample_rate)
    exact = [made.epsilon(params.delta, by * k) for k in epochs.tolist()]
    found = network.spent(params)[epochs] / exact
    assert found.min() >= 1 - 1e-6  # both are bounds, each on a grid of its own
    assert found.max() <= 1.0025


def test_a_training_grows_from_where_its_twin_starts():
    params = NetworkParams(epochs=5, epsilon=0.5, sample_rate=0.5)
    private, plain = network.run(params)
    assert len(private.accuracy) == len(plain.accuracy) == 6
    assert private.accuracy[0] == plain.accuracy[0]
    assert private.reads.shape == (network.N_WALL,)
    right = private.reads == network.problem().y_test[: network.N_WALL]
    assert (
        abs(right.mean() - private.accuracy[-1]) < 0.25
    )  # 70 of the 360 that the accuracy is about


@pytest.mark.parametrize("q", network.digits.SAMPLE_RATES)
def test_an_epoch_uses_every_picture_once_on_average_and_the_account_takes_q_from_the_event(q):
    params = NetworkParams(sample_rate=q, epochs=5, epsilon=1.0)
    made = network.recipe(params)
    assert made.sample_rate == q
    assert q * made.n_steps == pytest.approx(5)
    assert network.guarantee(params).epsilon <= 1.0
    wrong = replace(made, sample_rate=min(2 * q, 1.0))
    assert wrong.epsilon(params.delta) > 1.2  # the noise is that of this q, and of no other


def test_a_sweep_trains_near_what_is_asked_for_first_and_its_end_does_not_depend_on_it(monkeypatch):
    monkeypatch.setattr("dpcore.experiments.network.digits.TRAINED_AT", (0.2, 2.0, 20.0))
    params = NetworkParams(epochs=5, sample_rate=0.5, epsilon=1.0)
    low, high = (list(network.run_sweep(params, first)) for first in (0.2, 20.0))
    assert low[0].epsilons.tolist() == [0.2]
    assert high[0].epsilons.tolist() == [20.0]
    for one in (low[-1], high[-1]):
        assert one.epsilons.tolist() == [0.2, 2.0, 20.0]
        np.testing.assert_array_equal(one.reads, low[-1].reads)
    alone, _ = network.run(params.but(epsilon=2.0))
    np.testing.assert_array_equal(low[-1].reads[1], alone.reads)
    np.testing.assert_array_equal(low[-1].accuracy[1], alone.accuracy)


def test_outcomes_are_whole_trainings_with_noise_of_their_own_and_stop_when_asked():
    params = NetworkParams(epochs=5, sample_rate=0.5, epsilon=2.0)
    told = []
    found = network.run_outcomes(params, progress=lambda part, _: told.append(part))
    assert found.reads.shape == (network.N_OUTCOMES, network.N_WALL)
    assert told[-1] == 1.0
    alone, _ = network.run(params)
    for k, reads in enumerate(found.reads):
        others = [*found.reads[:k], alone.reads]
        assert all((reads != other).any() for other in others), "two trainings share their noise"
    again = network.run_outcomes(params.but(seed=params.seed + 1))
    assert not np.array_equal(found.reads, again.reads)
    calls = []

    def check():
        calls.append(None)
        if len(calls) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        network.run_outcomes(params, check=check)


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
