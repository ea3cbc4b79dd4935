"""Arrays of numbers that the figure of the Audit page draws."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments import audit
from dpcore.experiments.audit import (
    CONFIDENCE,
    LOOKS,
    Attack,
    AuditParams,
    Bounds,
    Copy,
    target_of,
    worlds_of,
)
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.guarantee import Evidence, Guarantee
from ui.figure_kit.common import EPSILONS, array
from ui.live import Array

__all__ = [
    "FALLS_FROM",
    "FLOOR",
    "MOST_DOTS",
    "PILES_ON",
    "arrays",
    "bounds_of",
    "claims_of",
    "evidence",
    "evidence_of",
    "is_caught",
    "most_possible",
]

FLOOR = 0.05
"""Position of a lower bound of 0 on the logarithmic axis."""
MOST_DOTS = 500
"""Number of trials of each kind that are drawn as dots."""
FALLS_FROM = {"without": 0.45, "with": 1.0}
"""Height from which the scores of each world fall, where the panel of scores is 1 high."""
PILES_ON = {"without": 0.01, "with": 0.56}
"""Height on which they pile up."""


def bounds_of(params: AuditParams, copy: Copy, *, gaussian: bool | None = None) -> Bounds:
    """Return the lower bounds on a program's ε that an attack's error counts prove at the claimed δ.

    ``copy`` holds the error counts of the attack on one version of the program, faulty or corrected.
    ``gaussian`` says whether the sharper bound for Gaussian noise may be used. None allows that bound if the
    program has Gaussian noise and no bug.
    """
    target = target_of(params.target)
    worlds = worlds_of(params.target, params.built)
    return _bounds(
        copy.counts,
        params.delta,
        gaussian=bool(worlds.gaussian and not target.bug) if gaussian is None else gaussian,
        support=bool(target.bug and target.bug.support),
    )


@lru_cache(maxsize=256)  # an answer needs those of every number of trials several times
def _bounds(counts: audit.Counts, delta: float, *, gaussian: bool, support: bool = False) -> Bounds:
    return audit.bounds(counts, delta, gaussian=gaussian, support=support)


def evidence_of(params: AuditParams, bounds: Bounds) -> Evidence:
    """Return what an attack's lower bounds show about every claim with the page's δ.

    The bound on ε is infinite if results that are impossible without the record are proved to be more frequent
    than δ.
    """
    lower = np.inf if bounds.delta_lower > params.delta else bounds.bound[-1]
    return Evidence(epsilon_lower=float(lower), confidence=CONFIDENCE)


def evidence(params: AuditParams, attack: Attack | None) -> Evidence | None:
    """Return what an attack shows about the attacked program's claims, or None before the first interim analysis."""
    return None if attack is None else evidence_of(params, bounds_of(params, attack.target))


def claims_of(params: AuditParams) -> list[Guarantee]:
    """Return the claims of the attacked program at every ε on the slider and the page's δ.

    The claims of a program with a bug are nominal.
    """
    claim = audit.guarantee(params)
    return claim.tabulated(EPSILON_GRID, [params.delta] * len(EPSILON_GRID))


def is_caught(params: AuditParams, bounds: Bounds, epsilon: float) -> bool:
    """Return whether an attack's lower bounds refute the claim that a program is (ε, δ)-DP."""
    return evidence_of(params, bounds).epsilon_lower > epsilon


def arrays(params: AuditParams, attack: Attack | None) -> dict[str, Array]:
    """Return the arrays of the two upper panels of the figure.

    Before the attack's first interim analysis the arrays hold NaN or zeros.
    """
    own = worlds_of(params.target, params.built).claim().epsilon
    numbers = {
        "claim": array(EPSILONS, "epsilon"),
        "own": array(own if np.isfinite(own) else params.built),
        "needed": array(_needed(params), "epsilon"),
        "ceiling": array(np.maximum(most_possible(params), FLOOR)),
        **_copy(params, attack.target if attack else None, ""),
    }
    caught = _caught_at(params, attack)
    numbers["caught_at"] = array(caught, "epsilon", "trainings")
    stamp = attack.target.reach[1] if attack else np.nan
    numbers["stamp"] = array(np.where(np.isfinite(caught), stamp, np.nan), "epsilon", "trainings")
    if target_of(params.target).bug:
        numbers |= _copy(params, attack.twin if attack else None, "twin_")
    return numbers


def _caught_at(params: AuditParams, attack: Attack | None) -> NDArray[np.float64]:
    """Return the number of trials (n_epsilons, n_looks) that were needed to refute each claim.

    The second axis is the slider's number of trials. The entry is NaN if this number does not refute the claim.
    """
    if attack is None:
        return np.full((len(EPSILON_GRID), len(LOOKS)), np.nan)
    copy, n = attack.target, np.array(attack.target.counts.n, float)
    shown = [evidence_of(params, bounds_of(params, copy.first(k + 1))) for k in range(len(n))]
    refuted = np.array([one.epsilon_lower for one in shown]) > np.array(EPSILON_GRID)[:, None]
    first = np.where(refuted.any(1), n[refuted.argmax(1)], np.nan)[:, None]
    now = n[np.minimum(np.arange(len(LOOKS)), len(n) - 1)]
    return np.where(first <= now, first, np.nan)


def _copy(params: AuditParams, copy: Copy | None, name: str) -> dict[str, Array]:
    values = _unknown() if copy is None else _by_look(params, copy) | _scores(copy)
    return {name + key: value for key, value in values.items()}


def _unknown() -> dict[str, Array]:
    curve, one = array(np.full(len(LOOKS), np.nan)), array(np.nan)
    return {
        **dict.fromkeys(("bound", "any_noise"), curve),
        **{f"{key}_{part}": curve for key in ("false", "missed") for part in ("low", "high", "rate")},
        **dict.fromkeys(("bound_now", "ceiling_now", "wrong", "false", "missed", "alone"), one),
        **dict.fromkeys(("false_errors", "missed_errors", "false_most", "missed_most"), one),
        **dict.fromkeys(("threshold", "n_now", "bound_at"), one),
        **dict.fromkeys(("below", "above"), array(np.full(2, np.nan))),  # of the threshold
        "fallen": array(0.0),
        **{world: array(np.full((1, 2), np.nan)) for world in FALLS_FROM},
    }  # fmt: skip


def _by_look(params: AuditParams, copy: Copy) -> dict[str, Array]:
    """Return the bounds and the attacker's errors, for every number of trials that the slider can show.

    If the attack has not made that many trials yet, the entries are those of the last interim analysis.
    """
    counts, done = copy.counts, len(copy.counts.n)
    shown, general = (bounds_of(params, copy, gaussian=rule) for rule in (None, False))
    at = np.minimum(np.arange(len(LOOKS)), done - 1)
    n = np.array(counts.n)
    alone = [bounds_of(params, copy.first(k + 1)).alone for k in range(done)]
    wrong = (np.array(counts.false) + counts.missed) / (2 * n)
    values: dict[str, Any] = {
        "bound": array(_grown(np.maximum(shown.bound, FLOOR))[at], "trainings"),
        "any_noise": array(_grown(np.maximum(general.bound, FLOOR))[at], "trainings"),
        "threshold": array(copy.threshold),
        "below": array((copy.reach[0], copy.threshold)),
        "above": array((copy.threshold, copy.reach[1])),
    }  # fmt: skip
    numbers = {
        "bound_at": np.maximum(shown.bound, FLOOR), "bound_now": shown.bound,
        "ceiling_now": shown.ceiling, "alone": np.array(alone), "n_now": n, "wrong": wrong,
    }  # fmt: skip
    for key, errors in {"false": counts.false, "missed": counts.missed}.items():
        pairs = enumerate(zip(errors, counts.n, strict=True), start=1)
        low, high = np.array([audit.interval(k, m, look) for look, (k, m) in pairs]).T
        rate = np.divide(errors, n)
        values |= {f"{key}_{part}": array(_long(one)) for part, one in
                   (("rate", rate), ("low", low), ("high", high))}  # fmt: skip
        numbers |= {key: rate, f"{key}_errors": np.array(errors), f"{key}_most": high}
    return values | {key: array(one[at], "trainings") for key, one in numbers.items()}


def _scores(copy: Copy) -> dict[str, Array]:
    """Return a dot (score, height) for each trial on either neighbouring data set.

    The height is that from which the dot falls.
    """
    low, high = copy.reach
    rim = 0.01 * (high - low)
    seen = np.clip(copy.scores[:, :MOST_DOTS], low + rim, high - rim)
    worlds = {
        world: array(np.column_stack([x, np.full(len(x), top)]))
        for (world, top), x in zip(FALLS_FROM.items(), seen, strict=True)
    }
    counted = copy.counts.n
    fallen = [LOOKS[k] if k < len(counted) else copy.scores.shape[1] for k in range(len(LOOKS))]
    return worlds | {"fallen": array(np.minimum(fallen, seen.shape[1]), "trainings")}


def _long(values: Any) -> Any:
    """Return the values of the finished interim analyses, padded with NaN for the analyses still to come."""
    return np.append(values, np.full(len(LOOKS) - len(values), np.nan))


def _grown(values: Any) -> Any:
    """Return one curve for each number k of finished interim analyses: the first k values, then NaN."""
    return np.array([_long(values[: k + 1]) for k in range(len(values))])


def _needed(params: AuditParams) -> Any:
    """Return, for each claimed ε, the number of trials that an attack without errors needs to refute the claim.

    The entry is NaN where even the largest number of trials on the page cannot refute the claim.
    """
    first = np.searchsorted(most_possible(params), EPSILON_GRID, "right")
    return np.append(np.array(LOOKS, float), np.nan)[first]


def most_possible(params: AuditParams) -> NDArray[np.float64]:
    """Return the lower bound on ε that an attack without any error would prove, at each interim analysis."""
    counts = audit.Counts()
    for n in LOOKS:
        counts = counts.plus(n, 0, 0)
    gaussian = worlds_of(params.target, params.built).gaussian and not target_of(params.target).bug
    return _bounds(counts, params.delta, gaussian=bool(gaussian)).ceiling
