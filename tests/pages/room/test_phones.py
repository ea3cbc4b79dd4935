"""The twelve phones before a room is opened: what they send comes from the mechanism of the phones."""

import numpy as np

from dpcore.experiments.classroom import PrivatePoll, answer_phones
from pages.room.figure import N_PHONES, planning


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
        own, coin = (figure.evaluate(name, values) for name in ("own", "coin"))
        seen = np.isfinite(own).all(-1).astype(int) + np.isfinite(coin).all(-1)
        assert seen.tolist() == [1] * k + [0] * (N_PHONES - k)
