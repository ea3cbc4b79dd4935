"""Choosing the method of an own table: on made-up data that read nothing of it, or charged."""

import math
from dataclasses import replace

import numpy as np
import pytest
from dp_accounting import dp_event
from dp_accounting.rdp import RdpAccountant

from dpcore.accounting import GaussianEvent, LaplaceEvent, rdp
from dpcore.datasets import OwnChoices, own_table, read_csv
from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, costs, selection
from dpcore.experiments.choose.costs import NODES
from dpcore.experiments.grids import EPSILON_GRID
from tests.stopping import Stopped, stop_after

DELTA = 1e-5


def table(seed, task="classification", n=150):
    """A table of one shape, whose cells come from a seed."""
    rng = np.random.default_rng(seed)
    rows = [f"{a},{b},{'ja' if a + rng.integers(40) > 60 else 'nein'},{a + b}"
            for a, b in rng.integers(0, 100, (n, 2))]  # fmt: skip
    target = "kind" if task == "classification" else "score"
    said = OwnChoices(
        task=task, target=target, features=("age", "dose"), public=("n", "classes"),
        bounds={"age": (0.0, 120.0), "dose": (0.0, 100.0), "score": (0.0, 220.0)},
    )  # fmt: skip
    made = own_table(read_csv(("age,dose,kind,score\n" + "\n".join(rows)).encode()), said)
    return choose.Problem(made.data, made.groups, made)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_made_up_data_read_nothing_of_the_table_but_what_was_declared(task):
    """Two tables with other cells and the same declared facts: the same records, bit for bit."""
    first, rng = table(1, task), np.random.default_rng(2)
    data = first.dataset
    parts = {"X": data.X, "y": data.y, "X_test": data.X_test, "y_test": data.y_test}
    second = choose.Problem(
        replace(data, **{key: rng.permutation(part) for key, part in parts.items()})
    )
    for k in range(choose.N_LOOKALIKES):
        one, other = (choose.lookalike(problem, k).dataset for problem in (first, second))
        for name in (*parts, "low", "high"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name
    made = choose.lookalike(first, 0)
    assert made.is_synthetic
    assert made.n_samples == first.n_samples
    data = made.dataset
    assert (data.low <= data.X).all()
    assert (data.high >= data.X).all()
    assert made.best < 0.8 * made.trivial  # there is something to learn


def test_the_method_of_an_own_table_is_the_one_that_is_best_on_made_up_data(monkeypatch):
    """Losses of the table itself do not decide: where they are turned over, the method stays."""
    problem, params = table(3), ChooseParams(dataset="own")
    found = next(choose.grow(problem, params))
    real = costs.one_draw

    def turned(one, *arguments):
        losses = real(one, *arguments)
        return losses if one.is_synthetic else 1 - losses

    monkeypatch.setattr(costs, "one_draw", turned)
    other = next(choose.grow(problem, params))
    assert found.fixed == other.fixed
    assert choose.methods_at(params, problem, found) == list(found.fixed)
    assert not np.array_equal(found.medians(), other.medians())
    public = next(choose.grow(choose.named_problem("iris"), ChooseParams(dataset="iris")))
    assert public.fixed is None


def test_a_first_look_tries_each_quick_method_once_and_then_all_on_every_made_up_table():
    choice = costs._Choice(table(4), DELTA, lambda: None)
    choice.go_on(["softmax", "generator"], quick=True)
    assert [len(one) for one in choice._errors.values()] == [1, 1]
    choice.go_on(["glvq"], quick=False)
    assert [len(one) for one in choice._errors.values()] == [choose.N_LOOKALIKES] * 3
    with pytest.raises(Stopped):
        costs._Choice(table(4), DELTA, stop_after(2)).go_on(["softmax"], quick=False)


def test_what_is_not_covered_names_the_choice_of_the_method():
    problem = table(5)
    best, named = ChooseParams(dataset="own"), ChooseParams(dataset="own", method="glvq")
    said = choose.guarantee(named, problem, "glvq").not_protected
    assert any("choice of the method" in one for one in said)
    before = choose.guarantee(named.but(beforehand="yes"), problem, "glvq")
    assert not any("choice of the method" in one for one in before.not_protected)
    assert any("fixed before any result" in one for one in before.assumptions)
    chosen = choose.guarantee(best, problem, "glvq")
    assert "chosen on made-up data" in chosen.argument
    assert not any("choice of the method" in one for one in chosen.not_protected)


@pytest.mark.parametrize(
    "run", [GaussianEvent(3.73), GaussianEvent(0.5), LaplaceEvent(1.0), LaplaceEvent(0.2)]
)
def test_the_best_of_several_runs_costs_what_the_theorem_says(run):
    """Against another implementation of Papernot and Steinke 2022, Theorem 2, at the same orders."""
    theirs = (
        dp_event.GaussianDpEvent(run.noise_multiplier) if isinstance(run, GaussianEvent)
        else dp_event.LaplaceDpEvent(run.noise_multiplier)
    )  # fmt: skip
    accountant = RdpAccountant(orders=rdp.ORDERS.tolist())
    accountant.compose(dp_event.RepeatAndSelectDpEvent(theirs, selection.MEAN_RUNS, 0.0))
    ours = rdp.to_epsilon(selection.selected_rdp(rdp.curve(run), selection.MEAN_RUNS), DELTA)
    assert float(ours) == pytest.approx(accountant.get_epsilon(DELTA), rel=1e-3)


def test_so_many_runs_are_drawn_as_the_account_is_about():
    gamma = math.exp(selection._log_gamma(selection.MEAN_RUNS))
    runs = np.random.default_rng(0).logseries(1 - gamma, 400_000)
    # The standard deviation is about 25: six standard errors are below 0.25.
    assert runs.mean() == pytest.approx(selection.MEAN_RUNS, abs=0.25)


def test_a_charged_choice_costs_about_twice_and_never_less_than_a_run():
    iris, diabetes = (choose.named_problem(name) for name in ("iris", "diabetes"))
    for problem, names in ((iris, ["softmax", "glvq"]), (diabetes, ["joint"])):
        for epsilon in (0.1, 1.0, 5.0):
            total = choose.charged_epsilon(problem, names, epsilon, DELTA)
            assert epsilon < total <= 2.6 * epsilon
            assert choose.charged_epsilon(problem, names, epsilon, DELTA, 12) > total
    assert choose.charged_epsilon(diabetes, ["joint"], 1.0, DELTA) <= 2.0  # pure: 2ε
    with pytest.raises(ValueError, match="protects the class"):
        choose.charged_epsilon(iris, ["hulls"], 1.0, DELTA)


def test_what_is_left_for_a_run_costs_no_more_than_is_asked_once_it_is_chosen():
    problem, params = choose.named_problem("iris"), ChooseParams(dataset="iris", epsilon=2.0)
    found = next(choose.grow(problem, params))
    price = choose.charged_choice(problem, params, found)
    names = [name for name in found.tried if name != "hulls"]
    assert price.total > 2.0
    assert 1.98 < choose.charged_epsilon(problem, names, price.run, DELTA) <= 2.0
    assert price.error.low <= price.error.value <= price.error.high
    every = np.concatenate(
        [one.errors[:, NODES.index(0.7) :].ravel() for one in found.tried.values()]
    )
    assert every.min() <= price.error.value <= every.max()
    tiny = choose.charged_choice(problem, params.but(epsilon=EPSILON_GRID[0]), found)
    assert tiny.error is None
