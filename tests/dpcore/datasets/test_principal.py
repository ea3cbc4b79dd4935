"""MNIST as Table 1 has it: the same records, scaling and fold, and nominal because all of it is read."""

import numpy as np
import pytest

from dpcore import datasets
from dpcore.datasets import principal
from dpcore.experiments import relevance
from dpcore.experiments.relevance import RelevanceParams
from dpcore.experiments.table1.training import records


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with a small made-up MNIST."""
    folder, rng = tmp_path_factory.mktemp("data"), np.random.default_rng(0)
    X = rng.integers(0, 256, (100, 784), dtype=np.uint8)
    np.savez(folder / "mnist.npz", X=X, y=np.arange(100) % 10, n_train=60)
    return folder


@pytest.fixture(scope="module")
def data(home):
    return datasets.load("mnist_pca", data_home=home)


def test_the_records_are_those_of_the_first_training_of_the_table(home, data):
    X, y = records("mnist", "pca", str(home))
    train, test = principal.folds("mnist", y, repeat=0, fold=0, seed=2)
    assert (len(train), len(test)) == (20, 80)
    np.testing.assert_allclose(data.scaled(), X[train], atol=1e-6)
    np.testing.assert_allclose(data.scaled(data.X_test), X[test], atol=1e-6)
    assert (data.y == y[train]).all()
    assert (data.y_test == y[test]).all()
    assert data.classes == tuple("0123456789")


def test_pictures_are_the_projected_ones(home, data):
    with np.load(home / "mnist.npz") as raw:
        X = raw["X"].astype(float)
    middle, axes = principal.axes_of(X)
    train, _ = principal.folds("mnist", np.arange(100) % 10, repeat=0, fold=0, seed=2)
    wanted = (middle + (X[train] - middle) @ axes @ axes.T) / 127.5 - 1
    found = data.to_images(data.scaled()).reshape(20, -1)
    np.testing.assert_allclose(found, np.clip(wanted, -1, 1), atol=1e-5)


def test_nothing_is_proved_of_what_is_read_from_the_records(data):
    assert data.estimated == ("bounds",)
    problem = relevance.Problem(data, 1)
    found = relevance.guarantee(RelevanceParams(dataset="mnist_pca"), problem)
    assert found.status == "nominal"
    assert any("principal components" in line for line in found.not_protected)
    assert datasets.mark("mnist_pca", data_home="/nowhere") is None
