"""A whole record, published rarely: (0, δ)-DP, and somebody is given away."""

from __future__ import annotations

import numpy as np

from dpcore.experiments.queries import Publish, QueriesParams, somebody
from dpcore.experiments.queries.guarantee import guarantees
from dpcore.experiments.queries.params import CHANCES, PEOPLE
from pages.queries.topic import Topic
from ui.figure_kit.common import array
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.words.odds_pictogram import people

__all__ = ["TOPIC"]

_SIZES = np.geomspace(10, 1000, 41)


def _arrays(params: QueriesParams, found: Publish) -> dict[str, Array]:
    one, place = params.how == "one", PEOPLE.index(params.n_people)
    curve = [[somebody(chance, n, one=one) for n in _SIZES] for chance in CHANCES]
    delta = np.full(len(CHANCES), 1 / params.n_people) if one else np.array(CHANCES)
    return {
        "people": array(found.places[place][: params.n_people]),
        "zeros": Array(np.zeros(params.n_people, np.int32), (None,)),
        "published": array(found.shown[:, place], "chance"),
        "marks": Array(np.zeros(found.shown.shape[2], np.int32), (None,)),
        "curve": array(curve, "chance"),
        "somebody": array(found.somebody[:, place], "chance"),
        "expected": array(found.expected[:, place], "chance"),
        "delta_now": array(delta, "chance"),
        "enough": array(np.minimum(1 / np.array(CHANCES), 1e5), "chance"),
        "size_now": array(float(params.n_people)),
    }


def _panels(params: QueriesParams, found: Publish) -> list[Panel]:
    return [_people(), _curve(params)]


def _people() -> Panel:
    box = Axis(range=(-1.05, 1.05))
    return Panel(
        key="people", kind="map", title="One release", height=400, x=box, y=box,
        caption="Each dot is a person. The large ones are published with everything in their records.",
        alt="{size_now} people, of whom some are published: {expected} on average.",
        layers=[
            layers.Points(xy="people", labels="zeros", role="muted", size=2.6, label="hidden"),
            layers.Markers(xy="published", labels="marks", role="danger", size=6, label="published"),
        ],
    )  # fmt: skip


def _curve(params: QueriesParams) -> Panel:
    line = [] if params.how == "one" else [
        layers.VLine(at="enough", role="danger", dash=True, width=1, label="n = 1/δ"),
    ]  # fmt: skip
    return Panel(
        key="somebody", title="How often anybody is published", height=400,
        x=Axis(range=(9.0, 1100.0), log=True, title="people n", ticks=(10, 100, 1000)),
        y=Axis(range=(0.0, 1.04), title="somebody is published", format=".0%"),
        caption="A small δ for each person is not small for all of them: from 1/δ people on, somebody is likely to "
        "be given away each time.",
        alt="How often anybody is published among n people: in {somebody} of the releases.",
        layers=[
            *line,
            layers.VLine(at="size_now", role="muted", width=1),
            layers.Line(x=_SIZES.tolist(), y="curve", label="somebody is published", label_short="somebody"),
            layers.Dot(x="size_now", y="somebody"),
        ],
    )  # fmt: skip


def _readouts(params: QueriesParams) -> list[Readout]:
    return [
        Readout(label="a certain person is published", value="delta_now", format=".2g", note="δ: the probability"),
        Readout(label="somebody is published", value="somebody", format="in 100", note="releases", role="danger"),
        Readout(label="published each time", value="expected", format=".3g", note="people, on average"),
    ]  # fmt: skip


def _meaning(params: QueriesParams, found: Publish) -> Text:
    place = PEOPLE.index(params.n_people)
    names = found.names[place :: len(PEOPLE)]
    return Text(strings=[f"{name} And yet ε is 0." for name in names], dims=("chance",))


def _odds(params: QueriesParams, found: Publish) -> list[Text]:
    return [people(guarantees(params), dims=("chance",))]


TOPIC = Topic(
    title="A whole record, rarely",
    shows=("chance", "n_people", "how", "seed"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="somebody", tables=("somebody",),
)  # fmt: skip
