"""Regressors and hulls: what a seed gives away, their defaults, and that every release is finite."""

import math
import warnings

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from dpcore import BoundsEstimatedWarning, mechanisms
from dpcore._random_state import generator
from dpcore.audit.leak_checks import leaves, whole_numbers
from dpcore.descent import ObjectivePerturbationClassifier
from dpcore.kahm import (
    CentralClassMean,
    FederatedKAHMClassifier,
    KAHMClassifier,
    WideDeepKAHM,
)
from dpcore.kahm import noise as noises
from dpcore.kahm.hull import kernel
from dpcore.regression import (
    AdaSSP,
    DPGradientDescentRegression,
    FunctionalMechanismRegression,
    OutputPerturbationRegression,
    SufficientStatisticsRegression,
)

BOX = {"bounds": (-1.0, 1.0), "target_bounds": (-1.0, 1.0)}
REGRESSORS = [
    FunctionalMechanismRegression(**BOX),
    FunctionalMechanismRegression(sensitivity="joint", repair="trim", **BOX),
    FunctionalMechanismRegression(sensitivity="tight", repair="none", **BOX),
    SufficientStatisticsRegression(**BOX),
    AdaSSP(**BOX),
    AdaSSP(calibration="published", **BOX),
    OutputPerturbationRegression(**BOX),
    DPGradientDescentRegression(**BOX),
]
CLASSIFIERS = [
    CentralClassMean(clip_norm=1.0),
    KAHMClassifier(epsilon=0.5, block_size=20),
    KAHMClassifier(epsilon=0.5, rounds=0, noise="staircase", split="kmeans", block_size=20),
    FederatedKAHMClassifier(estimator=KAHMClassifier(epsilon=0.5, rounds=0), n_parties=2),
]
ALL = REGRESSORS + CLASSIFIERS


def data(model):
    X = np.random.default_rng(1).random((90, 3))
    y = np.arange(90) % 3 if model in CLASSIFIERS else X @ [0.3, -0.2, 0.4]
    return X, y


def copy_of(model, **options):
    return type(model)(**{**model.get_params(deep=False), **options})


@pytest.fixture(autouse=True)
def few_records_are_fine():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*noisy records of a class")
        yield


def records_of(machines):
    """What a machine was built on: Y = (K + λI) C."""
    one = machines[0].layers[0]
    return (kernel(one.scores_) + one.lam_ * np.eye(len(one.scores_))) @ one.C_


def test_the_noise_of_a_federation_cannot_be_made_again():
    """Before, every party kept 31 bits from which its noise followed: all records, to 6e-14."""
    X, y = np.random.default_rng(0).random((120, 6)), np.repeat([0, 1], 60)
    parties = np.arange(120) % 2
    model = FederatedKAHMClassifier(estimator=KAHMClassifier(epsilon=0.05, rounds=0, split="none"))
    model.fit(X, y, parties)
    assert model.privacy_.status == "proved"
    assert model.privacy_.epsilon == pytest.approx(0.3)
    for q, party in enumerate(model.parties_):
        noisy = np.vstack([records_of(machines) for machines in party._model.machines_])
        assert np.abs(noisy - X[parties == q]).mean() > 10
        for seed in whole_numbers(party):
            u = noises.uniforms(noisy.shape, generator(seed))
            guess = noisy - noises.element_noise(u, 0.05)
            assert np.abs(guess - X[parties == q]).max() > 1, seed
        assert party._model.random_state is None


def test_parties_that_share_a_seed_have_noise_of_their_own():
    X, y = np.full((40, 2), 0.5), np.repeat([0, 1], 20)
    model = FederatedKAHMClassifier(
        estimator=KAHMClassifier(epsilon=1.0, rounds=0, split="none", random_state=3),
        random_state=3,
    ).fit(X, y, np.arange(40) % 2)
    first, second = (records_of(party._model.machines_[0]) for party in model.parties_)
    assert (first != second).all()
    assert {party.privacy.status for party in model.parties_} == {"proved_under_assumption"}


def test_one_seed_for_two_releases_gives_the_exact_means_away_and_no_status_hides_it():
    X, y = np.random.default_rng(0).random((120, 6)), np.repeat([0, 1], 60)
    budgets = (0.1, 0.2)
    made = [CentralClassMean(epsilon=e, random_state=7).fit(X, y) for e in budgets]
    a, b = (mechanisms.gaussian_sigma(math.sqrt(6), e, delta=1e-5) for e in budgets)
    means = (a * made[1].means_ - b * made[0].means_) / (a - b)
    assert means == pytest.approx(np.stack([X[:60].mean(0), X[60:].mean(0)]), abs=1e-9)
    assert {one.privacy_.status for one in made} == {"proved_under_assumption"}
    fresh = [CentralClassMean(epsilon=e).fit(X, y) for e in budgets]
    guess = (a * fresh[1].means_ - b * fresh[0].means_) / (a - b)
    assert np.abs(guess - means).max() > 0.1
    assert {one.privacy_.status for one in fresh} == {"proved"}


@pytest.mark.parametrize(
    "model",
    [
        FunctionalMechanismRegression(),
        SufficientStatisticsRegression(),
        AdaSSP(),
        OutputPerturbationRegression(),
        DPGradientDescentRegression(),
        CentralClassMean(),
        KAHMClassifier(),
        WideDeepKAHM(),
        FederatedKAHMClassifier(),
        ObjectivePerturbationClassifier(),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::dpcore.BoundsEstimatedWarning")
@pytest.mark.filterwarnings("ignore::UserWarning:sklearn")
def test_scikit_learns_checks_with_the_defaults(model):
    check_estimator(model, on_skip=None)


WIDE = np.array(
    [0.0, -0.0, 5e-324, -1e-310, 1e-30, 0.3, 1.0, -1.0, 1e30, -1e300, 1.7e308, -1.7e308]
)
EXTREME = [
    {"epsilon": 1e-12}, {"epsilon": 1e300}, {"epsilon": 1e-12, "delta": 5e-324},
    {"delta": 1 - 1e-16}, {"learning_rate": 1e30}, {"learning_rate": 1e-30}, {"clip_norm": 1e30},
    {"clip_norm": 1e-30}, {"radius": 1e30}, {"radius": 1e-30}, {"ridge": 1e-30}, {"ridge": 1e30},
    {"learning_rate": 1e30, "clip_norm": 1e30, "epsilon": 1e-12, "n_steps": 300},
    {"floor": 0.0}, {"floor": 1e30}, {"bounds": (-1e50, 1e50)}, {"bounds": (0.0, 1e-50)},
    {"bounds": (0.3, 0.3)}, {"target_bounds": (-1e50, 1e50)}, {"target_bounds": (0.0, 0.0)},
    {"bounds": (0.0, 1e-50), "target_bounds": (-1e50, 1e50), "epsilon": 1e-12},
    {"rounds": 0, "epsilon": 1e-12}, {"operator": "rebuild"}, {"operator": "centred"},
]  # fmt: skip


@pytest.mark.parametrize("model", ALL, ids=str)
@pytest.mark.parametrize("options", EXTREME, ids=str)
@pytest.mark.parametrize("rows", ["wide", "equal", "one"])
@pytest.mark.filterwarnings("ignore::dpcore.kahm.AtomWarning")
def test_no_legal_input_gives_a_number_that_is_not_finite(model, options, rows):
    allowed = set(model.get_params(deep=False)) - (
        {"target_bounds"} if model in CLASSIFIERS else set()
    )
    if not set(options) <= allowed or (model in CLASSIFIERS and options == {"bounds": (0.3, 0.3)}):
        pytest.skip("has no such parameter, or refuses it")
    X = {"wide": np.column_stack([WIDE, WIDE[::-1]]), "equal": np.full((6, 2), 1.7e308),
         "one": np.array([[1.7e308, -0.0]])}[rows]  # fmt: skip
    y = np.arange(len(X)) % 2 if model in CLASSIFIERS else X[:, 0]
    if model in CLASSIFIERS and len(X) == 1:
        y = np.array([0])
    made = copy_of(model, **options).fit(X, y)
    for path, leaf in leaves(made).items():
        if leaf.dtype.kind == "f" and "privacy_" not in path:
            assert np.isfinite(leaf).all(), path
    assert finite(made.predict(np.clip(X, -1e99, 1e99)))


def finite(found):
    return bool(np.isfinite(np.asarray(found, float)).all())


@pytest.mark.parametrize(
    ("model", "name", "value"),
    [
        (DPGradientDescentRegression(**BOX), "learning_rate", 1.7e308),
        (DPGradientDescentRegression(**BOX), "clip_norm", 5e-324),
        (OutputPerturbationRegression(**BOX), "radius", 1e200),
        (SufficientStatisticsRegression(**BOX), "epsilon", 1e-310),
        (FunctionalMechanismRegression(**BOX), "epsilon", 1e-310),
        (FunctionalMechanismRegression(**BOX), "bounds", (-1.7e308, 1.7e308)),
        (FunctionalMechanismRegression(**BOX), "bounds", (0, 1e-310)),
        (AdaSSP(**BOX), "target_bounds", (-1e60, 1)),
        (CentralClassMean(), "clip_norm", 1e-310),
        (CentralClassMean(), "bounds", (-1.7e308, 1.7e308)),
        (CentralClassMean(), "bounds", ([0, 0], [1, 1])),
        (KAHMClassifier(epsilon=1.0), "epsilon", 1e-310),
        (KAHMClassifier(epsilon=1.0), "bounds", (0, 5e-324)),
        (KAHMClassifier(epsilon=1.0), "bounds", 7),
    ],
)
def test_settings_that_would_overflow_are_refused_with_a_sentence(model, name, value):
    X, y = data(next(one for one in ALL if isinstance(one, type(model))))
    with pytest.raises(ValueError, match=f"{name}=.*not allowed: give"):
        copy_of(model, **{name: value}).fit(X, y)


def test_missing_bounds_are_estimated_and_nominal_and_the_seed_does_not_hide_that():
    X, y = data(REGRESSORS[0])
    with pytest.warns(BoundsEstimatedWarning):
        made = SufficientStatisticsRegression(random_state=3).fit(X, y)
    assert made.privacy_.status == "nominal"


def test_images_become_a_data_frame():
    X = np.random.default_rng(0).random((20, 2))
    frame = WideDeepKAHM(n_components=2).set_output(transform="pandas").fit(X).transform(X)
    assert frame.columns.tolist() == ["x0", "x1"]
