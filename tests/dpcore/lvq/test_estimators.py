"""The estimators: scikit-learn's own checks, and what they promise about privacy."""

import math
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import check_estimator

from dpcore import (
    BoundsEstimatedWarning,
    SeededNoiseWarning,
    SizeFromDataWarning,
    _noise,
    accounting,
)
from dpcore.lvq import DPGLVQ, DPGMLVQ, GLVQ, GMLVQ, predict

X, Y = load_iris(return_X_y=True)
BOUNDS = ([0, 0, 0, 0], [10, 6, 10, 4])
DECLARED = {"bounds": BOUNDS, "expected_n": 150, "classes": [0, 1, 2]}


def fitted(**options):
    return DPGLVQ(**{**DECLARED, "random_state": 0, "epsilon": 4.0, **options}).fit(X, Y)


@pytest.mark.parametrize(
    "estimator",
    [
        GLVQ(),
        GLVQ(solver="sgd", sample_rate=0.2, epochs=20, random_state=0),
        DPGLVQ(),
        DPGLVQ(epsilon=math.inf, sample_rate=0.2, epochs=20, random_state=0),
        DPGLVQ(epsilon=50.0, delta=1e-2, sample_rate=0.5, epochs=20, random_state=0),
        DPGLVQ(
            epsilon=50.0,
            delta=1e-2,
            sample_rate=0.5,
            epochs=20,
            random_state=0,
            lots="fixed",
            neighbouring="replace_one",
        ),
    ],
    ids=["default", "sgd", "dp-default", "dp-inf", "dp", "fixed-lots"],
)
def test_scikit_learns_checks(estimator):
    with warnings.catch_warnings():
        for kind in (BoundsEstimatedWarning, SizeFromDataWarning, SeededNoiseWarning):
            warnings.simplefilter("ignore", kind)
        warnings.filterwarnings("ignore", category=UserWarning, module="sklearn")
        check_estimator(estimator, on_skip=None)


def test_lbfgs_is_at_least_as_good_as_sgd():
    from dpcore.lvq.gradients import cost

    best, other = GLVQ().fit(X, Y), GLVQ(solver="sgd", sample_rate=0.1, random_state=0).fit(X, Y)
    index = np.arange(3)
    assert cost(X, Y, best.prototypes_, index) <= cost(X, Y, other.prototypes_, index)
    assert best.score(X, Y) > 0.93


@pytest.mark.parametrize("init", ["gaussian", "laplace", "public"])
def test_the_budget_is_kept_whatever_the_start(init):
    model = fitted(init=init)
    privacy = model.privacy_
    assert privacy.epsilon == pytest.approx(4.0)
    assert sum(part.epsilon for part in privacy.parts) == pytest.approx(4.0)
    assert sum(part.delta for part in privacy.parts) <= 1e-5 * (1 + 1e-12)
    assert (privacy.status, privacy.neighbouring) == ("proved_under_assumption", "add_remove")
    assert fitted(init=init, random_state=None).privacy_.status == "proved"
    steps = privacy.parts[-1]
    spent = accounting.epsilon(
        noise_multiplier=model.noise_multiplier_, sample_rate=0.01, n_steps=5000, delta=steps.delta
    )
    assert steps.epsilon * 0.995 <= spent <= steps.epsilon


def test_what_the_generator_of_normals_cannot_reach_is_in_delta(monkeypatch):
    privacy = fitted().privacy_
    extra = (1 + math.exp(4)) * _noise.missing_mass(5000 * 3 * 4)
    assert 0 < extra < 1e-15
    assert f"the mass beyond it adds {extra:.0e} to δ" in privacy.argument
    # A large ε does not make the generator's end large: far above 45, where e^ε times it is more than 1.
    loose = fitted(epsilon=80.0)
    assert math.exp(80) * _noise.missing_mass(5000 * 3 * 4) > 1
    assert 1e-5 < loose.privacy_.delta < 1.1e-5
    double = fitted(epsilon=80.0, neighbouring="replace_one").privacy_
    assert 1e-5 < double.delta < 1.1e-5
    monkeypatch.setattr(_noise, "missing_mass", lambda n: 1e-12 * n)
    monkeypatch.setattr(_noise, "beyond_reach", lambda n, shift: 1.0)
    large = fitted().privacy_
    assert large.delta == pytest.approx(1e-5 + (1 + math.exp(4)) * 6e-8)
    assert sum(part.delta for part in large.parts) == pytest.approx(large.delta)
    assert fitted(epsilon=math.inf).privacy_.delta == 1e-5


def test_replaced_records_get_more_noise():
    assert fitted(neighbouring="replace_one").noise_multiplier_ > 1.5 * fitted().noise_multiplier_


def test_the_papers_recipe_says_what_it_really_costs():
    model = fitted(epsilon=0.75, noise="paper", init="laplace")
    assert model.noise_multiplier_ == pytest.approx(7.9975, rel=1e-4)
    assert model.privacy_.claimed_epsilon == 0.75
    assert model.privacy_.epsilon == pytest.approx(0.15 + 0.3001, rel=1e-3)
    broken = fitted(epsilon=10.0, noise="paper", init="laplace")
    assert broken.privacy_.epsilon > 15
    assert broken.privacy_.parts[-1].epsilon == pytest.approx(15.67, rel=0.01)


def test_infinite_epsilon_is_the_clipped_training_without_noise():
    model = fitted(epsilon=math.inf)
    assert model.noise_multiplier_ == 0
    assert model.privacy_.epsilon == math.inf
    gaps = [
        np.abs(model.prototypes_ - fitted(epsilon=e, delta=1e-2).prototypes_).max()
        for e in (2.0, 10.0, 50.0)
    ]
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 0.3


def test_same_seed_same_model_and_another_differs():
    assert (fitted().prototypes_ == fitted().prototypes_).all()
    assert (fitted().prototypes_ != fitted(random_state=1).prototypes_).any()
    for state in (np.random.default_rng(3), None):
        assert fitted(random_state=state).prototypes_.shape == (3, 4)


def test_path_ends_at_the_released_prototypes():
    model = fitted(prototypes_per_class=2)
    assert model.path_.shape == (len(model.path_epochs_), 6, 4)
    assert (model.path_[-1] == model.prototypes_).all()
    assert model.path_epochs_[[0, -1]].tolist() == [0, 50]
    assert model.prototype_labels_.tolist() == [0, 0, 1, 1, 2, 2]


def test_prediction_is_the_closest_prototype_on_the_scaled_features():
    model = fitted()
    half = np.subtract(BOUNDS[1], BOUNDS[0]) / 2
    wanted = predict(X / half, model.prototypes_ / half, labels=model.prototype_labels_)
    assert (model.predict(X) == wanted).all()


def test_values_outside_the_bounds_are_put_on_them():
    far = X.copy()
    far[0] = 1e9
    near = X.copy()
    near[0] = BOUNDS[1]
    options = {**DECLARED, "random_state": 0}
    first, second = (DPGLVQ(**options).fit(data, Y) for data in (far, near))
    assert (first.prototypes_ == second.prototypes_).all()


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"epsilon": 0}, "epsilon=0"),
        ({"epsilon": -1}, "epsilon=-1"),
        ({"epsilon": math.nan}, "epsilon=nan"),
        ({"delta": 0}, "delta=0"),
        ({"clip_norm": -1}, "clip_norm"),
        ({"sample_rate": 2}, "sample_rate"),
        ({"epochs": 0}, "epochs"),
        ({"init_share": 1}, "init_share"),
        ({"prototypes_per_class": 0}, "prototypes_per_class"),
        ({"noise": "none"}, "noise"),
        ({"init": "zeros"}, "init"),
        ({"neighbouring": "any"}, "neighbouring"),
        ({"bounds": (1, 0)}, "bounds"),
        ({"bounds": (0, math.inf)}, "bounds"),
        ({"schedule": "cosine"}, "schedule"),
    ],
)
def test_bad_arguments_are_named(bad, words):
    with pytest.raises(ValueError, match=words):
        fitted(**bad)


@pytest.mark.slow
def test_lbfgs_on_segment_has_the_published_error(data_dir):
    # Brinkrolf, Berger and Hammer 2018, Table 1: 0.1458 (0.0132) with BFGS.
    from sklearn.model_selection import StratifiedKFold

    raw = np.load(data_dir / "segment.npz")
    data, y = raw["X"].astype(float), raw["y"]
    low, high = data.min(0), data.max(0)
    data = 2 * (data - low) / np.where(high > low, high - low, 1) - 1
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    errors = [1 - GLVQ().fit(data[a], y[a]).score(data[b], y[b]) for a, b in folds.split(data, y)]
    assert np.mean(errors) == pytest.approx(0.1458, abs=0.0132)


def _fixed(kind, **options):
    given = {"lots": "fixed", "neighbouring": "replace_one", "bounds": BOUNDS, "classes": [0, 1, 2],
             "sample_rate": 0.1, "epochs": 5, "epsilon": 4.0}  # fmt: skip
    return kind(**{**given, **options}).fit(X, Y)


@pytest.mark.parametrize("kind", [DPGLVQ, DPGMLVQ])
def test_lots_of_a_fixed_size_are_paid_for(kind):
    model = _fixed(kind)
    privacy = model.privacy_
    assert (privacy.status, privacy.epsilon) == ("proved", 4.0)
    assert any("size of every lot" in fact for fact in privacy.public)
    assert "fixed size" in privacy.argument
    steps = privacy.parts[-1]
    sigma = model.noise_multiplier_
    spent = accounting.epsilon(noise_multiplier=sigma, sample_rate=15 / 150, n_steps=50, delta=steps.delta,
    neighbouring="replace_one",
                               lots="fixed")  # fmt: skip
    assert steps.epsilon * 0.99 <= spent <= steps.epsilon
    assert "fixed size" in steps.mechanism


def test_the_account_takes_the_true_share_of_a_lot():
    # 0.013·150 = 1.95: lots of two records, a chance of 2/150 that is above q.
    model = _fixed(DPGLVQ, sample_rate=0.013, epochs=0.5)
    asked = {"sample_rate": 2 / 150, "n_steps": round(0.5 / 0.013)}
    assert model.noise_multiplier_ == accounting.noise_multiplier(
        3.2, 5e-6, **asked, neighbouring="replace_one", lots="fixed"
    )


def test_the_printed_sigma_loses_more_on_lots_of_a_fixed_size():
    options = {"noise": "paper", "init": "laplace", "sample_rate": 0.02, "epochs": 50}
    literal = _fixed(DPGLVQ, **options, epsilon=2.5).privacy_
    poisson = _fixed(DPGLVQ, **options, epsilon=2.5, lots="poisson").privacy_
    assert literal.claimed_epsilon == 2.5
    assert literal.epsilon > poisson.epsilon
    assert literal.parts[-1].epsilon > 2.0


def test_fixed_lots_with_added_records_are_refused():
    with pytest.raises(ValueError, match="Use neighbouring"):
        fitted(lots="fixed")
    with pytest.raises(ValueError, match="lots='all'"):
        fitted(lots="all")


@pytest.mark.parametrize("labels", [[0.0, 1.0], [0.0, 0.5, 1.0]])
def test_declared_labels_between_whole_numbers_are_labels_whether_or_not_a_record_has_one(labels):
    y = np.array(labels * 20)[:40]
    model = DPGLVQ(
        bounds=(-1, 1), expected_n=40, classes=[0.0, 0.5, 1.0], sample_rate=1.0, epochs=2
    ).fit(np.linspace(-1, 1, 40)[:, None], y)
    assert model.classes_.tolist() == [0.0, 0.5, 1.0]
    assert model.privacy_.status == "proved"


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kind", [GLVQ, GMLVQ])
def test_the_decision_is_minus_the_squared_distance_to_the_nearest_prototype_of_a_class(
    kind, n_classes
):
    some = n_classes > Y
    model = kind(prototypes_per_class=2, random_state=0).fit(X[some], Y[some])
    found = model.decision_function(X)
    omega = getattr(model, "omega_", np.eye(X.shape[1]))
    apart = np.square((X[:, None] - model.prototypes_) @ omega.T).sum(-1)
    owners = model.prototype_labels_
    expected = -np.stack([apart[:, owners == name].min(1) for name in model.classes_], axis=1)
    if n_classes == 2:
        np.testing.assert_allclose(found, expected[:, 1] - expected[:, 0], atol=1e-6)
        assert (model.classes_[(found > 0).astype(int)] == model.predict(X)).all()
    else:
        np.testing.assert_allclose(found, expected, atol=1e-6)
        assert (model.classes_[found.argmax(1)] == model.predict(X)).all()
