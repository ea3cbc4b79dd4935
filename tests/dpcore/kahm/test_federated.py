"""Parties that answer distances only."""

import math
import warnings

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from dpcore.kahm import (
    FederatedKAHMClassifier,
    FewRecordsWarning,
    KAHMClassifier,
    combine,
    split_parties,
)


@pytest.mark.filterwarnings("ignore::UserWarning:sklearn")
def test_scikit_learns_checks():
    check_estimator(FederatedKAHMClassifier(n_parties=2, random_state=0), on_skip=None)


def test_one_party_is_the_central_classifier(digits):
    X, X_test, y, _ = digits()
    central = KAHMClassifier().fit(X, y)
    one = FederatedKAHMClassifier(n_parties=1, random_state=0).fit(X, y)
    assert one.distances(X_test) == pytest.approx(central.distances(X_test), rel=1e-12)


def test_a_party_for_each_class_is_the_central_classifier(digits):
    X, X_test, y, _ = digits()
    central = KAHMClassifier().fit(X, y).distances(X_test)
    apart = FederatedKAHMClassifier(n_parties=10, skew=math.inf).fit(X, y)
    assert len(apart.parties_) == 10
    assert (apart.distances(X_test) == central).all()
    assert [np.flatnonzero(party.counts).tolist() for party in apart.parties_] == [
        [c] for c in range(10)
    ]


def test_the_order_and_grouping_of_parties_do_not_matter(digits):
    X, X_test, y, _ = digits()
    parties = split_parties(y, 4, skew=2.0, rng=np.random.default_rng(0))
    found = FederatedKAHMClassifier(random_state=0).fit(X, y, parties).distances(X_test)
    turned = FederatedKAHMClassifier(random_state=0).fit(X, y, 3 - parties)
    assert (turned.distances(X_test) == found).all()
    answers = [party.distances(X_test) for party in turned.parties_]
    assert (combine([combine(answers[:2]), combine(answers[2:])]) == found).all()


def test_a_party_answers_inf_for_a_class_it_does_not_have():
    X, y = np.array([[0.0], [0.1], [0.9], [1.0]]), np.array([0, 0, 1, 1])
    model = FederatedKAHMClassifier().fit(X, y, parties=[7, 7, 9, 9])
    assert np.isinf(model.parties_[0].distances([[0.5]])).tolist() == [[False, True]]
    assert model.predict([[0.2], [0.8]]).tolist() == [0, 1]


def test_the_split_is_even_skewed_or_apart():
    y = np.repeat(np.arange(10), 100)
    rng = np.random.default_rng(0)

    def spread(skew):
        table = np.zeros((5, 10))
        np.add.at(table, (split_parties(y, 5, skew=skew, rng=rng), y), 1)
        return table.std(0).mean()

    even, mild, strong, apart = (spread(s) for s in (0, 0.1, 10 / 3, math.inf))
    assert even == 0
    assert even < mild < strong < apart
    sizes = np.bincount(split_parties(np.arange(7).repeat(3), 4, rng=rng))
    assert np.ptp(sizes) <= 1


def test_clean_loss_is_marginal(digits):
    X, X_test, y, y_test = digits(2)
    central = KAHMClassifier().fit(X, y).score(X_test, y_test)
    for skew in (0, 10 / 3):
        score = FederatedKAHMClassifier(n_parties=5, skew=skew, random_state=2).fit(X, y)
        assert score.score(X_test, y_test) >= central - 0.03


def test_the_promise_is_that_of_one_party(digits):
    X, _, y, _ = digits()
    model = FederatedKAHMClassifier(
        estimator=KAHMClassifier(epsilon=2.0), n_parties=2, random_state=0
    ).fit(X, y)
    assert model.privacy_.epsilon == 128.0
    assert model.privacy_.claimed_epsilon == 2.0
    assert "do not add up" in model.privacy_.argument
    assert FederatedKAHMClassifier(n_parties=2).fit(X, y).privacy_.epsilon == math.inf
    answers = [party.distances(X[:3]) for party in model.parties_]
    assert (answers[0] != answers[1]).all()  # noise of its own


def test_few_noisy_records_are_warned_of(digits):
    X, _, y, _ = digits()
    noisy = FederatedKAHMClassifier(
        estimator=KAHMClassifier(epsilon=1.0), n_parties=20, random_state=0
    )
    with pytest.warns(FewRecordsWarning, match="6 noisy records"):
        noisy.fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FederatedKAHMClassifier(n_parties=20, random_state=0).fit(X, y)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: split_parties([0], 0, rng=np.random.default_rng(0)), "n_parties=0"),
        (lambda: split_parties([0], 2, skew=-1, rng=np.random.default_rng(0)), "skew=-1"),
        (
            lambda: FederatedKAHMClassifier().fit([[0.0], [1.0]], [0, 1], parties=[0]),
            "one each",
        ),
    ],
)
def test_bad_arguments_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
