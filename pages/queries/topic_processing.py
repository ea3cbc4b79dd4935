"""What is done to an answer afterwards: rounding, putting to 0, averaging."""

from __future__ import annotations

import numpy as np

from dpcore.experiments.queries import Processing, QueriesParams
from dpcore.experiments.queries.afterwards import OTHER, TRUTH
from dpcore.experiments.queries.guarantee import guarantees
from pages.queries.topic import EPS, Topic, strip
from ui.figure_kit.common import EPSILONS, array, epsilon_axis
from ui.frame.depth import Depth
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.words.odds_pictogram import people

__all__ = ["TOPIC"]


def _arrays(params: QueriesParams, found: Processing) -> dict[str, Array]:
    rows = {
        "raw": (found.raw, 3.72),
        "raw_other": (found.raw_other, 3.28),
        "made": (found.made, 1.72),
        "made_other": (found.made_other, 1.28),
    }
    points = {
        name: array(strip(np.clip(x, -60, 60), y), "epsilon") for name, (x, y) in rows.items()
    }
    lines = {
        "hits_raw": found.hits_raw, "hits": found.hits, "bound": 1 / (1 + np.exp(-EPS)),
        "error_raw": found.error_raw, "error": found.error,
    }  # fmt: skip
    return {
        **points,
        **{name: array(value) for name, value in lines.items()},
        **{f"{name}_now": array(value, "epsilon") for name, value in lines.items()},
        "epsilon_now": array(EPSILONS, "epsilon"),
        "zeros": Array(np.zeros(found.raw.shape[-1], np.int32), (None,)),
    }


def _panels(params: QueriesParams, found: Processing) -> list[Panel]:
    return [_answers(), _hits()]


def _answers() -> Panel:
    return Panel(
        key="processed", title="Answers before and after", height=380,
        x=Axis(range=(-9.0, 15.0), title="answer (people)"),
        y=Axis(range=(0.6, 4.4), ticks=(1.5, 3.5), words=("processed", "published"), title=""),
        caption="Above: 80 answers that could have been published with Ada, and the same draws of the noise without "
        "her. Below: the same answers after processing.",
        alt="Answers with Ada and without her, before and after processing, at ε = {epsilon}.",
        layers=[
            layers.VLine(at=TRUTH, role="private", dash=True, width=1, label="truth with Ada"),
            layers.VLine(at=OTHER, role="other", dash=True, width=1, label="truth without Ada"),
            layers.Points(xy="raw", labels="zeros", role="private", size=2.6),
            layers.Points(xy="raw_other", labels="zeros", role="other", size=2.6),
            layers.Points(xy="made", labels="zeros", role="private", size=2.6),
            layers.Points(xy="made_other", labels="zeros", role="other", size=2.6),
        ],
    )  # fmt: skip


def _hits() -> Panel:
    return Panel(
        key="attack", title="How often an attacker is right", height=380, x=epsilon_axis(),
        y=Axis(range=(0.48, 1.02), title="right guesses", format=".0%"),
        caption="Whatever is done to the answer, the attacker does not become better: anybody could have done it.",
        alt="Right guesses: {hits_raw_now} from the published answer, {hits_now} after processing.",
        layers=[
            layers.Line(x=EPSILONS, y="bound", role="danger", dash=True, width=1.2, label="what ε allows",
                        label_short="allowed by ε"),
            layers.Line(x=EPSILONS, y="hits_raw", role="nonprivate", width=3.4, label="from what was published",
                        label_short="published"),
            layers.Line(x=EPSILONS, y="hits", width=1.8, label="after processing", label_short="processed"),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="hits_now"),
        ],
    )  # fmt: skip


def _readouts(params: QueriesParams) -> list[Readout]:
    return [
        Readout(label="before: an attacker guesses right", value="hits_raw_now", format="in 100",
                note="from what was published"),
        Readout(label="after: an attacker guesses right", value="hits_now", format="in 100",
                note="never more"),
        Readout(label="the processed answer is off by", value="error_now", format=".3g",
                note="people, on average", role="private"),
        Readout(label="the answer before: off by", value="error_raw_now", format=".3g",
                note="people, on average", depth=Depth.UNDERSTAND),
    ]  # fmt: skip


def _meaning(params: QueriesParams, found: Processing) -> Text:
    return Text(
        strings=[
            "An attacker guesses right {hits_raw_now} times with what was published, and {hits_now} times after "
            "processing: ε stays {epsilon}."
        ]
    )


def _odds(params: QueriesParams, found: Processing) -> list[Text]:
    return [people(guarantees(params))]


TOPIC = Topic(
    title="What is done to an answer",
    shows=("epsilon", "step", "clamp", "average", "seed"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="attack", tables=("attack",),
)  # fmt: skip
