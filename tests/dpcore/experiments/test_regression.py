"""The regression experiment: what is drawn is what single runs give, limits, splits, promises."""

import numpy as np
import pytest

import dpcore.regression as models
from dpcore.datasets import DataError, own_regression, read_csv
from dpcore.experiments import regression
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression import METHODS, Problem, RegressionParams
from dpcore.experiments.regression.fits import PIECE
from dpcore.regression import Bounds, sufficient_statistics

PRINTED = RegressionParams(
    dataset="synth1d", seed=0, method="printed", repair="none", n_samples=200
)
SMALL = RegressionParams(dataset="synth1d", seed=0, n_samples=400, n_features=2)
DIABETES = RegressionParams(dataset="diabetes", n_features=10, n_samples=800)
AT = EPSILON_GRID.index(1.0)


def test_sums_of_a_choice_are_those_of_the_chosen_rows_and_columns():
    problem = regression.problem_of(DIABETES)
    params = DIABETES.but(n_features=3, n_samples=200, feature=4)
    setting, data = problem.setting(params), problem.dataset
    rows = list(setting.columns)
    assert (len(rows), setting.n_samples) == (3, 200)
    assert rows[0] == problem.order[3]
    bounds = Bounds(low=data.low[rows], high=data.high[rows], target_low=0, target_high=400)
    alone = sufficient_statistics(data.X[:200, rows], data.y[:200], bounds=bounds)
    np.testing.assert_allclose(setting.train.quadratic, alone.quadratic, atol=1e-9)
    np.testing.assert_allclose(setting.train.linear, alone.linear, atol=1e-9)
    assert problem.size(params.but(n_samples=296_000)) == 353


@pytest.mark.parametrize("method", METHODS)
def test_what_is_drawn_is_what_a_single_run_gives(method):
    params = SMALL.but(method=method, repair="floor1", split="error", epsilon=1.0)
    setting = regression.problem_of(params).setting(params)
    fits = regression.run(params)
    rng, rule = np.random.default_rng([0, 0, 0]), models.Repair(kind="floor", floor=1.0)
    grid = regression.ALL
    one = {
        "printed": lambda: models.functional_mechanism(
            setting.train, grid, n_draws=40, rng=rng, split="error", repair=rule
        ),
        "tight": lambda: models.functional_mechanism(
            setting.train,
            grid,
            n_draws=40,
            rng=rng,
            split="error",
            sensitivities="tight",
            repair=rule,
        ),
        "joint": lambda: models.joint_release(
            setting.train, grid, n_draws=40, rng=rng, repair=rule
        ),
        "gaussian": lambda: models.gaussian_statistics(
            setting.train, grid, delta=1e-5, n_draws=40, rng=rng, repair=rule
        ),
        "adassp": lambda: models.ada_ssp(setting.train, grid, delta=1e-5, n_draws=40, rng=rng),
        "output": lambda: models.output_perturbation(
            setting.train, grid, delta=1e-5, n_draws=40, rng=rng
        ),
        "descent": lambda: models.gradient_descent(
            *setting.scaled(), epsilon=grid, delta=1e-5, n_draws=40, rng=rng
        ),
    }[method]()
    np.testing.assert_allclose(fits.coefficients, one.coefficients[:, :-1], rtol=1e-9)
    np.testing.assert_allclose(fits.ideal, one.coefficients[0, -1], rtol=1e-9)
    np.testing.assert_allclose(fits.test[3, AT], setting.test.mse(fits.coefficients[3, AT]))


def test_fewer_draws_while_dragging_are_the_first_ones():
    params = SMALL.but(repair="floor2")
    setting = regression.problem_of(params).setting(params)
    whole, some = (
        regression.draw(setting.train, params, setting, keep=keep)[0] for keep in (40, 20)
    )
    np.testing.assert_allclose(some, whole[:20], rtol=1e-9)
    found = regression.objective(setting, params, 20)
    np.testing.assert_allclose(
        found.curvature, regression.objective(setting, params).curvature[:20]
    )


@pytest.mark.parametrize("method", METHODS)
def test_errors_fall_with_epsilon_to_the_methods_own_price(method):
    params = SMALL.but(method=method, repair="floor1", n_samples=6400)
    if regression.is_heavy(regression.problem_of(params).setting(params), params):
        params = params.but(n_samples=400)
    fits = regression.run(params)
    middle = fits.quantiles()[1]
    assert middle[0] > middle[-1]
    assert middle[-1] == pytest.approx(fits.ideal_test, rel=0.3)
    assert fits.best_train <= fits.ideal_train + 1e-12
    free = {"output", "descent"}
    assert (fits.ideal_test == pytest.approx(fits.best_test, rel=1e-9)) == (method not in free)


def test_printed_objectives_lose_their_minimum_as_the_sheet_measured():
    """P(not PD): diabetes 1.00; synthetic census about 0.53 at ε = 0.1 and 0 from 0.3 on."""
    share = regression.run(DIABETES.but(method="printed", repair="none")).indefinite.mean(0)
    assert share[EPSILON_GRID.index(10.0)] == 1.0
    census = PRINTED.but(dataset="census_synthetic", n_features=13, n_samples=296_000)
    share = regression.run(census).indefinite.mean(0)
    assert 0.25 < share[EPSILON_GRID.index(0.1)] < 0.8
    assert share[EPSILON_GRID.index(0.3)] == 0.0


def test_with_one_feature_the_lowest_place_of_a_parabola_is_the_fit():
    params = PRINTED.but(n_samples=200)
    setting, fits = regression.problem_of(params).setting(params), regression.run(params)
    found = regression.objective(setting, params)
    np.testing.assert_allclose(found.slope / found.curvature, fits.coefficients[..., 1], rtol=1e-6)
    np.testing.assert_allclose(found.point, fits.coefficients[0], rtol=1e-6)
    assert ((found.lowest <= 0) == fits.indefinite).all()
    assert (fits.indefinite[found.curvature <= 0]).all()


@pytest.mark.parametrize("repair", ["trim", "floor1", "floor2"])
@pytest.mark.parametrize("dataset", ["synth1d", "diabetes"])
def test_the_repaired_valley_is_around_the_repaired_fit(repair, dataset):
    d = 1 if dataset == "synth1d" else 3
    params = RegressionParams(dataset=dataset, n_features=d, n_samples=200, repair=repair)
    setting, fits = regression.problem_of(params).setting(params), regression.run(params)
    found = regression.objective(setting, params)
    np.testing.assert_allclose(found.fixed_point, fits.coefficients[0, :, :2], atol=2e-4, rtol=2e-4)
    assert (np.linalg.eigvalsh(found.fixed_matrix) > 0).all()


def test_methods_without_a_noisy_objective_have_none():
    for method in ("adassp", "output", "descent"):
        params = SMALL.but(method=method)
        assert regression.objective(regression.problem_of(params).setting(params), params) is None


@pytest.mark.parametrize("values", [(2.0, 0.5), (1.0, -0.4), (-0.3, -0.2)])
def test_contours_lie_at_their_levels(values):
    turn = np.array([[0.8, -0.6], [0.6, 0.8]])
    matrix = (turn @ np.diag(values) @ turn.T)[None]
    point = np.array([[0.1, 0.6]])
    for sign, curve in zip((1, -1), regression.level_curves(matrix, point), strict=True):
        inside = curve[0] - point
        height = sign * np.einsum("pi,ij,pj->p", inside, matrix[0], inside)
        drawn = height[np.isfinite(height)]
        assert len(drawn) == (6 * PIECE if any(sign * v > 0 for v in values) else 0)
        levels = np.repeat([0.01, 0.05, 0.15], 2 * PIECE)[: len(drawn)]
        np.testing.assert_allclose(drawn, levels, rtol=1e-6)


def test_splits_by_formula_agree_with_trials():
    params = RegressionParams(dataset="census_synthetic", n_features=13, n_samples=296_000)
    setting = regression.problem_of(params).setting(params)
    found = regression.shares(setting, params)
    assert found.marks["proportional"] == pytest.approx(0.875)
    assert found.marks["variance"] == pytest.approx(0.89816, abs=1e-5)
    assert found.marks["error"] == pytest.approx(0.8531, abs=1e-4)
    line = np.interp(regression.TRIED, regression.SHARES, found.variance)
    np.testing.assert_allclose(found.tried_variance[2:10], line[2:10], rtol=0.1)
    assert regression.SHARES[found.variance.argmin()] == pytest.approx(0.898, abs=0.02)
    assert regression.SHARES[found.excess[AT].argmin()] == pytest.approx(found.least, abs=0.02)


def test_expected_excess_is_what_draws_give_where_noise_is_small():
    params = PRINTED.but(n_features=2, n_samples=51_200)
    problem = regression.problem_of(params)
    setting = problem.setting(params)
    at = EPSILON_GRID.index(10.0)
    excess = np.concatenate(
        [
            regression.gathered(
                setting, *regression.draw(setting.train, params, setting, block=block)
            ).train[:, at]
            for block in range(40)
        ]
    )
    expected = regression.shares(setting, params).excess[at]
    share = regression.shares(setting, params).marks["proportional"]
    wanted = np.interp(share, regression.SHARES, expected)
    best = float(setting.train.mse(setting.best))
    assert excess.mean() - best == pytest.approx(wanted, rel=0.15)


def test_comparison_is_that_of_single_runs():
    params = SMALL.but(repair="floor2")
    setting = regression.problem_of(params).setting(params)
    stages = list(regression.compare(setting, params))
    assert [part for _, part in stages] == sorted(part for _, part in stages)
    found, done = stages[-1]
    assert done == 1.0
    assert set(found.test) == set(METHODS)
    first = stages[0][0]
    alone = regression.run(params.but(method="joint")).quantiles()
    np.testing.assert_allclose(first.test["joint"], alone)
    assert set(found.draws.values()) == {160}


def test_two_worlds_differ_by_one_record_inside_the_bounds():
    params = RegressionParams(
        dataset="synth1d", seed=0, n_samples=30, person_dy=-2.0, person_dx=2.0
    )
    setting, fits = regression.problem_of(params).setting(params), regression.run(params)
    found = regression.neighbouring_runs(setting, params, fits.coefficients)
    assert (np.abs(found.away) <= 1).all()
    X, y = (part.copy() for part in setting.scaled())
    row = int(np.flatnonzero((X[:, 0] == found.home[0]) & (y == found.home[1]))[0])
    X[row, 0], y[row] = found.away
    other = np.linalg.lstsq(np.column_stack([np.ones(30), X]), y, rcond=None)[0]
    np.testing.assert_allclose(found.best_there, other, atol=1e-9)
    assert found.here_counts.sum(1) == pytest.approx(np.ones(50))
    assert ((found.guessed >= 0) & (found.guessed <= 1)).all()


@pytest.mark.parametrize("method", METHODS)
def test_the_other_world_has_the_noise_of_the_first(method):
    params = RegressionParams(
        dataset="diabetes", n_samples=100, method=method, person_dx=0.0, person_dy=0.0
    )
    setting, fits = regression.problem_of(params).setting(params), regression.run(params)
    n = len(fits.coefficients)
    same = regression.other_fits(setting, params, n, n)  # nobody has moved
    np.testing.assert_allclose(same.coefficients, fits.coefficients, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(same.ideal, fits.ideal, rtol=1e-6, atol=1e-9)
    other = regression.other_fits(setting, params.but(person_dy=1.0), n, 8)
    assert other.coefficients.shape == (8, *fits.coefficients.shape[1:])
    assert not np.allclose(other.coefficients, fits.coefficients[:8])


def test_a_spy_sees_nothing_beyond_chance_at_a_small_epsilon():
    params = RegressionParams(dataset="synth1d", seed=0, n_samples=30, repair="floor1")
    setting = regression.problem_of(params).setting(params)
    here = regression.draw(setting.train, params, setting, n_draws=400)[0][:, :-1]
    found = regression.neighbouring_runs(setting, params, here)
    bound = 1 / (1 + np.exp(-np.array(EPSILON_GRID)))
    assert (found.guessed <= bound + 4 * 0.5 / np.sqrt(400)).all()
    assert abs(found.guessed[0] - 0.5) < 0.1


def _table(n=60):
    rng = np.random.default_rng(0)
    rows = [f"{a:.3f},{b:.3f},{10 * a + b:.3f}" for a, b in rng.uniform(0, 1, (n, 2))]
    return read_csv(("a,b,y\n" + "\n".join(rows) + "\n").encode())


def test_own_tables():
    data = own_regression(_table(), "y", low=[0, 0], high=[1, 1], target_low=0, target_high=11)
    assert (data.X.shape, data.X_test.shape) == ((48, 2), (12, 2))
    assert data.bounds_status == "declared"
    problem, params = Problem(data), RegressionParams(dataset="own", n_features=20)
    assert regression.run(params, problem).best_test < 1e-3
    assert regression.guarantee(params, problem).status == "proved"
    leaky = Problem(own_regression(_table(), "y", features=["a"], estimate_bounds=True))
    assert regression.guarantee(params, leaky).status == "nominal"
    with pytest.raises(ValueError, match="give problem="):
        regression.run(params)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"high": [1, 0]}, "the lower one first"),
        ({"target_low": 5, "target_high": 5}, "the lower one first"),
        ({"target_low": None}, "Give a lower and an upper bound"),
    ],
)
def test_bad_bounds_of_own_tables_are_named(changes, words):
    given = {"low": [0, 0], "high": [1, 1], "target_low": 0, "target_high": 11} | changes
    with pytest.raises(DataError, match=words):
        own_regression(_table(), "y", **given)
    with pytest.raises(DataError, match="at least 25"):
        own_regression(_table(10), "y", estimate_bounds=True)
