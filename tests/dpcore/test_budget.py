"""The budget of several fits: what it adds up, what it refuses, and that nothing escapes it."""

import copy
import math
import pickle
import threading
import warnings

import dp_accounting
import joblib
import numpy as np
import pytest
from dp_accounting import pld as google_pld
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline

from dpcore import BoundedScaler, BudgetAccountant, BudgetError, Guarantee, RepeatedFitsWarning
from dpcore.accounting import GaussianEvent, LaplaceEvent, Pure, spent
from dpcore.budget import FIXED_BEFOREHAND
from dpcore.guarantee import from_event
from dpcore.kahm import CentralClassMean, KAHMClassifier, WideDeepKAHM
from dpcore.lvq import DPGLVQ
from dpcore.mechanisms import Laplace
from dpcore.regression import FunctionalMechanismRegression, SufficientStatisticsRegression
from tests.dpcore import test_private_estimators as private

ENTRIES = copy.deepcopy(private.ENTRIES)  # some tests of those change parameters of an estimator
X = np.linspace(-1, 1, 200)[:, None]
Y = 0.5 * X[:, 0]
ENDS = {"bounds": (-1, 1), "target_bounds": (-1, 1)}
pytestmark = pytest.mark.filterwarnings("ignore::dpcore.kahm.FewRecordsWarning")


def gaussian(epsilon=1.0, **options):
    return SufficientStatisticsRegression(epsilon=epsilon, **ENDS, **options)


def pure(epsilon=1.0):
    return FunctionalMechanismRegression(epsilon=epsilon, **ENDS)


class Untouchable:
    """Records whose shape alone may be asked for."""

    shape = (200, 1)

    def __array__(self, *words, **named):
        raise AssertionError("records were read")

    def __len__(self):
        raise AssertionError("records were read")


@pytest.mark.parametrize("name", list(ENTRIES))
def test_the_cost_that_is_planned_is_the_cost_of_the_fit(name):
    entry = ENTRIES[name]
    model = entry.fit(entry.data[0])
    planned = entry.make()._planned(*entry.data[0][0].shape)
    for field in ("epsilon", "delta", "neighbouring", "status", "event", "unit", "noise_gap"):
        assert getattr(planned, field) == getattr(model.privacy_, field), field


@pytest.mark.parametrize("name", list(ENTRIES))
def test_a_refused_fit_reads_no_record_draws_nothing_and_is_not_charged(name):
    entry = ENTRIES[name]
    rng = np.random.default_rng(0)
    model, before = entry.make(rng), rng.bit_generator.state
    with BudgetAccountant(0.01, 1e-6) as account, pytest.raises(BudgetError, match="is refused"):
        model.fit(Untouchable(), Untouchable())
    assert rng.bit_generator.state == before
    assert (account.spent, account.releases) == (0.0, ())
    assert not hasattr(model, "privacy_")


@pytest.mark.parametrize("name", list(ENTRIES))
def test_one_fit_costs_what_it_states(name):
    entry = ENTRIES[name]
    stated = entry.fit(entry.data[0]).privacy_
    with BudgetAccountant(stated.epsilon, stated.delta) as account:
        entry.fit(entry.data[0])
    least = stated.epsilon
    if stated.event is not None and stated.delta > 0:  # start and steps of one fit may be added up
        least = min(least, spent(stated.event, stated.delta, neighbouring=stated.neighbouring))
    assert least * (1 - 1e-6) <= account.spent <= stated.epsilon
    assert (account.privacy.neighbouring, account.privacy.status) == (
        stated.neighbouring,
        stated.status,
    )
    assert account.remaining == stated.epsilon - account.spent
    with account, pytest.raises(BudgetError):
        entry.fit(entry.data[0])


def google(sigmas, laplaces, delta):
    accountant = google_pld.PLDAccountant(dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE)
    for sigma in sigmas:
        accountant.compose(dp_accounting.GaussianDpEvent(sigma))
    for scale in laplaces:
        accountant.compose(dp_accounting.LaplaceDpEvent(scale))
    return accountant.get_epsilon(delta)


@pytest.mark.parametrize("seed", range(6))
def test_the_sum_is_not_below_that_of_dp_accounting_and_hardly_above(seed):
    rng = np.random.default_rng(seed)
    sigmas, laplaces = rng.uniform(1, 8, rng.integers(1, 5)), rng.uniform(2, 9, rng.integers(0, 4))
    how = {"neighbouring": "add_remove", "argument": "Noise."}
    account = BudgetAccountant(math.inf, 1e-5)
    for sigma in sigmas:
        account.spend(from_event(GaussianEvent(sigma), 1e-6, **how))
    for scale in laplaces:
        account.spend(from_event(LaplaceEvent(scale), 0.0, **how))
    known = google(sigmas, laplaces, 1e-5)
    assert account.spent >= known * 0.995  # theirs rounds up on a grid of 1e-4
    assert account.spent <= known * 1.005


def test_many_fits_cost_less_than_their_sum_and_one_assumption_more():
    with BudgetAccountant(3.0, 1e-5) as account:
        for _ in range(6):
            gaussian().fit(X, Y)
        event = gaussian()._planned(200, 1).event
        composed = account.privacy
        assert composed.epsilon == pytest.approx(math.sqrt(6), rel=0.2)
        assert composed.epsilon < 6
        assert composed.status == "proved_under_assumption"
        assert FIXED_BEFOREHAND in composed.assumptions
        assert "composed" in composed.argument
        with pytest.raises(BudgetError, match="would cost ε = "):
            gaussian(2.5).fit(X, Y)
    assert account.spent == spent(account.privacy.event, 1e-5, neighbouring="replace_one")
    assert event in account.privacy.event.events


def test_where_settings_may_depend_on_results_only_sums_count():
    with BudgetAccountant(3.0, 3e-5, adaptive=True) as account:
        for _ in range(3):
            gaussian().fit(X, Y)
        with pytest.raises(BudgetError, match="the δ of all releases, 4e-05, would exceed"):
            gaussian(1e-3).fit(X, Y)
    assert (account.spent, account.privacy.delta) == (3.0, pytest.approx(3e-5))
    assert account.privacy.status == "proved"
    assert "basic composition" in account.privacy.argument


def test_without_delta_only_pure_releases_fit():
    with BudgetAccountant(2.0) as account:
        pure(1.5).fit(X, Y)
        with pytest.raises(BudgetError, match="the δ of all releases, 1e-05, would exceed δ = 0"):
            gaussian(0.1).fit(X, Y)
        pure(0.5).fit(X, Y)
        with pytest.raises(BudgetError):
            pure(1e-6).fit(X, Y)
    assert (account.spent, account.privacy.delta, account.remaining) == (2.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "infinite", [pure(math.inf), KAHMClassifier(), WideDeepKAHM(n_components=2)]
)
def test_a_fit_without_noise_needs_an_infinite_budget(infinite):
    classes = (X[:, 0] > 0).astype(int)
    with BudgetAccountant(1e9, 0.5) as account, pytest.raises(BudgetError, match="ε = inf"):
        infinite.fit(X, classes)
    assert account.releases == ()
    with BudgetAccountant(math.inf) as account:
        clone(infinite).fit(X, classes)
        pure().fit(X, Y)
    assert (account.spent, account.remaining) == (math.inf, 0.0)


def test_a_fit_that_fails_after_it_began_is_charged():
    with BudgetAccountant(2.0) as account:
        with pytest.raises(ValueError, match="NaN"):
            pure().fit(np.full((200, 1), np.nan), Y)
        assert account.spent == 1.0
        with pytest.raises(ValueError, match="epsilon=-1"):
            pure(-1.0).fit(X, Y)
        with pytest.raises(ValueError, match="X of shape"):
            pure().fit(X[:, 0], Y)
        assert account.spent == 1.0
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(UserWarning, match="random_state"):
                pure().set_params(random_state=3).fit(X, Y)
    assert account.spent == 2.0


@pytest.mark.parametrize("state", [7, np.random.default_rng(7), np.random.RandomState(7)])
def test_the_same_noise_is_not_drawn_twice(state):
    model = gaussian(0.1, random_state=state)
    twin = clone(model)
    with BudgetAccountant(1.0, 1e-5) as account:
        model.fit(X, Y)
        with pytest.raises(BudgetError, match="random_state was used by an earlier fit"):
            twin.fit(X, -Y)
        if not isinstance(state, int):
            model.fit(X, Y)  # the generator has moved on
    assert len(account.releases) == 1 + (not isinstance(state, int))
    assert account.privacy.status == "proved_under_assumption"


def test_a_guarantee_for_replaced_records_counts_under_that_relation_only():
    lvq = DPGLVQ(
        epsilon=1.0, bounds=(-1, 1), expected_n=200, classes=[0, 1], sample_rate=0.5, epochs=2
    )
    classes = (X[:, 0] > 0).astype(int)
    with BudgetAccountant(9.0, 1e-4) as account:
        lvq.fit(X, classes)
        with pytest.raises(BudgetError, match="says nothing about one added or removed"):
            pure().fit(X, Y)
    assert account.privacy.neighbouring == "add_remove"
    with BudgetAccountant(9.0, 1e-4, neighbouring="replace_one") as account:
        lvq.fit(X, classes)
        both = account.spent
        pure().fit(X, Y)
    assert 1 < both <= 2
    assert account.privacy.neighbouring == "replace_one"
    assert both < account.spent <= both + 1


def test_an_epsilon_for_added_records_is_doubled_for_replaced_ones():
    made = from_event(Pure(0.5), 0.0, neighbouring="add_remove", argument="Any.")
    account = BudgetAccountant(9.0, 1e-9, neighbouring="replace_one")
    account.spend(made)
    assert account.spent == pytest.approx(1.0, rel=1e-6)
    account.spend(made)
    assert account.spent == pytest.approx(2.0, rel=1e-3)


def test_an_account_without_events_adds_up():
    account = BudgetAccountant(3.0, 1e-4)
    for _ in range(2):
        account.spend(Guarantee(epsilon=1.0, delta=1e-5, neighbouring="replace_one", status="nominal",
                                argument="A number."))  # fmt: skip
    assert (account.spent, account.privacy.delta) == (2.0, 2e-5)
    assert (account.privacy.status, account.privacy.event) == ("nominal", None)
    for _ in range(4):
        account.spend(Laplace(epsilon=0.1, neighbouring="replace_one").privacy)
    assert account.spent < 2.4
    assert account.privacy.delta == 1e-4


def test_the_end_of_the_noise_generator_is_paid_for():
    kahm = KAHMClassifier(epsilon=1.0, rounds=1, n_components=2)
    classes = (X[:, 0] > 0).astype(int)
    unit = (X + 1) / 2
    each = kahm._planned(*unit.shape).delta
    with BudgetAccountant(9.0, 2.5 * each) as account:
        kahm.fit(unit, classes)
        kahm.fit(unit, classes)
        with pytest.raises(BudgetError, match="δ of all"):
            kahm.fit(unit, classes)
    with BudgetAccountant(9.0, 1e-5) as account:
        for _ in range(9):
            kahm.fit(unit, classes)
    assert account.spent < 9
    assert account.privacy.noise_gap == pytest.approx(9 * 2.0**-53)


def test_nested_budgets_are_all_charged_or_none():
    with BudgetAccountant(2.0) as outer:
        with BudgetAccountant(1.0) as first:
            pure().fit(X, Y)
            with pytest.raises(BudgetError):
                pure(0.5).fit(X, Y)
        with BudgetAccountant(5.0) as second:
            pure(0.5).fit(X, Y)
            with pytest.raises(BudgetError):
                pure(1.0).fit(X, Y)
            with second:  # entered twice, charged once
                pure(0.5).fit(X, Y)
    assert (outer.spent, first.spent, second.spent) == (2.0, 1.0, 1.0)
    pure().fit(X, Y)  # outside: free
    assert outer.spent == 2.0
    assert not any(one.is_open for one in (outer, first, second))


def test_a_budget_holds_over_several_blocks():
    account = BudgetAccountant(1.0)
    for _ in range(2):
        with account:
            pure(0.5).fit(X, Y)
    with account, pytest.raises(BudgetError):
        pure(0.1).fit(X, Y)
    assert [part.epsilon for part in account.releases] == [0.5, 0.5]
    assert account.releases[0].name == "FunctionalMechanismRegression on 1 features"


def in_threads(function, n):
    errors = []

    def guarded():
        try:
            function()
        except BudgetError as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded) for _ in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def test_threads_share_a_budget_and_never_overspend_it():
    account = BudgetAccountant(2.0)

    def enter():
        with account:
            pure(0.25).fit(X, Y)

    assert len(in_threads(enter, 20)) == 12
    assert account.spent == 2.0


def test_copies_and_attached_estimators_are_charged_in_threads_and_others_are_not():
    account = BudgetAccountant(1.0)
    attached, bare = account.attach(pure(0.25)), pure(0.25)
    assert in_threads(lambda: clone(attached).fit(X, Y), 2) == []
    assert account.spent == 0.5
    with account:
        inside = clone(bare)
        assert in_threads(lambda: clone(inside).fit(X, Y), 1) == []
        assert account.spent == 0.75
        in_threads(lambda: pure(0.25).fit(X, Y), 1)
        assert account.spent == 0.75  # as documented
        assert len(in_threads(lambda: clone(inside).fit(X, Y), 3)) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RepeatedFitsWarning)
        assert in_threads(lambda: clone(inside).fit(X, Y), 1) == []  # closed: not charged
    assert account.spent == 1.0
    with pytest.raises(ValueError, match="BoundedScaler has no private estimator"):
        account.attach(BoundedScaler())


def test_a_copy_made_under_two_budgets_is_refused_where_neither_is_active():
    shared = pure(0.25)
    with BudgetAccountant(1.0) as first:
        clone(shared)
        errors = []

        def other():
            with BudgetAccountant(1.0):
                clone(shared)
                errors.extend(in_threads(lambda: clone(shared).fit(X, Y), 1))

        in_threads(other, 1)
    assert "several privacy budgets" in str(errors[0])
    assert first.spent == 0.0


def test_a_copy_in_another_process_is_refused():
    with BudgetAccountant(1.0) as account:
        inside = clone(pure(0.25))
        sent = pickle.loads(pickle.dumps(inside))
        assert copy.deepcopy(inside).fit(X, Y).privacy_.epsilon == 0.25
    assert account.spent == 0.25
    with pytest.raises(BudgetError, match="in another process"):
        sent.fit(X, Y)
    assert pickle.loads(pickle.dumps(inside)).fit(X, Y).privacy_.epsilon == 0.25  # after the block


GRID = {"functionalmechanismregression__split": ["proportional", "equal"]}


def search(**options):
    pipe = make_pipeline(BoundedScaler(bounds=(-1, 1)), pure(0.5))
    return GridSearchCV(pipe, GRID, cv=3, error_score="raise", **options)


def test_a_grid_search_is_counted_with_its_last_fit():
    with BudgetAccountant(3.5) as account:
        search().fit(X, Y)
        assert len(account.releases) == 2 * 3 + 1
    assert account.spent == 3.5
    with BudgetAccountant(3.4) as account, pytest.raises(BudgetError):
        search().fit(X, Y)
    assert account.spent == 3.0


def test_a_grid_search_on_threads_is_counted():
    with BudgetAccountant(9.0) as account, joblib.parallel_config(backend="threading"):
        search(n_jobs=2).fit(X, Y)
    assert len(account.releases) == 7
    attached = BudgetAccountant(9.0)
    with joblib.parallel_config(backend="threading"):
        attached.attach(search(n_jobs=2)).fit(X, Y)
    assert len(attached.releases) == 7


def test_a_cross_validation_on_threads_is_counted_to_its_last_fold():
    with BudgetAccountant(9.0) as account, joblib.parallel_config(backend="threading"):
        cross_validate(pure(0.1), X, Y, cv=12, n_jobs=2, error_score="raise")
    assert len(account.releases) == 12


@pytest.mark.slow
def test_a_grid_search_in_processes_is_refused():
    with BudgetAccountant(9.0) as account, pytest.raises(BudgetError, match="in another process"):
        search(n_jobs=2).fit(X, Y)
    assert account.releases == ()


def test_without_a_budget_a_search_warns_once_and_says_what_it_costs():
    with pytest.warns(RepeatedFitsWarning) as found:
        searched = search().fit(X, Y)
    assert len(found) == 1
    sentence = str(found[0].message)
    assert "the 2 fits together up to ε = 1, δ = 0" in sentence
    assert "BudgetAccountant" in sentence
    privacy = searched.best_estimator_[-1].privacy_
    assert (privacy.epsilon, privacy.status) == (0.5, "proved")
    assert any("fits of the 8 copies of this estimator" in one for one in privacy.not_protected)


def test_one_copy_and_fits_without_copies_are_not_warned_of():
    model = pure()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X, Y).fit(X, Y)
        alone = clone(model).fit(X, Y)
    assert not any("copies" in one for one in alone.privacy_.not_protected)


def test_a_fit_after_a_cross_validation_is_one_of_its_fits():
    model = pure()
    with pytest.warns(RepeatedFitsWarning):
        cross_validate(model, X, Y, cv=3)
    assert any("the 3 copies" in one for one in model.fit(X, Y).privacy_.not_protected)


def test_a_copy_that_travelled_is_warned_of_at_its_first_fit():
    model = pure()
    clone(model)
    sent = pickle.loads(pickle.dumps(clone(model)))
    with pytest.warns(RepeatedFitsWarning, match="The fits of copies"):
        sent.fit(X, Y)


@pytest.mark.parametrize(
    ("words", "named"),
    [((0.0,), {}), ((-1,), {}), ((math.nan,), {}), (("1",), {}), ((1.0, 1.0), {}), ((1.0, -1e-9), {}),
     ((1.0,), {"neighbouring": "both"})],
)  # fmt: skip
def test_a_bad_budget_is_named(words, named):
    with pytest.raises(ValueError, match="is not allowed"):
        BudgetAccountant(*words, **named)


def test_nothing_spent_is_nothing_released():
    account = BudgetAccountant(1.0, 1e-5)
    assert (account.spent, account.remaining, account.privacy.argument) == (
        0.0,
        1.0,
        "Nothing was released.",
    )
    assert repr(account) == "<BudgetAccountant: ε = 0 of 1 spent at δ = 1e-05, 0 releases>"


def test_releases_of_one_unit_are_said_to_count_for_it():
    with BudgetAccountant(4.0, 1e-5) as account:
        CentralClassMean(epsilon=1.0).fit((X + 1) / 2, (X[:, 0] > 0).astype(int))
        pure(0.5).fit(X, Y)
    total = account.privacy
    assert any("label of every record" in one for one in total.public)
    assert [part.epsilon for part in total.parts] == [1.0, 0.5]
    assert "2 releases" in total._repr_html_()
