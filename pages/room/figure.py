"""Figure for planning a poll: its expected error, by ε and by the number of people."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpcore.experiments.classroom import PrivatePoll
from dpcore.experiments.grids import EPSILON_GRID
from ui import live
from ui.figure_kit.common import EPSILONS, array, epsilon_axis
from ui.figure_kit.controls import field_text
from ui.live import Axis, Figure, Panel, Readout, layers
from ui.words import text

__all__ = ["PEOPLE", "planning"]

T = text.beside(__file__)

PEOPLE = (10, 20, 30, 50, 70, 100, 200, 400)
_SHARE = 0.3
_WORST = 100.0  # points; no share can be further off


@lru_cache(maxsize=1)
def planning() -> Figure:
    """Return the figure by which a lecturer chooses ε before the vote."""
    epsilon, people = field_text(T, "epsilon"), T.field("people")
    polls = [PrivatePoll(epsilon=value) for value in EPSILONS]
    errors = np.array([[100 * poll.standard_error(_SHARE, n) for poll in polls] for n in PEOPLE])
    coins = np.array([[100 * poll.coin_error(n) for poll in polls] for n in PEOPLE])
    panel = Panel(
        key="error", height=230, x=epsilon_axis(),
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
            live.Slider(name="people", label=people.label, grid=PEOPLE, mode="local", ends=people.ends),
        ],
        values={"epsilon": min(EPSILONS, key=lambda value: abs(value - 1.1)), "people": 30},
        panels=[T.panel(panel)],
        arrays={
            "errors": array(errors, "people"), "coins": array(coins, "people"),
            "error": array(errors, "people", "epsilon"),
            "drawn": array(np.minimum(errors, _WORST), "people", "epsilon"),
            "at": array(EPSILONS, "epsilon"),
            "truth": array([poll.guarantee.odds() for poll in polls], "epsilon"),
        },
        readouts=[
            T.readout(Readout(value="error", role="private")),
            T.readout(Readout(value="truth", format="in 100")),
        ],
        compact=True,
    )  # fmt: skip
