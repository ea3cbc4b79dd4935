"""The arrays behind the tabs of the live figure of the affine hull page: what was measured on a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.experiments.kahm import (
    STUDY_EPSILONS,
    Holdings,
    Parties,
    RecordLevelBaseline,
    Study,
    StudyDataset,
)
from dpcore.experiments.kahm.baseline import RECORD_EPSILONS
from dpcore.experiments.kahm.params import PARTIES_GRID, SKEW_GRID
from dpcore.experiments.kahm.parties import PARTY_EPSILONS
from dpcore.experiments.kahm.study import KINDS, LEARNERS, empty_study
from pages.kahm.figure_picture import nodes_of
from ui.figure_kit.common import EPSILONS, array, in_bytes
from ui.live import Array

__all__ = ["COORDS", "SHORT", "arrays", "mean"]

COORDS = {"e": "e_of", "g": "g_of"}  # ε that was measured: on the table, with parties
SHORT = tuple(name.removeprefix("1-") for name in LEARNERS)  # fit for names of arrays
_E = [float(e) for e in STUDY_EPSILONS]
_R = [float(e) for e in RECORD_EPSILONS]
_Q = [float(q) for q in PARTIES_GRID]
_SCORES = ("ks", "auc", "tv")


def mean(values: Any) -> Any:
    """Return the mean over the first axis of what is there, (S, ...) -> (...); NaN where nothing is."""
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
    """Return the arrays of the tabs; NaN where nothing is known yet."""
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
        "beside": array(np.full(len(_E), np.nan) if baseline is None else mean(baseline.beside)),
        "beside_now": array(gone[: len(_E)] if baseline is None else mean(baseline.beside), "e"),
    }


def _nothing(data: StudyDataset) -> dict[str, Array]:
    return _study(empty_study(data.n_features))


def _study(study: Study) -> dict[str, Array]:
    found = {}
    before, after = mean(study.original), mean(study.accuracy)
    for n, learner in enumerate(SHORT):
        found[f"original_{learner}"] = array(before[n])
        for k, kind in enumerate(KINDS):
            found[f"{kind}_{learner}"] = array(after[:, k, n])
            found[f"{kind}_{learner}_now"] = array(after[:, k, n], "e")
        spread = study.accuracy[:, :, 1, n]
        found[f"low_{learner}"] = array(_edge(spread, np.inf))
        found[f"high_{learner}"] = array(_edge(spread, -np.inf))
        found[f"gain_{learner}"] = array(after[:, 1, n] - after[:, 0, n], "e")
    found["method_price"] = array(before[0] - before.max())
    found["noise_price"] = array(after[:, 1, 0] - before[0], "e")
    return found | _memberships(study) | _seen(study)


def _edge(values: Any, empty: float) -> Any:
    filled = np.where(np.isfinite(values), values, empty)
    found = filled.min(0) if empty > 0 else filled.max(0)
    return np.where(np.isfinite(found), found, np.nan)


def _memberships(study: Study) -> dict[str, Array]:
    found = {}
    scores, null = mean(study.scores), mean(study.null)
    for n, score in enumerate(_SCORES):
        found[f"{score}_original"] = array(mean(study.scores_original)[n])
        found[f"{score}_smoothed"] = array(mean(study.scores_smoothed)[n])
        found[f"{score}_null"] = array(null[n])
        for k, kind in enumerate(KINDS):
            found[f"{score}_{kind}"] = array(scores[:, k, n])
            found[f"{score}_{kind}_now"] = array(scores[:, k, n], "e")
    for k, kind in enumerate(KINDS):
        found[f"link_{kind}"] = array(mean(study.link)[:, k])
        found[f"link_{kind}_now"] = array(mean(study.link)[:, k], "e")
    found["link_smoothed"] = array(mean(study.link_smoothed[:, None])[0])
    return found


def _seen(study: Study) -> dict[str, Array]:
    found = {}
    for who, name in enumerate(("members", "others")):
        found[f"density_original_{name}"] = array(study.density_original[who])
        for k, kind in enumerate(KINDS):
            found[f"density_{kind}_{name}"] = array(study.density[:, k, who], "e")
    known = np.isfinite(study.pictures).any()  # else none: grey ones would look like a result
    shown = np.nan_to_num(study.pictures[:, :, : None if known else 0], nan=0.0)
    found["pictures"] = in_bytes(shown, "e", low=-1.0, high=2.0)
    return found


def _parties(
    data: StudyDataset, holdings: Holdings | None, parties: Parties | None
) -> dict[str, Array]:
    classes = len(np.unique(data.y))
    shape = (len(SKEW_GRID), len(PARTIES_GRID), PARTIES_GRID[-1], classes)
    held = np.zeros(shape) if holdings is None else holdings.counts
    least = np.where(held > 0, held, np.inf).min((2, 3))
    stacked = np.cumsum(held, -1)  # class upon class
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
        "most": array(tallest if held.any() else np.full(shape[:2], np.nan), "skew", "n_parties"),
        "least": array(np.where(np.isfinite(least), least, np.nan), "skew", "n_parties"),
        "parties_now": array(_Q, "n_parties"),
        "distances": array(np.array(_Q) * classes, "n_parties"),  # what one question brings back
        **{name: array(found, "g") for name, found in curves.items()},
        **{f"{name}_now": array(found, "g", "n_parties") for name, found in curves.items()},
        "together_clean": array(clean),
        "alone_clean": array(clean_alone),
        "together_clean_now": array(clean, "n_parties"),
        "alone_clean_now": array(clean_alone, "n_parties"),
    }
