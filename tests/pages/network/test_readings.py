"""The stored trainings with which Deep networks opens: those of its parameters, and what a training gives."""

import numpy as np
import pytest

from dpcore.experiments import network
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.network import NetworkParams
from pages.network.known import known
from pages.network.measured import ALONG, _read_readings, reading, readings, write_readings
from pages.network.pipeline import PIPELINE
from ui.live.depth import Depth

PARAMS = NetworkParams()


def test_they_are_of_the_parameters_with_which_the_page_opens_at_every_epsilon():
    stored = readings(PARAMS)
    assert readings(PARAMS.but(epsilon=0.05)) is stored
    assert readings(PARAMS.but(clip_norm=2.0)) is readings(PARAMS.but(seed=1)) is None
    assert stored.sweep.accuracy.shape == (len(EPSILON_GRID), PARAMS.epochs + 1)
    assert stored.sweep.reads.shape == (len(EPSILON_GRID), network.N_WALL)
    assert stored.outcomes.reads.shape == (network.N_OUTCOMES, network.N_WALL)


@pytest.mark.parametrize("epsilon", [0.2, 4.0, None])
def test_a_training_gives_what_is_stored(epsilon):
    """Another processor rounds differently, and so reads single digits differently.

    Without noise and clipping the first steps are so large that rounding moves whole epochs; the curves meet again.
    """
    stored = readings(PARAMS)
    how = network.recipe(PARAMS.but(epsilon=epsilon or 1.0))
    *_, now = network.trained(network.problem(), how if epsilon else how.plain(), PARAMS.seed)
    then = stored.at(epsilon) if epsilon else stored.plain
    assert np.mean(now.reads == then.reads) > 0.9
    np.testing.assert_allclose(now.accuracy[0], then.accuracy[0], atol=0.001)
    same = slice(None) if epsilon else slice(-5, None)
    np.testing.assert_allclose(now.accuracy[same], then.accuracy[same], atol=0.03)


def test_the_page_opens_with_a_network_at_every_epsilon_and_trains_none():
    state = PIPELINE.ready(PARAMS, depth=Depth.LOOK)
    assert {"private", "plain", "sweep"} <= set(state.results)
    assert known(state).exact.all()
    other = PIPELINE.ready(PARAMS.but(clip_norm=2.0), depth=Depth.LOOK)
    assert other["sweep"] is None


def test_there_is_a_network_at_every_cap_sample_and_slack_and_none_elsewhere():
    for name in ALONG:
        found = [reading(PARAMS.but(**{name: value})) for value in PARAMS.controls()[name].grid]
        assert all(found), name
        assert len({private.reads.tobytes() for private, _ in found}) >= len(found) - 1, name
    private, plain = reading(PARAMS)
    assert plain is readings(PARAMS).plain
    np.testing.assert_array_equal(private.reads, readings(PARAMS).at(PARAMS.epsilon).reads)
    assert reading(PARAMS.but(clip_norm=2.0, delta=1e-6)) is None
    assert reading(PARAMS.but(clip_norm=2.0, epsilon=1.0)) is None


@pytest.mark.parametrize("other", [{"clip_norm": 0.2}, {"sample_rate": 0.5}, {"delta": 1e-3}])
def test_a_training_with_another_handle_gives_what_is_stored(other):
    private, plain = reading(PARAMS.but(**other))
    for stored, how in zip((private, plain), trained_how(other), strict=True):
        *_, now = network.trained(network.problem(), how, PARAMS.seed)
        assert np.mean(now.reads == stored.reads) > 0.9
        np.testing.assert_allclose(now.accuracy[-5:], stored.accuracy[-5:], atol=0.03)


def trained_how(other):
    how = network.recipe(PARAMS.but(**other))
    return how, how.plain()


def test_no_network_learns_while_a_handle_is_dragged():
    state = PIPELINE.ready(PARAMS.but(sample_rate=0.5), depth=Depth.LOOK)
    assert {"private", "plain"} <= set(state.results)
    assert state["plain"] is reading(PARAMS.but(sample_rate=0.5))[1]


def test_what_is_written_is_read_again(tmp_path, monkeypatch):
    stored = readings(PARAMS)
    monkeypatch.setattr("pages.network.measured.train_readings", lambda params: stored)
    monkeypatch.setattr("pages.network.measured.train_along", lambda params: [])
    write_readings(PARAMS, tmp_path / "readings.json")
    _, again = _read_readings(tmp_path / "readings.json")
    np.testing.assert_array_equal(again.sweep.reads, stored.sweep.reads)
    np.testing.assert_array_equal(again.sweep.accuracy, stored.sweep.accuracy)
    np.testing.assert_array_equal(again.outcomes.reads, stored.outcomes.reads)
