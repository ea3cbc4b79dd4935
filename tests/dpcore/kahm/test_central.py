"""The sober comparison: class means from a trusted keeper at the ε of a record."""

import math

import numpy as np
import pytest

from dpcore import mechanisms
from dpcore.kahm import CentralClassMean, KAHMClassifier


def test_central_class_means(digits):
    X, X_test, y, y_test = digits()
    exact = CentralClassMean(epsilon=math.inf).fit(X, y)
    means = np.stack([X[y == c].mean(0) for c in range(10)])
    assert exact.means_ == pytest.approx(means)
    gaps = [
        np.abs(CentralClassMean(epsilon=e, random_state=0).fit(X, y).means_ - means).max()
        for e in (0.5, 1, 8, 64)
    ]
    assert gaps == sorted(gaps, reverse=True)
    scores = [CentralClassMean(epsilon=1.0, clip_norm=4.0, random_state=s).fit(X, y).score(X_test, y_test)
              for s in range(20)]  # fmt: skip
    assert np.mean(scores) >= 0.80
    private = KAHMClassifier(epsilon=1 / 64, random_state=0).fit(X, y)
    assert private.privacy_.epsilon == 1.0
    assert private.score(X_test, y_test) < 0.2  # the same ε for a record, and it is chance
    assert CentralClassMean(epsilon=1.0).fit(X, y).privacy_.epsilon == 1.0


def test_central_sensitivity_by_brute_force_over_neighbours():
    # Class sums of clipped records, one record replaced, label kept.
    base, y = np.random.default_rng(0).random((4, 3)), [0, 0, 1, 1]
    corners = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).T.astype(float)

    def sums(first, C):
        model = CentralClassMean(epsilon=math.inf, clip_norm=C).fit(np.vstack([first, base[1:]]), y)
        return model.means_ * 2

    for C, reach in ((0.7, 0.7 * math.sqrt(2)), (None, math.sqrt(3))):
        found = [sums(corner, C) for corner in corners]
        worst = max(np.linalg.norm(a - b) for a in found for b in found)
        assert worst == pytest.approx(reach)
        noisy = CentralClassMean(epsilon=1.0, clip_norm=C).fit(base, y)
        sigma = mechanisms.gaussian_sigma(reach, 1.0, delta=1e-5)
        assert f"σ = {sigma:.3g}" in noisy.privacy_.parts[0].mechanism


@pytest.mark.parametrize("clip_norm", [1e-30, 0.1, 1.0, 1e30, None])
def test_no_record_is_longer_than_its_bound(clip_norm):
    values = [0.0, -0.0, 5e-324, 1e-310, 1e-30, 0.1, 0.5, 1.0, 1e30, 1e200, 1.7e308, -1.7e308]
    X = np.array([[a, b, c] for a in values for b in values for c in values])
    found = CentralClassMean(clip_norm=clip_norm)._clipped(X)
    assert ((found >= 0) & (found <= 1)).all()
    if clip_norm is not None:
        assert np.linalg.norm(found / clip_norm, axis=1).max() <= 1


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"epsilon": 0}, "epsilon=0"),
        ({"delta": 0}, "delta=0"),
        ({"clip_norm": -1}, "clip_norm=-1"),
        ({"bounds": (1, 0)}, "low < high"),
    ],
)
def test_bad_arguments_are_named(bad, words):
    with pytest.raises(ValueError, match=words):
        CentralClassMean(**bad).fit([[0.0], [0.1], [0.9], [1.0]], [0, 0, 1, 1])
