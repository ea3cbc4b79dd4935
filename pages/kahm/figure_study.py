"""The live figure of the affine hull page, its tabs: what was measured on a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.experiments.kahm import STUDY_EPSILONS, KahmParams, StudyDataset
from dpcore.experiments.kahm.baseline import RECORD_EPSILONS
from dpcore.experiments.kahm.params import PARTIES_GRID
from dpcore.experiments.kahm.study import EDGES, LEARNERS
from pages.kahm.figure_tables import SHORT
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.frame.depth import Depth
from ui.live import Axis, Panel, layers
from ui.words.numbers import short

__all__ = ["panels"]

_E = [float(e) for e in STUDY_EPSILONS]
_R = [float(e) for e in RECORD_EPSILONS]
_Q = [float(q) for q in PARTIES_GRID]
_PARTIES = [q + 0.6 for q in range(PARTIES_GRID[-1] + 1)]  # edges of a bar each
_MIDDLES = [float(m) for m in (EDGES[1:] + EDGES[:-1]) / 2]
_VALUE = "ε of one value"
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
_SHARE_WORDS = ("0 %", "25 %", "50 %", "75 %", "100 %")


def panels(params: KahmParams, data: StudyDataset) -> list[Panel]:
    """Return the panels of the tabs."""
    found = [
        *_accuracy(data),
        *_record(params, data),
        *_members(data),
        *_scores(),
        *_federated(data),
        *_pictures(data),
    ]
    return [replace(panel, depth=Depth.UNDERSTAND) for panel in found]


def _now(y: str, x: str = "epsilon_now") -> list[layers.Layer]:
    label = "your Q" if x == "parties_now" else "your ε"
    return [layers.VLine(at=x, role="muted", width=1, label=label), layers.Dot(x=x, y=y)]


def _accuracy(data: StudyDataset) -> list[Panel]:
    words = {
        "KAHM": "[[KAHM]] smooths by itself. On the digits, smoothing first changes next to nothing.",
        "NN": "On the digits [[1-NN]] is lost in noise. Smoothing makes the data usable for it.",
        "SVM": "Smoothing helps the [[SVM]] where the noise is strong.",
    }
    return [
        Panel(
            key=f"accuracy_{name}", title=f"{title} on {data.title}", tab="Accuracy", height=330,
            x=epsilon_axis(_VALUE),
            y=Axis(range=(0, 1.1), ticks=_SHARES, words=_SHARE_WORDS, title="accuracy on others"),
            caption=words[name],
            alt=f"Accuracy of {title}: invented {{fabricated_{name}_now}}, noisy {{noisy_{name}_now}}.",
            layers=[
                layers.Band(x=_E, low=f"low_{name}", high=f"high_{name}",
                            label="5 splits and draws", label_short="5 draws"),
                layers.HLine(at=f"original_{name}", role="nonprivate", label="original data"),
                layers.Line(x=_E, y="beside", role="text", dash=True, width=1.2,
                            label="class means, same record ε", label_short="class means"),
                layers.Line(x=_E, y=f"noisy_{name}", role="other", label="noisy data"),
                layers.Line(x=_E, y=f"fabricated_{name}", label="invented data"),
                *_now(f"fabricated_{name}_now"),
            ],
        )
        for name, title in zip(SHORT, LEARNERS, strict=True)
    ]  # fmt: skip


def _record(params: KahmParams, data: StudyDataset) -> list[Panel]:
    ticks = (0.05, 0.5, 5, 50, 500)
    return [
        Panel(
            key="sober", title="At the same ε of a whole record", tab="A record's ε", height=380,
            x=Axis(range=(0.04, 3000), log=True, title="ε of a whole record", ticks=ticks),
            y=Axis(range=(0, 1.1), ticks=_SHARES, words=_SHARE_WORDS, title="accuracy on others"),
            caption="At a small ε, noisy class means by one trusted [[data curator]] are far better. At a large ε "
            f"the shape of the images wins. The ε is that of a whole record at δ = {short(params.delta)}.",
            alt="Accuracy against the ε of a record for invented data and for central class means.",
            layers=[
                layers.Line(x=_R, y="central", role="text", label="class means, trusted curator",
                            label_short="class means"),
                layers.Line(x="tight_nodes", y="fabricated_KAHM", label="KAHM, invented data",
                            label_short="KAHM"),
                *_now("fabricated_KAHM_now", "tight_table"),
            ],
        ),
        Panel(
            key="adding", title="From one value to a record", tab="A record's ε", height=380,
            x=epsilon_axis(_VALUE),
            y=Axis(range=(0.04, 3000), log=True, title="ε of a whole record", ticks=ticks),
            caption="Every value has noise of its own, and its own ε. A whole record costs many times the ε of one "
            "value.",
            alt="Record's epsilon against the epsilon of one value.",
            layers=[
                layers.Line(x=EPSILONS, y=EPSILONS, role="muted", width=1, dash=True, label="one value"),
                layers.Line(x=EPSILONS, y=[2 * e for e in EPSILONS], role="nonprivate",
                            label="record of the picture, 2ε", label_short="picture, 2ε"),
                layers.Line(x=EPSILONS, y=[data.n_features * e for e in EPSILONS], dash=True,
                            label=f"record, for certain: "
                            f"{data.n_features}ε", label_short=f"{data.n_features}ε"),
                layers.Line(x=EPSILONS, y="tight_curve",
                    label=f"record, at δ = {short(params.delta)}", label_short="record, at δ"),
                *_now("tight_table"),
            ],
        ),
    ]  # fmt: skip


def _members(data: StudyDataset) -> list[Panel]:
    words = {
        "original": (
            "Built on the original",
            "Members lie nearer. Their distance gives them away.",
        ),
        "noisy": ("Built on noisy data", "The noise moves the two curves together."),
        "fabricated": (
            "Built on invented data",
            "Compare it with “Built on noisy data”: what does smoothing add?",
        ),
    }
    return [
        Panel(
            key=f"density_{kind}", title=title, tab="Members and others", height=330,
            x=Axis(range=(0, 2.5), title="distance to the own class (median = 1)"),
            y=Axis(range=(0, 0.45), title="share of the records", format=".0%"),
            caption=text,
            alt=f"Distances of members and others, machine {title.lower()}.",
            layers=[
                layers.Line(x=_MIDDLES, y=f"density_{kind}_others", role="other", label="others"),
                layers.Line(x=_MIDDLES, y=f"density_{kind}_members", label="members"),
            ],
        )
        for kind, (title, text) in words.items()
    ]  # fmt: skip


def _score(key: str, title: str, span: tuple[float, float], caption: str, chance: Any) -> Panel:
    original: Any = 1.0 if key == "link" else f"{key}_original"
    return Panel(
        key=f"score_{key}", title=title, tab="What an attacker gains", height=320,
        x=epsilon_axis(_VALUE), y=Axis(range=span, title=title[0].lower() + title[1:]), caption=caption,
        alt=f"{title}: noisy {{{key}_noisy_now}}, invented {{{key}_fabricated_now}}.",
        layers=[
            layers.HLine(at=original, role="nonprivate", label="original data"),
            layers.HLine(at=f"{key}_smoothed", role="nonprivate", dash=True, width=1.2,
                         label="smoothed, no noise", label_short="smoothed"),
            *([] if chance is None else [layers.HLine(at=chance, role="muted", width=1, label="chance")]),
            layers.Line(x=_E, y=f"{key}_noisy", role="other", label="noisy data"),
            layers.Line(x=_E, y=f"{key}_fabricated", label="invented data"),
            *_now(f"{key}_fabricated_now"),
        ],
    )  # fmt: skip


def _scores() -> list[Panel]:
    return [
        _score("ks", "Threshold attack (KS)", (0, 1.05),
               "How much better than guessing is the best threshold on the distance? On the digits the noise "
               "lowers it, and not the smoothing.", "ks_null"),
        _score("auc", "Member is the nearer one (AUC)", (0.45, 1.02),
               "How often does a member lie nearer than another record? One half is chance.", 0.5),
        _score("tv", "Total variation (TV)", (0, 1.05),
               "How far are the two densities apart, in 20 bins? Chance alone is not 0: see its line.", "tv_null"),
        _score("link", "Rows linked to their source", (0, 1.17),
               "How many published rows have their own source as the nearest original of the class? On the digits "
               "smoothing lowers this.", None),
    ]  # fmt: skip


def _federated(data: StudyDataset) -> list[Panel]:
    return [
        Panel(
            key="parties", title="Together or alone", tab="Federated", height=380,
            x=Axis(range=(0.9, 22), log=True, title="parties Q", ticks=tuple(_Q)),
            y=Axis(range=(0, 1.1), ticks=_SHARES, words=_SHARE_WORDS, title="accuracy on others"),
            caption="Parties that answer with their distances together do better than each of them alone. With more "
            "parties the difference grows.",
            alt="Accuracy against parties: together {together_now}, alone {alone_now}.",
            layers=[
                layers.Line(x=_Q, y="together_clean", role="nonprivate",
                            label="together, no noise"),
                layers.Line(x=_Q, y="alone_clean", role="nonprivate", dash=True, width=1.4,
                            label="alone, no noise"),
                layers.Line(x=_Q, y="alone", role="other", label="each alone"),
                layers.Line(x=_Q, y="together", label="together"),
                *_now("together_now", "parties_now"),
            ],
        ),
        Panel(
            key="held", title="Who holds what", tab="Federated", height=380,
            x=Axis(range=(0.3, PARTIES_GRID[-1] + 0.7), title="party", ticks=(1, 5, 10, 15, 20)),
            y=Axis(range=(0, 1.05), ticks=_SHARES, words=_SHARE_WORDS, title="records, of the largest party"),
            caption="Each colour is a class; the first one stands at the bottom. Where a party has fewer than some "
            "50 noisy records of a class, its distances follow the noise.",
            alt="Records of every class at every party; the largest party has {most}, the smallest class "
            "anywhere {least}.",
            layers=[
                layers.Bars(edges=_PARTIES, heights=f"held{c}", role=c, alpha=1.0)
                for c in reversed(range(len(np.unique(data.y))))
            ],
        ),
    ]  # fmt: skip


def _pictures(data: StudyDataset) -> list[Panel]:
    if data.image_shape is None:
        return []
    return [
        Panel(
            key="pictures", title="Original, noisy, invented", tab="Pictures", kind="mosaic",
            tiles="pictures", shape=data.image_shape, columns=8, range=(0, 1), height=420,
            caption="The original is above. In the middle every pixel has noise. Below is the smoothed picture, as "
            "it would be published.",
            alt="Eight records as original, noisy and invented pictures.",
        )
    ]  # fmt: skip
