"""The autoencoder lab: what is drawn is what was computed, and it is small enough to travel."""

import threading
import time

import numpy as np
import pytest

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams
from dpcore.grids import DELTA_GRID, EPSILON_GRID
from pages.autoencoder import figure, view
from pages.autoencoder import figure_panels as autoencoder_panels
from pages.autoencoder import pipeline as compute
from pages.autoencoder.pipeline import Answer
from ui import live
from ui.figure_kit import common
from ui.jobs import Jobs

PARAMS = AutoencoderParams(epsilon=1.6, kind="output", draws=3)


def made_answer(params, **more):
    problem = autoencoder.digits_problem()
    sweep = autoencoder.run_sweep(problem, params)
    return Answer(
        problem, sweep, autoencoder.similarity_of(sweep),
        autoencoder.baselines(problem, params.digit), autoencoder.run_pair(problem, params), **more,
    )  # fmt: skip


def made_lab(params, answer):
    arrays = figure.arrays(params, answer)
    return live.Figure(
        controls=view.controls_for(params),
        values=common.values(params),
        arrays=arrays,
        coords={} if params.real else figure.COORDS,
        panels=autoencoder_panels.panels(params, answer, arrays),
        readouts=figure.readouts(params, answer),
        texts=figure.odds(params, answer),
    )


@pytest.fixture(scope="module")
def answer():
    found = None
    problem = autoencoder.digits_problem()
    for step, found in enumerate(autoencoder.run_attacks(problem, 0)):  # noqa: B007
        if step == 12:
            break
    return made_answer(PARAMS, attacks=found)


@pytest.fixture(scope="module")
def lab(answer):
    return made_lab(PARAMS, answer)


@pytest.mark.parametrize("epsilon", [0.05, 1.6, 8.0])
@pytest.mark.parametrize("kind", KINDS)
def test_pictures_are_the_sweeps_own(answer, lab, epsilon, kind):
    sweep, k = answer.sweep, KINDS.index(kind)
    node = int(autoencoder.place_of(epsilon, 1e-5, sweep.nodes))
    here = {"epsilon": epsilon, "kind": kind}
    half = 0.5 / 255 + 1e-6  # pictures travel as bytes
    np.testing.assert_allclose(lab.evaluate("draws", here), sweep.draws[node, k], atol=half)
    np.testing.assert_allclose(lab.evaluate("released", here), sweep.released[node], atol=half)
    large = lab.evaluate("large", here)
    np.testing.assert_allclose(large[0], sweep.draws[node, k, 0], atol=half)
    np.testing.assert_allclose(large[1], sweep.draws[node, k, :3].mean(0), atol=half)


def test_gauges_are_the_results(answer, lab):
    e, k = EPSILON_GRID.index(1.6), KINDS.index("output")
    true = answer.pair.epsilon[e, DELTA_GRID.index(1e-5), k]
    assert lab.evaluate("true_epsilon") == pytest.approx(true, rel=1e-5)
    other = answer.pair.epsilon[e, 0, k]
    assert lab.evaluate("true_epsilon", {"delta": 1e-8}) == pytest.approx(other, rel=1e-5)
    v = autoencoder.LEVELS.index(1.6)
    assert lab.evaluate("alone_now") == pytest.approx(answer.attacks.alone[v, k], abs=1e-5)
    assert lab.evaluate("averages_now") == pytest.approx(answer.attacks.averages[v, k, 1], abs=1e-5)
    node = int(autoencoder.place_of(1.6, 1e-5, answer.sweep.nodes))
    price = lab.evaluate("method_error") + lab.evaluate("noise_error")
    assert price == pytest.approx(answer.similar.error[node, k], abs=1e-5)


def test_delta_moves_the_noise_as_the_formula_says(lab):
    there = {"delta": 1e-8}
    factor = np.sqrt(np.log(1.25e8) / np.log(1.25e5))
    assert lab.evaluate("sigma", there) / lab.evaluate("sigma") == pytest.approx(factor, rel=1e-4)
    assert lab.evaluate("u_of", there) < lab.evaluate("u_of")


def test_a_lab_without_attackers_yet_is_whole(answer):
    early = made_lab(PARAMS, made_answer(PARAMS))
    assert np.isnan(early.evaluate("alone_now"))
    assert "still at work" in early.texts[1].strings[0]


def test_sentences_are_of_these_numbers(answer, lab):
    share = answer.attacks.alone[autoencoder.LEVELS.index(1.6), KINDS.index("output")]
    words = lab.texts[1].strings[EPSILON_GRID.index(1.6) * 3 + KINDS.index("output")]
    assert f"finds {share:.0%}".replace("%", " %") in words


def test_the_sweep_stays_small(lab):
    assert sum(array.values.nbytes for array in lab.arrays.values()) < 2e6


def test_stopping_the_training_of_mnist_goes_back_to_the_digits(monkeypatch):
    jobs = Jobs()
    monkeypatch.setattr(compute.shell, "jobs", lambda: jobs)
    params = PARAMS.but(dataset="mnist")
    begun = threading.Event()

    def work(report, cancelled):
        begun.set()
        while not cancelled():
            time.sleep(0.01)

    monkeypatch.setattr(compute, "_training", lambda params: work)
    assert compute.problem_of(params).name == "digits"
    assert begun.wait(30)
    assert view.act("cancel", params) == params.but(dataset="digits")
    begun.clear()
    compute.problem_of(params)  # chosen again: trained again
    assert begun.wait(30)
    view.act("cancel", params)
    assert view.act("cancel", PARAMS) == PARAMS


def test_the_generators_lab_shows_its_pictures():
    params = PARAMS.but(real=True)
    found = next(autoencoder.run_synthetic(autoencoder.digits_problem(), params))
    lab = made_lab(params, made_answer(params, synthetic=found))
    e = EPSILON_GRID.index(1.6)
    np.testing.assert_allclose(lab.evaluate("invented"), found.pictures[e], atol=0.002)
    assert lab.evaluate("ratio") == pytest.approx(1 / 2.4, abs=0.2)
    assert {c.name for c in lab.controls if c.hidden} == {
        "kind",
        "digit",
        "draws",
        "other",
        "trained_on",
    }
    assert [panel.key for panel in lab.panels] == ["invented", "useful", "audit", "worlds"]


SHOWN = (
    "large", "large_still", "draws", "seven", "two", "bins", "own_bins", "ratio", "true_epsilon",
    "h_now", "h_middle", "method_error", "noise_error", "pair_curve", "bell_there", "dots_here",
)  # fmt: skip


def test_while_dragging_the_present_noise_says_the_same(lab):
    quick = view.lab(PARAMS, True)
    for name in SHOWN:
        np.testing.assert_allclose(quick.evaluate(name), lab.evaluate(name), atol=0.005)
    size = sum(array.values.nbytes for array in quick.arrays.values())
    assert size < 0.4 * sum(array.values.nbytes for array in lab.arrays.values())


def drawn_ahead(params, name):
    problem = autoencoder.digits_problem()
    stages = []
    compute._line(problem, params, name)(stages.append, lambda: False)
    assert [stage.fraction for stage in stages] == sorted(stage.fraction for stage in stages)
    return {name: stages[-1].value}


@pytest.mark.parametrize("delta", [1e-5, 1e-6])
@pytest.mark.parametrize(("name", "value"), [("digit", 0), ("digit", 7), ("person", 10)])
def test_what_a_handle_draws_ahead_is_what_python_draws(name, value, delta):
    params = PARAMS.but(delta=delta)
    lines = drawn_ahead(params, name)
    ahead = view.drawn(params, made_answer(params, lines=lines))
    there = params.but(**{name: value})
    wanted = made_lab(there, made_answer(there))
    stands = ahead.previews[name]
    near = 0.006 if delta == 1e-5 else 0.03  # between two noise levels the lab itself is that close
    for shown in SHOWN:  # what this handle does not move is not drawn ahead
        found = ahead.evaluate(stands.get(shown, shown), {name: value})
        np.testing.assert_allclose(found, wanted.evaluate(shown), atol=near, err_msg=shown)
    sentence = ahead.texts[0].along[name].strings[params.controls()[name].grid.index(value)]
    e, k = EPSILON_GRID.index(params.epsilon), KINDS.index(params.kind)
    assert sentence == wanted.texts[0].strings[3 * e + k]


def test_what_is_drawn_ahead_stays_small():
    lines = {name: drawn_ahead(PARAMS, name)[name] for name in compute.LINES}
    lab = view.drawn(PARAMS, made_answer(PARAMS, lines=lines))
    size = sum(a.values.nbytes for name, a in lab.arrays.items() if "_by_" in name)
    assert 0 < size < 6e5


def test_a_cancelled_line_reports_nothing_to_draw():
    stages = []
    problem = autoencoder.digits_problem()
    compute._line(problem, PARAMS, "digit")(stages.append, lambda: True)
    assert stages == []


def test_the_generator_draws_its_people_ahead():
    params = PARAMS.but(real=True)
    found = next(autoencoder.run_synthetic(autoencoder.digits_problem(), params))
    lines = drawn_ahead(params, "person")
    lab = view.drawn(params, made_answer(params, synthetic=found, lines=lines))
    assert set(lab.previews["person"]) == {"originals"}
    there = made_lab(params.but(person=2), made_answer(params.but(person=2), synthetic=found))
    ahead = lab.evaluate("originals_by_person", {"person": 2})
    np.testing.assert_allclose(ahead, there.evaluate("originals"), atol=1e-6)


def test_the_audits_sentence_says_what_was_demonstrated():
    curve = np.full(len(EPSILON_GRID), 0.3)
    e = EPSILON_GRID.index(1.0)
    curve[e], curve[0] = 1.2, 0.0
    audit = autoencoder.Audit(certified=curve, reach=1.0, digit=0, done=1.0)
    params = PARAMS.but(real=True)
    strings = made_lab(params, made_answer(params, audit=audit)).texts[1].strings
    assert "at least ε = 1.2, with confidence 95%" in strings[e]
    assert "refuted" in strings[e]
    assert "survives" in strings[e + 3]
    assert "nothing" in strings[0]
    assert "at work" in made_lab(params, made_answer(params)).texts[1].strings[0]


def test_tables_and_the_figure_to_take_along():
    assert len(view.similar_table(PARAMS)) == 21
    table = view.found_table(PARAMS)
    assert len(table) == 3 * len(autoencoder.LEVELS)
    assert len(view.picture_figure(PARAMS).data) == 1
