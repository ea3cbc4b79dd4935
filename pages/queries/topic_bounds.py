"""Topic of the page "Asking again": a mean whose clipping bounds are the smallest and the largest record.

The noise scale follows from these bounds, and therefore reveals them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.experiments.queries import Bounds, QueriesParams, guarantees
from dpcore.experiments.queries.sensitivity import N_RELEASES, PLACES
from pages.queries.topic import COORDS, EPS, Topic, grown, scale_table, strip
from ui.figure_kit.common import EPSILONS, array, density_axis, epsilon_axis
from ui.figure_kit.odds_pictogram import people
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.live.depth import Depth
from ui.words import text

__all__ = ["TOPIC"]

T = text.load_text(__file__)
_LEAST = 0.02  # the floor of the axis of ε


def _arrays(params: QueriesParams, bounds: Bounds) -> dict[str, Array]:
    table, far = scale_table(1 / EPS, "epsilon")
    worlds = {"there": bounds.there, "other": bounds.other}
    curves: dict[str, Array] = {}
    for k, (name, one) in enumerate(worlds.items()):
        curves[name] = array(grown(one.mean, one.reach * PLACES, far), "s")
        draws = grown(one.mean, one.reach * bounds.noise, far)
        curves[f"draws_{name}"] = array(strip(draws, -0.1 - 0.14 * k), "s")
        curves[f"scale_{name}"] = array(one.reach / EPS, "epsilon")
    lines = {"attacked": bounds.shown, "attacked_honest": bounds.honest}
    return curves | {
        "scale_of": table,
        "density": array(np.exp(-np.abs(PLACES))),
        "zeros": Array(np.zeros(len(bounds.noise), np.int32), (None,)),
        **{name: array(np.maximum(value, _LEAST)) for name, value in lines.items()},
        "attacked_drawn": array(np.maximum(bounds.shown, _LEAST), "epsilon"),
        "attacked_now": array(bounds.shown, "epsilon"),
        "right": array(bounds.hits, "epsilon"),
        "epsilon_now": array(EPSILONS, "epsilon"),
        "real": array(bounds.real, "epsilon"),
    }


def _panels(params: QueriesParams, bounds: Bounds) -> list[Panel]:
    return [_worlds(bounds), _attack(bounds)]


def _worlds(bounds: Bounds) -> Panel:
    middle = bounds.other.mean
    panel = Panel(
        key="means", height=400, x=Axis(range=(middle - 24.0, middle + 24.0)), y=density_axis(-0.34),
        layers=[
            layers.Line(x="other", y="density", role="other", label=T("panels.means.other")),
            layers.Line(x="there", y="density", label=T("panels.means.there")),
            layers.Points(xy="draws_there", labels="zeros", role="private", size=2.6),
            layers.Points(xy="draws_other", labels="zeros", role="other", size=2.6),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _attack(bounds: Bounds) -> Panel:
    panel = Panel(
        key="audit", height=400, x=epsilon_axis(),
        y=Axis(range=(_LEAST, 30.0), log=True, ticks=(0.1, 1, 10)),
        layers=[
            layers.HLine(at=bounds.ceiling, role="muted", dash=True, width=1, label=T("panels.audit.ceiling"),
                         label_short=T("panels.audit.ceiling_short")),
            layers.Line(x=EPSILONS, y=EPSILONS, role="nonprivate", width=1.6, label=T("panels.audit.claimed")),
            layers.Line(x=EPSILONS, y="attacked_honest", role="other", width=1.6,
                        label=T("panels.audit.honest"), label_short=T("panels.audit.honest_short")),
            layers.Line(x=EPSILONS, y="attacked", label=T("panels.audit.shown"),
                        label_short=T("panels.audit.shown_short")),
            layers.Dot(x="epsilon_now", y="attacked_drawn"),
        ],
    )  # fmt: skip
    return T.panel(panel, n_releases=N_RELEASES)


def _readouts(params: QueriesParams) -> list[Readout]:
    more: dict[str, Any] = {"depth": Depth.UNDERSTAND}
    attacked = Readout(value="attacked_now", about="private", format=".3g", role="danger")
    return [
        T.readout(Readout(value="epsilon_now", about="private", format=".3g")),
        T.readout(attacked, n_releases=N_RELEASES),
        T.readout(Readout(value="right", about="private", format="in 100")),
        T.readout(Readout(value="scale_there", format=".3g", **more)),
        T.readout(Readout(value="scale_other", format=".3g", **more)),
        T.readout(Readout(value="real", about="private", format=".3g", **more)),
    ]


def _meaning(params: QueriesParams, bounds: Bounds) -> Text:
    if params.reading == "declared":
        sentence = T("meaning.bounds.declared")
    elif bounds.there == bounds.other:
        sentence = T("meaning.bounds.same")
    elif not (bounds.there.reach and bounds.other.reach):
        sentence = T("meaning.bounds.without_noise")
    else:
        sentence = T("meaning.bounds.width")
    return Text(strings=[sentence])


def _odds(params: QueriesParams, bounds: Bounds) -> list[Text]:
    if params.reading == "declared":
        return [people(guarantees(params))]
    return [Text(strings=[T("odds.bounds")])]


TOPIC = Topic(
    title=T("topics.bounds"),
    shows=("epsilon", "reading", "value", "others", "seed"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="audit", tables=("audit",), coords=COORDS,
)  # fmt: skip
