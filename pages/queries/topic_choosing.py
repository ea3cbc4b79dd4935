"""A choice among the reader's own options."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.experiments.queries import Choosing, QueriesParams
from dpcore.experiments.queries.guarantee import guarantees
from pages.queries.topic import Topic, beside, edges
from ui.figure_kit.common import EPSILONS, array, epsilon_axis
from ui.frame.depth import Depth
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.words.numbers import show
from ui.words.odds_pictogram import people

__all__ = ["TOPIC"]


def _arrays(params: QueriesParams, found: Choosing) -> dict[str, Array]:
    best = int(np.argmax(found.options.scores))
    tables = {
        "chosen": found.chosen, "chosen_other": found.chosen_other, "winner": found.winner,
        "winner_other": found.winner_other,
    }  # fmt: skip
    lines = {
        "best_chosen": found.chosen[:, best], "best_winner": found.winner[:, best],
        "best_all": found.all_scores[:, best], "loss_chosen": found.loss[:, 0], "shown": found.shown,
        "loss_winner": found.loss[:, 1], "loss_all": found.loss[:, 2],
    }  # fmt: skip
    return {
        **{name: array(beside(table), "epsilon") for name, table in tables.items()},
        **{name: array(value) for name, value in lines.items()},
        **{f"{name}_now": array(value, "epsilon") for name, value in lines.items()},
        "epsilon_now": array(EPSILONS, "epsilon"),
    }


def _panels(params: QueriesParams, found: Choosing) -> list[Panel]:
    return [
        _bars(found, "chosen", "Exponential mechanism", "The better an option scores, the likelier it is drawn."),
        _bars(found, "winner", "Laplace noise on the same scores",
              "Each score gets noise, and only the name of the largest is published."),
        _best(),
    ]  # fmt: skip


def _bars(found: Choosing, key: str, title: str, says: str) -> Panel:
    n = len(found.options.names)
    words = tuple(
        f"{name} ({show(score, '.6g')})"
        for name, score in zip(found.options.names, found.options.scores, strict=True)
    )
    return Panel(
        key=key, title=title, height=360, caption=says,
        x=Axis(range=(0.0, float(n)), ticks=tuple(k + 0.5 for k in range(n)), words=words, title="option (score)"),
        y=Axis(range=(0.0, 1.0), title="probability of being chosen", format=".0%"),
        alt="How often each option is chosen, with Ada and with her worst neighbour, at ε = {epsilon}.",
        layers=[
            layers.Bars(edges=edges(n, 0.13), heights=key, role="private", label="with these scores"),
            layers.Bars(edges=edges(n, 0.5), heights=f"{key}_other", role="other", label="a neighbour"),
        ],
    )  # fmt: skip


def _best() -> Panel:
    return Panel(
        key="best", title="How often the best option is chosen", height=380, x=epsilon_axis(), depth=Depth.UNDERSTAND,
        y=Axis(range=(0.0, 1.02), title="best option chosen", format=".0%"),
        caption="All three cost the same ε. To publish all noisy scores is to publish many numbers: each then needs "
        "more noise than a choice does.",
        alt="How often the best option is chosen: exponential mechanism {best_chosen_now}, largest noisy score "
        "{best_winner_now}, all noisy scores {best_all_now}.",
        layers=[
            layers.Line(x=EPSILONS, y="best_all", role="nonprivate", width=1.6, label="all noisy scores published",
                        label_short="all scores"),
            layers.Line(x=EPSILONS, y="best_winner", role="other", label="largest noisy score"),
            layers.Line(x=EPSILONS, y="best_chosen", label="exponential mechanism", label_short="exponential"),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="best_chosen_now"),
        ],
    )  # fmt: skip


def _readouts(params: QueriesParams) -> list[Readout]:
    more: dict[str, Any] = {"depth": Depth.UNDERSTAND}
    return [
        Readout(label="exponential mechanism: the best is chosen", value="best_chosen_now", format="in 100",
                role="private"),
        Readout(label="largest noisy score: the best", value="best_winner_now", format="in 100"),
        Readout(label="all noisy scores published: the best", value="best_all_now", format="in 100"),
        Readout(label="score lost", value="loss_chosen_now", format=".3g", note="exponential, on average", **more),
        Readout(label="score lost", value="loss_winner_now", format=".3g", note="largest noisy score", **more),
        Readout(label="the worst neighbour shows", value="shown_now", format=".3g", note="ε, exponential", **more),
    ]  # fmt: skip


def _meaning(params: QueriesParams, found: Choosing) -> Text:
    best = found.options.names[int(np.argmax(found.options.scores))]
    return Text(
        strings=[
            f"{best} has the best score. The exponential mechanism chooses it {{best_chosen_now}}, the largest noisy "
            "score {best_winner_now}."
        ]
    )


def _odds(params: QueriesParams, found: Choosing) -> list[Text]:
    return [people(guarantees(params))]


TOPIC = Topic(
    title="A choice among own options",
    shows=("epsilon", "monotone", "options"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="chosen", tables=("chosen", "best"), redraw=False,
)  # fmt: skip
