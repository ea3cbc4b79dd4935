"""What a neighbour is: one person more or less, or one replaced by another."""

from __future__ import annotations

import numpy as np

from dpcore.experiments.queries import ASKED, Neighbours, QueriesParams
from dpcore.experiments.queries.guarantee import guarantees
from pages.queries.topic import COORDS, EPS, Topic, beside, edges, grown, scale_table, strip
from ui.figure_kit.common import array, density_axis
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.words.odds_pictogram import people

__all__ = ["TOPIC"]

_UNIT = np.concatenate([[-14, -10, -7, -5], np.linspace(-4, 4, 49), [5, 7, 10, 14]])
_WORDS = {
    "add_remove": "one person more or less",
    "replace_one": "one person replaced by another",
}


def _arrays(params: QueriesParams, found: Neighbours) -> dict[str, Array]:
    table, far = scale_table(found.reach / EPS, "epsilon")
    return {
        "scale_of": table,
        "added": array(beside(found.table[0])),
        "replaced": array(beside(found.table[1])),
        "density": array(np.exp(-np.abs(_UNIT))),
        "there": array(grown(found.answer, _UNIT, far), "s"),
        "other": array(grown(found.other, _UNIT, far), "s"),
        "draws": array(strip(grown(found.answer, found.noise, far), -0.1), "s"),
        "draws_other": array(strip(grown(found.other, found.noise, far), -0.24), "s"),
        "zeros": Array(np.zeros(len(found.noise), np.int32), (None,)),
        "reach": array(found.reach),
        "scale_now": array(found.reach / EPS, "epsilon"),
        "right": array(found.hits, "epsilon"),
    }  # fmt: skip


def _panels(params: QueriesParams, found: Neighbours) -> list[Panel]:
    return [_worlds(params, found), _table()]


def _worlds(params: QueriesParams, found: Neighbours) -> Panel:
    wide = max(found.reach, 1e-9) if found.reach else 1.0
    return Panel(
        key="relation", title="The answers of two worst neighbours", height=400,
        x=Axis(range=(-8 * wide, 9 * wide), title=_axis(params)),
        y=density_axis(-0.32),
        caption="Two data sets that differ as much as the switch allows. Change it: the same question may need more "
        "noise, less, or none at all.",
        alt="How likely every answer is with two neighbours, at ε = {epsilon}: one changes the answer by {reach}.",
        layers=[
            layers.Line(x="other", y="density", role="other", label="its neighbour"),
            layers.Line(x="there", y="density", label="a data set"),
            layers.Points(xy="draws", labels="zeros", role="private", size=2.4),
            layers.Points(xy="draws_other", labels="zeros", role="other", size=2.4),
        ],
    )  # fmt: skip


def _axis(params: QueriesParams) -> str:
    what = "count of one cell" if params.query == "histogram" else "published answer"
    return f"{what}, less the exact one of the neighbour"


def _table() -> Panel:
    n = len(ASKED)
    return Panel(
        key="table", title="How far a neighbour moves each answer", height=360,
        x=Axis(range=(0.0, float(n)), ticks=tuple(k + 0.5 for k in range(n)), words=ASKED, title=""),
        y=Axis(range=(0.0, 2.2), title="sensitivity"),
        caption="A count is public when people are only replaced, and a person who is replaced may move two cells "
        "of a histogram. The mean of a private number of people moves by up to one half.",
        alt="Sensitivities of count, sum, mean and histogram for both kinds of neighbours.",
        layers=[
            layers.Bars(edges=edges(n, 0.13), heights="added", role="private", label="one more or less"),
            layers.Bars(edges=edges(n, 0.5), heights="replaced", role="other", label="one replaced"),
        ],
    )  # fmt: skip


def _readouts(params: QueriesParams) -> list[Readout]:
    return [
        Readout(label="a neighbour changes the answer by", value="reach", format=".3g", note="at most"),
        Readout(label="noise", value="scale_now", format=".3g", note="average size", role="private"),
        Readout(label="an attacker guesses right", value="right", format="in 100",
                note="guessing blindly: 50 in 100"),
    ]  # fmt: skip


def _meaning(params: QueriesParams, found: Neighbours) -> Text:
    kind = _WORDS[params.relation]
    if not found.reach:
        return Text(
            strings=[f"With {kind} the count stays the same: it is public, and needs no noise."]
        )
    return Text(
        strings=[f"With {kind} this answer changes by up to {{reach}}, and the noise is made for that."]
    )  # fmt: skip


def _odds(params: QueriesParams, found: Neighbours) -> list[Text]:
    return [people(guarantees(params))]


TOPIC = Topic(
    title="What a neighbour is",
    shows=("epsilon", "query", "relation", "n_people", "seed"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="relation", tables=("table",), coords=COORDS,
)  # fmt: skip
