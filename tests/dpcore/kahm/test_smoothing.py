"""Smoothing by repeated hull machines, against its matrices written out."""

import numpy as np
import pytest

from dpcore.kahm import KAHM, HullOptions, smooth
from dpcore.kahm.hull import encode, kernel

SMALL = HullOptions(n_components=4, split="none")


def cloud(seed=0, N=60, p=5):
    rng = np.random.default_rng(seed)
    y = np.arange(N) % 2
    return np.clip(0.3 + 0.3 * y[:, None] + 0.1 * rng.standard_normal((N, p)), 0, 1), y


def rng(seed=0):
    return np.random.default_rng(seed)


def test_the_fixed_operator_is_the_power_of_the_matrix_written_out():
    Y = cloud()[0][:30]
    found = smooth(Y, np.zeros(30), rng=rng(), options=SMALL)
    lam = KAHM(4).fit(Y).lam_
    K = kernel(encode(Y, 4).scores(Y))
    S = K @ np.linalg.inv(K + lam * np.eye(30))
    W = S / S.sum(1, keepdims=True)
    for t in range(4):
        wanted = np.linalg.matrix_power(W, t) @ Y
        assert found.stages[t] == pytest.approx(wanted, abs=1e-10)
        assert found.errors[t, 0] == pytest.approx(
            np.linalg.norm(wanted - W @ wanted, axis=1).mean()
        )
    centred = smooth(Y, np.zeros(30), rng=rng(), operator="centred", options=SMALL).stages[3]
    mean = Y.mean(0)
    assert centred == pytest.approx(mean + np.linalg.matrix_power(S, 3) @ (Y - mean), abs=1e-10)


def test_one_round_is_the_map_of_a_machine_on_the_data_whatever_the_reading():
    Y = cloud()[0]
    image = KAHM(4).fit(Y).transform(Y)
    for operator in ("fixed", "rebuild"):
        found = smooth(Y, np.zeros(60), rng=rng(), rounds=1, operator=operator, options=SMALL)
        assert found.stages[1] == pytest.approx(image, abs=1e-9)
    again = KAHM(4).fit(image).transform(image)
    rebuilt = smooth(Y, np.zeros(60), rng=rng(), rounds=2, operator="rebuild", options=SMALL)
    assert rebuilt.stages[2] == pytest.approx(again, abs=1e-9)


def test_the_centred_error_falls_strictly_and_to_any_target():
    X, y = cloud(1, 80)
    noisy = X + rng(2).laplace(size=X.shape)
    found = smooth(noisy, y, rng=rng(), rounds=30, operator="centred", options=SMALL)
    assert (np.diff(found.errors, axis=0) < 0).all()
    below = smooth(
        noisy, y, rng=rng(), rounds=100_000, operator="centred", target=1e-3, options=SMALL
    )
    assert (below.errors[-1] <= 1e-3).all()
    assert (below.rounds > 3).all()
