"""All private estimators: what a fitted one holds, what a seed does to its guarantee, its pickle."""

import copy
import importlib
import inspect
import pickle
import pkgutil
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone

import dpcore
from dpcore import SeededNoiseWarning
from dpcore.audit.traces import secrets, traces
from dpcore.autoencoder import ClassGaussians
from dpcore.descent import ObjectivePerturbationClassifier
from dpcore.guarantee import SECRET_SEED
from dpcore.kahm import CentralClassMean, FederatedKAHMClassifier, KAHMClassifier
from dpcore.kahm.federated import FewRecordsWarning
from dpcore.lvq import DPGLVQ, DPGMLVQ
from dpcore.regression import (
    AdaSSP,
    DPGradientDescentRegression,
    FunctionalMechanismRegression,
    OutputPerturbationRegression,
    SufficientStatisticsRegression,
)

RNG = np.random.default_rng(7)
X = np.clip(0.5 + 0.2 * RNG.standard_normal((60, 3)), 0.02, 0.98)
CLASSES = np.arange(60) % 3
TARGET = X[:, 0] - 0.5 * X[:, 1]
FAR = np.vstack([1.0 - X[:1] ** 3, X[1:]])
OTHER_CLASS = np.r_[1, CLASSES[1:]]

REMOVED = (X, CLASSES), (X[1:], CLASSES[1:]), (1 - X, CLASSES)
REPLACED = (X, CLASSES), (FAR, OTHER_CLASS), (1 - X, CLASSES)
FEATURES_REPLACED = (X, CLASSES), (FAR, CLASSES), (1 - X, CLASSES)
TWO = (X, CLASSES % 2), (FAR, np.r_[1, CLASSES[1:] % 2]), (1 - X, CLASSES % 2)
REGRESSION = (X, TARGET), (FAR, np.r_[-0.4, TARGET[1:]]), (1 - X, -TARGET)


@dataclass(frozen=True)
class Entry:
    """A private estimator, two neighbours and other data, and what of it hides nothing."""

    kind: type
    options: dict[str, Any]
    data: tuple[Any, Any, Any]
    declared: tuple[str, ...] = ()

    def make(self, random_state=None):
        return self.kind(**self.options, random_state=random_state)

    def fit(self, data, random_state=None):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SeededNoiseWarning)
            warnings.simplefilter("ignore", FewRecordsWarning)
            return self.make(random_state).fit(*data)


LVQ = {"epsilon": 5.0, "bounds": (0, 1), "expected_n": 60, "classes": [0, 1, 2], "sample_rate": 0.5,
       "epochs": 5}  # fmt: skip
SWAP = {**LVQ, "expected_n": None, "neighbouring": "replace_one"}
ENDS = {"bounds": (0, 1), "target_bounds": (-1, 1), "epsilon": 5.0}
KAHM = {"epsilon": 5.0, "rounds": 1, "n_components": 2}

ENTRIES = {
    "DPGLVQ": Entry(DPGLVQ, LVQ, REMOVED),
    "DPGLVQ, public start": Entry(DPGLVQ, {**LVQ, "init": "public"}, REMOVED),
    "DPGLVQ, two prototypes": Entry(DPGLVQ, {**LVQ, "prototypes_per_class": 2}, REMOVED),
    "DPGLVQ, as printed": Entry(DPGLVQ, {**LVQ, "init": "laplace", "noise": "paper"}, REMOVED),
    "DPGLVQ, replaced": Entry(DPGLVQ, SWAP, REPLACED),
    "DPGLVQ, fixed lots": Entry(DPGLVQ, {**SWAP, "lots": "fixed"}, REPLACED),
    "DPGMLVQ": Entry(DPGMLVQ, LVQ, REMOVED),
    "DPGMLVQ, rank 1, replaced": Entry(DPGMLVQ, {**SWAP, "rank": 1}, REPLACED),
    "CentralClassMean": Entry(CentralClassMean, {"epsilon": 5.0}, FEATURES_REPLACED),
    "KAHMClassifier": Entry(KAHMClassifier, KAHM, FEATURES_REPLACED),
    "FederatedKAHMClassifier": Entry(
        FederatedKAHMClassifier,
        {"estimator": KAHMClassifier(**KAHM), "n_parties": 2},
        FEATURES_REPLACED,
    ),
    "ClassGaussians": Entry(
        ClassGaussians,
        {"epsilon": 5.0, "n_frequencies": 1, "image_shape": (1, 3), "classes": [0, 1, 2]},
        REMOVED,
    ),
    "ObjectivePerturbationClassifier": Entry(
        ObjectivePerturbationClassifier, {"bounds": (0, 1), "classes": [0, 1]}, TWO
    ),
    "ObjectivePerturbationClassifier, Algorithm 2, removed": Entry(
        ObjectivePerturbationClassifier,
        {
            "bounds": (0, 1),
            "classes": [0, 1],
            "delta": 0.0,
            "neighbouring": "add_remove",
            "expected_n": 60,
        },
        ((X, CLASSES % 2), (X[1:], CLASSES[1:] % 2), (1 - X, CLASSES % 2)),
    ),
    "FunctionalMechanismRegression": Entry(FunctionalMechanismRegression, ENDS, REGRESSION),
    "FunctionalMechanismRegression, joint": Entry(
        FunctionalMechanismRegression, {**ENDS, "sensitivity": "joint"}, REGRESSION
    ),
    "SufficientStatisticsRegression": Entry(SufficientStatisticsRegression, ENDS, REGRESSION),
    "AdaSSP": Entry(AdaSSP, ENDS, REGRESSION),
    "OutputPerturbationRegression": Entry(OutputPerturbationRegression, ENDS, REGRESSION),
    "DPGradientDescentRegression": Entry(DPGradientDescentRegression, ENDS, REGRESSION),
}
# Estimators that promise nothing to anybody, and bases that nobody fits.
NOT_PRIVATE = {"Autoencoder", "ByDistance", "GLVQ", "GMLVQ", "MatrixClassifier", "PrivateRegressor"}
NOT_PRIVATE |= {"PrototypeClassifier", "WideDeepKAHM"}
ALL = pytest.mark.parametrize("name", list(ENTRIES))


def test_no_private_estimator_is_missing():
    found = set()
    for module in pkgutil.walk_packages(dpcore.__path__, "dpcore."):
        if module.name.endswith("__main__"):
            continue
        for name, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if issubclass(kind, BaseEstimator) and kind.__module__ == module.name:
                found.add(name)
    assert found == {entry.kind.__name__ for entry in ENTRIES.values()} | NOT_PRIVATE


@ALL
def test_nothing_exact_and_no_noise_stays_on_a_fitted_model(name):
    entry = ENTRIES[name]
    found = traces(entry.fit, *entry.data, declared=entry.declared)
    assert (found.exact, found.noise) == ((), ())


@ALL
def test_no_source_of_chance_stays_on_a_fitted_model_or_goes_into_its_pickle(name):
    entry = ENTRIES[name]
    assert secrets(entry.fit(entry.data[0])) == []
    for make in (np.random.default_rng, np.random.RandomState):
        model = entry.fit(entry.data[0], make(0))
        assert secrets(model) == ["random_state"]
        for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
            assert secrets(other) == []
            assert other.privacy_ == model.privacy_


@ALL
@pytest.mark.filterwarnings("ignore::dpcore.kahm.FewRecordsWarning")
def test_a_seed_is_warned_of_once_and_proves_nothing_by_itself(name):
    entry = ENTRIES[name]
    for state in (3, np.random.default_rng(3), np.random.RandomState(3)):
        with pytest.warns(SeededNoiseWarning) as found:
            privacy = entry.make(state).fit(*entry.data[0]).privacy_
        seeded = [one.filename for one in found if one.category is SeededNoiseWarning]
        assert seeded == [__file__]
        assert privacy.status in ("proved_under_assumption", "nominal")
        assert SECRET_SEED in privacy.assumptions


@ALL
def test_fresh_noise_is_proved_without_a_warning_and_differs(name):
    entry = ENTRIES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", FewRecordsWarning)
        models = [entry.make().fit(*entry.data[0]) for _ in range(2)]
    assert models[0].privacy_.status == "proved"
    assert SECRET_SEED not in models[0].privacy_.assumptions
    assert pickle.dumps(models[0]) != pickle.dumps(models[1])


@ALL
def test_a_whole_number_stays_and_clones_share_a_generators_state(name):
    entry = ENTRIES[name]
    assert pickle.loads(pickle.dumps(entry.make(3))).get_params()["random_state"] == 3
    state = np.random.default_rng(3)
    twin = clone(entry.make(state)).random_state
    assert twin is not state
    assert twin.random() == state.random()


def with_mean(self):
    self.mean_ = self._seen.mean(axis=0)


def with_mean_among_noise(self):
    some = np.atleast_1d(np.random.default_rng(self.random_state).random(3))
    self.mean_ = np.r_[some, self._seen.mean()]


def with_its_noise(self):
    self.noise_ = np.random.default_rng(self.random_state).random(3)


def with_mean_in_slots(self):
    self.hidden_ = Hidden(float(self._seen.mean()))


class Hidden:
    __slots__ = ("mean",)

    def __init__(self, mean):
        self.mean = mean


@pytest.mark.parametrize("name", ["DPGLVQ", "AdaSSP"])
@pytest.mark.parametrize(
    ("plant", "kind"),
    [
        (with_mean, "exact"),
        (with_mean_among_noise, "exact"),
        (with_mean_in_slots, "exact"),
        (with_its_noise, "noise"),
    ],
)
def test_a_planted_leak_is_caught(name, plant, kind):
    entry = ENTRIES[name]

    def fit(data, seed):
        model = entry.fit(data, seed)
        model._seen = data[0]
        plant(model)
        del model._seen
        return model

    assert getattr(traces(fit, *entry.data), kind)
