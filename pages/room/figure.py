"""Figure for planning a private poll: twelve answering phones, and the expected error by ε and number of people."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpcore.experiments.classroom import PrivatePoll, answer_phones
from dpcore.experiments.grids import EPSILON_GRID
from ui import live
from ui.figure_kit.common import EPSILONS, array, epsilon_axis
from ui.figure_kit.controls import field_text
from ui.live import Axis, Figure, Panel, Readout, layers
from ui.words import text

__all__ = ["PEOPLE", "planning"]

T = text.beside(__file__)

PEOPLE = (10, 20, 30, 50, 70, 100, 200, 400)
N_PHONES = 12
_SHARE = 0.3
_WIDE, _HIGH = 0.66, 1.25  # of a phone, in units of its place in the row
_WORST = 100.0  # points; no share can be further off


@lru_cache(maxsize=1)
def planning() -> Figure:
    """Return the figure that helps a lecturer to choose ε before a poll."""
    epsilon, people, answered = field_text(T, "epsilon"), T.field("people"), T.field("answered")
    polls = [PrivatePoll(epsilon=value) for value in EPSILONS]
    errors = np.array([[100 * poll.standard_error(_SHARE, n) for poll in polls] for n in PEOPLE])
    coins = np.array([[100 * poll.coin_error(n) for poll in polls] for n in PEOPLE])
    panel = Panel(
        key="error", height=240, x=epsilon_axis(),
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
                mode="local", ends=answered.ends, play=True, own=True,
            ),
            live.Slider(name="people", label=people.label, grid=PEOPLE, mode="local", ends=people.ends),
        ],
        values={
            "epsilon": min(EPSILONS, key=lambda value: abs(value - 1.1)), "people": 30,
            "answered": float(N_PHONES),
        },
        panels=[_phones(), T.panel(panel)],
        arrays={
            **_phone_arrays(),
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
        compact=True,
    )  # fmt: skip


def _phones() -> Panel:
    """Return the panel of twelve phones: the answer that each sends, and below it the true one."""
    panel = Panel(
        key="phones", kind="map", height=240, fixed=True,
        x=Axis(range=(0.0, float(N_PHONES))), y=Axis(range=(-1.45, 1.4)),
        layers=[
            layers.Line(x="outline_x", y="outline_y", role="muted", width=1.5),
            layers.Points(xy="true", labels="is_true", role="muted", size=6, alpha=1,
                          label=T("panels.phones.true"), label_short=T("panels.phones.true_short")),
            layers.Points(xy="coin", labels="sent", role="other", size=9, alpha=1,
                          label=T("panels.phones.coin"), label_short=T("panels.phones.coin_short")),
            layers.Points(xy="own", labels="sent", role="private", size=9, alpha=1,
                          label=T("panels.phones.own"), label_short=T("panels.phones.own_short")),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _phone_arrays() -> dict[str, live.Array]:
    """Return the arrays of the answers that phones send, and of the estimates from these answers.

    The arrays run over the number of phones that have answered and over ε.
    """
    phones = answer_phones(EPSILONS, N_PHONES)
    middle = np.arange(N_PHONES) + 0.5
    answered = np.arange(N_PHONES + 1)[:, None, None] > np.arange(N_PHONES)  # (13, 1, 12)
    places = np.stack([middle, np.full(N_PHONES, _HIGH / 2)], -1)
    sent = np.pad(np.cumsum(phones.answers, axis=1), ((0, 0), (1, 0))).T
    estimates = np.pad(N_PHONES * phones.estimates, ((0, 0), (1, 0)), constant_values=np.nan).T
    corners = np.array([(-1, 0), (1, 0), (1, 1), (-1, 1), (-1, 0), (np.nan, np.nan)])
    outline = corners * [_WIDE / 2, _HIGH] + np.stack([middle, 0 * middle], -1)[:, None]
    return {
        "own": array(np.where((answered & ~phones.device)[..., None], places, np.nan), "answered", "epsilon"),
        "coin": array(np.where((answered & phones.device)[..., None], places, np.nan), "answered", "epsilon"),
        "sent": live.Array(phones.answers.astype(np.int32), ("epsilon", None)),
        "true": array(np.stack([middle, np.full(N_PHONES, -0.4)], -1)),
        "is_true": live.Array(phones.truth.astype(np.int32), (None,)),
        "outline_x": array(outline[..., 0].ravel()), "outline_y": array(outline[..., 1].ravel()),
        "say_yes": array(sent.astype(float), "answered", "epsilon"),
        "worked_out": array(estimates, "answered", "epsilon"),
        "true_yes": array(float(phones.truth.sum())),
    }  # fmt: skip
