"""Choose ε: what a method's own noise costs in several results, and what the best known attack makes of it."""

import numpy as np
import pytest
from dp_accounting import dp_event
from dp_accounting.pld import privacy_loss_distribution as library
from scipy.stats import norm

from dpcore import accounting
from dpcore.accounting import GaussianEvent, LaplaceEvent, Repeated, spent
from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, releases
from dpcore.experiments.choose.releases import COUNTS, ONES, laplace_table
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.mechanisms import gaussian_sigma
from dpcore.regression import sensitivity

DELTA, ONE = 1e-5, EPSILON_GRID.index(1.0)
ALL = [("iris", name) for name in choose.CLASSIFIERS] + [
    ("diabetes", name) for name in choose.REGRESSORS
]


def account_of(dataset, method, k):
    event = choose.method_event(choose.named_problem(dataset), method, 1.0, DELTA)
    return spent(Repeated(event, k), DELTA, neighbouring="replace_one")


@pytest.mark.parametrize(("dataset", "method"), ALL)
def test_one_result_of_every_method_costs_what_is_asked(dataset, method):
    assert 0.995 <= account_of(dataset, method, 1) <= 1.0 + 1e-9


@pytest.mark.parametrize(("method", "cost"), [("joint", 11.963), ("gaussian", 4.020)])
def test_twelve_results_cost_what_their_own_noise_does(method, cost):
    """Twelve Laplace results of ε = 1 cost 11.96 at δ = 1e-5, not the 4.02 of Gaussian ones."""
    problem = choose.named_problem("diabetes")
    found = choose.together(problem, [method] * 50, DELTA, [1, 12])[:, ONE]
    assert found == pytest.approx([1.0, cost], rel=1e-3)
    assert account_of("diabetes", method, 12) == pytest.approx(cost, rel=1e-3)
    params = ChooseParams(dataset="diabetes")
    promise = choose.guarantee(params, problem, method)
    assert promise.repeated(12).epsilon == pytest.approx(cost, rel=1e-3)
    if method == "joint":
        mechanism = dp_event.SelfComposedDpEvent(dp_event.LaplaceDpEvent(1.0), 12)
        exact = library.from_laplace_mechanism(1.0).self_compose(mechanism.count)
        assert exact.get_epsilon_for_delta(DELTA) == pytest.approx(cost, rel=1e-3)


def test_the_table_of_laplace_results_is_the_account_rounded_up():
    rng = np.random.default_rng(0)
    for _ in range(60):
        d, k, one = (
            rng.integers(len(DELTA_GRID)),
            rng.integers(len(COUNTS)),
            rng.integers(len(ONES)),
        )
        exact = spent(Repeated(LaplaceEvent(1 / ONES[one]), COUNTS[k]), DELTA_GRID[d])
        assert exact <= laplace_table()[d, k, one] <= exact * (1 + 1e-6)


@pytest.mark.parametrize("method", ["joint", "gaussian"])
def test_so_much_may_each_cost_that_all_cost_no_more_than_is_asked(method):
    problem, rng = choose.named_problem("diabetes"), np.random.default_rng(1)
    for _ in range(12):
        delta = DELTA_GRID[rng.integers(len(DELTA_GRID))]
        k, at = int(rng.choice(COUNTS)), rng.integers(50)
        each = choose.each_may_cost(problem, [method] * 50, delta, [k])[0, at]
        one = (
            LaplaceEvent(1 / each)
            if method == "joint"
            else GaussianEvent(gaussian_sigma(1.0, each, delta=delta))
        )
        total = spent(Repeated(one, k), delta)
        assert 0.99 * EPSILON_GRID[at] <= total <= EPSILON_GRID[at] * (1 + 1e-4)


@pytest.mark.parametrize("parts", [(0.5, 0.5), (0.9, 0.1), (0.2,) * 5, (2.0, 1.0, 1.0), (6.0, 2.0)])
def test_a_vector_of_laplace_noises_is_dominated_by_one_at_the_sum_of_its_shifts(parts):
    width = 1e-4 if sum(parts) <= 1 else 1e-3
    made = library.identity(value_discretization_interval=width)
    for shift in parts:
        made = made.compose(
            library.from_laplace_mechanism(1 / shift, value_discretization_interval=width)
        )
    epsilons = np.linspace(0, sum(parts), 40)
    one = -np.expm1((epsilons - sum(parts)) / 2)
    slack = 2 * len(parts) * width  # the composed one is rounded up
    assert (np.array([made.get_delta_for_epsilon(float(e)) for e in epsilons]) <= one + slack).all()


def test_the_best_attack_is_that_of_the_methods_own_noise():
    """55.3 in 100 is Gaussian noise alone; one number with Laplace noise gives 69.7, four values of hulls 59."""
    iris = choose.named_problem("iris")
    found = {name: choose.best_attack(iris, [name] * 50, DELTA)[ONE] for name in iris.methods}
    assert found["softmax"] == pytest.approx(0.5533, abs=2e-4)
    assert found["generator"] < found["softmax"] < found["hulls"]
    one = releases._right_on({1.0: 1})
    assert one == pytest.approx(1 - np.exp(-0.5) / 2, abs=1e-4)
    element = choose.element_epsilon(1.0, 4, DELTA)
    rng = np.random.default_rng(2)  # 400,000 draws: six standard errors are below 0.005
    noise = rng.laplace(scale=1 / element, size=(400_000, 4))
    score = (np.abs(noise - 1) - np.abs(noise)).sum(axis=1).round(9)  # ties are decided by a coin
    right = (score > 0).mean() + (score == 0).mean() / 2
    assert found["hulls"] == pytest.approx(right, abs=0.005)


def test_noisy_sums_are_attacked_by_two_known_records_and_never_beyond_their_noise():
    diabetes = choose.named_problem("diabetes")
    found = {name: choose.best_attack(diabetes, [name] * 50, DELTA) for name in diabetes.methods}
    assert np.isnan(found["output"]).all()  # no pair is known that moves the solution by its bound
    ceiling = norm.cdf(0.5 / gaussian_sigma(1.0, 1.0, delta=DELTA))
    for name in ("gaussian", "adassp", "descent"):
        assert 0.5 < found[name][ONE] <= ceiling + 1e-4
    assert 0.5 < found["joint"][ONE] < 1 - np.exp(-0.5) / 2
    promise = choose.guarantee(ChooseParams(dataset="diabetes", delta=DELTA), diabetes)
    most = np.array([one.accuracy_bound() for one in promise.tabulated(EPSILON_GRID)])
    for name in ("joint", "gaussian"):
        assert (np.diff(found[name]) >= -1e-9).all()
        assert (found[name] <= most).all()


@pytest.mark.parametrize("n_features", [1, 2, 3, 6])
def test_two_records_in_corners_move_the_objective_by_all_that_its_noise_is_made_for(n_features):
    sums = [
        np.abs(A[np.triu_indices(n_features + 1)]).sum() + np.abs(c).sum()
        for A, c in releases._shifts(n_features)
    ]
    assert max(sums) == sensitivity.joint(n_features)


def test_affine_hulls_are_no_candidates_for_the_best_method():
    """They leave every class unprotected: that is another guarantee."""
    problem, params = choose.named_problem("iris"), ChooseParams(dataset="iris")
    errors, losses = np.zeros((3, 13)), np.zeros((13, len(problem.y_test)))
    good = choose.Tried(errors=errors, losses=losses)
    bad = choose.Tried(errors=errors + 0.4, losses=losses + 0.4)
    costs = choose.Costs(tried={"softmax": bad, "hulls": good}, best=0.0, trivial=0.6, whole=True)
    assert set(choose.methods_at(params, problem, costs)) == {"softmax"}
    assert set(choose.methods_at(params.but(method="hulls"), problem, costs)) == {"hulls"}


def test_hulls_cost_together_what_all_their_values_do():
    event = accounting.Repeated(
        choose.method_event(choose.named_problem("iris"), "hulls", 2.0, DELTA), 4
    )
    found = choose.hulls_together(choose.named_problem("iris"), DELTA, 4)
    at = EPSILON_GRID.index(2.0)
    assert found[at] == pytest.approx(spent(event, DELTA, neighbouring="replace_one"))
    assert (
        found[at]
        > choose.together(choose.named_problem("iris"), ["softmax"] * 50, DELTA, [4])[0, at]
    )
