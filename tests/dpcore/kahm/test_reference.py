"""Reference measurements of an independent implementation on the digits, means over seeds.

The reference's seeds were found by trying: splits are seeded 0, 1, ..., and the noise of one split by the
same number, by 1000 more (rebuilt machines and SVM, three splits), or by 7 more (federated, three splits).
"""

import math

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from dpcore import audit
from dpcore.kahm import FederatedKAHMClassifier, KAHMClassifier, fabricate

CLOSE = 0.02


def rng(seed):
    return np.random.default_rng(seed)


def kahm(X, y, X_test, y_test, **options):
    return KAHMClassifier(split="random", **options).fit(X, y).score(X_test, y_test)


def other(model, X, y, X_test, y_test):
    return model.fit(X, y).score(X_test, y_test)


def accuracies(digits, epsilon, seeds, first=0, **options):
    """KAHM and 1-NN on noisy and fabricated data, class mean on noisy data: (seeds, 5)."""
    rows = []
    for seed in seeds:
        X, X_test, y, y_test = digits(seed)
        made = fabricate(X, y, epsilon=epsilon, rng=rng(first + seed), **options)
        row = [kahm(data, y, X_test, y_test) for data in (made.noisy, made.X)]
        row += [other(KNeighborsClassifier(1), data, y, X_test, y_test)
                for data in (made.noisy, made.X)]  # fmt: skip
        means = np.stack([made.noisy[y == c].mean(0) for c in range(10)])
        rows.append([*row, other(KNeighborsClassifier(1), means, range(10), X_test, y_test)])
    return np.array(rows)


TABLE = {
    8: (0.987, 0.987, 0.970, 0.983),
    4: (0.974, 0.978, 0.869, 0.963, 0.896),
    2: (0.941, 0.942, 0.445, 0.931, 0.894),
    1: (0.894, 0.896, 0.164, 0.889, 0.875),
    0.5: (0.752, 0.760, 0.103, 0.759, 0.751),
}


def test_accuracy_at_element_epsilon_one_in_short(digits):
    found = accuracies(digits, 1, range(3)).mean(0)
    assert found == pytest.approx(np.array(TABLE[1]), abs=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", TABLE)
def test_accuracy_on_noisy_and_fabricated_digits(digits, epsilon):
    wanted = TABLE[epsilon]
    found = accuracies(digits, epsilon, range(5)).mean(0)[: len(wanted)]
    assert found == pytest.approx(np.array(wanted), abs=CLOSE)


@pytest.mark.slow
def test_accuracy_on_clean_digits(digits):
    found = accuracies(digits, math.inf, range(5), rounds=0).mean(0)
    assert found[[0, 2]] == pytest.approx(np.array([0.986, 0.985]), abs=CLOSE)


# KAHM and 1-NN, noisy and fabricated by rebuilt machines; over five other draws KAHM has 0.37 at 0.25.
STRONG = {0.25: (0.47, 0.41, 0.10, 0.44), 0.1: (0.17, 0.17, 0.09, 0.17)}
SUPPORT = {0.5: (0.207, 0.731), 1: (0.693, 0.888), 2: (0.912, 0.936)}  # SVM, noisy and fabricated
LATER = 1000  # the noise of these two is seeded by so much more


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", STRONG)
def test_almost_nothing_survives_the_strongest_noise(digits, epsilon):
    found = accuracies(digits, epsilon, range(3), LATER, operator="rebuild")[:, :4]
    assert found.mean(0) == pytest.approx(np.array(STRONG[epsilon]), abs=CLOSE)
    assert found.mean(0).max() < 0.5


def supported(digits, epsilon, seeds, first=0):
    """SVM on noisy data and on data fabricated by rebuilt machines: (seeds, 2)."""
    rows = []
    for seed in seeds:
        X, X_test, y, y_test = digits(seed)
        made = fabricate(X, y, epsilon=epsilon, rng=rng(first + seed), operator="rebuild")
        rows.append([other(SVC(), data, y, X_test, y_test) for data in (made.noisy, made.X)])
    return np.array(rows)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", SUPPORT)
def test_support_vectors_gain_from_fabricated_data(digits, epsilon):
    found = supported(digits, epsilon, range(3), LATER).mean(0)
    assert found == pytest.approx(np.array(SUPPORT[epsilon]), abs=CLOSE)
    assert found[1] > found[0] + 0.01


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "wanted"), [(2, (0.950, 0.937)), (4, (0.977, 0.974))])
def test_staircase_noise_is_less_noise(digits, epsilon, wanted):
    found = [accuracies(digits, epsilon, range(5), noise=kind, rounds=0).mean(0)[0]
             for kind in ("staircase", "laplace")]  # fmt: skip
    assert found == pytest.approx(np.array(wanted), abs=CLOSE)


def membership(digits, epsilon, seeds, **options):
    """Accuracy, histogram TV, KS, AUC, links on noisy and on fabricated data: (seeds, 2, 5)."""
    rows = []
    for seed in seeds:
        X, X_test, y, y_test = digits(seed, 0.5)
        made = fabricate(X, y, epsilon=epsilon, rng=rng(seed), **options)
        rows.append([attacked(data, X, X_test, y, y_test) for data in (made.noisy, made.X)])
    return np.array(rows)


def attacked(data, X, X_test, y, y_test, **options):
    model = KAHMClassifier(split="random", **options).fit(data, y)
    own, new = (model.distances(Z)[np.arange(len(Z)), c] for Z, c in ((X, y), (X_test, y_test)))
    scores = audit.membership_scores(own, new, rng=rng(0), n_null=50)
    assert scores.null_histogram_tv == pytest.approx(0.08, abs=0.01)
    assert scores.null_ks == pytest.approx(0.04, abs=0.008)
    accuracy = model.score(X_test, y_test)
    return [accuracy, scores.histogram_tv, scores.ks, scores.auc, audit.linkability(X, data, y=y)]


ATTACKS = {
    8: ((0.984, 0.249, 0.257, 0.665, 0.99), (0.984, 0.266, 0.266, 0.669, 0.69)),
    4: ((0.967, 0.138, 0.130, 0.578, 0.78), (0.969, 0.147, 0.139, 0.584, 0.27)),
    2: ((0.927, 0.097, 0.065, 0.532, 0.31), (0.931, 0.101, 0.070, 0.537, 0.045)),
    1: ((0.870, 0.083, 0.050, 0.518, 0.094), (0.864, 0.093, 0.055, 0.518, 0.013)),
    0.5: ((0.662, 0.090, 0.043, 0.512, 0.037), (0.660, 0.091, 0.043, 0.511, 0.012)),
}
ORIGINAL = (0.984, 0.736, 0.740, 0.945, 1.0)


def test_membership_in_short(digits):
    clean = membership(digits, math.inf, [0])[0, 0]
    noisy = membership(digits, 2, [0])[0]
    assert clean[3] > 0.9
    assert (noisy[:, 3] < 0.56).all()
    assert noisy[1, 4] < noisy[0, 4] / 3 < clean[4]


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", ATTACKS)
def test_membership_on_noisy_and_fabricated_digits(digits, epsilon):
    found = membership(digits, epsilon, range(5)).mean(0)
    assert found == pytest.approx(np.array(ATTACKS[epsilon]), abs=CLOSE)


@pytest.mark.slow
def test_membership_on_original_digits_and_after_smoothing_alone(digits):
    found = membership(digits, math.inf, range(5), operator="rebuild").mean(0)
    assert found[0] == pytest.approx(np.array(ORIGINAL), abs=CLOSE)
    assert 0.69 - CLOSE <= found[1, 2] <= 0.74 + CLOSE
    assert 0.93 - CLOSE <= found[1, 4] <= 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "tau_factor", "accuracy", "ks"),
    [(5, 8, 0.985, 0.281), (10, 8, 0.991, 0.381), (20, 2, 0.984, 0.737)],
)
def test_more_smoothing_without_noise_lowers_the_score_too(digits, n, tau_factor, accuracy, ks):
    rows = []
    for seed in range(5):
        X, X_test, y, y_test = digits(seed, 0.5)
        rows.append(attacked(X, X, X_test, y, y_test, n_components=n, tau_factor=tau_factor))
    assert np.mean(rows, 0)[[0, 2]] == pytest.approx(np.array([accuracy, ks]), abs=CLOSE)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "wanted"), [(5, 0.985), (10, 0.990), (20, 0.986), (40, 0.957)])
def test_clean_accuracy_by_dimension(digits, n, wanted):
    scores = [kahm(*(digits(s)[i] for i in (0, 2, 1, 3)), n_components=n) for s in range(3)]
    assert np.mean(scores) == pytest.approx(wanted, abs=0.002)


FEDERATED = {
    "clean, even": (math.inf, 0, {1: 0.986, 5: 0.978, 20: 0.986}),
    "clean, Dirichlet(0.3)": (math.inf, 10 / 3, {1: 0.986, 5: 0.977, 20: 0.966}),
    "clean, a class each": (math.inf, math.inf, {1: 0.986, 5: 0.986, 20: 0.986}),
    "noisy at 4, even": (4, 0, {1: 0.970, 5: 0.943, 20: 0.940}),
    "noisy at 1, even": (1, 0, {1: 0.881, 5: 0.792, 20: 0.572}),
    "noisy at 1, Dirichlet(0.3)": (1, 10 / 3, {1: 0.881, 5: 0.825, 20: 0.725}),
}


def federated(digits, epsilon, skew, parties, seeds, first=7):
    """Accuracy of the least distance over parties: (seeds,)."""
    scores = []
    for seed in seeds:
        X, X_test, y, y_test = digits(seed)
        noisy = fabricate(X, y, epsilon=epsilon, rng=rng(first + seed), rounds=0).X
        model = FederatedKAHMClassifier(
            estimator=KAHMClassifier(split="random"),
            n_parties=parties,
            skew=skew,
            random_state=seed,
        )
        scores.append(model.fit(noisy, y).score(X_test, y_test))
    return np.array(scores)


def close(found, wanted, seeds):
    """Agreement within 0.02 and twice the error that both means have: see docs/kahm_tables.md."""
    error = found.std(ddof=1) * math.sqrt(1 / seeds + 1 / len(found))
    return abs(found.mean() - wanted) <= CLOSE + 2 * error


@pytest.mark.slow
@pytest.mark.parametrize("case", FEDERATED)
def test_federated_against_central(digits, case):
    epsilon, skew, wanted = FEDERATED[case]
    for parties, score in wanted.items():
        if (
            epsilon == 1 and parties > 1
        ):  # who holds what decides: the reference's partition is not known
            assert close(federated(digits, epsilon, skew, parties, range(9)), score, 3), parties
        else:
            found = federated(digits, epsilon, skew, parties, range(3)).mean()
            assert found == pytest.approx(score, abs=CLOSE), parties
