"""Topic of the page "Asking again": a private choice among options that the user enters."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.experiments.queries import Choosing, QueriesParams, guarantees
from pages.queries.topic import Topic, edges
from ui.figure_kit.common import EPSILONS, array, epsilon_axis, interleave
from ui.figure_kit.odds_pictogram import people
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.live.depth import Depth
from ui.words import text
from ui.words.numbers import show

__all__ = ["TOPIC"]

T = text.load_text(__file__)


def _arrays(params: QueriesParams, choices: Choosing) -> dict[str, Array]:
    best = int(np.argmax(choices.options.scores))
    tables = {
        "chosen": choices.chosen, "chosen_other": choices.chosen_other, "winner": choices.winner,
        "winner_other": choices.winner_other,
    }  # fmt: skip
    lines = {
        "best_chosen": choices.chosen[:, best], "best_winner": choices.winner[:, best],
        "best_all": choices.all_scores[:, best], "loss_chosen": choices.loss[:, 0], "shown": choices.shown,
        "loss_winner": choices.loss[:, 1], "loss_all": choices.loss[:, 2],
    }  # fmt: skip
    return {
        **{name: array(interleave(table), "epsilon") for name, table in tables.items()},
        **{name: array(value) for name, value in lines.items()},
        **{f"{name}_now": array(value, "epsilon") for name, value in lines.items()},
        "epsilon_now": array(EPSILONS, "epsilon"),
    }


def _panels(params: QueriesParams, choices: Choosing) -> list[Panel]:
    return [_bars(choices, "chosen"), _bars(choices, "winner"), _best()]


def _bars(choices: Choosing, key: str) -> Panel:
    n = len(choices.options.names)
    words = tuple(
        f"{name} ({show(score, '.6g')})"
        for name, score in zip(choices.options.names, choices.options.scores, strict=True)
    )
    panel = Panel(
        key=key, height=360, x=Axis(range=(0.0, float(n)), ticks=tuple(k + 0.5 for k in range(n)), words=words),
        y=Axis(range=(0.0, 1.0), format=".0%"),
        layers=[
            layers.Bars(edges=edges(n, 0.13), heights=key, role="private", label=T("panels.chosen.scores")),
            layers.Bars(edges=edges(n, 0.5), heights=f"{key}_other", role="other",
                        label=T("panels.chosen.neighbour")),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _best() -> Panel:
    panel = Panel(
        key="best", height=380, x=epsilon_axis(), depth=Depth.UNDERSTAND, y=Axis(range=(0.0, 1.02), format=".0%"),
        layers=[
            layers.Line(x=EPSILONS, y="best_all", role="nonprivate", width=1.6, label=T("panels.best.all"),
                        label_short=T("panels.best.all_short")),
            layers.Line(x=EPSILONS, y="best_winner", role="other", label=T("panels.best.winner")),
            layers.Line(x=EPSILONS, y="best_chosen", label=T("panels.best.chosen"),
                        label_short=T("panels.best.chosen_short")),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="best_chosen_now"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _readouts(params: QueriesParams) -> list[Readout]:
    more: dict[str, Any] = {"depth": Depth.UNDERSTAND}
    return [
        T.readout(Readout(value="best_chosen_now", format="in 100", role="private")),
        T.readout(Readout(value="best_winner_now", format="in 100")),
        T.readout(Readout(value="best_all_now", format="in 100")),
        T.readout(Readout(value="loss_chosen_now", format=".3g", **more)),
        T.readout(Readout(value="loss_winner_now", format=".3g", **more)),
        T.readout(Readout(value="shown_now", format=".3g", **more)),
    ]


def _meaning(params: QueriesParams, choices: Choosing) -> Text:
    best = choices.options.names[int(np.argmax(choices.options.scores))]
    return Text(strings=[T("meaning.choosing.best", best=best)])


def _odds(params: QueriesParams, choices: Choosing) -> list[Text]:
    return [people(guarantees(params))]


TOPIC = Topic(
    title=T("topics.choosing"),
    shows=("epsilon", "monotone", "options"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="chosen", tables=("chosen", "best"), redraw=False,
)  # fmt: skip
