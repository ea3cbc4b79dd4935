"""Scaling by declared bounds reads nothing: a record moves its own scaled record alone."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from dpcore.lvq import DPGLVQ
from dpcore.preprocessing import BoundedScaler

X = np.random.default_rng(0).normal(50, 20, (60, 3))
BOUNDS = ([0, 10, 20], [100, 90, 80])


def test_it_is_an_estimator_of_scikit_learn():
    check_estimator(BoundedScaler(), on_skip=None)


def changed():
    other = X.copy()
    other[7] = [-1e6, 1e6, 50]
    return other


def test_a_record_moves_its_own_scaled_record_alone():
    first, second = (BoundedScaler(bounds=BOUNDS).fit_transform(rows) for rows in (X, changed()))
    assert np.flatnonzero((first != second).any(axis=1)).tolist() == [7]
    assert second[7].tolist() == [-1, 1, 0]
    assert np.abs(first).max() <= 1
    read = [StandardScaler().fit_transform(rows) for rows in (X, changed())]
    assert (read[0] != read[1]).any(axis=1).all()  # the fault that it is for


def test_what_lies_inside_comes_back():
    scaler = BoundedScaler(bounds=BOUNDS).fit(X)
    inside = np.clip(X, *BOUNDS)
    assert scaler.inverse_transform(scaler.transform(X)) == pytest.approx(inside)


def test_a_private_step_behind_it_is_proved():
    private = DPGLVQ(bounds=(-1, 1), expected_n=60, classes=[0, 1], sample_rate=1.0, epochs=2)
    model = make_pipeline(BoundedScaler(bounds=BOUNDS), private).fit(X, (X[:, 0] > 50).astype(int))
    assert model[-1].privacy_.status == "proved"


@pytest.mark.parametrize("bounds", [(1, 0), ([0, 1], [1, 2]), (0, np.inf), ("a", "b")])
def test_bad_bounds_are_named(bounds):
    with pytest.raises(ValueError, match="bounds"):
        BoundedScaler(bounds=bounds).fit(X)
