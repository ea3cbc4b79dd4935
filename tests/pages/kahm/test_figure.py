"""The arrays of the live figure of the affine hull page: what is drawn is what was computed."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dpcore.datasets import load
from dpcore.experiments import kahm
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.kahm import KahmParams
from dpcore.experiments.kahm.params import PARTIES_GRID, STAGE_GRID
from dpcore.experiments.kahm.picture import NODES
from pages.kahm import space_plots, words
from pages.kahm.figure import figure, guarantees, odds, table
from pages.kahm.pipeline import PIPELINE
from pages.kahm.words import meaning
from ui.runner import PageState

PARAMS = KahmParams(n_records=40, table="iris", epsilon=8.0, n_components=2)


@pytest.fixture(scope="module")
def iris():
    return kahm.study_dataset(load("iris"))


@pytest.fixture(scope="module")
def picture():
    return kahm.run(PARAMS)


@pytest.fixture(scope="module")
def study(iris):
    for part, found in kahm.run_study(iris, PARAMS):
        if part > 0.4:
            return found
    raise AssertionError


def live_figure(picture, data, **results):
    known = {"picture": picture, **results}
    return figure(PageState(params=PARAMS, problem=data, results=known))


def test_points_are_those_of_every_epsilon_and_stage(picture, iris):
    found = live_figure(picture, iris)
    for epsilon in (0.05, 1.1, 8.0):
        at = EPSILON_GRID.index(epsilon)
        for stage in (0, 1, 4):
            seen = found.evaluate("points", {"epsilon": epsilon, "stage": float(stage)})
            np.testing.assert_allclose(seen, picture.stages[at, stage], rtol=1e-4, atol=1e-5)
        error = found.evaluate("error_now", {"epsilon": epsilon, "stage": 3.0})
        assert error == pytest.approx(picture.errors[at, 2].mean(), rel=1e-5)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 20.0])
def test_both_pictures_have_the_same_scale_at_every_epsilon_and_stage(picture, iris, epsilon):
    found = live_figure(picture, iris)
    real, made = found.panels[:2]
    assert (real.key, made.key) == ("original", "stage")
    assert (real.x, real.y) == (made.x, made.y)
    low, high = made.x.range
    assert low < picture.X.min() < picture.X.max() < high
    (points,) = (one for one in made.layers if getattr(one, "xy", "") == "points")
    left, right, bottom, top = points.within
    assert low < left < 0 < 1 < right < high
    assert (left, right) == (bottom, top)
    at = EPSILON_GRID.index(epsilon)
    for stage in (0, 1, 4):
        state = {"epsilon": epsilon, "stage": float(stage)}
        np.testing.assert_allclose(found.evaluate("points_original", state), picture.X, atol=1e-6)
        net = picture.nets[0, 0, 0, :, 0]
        np.testing.assert_allclose(found.evaluate("net_real0_x", state), net, atol=1e-6)
        seen = found.evaluate("points", state)
        np.testing.assert_allclose(seen, picture.stages[at, stage], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 20.0])
@pytest.mark.parametrize("stage", [0.0, 0.25, 1.0, 3.75, 6.0])
def test_points_at_the_edge_are_counted_where_they_are_drawn(picture, iris, epsilon, stage):
    found = live_figure(picture, iris)
    (points,) = (one for one in found.panels[1].layers if getattr(one, "xy", "") == "points")
    left, right, bottom, top = points.within
    state = {"epsilon": epsilon, "stage": stage}
    x, y = found.evaluate("points", state).T
    wanted = (x < left) | (x > right) | (y < bottom) | (y > top)
    assert found.evaluate("at_edge", state) == wanted.sum()
    if stage == 0:
        assert not wanted.any()
    if epsilon < 0.1 and stage == 1:
        assert wanted.sum() > 0.9 * len(wanted)


@pytest.mark.parametrize("shape", ["moons", "spirals", "blobs"])
def test_each_class_is_named_once_in_each_picture(iris, shape):
    params = PARAMS.but(shape=shape)
    state = PageState(params=params, problem=iris, results={"picture": kahm.run_one(params)})
    original, stage = figure(state).panels[:2]
    names = load(shape).classes
    for panel in (original, stage):
        nets = [
            one for one in panel.layers if re.match(r"net(_real)?\d", str(getattr(one, "x", "")))
        ]
        labels = [one.label for one in nets if one.role != "nonprivate"]
        assert len(labels) == len(names)
        assert all(label.startswith(name) for label, name in zip(labels, names, strict=True))


def test_the_page_opens_where_both_moons_come_back():
    params = KahmParams()
    near = {}
    for epsilon in (2.0, params.epsilon):
        far = []
        for seed in range(9):
            found = kahm.run_one(params.but(epsilon=epsilon, seed=seed))
            real, made = found.nets[0, 0], found.nets[0, 4]
            for one, other in zip(made, real, strict=True):
                one, other = (line[np.isfinite(line).all(-1)] for line in (one, other))
                inner = one[len(one) // 4 : -(len(one) // 4)]  # the middle half of the line
                gaps = np.linalg.norm(inner[:, None] - other, axis=-1).min(1)
                far.append(gaps.mean())
        near[epsilon] = np.median(far)
    assert near[params.epsilon] < 0.06 < 0.15 < near[2.0]


def test_machines_are_exact_at_their_nodes(picture, iris):
    found = live_figure(picture, iris)
    for node in (NODES[3], NODES[-1]):
        seen = found.evaluate("field", {"epsilon": node, "stage": 2.0})
        wanted = np.clip(picture.fields[NODES.index(node), 2], 0, 1)
        np.testing.assert_allclose(seen, wanted, atol=0.5 / 255 + 1e-6)
        x = found.evaluate("net1_x", {"epsilon": node, "stage": 2.0})
        net = picture.nets[NODES.index(node), 2, 1, :, 0]
        np.testing.assert_allclose(x, net, rtol=1e-4, atol=1e-5)


def test_a_quick_picture_needs_no_other_epsilon(iris):
    one = kahm.run_one(PARAMS)
    found = live_figure(one, iris)
    np.testing.assert_allclose(
        found.evaluate("points", {"stage": 1.0}), one.stages[0, 1], atol=1e-5
    )
    assert sum(array.values.nbytes for array in found.arrays.values()) < 1e6


def test_ada_is_dragged_without_python(picture, iris):
    neighbouring_runs = kahm.neighbouring_runs(PARAMS, (4.0, 8.0))
    found = live_figure(picture, iris, neighbouring_runs=neighbouring_runs)
    at = EPSILON_GRID.index(8.0)
    here, there = found.evaluate("here"), found.evaluate("there")
    np.testing.assert_allclose(
        here, neighbouring_runs.home + neighbouring_runs.noise[at], atol=1e-5
    )
    np.testing.assert_allclose(
        there, neighbouring_runs.away + neighbouring_runs.noise[at], atol=1e-5
    )
    far = found.evaluate("there", {"person_dx": 1.0, "person_dy": -1.0})
    np.testing.assert_allclose(far, [1.0, 0.0] + neighbouring_runs.noise[at], atol=1e-5)


def test_numbers_beside_the_figure(picture, iris, study):
    baseline = kahm.run_baseline(iris, PARAMS)
    found = live_figure(picture, iris, study=study, baseline=baseline)
    assert found.evaluate("pure_picture") == 16
    assert found.evaluate("pure_table") == 32
    assert found.evaluate("tight_table") == pytest.approx(baseline.tight_at(8.0), rel=1e-6)
    at = kahm.STUDY_EPSILONS.index(8.0)
    after = study.accuracy[:2, at, 1, 0].mean()
    assert found.evaluate("fabricated_KAHM_now") == pytest.approx(after, rel=1e-5)
    loss = found.evaluate("method_price") + found.evaluate("noise_price")
    best = table.mean(study.original).max()
    assert loss == pytest.approx(after - best, abs=1e-5)


def test_the_sentence_says_where_the_noise_drowns_the_shape(picture, iris):
    found, said = (
        live_figure(picture, iris),
        meaning(PageState(params=PARAMS, problem=iris, results={"picture": picture})),
    )
    places = [
        said.strings[k * len(STAGE_GRID) + STAGE_GRID.index(4.0)] for k in range(len(EPSILON_GRID))
    ]
    for epsilon, sentence in zip(EPSILON_GRID, places, strict=True):
        wide = found.evaluate("noise_to_signal", {"epsilon": epsilon}) > 2
        assert ("little of their shape" in sentence) == wide, epsilon
        assert ("what would be published" in sentence) != wide, epsilon
    assert "little of their shape" in places[0]
    assert "what would be published" in places[-1]


def test_the_sentence_says_what_a_release_may_tell_of_the_person(picture, iris):
    params = PARAMS.but(person=0)
    said = meaning(PageState(params=params, problem=iris, results={"picture": picture}))
    published = STAGE_GRID.index(params.rounds + 1.0)
    for place, epsilon in enumerate(EPSILON_GRID):
        sentence = said.strings[place * len(STAGE_GRID) + published]
        sure = kahm.guarantee(params.but(epsilon=epsilon)).odds() > 0.999
        assert (
            sentence.endswith("an attacker may tell Ada from somebody else almost surely.") == sure
        ), epsilon
        few = ("tells hardly anything about Ada", "tells little about Ada")
        assert any(words in sentence for words in few) == (2 * epsilon <= 1), epsilon
        before = said.strings[place * len(STAGE_GRID) + STAGE_GRID.index(0.0)]
        assert "Ada" not in before
    unproved = meaning(
        PageState(params=params.but(stop="paper"), problem=iris, results={"picture": picture})
    )
    assert "is not proved to hide Ada" in unproved.strings[published]


@pytest.mark.parametrize("published", [0, 1, 3, 5])
def test_only_the_stage_with_the_published_rounds_is_said_to_be_published(picture, iris, published):
    here = PageState(
        params=PARAMS.but(rounds=published), problem=iris, results={"picture": picture}
    )
    last = meaning(here).strings[-len(STAGE_GRID) :]
    said = {stage: one for stage, one in zip(STAGE_GRID, last, strict=True) if stage == int(stage)}
    for stage, sentence in said.items():
        as_it_is = "this is what would be published" in sentence or "published as it is" in sentence
        assert as_it_is == (stage == published + 1), sentence


def test_what_is_not_known_yet_is_not_drawn(picture, iris):
    found = live_figure(picture, iris)
    assert np.isnan(found.evaluate("fabricated_NN_now"))
    assert np.isnan(found.evaluate("together_now"))
    assert np.isnan(found.evaluate("least"))


def test_words_name_the_record_and_wait_for_what_is_measured(iris, study):
    told = odds(guarantees(PARAMS))
    assert list(told.bounds) == pytest.approx([2 * e for e in EPSILON_GRID])
    assert all("two values in this picture" in line for line in told.strings)
    text = words.claims(PARAMS, iris, study, None)
    assert "1-NN" in text
    assert "measured once the tab Accuracy is open" in words.claims(PARAMS, iris, None, None)


def test_records_and_what_was_measured_are_taken_along(iris, study):
    state = PIPELINE.still(PARAMS)
    state = replace(state, results={**state.results, "study": study}, look=None)
    found = words.bundle(state, kahm.guarantee(PARAMS))
    assert {"KAHM", "ks", "linked"} <= set(found.tables["measured"]())
    taken, picture = found.tables["stage"](), state["picture"]
    at = picture.epsilons.index(PARAMS.epsilon), round(PARAMS.stage)
    np.testing.assert_allclose(taken[["points_x", "points_y"]], picture.stages[at])
    assert list(found.tables["error"]().columns) == ["rounds of smoothing", "error"]
    assert {trace.mode for trace in found.figure().data} == {"lines", "markers"}


@pytest.mark.parametrize("epsilon", [0.05, 7.0, 8.0, 20.0])
@pytest.mark.parametrize("name", ["n_components", "n_records", "ridge"])
def test_a_handle_draws_at_its_value_what_is_there_already(picture, iris, name, epsilon):
    params = PARAMS.but(epsilon=min(EPSILON_GRID, key=lambda e: abs(e - epsilon)))
    name_of = f"preview {name}"
    results = {"picture": picture, name_of: PIPELINE.still(params, name_of)[name_of]}
    ahead = figure(PageState(params=params, problem=iris, results=results))
    for shown, instead in ahead.previews[name].items():
        if instead:
            at = {"epsilon": params.epsilon, "stage": 2.25}
            here, there = ahead.evaluate(shown, at), ahead.evaluate(instead, at)
            if np.shape(here) != np.shape(there):  # room for the most records
                assert (np.isnan(there) | (shown == "labels"))[len(here) :].all()
                there = there[: len(here)]
            assert there == pytest.approx(here, abs=2 / 255, rel=1e-4, nan_ok=True), shown
    other = {"n_components": 1, "ridge": 8.0, "n_records": 100}[name]
    single = kahm.run_one(params.but(**{name: other}))
    seen = ahead.evaluate(f"points_by_{name}", {name: other, "stage": 3.0})
    there = np.isfinite(seen[:, 0])
    np.testing.assert_allclose(seen[there], single.stages[0, 3], rtol=1e-4, atol=1e-4)
    instead = ahead.previews[name].get("labels", "labels")  # the same at every n and τ
    labels = ahead.evaluate(instead, {name: other})[there]
    np.testing.assert_array_equal(labels, single.y)


def test_who_holds_what_is_counted(iris):
    found = kahm.run_holdings(iris, PARAMS)
    members = iris.y[iris.halves(0)[0]]
    assert (found.counts.sum((2, 3)) == len(members)).all()
    alone = found.counts[-1, -1]  # every class at one party
    assert ((alone > 0).sum(0) == 1).all()
    arrays = table.arrays(iris, None, None, None, found)
    assert arrays["held2"].values.max() == pytest.approx(1.0)
    assert arrays["distances"].values[PARTIES_GRID.index(10)] == 30


def test_accuracy_of_the_regions_is_read_where_a_classifier_was_built(picture, iris):
    params = PARAMS.but(n_records=40)
    regions = kahm.run_regions(params, (4.0, 20.0))
    found = live_figure(picture, iris, regions=regions)
    for epsilon, node in ((0.05, 0), (8.0, 0), (9.5, 1), (20.0, 1)):
        for k, kind in enumerate(("noisy", "published")):
            seen = found.evaluate(f"right_{kind}", {"epsilon": epsilon})
            assert seen == pytest.approx(regions.accuracy[node, k])


def test_figure_two_turns_in_plotly_too(picture):
    space = kahm.run_space(PARAMS)
    for number in range(3):
        sample, image = space_plots.space_plot(space, number).data
        np.testing.assert_array_equal(
            np.stack([sample.x, sample.y, sample.z], -1), space.samples[number]
        )
        np.testing.assert_array_equal(np.stack([image.x, image.y, image.z], -1), space.nets[number])
        assert (sample.type, sample.mode, image.mode) == ("scatter3d", "markers", "lines")
    text = space_plots.page(PARAMS)
    assert text.count("Plotly.newPlot") >= 3
    assert "https://cdn" not in text.split("<script", 1)[0]
