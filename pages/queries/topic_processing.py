"""Topic of the page "Asking again": post-processing, which rounds, clamps or averages a noisy answer."""

from __future__ import annotations

import numpy as np

from dpcore.experiments.queries import Processing, QueriesParams, guarantees
from dpcore.experiments.queries.answers import OTHER, TRUTH
from pages.queries.topic import EPS, Topic, strip
from ui.figure_kit.common import EPSILONS, array, epsilon_axis
from ui.figure_kit.odds_pictogram import people
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.live.depth import Depth
from ui.words import text

__all__ = ["TOPIC"]

T = text.load_text(__file__)


def _arrays(params: QueriesParams, processing: Processing) -> dict[str, Array]:
    rows = {
        "raw": (processing.raw, 3.72),
        "raw_other": (processing.raw_other, 3.28),
        "made": (processing.processed, 1.72),
        "made_other": (processing.processed_other, 1.28),
    }
    points = {
        name: array(strip(np.clip(x, -60, 60), y), "epsilon") for name, (x, y) in rows.items()
    }
    lines = {
        "hits_raw": processing.hits_raw, "hits": processing.hits, "bound": 1 / (1 + np.exp(-EPS)),
        "error_raw": processing.error_raw, "error": processing.error,
    }  # fmt: skip
    return {
        **points,
        **{name: array(value) for name, value in lines.items()},
        **{f"{name}_now": array(value, "epsilon") for name, value in lines.items()},
        "epsilon_now": array(EPSILONS, "epsilon"),
        "zeros": Array(np.zeros(processing.raw.shape[-1], np.int32), (None,)),
    }


def _panels(params: QueriesParams, processing: Processing) -> list[Panel]:
    return [_answers(), _hits()]


def _answers() -> Panel:
    rows = T("panels.processed.below"), T("panels.processed.above")
    panel = Panel(
        key="processed", height=380, x=Axis(range=(-9.0, 15.0)),
        y=Axis(range=(0.6, 4.4), ticks=(1.5, 3.5), words=rows, title=""),
        layers=[
            layers.VLine(at=TRUTH, role="private", dash=True, width=1, label=T("panels.processed.with")),
            layers.VLine(at=OTHER, role="other", dash=True, width=1, label=T("panels.processed.without")),
            layers.Points(xy="raw", labels="zeros", role="private", size=2.6),
            layers.Points(xy="raw_other", labels="zeros", role="other", size=2.6),
            layers.Points(xy="made", labels="zeros", role="private", size=2.6),
            layers.Points(xy="made_other", labels="zeros", role="other", size=2.6),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _hits() -> Panel:
    panel = Panel(
        key="attack", height=380, x=epsilon_axis(), y=Axis(range=(0.48, 1.02), format=".0%"),
        layers=[
            layers.Line(x=EPSILONS, y="bound", role="danger", dash=True, width=1.2, label=T("panels.attack.bound"),
                        label_short=T("panels.attack.bound_short")),
            layers.Line(x=EPSILONS, y="hits_raw", role="nonprivate", width=3.4, label=T("panels.attack.raw"),
                        label_short=T("panels.attack.raw_short")),
            layers.Line(x=EPSILONS, y="hits", width=1.8, label=T("panels.attack.processed"),
                        label_short=T("panels.attack.processed_short")),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="hits_now"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _readouts(params: QueriesParams) -> list[Readout]:
    return [
        T.readout(Readout(value="hits_raw_now", about="private", format="in 100")),
        T.readout(
            Readout(value="hits_now", about="private", format="in 100"), key="processed_hits"
        ),
        T.readout(Readout(value="error_now", format=".3g", role="private"), key="processed_error"),
        T.readout(Readout(value="error_raw_now", format=".3g", depth=Depth.UNDERSTAND)),
    ]


def _meaning(params: QueriesParams, processing: Processing) -> Text:
    return Text(strings=[T("meaning.processing.attack")])


def _odds(params: QueriesParams, processing: Processing) -> list[Text]:
    return [people(guarantees(params))]


TOPIC = Topic(
    title=T("topics.processing"),
    shows=("epsilon", "step", "clamp", "average", "seed"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="attack", tables=("attack",),
)  # fmt: skip
