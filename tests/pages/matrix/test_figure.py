"""The arrays of the live figure of the matrix page: what is drawn is what was computed, from the first draw on."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpcore.experiments import matrix
from dpcore.experiments.matrix import MATRIX_NOISE_GRID, MatrixParams, read_readings
from pages.matrix import arrays as arrays_of
from pages.matrix import words
from pages.matrix.arrays import named_features
from pages.matrix.figure import figure
from pages.matrix.page import PAGE
from pages.matrix.pipeline import PIPELINE
from pages.matrix.words import losses, meaning
from ui.export.from_figure import plot, table
from ui.runner import PageState
from ui.words.numbers import percent, show

PARAMS = MatrixParams(
    dataset="iris", epsilon=5.0, clip_norm=0.5, sample_rate=0.05, learning_rate=0.1
)
ROOT = Path(__file__).resolve().parents[3]


def drawn(problem, study, outcomes=None, params=PARAMS, lines=None):
    results = {f"preview {name}": line for name, line in (lines or {}).items()}
    results |= {"study": study, "outcomes": outcomes}
    return figure(PageState(params=params, problem=problem, results=results))


@pytest.fixture(scope="module")
def problem():
    return matrix.problem_of(PARAMS)


@pytest.fixture(scope="module")
def study():
    return matrix.run_study(matrix.problem_of(PARAMS), PARAMS)


@pytest.fixture(scope="module")
def draws(problem):
    return list(matrix.run_outcomes(problem, PARAMS, n_draws=9))


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 5.0, 20.0])
def test_the_lab_evaluates_to_the_model(problem, study, epsilon):
    live_figure = drawn(problem, study)
    model = study.sweep.at(epsilon)
    here = {"epsilon": epsilon}
    np.testing.assert_allclose(
        live_figure.evaluate("profile", here)[::2],
        model.relevances[named_features(study)],
        atol=1e-5,
    )
    assert (live_figure.evaluate("profile", here)[1::2] == 0).all()
    assert live_figure.evaluate("accuracy", here) == pytest.approx(model.accuracy, abs=1e-6)
    assert live_figure.evaluate("sigma", here) == pytest.approx(model.noise_multiplier, rel=1e-6)
    at = list(PARAMS.controls()["epsilon"].grid).index(epsilon)
    assert live_figure.evaluate("curve")[at] == pytest.approx(model.accuracy, abs=1e-6)


def test_the_heat_map_is_the_matrix(problem, study):
    live_figure = drawn(problem, study)
    shade = live_figure.evaluate("best_heat").reshape(4, 4)
    top = arrays_of.heat_top(study)
    np.testing.assert_allclose(np.sign(shade) * shade**2 * top, study.best.matrix, atol=0.012 * top)
    assert live_figure.evaluate("heat").shape == (1, 16)


def test_headlines_are_medians_and_every_cause_has_its_counterfactual(problem, study, draws):
    found, state = draws[-1], {"study": study, "outcomes": draws[-1]}
    live_figure = drawn(problem, study, found)
    place = float(live_figure.evaluate("v_of"))
    low = min(int(place), len(found.nodes) - 2)
    at_node = live_figure.arrays
    right, noise = 1 - found.errors, found.method_errors[:, None] - found.errors
    np.testing.assert_allclose(at_node["right"].values, np.median(right, 0), atol=1e-6)
    np.testing.assert_allclose(at_node["right_low"].values, np.quantile(right, 0.1, 0), atol=1e-6)
    np.testing.assert_allclose(at_node["noise_cost"].values, np.median(noise, 0), atol=1e-6)
    np.testing.assert_allclose(
        at_node["clipping_cost"].values,
        np.median(found.plain_errors - found.method_errors),
        atol=1e-6,
    )
    np.testing.assert_allclose(
        at_node["steps_cost"].values, np.median(problem.best_error - found.plain_errors), atol=1e-6
    )
    between = np.median(right, 0)[[low, low + 1]]
    assert between.min() - 1e-6 <= live_figure.evaluate("right") <= between.max() + 1e-6
    both = np.minimum(found.profiles, study.best.relevances).sum(-1)
    np.testing.assert_allclose(at_node["overlap_median"].values, np.median(both, 0), atol=1e-6)
    said = meaning(PageState(params=PARAMS, problem=problem, results=state)).strings
    assert all("lipping" in one and "oise" in one and "mall steps" in one for one in said)
    assert not any("the rest" in item.note for item in live_figure.readouts)


def test_before_the_draws_a_headline_is_this_draw_and_says_so(problem, study):
    live_figure = drawn(problem, study)
    (right,) = (item for item in live_figure.readouts if item.value == "right")
    number, note = live_figure.read(right)
    assert number == show(float(live_figure.evaluate("accuracy")), "in 100")
    assert note == "this draw"
    (noise,) = (item for item in live_figure.readouts if item.value == "noise_cost")
    lost = float(study.sweep.method_errors[-1]) - float(1 - live_figure.evaluate("accuracy"))
    assert live_figure.evaluate("noise_cost_draw") == pytest.approx(lost, abs=1e-6)
    assert live_figure.read(noise)[1] == "this draw"
    assert 0 < live_figure.evaluate("overlap") <= 1 + 1e-6


def test_noise_on_the_finished_matrix_follows_its_slider(problem, study):
    live_figure = drawn(problem, study)
    for k, matrix_noise_std in enumerate(MATRIX_NOISE_GRID):
        wanted = 1 - study.best_noised_errors[0, k].mean()
        assert live_figure.evaluate("matrix_noise_best")[k] == pytest.approx(wanted, abs=1e-6)
        assert live_figure.evaluate(
            "matrix_noise_best_now", {"matrix_noise_std": matrix_noise_std}
        ) == pytest.approx(wanted, abs=1e-6)
    start = live_figure.evaluate("matrix_noise_best_now", {"matrix_noise_std": 0.0})
    assert start == pytest.approx(live_figure.evaluate("best_accuracy"), abs=1e-6)


@pytest.mark.parametrize("n_draws", [1, 7, 9])
def test_outcomes_are_drawn_from_the_first_one_on(problem, study, draws, n_draws):
    live_figure = drawn(problem, study, draws[n_draws - 1])
    assert live_figure.evaluate("draws").shape == (n_draws, 3, 3)
    low, middle, high = (live_figure.evaluate(f"band_{name}") for name in ("low", "middle", "high"))
    assert (low <= middle + 1e-9).all()
    assert (middle <= high + 1e-9).all()
    strokes = live_figure.evaluate("spread").reshape(-1, 3)
    assert np.isnan(strokes[:, 2]).all()
    assert (strokes[:, 0] <= strokes[:, 1]).all()
    assert np.isfinite(live_figure.evaluate("guessed")) == (n_draws >= 8)


def test_a_quick_answer_keeps_every_panel(problem, study, draws):
    quick = drawn(problem, matrix.draft_study(problem, PARAMS))
    whole = drawn(problem, study, draws[-1])
    assert [p.key for p in quick.panels] == [p.key for p in whole.panels]
    assert np.isnan(quick.evaluate("clipping_cost"))
    assert np.isfinite(quick.evaluate("accuracy"))


@pytest.fixture(scope="module")
def lines(problem):
    return {name: matrix.run_line(problem, PARAMS, name) for name in matrix.LINES}


@pytest.mark.parametrize("name", matrix.LINES)
def test_a_handle_draws_ahead_what_python_will_answer(problem, study, lines, name):
    live_figure = drawn(problem, study, lines=lines)
    instead = live_figure.previews[name]
    assert set(instead) - {"draws"} >= {"accuracy", "profile", "heat", "proto", "places", "method"}
    for shown, ahead in instead.items():
        if ahead and shown not in ("proto", "places"):  # a map may be turned
            # At the committed value it is the sweep, but for what lies between noise levels.
            here = live_figure.evaluate(shown)
            there = live_figure.evaluate(ahead).ravel()[
                : here.size
            ]  # prototypes not there come last
            gap = np.abs(there - here.ravel()).max()
            assert gap < 0.12 * max(1, np.abs(here).max()), shown
    value = PARAMS.controls()[name].grid[2]
    moved = PARAMS.but(**{name: value})
    there = matrix.problem_of(moved)
    quick = drawn(there, matrix.draft_study(there, moved), params=moved)
    for shown in ("accuracy", "profile", "sigma", "noise_to_pull", "clipped", "overlap"):
        ahead = live_figure.evaluate(instead[shown], {name: value})
        np.testing.assert_allclose(ahead, quick.evaluate(shown), rtol=2e-6, atol=1e-6), shown


def test_the_number_of_prototypes_is_drawn_ahead_with_its_own_model_without_privacy(
    problem, study, lines
):
    live_figure = drawn(problem, study, lines=lines)
    value = {"prototypes_per_class": 3}
    there = matrix.problem_of(PARAMS.but(**value))
    labels = live_figure.evaluate("labels_by_prototypes_per_class", value)
    assert labels.tolist() == there.labels.tolist() + [0] * 15
    for name in ("proto", "best_proto"):
        rows = live_figure.evaluate(f"{name}_by_prototypes_per_class", value)
        assert np.isfinite(rows[:9]).all()
        assert np.isnan(rows[9:]).all()
    best = matrix.matrix_view(there, *there.best_pair)
    bars = live_figure.evaluate("best_profile_by_prototypes_per_class", value)
    np.testing.assert_allclose(bars[::2], best.relevances[named_features(study)], rtol=1e-6)
    score = live_figure.evaluate("best_accuracy_by_prototypes_per_class", value)
    assert score == pytest.approx(1 - there.best_error)
    assert (
        live_figure.previews["prototypes_per_class"]["right"] == ""
    )  # many draws are not known ahead


def test_a_model_without_privacy_that_is_not_known_is_not_drawn(monkeypatch, problem, study):
    from dpcore.experiments.matrix import MatrixProblem, training

    monkeypatch.setattr(training, "_DRAFT_SIZE", 0)
    monkeypatch.setattr(MatrixProblem, "best_known", property(lambda self: self is problem))
    line = matrix.run_line(problem, PARAMS, "prototypes_per_class")
    live_figure = drawn(problem, study, lines={"prototypes_per_class": line})
    value = {"prototypes_per_class": 3}
    for name in ("best_profile", "best_proto", "best_places", "best_accuracy", "overlap"):
        found = live_figure.evaluate(f"{name}_by_prototypes_per_class", value)
        assert np.isnan(found[::2] if name == "best_profile" else found).all(), name
    assert np.isfinite(live_figure.evaluate("profile_by_prototypes_per_class", value)).all()
    here = live_figure.evaluate("best_profile_by_prototypes_per_class")
    np.testing.assert_allclose(here, live_figure.evaluate("best_profile"), rtol=1e-6)


def test_the_real_cost_of_the_printed_noise_follows_q_ahead(problem):
    params = PARAMS.but(**matrix.PAPER).but(epsilon=8.0, epochs=5)
    line = matrix.run_line(problem, params, "sample_rate")
    live_figure = drawn(
        problem, matrix.draft_study(problem, params), params=params, lines={"sample_rate": line}
    )
    for rate in (0.005, 0.01):
        real = matrix.guarantee(params.but(sample_rate=rate), problem).epsilon
        ahead = live_figure.evaluate("real_epsilon_by_sample_rate", {"sample_rate": rate})
        assert ahead == pytest.approx(real, rel=1e-5)


def test_bars_are_named_and_fall_in_height_without_privacy(problem, study):
    live_figure = drawn(problem, study)
    (panel,) = (panel for panel in live_figure.panels if panel.key == "profile")
    heights = live_figure.evaluate("best_profile")[::2]
    assert (np.diff(heights) <= 0).all()
    names = dict(zip(problem.dataset.feature_names, study.best.relevances, strict=True))
    np.testing.assert_allclose([names[name] for name in panel.x.words], heights, rtol=1e-6)
    unknown = replace(study, best=None)
    assert named_features(unknown).tolist() == [0, 1, 2, 3]


def test_every_feature_that_the_sentence_names_has_a_bar():
    params = MatrixParams(dataset="breast_cancer", clip_norm=0.5, learning_rate=0.1)
    state = PIPELINE.still(params, "study")
    (panel,) = (panel for panel in figure(state).panels if panel.key == "profile")
    said = meaning(state)
    named = {name for text in (*said.strings, *said.brief) for name in re.findall("“(.*?)”", text)}
    assert len(named) > 1  # the private models rely on others than the model without privacy
    assert named <= set(panel.x.words)
    assert len(panel.x.words) <= 8 < state.problem.n_features
    best = state["study"].best.relevances.argsort()[::-1][:3]
    assert {state.problem.dataset.feature_names[k] for k in best} <= set(panel.x.words)


def test_lines_of_training_follow_its_slider(problem, study, lines):
    live_figure = drawn(problem, study, lines=lines)
    start = live_figure.evaluate("profile_by_clip_norm", {"progress": 0.0})
    np.testing.assert_allclose(start[::2], 0.25, atol=1e-6)  # Ω starts at the identity
    at = [live_figure.evaluate("s_of", {"progress": p}) for p in (0.0, 25.0, 100.0)]
    assert at == pytest.approx([0, 2, 4])


def test_losses_name_each_step_of_the_way(problem, study):
    said = losses(PARAMS, study)
    for part in (study.best_accuracy, 1 - study.sweep.method_errors[-1]):
        assert percent(float(part)) in said
    assert f"With the noise of ε = 5 they reach {percent(study.sweep.at(5.0).accuracy)}." in said
    assert losses(PARAMS, matrix.draft_study(problem, PARAMS)) == ""


def test_settings_that_fit_are_offered_where_there_are_some():
    har = MatrixParams(dataset="har")
    fitted = PAGE.act("fit", har)
    assert (fitted.clip_norm, fitted.learning_rate) == (2.0, 0.3)
    assert PAGE.act("fit", PARAMS) == PARAMS
    assert PAGE.act("paper", PARAMS).recipe == "paper"


def test_pictures_and_messages_stay_small():
    params = MatrixParams(dataset="digits", epochs=2)
    problem, study = matrix.problem_of(params), matrix.run_study(matrix.problem_of(params), params)
    live_figure = drawn(problem, study, params=params)
    assert live_figure.evaluate("eigen").shape == (2, 64)
    assert "eigen" in [panel.key for panel in live_figure.panels]
    assert sum(array.values.nbytes for array in live_figure.arrays.values()) < 2e6


def test_the_strongest_pattern_is_the_first_eigenvector_with_one_sign_for_every_training(
    problem, study
):
    live_figure = drawn(problem, study)
    assert "pattern" in [panel.key for panel in live_figure.panels]
    named, directions = arrays_of.named_features(study), study.views.directions[:, -1, 0]
    bars = live_figure.arrays["eigen"].values[:, ::2]
    assert np.abs(bars) == pytest.approx(np.abs(directions[:, named]), abs=1e-6)
    best = live_figure.arrays["best_eigen"].values[::2]
    assert np.abs(best) == pytest.approx(np.abs(study.best.directions[0, named]), abs=1e-6)
    one = arrays_of.turned(problem, directions)
    np.testing.assert_array_equal(one, arrays_of.turned(problem, -directions))
    np.testing.assert_array_equal(one[:, named], bars)


def test_a_feature_that_the_noise_put_first_is_said_to_be(problem, study, draws):
    """Where the thin stroke reaches below an equal share, other noise puts another feature first."""
    state = PageState(
        params=PARAMS, problem=problem, results={"study": study, "outcomes": draws[-1]}
    )
    grid, said = list(PARAMS.controls()["epsilon"].grid), meaning(state).strings
    live_figure, doubted = drawn(problem, study, draws[-1]), 0
    for epsilon, sentence in zip(grid, said, strict=True):
        here = {"epsilon": epsilon}
        first = int(live_figure.evaluate("profile", here)[::2].argmax())
        low, high = live_figure.evaluate("spread", here).reshape(-1, 3)[first, :2]
        if "nearly the same weight" not in sentence:
            assert ("With other noise" in sentence) == (low < 1 / 4), (epsilon, sentence)
        if "With other noise" in sentence:
            doubted += 1
            assert f"{show(low, '.0%')} to {show(high, '.0%')}." in sentence
    assert 0 < doubted < len(grid)


def test_the_headline_says_the_numbers_of_the_readouts(problem, study, draws):
    state = PageState(
        params=PARAMS, problem=problem, results={"study": study, "outcomes": draws[-1]}
    )
    live_figure = drawn(problem, study, draws[-1])
    for epsilon, sentence in zip(
        PARAMS.controls()["epsilon"].grid, meaning(state).brief, strict=True
    ):
        right = float(live_figure.evaluate("right", {"epsilon": epsilon}))
        assert sentence.startswith(f"{show(right, 'in 100')} right (median)")
        assert f"Without privacy {show(1 - problem.best_error, 'in 100')}" in sentence


def test_words_and_tables_tell_the_same(problem, study):
    state = PageState(params=PARAMS, problem=problem, results={"study": study})
    found = words.profile_table(state)
    assert found.private.sum() == pytest.approx(1)
    top = found.feature[found.private.idxmax()]
    at = list(PARAMS.controls()["epsilon"].grid).index(5.0)
    assert f"relies most on “{top}”" in meaning(state).strings[at]
    assert words.matrix_table(state).shape == (4, 4)
    assert len(plot(figure(state), "profile").data) == 2
    curve = table(figure(state), "curve").curve
    assert curve[at] == pytest.approx(study.sweep.at(5.0).accuracy, abs=1e-6)
    errors = {name: np.full((3, 3), 0.1) for name in matrix.PAPER_SPREAD}
    assert "**0.0000** (0.1275)" in words.spread_table(problem, errors)
    said = words.noise_experiment()
    for row in read_readings(ROOT / "docs" / "matrix_noise.csv"):
        if (row["on"], row["scaled_to"], row["deviation"]) == ("omega", "trace", 0.025):
            assert f"+{row['increase']:.4f} ± {row['spread']:.4f}" in said
    assert "+0.0277 ± 0.0010" in said


def test_the_tab_noisy_start_draws_both_printed_and_gaussian_starts(problem, study):
    from pages.matrix.pipeline import PIPELINE
    from ui.prototypes.pipeline import draw_starts

    stage = PIPELINE.stage("starts")
    starts = draw_starts(problem, PARAMS)
    state = PageState(params=PARAMS, problem=problem, results={"study": study, "starts": starts})
    live_figure = figure(state)
    origin, axes = problem.plane
    for kind in ("laplace", "gaussian"):
        (panel,) = (one for one in live_figure.panels if one.key == f"start_{kind}")
        assert stage.tabs == (panel.tab,)
        last = (starts[kind].means[0] - origin) @ axes
        places = live_figure.evaluate(f"start_{kind}", {"epsilon": 20.0, "delta": 1e-3})
        np.testing.assert_allclose(places, last, atol=0.05)
    assert {one.tab for one in drawn(problem, study).panels} == {
        one.tab for one in live_figure.panels
    }
