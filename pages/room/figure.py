"""Figure with which a lecturer plans a private poll.

The figure shows twelve phones that answer, and the expected error by ε and number of people.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpcore.experiments.classroom import PrivatePoll, answer_phones
from dpcore.experiments.grids import EPSILON_GRID
from ui import live
from ui.figure_kit.common import EPSILONS, array, epsilon_axis
from ui.figure_kit.controls import field_text
from ui.live import Axis, Figure, Panel, Readout, Text, layers
from ui.words import text

__all__ = ["PEOPLE", "planning"]

T = text.load_text(__file__)

N_PHONES = 12
PEOPLE = (N_PHONES, 20, 30, 50, 70, 100, 200, 400)
"""Numbers of people for which the expected error is drawn, first the number of phones in the picture."""
_SHARE = 0.3
_IN_ROW, _PITCH = 6, 1.36  # phones beside each other, and the distance of two rows of them
_ROWS = N_PHONES // _IN_ROW
_WORST = 100.0  # points; no share can be further off


@lru_cache(maxsize=1)
def planning() -> Figure:
    """Return the figure with which a lecturer chooses ε before a poll."""
    epsilon, people, answered = field_text(T, "epsilon"), T.field("people"), T.field("answered")
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
            live.Slider(name="people", label=people.label, grid=PEOPLE, mode="local", ends=people.ends),
        ],
        values={
            "epsilon": min(EPSILONS, key=lambda value: abs(value - 1.1)), "people": N_PHONES,
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
            T.readout(Readout(value="error")),
            T.readout(Readout(value="truth", format="in 100")),
        ],
        texts=[_outside(phones["worked_out"])],
        compact=True,
    )  # fmt: skip


def _phones() -> Panel:
    """Return the panel of twelve phones, each with the answer that it has sent and, below it, the true answer."""
    panel = Panel(
        key="phones", kind="map", height=430, fixed=True,
        x=Axis(range=(0.0, float(_IN_ROW))), y=Axis(range=(0.0, _ROWS * _PITCH)),
        layers=[
            layers.Phones(xy="places", answers="sent", device="device", truth="is_true", upto="answered_now",
                          words=T.lines("panels.phones.words")),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _outside(worked_out: live.Array) -> Text:
    """Return a sentence for each estimate outside of 0 to 12, and "" for other estimates.

    The entries run over the number of answers and over ε.
    """
    shown = worked_out.values.round(1)
    strange = (shown < 0) | (shown > N_PHONES)
    sentence = T("meaning.outside")
    return Text(
        strings=[sentence if one else "" for one in strange.ravel()],
        dims=("answered", "epsilon"),
    )


def _phone_arrays() -> dict[str, live.Array]:
    """Return the arrays of the answers that phones have sent, and of the estimates from these answers.

    The arrays run over the number of answers so far and over ε.
    """
    phones = answer_phones(EPSILONS, N_PHONES)
    k = np.arange(N_PHONES)
    places = np.stack([k % _IN_ROW + 0.5, _PITCH * (_ROWS - 1 - k // _IN_ROW) + 0.8], -1)
    sent = np.pad(np.cumsum(phones.answers, axis=1), ((0, 0), (1, 0))).T
    estimates = np.pad(N_PHONES * phones.estimates, ((0, 0), (1, 0)), constant_values=np.nan).T
    return {
        "places": array(places), "answered_now": array(np.arange(N_PHONES + 1), "answered"),
        "sent": live.Array(phones.answers.astype(np.int32), ("epsilon", None)),
        "device": live.Array(phones.device.astype(np.int32), ("epsilon", None)),
        "is_true": live.Array(phones.truth.astype(np.int32), (None,)),
        "say_yes": array(sent.astype(float), "answered", "epsilon"),
        "worked_out": array(estimates, "answered", "epsilon"),
        "true_yes": array(float(phones.truth.sum())),
    }  # fmt: skip
