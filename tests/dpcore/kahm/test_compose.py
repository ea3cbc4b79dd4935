"""Layers, blocks and the classifier."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from dpcore.kahm import KAHM, CentralClassMean, HullOptions, KAHMClassifier, WideDeepKAHM
from dpcore.kahm.wide import Deep, blocks, unit_box

BOX = (-6.0, 6.0)
ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.filterwarnings("ignore::UserWarning:sklearn")
@pytest.mark.parametrize(
    "estimator",
    [
        WideDeepKAHM(random_state=0),
        WideDeepKAHM(n_layers=2, block_size=20, split="random", random_state=0),
        KAHMClassifier(random_state=0),
        KAHMClassifier(epsilon=60.0, bounds=BOX, block_size=40, random_state=0),
        CentralClassMean(epsilon=100.0, bounds=BOX, random_state=0),
    ],
    ids=["wide", "deep", "plain", "private", "central"],
)
def test_scikit_learns_checks(estimator):
    check_estimator(estimator, on_skip=None)


@pytest.mark.parametrize(("seed", "score"), [(0, 0.9963), (1, 0.9870), (2, 0.9759)])
def test_golden_accuracy_on_digits(digits, seed, score):
    X, X_test, y, y_test = digits(seed)
    assert KAHMClassifier().fit(X, y).score(X_test, y_test) == pytest.approx(score, abs=0.002)


def test_one_layer_is_the_machine_and_more_are_never_farther(digits):
    X, X_test, y, _ = digits()
    own = X[y == 3]
    single = KAHM().fit(own)
    reach = [Deep.fitted(own, HullOptions(n_layers=L)).distance(X_test) for L in (1, 2, 4)]
    assert (reach[0] == single.distance(X_test)).all()
    assert (reach[1] <= reach[0] * (1 + 1e-12)).all()
    assert (reach[2] <= reach[1] * (1 + 1e-12)).all()


def test_an_image_is_as_far_away_as_the_distance_says(digits):
    X, X_test, y, _ = digits()
    options = {"n_layers": 3, "block_size": 40, "split": "random", "random_state": 0}
    wide = WideDeepKAHM(**options).fit(X[y == 3])
    gap = np.linalg.norm(X_test - wide.transform(X_test), axis=1)
    assert gap == pytest.approx(wide.distance(X_test))
    assert len(wide.machines_) == 4
    parts = [machine.distance(X_test) for machine in wide.machines_]
    assert (wide.distance(X_test) == np.min(parts, axis=0)).all()
    assert [m.n_components for m in wide.machines_[0].layers] == [20, 19, 18]


@pytest.mark.parametrize("split", ["kmeans", "random", "none"])
def test_one_block_is_the_deep_machine(digits, split):
    X, X_test, y, _ = digits()
    wide = WideDeepKAHM(n_layers=2, split=split).fit(X[y == 1])
    deep = Deep.fitted(X[y == 1], HullOptions(n_layers=2))
    assert (wide.distance(X_test) == deep.distance(X_test)).all()


@pytest.mark.parametrize("split", ["kmeans", "random"])
def test_blocks_share_all_records(split):
    Y = np.random.default_rng(0).random((103, 3))
    found = blocks(Y, 25, split, np.random.default_rng(1))
    assert len(found) == 5
    assert sorted(np.concatenate(found)) == list(range(103))
    if split == "random":
        assert {len(one) for one in found} <= {20, 21}


def test_clusters_of_coinciding_records_become_fewer():
    Y = np.repeat([[0.0, 0.0], [1.0, 1.0]], 30, axis=0)
    found = blocks(Y, 10, "kmeans", np.random.default_rng(0))
    assert [len(one) for one in found] == [30, 30]
    lonely = np.vstack([np.zeros((9, 2)), [[5.0, 5.0]]])
    assert len(blocks(lonely, 5, "kmeans", np.random.default_rng(0))) == 1


def test_threads_change_nothing(digits):
    X, X_test, y, _ = digits()
    options = {"epsilon": 4.0, "block_size": 60, "random_state": 3}
    one = KAHMClassifier(**options).fit(X, y).distances(X_test)
    two = KAHMClassifier(**options, n_jobs=2).fit(X, y).distances(X_test)
    assert two == pytest.approx(one, rel=1e-12)


def test_accuracy_gates(digits):
    X, X_test, y, y_test = digits(0)
    scores = {
        e: KAHMClassifier(epsilon=e, random_state=0).fit(X, y).score(X_test, y_test)
        for e in (0.05, 1.0, 4.0, math.inf)
    }
    assert scores[math.inf] >= 0.97
    assert scores[4.0] >= 0.95
    assert scores[1.0] >= 0.85
    assert scores[0.05] <= 0.3


def test_large_epsilon_is_the_plain_classifier(digits):
    X, X_test, y, _ = digits()
    plain = KAHMClassifier(split="none").fit(X, y).distances(X_test)
    near = [
        np.abs(
            KAHMClassifier(epsilon=e, rounds=0, split="none", random_state=0)
            .fit(X, y)
            .distances(X_test)
            - plain
        ).max()
        for e in (1e2, 1e4, 1e6)
    ]
    assert near[0] > near[1] > near[2]
    assert near[2] < 1e-4


def test_the_promise_is_that_of_a_record(digits):
    X, _, y, _ = digits()
    privacy = KAHMClassifier(epsilon=1.0).fit(X, y).privacy_
    assert (privacy.epsilon, privacy.claimed_epsilon) == (64.0, 1.0)
    assert privacy.delta == pytest.approx(64 * 2.0**-53 * (1 + math.e))
    assert (privacy.status, privacy.neighbouring) == ("proved", "replace_one")
    assert "labels" in privacy.not_protected[0]
    assert KAHMClassifier().fit(X, y).privacy_.epsilon == math.inf
    assert WideDeepKAHM().fit(X[:50]).privacy_.epsilon == math.inf
    read = KAHMClassifier(epsilon=1.0, stop="paper", random_state=0).fit(X, y).privacy_
    assert read.status == "nominal"


def test_the_public_box_takes_the_place_of_scaling(digits):
    X, X_test, y, _ = digits()
    options = {"epsilon": 2.0, "random_state": 5}
    one = KAHMClassifier(**options).fit(X, y).distances(X_test)
    raw = KAHMClassifier(**options, bounds=(0, 16)).fit(16 * X, y).distances(16 * X_test)
    assert raw == pytest.approx(one)
    collapsed = KAHMClassifier().fit(16 * X, y).predict(16 * X_test)
    assert (collapsed != KAHMClassifier().fit(X, y).predict(X_test)).mean() > 0.05


def test_same_seed_same_model_and_another_differs(digits):
    X, X_test, y, _ = digits()

    def found(state):
        return KAHMClassifier(epsilon=1.0, random_state=state).fit(X, y).distances(X_test)

    assert (found(1) == found(1)).all()
    assert (found(1) != found(2)).any()
    assert (found(np.random.default_rng(1)) == found(np.random.default_rng(1))).all()
    assert found(None).shape == (len(X_test), 10)


def test_a_class_of_one_record_is_a_point():
    model = KAHMClassifier().fit([[0.2, 0.2], [0.8, 0.8]], ["a", "b"])
    assert model.distances([[0.2, 0.5]])[0] == pytest.approx([0.3, np.hypot(0.6, 0.3)])
    assert model.predict([[0.5, 0.5]]).tolist() == ["a"]  # equal distances: the first class


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"epsilon": 0}, "epsilon=0"),
        ({"epsilon": math.nan}, "epsilon=nan"),
        ({"n_components": 0}, "n_components=0"),
        ({"n_layers": 0}, "n_layers=0"),
        ({"block_size": 1}, "block_size=1"),
        ({"split": "half"}, "split='half'"),
        ({"tau_factor": 0}, "tau_factor=0"),
        ({"bounds": (1, 0)}, "low < high"),
        ({"epsilon": 1, "delta": 1}, "delta=1"),
        ({"epsilon": 1, "rounds": -1}, "rounds=-1"),
        ({"epsilon": 1, "operator": "none"}, "operator"),
        ({"epsilon": 1, "noise": "none"}, "kind"),
        ({"epsilon": 1, "stop": "never"}, "stop"),
        ({"random_state": -1}, "random_state"),
    ],
)
def test_bad_arguments_are_named(bad, words):
    with pytest.raises(ValueError, match=words):
        KAHMClassifier(**bad).fit([[0.0], [0.1], [0.9], [1.0]], [0, 0, 1, 1])


def test_boxes():
    low, width = unit_box((0, [1, 2]), 2)
    assert (low.tolist(), width.tolist()) == ([0, 0], [1, 2])


def test_importing_the_room_loads_no_scikit_learn():
    code = (
        "import sys, dpcore.kahm, dpcore.audit\n"
        "print({'sklearn', 'dp_accounting'} & set(sys.modules))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "set()"


def test_a_fit_that_raises_leaves_no_machines_of_an_older_one():
    Y = np.random.default_rng(0).random((30, 2))
    model = WideDeepKAHM(random_state=0).fit(Y)
    for wrong in ({"n_components": 0}, {"n_components": 20}):
        with pytest.raises(ValueError, match=r"n_components|NaN"):
            model.set_params(**wrong).fit(Y * np.nan if wrong["n_components"] else Y)
        assert vars(model).keys() == model.get_params().keys()
