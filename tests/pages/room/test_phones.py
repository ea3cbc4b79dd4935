"""The twelve phones before a room is opened: what they send comes from the mechanism of the phones."""

import numpy as np
import pytest

from dpcore.experiments.classroom import PrivatePoll, answer_phones
from pages.room.figure import N_PHONES, planning
from tools.openings import of_classroom


def test_the_coins_of_many_phones_fall_as_the_mechanism_says():
    n = 40_000
    phones = answer_phones([0.3, 1.1, 4.0], n, n // 3)
    for row, device, epsilon in zip(phones.answers, phones.device, [0.3, 1.1, 4.0], strict=True):
        poll = PrivatePoll(epsilon=epsilon)
        room = 5 * 0.5 / np.sqrt(n)  # five standard deviations: false alarms below 1e-6
        assert abs((row == phones.truth).mean() - poll.response.truth) < room
        assert abs(device.mean() - (1 - poll.own_answer)) < room


def test_with_a_larger_epsilon_no_further_coin_answers():
    phones = answer_phones(np.geomspace(0.05, 20, 50))
    assert (np.diff(phones.device.astype(int), axis=0) <= 0).all()
    assert (phones.answers == phones.truth)[~phones.device].all()


def test_the_opening_draw_is_typical():
    opening = of_classroom()
    assert opening.is_typical
    assert opening.value == pytest.approx(np.median(opening.others), abs=0.1)


def test_an_estimate_that_no_count_can_be_is_said_to_be_outside():
    figure = planning()
    (text,) = figure.texts
    grids = [next(one.grid for one in figure.controls if one.name == name) for name in text.dims]
    seen = set()
    for at, said in enumerate(text.strings):
        answered, epsilon = (grids[0][at // len(grids[1])], grids[1][at % len(grids[1])])
        worked_out = figure.evaluate("worked_out", {"answered": answered, "epsilon": epsilon})
        outside = bool(worked_out < -0.05 or worked_out > N_PHONES + 0.05)
        assert ("outside 0 to 12" in said) == outside, (answered, epsilon, worked_out)
        seen.add(outside)
    assert seen == {True, False}


def test_the_figure_shows_the_answers_and_the_estimate_beside_the_truth():
    figure = planning()
    epsilon = figure.values["epsilon"]
    phones = answer_phones([epsilon])
    assert figure.evaluate("say_yes", figure.values) == phones.answers.sum()
    worked_out = figure.evaluate("worked_out", figure.values)
    assert abs(worked_out - N_PHONES * phones.estimates[0, -1]) < 1e-5
    assert figure.evaluate("true_yes", figure.values) == phones.truth.sum()
    for k in range(N_PHONES + 1):
        values = {**figure.values, "answered": float(k)}
        assert figure.evaluate("answered_now", values) == k
        assert figure.evaluate("say_yes", values) == phones.answers[0, :k].sum()
    (drawn,) = figure.panels[0].layers
    for slot, known in (
        ("answers", phones.answers[0]),
        ("device", phones.device[0]),
        ("truth", phones.truth),
    ):
        assert figure.evaluate(getattr(drawn, slot), figure.values).tolist() == known.tolist()


def test_phones_answer_by_themselves_when_the_page_opens():
    rising = [one for one in planning().controls if getattr(one, "rises", False)]
    assert [one.name for one in rising] == ["answered"]
    assert rising[0].grid[-1] == planning().values["answered"]
