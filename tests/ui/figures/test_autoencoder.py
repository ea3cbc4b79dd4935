"""The autoencoder lab: what is drawn is what was computed, and it is small enough to travel."""

import numpy as np
import pytest

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams
from dpcore.grids import DELTA_GRID, EPSILON_GRID
from ui import live
from ui.autoencoder import Answer
from ui.figures import autoencoder as figure
from ui.figures import autoencoder_panels, common
from ui.views import autoencoder as view

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
    return live.Lab(
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
    assert [panel.key for panel in lab.panels] == ["invented", "useful", "worlds"]


def test_while_dragging_two_levels_say_the_same(lab):
    quick = view.lab(PARAMS, True)
    for name in ("large", "draws", "released", "bins", "true_epsilon", "ratio", "h_now"):
        np.testing.assert_allclose(quick.evaluate(name), lab.evaluate(name), atol=0.005)
    size = sum(array.values.nbytes for array in quick.arrays.values())
    assert size < 0.2 * sum(array.values.nbytes for array in lab.arrays.values())


def test_tables_and_the_figure_to_take_along():
    assert len(view.similar_table(PARAMS)) == 21
    table = view.found_table(PARAMS)
    assert len(table) == 3 * len(autoencoder.LEVELS)
    assert len(view.picture_figure(PARAMS).data) == 1
