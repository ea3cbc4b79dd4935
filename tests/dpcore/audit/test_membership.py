"""Membership scores and links.

Statistical bounds are six standard errors wide or more: false-alarm rates below 1e-6.
"""

import math

import numpy as np
import pytest
from scipy import stats

from dpcore import audit

A = np.random.default_rng(0).normal(size=900)
B = np.random.default_rng(1).normal(0.5, 1.2, size=700)


def test_equal_samples_score_nothing():
    assert audit.histogram_tv(A, A) == 0
    assert audit.ks(A, A) == 0
    assert audit.kde_tv(A, A) == 0
    assert audit.auc(A, A) == pytest.approx(0.5)
    assert audit.kde_tv([1.0, 1.0], [1.0]) == 0
    assert audit.histogram_tv([1.0, 1.0], [1.0]) == 0
    assert audit.ks([1.0, 1.0], [1.0]) == 0


def test_disjoint_samples_score_everything():
    assert audit.ks(A, A + 100) == pytest.approx(1)
    assert audit.auc(A, A + 100) == pytest.approx(1)
    assert audit.auc(A + 100, A) == pytest.approx(0)
    assert audit.histogram_tv(A, A + 100) == pytest.approx(1)
    assert audit.kde_tv(np.append(A, 50), np.append(A + 100, 50)) > 0.95


def test_scores_agree_with_scipy_ties_included():
    for digits in (0, 1, 8):
        a, b = A.round(digits), B.round(digits)
        assert audit.ks(a, b) == pytest.approx(stats.ks_2samp(a, b).statistic)
        pairs = stats.mannwhitneyu(b, a).statistic / (len(a) * len(b))
        assert audit.auc(a, b) == pytest.approx(pairs)


def test_total_variation_of_densities_is_close_to_the_truth():
    t = np.linspace(-10, 10, 20_001)
    truth = 0.5 * np.abs(stats.norm.pdf(t) - stats.norm.pdf(t, 0.5, 1.2)).sum() * 1e-3
    assert audit.kde_tv(A, B) == pytest.approx(truth, abs=0.1)
    assert audit.histogram_tv(A, B) == pytest.approx(truth, abs=0.15)


def test_scale_and_order_do_not_matter():
    for score in (audit.histogram_tv, audit.ks, audit.auc):
        assert score(np.exp(A), np.exp(B)) == pytest.approx(score(A, B))
    assert audit.kde_tv(7 * A, 7 * B) == pytest.approx(audit.kde_tv(A, B))
    assert audit.kde_tv(B, A) == pytest.approx(audit.kde_tv(A, B))
    assert audit.ks(B, A) == pytest.approx(audit.ks(A, B))


def test_the_null_is_what_chance_gives():
    found = audit.membership_scores(A, A + 1.0, rng=np.random.default_rng(3), n_null=200)
    assert found.null_histogram_tv == pytest.approx(0.08, abs=0.01)
    assert found.null_ks == pytest.approx(0.04, abs=0.006)
    assert found.null_auc == pytest.approx(0.5, abs=6 * 0.0136 / math.sqrt(200))
    assert found.ks == audit.ks(A, A + 1.0)
    again = audit.membership_scores(A, A + 1.0, rng=np.random.default_rng(3), n_null=200)
    assert again == found


def test_links():
    X = np.random.default_rng(4).random((200, 5))
    y = np.arange(200) % 4
    assert audit.linkability(X, X, y=y) == 1
    assert audit.linkability(X, X + 1e-6, y=y) == 1
    shuffled = X[np.random.default_rng(5).permutation(200)]
    assert audit.linkability(X, shuffled, y=y) < 0.2
    # Nearest in the class only, written out.
    released = X + 0.2 * np.random.default_rng(6).standard_normal(X.shape)
    gap = np.square(released[:, None] - X[None]).sum(-1)
    gap[y[:, None] != y] = np.inf
    assert audit.linkability(X, released, y=y) == (gap.argmin(1) == np.arange(200)).mean()
    assert audit.linkability(np.ones((3, 2)), np.ones((3, 2)), y=[0, 0, 0]) == 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: audit.ks([], [1.0]), "members"),
        (lambda: audit.auc([1.0], [[1.0]]), "others"),
        (lambda: audit.kde_tv([math.nan], [1.0]), "members"),
        (lambda: audit.histogram_tv([1.0], [2.0], bins=0), "bins=0"),
        (lambda: audit.kde_tv([1.0], [2.0], grid=1), "grid=1"),
        (lambda: audit.linkability([[1.0]], [[1.0], [2.0]], y=[0]), "shapes"),
        (
            lambda: audit.membership_scores([1.0], [2.0], rng=np.random.default_rng(0), n_null=0),
            "n_null=0",
        ),
    ],
)
def test_bad_arguments_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
