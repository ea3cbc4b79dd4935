"""The page Deep networks: what is drawn is what was trained, and MNIST as its file says."""

import numpy as np
import pytest

from dpcore.experiments import network
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.network import NetworkParams, Sweep, Training, mnist, published
from dpcore.experiments.network.mnist import DELTA
from pages.network.figure import figure
from pages.network.measured import MNIST_COMMAND, mnist_curves
from pages.network.page import PAGE
from pages.network.pipeline import PIPELINE, other
from pages.network.words import meaning, mnist_table, program
from ui.frame.page_spec import shown
from ui.live.depth import Depth
from ui.live.purposes import purposes
from ui.runner import Before, PageState

CURVES = mnist_curves()
PARAMS = NetworkParams(epochs=5, epsilon=2.0)


def drawn(params, **results):
    return figure(PageState(params=params, results=results))


def trained(*accuracy):
    return Training(accuracy=np.array(accuracy), reads=np.zeros(network.N_WALL, np.uint8))


def sweep(*epsilons):
    n = len(epsilons)
    return Sweep(
        epsilons=np.array(epsilons), accuracy=np.linspace(0.1, 0.9, 6 * n).reshape(n, 6),
        reads=np.array([np.full(network.N_WALL, k, np.uint8) for k in range(n)]),
    )  # fmt: skip


def said(state, epsilon):
    return meaning(state).strings[EPSILON_GRID.index(epsilon)]


def test_a_training_that_goes_on_is_drawn_as_far_as_it_is():
    params = NetworkParams(epochs=5)
    some = {
        "private": trained(0.1, 0.4),
        "plain": trained(0.1, 0.5, 0.9),
    }
    found = drawn(params, spent=network.spent(params), **some)
    assert found.evaluate("private_curve") == pytest.approx([0.1, 0.4, *[np.nan] * 4], nan_ok=True)
    assert found.evaluate("private_now") == pytest.approx(0.4)
    assert found.evaluate("cost") == pytest.approx(-0.5)
    assert found.evaluate("spent")[-1] == pytest.approx(1, rel=0.01)
    assert np.isnan(drawn(params).evaluate("private_curve")).all()
    assert np.isnan(drawn(params).evaluate("spent")).all()
    state = PageState(params=params, results=some)
    assert "by now it reads" in said(state, params.epsilon)
    assert "begin to learn" in said(PageState(params=params), params.epsilon)


@pytest.fixture(scope="module")
def costs():
    return network.costs(PARAMS.but(epsilon=epsilon) for epsilon in EPSILON_GRID)


SWEEP = sweep(0.1, 0.5, 4.0)


def test_what_a_handle_of_epsilon_draws_ahead_is_what_python_answers_before_the_training(costs):
    """At each place every array is the server's own; what was trained for a tab is there at its own ε alone."""
    known = {"plain": trained(0.1, 0.5, 0.9), "sweep": SWEEP}
    here = known | {"private": trained(0.1, 0.4), "other": trained(0.1)}
    ahead = drawn(PARAMS, spent=network.spent(PARAMS), **here, **{"preview epsilon": costs})
    assert set(ahead.previews) == {"epsilon"}
    for epsilon in EPSILON_GRID:
        there = PARAMS.but(epsilon=epsilon)
        server = drawn(
            there, spent=network.spent(there), **(here if epsilon == PARAMS.epsilon else known)
        )
        assert set(server.arrays) == set(ahead.arrays)
        for name in set(server.arrays) - {"trained_at"}:
            drawn_ahead, answered = (
                found.evaluate(name, {"epsilon": epsilon}) for found in (ahead, server)
            )
            np.testing.assert_array_equal(drawn_ahead, answered, err_msg=f"{name} at {epsilon}")


def test_the_wall_shows_at_every_epsilon_what_the_nearest_network_reads():
    found = drawn(PARAMS, sweep=SWEEP, plain=trained(0.1, 0.9))
    (wall,) = (panel for panel in found.panels if panel.key == "wall")
    assert [layer.votes for layer in wall.layers] == ["votes", "plain_votes"]
    assert wall.leads
    digits = network.problem().y_test[: network.N_WALL]
    np.testing.assert_array_equal(found.evaluate("truth"), digits)
    assert found.evaluate("wall") == pytest.approx(
        network.problem().X_test[: network.N_WALL], abs=1 / 500
    )
    for epsilon, place in ((0.05, 0), (0.1, 0), (0.45, 1), (3.2, 2), (20.0, 2)):
        at = {"epsilon": epsilon}
        assert (found.evaluate("votes", at).argmax(1) == place).all()
        assert found.evaluate("wall_right", at) == (digits == place).sum()
        assert found.evaluate("near_epsilon", at) == pytest.approx(SWEEP.epsilons[place])
        assert found.evaluate("private_now", at) == pytest.approx(SWEEP.accuracy[place, -1])
    assert (found.evaluate("plain_votes").argmax(1) == 0).all()


def test_the_wall_steps_through_further_trainings_at_the_epsilon_where_they_were_made():
    reads = np.array([np.full(network.N_WALL, k, np.uint8) for k in range(network.N_OUTCOMES)])
    outcomes = network.Outcomes(accuracy=np.linspace(0.2, 0.7, len(reads)), reads=reads)
    assert drawn(PARAMS, sweep=SWEEP).breathing is None
    found = drawn(PARAMS, sweep=SWEEP, outcomes=outcomes)
    assert found.breathing.instead == {"votes": "outcome_votes"}
    assert found.breathing.n_outcomes == len(reads)
    assert found.breathing.at == {"epsilon": PARAMS.epsilon}
    ballots = found.arrays["outcome_votes"]
    assert ballots.values.shape == (len(reads), *found.evaluate("plain_votes").shape)
    np.testing.assert_array_equal(ballots.values.argmax(-1), reads)
    np.testing.assert_allclose(found.arrays["outcome_right"].values, outcomes.accuracy, rtol=1e-6)


def test_the_curve_is_dashed_where_no_network_was_trained_and_never_gone():
    found = drawn(PARAMS, sweep=SWEEP)
    for epsilon in EPSILON_GRID:
        exact, nearest = (
            np.isfinite(found.evaluate(name, {"epsilon": epsilon})).all()
            for name in ("private_curve", "nearest_curve")
        )
        assert (exact, nearest) == (epsilon in SWEEP.epsilons, epsilon not in SWEEP.epsilons)
    (panel,) = (panel for panel in found.panels if panel.key == "training")
    (layer,) = (layer for layer in panel.layers if getattr(layer, "y", "") == "nearest_curve")
    assert layer.dash


def test_the_curve_of_before_says_of_what_it_is():
    for before, label in (
        (PARAMS.but(epsilon=0.5), "the network before, at ε = 0.5"),
        (PARAMS.but(epsilon=0.5, clip_norm=2.0), "the network before the last change"),
    ):
        state = PageState(params=PARAMS, before={"private": Before(before, trained(0.1, 0.4))})
        (panel,) = (panel for panel in figure(state).panels if panel.key == "training")
        (layer,) = (layer for layer in panel.layers if getattr(layer, "y", "") == "nearest_curve")
        assert (layer.label, layer.dash) == (label, True)
        assert label in said(state, PARAMS.epsilon)


def test_a_training_stays_once_it_is_a_curve():
    stays = PIPELINE.stage("private").stays
    assert [stays(trained(*points)) for points in ((0.1,), (0.1, 0.4))] == [False, True]


@pytest.mark.parametrize("depth", Depth)
def test_a_handle_is_drawn_ahead_where_all_that_is_shown_is_known(depth, costs):
    spent = {} if depth is Depth.LOOK else {"spent": network.spent(PARAMS)}
    before, after = (
        shown(PAGE, PageState(params=PARAMS, results=results), depth)
        for results in (spent, spent | {"preview epsilon": costs})
    )
    assert bool(before.previews) == (depth is Depth.LOOK)
    assert list(after.previews) == ["epsilon"]
    # Nothing waits for another file: the first touch of a figure that was drawn ahead is answered.
    assert not [what for what in purposes(after).values() if what.startswith("preview")]
    assert ("sigma" in after.arrays) == (depth > Depth.LOOK)


def test_a_network_is_spoken_of_as_that_of_its_own_epsilon():
    state = PageState(params=PARAMS, results={"private": trained(0.1, 0.4)})
    for epsilon in EPSILON_GRID:
        nearest = said(state, epsilon).startswith("Shown is the nearest network")
        assert nearest == (epsilon != PARAMS.epsilon)
        assert ("nearest network" in said(state, epsilon)) == nearest
    assert "little" in said(state, 0.5)
    assert "nearly all" in said(state, 20.0)
    trained_there = PageState(params=PARAMS, results={"sweep": SWEEP})
    assert said(trained_there, 0.5).startswith("In this draw the private network reads")


def test_the_twin_does_not_depend_on_what_is_private_and_the_other_schedule_is_the_other():
    plain = PIPELINE.stage("plain")
    params = NetworkParams()
    assert plain.seen(params.but(epsilon=1.0, clip_norm=2.0, delta=1e-6)) == plain.seen(params)
    assert plain.seen(params.but(schedule="constant")) != plain.seen(params)
    assert plain.seen(params.but(sample_rate=0.5)) != plain.seen(params)
    sweep = PIPELINE.stage("sweep")
    assert sweep.seen(params.but(epsilon=1.0)) == sweep.seen(params)
    assert sweep.seen(params.but(clip_norm=2.0)) != sweep.seen(params)
    assert other(other(params)) == params
    assert other(params).schedule == "constant"


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.name)
def test_the_measured_curves_belong_to_the_settings_of_the_code(curve):
    row = published(curve.name)
    assert curve.settings == mnist.settings(row)
    assert len(curve.accuracy) == len(curve.epsilon) <= row.epochs
    if row.epsilon is None:
        assert set(curve.epsilon) == {None}
        return
    last = len(curve.epsilon)
    assert curve.epsilon[-1] == pytest.approx(row.recipe().epsilon(DELTA, row.step(last)), rel=1e-6)
    assert (np.diff(curve.epsilon) > 0).all()
    assert curve.epsilon[-1] < row.epsilon


@pytest.mark.parametrize(
    "curve", [curve for curve in CURVES if curve.is_whole], ids=lambda curve: curve.name
)
def test_whole_runs_are_within_a_point_of_what_was_published(curve):
    assert abs(curve.accuracy[-1] - published(curve.name).accuracy) <= 0.01


def test_a_table_names_the_command_and_every_run():
    told = mnist_table()
    assert MNIST_COMMAND in told
    assert told.count("\n| ") == len(CURVES) + 1


def test_the_program_says_how_the_page_is_made():
    code = program(NetworkParams(epsilon=2.0))
    compile(code, "program", "exec")
    assert "NetworkParams(epsilon=2.0)" in code
