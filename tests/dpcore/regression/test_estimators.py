"""The regressors: scikit-learn's own checks, the promise they make, and no noise at infinite ε."""

import math
import warnings

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.utils.estimator_checks import check_estimator

from dpcore import BoundsEstimatedWarning, datasets
from dpcore.regression import (
    AdaSSP,
    DPGradientDescentRegression,
    FunctionalMechanismRegression,
    OutputPerturbationRegression,
    SufficientStatisticsRegression,
)

DATA = datasets.load_regression("diabetes")
BOUNDS = {"bounds": (DATA.low, DATA.high), "target_bounds": (DATA.target_low, DATA.target_high)}
SUMS = [
    FunctionalMechanismRegression(),
    FunctionalMechanismRegression(sensitivity="tight", repair="trim"),
    FunctionalMechanismRegression(sensitivity="joint", repair="none"),
    SufficientStatisticsRegression(),
    AdaSSP(),
    AdaSSP(calibration="published"),
]
OTHERS = [OutputPerturbationRegression(), DPGradientDescentRegression()]
ALL = SUMS + OTHERS


def fitted(model, **options):
    given = {**model.get_params(), **BOUNDS, "random_state": 0, **options}
    return type(model)(**given).fit(DATA.X, DATA.y)


@pytest.mark.parametrize("epsilon", [1.0, math.inf])
@pytest.mark.parametrize("model", ALL, ids=str)
def test_scikit_learns_checks(model, epsilon):
    chosen = {**model.get_params(), "bounds": "estimate", "epsilon": epsilon, "random_state": 0}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=UserWarning, module="sklearn")
        check_estimator(type(model)(**chosen), on_skip=None)


@pytest.mark.parametrize("model", SUMS, ids=str)
def test_infinite_epsilon_is_least_squares(model):
    plain = LinearRegression().fit(DATA.X, DATA.y)
    exact = fitted(model, epsilon=math.inf)
    np.testing.assert_allclose(exact.coef_, plain.coef_, rtol=1e-6)
    assert exact.intercept_ == pytest.approx(plain.intercept_, rel=1e-6)
    np.testing.assert_allclose(exact.predict(DATA.X_test), plain.predict(DATA.X_test), rtol=1e-6)
    near = fitted(model, epsilon=1e9) if "delta" not in model.get_params() else exact
    np.testing.assert_allclose(near.coef_, plain.coef_, rtol=1e-3)


@pytest.mark.parametrize("model", ALL, ids=str)
def test_the_promise_is_the_budget_for_replaced_records(model):
    privacy = fitted(model, epsilon=2.0, random_state=None).privacy_
    published = getattr(model, "calibration", "") == "published"
    assert privacy.status == "proved"
    assert privacy.neighbouring == ("add_remove" if published else "replace_one")
    assert (privacy.claimed_epsilon or privacy.epsilon) == 2.0
    assert sum(p.epsilon for p in privacy.parts) == pytest.approx(privacy.epsilon)
    assert privacy.delta == getattr(model, "delta", 0.0) == sum(p.delta for p in privacy.parts)
    assert any("number of records" in what for what in privacy.public) != published


@pytest.mark.parametrize("model", ALL, ids=str)
def test_estimated_bounds_leave_no_guarantee(model):
    privacy = fitted(model, bounds="estimate", target_bounds=None).privacy_
    assert privacy.status == "nominal"
    assert "estimated: demonstration only" in privacy.argument
    assert "ESTIMATED" in privacy.public[0]


@pytest.mark.parametrize("model", ALL, ids=str)
@pytest.mark.parametrize("missing", ["bounds", "target_bounds"])
def test_bounds_that_nobody_gave_are_read_from_the_data_with_a_warning(model, missing):
    with pytest.warns(BoundsEstimatedWarning, match="give public bounds") as found:
        made = fitted(model, **{missing: None})
    assert [one.filename for one in found if one.category is BoundsEstimatedWarning] == [__file__]
    assert (made.privacy_.status, made.bounds_.status) == ("nominal", "estimated")
    both = (made.bounds_.low, made.bounds_.target_low)
    assert (both[0] == (DATA.X.min(0) if missing == "bounds" else DATA.low)).all()
    assert both[1] == (DATA.y.min() if missing == "target_bounds" else DATA.target_low)


@pytest.mark.parametrize("model", ALL, ids=str)
def test_bounds_are_checked(model):
    for wrong in (3, "wide", [1], (1, 2, 3), ([0] * 9, [1] * 10), (0, np.nan), (0, "high")):
        with pytest.raises(ValueError, match=r"bounds=.* is not allowed"):
            fitted(model, bounds=wrong)
        with pytest.raises(ValueError, match=r"target_bounds=.* is not allowed"):
            fitted(model, target_bounds=wrong)
    with pytest.raises(ValueError, match="each one finite number or 10 of them"):
        fitted(model, bounds=([0] * 9, [1] * 9))
    with pytest.raises(ValueError, match="choose one of 'estimate'"):
        fitted(model, bounds="estimated")
    with pytest.raises(ValueError, match="the lower one first"):
        fitted(model, bounds=(1.0, -1.0))


@pytest.mark.parametrize("model", ALL, ids=str)
def test_same_seed_same_model_and_another_differs(model):
    first = fitted(model).coefficients_
    assert (first == fitted(model).coefficients_).all()
    assert (first != fitted(model, random_state=1).coefficients_).any()
    for state in (np.random.default_rng(3), np.random.RandomState(3), None):
        assert fitted(model, random_state=state).coef_.shape == (10,)


@pytest.mark.parametrize("model", ALL, ids=str)
def test_a_record_outside_the_bounds_counts_as_one_on_them(model):
    far, edge = DATA.X.copy(), DATA.X.copy()
    far[0], edge[0] = 1e9, DATA.high
    chosen = type(model)(**{**model.get_params(), **BOUNDS, "random_state": 0})
    one = chosen.fit(far, DATA.y).coefficients_
    assert (one == chosen.fit(edge, DATA.y).coefficients_).all()


def test_predictions_stay_inside_the_target_bounds_unless_told_otherwise():
    wild = fitted(FunctionalMechanismRegression(epsilon=0.01, repair="none"))
    found = wild.predict(DATA.X_test)
    assert ((found >= 0) & (found <= 400)).all()
    wild.clip_predictions = False
    assert np.ptp(wild.predict(DATA.X_test)) > 400


def test_published_adassp_says_what_it_really_spends():
    privacy = fitted(AdaSSP(epsilon=1.0, calibration="published")).privacy_
    assert privacy.claimed_epsilon == 1.0
    assert privacy.epsilon == pytest.approx(0.562, abs=5e-4)


@pytest.mark.parametrize(
    ("name", "value"),
    [("epsilon", 0), ("epsilon", -1), ("epsilon", "a"), ("split", 1.0), ("split", "half"),
     ("sensitivity", "none"), ("repair", "ball"), ("floor", -1), ("random_state", -1)],
)  # fmt: skip
def test_bad_arguments_are_named(name, value):
    with pytest.raises(ValueError, match=f"{name}={value!r} is not allowed"):
        fitted(FunctionalMechanismRegression(), **{name: value})


@pytest.mark.parametrize(
    ("model", "name", "value"),
    [(DPGradientDescentRegression(), "n_steps", 0), (AdaSSP(), "delta", 0.0),
     (DPGradientDescentRegression(), "clip_norm", 0), (AdaSSP(), "calibration", "paper"),
     (OutputPerturbationRegression(), "ridge", 0), (OutputPerturbationRegression(), "radius", -1),
     (SufficientStatisticsRegression(), "delta", 1)],
)  # fmt: skip
def test_bad_arguments_of_the_others_are_named(model, name, value):
    with pytest.raises(ValueError, match=f"{name}={value!r} is not allowed"):
        fitted(model, **{name: value})
