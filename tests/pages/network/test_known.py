"""Which private network is seen at each ε: the nearest that is trained, that of before while none is, never none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.experiments import network
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.network import TRAINED_AT, NetworkParams, Sweep, Training
from pages.network.arrays import arrays, votes
from pages.network.known import known
from ui.runner import Before, PageState

PARAMS = NetworkParams(epochs=5, epsilon=2.5)


def reads(digit):
    return np.full(network.N_WALL, digit, np.uint8)


def trained(*accuracy, digit=0):
    return Training(accuracy=np.array(accuracy), reads=reads(digit))


def sweep(*epsilons):
    """Trainings each of which reads its place in the sweep."""
    n = len(epsilons)
    return Sweep(
        epsilons=np.array(epsilons), accuracy=np.linspace(0.1, 0.9, 6 * n).reshape(n, 6),
        reads=np.array([reads(k) for k in range(n)]),
    )  # fmt: skip


def state(**results):
    return PageState(params=PARAMS, results=results)


@given(st.sets(st.sampled_from(TRAINED_AT), min_size=1))
def test_at_every_epsilon_the_nearest_network_is_seen_and_it_is_exact_where_one_was_trained(at):
    found = known(state(sweep=sweep(*sorted(at))))
    for epsilon, place, exact in zip(EPSILON_GRID, found.nearest, found.exact, strict=True):
        ratio = {e: abs(np.log(e / epsilon)) for e in at}
        assert ratio[found.epsilons[place]] == min(ratio.values())
        assert exact == (epsilon in at)


def test_a_finished_training_is_seen_at_its_own_epsilon_and_one_that_learns_only_where_there_is_no_other():
    whole, half = trained(*np.linspace(0.1, 0.8, 6), digit=7), trained(0.1, 0.3, digit=7)
    there = known(state(private=whole, sweep=sweep(0.5, 4.0)))
    assert there.epsilons.tolist() == [0.5, 2.5, 4.0]
    assert there.reads[:, 0].tolist() == [0, 7, 1]
    meanwhile = known(state(private=half, sweep=sweep(0.5, 4.0)))
    assert meanwhile.epsilons.tolist() == [0.5, 4.0]
    alone = known(state(private=half))
    assert alone.accuracy[0] == pytest.approx([0.1, 0.3, *[np.nan] * 4], nan_ok=True)


def test_after_a_change_the_networks_of_before_stay_until_a_new_one_is_a_curve():
    old = PARAMS.but(clip_norm=5.0)
    before = {"private": Before(old, trained(*np.linspace(0, 0.5, 6), digit=3))}
    for results in ({}, {"private": trained(0.1)}):
        found = known(PageState(params=PARAMS, results=results, before=before))
        assert found.before == old
        assert not found.exact.any()
        assert (found.reads == 3).all()
    learning = {"private": trained(0.1, 0.2, digit=4)}
    found = known(PageState(params=PARAMS, results=learning, before=before))
    assert found.before is None
    assert (found.reads == 4).all()


def test_a_sweep_of_other_settings_than_those_of_the_last_training_is_not_mixed_with_it():
    older, old = PARAMS.but(clip_norm=5.0), PARAMS.but(clip_norm=2.0)
    before = {
        "private": Before(old, trained(*np.linspace(0, 0.5, 6))),
        "sweep": Before(older, sweep(0.5)),
    }
    found = known(PageState(params=PARAMS, before=before))
    assert found.epsilons.tolist() == [old.epsilon]


LONGER = PARAMS.but(epochs=10)


@pytest.mark.parametrize("epochs", [5, 10, 20])
def test_a_curve_of_before_stays_whole_whatever_number_of_epochs_is_chosen(epochs):
    curve, params = np.linspace(0, 0.5, LONGER.epochs + 1), PARAMS.but(epochs=epochs)
    former = known(PageState(params=params, before={"private": Before(LONGER, trained(*curve))}))
    width = max(params.epochs, LONGER.epochs) + 1
    missing = [np.nan] * (width - len(curve))
    assert former.accuracy[0] == pytest.approx([*curve, *missing], nan_ok=True)
    drawn = arrays(params, former, None, None, None, None)
    assert drawn["private_now"].values.tolist() == [0.5]
    assert drawn["private_epoch"].values.tolist() == list(range(width))
    assert drawn["private_curve"].values.shape[-1] == width


def test_a_training_of_before_that_was_not_complete_gives_way_to_a_sweep():
    part = trained(*np.linspace(0, 0.3, 8))
    before = {"private": Before(LONGER, part), "sweep": Before(LONGER, sweep(0.5))}
    assert known(PageState(params=PARAMS, before=before)).epsilons.tolist() == [0.5]


def test_nothing_is_seen_where_nothing_is_known():
    assert known(state()) is None


def test_a_reading_is_one_vote_for_its_class():
    made = votes(np.array([3, 0, 9], np.uint8))
    assert made.sum(1).tolist() == [1, 1, 1]
    assert made.argmax(1).tolist() == [3, 0, 9]
