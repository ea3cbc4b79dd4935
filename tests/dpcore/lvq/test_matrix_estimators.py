"""GMLVQ and DPGMLVQ as estimators: scikit-learn's own checks, rank, relevances, the promise."""

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
    accounting,
)
from dpcore.lvq import DPGLVQ, DPGMLVQ, GLVQ, GMLVQ, matrix

X, Y = load_iris(return_X_y=True)
BOUNDS = ([0, 0, 0, 0], [10, 6, 10, 4])
DECLARED = {"bounds": BOUNDS, "expected_n": 150, "classes": [0, 1, 2]}


def fitted(**options):
    return DPGMLVQ(**{**DECLARED, "random_state": 0, "epsilon": 4.0, **options}).fit(X, Y)


@pytest.mark.parametrize(
    "estimator",
    [
        GMLVQ(),
        GMLVQ(solver="sgd", sample_rate=0.2, epochs=20, random_state=0),
        DPGMLVQ(),
        DPGMLVQ(epsilon=math.inf, sample_rate=0.2, epochs=20, random_state=0),
        DPGMLVQ(epsilon=50.0, delta=1e-2, sample_rate=0.5, epochs=20, random_state=0),
    ],
    ids=["default", "sgd", "dp-default", "dp-inf", "dp"],
)
def test_scikit_learns_checks(estimator):
    with warnings.catch_warnings():
        for kind in (BoundsEstimatedWarning, SizeFromDataWarning, SeededNoiseWarning):
            warnings.simplefilter("ignore", kind)
        warnings.filterwarnings("ignore", category=UserWarning, module="sklearn")
        check_estimator(estimator, on_skip=None)


def test_the_matrix_helps_and_lbfgs_is_at_least_as_good_as_sgd():
    def cost(model):
        index = np.searchsorted(model.classes_, model.prototype_labels_)
        return matrix.cost_and_gradient(X, Y, model.prototypes_, model.omega_, index)[0]

    best, other = GMLVQ().fit(X, Y), GMLVQ(solver="sgd", sample_rate=0.1, random_state=0).fit(X, Y)
    assert cost(best) <= cost(other)
    assert best.score(X, Y) > GLVQ().fit(X, Y).score(X, Y)
    assert best.relevances_[2:].sum() > 0.7


@pytest.mark.parametrize("model", [GMLVQ(solver="sgd", sample_rate=0.1), DPGMLVQ(**DECLARED)])
@pytest.mark.parametrize("rank", [None, 4, 2, 1])
def test_rank_and_what_is_kept(model, rank):
    model = model.set_params(rank=rank, random_state=0).fit(X, Y)
    shape = (rank or 4, 4)
    assert model.omega_.shape == shape
    assert model.omega_path_.shape == (len(model.path_), *shape)
    assert (model.omega_path_[-1] == model.omega_).all()
    assert (model.path_[-1] == model.prototypes_).all()
    assert model.relevances_.shape == (4,)
    assert model.relevances_.sum() == pytest.approx(1)
    assert (model.relevances_ >= 0).all()


@pytest.mark.parametrize("rank", [0, 5, 1.5])
def test_a_rank_that_does_not_fit_is_refused(rank):
    for model in (GMLVQ(rank=rank), DPGMLVQ(rank=rank, **DECLARED)):
        with pytest.raises(ValueError, match="rank"):
            model.fit(X, Y)


@pytest.mark.parametrize("init", ["gaussian", "laplace", "public"])
def test_the_budget_is_that_of_glvq_whatever_the_rank(init):
    privacy = fitted(init=init, rank=2).privacy_
    plain = DPGLVQ(**DECLARED, random_state=0, epsilon=4.0, init=init).fit(X, Y).privacy_
    assert (privacy.epsilon, privacy.public) == (plain.epsilon, plain.public)
    assert [p.epsilon for p in privacy.parts] == [p.epsilon for p in plain.parts]
    assert privacy.delta == pytest.approx(plain.delta)  # 8 numbers more get noise in each step
    assert (privacy.status, privacy.epsilon) == ("proved_under_assumption", pytest.approx(4.0))


def test_the_papers_recipe_says_what_it_really_costs():
    model = fitted(epsilon=2.5, noise="paper", init="laplace")
    assert model.noise_multiplier_ == pytest.approx(2.3993, rel=1e-4)
    assert model.privacy_.claimed_epsilon == 2.5
    assert model.privacy_.epsilon == pytest.approx(0.5 + 1.1789, rel=1e-3)
    spent = accounting.epsilon(
        noise_multiplier=model.noise_multiplier_, sample_rate=0.01, n_steps=5000, delta=1e-5
    )
    assert model.privacy_.parts[-1].epsilon == pytest.approx(spent, rel=1e-6)


def test_infinite_epsilon_is_the_clipped_training_without_noise():
    model = fitted(epsilon=math.inf)
    assert model.noise_multiplier_ == 0
    assert model.privacy_.epsilon == math.inf
    gaps = [
        np.abs(model.omega_ - fitted(epsilon=e, delta=1e-2).omega_).max() for e in (2, 10, 1000)
    ]
    assert gaps[0] > gaps[1] > gaps[2]


def test_large_groups_hardly_feel_the_noise():
    many, labels = np.tile(X, (100, 1)), np.tile(Y, 100)
    models = [
        DPGMLVQ(**{**DECLARED, "expected_n": 15000}, epsilon=e, random_state=0, epochs=10).fit(
            many, labels
        )
        for e in (8.0, math.inf)
    ]
    assert np.abs(models[0].omega_ - models[1].omega_).max() < 0.1
    assert models[0].score(X, Y) == pytest.approx(models[1].score(X, Y), abs=0.03)


def test_same_seed_same_model_and_another_differs():
    assert (fitted().omega_ == fitted().omega_).all()
    assert (fitted().omega_ != fitted(random_state=1).omega_).any()


def test_prediction_is_the_closest_prototype_through_omega_on_the_scaled_features():
    model = fitted(rank=3)
    half = np.subtract(BOUNDS[1], BOUNDS[0]) / 2
    wanted = matrix.predict(
        X / half, model.prototypes_ / half, model.omega_, model.prototype_labels_
    )
    assert (model.predict(X) == wanted).all()


@pytest.mark.slow
def test_lbfgs_on_segment_has_the_published_error(data_dir):
    # Brinkrolf, Berger and Hammer 2018, Table 1: 0.0870 (0.0109) with BFGS.
    from sklearn.model_selection import StratifiedKFold

    raw = np.load(data_dir / "segment.npz")
    data, y = raw["X"].astype(float), raw["y"]
    low, high = data.min(0), data.max(0)
    data = 2 * (data - low) / np.where(high > low, high - low, 1) - 1
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    errors = [1 - GMLVQ().fit(data[a], y[a]).score(data[b], y[b]) for a, b in folds.split(data, y)]
    assert np.mean(errors) == pytest.approx(0.0870, abs=0.0109)


def test_images_have_the_distances_by_which_classes_are_told_apart():
    model = GMLVQ(rank=2, random_state=0).fit(X, Y)
    images = model.transform(X)
    assert images.shape == (len(X), 2)
    np.testing.assert_allclose(images, X @ model.omega_.T)
    assert list(model.get_feature_names_out()) == ["gmlvq0", "gmlvq1"]
    centres = model.prototypes_ @ model.omega_.T
    nearest = np.square(images[:, None] - centres).sum(-1).argmin(1)
    assert (model.prototype_labels_[nearest] == model.predict(X)).all()
