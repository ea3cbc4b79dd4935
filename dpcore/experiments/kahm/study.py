"""The measurement: accuracy, membership and links on original, noisy and fabricated data."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import audit
from dpcore.experiments.kahm.bench import Bench, published
from dpcore.experiments.kahm.data import StudyDataset, hull_options, made
from dpcore.experiments.kahm.params import KahmParams

__all__ = [
    "EDGES",
    "KINDS",
    "LEARNERS",
    "N_SPLITS",
    "STUDY_EPSILONS",
    "Study",
    "empty_study",
    "run_study",
]

Array = NDArray[np.float64]
STUDY_EPSILONS: tuple[float, ...] = (
    0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.5, 2.0, 2.8, 4.0, 5.5, 8.0, 11.0, 15.0, 20.0,
)  # fmt: skip
LEARNERS = ("KAHM", "1-NN", "SVM")
KINDS = ("noisy", "fabricated")
N_SPLITS = 5
EDGES = np.linspace(0.0, 2.5, 41)  # of distances, relative to the middle one
SHOWN = 8  # records whose pictures are kept


@dataclass(frozen=True, kw_only=True)
class Study:
    """What was measured so far, NaN where not yet; S splits in halves, E of `STUDY_EPSILONS`.

    ``original`` (S, 3) and ``accuracy`` (S, E, 2, 3): of `LEARNERS` trained on original data, and on
    noisy and fabricated data, tested on the original others. ``scores_original`` (S, 4),
    ``scores_smoothed`` (S, 4) without noise, ``scores`` (S, E, 2, 4): KS, AUC and two total
    variations (histogram, kernel) of the distances of members and others; ``null`` (S, 4) by chance.
    ``link_smoothed`` (S,), ``link`` (S, E, 2). ``density_original`` (2, B), ``density`` (E, 2, 2, B):
    members and others, first split. ``pictures`` (E, 3, 8, p): original, noisy, fabricated records.
    """

    original: Array
    accuracy: Array
    scores_original: Array
    scores_smoothed: Array
    scores: Array
    null: Array
    link_smoothed: Array
    link: Array
    density_original: Array
    density: Array
    pictures: Array


def run_study(data: StudyDataset, params: KahmParams) -> Iterator[tuple[float, Study]]:
    """Yield the fraction done and the study so far, coarse values of ε first, split after split."""
    found = empty_study(data.n_features)
    options = hull_options(params, params.table_components)
    done, all_steps = 0, N_SPLITS * (len(STUDY_EPSILONS) + 1)
    for number in range(N_SPLITS):
        bench = Bench.of(data, number, options)
        found = _without_noise(bench, params, number, found)
        done += 1
        yield done / all_steps, found
        for e in _coarse_first(len(STUDY_EPSILONS)):
            found = _with_noise(bench, params, number, e, found)
            done += 1
            yield done / all_steps, found


def _coarse_first(size: int) -> list[int]:
    first = [*range(0, size, 4), size - 1]
    return first + [i for i in range(2, size, 4) if i not in first] + [
        i for i in range(1, size, 2) if i not in first
    ]  # fmt: skip


def empty_study(p: int) -> Study:
    """Return a study of records of p values of which nothing is known yet: all NaN."""
    S, E, B = N_SPLITS, len(STUDY_EPSILONS), len(EDGES) - 1
    shapes = {
        "original": (S, 3), "accuracy": (S, E, 2, 3), "scores_original": (S, 4),
        "scores_smoothed": (S, 4), "scores": (S, E, 2, 4), "null": (S, 4), "link_smoothed": (S,),
        "link": (S, E, 2), "density_original": (2, B), "density": (E, 2, 2, B),
        "pictures": (E, 3, SHOWN, p),
    }  # fmt: skip
    return Study(**{name: np.full(shape, np.nan) for name, shape in shapes.items()})


def _attack(a: Array, b: Array) -> list[float]:
    return [audit.ks(a, b), audit.auc(a, b), audit.histogram_tv(a, b), audit.kde_tv(a, b)]


def _densities(a: Array, b: Array) -> Array:
    middle = float(np.median(np.concatenate([a, b]))) or 1.0
    return np.array([np.histogram(s / middle, EDGES)[0] / len(s) for s in (a, b)])


def _without_noise(bench: Bench, params: KahmParams, number: int, found: Study) -> Study:
    members, others = bench.gammas(bench.X, number)
    a, b = bench.own(members, others)
    smooth = made(bench.X, bench.y, math.inf, params.but(stop="rounds"), (params.seed, number),
                  bench.options).X  # fmt: skip
    chance = audit.membership_scores(a, b, rng=np.random.default_rng(number), n_null=50)
    null = [chance.null_ks, chance.null_auc, chance.null_histogram_tv, math.nan]
    changes = {
        "original": bench.accuracies(bench.X, others),
        "scores_original": _attack(a, b),
        "scores_smoothed": _attack(*bench.own(*bench.gammas(smooth, number))),
        "null": null,
        "link_smoothed": audit.linkability(bench.X, smooth, y=bench.y),
    }
    new = replace(found, **{k: _set(getattr(found, k), number, v) for k, v in changes.items()})
    return replace(new, density_original=_densities(a, b)) if number == 0 else new


def _with_noise(bench: Bench, params: KahmParams, number: int, e: int, found: Study) -> Study:
    noisy, smooth, machines = published(bench, params, number, STUDY_EPSILONS[e])
    changes: dict[str, list[Any]] = {"accuracy": [], "scores": [], "link": []}
    densities = []
    for Y, every in ((noisy, machines), (smooth, None)):
        members, others = bench.gammas(Y, number, every)
        a, b = bench.own(members, others)
        changes["accuracy"].append(bench.accuracies(Y, others))
        changes["scores"].append(_attack(a, b))
        changes["link"].append(audit.linkability(bench.X, Y, y=bench.y))
        densities.append(_densities(a, b))
    new = replace(found, **{k: _set(getattr(found, k), (number, e), v) for k, v in changes.items()})
    if number:
        return new
    rows = np.linspace(0, len(bench.X) - 1, SHOWN).astype(int)
    rows = np.sort(np.array([np.flatnonzero(bench.y == c)[0] for c in np.unique(bench.y)])[:SHOWN]
                   if len(np.unique(bench.y)) >= SHOWN else rows)  # fmt: skip
    shown = np.stack([bench.X[rows], noisy[rows], smooth[rows]])
    return replace(new, density=_set(new.density, e, densities),
                   pictures=_set(new.pictures, e, shown))  # fmt: skip


def _set(array: Array, place: Any, value: Any) -> Array:
    new = array.copy()  # a result that was handed out never changes
    new[place] = value
    return new
