"""All private estimators: what a fitted one holds, what a seed does to its guarantee, its pickle."""

import copy
import importlib
import inspect
import pickle
import pkgutil
import sys
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone

import dpcore
from dpcore import SeededNoiseWarning
from dpcore.audit.leak_checks import secrets, traces
from dpcore.autoencoder import ClassGaussians
from dpcore.autoencoder.gaussians import GaussianSweep
from dpcore.descent import ObjectivePerturbationClassifier
from dpcore.guarantee import SECRET_SEED
from dpcore.kahm import CentralClassMean, FederatedKAHMClassifier, KAHMClassifier, fabricate
from dpcore.kahm.federated import FewRecordsWarning, Party
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
NOT_PRIVATE = {
    "Autoencoder",
    "BoundedScaler",
    "ByDistance",
    "GLVQ",
    "GMLVQ",
    "MatrixClassifier",
    "PrivateRegressor",
}
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


LIBRARY = f"{dpcore.__path__[0]}/"


class Interrupted(Exception):
    """Raised in the middle of a fit."""


class stopped_in:
    """Raise where a function of dpcore is called for the first time; ``None`` notes all that are."""

    def __init__(self, name=None):
        self.name, self.called = name, {}

    def _trace(self, frame, event, arg):
        code = frame.f_code
        if not code.co_filename.startswith(LIBRARY) or code.co_filename.endswith("_fitting.py"):
            return
        name = f"{code.co_filename.removeprefix(LIBRARY)}:{code.co_qualname}"
        self.called.setdefault(name)
        if name == self.name:
            sys.settrace(None)
            raise Interrupted(name)

    def __enter__(self):
        self.before = sys.gettrace()
        sys.settrace(self._trace)
        return self

    def __exit__(self, *error):
        sys.settrace(self.before)


def left_of(model):
    """What an estimator holds beside its parameters."""
    return sorted(vars(model).keys() - model.get_params(deep=False).keys())


@ALL
def test_a_fit_that_raises_leaves_no_model_and_no_guarantee_of_an_older_one(name):
    """At every stage: wherever the second fit first calls a function of the library."""
    entry = ENTRIES[name]
    with stopped_in() as calls:
        entry.fit(entry.data[0])
    stages = [call for call in calls.called if not call.endswith((".__init__", ".fit"))]
    assert len(stages) > 10
    reached = 0
    for stage in stages:
        model = entry.fit(entry.data[0])
        model.set_params(random_state=3)
        try:
            with warnings.catch_warnings(), stopped_in(stage):
                warnings.simplefilter("ignore")
                model.fit(*entry.data[0])
        except Interrupted:
            reached += 1
            assert left_of(model) == []
    assert reached > 10  # what is remembered from an earlier fit is not computed again


@ALL
@pytest.mark.filterwarnings("ignore::dpcore.kahm.FewRecordsWarning")
def test_a_warning_made_an_error_leaves_no_model_beside_an_older_guarantee(name):
    entry = ENTRIES[name]
    model = entry.fit(entry.data[0])
    private = model.estimator if "estimator" in model.get_params() else model
    private.set_params(epsilon=50.0)
    model.set_params(random_state=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error", SeededNoiseWarning)
        with pytest.raises(SeededNoiseWarning):
            model.fit(*entry.data[0])
    assert left_of(model) == []
    # and a fit that ends puts the new guarantee there
    assert (
        entry.kind.fit(model.set_params(random_state=None), *entry.data[0]).privacy_.epsilon >= 50
    )


def test_what_the_user_asked_of_scikit_learn_outlives_a_failed_fit():
    model = ENTRIES["DPGLVQ"].make().set_params(epsilon=-1.0)
    model._sklearn_output_config = {"transform": "default"}
    with pytest.raises(ValueError, match="epsilon"):
        model.fit(*REMOVED[0])
    assert left_of(model) == ["_sklearn_output_config"]


KNOWN = {
    "party": lambda X, y, rng: (
        Party.fitted(KAHMClassifier(**KAHM), X, y, np.array([0, 1]), rng).privacy
    ),
    "fabricate": lambda X, y, rng: fabricate(X, y, epsilon=1.0, rng=rng).guarantee,
    "sweep": lambda X, y, rng: (
        GaussianSweep.of(
            X, y, delta=1e-5, clip_norm=1.0, n_frequencies=1, grey=0.0, image_shape=(1, 3),
            classes=[0, 1], random_state=rng,
        ).at(1.0).guarantee
    ),
}  # fmt: skip


@pytest.mark.parametrize("release", KNOWN.values(), ids=KNOWN)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_noise_from_a_known_generator_is_proved_under_an_assumption(release):
    privacy = release(*TWO[0], np.random.default_rng(0))
    assert privacy.status == "proved_under_assumption"
    assert SECRET_SEED in privacy.assumptions


@ALL
def test_no_method_but_fit_takes_noise_in(name):
    """A method that takes a generator, a seed or noise is a way around ``random_state``.

    What is drawn from a model that was released already (`ClassGaussians.sample`) is post-processing.
    """
    kind = ENTRIES[name].kind
    takes = {
        method
        for method, function in inspect.getmembers(kind, callable)
        if not method.startswith("_")
        and {"rng", "seed", "noise", "random_state", "key", "source"}
        & inspect.signature(function).parameters.keys()
    }
    assert takes <= {"sample"}
