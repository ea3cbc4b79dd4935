"""The arrays of the live figure of the relevance page: what is drawn is what was computed, from the first draw on."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dpcore.datasets import load
from dpcore.estimate import median_interval
from dpcore.experiments import relevance
from dpcore.experiments.grids import EPOCHS_GRID
from dpcore.experiments.relevance import Problem, RelevanceParams
from dpcore.lvq import predict
from pages.relevance import arrays as arrays_of
from pages.relevance.figure import figure
from pages.relevance.words import meaning
from ui.runner import PageState
from ui.words.numbers import show

PARAMS = RelevanceParams(dataset="iris", prototypes_per_class=1, epsilon=5.0)


def drawn(problem, sweep, outcomes=None, params=PARAMS, **previews):
    results = {"sweep": sweep, "outcomes": outcomes} | {
        f"preview {k}": v for k, v in previews.items()
    }
    return figure(PageState(params=params, problem=problem, results=results))


@pytest.fixture(scope="module")
def problem():
    return Problem(load("iris"), 1)


@pytest.fixture(scope="module")
def sweep(problem):
    return relevance.run_sweep(problem, PARAMS)


@pytest.fixture(scope="module")
def draws(problem):
    person = relevance.chosen_person(problem, PARAMS)
    return list(relevance.run_outcomes(problem, PARAMS, person, n_draws=10))


def test_regions_on_the_map_are_the_classifiers_own(problem, sweep):
    W = sweep.at(5.0).prototypes
    origin, axes = problem.plane
    places = np.random.default_rng(0).uniform(-1, 1, (500, 2))
    lifted = origin + places @ axes.T
    flat = arrays_of.on_plane(problem, W).astype(float)
    cost = np.square(places[:, None] - flat[:, :2]).sum(-1) + flat[:, 2]
    assert (
        problem.labels[cost.argmin(1)] == predict(lifted, W, labels=problem.labels)
    ).mean() > 0.998


def test_the_lab_evaluates_to_the_model(problem, sweep):
    live_figure = drawn(problem, sweep)
    model = sweep.at(5.0)
    flat = arrays_of.on_plane(problem, model.prototypes)
    np.testing.assert_allclose(live_figure.evaluate("proto")[:, :2], flat[:, :2], atol=1e-5)
    # The squared rest is not linear between nodes: it is interpolated, and close.
    np.testing.assert_allclose(live_figure.evaluate("proto")[:, 2], flat[:, 2], atol=0.01)
    assert live_figure.evaluate("accuracy") == pytest.approx(model.accuracy, abs=1e-6)
    assert live_figure.evaluate("sigma") == pytest.approx(model.noise_multiplier, rel=1e-6)
    np.testing.assert_allclose(live_figure.evaluate("proto", {"progress": 0.0}),
                               live_figure.evaluate("path")[0], atol=1e-6)  # fmt: skip


def test_headlines_are_medians_of_the_draws(problem, sweep, draws):
    found = draws[-1]
    live_figure = drawn(problem, sweep, found)
    right, at = 1 - found.errors, EPOCHS_GRID.index(PARAMS.epochs)
    arrays = live_figure.arrays
    np.testing.assert_allclose(arrays["right"].values[at], np.median(right, 0), atol=1e-6)
    np.testing.assert_allclose(
        arrays["right_high"].values[at], np.quantile(right, 0.9, 0), atol=1e-6
    )
    (item,) = (item for item in live_figure.readouts if item.value == "right")
    number, note = live_figure.read(item)
    assert number == show(float(live_figure.evaluate("right")), "in 100")
    assert "median of 10 trainings; 8 of 10: " in note
    assert f"this draw: {show(float(live_figure.evaluate('accuracy')), 'hundredths')}" in note
    # No other number of epochs was drawn: there the headline is this draw's, which is known.
    elsewhere = {"epochs": 20}
    assert np.isnan(live_figure.evaluate("right", elsewhere))
    assert np.isfinite(live_figure.evaluate("accuracy", elsewhere))


def test_every_cause_is_told_against_its_own_counterfactual(problem, sweep, draws):
    found = draws[-1]
    arrays, at = drawn(problem, sweep, found).arrays, EPOCHS_GRID.index(PARAMS.epochs)
    noise = found.method_errors[:, None] - found.errors
    np.testing.assert_allclose(arrays["noise_cost"].values[at], np.median(noise, 0), atol=1e-6)
    clipping = np.median(found.plain_errors - found.method_errors)
    assert arrays["clipping_cost"].values[at] == pytest.approx(clipping, abs=1e-6)
    steps = np.median(problem.best_error - found.plain_errors)
    assert arrays["steps_cost"].values[at] == pytest.approx(steps, abs=1e-6)
    low, high = median_interval(noise)
    np.testing.assert_allclose(arrays["noise_cost_low"].values[at], low, atol=1e-6)
    np.testing.assert_allclose(arrays["noise_cost_high"].values[at], high, atol=1e-6)


def test_the_noise_is_not_blamed_for_what_clipping_or_few_steps_did():
    """One epoch of full steps without clipping, at ε = 20: the prototypes are poor, and not by the noise."""
    params = RelevanceParams(clip_norm=5.0, sample_rate=1.0, epochs=1, epsilon=20.0)
    problem = relevance.named_problem(params.dataset, params.prototypes_per_class)
    person = relevance.chosen_person(problem, params)
    *_, outcomes = relevance.run_outcomes(problem, params, person, n_draws=20)
    state = PageState(
        params=params, problem=problem,
        results={"sweep": relevance.run_sweep(problem, params), "outcomes": outcomes},
    )  # fmt: skip
    (said,) = meaning(state).strings[-1:]
    assert said.startswith("The prototypes are about as useful as without noise"), said
    assert "the rest" not in said


def test_sentences_name_the_largest_cause_first(problem, sweep, draws):
    state = PageState(
        params=PARAMS, problem=problem, results={"sweep": sweep, "outcomes": draws[-1]}
    )
    for said in meaning(state).strings:
        told = [
            float(found)
            for found in re.findall(r"(?:costs|gains) (?:less than )?([\d.]+) points", said)
        ]
        assert told == sorted(told, reverse=True), said
        assert "10 trainings" in said
    few = PageState(params=PARAMS, problem=problem, results={"sweep": sweep, "outcomes": draws[2]})
    assert not any("points" in said for said in meaning(few).strings)


@pytest.mark.parametrize("n_draws", [1, 2, 7, 8, 10])
def test_outcomes_are_drawn_from_the_first_one_on(problem, sweep, draws, n_draws):
    live_figure = drawn(problem, sweep, draws[n_draws - 1])
    assert live_figure.evaluate("with_record").shape == (n_draws, 3, 3)
    low, middle, high = (live_figure.evaluate(f"band_{name}") for name in ("low", "middle", "high"))
    assert (low <= middle + 1e-9).all()
    assert (middle <= high + 1e-9).all()
    assert np.isfinite(live_figure.evaluate("guessed")) == (n_draws >= 8)


def test_a_quick_answer_has_no_references_and_says_so(problem):
    live_figure = drawn(problem, relevance.draft_sweep(problem, PARAMS))
    assert np.isnan(live_figure.evaluate("clipping_cost"))
    assert np.isfinite(live_figure.evaluate("accuracy"))


def test_a_spy_wins_against_no_noise_and_is_blind_against_much():
    problem, params = Problem(load("blobs"), 1), RelevanceParams(person_dx=-1.0)
    person = relevance.chosen_person(problem, params)
    nodes = np.array([0.01, 200.0])
    *_, found = relevance.run_outcomes(problem, params, person, n_draws=40, nodes=nodes)
    arrays = arrays_of.separability(found)
    sure, blind = arrays["guessed"].values
    assert sure > 0.5
    assert abs(blind - 0.5) < 0.35  # 80 votes of even odds: beyond 6 deviations


def test_bars_of_gradients_that_are_nearly_all_alike_stay_in_their_panel(problem, sweep):
    alike = np.zeros_like(sweep.norm_counts)
    alike[:, 4] = 0.93
    for counts in (sweep.norm_counts, alike):
        shown = drawn(problem, replace(sweep, norm_counts=counts))
        (panel,) = (panel for panel in shown.panels if panel.key == "norms")
        tallest = np.quantile(counts.max(-1), 0.8)
        assert tallest <= panel.y.range[1] <= max(2 * tallest, 0.1)


def test_pictures_stay_small_and_close(monkeypatch):
    problem, params = Problem(load("digits"), 1), RelevanceParams(dataset="digits", epsilon=5.0)
    sweep = relevance.run_sweep(problem, params, last_epoch=50)
    arrays = arrays_of.main_arrays(problem, params, sweep)
    assert arrays["pictures"].values.nbytes <= 450_000
    live_figure = drawn(problem, sweep, params=params)
    shown = live_figure.evaluate("pictures").reshape(10, 64)
    assert np.abs(shown - sweep.at(5.0).prototypes).mean() < 0.03


def test_a_preview_at_the_present_value_is_the_picture_itself(problem, sweep):
    lines = {name: relevance.run_line(problem, PARAMS, name) for name in relevance.LINES}
    live_figure = drawn(problem, sweep, **lines)
    for name, instead in live_figure.previews.items():
        assert (
            live_figure.by_name()[name].size()
            == live_figure.arrays[instead["proto"]].values.shape[0]
        )
        shown = live_figure.evaluate("proto")
        gap = np.abs(live_figure.evaluate(instead["proto"])[: len(shown)] - shown).max()
        assert gap < 0.1  # the sweep interpolates between noise levels, the line does not
        if name == "prototypes_per_class":
            assert (
                live_figure.evaluate(instead["labels"])[: len(shown)].tolist()
                == problem.labels.tolist()
            )
            best = live_figure.evaluate(instead["best"])[: len(shown)]
            np.testing.assert_allclose(best, live_figure.evaluate("best"), atol=1e-6)
            assert live_figure.evaluate(instead["best_accuracy"]) == live_figure.evaluate(
                "best_accuracy"
            )
        for number in ("sigma", "noise_to_pull"):
            asked = live_figure.evaluate(number)
            assert live_figure.evaluate(instead[number]) == pytest.approx(asked, rel=5e-3)
        clipped = live_figure.evaluate("clipped")
        assert live_figure.evaluate(instead["clipped"]) == pytest.approx(clipped, abs=0.05)


def test_every_number_follows_a_moving_handle_in_the_draw_that_is_seen(problem, sweep, draws):
    grid = PARAMS.controls()["clip_norm"].grid
    line = relevance.run_line(problem, PARAMS, "clip_norm")
    shown = drawn(problem, sweep, draws[-1], clip_norm=line)
    instead = shown.previews["clip_norm"]
    for readout in shown.readouts:
        if readout.value == "guessed":
            continue  # of many trainings in two worlds, which no handle waits for
        standing = instead.get(readout.value, readout.value) or instead[readout.draw]
        assert np.isfinite(shown.evaluate(standing)), readout.value
    for value in (grid[0], grid[-1]):
        k, at = grid.index(value), {"clip_norm": value}
        lost = line.plain_errors[k, -1] - line.errors[k, -1]
        found = shown.evaluate(instead["privacy_cost_draw"], at)
        assert found == pytest.approx(lost, abs=1e-6)
        parts = [shown.evaluate(instead[f"{part}_cost_draw"], at) for part in ("noise", "clipping")]
        assert sum(parts) == pytest.approx(found, abs=1e-6)


def test_noise_beside_signal_follows_the_size_of_a_lot(problem, sweep):
    live_figure = drawn(
        problem, sweep, sample_rate=relevance.run_line(problem, PARAMS, "sample_rate")
    )
    numbers = live_figure.arrays[live_figure.previews["sample_rate"]["noise_to_pull"]].values
    grid = PARAMS.controls()["sample_rate"].grid
    sigma = live_figure.arrays[live_figure.previews["sample_rate"]["sigma"]].values
    lots = [relevance.expected_lot(PARAMS.but(sample_rate=q), problem.n_declared) for q in grid]
    np.testing.assert_allclose(numbers, sigma / lots, rtol=1e-5)


def test_the_best_prototypes_are_left_out_while_they_are_not_known():
    params = RelevanceParams(dataset="digits", epsilon=5.0, epochs=1)
    problem = Problem(load("digits"), 2)
    sweep = relevance.draft_sweep(problem, params)
    live_figure = drawn(problem, sweep, params=params)
    assert "best" not in vars(problem)  # it takes seconds: nobody may wait for it
    assert np.isnan(live_figure.evaluate("best")).all()
    assert np.isnan(live_figure.evaluate("best_accuracy"))
    assert not live_figure.evaluate("best_pictures").size  # no grey squares
    assert np.isfinite(live_figure.evaluate("accuracy"))
    small, params = Problem(load("iris"), 1), RelevanceParams(dataset="iris")
    live_figure = drawn(small, relevance.draft_sweep(small, params), params=params)
    assert np.isfinite(live_figure.evaluate("best")).all()
