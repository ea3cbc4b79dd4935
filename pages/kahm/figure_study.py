"""The live figure of the affine hull page, its tabs: what was measured on a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.experiments.kahm import STUDY_EPSILONS, KahmParams, StudyDataset
from dpcore.experiments.kahm.baseline import RECORD_EPSILONS
from dpcore.experiments.kahm.params import PARTIES_GRID
from dpcore.experiments.kahm.study import EDGES, LEARNERS
from pages.kahm.figure_tables import SHORT
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.live import Axis, Panel, layers

__all__ = ["panels"]

_E = [float(e) for e in STUDY_EPSILONS]
_R = [float(e) for e in RECORD_EPSILONS]
_Q = [float(q) for q in PARTIES_GRID]
_PARTIES = [q + 0.6 for q in range(PARTIES_GRID[-1] + 1)]  # edges of a bar each
_MIDDLES = [float(m) for m in (EDGES[1:] + EDGES[:-1]) / 2]
_VALUE = "ε of ONE VALUE"
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
_SHARE_WORDS = ("0 %", "25 %", "50 %", "75 %", "100 %")


def panels(params: KahmParams, data: StudyDataset) -> list[Panel]:
    """Return the panels of the tabs."""
    return [
        *_accuracy(data),
        *_record(params, data),
        *_members(data),
        *_scores(),
        *_federated(data),
        *_pictures(data),
    ]


def _now(y: str, x: str = "epsilon_now") -> list[layers.Layer]:
    return [layers.VLine(at=x, role="muted", width=1), layers.Dot(x=x, y=y)]


def _accuracy(data: StudyDataset) -> list[Panel]:
    words = {
        "KAHM": "The machine smooths by itself: on the digits smoothing first changes next to nothing.",
        "NN": "On the digits the nearest neighbour is lost in noise, and smoothing makes the data usable.",
        "SVM": "Smoothing helps where the noise is strong.",
    }
    return [
        Panel(
            key=f"accuracy_{name}", title=f"{title} on {data.title}", tab="Accuracy", height=330,
            x=epsilon_axis(_VALUE),
            y=Axis(range=(0, 1.1), ticks=_SHARES, words=_SHARE_WORDS, title="accuracy on others"),
            caption=f"{words[name]} Accent: learned from fabricated data (band: 5 splits and draws); orange: "
            "from noisy; grey: from the original. Dashed: class means of one keeper at the same record ε.",
            alt=f"Accuracy of {title}: fabricated {{fabricated_{name}_now}}, noisy {{noisy_{name}_now}}.",
            layers=[
                layers.Band(x=_E, low=f"low_{name}", high=f"high_{name}"),
                layers.HLine(at=f"original_{name}", role="nonprivate", label="original data"),
                layers.Line(x=_E, y="beside", role="text", dash=True, width=1.2),
                layers.Line(x=_E, y=f"noisy_{name}", role="other"),
                layers.Line(x=_E, y=f"fabricated_{name}"),
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
            caption=f"Accent: KAHM on fabricated data, at the tight ε of a record (δ = {params.delta:g}). "
            "Black or white: noisy class means by one trusted keeper. At a small ε the keeper is far ahead: noise "
            "on every value is the dearest kind of privacy. At a large ε means stop, and the shape wins.",
            alt="Accuracy against the ε of a record for fabricated data and for central class means.",
            layers=[
                layers.Line(x=_R, y="central", role="text"),
                layers.Line(x="tight_nodes", y="fabricated_KAHM"),
                *_now("fabricated_KAHM_now", "tight_table"),
            ],
        ),
        Panel(
            key="adding", title="From one value to a record", tab="A record's ε", height=380,
            x=epsilon_axis(_VALUE),
            y=Axis(range=(0.04, 3000), log=True, title="ε of a whole record", ticks=ticks),
            caption=f"Accent: a record of {data.n_features} values, at δ = {params.delta:g}; dashed: for "
            f"certain, {data.n_features}ε. Grey: a record of the picture, 2ε. Thin dashes: one value.",
            alt="Record's epsilon against the epsilon of one value.",
            layers=[
                layers.Line(x=EPSILONS, y=EPSILONS, role="muted", width=1, dash=True),
                layers.Line(x=EPSILONS, y=[2 * e for e in EPSILONS], role="nonprivate"),
                layers.Line(x=EPSILONS, y=[data.n_features * e for e in EPSILONS], dash=True),
                layers.Line(x=EPSILONS, y="tight_curve"),
                *_now("tight_table"),
            ],
        ),
    ]  # fmt: skip


def _members(data: StudyDataset) -> list[Panel]:
    words = {
        "original": (
            "Built on the original",
            "Members lie nearer: their distance gives them away.",
        ),
        "noisy": ("Built on noisy data", "The noise moves the two curves together."),
        "fabricated": (
            "Built on fabricated data",
            "Compare the middle one: what does smoothing add to it?",
        ),
    }
    return [
        Panel(
            key=f"density_{kind}", title=title, tab="Members and others", height=330,
            x=Axis(range=(0, 2.5), title="distance to the image of the own class / middle one"),
            y=Axis(range=(0, 0.45), title="share of the records", format=".0%"),
            caption=f"{text} Accent: records it was built from; orange: others of {data.title}.",
            alt=f"Distances of members and others, machine {title.lower()}.",
            layers=[
                layers.Line(x=_MIDDLES, y=f"density_{kind}_others", role="other"),
                layers.Line(x=_MIDDLES, y=f"density_{kind}_members"),
            ],
        )
        for kind, (title, text) in words.items()
    ]  # fmt: skip


def _score(key: str, title: str, span: tuple[float, float], caption: str, chance: Any) -> Panel:
    original: Any = 1.0 if key == "link" else f"{key}_original"
    return Panel(
        key=f"score_{key}", title=title, tab="What a spy gains", height=320,
        x=epsilon_axis(_VALUE), y=Axis(range=span, title=title.lower()), caption=caption,
        alt=f"{title}: noisy {{{key}_noisy_now}}, fabricated {{{key}_fabricated_now}}.",
        layers=[
            layers.HLine(at=original, role="nonprivate", label="original data"),
            layers.HLine(at=f"{key}_smoothed", role="nonprivate", dash=True, width=1.2),
            *([] if chance is None else [layers.HLine(at=chance, role="muted", width=1, label="chance")]),
            layers.Line(x=_E, y=f"{key}_noisy", role="other"),
            layers.Line(x=_E, y=f"{key}_fabricated"),
            *_now(f"{key}_fabricated_now"),
        ],
    )  # fmt: skip


def _scores() -> list[Panel]:
    tail = " Orange: noisy data; accent: fabricated; grey dashed: smoothed without any noise."
    return [
        _score("ks", "Threshold attack (KS)", (0, 1.05),
               "Best gain over guessing by one threshold on the distance. On the digits the noise lowers it, "
               "not the smoothing." + tail, "ks_null"),
        _score("auc", "Member is the nearer one (AUC)", (0.45, 1.02),
               "How often a member lies nearer than another record. One half is chance." + tail, 0.5),
        _score("tv", "Total variation (TV)", (0, 1.05),
               "How far the two densities are apart, in 20 bins. Even chance alone is not 0: see its "
               "line." + tail, "tv_null"),
        _score("link", "Rows linked to their source", (0, 1.05),
               "Published rows whose nearest original of the class is their own source. On the digits "
               "smoothing does lower this." + tail, None),
    ]  # fmt: skip


def _federated(data: StudyDataset) -> list[Panel]:
    return [
        Panel(
            key="parties", title="Together or alone", tab="Federated", height=380,
            x=Axis(range=(0.9, 22), log=True, title="parties Q", ticks=tuple(_Q)),
            y=Axis(range=(0, 1.1), ticks=_SHARES, words=_SHARE_WORDS, title="accuracy on others"),
            caption="Accent: all parties answer their distances, the least one wins; orange: each alone, on "
            "the mean. Grey: the same without noise. Mean of 3 splits. ε follows the slider.",
            alt="Accuracy against parties: together {together_now}, alone {alone_now}.",
            layers=[
                layers.Line(x=_Q, y="together_clean", role="nonprivate"),
                layers.Line(x=_Q, y="alone_clean", role="nonprivate", dash=True, width=1.4),
                layers.Line(x=_Q, y="alone", role="other"),
                layers.Line(x=_Q, y="together"),
                *_now("together_now", "parties_now"),
            ],
        ),
        Panel(
            key="held", title="Who holds what", tab="Federated", height=380,
            x=Axis(range=(0.3, PARTIES_GRID[-1] + 0.7), title="party", ticks=(1, 5, 10, 15, 20)),
            y=Axis(range=(0, 1.05), ticks=_SHARES, words=_SHARE_WORDS, title="records, of the largest party"),
            caption="A bar per party, a colour per class; first split. For one question travel each party's "
            "distances to the classes it has, never a record. Below some 50 noisy records a class "
            "the least distance follows the noise.",
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
            key="pictures", title="Original, noisy, fabricated", tab="Pictures", kind="mosaic",
            tiles="pictures", shape=data.image_shape, columns=8, range=(0, 1), height=420,
            caption="Above: the original. Middle: with noise on every pixel. Below: after smoothing, what would "
            "be published. Pictures of the ε nearest to the slider, mixed in between.",
            alt="Eight records as original, noisy and fabricated pictures.",
        )
    ]  # fmt: skip
