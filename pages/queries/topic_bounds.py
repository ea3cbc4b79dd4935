"""Bounds read from the data: the noise itself tells who is there."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.experiments.queries import Bounds, QueriesParams
from dpcore.experiments.queries.guarantee import guarantees
from dpcore.experiments.queries.read_bounds import N_RELEASES, T
from pages.queries.topic import COORDS, EPS, Topic, grown, scale_table, strip
from ui.figure_kit.common import EPSILONS, array, density_axis, epsilon_axis
from ui.frame.depth import Depth
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.words.odds_pictogram import people

__all__ = ["TOPIC"]

_LEAST = 0.02  # the floor of the axis of ε


def _arrays(params: QueriesParams, found: Bounds) -> dict[str, Array]:
    table, far = scale_table(1 / EPS, "epsilon")
    worlds = {"there": found.there, "other": found.other}
    made: dict[str, Array] = {}
    for k, (name, one) in enumerate(worlds.items()):
        made[name] = array(grown(one.mean, one.reach * T, far), "s")
        draws = grown(one.mean, one.reach * found.noise, far)
        made[f"draws_{name}"] = array(strip(draws, -0.1 - 0.14 * k), "s")
        made[f"scale_{name}"] = array(one.reach / EPS, "epsilon")
    lines = {"attacked": found.shown, "attacked_honest": found.honest}
    return made | {
        "scale_of": table,
        "density": array(np.exp(-np.abs(T))),
        "zeros": Array(np.zeros(len(found.noise), np.int32), (None,)),
        **{name: array(np.maximum(value, _LEAST)) for name, value in lines.items()},
        "attacked_drawn": array(np.maximum(found.shown, _LEAST), "epsilon"),
        "attacked_now": array(found.shown, "epsilon"),
        "right": array(found.hits, "epsilon"),
        "epsilon_now": array(EPSILONS, "epsilon"),
        "real": array(found.real, "epsilon"),
    }


def _panels(params: QueriesParams, found: Bounds) -> list[Panel]:
    return [_worlds(found), _attack(found)]


def _worlds(found: Bounds) -> Panel:
    middle = found.other.mean
    return Panel(
        key="means", title="The published mean of 20 people", height=400,
        x=Axis(range=(middle - 24.0, middle + 24.0), title="published mean"),
        y=density_axis(-0.34),
        caption="Ada's value is v in one world, and like everybody else's in the other. The noise is made for the "
        "bounds. Where the bounds come from the data, its width differs, and a world without spread has no noise.",
        alt="How likely every published mean is in two worlds, at a claimed ε of {epsilon}.",
        layers=[
            layers.Line(x="other", y="density", role="other", label="Ada is like the others"),
            layers.Line(x="there", y="density", label="Ada's value is v"),
            layers.Points(xy="draws_there", labels="zeros", role="private", size=2.6),
            layers.Points(xy="draws_other", labels="zeros", role="other", size=2.6),
        ],
    )  # fmt: skip


def _attack(found: Bounds) -> Panel:
    return Panel(
        key="audit", title="The claim, and what an attack shows", height=400,
        x=epsilon_axis("claimed ε"),
        y=Axis(range=(_LEAST, 30.0), log=True, title="ε", ticks=(0.1, 1, 10)),
        caption=f"We attack {N_RELEASES} releases of each world. With declared bounds what is shown exceeds ε "
        "in at most 5 of 100 audits; with bounds read from the data it may exceed ε, up to what so many "
        "releases can show.",
        alt="Claimed ε {epsilon}; an attack shows at least {attacked_now}.",
        layers=[
            layers.HLine(at=found.ceiling, role="muted", dash=True, width=1, label="most that an attack could show",
                         label_short="limit"),
            layers.Line(x=EPSILONS, y=EPSILONS, role="nonprivate", width=1.6, label="claimed"),
            layers.Line(x=EPSILONS, y="attacked_honest", role="other", width=1.6,
                        label="shown, declared bounds", label_short="declared"),
            layers.Line(x=EPSILONS, y="attacked", label="shown, these bounds", label_short="shown"),
            layers.Dot(x="epsilon_now", y="attacked_drawn"),
        ],
    )  # fmt: skip


def _readouts(params: QueriesParams) -> list[Readout]:
    more: dict[str, Any] = {"depth": Depth.UNDERSTAND}
    return [
        Readout(label="claimed", value="epsilon_now", format=".3g", note="ε"),
        Readout(label="an attack shows at least", value="attacked_now", format=".3g", role="danger",
                note=f"ε, from {N_RELEASES} releases of each world",
                help="With 95 % confidence, at a cut that was chosen on other releases."),
        Readout(label="an attacker guesses right", value="right", format="in 100",
                note="guessing blindly: 50 in 100"),
        Readout(label="noise when Ada has v", value="scale_there", format=".3g", note="scale b", **more),
        Readout(label="noise when she is like the others", value="scale_other", format=".3g", note="scale b", **more),
        Readout(label="ε of these two data sets", value="real", format=".3g", note="no bound where it is ∞", **more),
    ]  # fmt: skip


def _meaning(params: QueriesParams, found: Bounds) -> Text:
    if params.reading == "declared":
        says = "The bounds are declared, the noise is the same in both worlds, and the claim holds."
    elif found.there == found.other:
        says = "Ada is like everybody else here: give her another value to see what goes wrong."
    elif not (found.there.reach and found.other.reach):
        says = "One world has no noise at all: a single answer tells for certain which world it is."
    else:
        says = "The width of the noise differs between the worlds: a far answer gives Ada away."
    return Text(strings=[says])


def _odds(params: QueriesParams, found: Bounds) -> list[Text]:
    if params.reading == "declared":
        return [people(guarantees(params))]
    return [
        Text(
            strings=[
                "The bounds tell about Ada, and no ε accounts for that: this ε promises nothing."
            ]
        )
    ]


TOPIC = Topic(
    title="Bounds from the data",
    shows=("epsilon", "reading", "value", "others", "seed"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="audit", tables=("audit",), coords=COORDS,
)  # fmt: skip
