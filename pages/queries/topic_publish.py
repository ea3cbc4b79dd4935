"""Topic of the page "Asking again": publication of whole records, each with a small probability δ.

This release is (0, δ)-DP.
"""

from __future__ import annotations

import numpy as np

from dpcore.experiments.queries import Publish, QueriesParams, guarantees, somebody
from dpcore.experiments.queries.params import CHANCES, PEOPLE
from pages.queries.topic import Topic
from ui.figure_kit.common import array
from ui.figure_kit.odds_pictogram import people
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.words import text

__all__ = ["TOPIC"]

T = text.load_text(__file__)
_SIZES = np.geomspace(10, 1000, 41)
_NAMED = 6  # people that the sentence names


def _arrays(params: QueriesParams, publication: Publish) -> dict[str, Array]:
    one, place = params.how == "one", PEOPLE.index(params.n_people)
    curve = [[somebody(chance, n, one=one) for n in _SIZES] for chance in CHANCES]
    delta = np.full(len(CHANCES), 1 / params.n_people) if one else np.array(CHANCES)
    return {
        "people": array(publication.places[place][: params.n_people]),
        "zeros": Array(np.zeros(params.n_people, np.int32), (None,)),
        "published": array(publication.shown[:, place], "chance"),
        "marks": Array(np.zeros(publication.shown.shape[2], np.int32), (None,)),
        "curve": array(curve, "chance"),
        "somebody": array(publication.somebody[:, place], "chance"),
        "expected": array(publication.expected[:, place], "chance"),
        "delta_now": array(delta, "chance"),
        "enough": array(np.minimum(1 / np.array(CHANCES), 1e5), "chance"),
        "size_now": array(float(params.n_people)),
    }


def _panels(params: QueriesParams, publication: Publish) -> list[Panel]:
    return [_people(), _curve(params)]


def _people() -> Panel:
    box = Axis(range=(-1.05, 1.05))
    panel = Panel(
        key="people", kind="map", height=400, x=box, y=box,
        layers=[
            layers.Points(xy="people", labels="zeros", role="muted", size=2.6, label=T("panels.people.hidden")),
            layers.Markers(xy="published", labels="marks", role="danger", size=6,
                           label=T("panels.people.published")),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _curve(params: QueriesParams) -> Panel:
    enough = layers.VLine(
        at="enough", role="danger", dash=True, width=1, label=T("panels.somebody.enough")
    )
    panel = Panel(
        key="somebody", height=400, x=Axis(range=(9.0, 1100.0), log=True, ticks=(10, 100, 1000)),
        y=Axis(range=(0.0, 1.04), format=".0%"),
        layers=[
            *([] if params.how == "one" else [enough]),
            layers.VLine(at="size_now", role="muted", width=1),
            layers.Line(x=_SIZES.tolist(), y="curve", label=T("panels.somebody.curve"),
                        label_short=T("panels.somebody.curve_short")),
            layers.Dot(x="size_now", y="somebody"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _readouts(params: QueriesParams) -> list[Readout]:
    return [
        T.readout(Readout(value="delta_now", about="private", format=".2g")),
        T.readout(Readout(value="somebody", about="private", format="in 100", role="danger")),
        T.readout(Readout(value="expected", format=".3g")),
    ]


def _meaning(params: QueriesParams, publication: Publish) -> Text:
    place = PEOPLE.index(params.n_people)
    return Text(strings=[_sentence(row[place]) for row in publication.picked], dims=("chance",))


def _sentence(picked: tuple[int, ...]) -> str:
    """Return the sentence that lists the published records by number, at most six of them.

    ``picked`` has the indices of the published records.
    """
    if not picked:
        return T("meaning.publish.nobody")
    numbers = ", ".join(str(place + 1) for place in picked[:_NAMED])
    if len(picked) == 1:
        return T("meaning.publish.one", people=numbers)
    if len(picked) <= _NAMED:
        return T("meaning.publish.several", people=numbers)
    return T("meaning.publish.many", people=numbers, more=len(picked) - _NAMED)


def _odds(params: QueriesParams, publication: Publish) -> list[Text]:
    return [people(guarantees(params), dims=("chance",))]


TOPIC = Topic(
    title=T("topics.publish"),
    shows=("chance", "n_people", "how", "seed"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="somebody", tables=("somebody",),
)  # fmt: skip
