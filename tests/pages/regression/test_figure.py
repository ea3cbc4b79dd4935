"""The arrays of the live figure of the regression page equal the results, and stay small."""

import numpy as np
import pytest

from dpcore.experiments import regression
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression import METHODS, RegressionParams
from pages.regression.figure import figure
from pages.regression.pipeline import PIPELINE
from ui.figure_kit import common
from ui.figure_kit.preview import at_values, instead_of, stack_previews
from ui.live import Figure
from ui.live.depth import Depth
from ui.runner import PageState
from ui.words.numbers import show

AT = EPSILON_GRID.index(0.5)


def known(params, **more):
    problem = regression.problem_of(params)
    setting, fits = problem.setting(params), regression.run(params)
    results = {
        "fits": fits,
        "objective": regression.objective(setting, params),
        "neighbouring_runs": regression.neighbouring_runs(setting, params, fits.coefficients),
        "shares": regression.shares(setting, params),
        **more,
    }
    return PageState(params=params, problem=problem, results=results)


def compared(params):
    setting = regression.problem_of(params).setting(params)
    return list(regression.compare(setting, params))[-1][0]


@pytest.mark.parametrize("method", METHODS)
def test_lines_are_the_predictions_of_the_fits(method):
    params = RegressionParams(
        dataset="diabetes", n_features=3, n_samples=200, method=method, repair="floor2", epsilon=0.5
    )
    state = known(params)
    live_figure, fits, setting = figure(state), state["fits"], state.problem.setting(params)
    centre = setting.centre.copy()
    for place, x in ((0, -1.0), (1, 1.0)):
        centre[1] = x
        wanted = setting.bounds.unscale_target(fits.coefficients[:, AT] @ centre)
        np.testing.assert_allclose(
            live_figure.evaluate("lines_y")[place::3], wanted, rtol=1e-4, atol=1e-2
        )
    assert np.isnan(live_figure.evaluate("lines_y")[2::3]).all()
    assert live_figure.evaluate("loss") == pytest.approx(np.median(fits.test[:, AT]), rel=1e-5)
    loss = live_figure.evaluate("loss") - live_figure.evaluate("best_test")
    prices = live_figure.evaluate("method_price") + live_figure.evaluate("noise_price")
    assert prices == pytest.approx(loss, rel=1e-3, abs=1e-6)


def test_parabolas_and_their_colours():
    params = RegressionParams(n_samples=200, epsilon=0.5, method="printed", repair="none")
    state = known(params)
    live_figure, found = figure(state), state["objective"]
    drawn = live_figure.evaluate("parabolas")
    np.testing.assert_allclose(drawn[:, 0], found.curvature[:, AT], rtol=1e-5)
    np.testing.assert_allclose(drawn[:, 1], found.slope[:, AT], rtol=1e-5)
    assert (drawn[:, 2] == state["fits"].indefinite[:, AT]).all()
    assert 0 < drawn[:, 2].sum() < 40
    assert (live_figure.evaluate("parabola")[0] == drawn[0]).all()


def test_methods_of_the_comparison_are_the_drawn_ones():
    params = RegressionParams(n_samples=200, method="joint", epsilon=0.5)
    found = compared(params)
    live_figure = figure(known(params, comparison=found))
    for name in METHODS:
        low, middle, high = found.test[name][:, AT]
        assert live_figure.evaluate(f"test_{name}_now") == pytest.approx(middle, rel=1e-5)
        np.testing.assert_allclose(
            live_figure.evaluate(f"test_{name}_span"), [low, high], rtol=1e-5
        )


@pytest.fixture(scope="module")
def comparison():
    """Compare all methods, which does not depend on the one that is shown."""
    return compared(RegressionParams(dataset="diabetes", n_features=10, repair="floor1"))


@pytest.mark.parametrize("method", METHODS)
def test_a_lab_travels_in_half_a_megabyte(method, comparison):
    params = RegressionParams(dataset="diabetes", n_features=10, method=method, repair="floor1")
    live_figure = figure(known(params, comparison=comparison))
    once = {array.digest: array.values.nbytes for array in live_figure.arrays.values()}
    assert sum(once.values()) < 500_000  # equal content travels once


def test_the_typical_errors_are_roots_in_the_unit_of_the_target():
    params = RegressionParams(dataset="diabetes", n_samples=200, epsilon=0.5)
    state = known(params)
    live_figure, setting = figure(state), state.problem.setting(params)
    X, y = state.problem.dataset.X_test, state.problem.dataset.y_test
    scaled = setting.bounds.scale(X[:, list(setting.columns)])
    rows = np.column_stack([np.ones(len(scaled)), scaled])
    missed = setting.bounds.unscale_target(rows @ setting.best) - y
    assert live_figure.evaluate("best_off") == pytest.approx(np.sqrt(np.mean(missed**2)), rel=1e-5)
    half = (setting.bounds.target_high - setting.bounds.target_low) / 2
    private = half * np.median(np.sqrt(state["fits"].test[:, AT]))
    assert live_figure.evaluate("private_off") == pytest.approx(private, rel=1e-5)


def test_the_dots_say_how_many_of_all_records_train_the_line():
    for n_samples in (200, 400):
        params = RegressionParams(dataset="diabetes", n_samples=n_samples)
        state = known(params)
        live_figure, data = figure(state), state.problem.dataset
        (fits,) = (panel for panel in live_figure.panels if panel.key == "fits")
        n, whole = state.problem.size(params), len(data.y) + len(data.y_test)
        assert fits.layers[0].label == f"{n} of {whole} patients train the line"
        assert whole == 442


def test_errors_with_and_without_privacy_have_the_same_decimals_and_a_unit():
    shown = figure(known(RegressionParams(dataset="diabetes")))
    slope, best_slope, private = shown.readouts[:3]
    assert private.brief.startswith("score points;")
    best = show(float(shown.evaluate("best_off")), private.format)
    assert shown.read(private)[1].endswith(f"; without privacy {best}")
    for one in (slope, best_slope):
        assert "score points for one more unit of body mass index" in (one.brief or one.note)
    made_up = figure(known(RegressionParams(dataset="synth1d"))).readouts[:3]
    assert not any("score points" in (one.brief or one.note) for one in made_up)


def test_the_first_number_is_the_spread_of_published_slopes_and_errors_come_later():
    live_figure = figure(known(RegressionParams(dataset="diabetes")))
    first, best, *others = live_figure.readouts
    low, high, without = (
        show(float(live_figure.evaluate(name)), ".2g")
        for name in ("claim_low", "claim_high", "claim_best")
    )
    assert live_figure.read(first)[0] == f"{low} to {high}"
    assert live_figure.read(best)[0] == without
    assert all(one.depth > Depth.LOOK for one in others)


def test_without_the_results_of_deeper_stages_only_their_panels_are_missing():
    params = RegressionParams()
    state = known(params)
    part = PageState(params=params, problem=state.problem, results={"fits": state["fits"]})
    keys = [panel.key for panel in figure(part).panels]
    assert keys[0] == "fits"
    assert not {"parabola", "valley", "variance", "clouds"} & set(keys)
    assert keys[0] == next(p.key for p in figure(state).panels)


def test_a_lab_without_fits_is_drawn_all_the_same():
    params = RegressionParams(method="descent", n_samples=200)
    problem = regression.problem_of(params)
    results = {"shares": regression.shares(problem.setting(params), params)}
    live_figure = figure(PageState(params=params, problem=problem, results=results))
    assert np.isnan(live_figure.evaluate("loss"))
    assert "clouds" not in [panel.key for panel in live_figure.panels]


def finished(params, names):
    """What the handles draw, kind over kind."""
    kinds = [f"{kind} {name}" for kind in ("page", "trials", "descents") for name in names]
    state = PIPELINE.still(params, *kinds)
    return {
        name: [state[f"{kind} {name}"] for kind in ("page", "trials", "descents")] for name in names
    }


def drawn_ahead(params, name):
    """Draw ahead what a handle needs: every value of its grid, in arrays that stay small at any data."""
    grid, found = params.controls()[name].grid, finished(params, [name])[name]
    assert all(set(nodes) == set(grid) for nodes in found)
    arrays = stack_previews(name, at_values(grid, found), {"epsilon": AT})
    assert sum(array.values.nbytes for array in arrays.values()) < 400_000
    return instead_of({name: arrays})


@pytest.mark.parametrize(("name", "value"), [("n_samples", 50), ("n_features", 2)])
def test_what_a_handle_draws_is_what_the_page_draws_when_it_is_let_go(name, value):
    params = RegressionParams(dataset="diabetes", n_features=1, repair="trim", epsilon=0.5)
    problem = regression.problem_of(params)
    arrays, instead = drawn_ahead(params, name)
    there = params.but(**{name: value})
    setting = problem.setting(there)
    tried = [regression.tried(setting, there, float(share)) for share in regression.TRIED]
    blocks = {
        m: [
            regression.gathered(
                setting, *regression.draw(setting.train, there.but(method=m), setting)
            )
        ]
        for m in METHODS
    }
    comparison = regression.compared(blocks)
    after = figure(known(there, tried=np.stack(tried, axis=1), comparison=comparison))
    before = Figure(
        controls=after.controls, values=common.values(there), arrays=after.still().arrays | arrays, panels=(),
        previews=instead,
    )  # fmt: skip
    assert {"lines_y", "parabolas", "test_joint", "test_descent_now", "tried_line"} <= set(
        instead[name]
    )
    for key, other in instead[name].items():
        wanted, drawn = after.evaluate(key), before.evaluate(other)
        part = drawn[tuple(slice(size) for size in wanted.shape)]
        np.testing.assert_allclose(part, wanted, rtol=1e-5, atol=1e-6, err_msg=key)


@pytest.mark.parametrize("dataset", ["synth1d", "diabetes"])
def test_axes_stay_where_they_are_while_n_and_d_move(dataset):
    ranges = []
    for n, d in ((30, 1), (400, 3), (296_000, 13)):
        params = RegressionParams(dataset=dataset, n_samples=n, n_features=d, method="joint")
        panels = figure(known(params)).panels
        ranges.append([(panel.key, panel.x.range, panel.y.range) for panel in panels])
    assert ranges[0] == ranges[1] == ranges[2]


@pytest.mark.parametrize(
    ("dataset", "n", "label"),
    [
        ("synth1d", 200, "200 of 370\u202f000 people train the line"),
        ("synth1d", 800, "500 of the 800 people that train the line"),
        ("diabetes", 200, "200 of 442 patients train the line"),
    ],
)
def test_the_dots_are_called_what_they_are(dataset, n, label):
    shown = figure(PIPELINE.still(RegressionParams(dataset=dataset, n_samples=n)))
    (dots,) = [one for one in shown.panels[0].layers if one.kind == "points"]
    assert dots.label == label
    assert len(shown.evaluate("points")) == min(n, 500)
