"""Steps before a private estimator: the verdict on each is attacked by data sets that differ in one record."""

import itertools
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin, clone
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor, make_column_selector
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)
from sklearn.utils import all_estimators

from dpcore import BudgetAccountant
from dpcore.descent import ObjectivePerturbationClassifier
from dpcore.lvq import DPGLVQ, DPGMLVQ
from dpcore.pipeline import StepReadsRecordsWarning, pipeline_guarantee, reading_steps
from dpcore.preprocessing import BoundedScaler
from dpcore.regression import SufficientStatisticsRegression

RNG = np.random.default_rng(5)
X = np.round(RNG.normal(size=(40, 2)), 2)
Y = (X[:, 0] > 0).astype(int)
VALUES = (-2.0, 0.0, 0.5, 3.0)
MISSING = (*VALUES, np.nan)
DECLARED = [list(VALUES)] * 2


class Declared(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """A transformer of a user's own that declares what it does."""

    is_record_wise = True

    def fit(self, X, y=None):
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X):
        return 2 * X


class Shifted(BoundedScaler):
    """A subclass that reads what its parent does not."""

    def fit(self, X, y=None):
        super().fit(X)
        self.shift_ = np.nanmean(X)
        return self

    def transform(self, X):
        return super().transform(X) + self.shift_


def private(**options):
    return DPGLVQ(
        bounds=(-1, 1), expected_n=40, classes=[0, 1], sample_rate=1.0, epochs=2, **options
    )


def columns(*parts, **options):
    return ColumnTransformer(list(parts), **options)


def options_of(kind, **grid):
    """Every estimator of a class with parameters from a grid."""
    for values in itertools.product(*grid.values()):
        yield kind(**dict(zip(grid, values, strict=True)))


CANDIDATES = [
    *options_of(BoundedScaler, bounds=[(-1, 1), ([-2, 0], [0, 3])]),
    *options_of(Binarizer, threshold=[0.0, 1.0]),
    *options_of(Normalizer, norm=["l1", "l2", "max"]),
    *options_of(PolynomialFeatures, degree=[1, 2, (2, 3)], interaction_only=[False, True],
                include_bias=[False, True], order=["C", "F"]),
    *options_of(FunctionTransformer, func=[None, np.sign, np.expm1, np.square]),
    *options_of(SimpleImputer, strategy=["constant", "mean", "median", "most_frequent"],
                fill_value=[None, 7.0], keep_empty_features=[False, True], add_indicator=[False, True]),
    *options_of(OneHotEncoder, categories=["auto", DECLARED], drop=[None, "first"],
                handle_unknown=["ignore", "infrequent_if_exist"], min_frequency=[None, 2],
                max_categories=[None, 3], sparse_output=[False]),
    *options_of(OrdinalEncoder, categories=["auto", DECLARED], min_frequency=[None, 2],
                max_categories=[None, 3]),
    *options_of(StandardScaler, with_mean=[True, False]),
    MinMaxScaler(), MaxAbsScaler(), RobustScaler(), PowerTransformer(), VarianceThreshold(0.5),
    QuantileTransformer(n_quantiles=2), KBinsDiscretizer(2, encode="ordinal"), SelectKBest(k=1), Shifted(),
    "passthrough",
    make_pipeline(BoundedScaler(), PolynomialFeatures(2)),
    make_pipeline(BoundedScaler(), StandardScaler()),
    FeatureUnion([("a", BoundedScaler()), ("b", "passthrough"), ("c", "drop")]),
    FeatureUnion([("a", BoundedScaler()), ("b", MinMaxScaler())]),
    columns(("a", BoundedScaler(), [0]), remainder="passthrough"),
    columns(("a", BoundedScaler(), [0]), ("b", "drop", [1])),
    columns(("a", Normalizer(), [0, 1]), ("b", StandardScaler(), [1])),
    columns(("a", BoundedScaler(), [0]), remainder=StandardScaler()),
]  # fmt: skip


def rows(step, records, labels):
    """The transformed records with their labels, sorted, as bytes; None if the step refuses them."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            step = Pipeline([("step", clone(step) if step != "passthrough" else step)])
            found = np.asarray(step.fit_transform(records, labels))
    except ValueError:
        return None
    return sorted(row.tobytes() + bytes([label]) for row, label in zip(found, labels, strict=True))


def differences(before, after):
    """How many records have to be exchanged, added or removed to get from one list to another."""
    left = list(after)
    common = 0
    for one in before:
        if one in left:
            left.remove(one)
            common += 1
    return max(len(before), len(after)) - common


def worst(step, values=VALUES, n_trials=30, seed=0):
    """The largest number of transformed records in which neighbours of random data sets differ."""
    rng, largest = np.random.default_rng(seed), 0
    for _ in range(n_trials):
        n = int(rng.integers(3, 7))
        records = rng.choice(values, (n, 2))
        labels = rng.integers(0, 2, n)
        other = records.copy()
        other[0] = rng.choice(values, 2)
        whole = rows(step, records, labels)
        removed, replaced = rows(step, records[1:], labels[1:]), rows(step, other, labels)
        for neighbour in (removed, replaced):
            if whole is not None and neighbour is not None:
                largest = max(largest, differences(whole, neighbour))
    return largest


@pytest.mark.parametrize("step", CANDIDATES, ids=lambda step: f"{step!s:.70}")
def test_only_steps_that_keep_neighbours_are_called_record_wise(step):
    """A verdict may be too strict, but neither brute force nor empty cells may break a favourable one."""
    model = Pipeline([("step", step), ("last", private())])
    if not reading_steps(model):
        assert worst(step) <= 1
        assert worst(step, MISSING) <= 1


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("norm", ["l1", "l2", "max"])
def test_norms_of_records_have_the_same_bits_in_any_company(norm, order):
    """Numpy sums along rows in an order that depends on the layout: from two records on it is the same for each."""
    for n, d in itertools.product((3, 17, 9000), (5, 16, 33)):
        records = np.asarray(np.random.default_rng(n + d).normal(size=(n, d)), order=order)
        whole = Normalizer(norm=norm).fit_transform(records)
        rest = Normalizer(norm=norm).fit_transform(np.asarray(records[1:], order=order))
        assert (whole[1:] == rest).all()


READERS = [
    StandardScaler(), MinMaxScaler(), MaxAbsScaler(), RobustScaler(), PowerTransformer(), VarianceThreshold(0.5),
    QuantileTransformer(n_quantiles=2), KBinsDiscretizer(2, encode="ordinal"), SelectKBest(k=1), Shifted(),
    SimpleImputer(), OneHotEncoder(sparse_output=False, handle_unknown="ignore"), OrdinalEncoder(),
    make_pipeline(BoundedScaler(), StandardScaler()),
    FeatureUnion([("a", BoundedScaler()), ("b", MinMaxScaler())]),
    columns(("a", BoundedScaler(), [0]), remainder=StandardScaler()),
]  # fmt: skip


@pytest.mark.parametrize("step", READERS, ids=lambda step: f"{step!s:.70}")
def test_the_attack_finds_steps_that_read_records(step):
    values = MISSING if isinstance(step, SimpleImputer) else VALUES
    assert worst(step, values) > 1
    assert reading_steps(Pipeline([("step", step), ("last", private())]))


def test_no_other_transformer_of_scikit_learn_is_called_record_wise():
    """The defaults of all that scikit-learn has; for those called record-wise the attack above has the proof."""
    allowed = {"Binarizer", "FunctionTransformer", "Normalizer", "PolynomialFeatures"}
    found = set()
    for name, kind in all_estimators(type_filter="transformer"):
        try:
            step = kind()
        except TypeError:  # needs estimators
            continue
        if not reading_steps(Pipeline([("step", step), ("last", private())])):
            found.add(name)
    assert found == allowed


def fitted(*steps, warned=True):
    model = make_pipeline(*steps)
    if not warned:
        return model.fit(X, Y)
    with pytest.warns(StepReadsRecordsWarning):
        return model.fit(X, Y)


def test_a_scaler_that_reads_records_makes_the_pipeline_and_its_last_step_nominal():
    with pytest.warns(StepReadsRecordsWarning, match="means and variances") as found:
        model = make_pipeline(StandardScaler(), private()).fit(X, Y)
    assert len(found) == 1
    whole = pipeline_guarantee(model)
    assert whole == model[-1].privacy_
    assert (whole.status, whole.protection) == ("nominal", "none")
    assert any("StandardScaler.fit" in one for one in whole.assumptions)
    assert "StandardScaler.fit read the means and variances of all records" in whole.argument


def test_record_wise_steps_leave_it_proved():
    model = fitted(Normalizer(), BoundedScaler(), private(), warned=False)
    assert reading_steps(model) == {}
    assert pipeline_guarantee(model) == model[-1].privacy_
    assert model[-1].privacy_.status == "proved"


def test_a_function_is_an_assumption():
    for step in (FunctionTransformer(lambda rows: rows - rows.mean(0)), Declared(),
                 FunctionTransformer(np.square, kw_args={"dtype": float})):  # fmt: skip
        whole = pipeline_guarantee(fitted(step, private(), warned=False))
        assert whole.status == "proved_under_assumption"
        assert any("maps every record by itself" in one for one in whole.assumptions)
    assert worst(FunctionTransformer(lambda rows: rows - rows.mean(0))) > 1  # so it has to be one


def test_it_is_seen_through_searches_nested_pipelines_and_wrappers():
    model = make_pipeline(StandardScaler(), make_pipeline(BoundedScaler(), private()))
    with pytest.warns(StepReadsRecordsWarning):
        model.fit(X, Y)
    assert model[-1][-1].privacy_.status == "nominal"
    assert pipeline_guarantee(model).status == "nominal"
    wrapped = make_pipeline(StandardScaler(), OneVsRestClassifier(private()))
    with pytest.warns(StepReadsRecordsWarning):
        wrapped.fit(X, Y)
    assert wrapped[-1].estimators_[0].privacy_.status == "nominal"


@pytest.mark.filterwarnings("ignore::dpcore.RepeatedFitsWarning")
def test_a_search_over_a_pipeline_has_a_nominal_best_estimator():
    searched = GridSearchCV(
        make_pipeline(StandardScaler(), private()), {"dpglvq__clip_norm": [0.5, 1.0]}, cv=2
    )
    with pytest.warns(StepReadsRecordsWarning):
        searched.fit(X, Y)
    assert pipeline_guarantee(searched.best_estimator_).status == "nominal"
    with pytest.raises(ValueError, match="best_estimator_"):
        pipeline_guarantee(searched)


def test_a_column_transformer_is_looked_into():
    step = columns(("a", StandardScaler(), [0]), ("b", "passthrough", [1]))
    assert list(reading_steps(make_pipeline(step, private()))) == ["columntransformer__a"]
    chosen = columns(("a", BoundedScaler(), make_column_selector()))
    assert "chose columns" in str(reading_steps(make_pipeline(chosen, private())))


def test_scaled_targets_count():
    def inner():
        return SufficientStatisticsRegression(bounds=(-3, 3), target_bounds=(-3, 3))

    model = make_pipeline(
        BoundedScaler(bounds=(-3, 3)),
        TransformedTargetRegressor(inner(), transformer=StandardScaler()),
    )
    with pytest.warns(StepReadsRecordsWarning):
        model.fit(X, X[:, 0])
    assert list(reading_steps(model)) == ["transformer"]
    assert pipeline_guarantee(model).status == "nominal"
    halved = TransformedTargetRegressor(inner(), func=np.arctan, inverse_func=np.tan)
    model = make_pipeline(BoundedScaler(bounds=(-3, 3)), halved).fit(X, X[:, 0])
    assert pipeline_guarantee(model).status == "proved"


def test_private_steps_are_added_up():
    model = make_pipeline(DPGMLVQ(epsilon=1.0, bounds=(-3, 3), expected_n=40, classes=[0, 1], epochs=1,
                                  sample_rate=1.0), private(epsilon=2.0)).fit(X, Y)  # fmt: skip
    whole = pipeline_guarantee(model)
    assert whole.epsilon == pytest.approx(3.0)
    assert whole.delta == pytest.approx(2e-5)
    assert whole.status == "proved_under_assumption"
    inside = TransformedTargetRegressor(model)
    assert (
        pipeline_guarantee(make_pipeline(BoundedScaler(bounds=(-3, 3)), inside).fit(X, Y)).epsilon
        == whole.epsilon
    )
    mixed = make_pipeline(DPGMLVQ(bounds=(-3, 3), expected_n=40, classes=[0, 1], epochs=1, sample_rate=1.0),
                          private(neighbouring="replace_one")).fit(X, Y)  # fmt: skip
    with pytest.raises(ValueError, match="neighbouring"):
        pipeline_guarantee(mixed)


def test_steps_after_which_nobody_promises_anything():
    with pytest.raises(ValueError, match="LogisticRegression"):
        pipeline_guarantee(make_pipeline(BoundedScaler(), LogisticRegression()).fit(X, Y))
    with pytest.raises(NotFittedError, match="DPGLVQ"):
        pipeline_guarantee(make_pipeline(BoundedScaler(), private()))
    with pytest.raises(ValueError, match="give a sklearn"):
        reading_steps(private())


def test_a_step_within_an_earlier_step_is_not_blamed_for_the_later_ones():
    """While an earlier step is fitted, what comes after it has read nothing."""
    inner = DPGMLVQ(bounds=(-3, 3), expected_n=40, classes=[0, 1], epochs=1, sample_rate=1.0)
    with pytest.warns(StepReadsRecordsWarning) as found:
        model = make_pipeline(inner, StandardScaler(), private()).fit(X, Y)
    assert [("DPGLVQ" in str(one.message)) for one in found] == [True]
    assert model[0].privacy_.status == "proved"


def test_a_budget_keeps_the_nominal_status():
    with BudgetAccountant(9.0, 1e-4) as account, pytest.warns(StepReadsRecordsWarning):
        make_pipeline(StandardScaler(), private()).fit(X, Y)
    assert account.privacy.status == "nominal"


def test_every_guarantee_names_earlier_steps():
    for model in (private(), ObjectivePerturbationClassifier(bounds=(-3, 3), classes=[0, 1])):
        assert any("scaler" in one for one in model.fit(X, Y).privacy_.not_protected)


def test_a_warning_that_is_an_error_leaves_no_model():
    model = make_pipeline(StandardScaler(), private())
    with pytest.raises(StepReadsRecordsWarning):
        model.fit(X, Y)
    assert not hasattr(model[-1], "privacy_")
