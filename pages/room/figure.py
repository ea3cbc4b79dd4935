"""Figure with which a lecturer plans a private poll.

The figure shows the answers of twelve phones, each of which tosses a coin again and again, and the expected error
for every ε and number of people.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpcore.experiments.classroom import Phones, PrivatePoll, answer_phones
from dpcore.experiments.grids import EPSILON_GRID
from ui import live
from ui.figure_kit.common import EPSILONS, array, epsilon_axis
from ui.figure_kit.controls import field_text
from ui.live import Axis, Figure, Panel, Readout, Text, layers
from ui.words import text

__all__ = ["N_TOSSES", "PEOPLE", "SEED", "planning", "tosses"]

T = text.load_text(__file__)

N_PHONES = 12
N_TOSSES = 20
SEED = 6
"""The first seed whose first toss and whose average of all tosses are typical; a test has the rule."""
PEOPLE = (N_PHONES, 20, 30, 50, 70, 100, 200, 400)
"""Numbers of people for which the expected error is drawn, first the number of phones in the picture."""
_SHARE = 0.3
_IN_ROW, _PITCH = 6, 1.36  # phones beside each other, and the distance of two rows of them
_ROWS = N_PHONES // _IN_ROW
_WORST = 100.0  # points; no share can be further off
_FEWEST = 6  # answers from which a number is worked out
_MIDDLE = 0.1, 0.9  # quantiles of the estimates of all tosses that could be


@lru_cache(maxsize=1)
def tosses() -> tuple[Phones, ...]:
    """Return the answers of the twelve phones in each toss, at every ε."""
    return tuple(answer_phones(EPSILONS, N_PHONES, seed=SEED, toss=k) for k in range(N_TOSSES))


@lru_cache(maxsize=1)
def planning() -> Figure:
    """Return the figure with which a lecturer chooses ε before a poll."""
    epsilon, people, answered = field_text(T, "epsilon"), T.field("people"), T.field("answered")
    toss = T.field("toss")
    phones = _phone_arrays()
    polls = [PrivatePoll(epsilon=value) for value in EPSILONS]
    errors = np.array([[100 * poll.standard_error(_SHARE, n) for poll in polls] for n in PEOPLE])
    coins = np.array([[100 * poll.coin_error(n) for poll in polls] for n in PEOPLE])
    panel = Panel(
        key="error", height=430, x=epsilon_axis(),
        y=Axis(range=(2.0, _WORST), log=True, ticks=(2, 5, 10, 20, 50, 100)),
        layers=[
            layers.Line(x=EPSILONS, y="coins", role="muted", dash=True, label=T("panels.error.coins"),
                        label_short=T("panels.error.coins_short")),
            layers.Line(x=EPSILONS, y="errors", label=T("panels.error.errors"),
                        label_short=T("panels.error.errors_short")),
            layers.Dot(x="at", y="drawn"),
        ],
    )  # fmt: skip
    return Figure(
        controls=[
            live.Slider(
                name="epsilon", symbol="ε", label=epsilon.label, grid=EPSILON_GRID, mode="local",
                ends=epsilon.ends, help=epsilon.help,
            ),
            live.Slider(
                name="answered", label=answered.label, grid=[float(k) for k in range(N_PHONES + 1)],
                mode="local", ends=answered.ends, play=True, own=True, rises=True,
            ),
            live.Slider(
                name="toss", label=toss.label, grid=[float(k) for k in range(1, N_TOSSES + 1)], mode="local",
                press=toss.press, own=True,
            ),
            live.Slider(
                name="people", label=people.label, grid=PEOPLE, mode="local", ends=people.ends, more=True,
            ),
        ],
        values={
            "epsilon": min(EPSILONS, key=lambda value: abs(value - 1.1)), "people": N_PHONES, "toss": 1.0,
            "answered": float(N_PHONES),
        },
        panels=[_phones(), T.panel(panel)],
        arrays={
            **phones,
            "errors": array(errors, "people"), "coins": array(coins, "people"),
            "error": array(errors, "people", "epsilon"),
            "drawn": array(np.minimum(errors, _WORST), "people", "epsilon"),
            "at": array(EPSILONS, "epsilon"),
            "truth": array([poll.guarantee.odds() for poll in polls], "epsilon"),
        },
        readouts=[
            T.readout(Readout(value="say_yes", format="d")),
            T.readout(Readout(value="worked_out", format=".1f", role="private")),
            T.readout(Readout(value="average", format=".1f", role="private")),
            T.readout(Readout(value="truth", format="bound in 100")),
        ],
        texts=[_outside(phones["final"])],
        compact=True,
    )  # fmt: skip


def _phones() -> Panel:
    """Return the panel of twelve phones, each with the answer that it has sent and, below this, the true answer."""
    panel = Panel(
        key="phones", kind="map", height=430, fixed=True,
        x=Axis(range=(0.0, float(_IN_ROW))), y=Axis(range=(0.0, _ROWS * _PITCH)),
        layers=[
            layers.Phones(xy="places", answers="sent", device="device", truth="is_true", upto="answered_now",
                          words=T.lines("panels.phones.words")),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _outside(final: live.Array) -> Text:
    """Return a sentence for each estimate below 0 or above the number of phones, and "" for other estimates.

    There is an estimate from all phones for every ε and every toss.
    """
    shown = final.values.round(1)
    strange = (shown < 0) | (shown > N_PHONES)
    sentence = T("meaning.outside")
    return Text(
        strings=[sentence if one else "" for one in strange.ravel()], dims=("epsilon", "toss")
    )


def _middle(phones: Phones) -> tuple[live.Array, live.Array]:
    """Return, for every ε, the ends of the middle 80 % of the estimates from all phones.

    The percentages follow from the probabilities of all possible tosses.
    """
    ends = []
    for epsilon in EPSILONS:
        poll, known = PrivatePoll(epsilon=epsilon), np.ones(1)
        for truth in phones.truth:
            yes = poll.response.truth if truth else 1 - poll.response.truth
            known = np.convolve(known, [1 - yes, yes])
        places = np.searchsorted(np.cumsum(known), _MIDDLE)
        ends.append([N_PHONES * poll.estimate(int(place), N_PHONES) for place in places])
    low, high = np.array(ends).T
    return array(low, "epsilon"), array(high, "epsilon")


def _phone_arrays() -> dict[str, live.Array]:
    """Return the arrays of the answers that phones have sent, and of the estimates from these answers.

    There is an entry for every number of answers so far, every ε and every toss.
    """
    each = tosses()
    k = np.arange(N_PHONES)
    places = np.stack([k % _IN_ROW + 0.5, _PITCH * (_ROWS - 1 - k // _IN_ROW) + 0.8], -1)
    answers = np.stack([one.answers for one in each], 1)  # ε, toss, phone
    device = np.stack([one.device for one in each], 1)
    found = np.stack([one.estimates for one in each], 1)
    first = ((0, 0), (0, 0), (1, 0))
    sent = np.moveaxis(np.pad(np.cumsum(answers, axis=2), first), 2, 0)
    estimates = np.moveaxis(np.pad(N_PHONES * found, first, constant_values=np.nan), 2, 0)
    final = estimates[-1].copy()
    estimates[:_FEWEST] = np.nan
    average = np.cumsum(final, axis=1) / np.arange(1, N_TOSSES + 1)
    low, high = _middle(each[0])
    dims = ("answered", "epsilon", "toss")
    return {
        "places": array(places), "answered_now": array(np.arange(N_PHONES + 1), "answered"),
        "sent": live.Array(answers.astype(np.int32), ("epsilon", "toss", None)),
        "device": live.Array(device.astype(np.int32), ("epsilon", "toss", None)),
        "is_true": live.Array(each[0].truth.astype(np.int32), (None,)),
        "say_yes": array(sent.astype(float), *dims),
        "worked_out": array(estimates, *dims),
        "final": array(final, "epsilon", "toss"),
        "average": array(average, "epsilon", "toss"),
        "low": low,
        "high": high,
        "true_yes": array(float(each[0].truth.sum())),
    }  # fmt: skip
