"""The sober comparison: class means from a trusted keeper at the ε of a record."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpcore import mechanisms
from dpcore.kahm import CentralClassMean, KAHMClassifier
from dpcore.kahm.central import rounding_bound


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


def test_sums_of_neighbours_are_no_further_apart_than_the_noise_counts_with():
    """Ones up to a power of two, then many that are a hair more than half of its last digit.

    Where the first record is there, each of these is rounded up to twice what it is; without it none is. A
    product sums in 2ʲ lanes, and each of them has a power of its own.
    """
    half, found = 2**15, []
    model, index = CentralClassMean(), np.zeros(2 * half, int)
    for j in range(8):
        X = np.repeat([1.0, np.nextafter(2.0 ** -(38 + j), 1)], half)[:, None]
        near = X.copy()
        near[0] = 0.0
        one_by_one = (np.add.accumulate(rows)[-1, 0] for rows in (X, near))
        for there, away in (one_by_one, (model._sums(rows, index)[0, 0] for rows in (X, near))):
            found.append(there - away)
            assert there - away <= model._reach(*X.shape)
    # Whether a product rounds depends on the processor's lanes; one by one it does so everywhere.
    assert max(found[::2]) > 1 + 1e-7, "nothing was rounded: these records test nothing"


@pytest.mark.parametrize("p", [1, 3, 100, 4_000])
@pytest.mark.parametrize("clip_norm", [1e-30, 0.7, 1.0])
def test_no_clipped_record_is_longer_than_c_in_exact_arithmetic(clip_norm, p):
    rng = np.random.default_rng(p)
    X = rng.random((12, p)) ** rng.integers(1, 400, (12, 1))
    X[:3] = [[1.0], [np.nextafter(1, 0)], [2.0**-1074]]
    for row in CentralClassMean(clip_norm=clip_norm)._clipped(X):
        assert sum(Fraction(x) ** 2 for x in row) <= Fraction(clip_norm) ** 2


def test_the_room_for_rounding_covers_sums_in_any_order():
    """Terms from 1 to 2⁻⁵⁹, added one by one in the worst order, in the best and in a drawn one."""
    rng, n = np.random.default_rng(0), 20_000
    terms = 2.0 ** -rng.integers(0, 60, n) * rng.random(n)
    exact = sum(map(Fraction, terms))
    for order in (np.argsort(-terms), np.argsort(terms), rng.permutation(n)):
        total = 0.0
        for term in terms[order]:
            total += term
        assert 2 * abs(Fraction(total) - exact) <= rounding_bound(n)
    assert rounding_bound(1) >= 8 * 2.0**-53


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
