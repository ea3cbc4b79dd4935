"""Topic of the page "Asking again": two neighbouring relations, which add or remove a record, or replace a record."""

from __future__ import annotations

import numpy as np

from dpcore.experiments.queries import ASKED, Neighbours, QueriesParams, guarantees
from pages.queries.topic import COORDS, EPS, Topic, edges, grown, scale_table, strip
from ui.figure_kit.common import array, density_axis, interleave
from ui.figure_kit.odds_pictogram import people
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.words import text

__all__ = ["TOPIC"]

T = text.load_text(__file__)
_UNIT = np.concatenate([[-14, -10, -7, -5], np.linspace(-4, 4, 49), [5, 7, 10, 14]])


def _arrays(params: QueriesParams, neighbours: Neighbours) -> dict[str, Array]:
    table, far = scale_table(neighbours.reach / EPS, "epsilon")
    return {
        "scale_of": table,
        "added": array(interleave(neighbours.table[0])),
        "replaced": array(interleave(neighbours.table[1])),
        "density": array(np.exp(-np.abs(_UNIT))),
        "there": array(grown(neighbours.answer, _UNIT, far), "s"),
        "other": array(grown(neighbours.other, _UNIT, far), "s"),
        "draws": array(strip(grown(neighbours.answer, neighbours.noise, far), -0.1), "s"),
        "draws_other": array(strip(grown(neighbours.other, neighbours.noise, far), -0.24), "s"),
        "zeros": Array(np.zeros(len(neighbours.noise), np.int32), (None,)),
        "reach": array(neighbours.reach),
        "scale_now": array(neighbours.reach / EPS, "epsilon"),
        "right": array(neighbours.hits, "epsilon"),
    }  # fmt: skip


def _panels(params: QueriesParams, neighbours: Neighbours) -> list[Panel]:
    return [_worlds(params, neighbours), _table()]


def _worlds(params: QueriesParams, neighbours: Neighbours) -> Panel:
    wide = max(neighbours.reach, 1e-9) if neighbours.reach else 1.0
    title = T("panels.relation.cell" if params.query == "histogram" else "panels.relation.answer")
    panel = Panel(
        key="relation", height=400, x=Axis(range=(-8 * wide, 9 * wide), title=title), y=density_axis(-0.32),
        layers=[
            layers.Line(x="other", y="density", role="other", label=T("panels.relation.other")),
            layers.Line(x="there", y="density", label=T("panels.relation.there")),
            layers.Points(xy="draws", labels="zeros", role="private", size=2.4),
            layers.Points(xy="draws_other", labels="zeros", role="other", size=2.4),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _table() -> Panel:
    n, words = len(ASKED), tuple(T(f"panels.table.{query}") for query in ASKED)
    panel = Panel(
        key="table", height=360,
        x=Axis(range=(0.0, float(n)), ticks=tuple(k + 0.5 for k in range(n)), words=words, title=""),
        y=Axis(range=(0.0, 2.2)),
        layers=[
            layers.Bars(edges=edges(n, 0.13), heights="added", role="private", label=T("panels.table.added")),
            layers.Bars(edges=edges(n, 0.5), heights="replaced", role="other", label=T("panels.table.replaced")),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _readouts(params: QueriesParams) -> list[Readout]:
    return [
        T.readout(Readout(value="reach", about="private", format=".3g")),
        T.readout(Readout(value="scale_now", about="private", format=".3g", role="private")),
        T.readout(Readout(value="right", about="private", format="in 100")),
    ]


def _meaning(params: QueriesParams, neighbours: Neighbours) -> Text:
    key = (
        params.relation if neighbours.reach else "public"
    )  # a count stays the same where records are replaced
    return Text(strings=[T(f"meaning.neighbours.{key}")])


def _odds(params: QueriesParams, neighbours: Neighbours) -> list[Text]:
    return [people(guarantees(params))]


TOPIC = Topic(
    title=T("topics.neighbours"),
    shows=("epsilon", "query", "relation", "n_people", "seed"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="relation", tables=("table",), coords=COORDS,
)  # fmt: skip
