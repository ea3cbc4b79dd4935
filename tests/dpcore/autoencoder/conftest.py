"""Two trained autoencoders: on the digits for every test, on MNIST for the slow tests."""

from types import SimpleNamespace

import numpy as np
import pytest

from dpcore import autoencoder, datasets


def trained(name, data_home=None):
    data = datasets.load(name, data_home=data_home)
    X, X_test = (autoencoder.pixels(a, data.low, high=data.high) for a in (data.X, data.X_test))
    model = autoencoder.preset(name, random_state=0).fit(X)
    return SimpleNamespace(
        model=model, weights=model.weights_, X=X, y=data.y, X_test=X_test, y_test=data.y_test,
        everyone=X_test if name == "mnist" else np.concatenate([X, X_test]),
    )  # fmt: skip


@pytest.fixture(scope="session")
def digits():
    return trained("digits")


@pytest.fixture(scope="session")
def mnist(data_dir):
    if not (data_dir / "mnist.npz").exists():
        pytest.skip("no mnist.npz in the data folder")
    return trained("mnist", data_dir)
