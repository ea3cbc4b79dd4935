"""Arrays and panels of those tabs of the Affine hulls page that show measurements on a data table.

The measurements are accuracy, the ε of a record, attacks, and learning by several parties.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.experiments.kahm import (
    STUDY_EPSILONS,
    Holdings,
    KahmParams,
    Parties,
    RecordLevelBaseline,
    Study,
    StudyDataset,
)
from dpcore.experiments.kahm.params import PARTIES_GRID, SKEW_GRID
from dpcore.experiments.kahm.study import (
    EDGES,
    KINDS,
    LEARNERS,
    PARTY_EPSILONS,
    RECORD_EPSILONS,
    empty_study,
)  # fmt: skip
from pages.kahm.figure.picture import nodes_of
from ui.figure_kit.common import EPSILONS, array, epsilon_axis, in_bytes
from ui.live import Array, Axis, Panel, layers
from ui.live.depth import Depth
from ui.words import text
from ui.words.numbers import percent

__all__ = ["COORDS", "arrays", "mean", "panels"]

T = text.load_text(__file__)

COORDS = {"e": "e_of", "g": "g_of"}  # ε that was measured: on the table, with parties
_SHORT = tuple(name.removeprefix("1-") for name in LEARNERS)  # fit for names of arrays
_E = [float(e) for e in STUDY_EPSILONS]
_R = [float(e) for e in RECORD_EPSILONS]
_Q = [float(q) for q in PARTIES_GRID]
_SCORES = ("ks", "auc", "tv")
_PARTIES = [q + 0.6 for q in range(PARTIES_GRID[-1] + 1)]  # edges of a bar each
_MIDDLES = [float(m) for m in (EDGES[1:] + EDGES[:-1]) / 2]
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


def mean(values: Any) -> Any:
    """Return the mean of ``values`` (S, ...) over the first axis, ignoring NaN.

    The mean is NaN where all S values are NaN.
    """
    seen = np.isfinite(values)
    count = seen.sum(0)
    total = np.where(seen, values, 0).sum(0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def arrays(
    data: StudyDataset,
    baseline: RecordLevelBaseline | None,
    study: Study | None,
    parties: Parties | None,
    holdings: Holdings | None = None,
) -> dict[str, Array]:
    """Return the arrays of the tabs that show measurements on a data table.

    Values that are not measured yet are NaN.
    """
    return {
        "e_of": nodes_of(STUDY_EPSILONS),
        "g_of": nodes_of(PARTY_EPSILONS),
        "epsilon_now": array(EPSILONS, "epsilon"),
        "pure_picture": array(2 * np.array(EPSILONS), "epsilon"),
        "pure_table": array(data.n_features * np.array(EPSILONS), "epsilon"),
        **_baseline(baseline),
        **(_study(study) if study is not None else _nothing(data)),
        **_parties(data, holdings, parties),
    }


def _baseline(baseline: RecordLevelBaseline | None) -> dict[str, Array]:
    gone = np.full(len(EPSILONS), np.nan)
    tight = gone if baseline is None else baseline.tight
    nodes = [EPSILONS.index(e) for e in _E]
    return {
        "tight_table": array(np.where(np.isfinite(tight), tight, np.nan), "epsilon"),
        "tight_curve": array(tight),
        "tight_nodes": array(tight[nodes]),
        "central": array(np.full(len(_R), np.nan) if baseline is None else mean(baseline.central)),
        "beside": array(
            np.full(len(_E), np.nan) if baseline is None else mean(baseline.class_means)
        ),
        "beside_now": array(
            gone[: len(_E)] if baseline is None else mean(baseline.class_means), "e"
        ),
    }


def _nothing(data: StudyDataset) -> dict[str, Array]:
    return _study(empty_study(data.n_features))


def _study(study: Study) -> dict[str, Array]:
    by_name = {}
    before, after = mean(study.original), mean(study.accuracy)
    for n, learner in enumerate(_SHORT):
        by_name[f"original_{learner}"] = array(before[n])
        for k, kind in enumerate(KINDS):
            by_name[f"{kind}_{learner}"] = array(after[:, k, n])
            by_name[f"{kind}_{learner}_now"] = array(after[:, k, n], "e")
        spread = study.accuracy[:, :, 1, n]
        by_name[f"low_{learner}"] = array(_edge(spread, np.inf))
        by_name[f"high_{learner}"] = array(_edge(spread, -np.inf))
        by_name[f"gain_{learner}"] = array(after[:, 1, n] - after[:, 0, n], "e")
    by_name["method_price"] = array(before[0] - before.max())
    by_name["noise_price"] = array(after[:, 1, 0] - before[0], "e")
    return by_name | _memberships(study) | _seen(study)


def _edge(values: Any, empty: float) -> Any:
    filled = np.where(np.isfinite(values), values, empty)
    edge = filled.min(0) if empty > 0 else filled.max(0)
    return np.where(np.isfinite(edge), edge, np.nan)


def _memberships(study: Study) -> dict[str, Array]:
    by_name = {}
    scores, null = mean(study.scores), mean(study.null)
    for n, score in enumerate(_SCORES):
        by_name[f"{score}_original"] = array(mean(study.scores_original)[n])
        by_name[f"{score}_smoothed"] = array(mean(study.scores_smoothed)[n])
        by_name[f"{score}_null"] = array(null[n])
        for k, kind in enumerate(KINDS):
            by_name[f"{score}_{kind}"] = array(scores[:, k, n])
            by_name[f"{score}_{kind}_now"] = array(scores[:, k, n], "e")
    for k, kind in enumerate(KINDS):
        by_name[f"link_{kind}"] = array(mean(study.link)[:, k])
        by_name[f"link_{kind}_now"] = array(mean(study.link)[:, k], "e")
    by_name["link_smoothed"] = array(mean(study.link_smoothed[:, None])[0])
    return by_name


def _seen(study: Study) -> dict[str, Array]:
    by_name = {}
    for who, name in enumerate(("members", "others")):
        by_name[f"density_original_{name}"] = array(study.density_original[who])
        for k, kind in enumerate(KINDS):
            by_name[f"density_{kind}_{name}"] = array(study.density[:, k, who], "e")
    known = np.isfinite(study.pictures).any()  # else none: grey ones would look like a result
    shown = np.nan_to_num(study.pictures[:, :, : None if known else 0], nan=0.0)
    by_name["pictures"] = in_bytes(shown, "e", low=-1.0, high=2.0)
    return by_name


def _parties(
    data: StudyDataset, holdings: Holdings | None, parties: Parties | None
) -> dict[str, Array]:
    classes = len(np.unique(data.y))
    shape = (len(SKEW_GRID), len(PARTIES_GRID), PARTIES_GRID[-1], classes)
    counts = np.zeros(shape) if holdings is None else holdings.counts
    least = np.where(counts > 0, counts, np.inf).min((2, 3))
    stacked = np.cumsum(counts, -1)  # class upon class
    tallest = np.maximum(stacked[..., -1].max(-1), 1)
    height = stacked / tallest[..., None, None]
    E, Q = len(PARTY_EPSILONS), len(PARTIES_GRID)
    gone = (np.full((E, Q), np.nan), np.full(Q, np.nan))
    curves = {
        "together": gone[0] if parties is None else mean(parties.together),
        "alone": gone[0] if parties is None else mean(parties.alone),
    }
    clean = gone[1] if parties is None else mean(parties.together_clean)
    clean_alone = gone[1] if parties is None else mean(parties.alone_clean)
    return {
        **{f"held{c}": array(height[..., c], "skew", "n_parties") for c in range(classes)},
        "most": array(tallest if counts.any() else np.full(shape[:2], np.nan), "skew", "n_parties"),
        "least": array(np.where(np.isfinite(least), least, np.nan), "skew", "n_parties"),
        "parties_now": array(_Q, "n_parties"),
        "distances": array(np.array(_Q) * classes, "n_parties"),  # what one question brings back
        **{name: array(curve, "g") for name, curve in curves.items()},
        **{f"{name}_now": array(curve, "g", "n_parties") for name, curve in curves.items()},
        "together_clean": array(clean),
        "alone_clean": array(clean_alone),
        "together_clean_now": array(clean, "n_parties"),
        "alone_clean_now": array(clean_alone, "n_parties"),
    }


def panels(params: KahmParams, data: StudyDataset) -> list[Panel]:
    """Return the panels of the tabs that show measurements on a data table."""
    shown = [
        *_accuracy(data),
        _same_epsilon(params),
        _from_value_to_record(params, data),
        *_members(),
        *_attacks(),
        _together_or_alone(),
        _holdings(data),
        *_pictures(data),
    ]
    return [replace(panel, depth=Depth.UNDERSTAND) for panel in shown]


def _now(y: str, x: str = "epsilon_now") -> list[layers.Layer]:
    label = T("labels.your_parties" if x == "parties_now" else "labels.your_epsilon")
    return [layers.VLine(at=x, role="muted", width=1, label=label), layers.Dot(x=x, y=y)]


def _share_axis(top: float = 1.1, title: str = "") -> Axis:
    return Axis(range=(0, top), ticks=_SHARES, words=tuple(map(percent, _SHARES)), title=title)


def _accuracy(data: StudyDataset) -> list[Panel]:
    keys = ("accuracy_KAHM", "accuracy_NN", "accuracy_SVM")
    return [
        T.panel(Panel(
            key=key, tab=T("tabs.accuracy"), height=330, x=epsilon_axis(T("axes.value")),
            y=_share_axis(title=T("axes.accuracy")),
            layers=[
                layers.Band(x=_E, low=f"low_{name}", high=f"high_{name}", label=T("accuracy.spread"),
                            label_short=T("accuracy.spread_short")),
                layers.HLine(at=f"original_{name}", role="nonprivate", label=T("labels.original")),
                layers.Line(x=_E, y="beside", role="text", dash=True, width=1.2, label=T("accuracy.means"),
                            label_short=T("accuracy.means_short")),
                layers.Line(x=_E, y=f"noisy_{name}", role="other", label=T("labels.noisy")),
                layers.Line(x=_E, y=f"fabricated_{name}", label=T("labels.invented")),
                *_now(f"fabricated_{name}_now"),
            ],
        ), table=data.title)
        for key, name in zip(keys, _SHORT, strict=True)
    ]  # fmt: skip


def _record_axis() -> Axis:
    return Axis(range=(0.04, 3000), log=True, title=T("axes.record"), ticks=(0.05, 0.5, 5, 50, 500))


def _same_epsilon(params: KahmParams) -> Panel:
    panel = Panel(
        key="sober", tab=T("tabs.record"), height=380, x=_record_axis(), y=_share_axis(title=T("axes.accuracy")),
        layers=[
            layers.Line(x=_R, y="central", role="text", label=T("panels.sober.means"),
                        label_short=T("panels.sober.means_short")),
            layers.Line(x="tight_nodes", y="fabricated_KAHM", label=T("panels.sober.invented"),
                        label_short=T("panels.sober.invented_short")),
            *_now("fabricated_KAHM_now", "tight_table"),
        ],
    )  # fmt: skip
    return T.panel(panel, delta=params.delta)


def _from_value_to_record(params: KahmParams, data: StudyDataset) -> Panel:
    p = data.n_features
    panel = Panel(
        key="adding", tab=T("tabs.record"), height=380, x=epsilon_axis(T("axes.value")), y=_record_axis(),
        layers=[
            layers.Line(x=EPSILONS, y=EPSILONS, role="muted", width=1, dash=True, label=T("panels.adding.value")),
            layers.Line(x=EPSILONS, y=[2 * e for e in EPSILONS], role="nonprivate",
                        label=T("panels.adding.picture"), label_short=T("panels.adding.picture_short")),
            layers.Line(x=EPSILONS, y=[p * e for e in EPSILONS], dash=True,
                        label=T("panels.adding.pure", n_features=p),
                        label_short=T("panels.adding.pure_short", n_features=p)),
            layers.Line(x=EPSILONS, y="tight_curve", label=T("panels.adding.tight", delta=params.delta),
                        label_short=T("panels.adding.tight_short")),
            *_now("tight_table"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _members() -> list[Panel]:
    kinds = {
        "density_original": "original",
        "density_noisy": "noisy",
        "density_fabricated": "fabricated",
    }
    return [
        T.panel(Panel(
            key=key, tab=T("tabs.members"), height=330, x=Axis(range=(0, 2.5), title=T("density.distance")),
            y=Axis(range=(0, 0.45), title=T("density.share"), format=".0%"),
            layers=[
                layers.Line(x=_MIDDLES, y=f"density_{kind}_others", role="other", label=T("density.others")),
                layers.Line(x=_MIDDLES, y=f"density_{kind}_members", label=T("density.members")),
            ],
        ))
        for key, kind in kinds.items()
    ]  # fmt: skip


def _attacks() -> list[Panel]:
    return [
        _attack("score_ks", "ks", (0, 1.05), "ks_null"),
        _attack("score_auc", "auc", (0.45, 1.02), 0.5),
        _attack("score_tv", "tv", (0, 1.05), "tv_null"),
        _attack("score_link", "link", (0, 1.17), None),
    ]


def _attack(key: str, score: str, span: tuple[float, float], chance: Any) -> Panel:
    original: Any = 1.0 if score == "link" else f"{score}_original"
    by_chance = layers.HLine(at=chance, role="muted", width=1, label=T("score.chance"))
    panel = Panel(
        key=key, tab=T("tabs.attacker"), height=320, x=epsilon_axis(T("axes.value")), y=Axis(range=span),
        layers=[
            layers.HLine(at=original, role="nonprivate", label=T("labels.original")),
            layers.HLine(at=f"{score}_smoothed", role="nonprivate", dash=True, width=1.2,
                         label=T("score.smoothed"), label_short=T("score.smoothed_short")),
            *([] if chance is None else [by_chance]),
            layers.Line(x=_E, y=f"{score}_noisy", role="other", label=T("labels.noisy")),
            layers.Line(x=_E, y=f"{score}_fabricated", label=T("labels.invented")),
            *_now(f"{score}_fabricated_now"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _together_or_alone() -> Panel:
    panel = Panel(
        key="parties", tab=T("tabs.federated"), height=380,
        x=Axis(range=(0.9, 22), log=True, ticks=tuple(_Q)), y=_share_axis(title=T("axes.accuracy")),
        layers=[
            layers.Line(x=_Q, y="together_clean", role="nonprivate", label=T("panels.parties.together_clean")),
            layers.Line(x=_Q, y="alone_clean", role="nonprivate", dash=True, width=1.4,
                        label=T("panels.parties.alone_clean")),
            layers.Line(x=_Q, y="alone", role="other", label=T("panels.parties.alone")),
            layers.Line(x=_Q, y="together", label=T("panels.parties.together")),
            *_now("together_now", "parties_now"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _holdings(data: StudyDataset) -> Panel:
    panel = Panel(
        key="held", tab=T("tabs.federated"), height=380,
        x=Axis(range=(0.3, PARTIES_GRID[-1] + 0.7), ticks=(1, 5, 10, 15, 20)), y=_share_axis(1.05),
        layers=[
            layers.Bars(edges=_PARTIES, heights=f"held{c}", role=c, alpha=1.0)
            for c in reversed(range(len(np.unique(data.y))))
        ],
    )  # fmt: skip
    return T.panel(panel)


def _pictures(data: StudyDataset) -> list[Panel]:
    if data.image_shape is None:
        return []
    panel = Panel(
        key="pictures", tab=T("tabs.pictures"), kind="mosaic", tiles="pictures", shape=data.image_shape,
        columns=8, range=(0, 1), height=420,
    )  # fmt: skip
    return [T.panel(panel)]
