"""What a private poll costs a class: the error to expect, by ε and by the number of people."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpcore.experiments.classroom import PrivatePoll
from dpcore.experiments.grids import EPSILON_GRID
from ui import live
from ui.figure_kit.common import EPSILONS, array, epsilon_axis
from ui.live import Axis, Figure, Panel, Readout, layers

__all__ = ["PEOPLE", "planning"]

PEOPLE = (10, 20, 30, 50, 70, 100, 200, 400)
_SHARE = 0.3
_WORST = 100.0  # points; no share can be further off


@lru_cache(maxsize=1)
def planning() -> Figure:
    """Return the figure with which a lecturer chooses ε before the vote."""
    polls = [PrivatePoll(epsilon=epsilon) for epsilon in EPSILONS]
    errors = np.array([[100 * poll.standard_error(_SHARE, n) for poll in polls] for n in PEOPLE])
    coins = np.array([[100 * poll.coin_error(n) for poll in polls] for n in PEOPLE])
    panel = Panel(
        key="error", title="How far off the share is", height=230, x=epsilon_axis(),
        y=Axis(range=(2.0, _WORST), title="off by, in points", log=True, ticks=(2, 5, 10, 20, 50, 100)),
        caption="The coins blur the share, and so does chance: a class is a small sample of all students. "
        "Above the frame the result is worthless.",
        alt="At ε = {epsilon} and {people} people the share is typically off by {error} points.",
        layers=[
            layers.Line(x=EPSILONS, y="coins", role="muted", dash=True, label="the coins alone",
                        label_short="coins alone"),
            layers.Line(x=EPSILONS, y="errors", label="coins and chance together", label_short="with chance"),
            layers.Dot(x="at", y="drawn"),
        ],
    )  # fmt: skip
    return Figure(
        controls=[
            live.Slider(
                name="epsilon", symbol="ε", label="privacy parameter", grid=EPSILON_GRID, mode="local",
                ends=("more private", "less private"), help="How much one answer may give away.",
            ),
            live.Slider(name="people", label="people in the room", grid=PEOPLE, mode="local", ends=("few", "many")),
        ],
        values={"epsilon": min(EPSILONS, key=lambda epsilon: abs(epsilon - 1.1)), "people": 30},
        panels=[panel],
        arrays={
            "errors": array(errors, "people"), "coins": array(coins, "people"),
            "error": array(errors, "people", "epsilon"),
            "drawn": array(np.minimum(errors, _WORST), "people", "epsilon"),
            "at": array(EPSILONS, "epsilon"),
            "truth": array([poll.guarantee.odds() for poll in polls], "epsilon"),
        },
        readouts=[
            Readout(label="the share is off by about", value="error", format=".3g", note="points", role="private"),
            Readout(label="whoever sees one answer guesses right", value="truth", format="in 100",
                    note="at most; 50 by pure guessing"),
        ],
        compact=True,
    )  # fmt: skip
