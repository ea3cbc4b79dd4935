"""What a breathing picture shows are outcomes of the release that the card and the headline speak of."""

import numpy as np
import pytest

from dpcore.experiments import descent, kahm, matrix, regression, relevance
from dpcore.experiments.autoencoder import AutoencoderParams
from dpcore.experiments.descent import DescentParams
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.kahm import KahmParams
from dpcore.experiments.matrix import MatrixParams
from dpcore.experiments.regression import RegressionParams
from dpcore.experiments.relevance import RelevanceParams
from dpcore.kahm import fabricate
from pages import specs
from ui.live import OUTCOME
from ui.runner import Context, PageState

N_DRAWS = 8
FIGURES = {spec.key: spec.figure for spec in specs() if hasattr(spec, "figure")}
PIPELINES = {spec.key: spec.pipeline for spec in specs() if hasattr(spec, "pipeline")}


def over_outcomes(found, name, **values):
    """All outcomes of an array at some values of the controls."""
    array = found.arrays[name]
    (at,) = (k for k, dim in enumerate(array.dims) if dim == OUTCOME)
    place = [found._place(dim, {**found.values, **values}) for dim in array.dims[:at]]
    assert all(float(one).is_integer() for one in place), place
    return array.values[tuple(int(one) for one in place)]


@pytest.fixture(scope="module")
def relevance_state():
    params = RelevanceParams(dataset="iris", prototypes_per_class=1, epsilon=1.0, epochs=1)
    problem = relevance.problem_of(params)
    sweep = relevance.run_sweep(problem, params)
    person = relevance.chosen_person(problem, params)
    *_, outcomes = relevance.run_outcomes(problem, params, person, n_draws=N_DRAWS, threads=1)
    results = {"sweep": sweep, "outcomes": outcomes}
    return PageState(params=params, problem=problem, results=results)


def test_prototypes_breathe_with_the_noise_of_the_card(relevance_state):
    found, outcomes = FIGURES["relevance"](relevance_state), relevance_state["outcomes"]
    assert found.breathing.n_outcomes == N_DRAWS
    params, problem = relevance_state.params, relevance_state.problem
    at = found.evaluate("v_of")
    drawn = np.exp(np.interp(at, np.arange(len(outcomes.nodes)), np.log(outcomes.nodes)))
    assert drawn == pytest.approx(found.evaluate("sigma"), rel=1e-3)
    place = EPSILON_GRID.index(params.epsilon)
    account = relevance.guarantees(params, problem)[place]
    assert account.epsilon == pytest.approx(params.epsilon, rel=0.02)


def test_the_headline_of_prototypes_is_the_median_of_what_breathes(relevance_state):
    found, outcomes = FIGURES["relevance"](relevance_state), relevance_state["outcomes"]
    right = found.arrays["outcome_right"]
    assert right.dims == ("v", OUTCOME)
    np.testing.assert_allclose(right.values, (1 - outcomes.errors).T, rtol=1e-6)
    (known,) = (row for row in found.arrays["right"].values if np.isfinite(row).all())
    np.testing.assert_allclose(known, np.median(right.values, axis=1), rtol=1e-6)


def test_each_outcome_of_prototypes_is_one_of_the_draws_in_either_world(relevance_state):
    found = FIGURES["relevance"](relevance_state)
    for ours, drawn in (
        ("outcome_proto", "with_record"),
        ("outcome_proto_without", "without_record"),
    ):
        np.testing.assert_array_equal(found.arrays[ours].values, found.arrays[drawn].values)


def test_borders_breathe_with_the_noise_of_the_card():
    params = DescentParams(model="logistic", n_steps=10, budget=1.0)
    problem = descent.named_problem(params.dataset, params.model)
    *_, outcomes = descent.run_outcomes(problem, params, n_draws=N_DRAWS)
    results = {"sweep": descent.run(params), "outcomes": outcomes}
    found = FIGURES["descent"](PageState(params=params, problem=problem, results=results))
    assert found.breathing.n_outcomes == N_DRAWS
    levels = descent.levels(params)
    drawn = np.exp(np.interp(found.evaluate("v_of"), np.arange(len(levels)), np.log(levels)))
    assert drawn == pytest.approx(found.evaluate("noise_now"), rel=1e-4)
    for name, fields in (
        ("outcome_field", outcomes.fields),
        ("outcome_field_without", outcomes.fields_without),
    ):
        assert found.breathing.without["field"] == "outcome_field_without"
        bytes_seen = found.arrays[name].values.swapaxes(0, 1) / 255
        np.testing.assert_allclose(bytes_seen, fields, atol=1 / 500)
    right = found.arrays["outcome_right"].values
    np.testing.assert_allclose(right, outcomes.accuracy.T, rtol=1e-6)


def test_ada_is_the_record_that_the_other_world_lacks(relevance_state):
    params = DescentParams(model="logistic", n_steps=10, person=50)
    problem = descent.named_problem(params.dataset, params.model)
    *_, outcomes = descent.run_outcomes(problem, params, n_draws=N_DRAWS)
    results = {"sweep": descent.run(params), "outcomes": outcomes}
    state = PageState(params=params, problem=problem, results=results)
    person = relevance.chosen_person(relevance_state.problem, relevance_state.params)
    for key, shown, row in (
        ("descent", state, descent.chosen_person(problem, params)),
        ("relevance", relevance_state, person.row),
    ):
        found = FIGURES[key](shown)
        assert found.breathing.person == "chosen"
        assert found.breathing.without["points"] == "points_without"
        whole, rest = (found.arrays[name].values for name in ("points", "points_without"))
        assert np.flatnonzero(np.isnan(rest).any(axis=1)).tolist() == [row]
        np.testing.assert_allclose(found.arrays["chosen"].values[0], whole[row][:2], atol=1e-6)
        np.testing.assert_array_equal(found.arrays["records"].values, whole)


@pytest.mark.parametrize("record", [1, 17, 10**5])
def test_the_person_of_a_link_has_a_name_and_differs_alone(record):
    params = DescentParams(model="logistic", n_steps=10, record=record)
    problem = descent.named_problem(params.dataset, params.model)
    *_, outcomes = descent.run_outcomes(problem, params, n_draws=N_DRAWS)
    results = {"sweep": descent.run(params), "outcomes": outcomes}
    found = FIGURES["descent"](PageState(params=params, problem=problem, results=results))
    row = min(record, len(problem.X)) - 1
    np.testing.assert_allclose(found.arrays["chosen"].values[0], problem.X[row, :2], atol=1e-6)
    name = found.breathing.take_out.split()[1]
    assert name != "Ada"
    assert f"without {name}" in found.breathing.label_without
    (ring,) = (layer for layer in found.panels[0].layers if getattr(layer, "xy", "") == "chosen")
    assert ring.label == name


def test_another_person_is_left_out_of_the_same_noise_at_the_same_cost():
    """Draw for draw the trainings with everybody are the same, whoever is left out of the others."""
    one, other = (DescentParams(model="logistic", n_steps=10, record=k) for k in (3, 30))
    problem = descent.named_problem(one.dataset, one.model)
    here, there = (
        [*descent.run_outcomes(problem, params, n_draws=3)][-1] for params in (one, other)
    )
    np.testing.assert_array_equal(here.fields, there.fields)
    assert (here.fields_without != there.fields_without).any()
    assert descent.guarantees(one) == descent.guarantees(other)


def test_another_person_is_left_out_of_the_same_noise_on_the_prototype_page(relevance_state):
    params, problem = relevance_state.params, relevance_state.problem
    worlds = []
    for record in (3, 30):
        person = relevance.chosen_person(problem, params.but(record=record))
        assert person.row == record - 1
        nodes = np.array([1.0])
        *_, found = relevance.run_outcomes(problem, params, person, n_draws=2, nodes=nodes)
        worlds.append(found)
    np.testing.assert_allclose(worlds[0].with_record, worlds[1].with_record, atol=1e-5)
    assert (worlds[0].without_record != worlds[1].without_record).any()


def test_a_bet_is_held_to_what_the_guarantee_allows(relevance_state):
    found = FIGURES["relevance"](relevance_state)
    (panel,) = (one for one in found.panels if one.bets)
    assert panel.key == "private"
    bound = float(found.evaluate(panel.bets.best))
    guarantee = relevance.guarantee(relevance_state.params, relevance_state.problem)
    assert bound == pytest.approx(guarantee.accuracy_bound(), abs=1e-6)
    assert panel.bets.rounds == 10
    assert "flower" in panel.bets.words["last"]  # the unit that ε counts
    assert panel.bets.hides == ("with_record",)  # the outcome itself is among these marks


def test_a_bet_on_what_is_not_proved_has_no_bound():
    params = DescentParams(model="logistic", n_steps=10, parts="clip")
    problem = descent.named_problem(params.dataset, params.model)
    *_, outcomes = descent.run_outcomes(problem, params, n_draws=N_DRAWS)
    results = {"sweep": descent.run(params), "outcomes": outcomes}
    found = FIGURES["descent"](PageState(params=params, problem=problem, results=results))
    bets = found.panels[0].bets
    assert np.isnan(found.evaluate(bets.best))
    assert "{most}" not in bets.words["score"] + bets.words["last"]


def test_relevances_breathe_in_both_worlds():
    params = MatrixParams(dataset="iris", epochs=1)
    problem = matrix.problem_of(params)
    *_, outcomes = matrix.run_outcomes(problem, params, n_draws=N_DRAWS)
    results = {"study": matrix.draft_study(problem, params), "outcomes": outcomes}
    found = FIGURES["matrix"](PageState(params=params, problem=problem, results=results))
    assert found.breathing.n_outcomes == N_DRAWS
    assert found.breathing.dots == "places"
    assert [panel.key for panel in found.panels[:3]] == ["profile", "private_map", "heat"]
    both = {found.breathing.instead["profile"]: outcomes.profiles,
            found.breathing.without["profile"]: outcomes.without_record_profiles}  # fmt: skip
    for name, profiles in both.items():
        drawn = np.sort(found.arrays[name].values[..., ::2], axis=-1)
        np.testing.assert_allclose(drawn, np.sort(profiles.swapaxes(0, 1), axis=-1), rtol=1e-5)


@pytest.mark.parametrize("method", ["printed", "gaussian", "descent"])
def test_lines_breathe_with_the_noise_of_the_card(method):
    params = RegressionParams(
        dataset="diabetes", n_features=1, n_samples=200, method=method, epsilon=0.5
    )
    problem, fits = regression.problem_of(params), regression.run(params)
    found = FIGURES["regression"](PageState(params=params, problem=problem, results={"fits": fits}))
    assert found.breathing.n_outcomes == len(fits.coefficients)
    lines, off = over_outcomes(found, "outcome_line"), over_outcomes(found, "outcome_off")
    np.testing.assert_allclose(found.evaluate("lines_y").reshape(-1, 3)[:, :2], lines, rtol=1e-6)
    np.testing.assert_allclose(
        found.evaluate("line_y"), lines[0], rtol=1e-6
    )  # this draw is one of them
    assert float(found.evaluate("private_off")) == pytest.approx(np.median(off), rel=1e-6)
    assert float(found.evaluate("draw_off")) == pytest.approx(float(off[0]), rel=1e-6)


@pytest.mark.parametrize("method", ["joint", "gaussian", "output", "descent"])
def test_lines_of_the_other_world_have_somebody_else_in_adas_place(method):
    params = RegressionParams(dataset="diabetes", n_samples=100, method=method, person=10)
    problem, fits = regression.problem_of(params), regression.run(params)
    setting, n = problem.setting(params), len(fits.coefficients)
    found = FIGURES["regression"](
        PageState(
            params=params, problem=problem,
            results={"fits": fits, "other_fits": regression.other_fits(setting, params, n, n)},
        )
    )  # fmt: skip
    assert regression.guarantee(params, problem).neighbouring == "replace_one"
    whole, other = (found.arrays[name].values for name in ("points", "points_without"))
    (row,) = np.flatnonzero((whole != other).any(axis=1))  # one record differs, and none is missing
    np.testing.assert_allclose(found.arrays["chosen"].values[0], whole[row], rtol=1e-6)
    np.testing.assert_allclose(found.arrays["stranger_there"].values[0], other[row], rtol=1e-6)
    assert np.isnan(found.arrays["stranger"].values).all()
    x = np.column_stack([np.ones(len(other)), other[:, 0]])
    y = x @ np.linalg.lstsq(x, other[:, 1], rcond=None)[0]
    line = np.interp(other[:, 0], found.evaluate("ends"), found.arrays["best_y_without"].values)
    np.testing.assert_allclose(line, y, rtol=1e-3)
    here, there = (over_outcomes(found, name) for name in ("outcome_line", "outcome_line_without"))
    assert here.shape == there.shape
    assert not np.array_equal(here, there)


def at_one_noise(params):
    """Affine hulls with the picture at one ε, and its outcomes."""
    picture = kahm.run_one(params)
    outcomes = PIPELINES["kahm"].stage("outcomes").run(None, params, Context(source=picture))
    data = kahm.study_table("iris")
    return PageState(
        params=params, problem=data, results={"picture": picture, "outcomes": outcomes}
    )


def test_invented_people_breathe_with_the_noise_of_the_card():
    params = KahmParams(n_records=40, epsilon=4.0, stage=3.0, person=3)
    state = at_one_noise(params)
    found, outcomes = FIGURES["kahm"](state), state["outcomes"].below
    assert found.breathing.at.items() >= {"epsilon": 4.0, "stage": 3.0}.items()
    assert found.breathing.n_outcomes == len(outcomes.points[0]) >= N_DRAWS
    X, y = kahm.picture_data(params.shape, params.n_records)
    options = kahm.hull_options(params, params.n_components)
    made = fabricate(
        X, y, epsilon=4.0, rng=np.random.default_rng((params.seed, 1)), rounds=2, options=options
    )
    np.testing.assert_allclose(outcomes.points[0, 0], made.X, atol=1e-6)
    assert kahm.guarantee(params).epsilon == pytest.approx(made.guarantee.epsilon)
    np.testing.assert_allclose(found.arrays["outcome_points"].values[0], made.X, atol=1e-5)
    whole, other = (found.arrays[f"points_original{end}"].values for end in ("", "_without"))
    assert np.flatnonzero((whole != other).any(axis=1)).tolist() == [3]
    assert FIGURES["kahm"](at_one_noise(params.but(stage=0.0))).breathing is None


def test_between_two_stages_an_outcome_is_on_its_way():
    params = KahmParams(n_records=40, epsilon=4.0)
    low, middle, high = (
        FIGURES["kahm"](at_one_noise(params.but(stage=stage))).arrays for stage in (2.0, 2.5, 3.0)
    )
    ends = (one["outcome_points"].values for one in (low, high))
    np.testing.assert_allclose(middle["outcome_points"].values, sum(ends) / 2, atol=1e-5)


def test_ten_pictures_breathe_and_one_of_them_is_exchanged():
    params = AutoencoderParams(epsilon=1.6, digit=3)
    state = PIPELINES["autoencoder"].still(params)
    found = FIGURES["autoencoder"](state)
    assert found.breathing.at == {"epsilon": 1.6, "delta": 1e-5}
    assert found.breathing.n_outcomes >= N_DRAWS
    half = 0.5 / 255 + 1e-6
    first = found.arrays["outcome_released"].values[0] / 255
    np.testing.assert_allclose(first, found.evaluate("released"), atol=2 * half)
    shown, other = (found.arrays[name].values for name in ("outcome_released", "other_released"))
    assert np.flatnonzero((shown != other).any(axis=(0, 1, 3))).tolist() == [3]
    second = state.problem.everyone[state["pictures"].pair.row]
    np.testing.assert_allclose(found.arrays["other_people"].values[0, 3] / 255, second, atol=half)
    assert found.arrays["chosen"].values.tolist() == [3]


@pytest.mark.parametrize("record", [1, 40, 10**5])
def test_a_chosen_record_alone_is_replaced_under_the_same_noise(record):
    params = RegressionParams(n_samples=100, record=record)
    setting = regression.problem_of(params).setting(params)
    here = regression.run(params).coefficients
    row = min(record, setting.n_samples) - 1
    person = regression.attacks.replaced(setting, params)
    assert person.row == row
    np.testing.assert_array_equal(person.home, setting.shown[row])
    np.testing.assert_array_equal(person.away, [1.0, -1.0])  # the corner, from everywhere
    same = params.but(person_dx=0.0, person_dy=0.0)
    there = regression.other_fits(setting, same, len(here), len(here)).coefficients
    np.testing.assert_allclose(there, here, rtol=1e-9, atol=1e-12)
    moved = regression.other_fits(setting, params, len(here), len(here))
    assert (moved.coefficients != here).any()
    heights = np.array([[1.0, -1.0], [1.0, 1.0]]) @ (moved.best - setting.best)
    assert np.abs(heights).max() > 0.02  # more than a hundredth of the axis: it is seen


def test_the_choice_of_a_record_ends_with_the_data_and_its_replacement_with_the_choice():
    before = RegressionParams(record=7, person_dx=0.5, person_dy=0.5)
    assert before.but(dataset="synth1d").following(before).record == 0
    after = before.but(record=8).following(before)
    assert (after.record, after.person_dx, after.person_dy) == (8, 2.0, -2.0)
    assert before.but(epsilon=2.0).following(before) == before.but(epsilon=2.0)


def bets_of(key, state):
    """The figure of a page, and its panel with bets on outcomes."""
    found = FIGURES[key](state)
    (panel,) = (one for one in found.panels if one.bets and not one.bets.inside)
    return found, panel


@pytest.mark.parametrize("method", ["joint", "gaussian"])
def test_bets_on_lines_are_held_to_the_guarantee_of_the_line(method):
    params = RegressionParams(n_samples=100, method=method, record=5)
    state = PIPELINES["regression"].still(params)
    found, panel = bets_of("regression", state)
    promised = regression.guarantee(params, state.problem)
    assert promised.neighbouring == "replace_one"
    assert float(found.evaluate(panel.bets.best)) == pytest.approx(
        promised.accuracy_bound(), abs=1e-6
    )
    assert panel.bets.hides == ("lines_y",)  # the line itself is one of them
    assert "somebody else" in panel.bets.question
    assert found.breathing.record == "record"
    name = found.breathing.put_back.split()[1]
    assert name != "Ada"
    assert all(f"belongs to {name} and" in text for text in found.texts[0].strings)


def test_bets_on_invented_people_are_held_to_the_guarantee_of_a_whole_record():
    params = KahmParams(n_records=40, epsilon=1.0, stage=3.0, person=12)
    found, panel = bets_of("kahm", at_one_noise(params))
    promised = kahm.guarantee(params)
    assert promised.neighbouring == "replace_one"
    bound = float(found.evaluate(panel.bets.best))
    assert bound == pytest.approx(promised.accuracy_bound(), abs=1e-6)
    assert found.breathing.record == "person"
    assert found.arrays[found.breathing.numbers].values.tolist() == list(range(40))
    assert params.but(person=199).row == 39


def test_only_the_class_of_the_replaced_person_moves_under_the_same_noise():
    params = KahmParams(n_records=40, epsilon=4.0, person=12)
    outcomes = kahm.run_outcomes(params, 2)
    _, y = kahm.picture_data(params.shape, params.n_records)
    here, there = outcomes.points
    moved = (here != there).any(axis=(0, 2))
    assert moved[12]
    assert not moved[y != y[12]].any()
    noisy = kahm.run_outcomes(params, 0).points
    np.testing.assert_array_equal(
        np.flatnonzero((noisy[0] != noisy[1]).any(axis=(0, 2))), [12]
    )  # without smoothing nobody else's record differs


def test_a_bet_on_ten_pictures_has_no_proved_bound():
    params = AutoencoderParams(epsilon=1.6, digit=3)
    found, panel = bets_of("autoencoder", PIPELINES["autoencoder"].still(params))
    assert np.isnan(found.evaluate(panel.bets.best))
    assert "{most}" not in panel.bets.words["score"] + panel.bets.words["last"]
    assert panel.bets.question.endswith("the 3, or with another picture instead?")
    assert found.breathing.record == "digit"
    assert found.arrays[found.breathing.numbers].values.tolist() == list(range(10))


def test_the_ring_is_where_the_invented_peoples_original_is():
    params = KahmParams(n_records=40, epsilon=4.0, person=12)
    found = FIGURES["kahm"](at_one_noise(params))
    X, _ = kahm.picture_data(params.shape, params.n_records)
    np.testing.assert_allclose(found.evaluate("chosen", {"stage": 0.0}), X[[12]], rtol=1e-6)
