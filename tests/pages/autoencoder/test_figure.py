"""The live figure of the autoencoder page: what is drawn is what was computed, and it is small enough to travel."""

import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams, rivals
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from pages.autoencoder.figure import figure
from pages.autoencoder.pipeline import PIPELINE
from pages.autoencoder.words import bundle, meaning
from ui.jobs import pools
from ui.jobs.pool import Jobs

PARAMS = AutoencoderParams(epsilon=1.6, kind="output", draws=3)


def known(params, **more):
    state = PIPELINE.still(params)
    return replace(state, results={"pictures": state["pictures"], **more})


@pytest.fixture(scope="module")
def answer():
    found = None
    problem = autoencoder.digits_problem()
    for step, found in enumerate(autoencoder.run_attacks(problem, 0)):  # noqa: B007
        if step == 12:
            break
    return known(PARAMS, attacks=found)


@pytest.fixture(scope="module")
def live_figure(answer):
    return figure(answer)


@pytest.mark.parametrize("epsilon", [0.05, 1.6, 8.0])
@pytest.mark.parametrize("kind", KINDS)
def test_pictures_are_the_sweeps_own(answer, live_figure, epsilon, kind):
    sweep, k = answer["pictures"].sweep, KINDS.index(kind)
    node = int(autoencoder.place_of(epsilon, 1e-5, sweep.nodes))
    here = {"epsilon": epsilon, "kind": kind}
    half = 0.5 / 255 + 1e-6  # pictures travel as bytes
    np.testing.assert_allclose(
        live_figure.evaluate("thirty", here), sweep.draws[node, k], atol=half
    )
    np.testing.assert_allclose(
        live_figure.evaluate("released", here), sweep.released[node], atol=half
    )
    large = live_figure.evaluate("large", here)
    np.testing.assert_allclose(large[0], sweep.draws[node, k, 0], atol=half)
    np.testing.assert_allclose(large[1], sweep.draws[node, k, :3].mean(0), atol=half)


def test_gauges_are_the_results(answer, live_figure):
    e, k = EPSILON_GRID.index(1.6), KINDS.index("output")
    true = answer["pictures"].pair.epsilon[e, DELTA_GRID.index(1e-5), k]
    assert live_figure.evaluate("true_epsilon") == pytest.approx(true, rel=1e-5)
    other = answer["pictures"].pair.epsilon[e, 0, k]
    assert live_figure.evaluate("true_epsilon", {"delta": 1e-8}) == pytest.approx(other, rel=1e-5)
    v = autoencoder.LEVELS.index(1.6)
    assert live_figure.evaluate("alone_now") == pytest.approx(
        answer["attacks"].alone[v, k], abs=1e-5
    )
    assert live_figure.evaluate("averages_now") == pytest.approx(
        answer["attacks"].averages[v, k, 1], abs=1e-5
    )
    node = int(autoencoder.place_of(1.6, 1e-5, answer["pictures"].sweep.nodes))
    price = live_figure.evaluate("method_error") + live_figure.evaluate("noise_error")
    assert price == pytest.approx(answer["pictures"].similar.error[node, k], abs=1e-5)


def test_delta_moves_the_noise_as_the_formula_says(live_figure):
    there = {"delta": 1e-8}
    factor = np.sqrt(np.log(1.25e8) / np.log(1.25e5))
    assert live_figure.evaluate("sigma", there) / live_figure.evaluate("sigma") == pytest.approx(
        factor, rel=1e-4
    )
    assert live_figure.evaluate("u_of", there) < live_figure.evaluate("u_of")


def test_a_lab_without_attackers_yet_is_whole(answer):
    early = figure(known(PARAMS))
    assert np.isnan(early.evaluate("alone_now"))
    assert "still at work" in meaning(known(PARAMS)).strings[0]


def test_sentences_are_of_these_numbers(answer, live_figure):
    share = answer["attacks"].alone[autoencoder.LEVELS.index(1.6), KINDS.index("output")]
    words = meaning(answer).strings[EPSILON_GRID.index(1.6) * 3 + KINDS.index("output")]
    assert f"in {100 * share:.0f} of 100 cases" in words


def test_the_sweep_stays_small(live_figure):
    assert sum(array.values.nbytes for array in live_figure.arrays.values()) < 2e6


def test_stopping_the_training_of_mnist_goes_back_to_the_digits(monkeypatch):
    jobs = Jobs()
    monkeypatch.setattr(pools, "shared_jobs", lambda: jobs)
    params = PARAMS.but(dataset="mnist")
    begun = threading.Event()

    def training(dataset, trained_on, *, progress):
        begun.set()
        while True:
            progress(0.5, 0.1)
            time.sleep(0.01)  # a loop that spins would keep all other threads from their turn

    monkeypatch.setattr(autoencoder, "named_problem", training)
    state = PIPELINE.state(params)
    assert state.problem.name == "digits"
    assert "Until MNIST is there" in state.busy.text
    assert dict(figure(state).values)["dataset"] == "mnist"  # what was asked for stays chosen
    assert begun.wait(120)
    # Once only: after the training has ended, stopping changes no parameter any more.
    back = PIPELINE.cancel(params)
    assert back == params.but(dataset="digits")
    PIPELINE.state(back)
    begun.clear()
    for _ in range(
        1200
    ):  # the page asks again and again: what was stopped may take a moment to end
        PIPELINE.state(params)  # chosen again: trained again
        if begun.wait(0.1):
            break
    assert begun.is_set()
    PIPELINE.cancel(params)
    assert PIPELINE.cancel(PARAMS) == PARAMS
    jobs.close()


def test_the_generators_lab_shows_its_pictures():
    params = PARAMS.but(real=True)
    found = next(autoencoder.run_synthetic(autoencoder.digits_problem(), params))
    live_figure = figure(known(params, synthetic=found))
    e = EPSILON_GRID.index(1.6)
    np.testing.assert_allclose(live_figure.evaluate("invented"), found.pictures[e], atol=0.002)
    assert live_figure.evaluate("ratio") == pytest.approx(1 / 2.4, abs=0.2)
    assert {c.name for c in live_figure.controls if c.hidden} == {
        "kind",
        "digit",
        "draws",
        "other",
        "trained_on",
    }
    assert [panel.key for panel in live_figure.panels] == ["invented", "useful", "audit", "worlds"]


SHOWN = (
    "large", "large_still", "thirty", "two", "bins", "own_bins", "ratio", "true_epsilon",
    "h_now", "h_middle", "method_error", "noise_error", "pair_curve", "bell_there", "dots_here",
)  # fmt: skip


def test_while_dragging_the_present_noise_says_the_same(live_figure, monkeypatch):
    jobs = Jobs()  # that know of no picture yet
    monkeypatch.setattr(pools, "shared_jobs", lambda: jobs)
    quick = figure(PIPELINE.state(PARAMS, dragging=True))
    jobs.close()
    for name in SHOWN:
        np.testing.assert_allclose(quick.evaluate(name), live_figure.evaluate(name), atol=0.005)
    size = sum(array.values.nbytes for array in quick.still().arrays.values())
    assert size < 0.42 * sum(array.values.nbytes for array in live_figure.arrays.values())


def ahead_of(params, name, **more):
    stage = f"preview {name}"
    return figure(known(params, **{stage: PIPELINE.still(params, stage)[stage]}, **more))


@pytest.mark.parametrize("delta", [1e-5, 1e-6])
@pytest.mark.parametrize(("name", "value"), [("digit", 0), ("digit", 7), ("person", 10)])
def test_what_a_handle_draws_ahead_is_what_python_draws(name, value, delta):
    params = PARAMS.but(delta=delta)
    ahead = ahead_of(params, name)
    there = params.but(**{name: value})
    wanted = figure(known(there))
    stands = ahead.previews[name]
    near = (
        0.006 if delta == 1e-5 else 0.03
    )  # between two noise levels the live figure itself is that close
    for shown in SHOWN:  # what this handle does not move is not drawn ahead
        found = ahead.evaluate(stands.get(shown, shown), {name: value})
        np.testing.assert_allclose(found, wanted.evaluate(shown), atol=near, err_msg=shown)
    odds, place = ahead.texts[0].along[name], params.controls()[name].grid.index(value)
    here = 3 * EPSILON_GRID.index(params.epsilon) + KINDS.index(params.kind)
    assert odds.strings[place] == wanted.texts[0].strings[here]
    assert odds.bounds[place] == wanted.texts[0].bounds[here]


@pytest.mark.parametrize("name", ["digit", "person"])
def test_what_is_drawn_ahead_stays_small(name):
    made = ahead_of(PARAMS, name)
    size = sum(a.values.nbytes for key, a in made.arrays.items() if "_by_" in key)
    assert 0 < size < 3e5


def test_the_generator_draws_its_people_ahead():
    params = PARAMS.but(real=True)
    found = next(autoencoder.run_synthetic(autoencoder.digits_problem(), params))
    live_figure = ahead_of(params, "person", synthetic=found)
    assert set(live_figure.previews["person"]) == {"originals"}
    there = figure(known(params.but(person=2), synthetic=found))
    ahead = live_figure.evaluate("originals_by_person", {"person": 2})
    np.testing.assert_allclose(ahead, there.evaluate("originals"), atol=1e-6)


def test_what_a_claim_would_allow_is_a_sentence_at_both_ends(live_figure):
    strings = live_figure.texts[0].strings
    assert strings[0].startswith(
        "If the claimed ε = 0.05 were true, somebody who thinks it is 50 to 50 could get to 51.3 % at most, but "
        "for rare"
    )
    assert strings[-1].startswith(
        "If the claimed ε = 20 were true, somebody who thinks it is 50 to 50 could become practically certain. What"
    )


def test_what_is_true_of_two_pictures_has_its_rare_results_in_the_same_words(live_figure):
    for text in live_figure.texts[0].strings:
        faced = text.partition("What is true of two pictures")[2]
        assert "{after} Results beyond this limit are possible" in faced


def test_the_audits_sentence_says_what_was_demonstrated():
    curve = np.full(len(EPSILON_GRID), 0.3)
    e = EPSILON_GRID.index(1.0)
    curve[e], curve[0] = 1.2, 0.0
    audit = autoencoder.Audit(certified=curve, reach=1.0, digit=0, done=1.0)
    params = PARAMS.but(real=True)
    strings = figure(known(params, audit=audit)).texts[1].strings
    assert "at least ε = 1.2, with confidence 95 %" in strings[e]
    assert "refuted" in strings[e]
    assert "survives" in strings[e + 3]
    assert "nothing" in strings[0]
    assert (
        len(figure(known(params)).texts) == 1
    )  # nothing is said of an attack that nobody has made


def test_tables_and_the_figure_to_take_along():
    found = bundle(PIPELINE.still(PARAMS))
    assert len(found.tables["similarity"]()) == 21
    assert len(found.tables["found"]()) == len(autoencoder.LEVELS)
    (pictures,) = found.figure().data
    assert np.asarray(pictures.z).shape == (5 * 8, 10 * 8)
    assert {"true ε of these two (as their releases tell them apart)"} <= set(found.facts())


def test_nothing_of_a_closed_tab_looks_like_a_result(live_figure):
    for name in ("rivals", "network_taught", "hidden_bc", "again_alone"):
        assert np.isnan(live_figure.evaluate(name)).all()


def test_the_rivals_are_drawn_as_they_were_made(answer):
    nothing = autoencoder.no_rivals(64)
    rng = np.random.default_rng(0)
    made = {n: rng.random(v.shape) for n, v in vars(nothing).items() if isinstance(v, np.ndarray)}
    found = figure(known(PARAMS, rivals=replace(nothing, **made)))
    digit, writer = PARAMS.digit, PARAMS.person - 1
    tiles = found.evaluate("rivals").reshape(4, 7, 64)
    half = 0.5 / 255 + 1e-6
    seven = answer["pictures"].sweep.seven[:, KINDS.index("output"), digit]
    np.testing.assert_allclose(tiles[0], seven, atol=half)
    np.testing.assert_allclose(tiles[1], made["redrawn"][:, digit, writer], atol=half)
    np.testing.assert_allclose(tiles[2], made["invented"][:, digit], atol=half)
    np.testing.assert_allclose(tiles[3], made["generated"][:, digit], atol=half)
    np.testing.assert_allclose(found.evaluate("bias_taught"), made["bias_taught"][1], rtol=1e-6)


def test_figure_5_and_the_second_noise_are_what_was_computed():
    state = PIPELINE.still(PARAMS, "irregular")
    again = autoencoder.run_renoised(PARAMS, trials=100)
    found = figure(known(PARAMS, irregular=state["irregular"], renoised=again))
    np.testing.assert_allclose(found.evaluate("both_h"), state["irregular"].hellinger[2], rtol=1e-6)
    np.testing.assert_allclose(found.evaluate("again_original"), again.original, rtol=1e-6)


def test_the_game_is_played_with_the_pictures_and_the_answers_of_the_attack():
    problem = autoencoder.digits_problem()
    game = autoencoder.run_face_off(problem, 0)
    linked = autoencoder.no_attacks().linked.copy()
    v, k = autoencoder.LEVELS.index(1.6), KINDS.index("output")
    right = game.candidates[range(len(game.truth)), game.truth]
    linked[v, k] = right
    linked[v, k, 0] = -1
    attacks = replace(autoencoder.no_attacks(), linked=linked)
    made = figure(known(PARAMS, face_off=game, attacks=attacks))
    (panel,) = (panel for panel in made.panels if panel.key == "face")
    assert panel.leads
    votes = made.evaluate(panel.face_off.votes)
    assert votes.sum(1).tolist() == [1] * len(right)
    assert votes.argmax(1).tolist() == [autoencoder.ANOTHER, *game.truth[1:].tolist()]
    assert np.isnan(made.evaluate("face_votes", {"kind": "hidden"})).all()
    node = int(autoencoder.place_of(1.6, 1e-5, problem.nodes))
    shown = made.evaluate(panel.face_off.published)
    np.testing.assert_allclose(shown, game.released[node, k], atol=0.51 / 255)
    np.testing.assert_allclose(
        made.evaluate("face_candidates"), problem.everyone[game.candidates], atol=0.51 / 255
    )
    real = figure(known(PARAMS.but(real=True)))
    assert not [panel for panel in real.panels if panel.face_off]


def test_c_and_q_show_another_network_at_each_of_their_values():
    """Networks of random weights: what is drawn at a value of a handle is what the network of that value makes."""
    rng, shape = np.random.default_rng(0), (6, 5, 15)
    n_weights = 2 * 64 * 16 + 16 + 64
    networks = autoencoder.PrivateNetworks(
        weights=rng.normal(size=(*shape, n_weights)).astype(np.float32), error=rng.random(shape)
    )
    made = figure(known(PARAMS, networks=networks))
    tabs = {one.key: one.tab for one in made.panels}
    told = {one.value: one.tab for one in made.readouts}
    handles = {one.name: one.tab for one in made.controls}
    assert told["trained_off"] == told["network_epsilon"] == tabs["trained"] != ""
    assert handles["clip_norm"] == handles["sample_rate"] == tabs["trained"]
    assert told["cancelled_now"] == handles["epsilon"] == ""
    c, q, at = rivals.place_of_params(PARAMS)
    assert made.evaluate("trained_off") == pytest.approx(networks.error[c, q, at] ** 0.5, rel=1e-5)
    for name in ("clip_norm", "sample_rate"):
        grid = PARAMS.controls()[name].grid
        pictures = {made.evaluate("trained", {name: value}).tobytes() for value in grid}
        read = {float(made.evaluate("trained_off", {name: value})) for value in grid}
        assert len(pictures) == len(read) == len(grid), name
