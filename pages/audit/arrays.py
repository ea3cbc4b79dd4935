"""Numerical arrays that the figure of the page Audit draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.experiments import audit
from dpcore.experiments.audit import LOOKS, Attack, AuditParams, Bounds, Copy, target_of, worlds_of
from dpcore.experiments.grids import EPSILON_GRID
from ui.figure_kit.common import EPSILONS, array
from ui.live import Array

__all__ = ["FLOOR", "arrays", "bounds_of", "is_caught"]

FLOOR = 0.05
"""Where a bound of 0 stands on the logarithmic axis."""


def bounds_of(params: AuditParams, copy: Copy, *, gaussian: bool | None = None) -> Bounds:
    """Return lower bounds on the ε of a program at the claimed δ, from an attack on the program.

    ``copy`` is the attacked version of the program, with the attack's error counts. Of the valid formulas, the
    tightest is used.
    """
    target = target_of(params.target)
    worlds = worlds_of(params.target, params.built)
    return audit.bounds(
        copy.counts,
        params.delta,
        gaussian=worlds.gaussian and not target.bug if gaussian is None else gaussian,
        support=bool(target.bug and target.bug.support),
    )


def is_caught(params: AuditParams, bounds: Bounds, epsilon: float) -> bool:
    """Return whether the lower bounds of an attack refute the claim that a program is (ε, δ)-DP."""
    return bool(bounds.bound[-1] > epsilon) or bounds.delta_lower > params.delta


def arrays(params: AuditParams, attack: Attack | None) -> dict[str, Array]:
    """Return the arrays of the two upper panels; their values are NaN or zero before the first interim analysis."""
    own = worlds_of(params.target, params.built).claim().epsilon
    numbers = {
        "claim": array(EPSILONS, "epsilon"),
        "own": array(own if np.isfinite(own) else params.built),
        "needed": array(_needed(params), "epsilon"),
        "ceiling": array(np.maximum(_most(params), FLOOR)),
        **_copy(params, attack.target if attack else None, ""),
    }
    if target_of(params.target).bug:
        numbers |= _copy(params, attack.twin if attack else None, "twin_")
    return numbers


def _copy(params: AuditParams, copy: Copy | None, name: str) -> dict[str, Array]:
    if copy is None:
        nothing = np.full(len(LOOKS), np.nan)
        numbers: dict[str, Any] = dict.fromkeys(
            ("bound_now", "ceiling_now", "wrong", "false", "missed", "alone", "threshold", "n_now"),
            np.nan,
        )
        bars = {"edges": np.linspace(0, 1, audit.BINS + 1), "without": np.zeros(audit.BINS)}
        curves = dict.fromkeys(
            ("bound", "any_noise", "false_low", "false_high", "missed_low", "missed_high",
             "false_rate", "missed_rate"), nothing,
        )  # fmt: skip
        values = numbers | bars | curves | {"with": np.zeros(audit.BINS)}
    else:
        values = _known(params, copy)
    return {name + key: array(value) for key, value in values.items()}


def _known(params: AuditParams, copy: Copy) -> dict[str, Any]:
    shown, counts = bounds_of(params, copy), copy.counts
    general = bounds_of(params, copy, gaussian=False)
    n, rates = counts.n[-1], {"false": counts.false, "missed": counts.missed}
    values: dict[str, Any] = {
        "bound": _long(np.maximum(shown.bound, FLOOR)), "bound_now": shown.bound[-1],
        "ceiling_now": shown.ceiling[-1],
        "any_noise": _long(np.maximum(general.bound, FLOOR)), "alone": shown.alone,
        "n_now": n, "threshold": copy.threshold, "edges": copy.edges,
        "without": copy.without / copy.without.sum(), "with": copy.there / copy.there.sum(),
        "wrong": (counts.false[-1] + counts.missed[-1]) / (2 * n),
    }  # fmt: skip
    for key, errors in rates.items():
        pairs = enumerate(zip(errors, counts.n, strict=True), start=1)
        ends = [audit.interval(k, m, look) for look, (k, m) in pairs]
        values |= {
            key: errors[-1] / n, f"{key}_rate": _long(np.divide(errors, counts.n)),
            f"{key}_low": _long(np.array(ends)[:, 0]), f"{key}_high": _long(np.array(ends)[:, 1]),
        }  # fmt: skip
    return values


def _long(values: Any) -> Any:
    """Return one value per interim analysis (look) of the attack, with NaN for analyses not yet reached."""
    return np.append(values, np.full(len(LOOKS) - len(values), np.nan))


def _needed(params: AuditParams) -> Any:
    """Return, for every claimed ε, the number of trials at which an error-free attack would refute it; NaN if
    never.
    """
    first = np.searchsorted(_most(params), EPSILON_GRID, "right")
    return np.append(np.array(LOOKS, float), np.nan)[first]


def _most(params: AuditParams) -> Any:
    """Return the lower bound on ε that an attack without errors would show at each interim analysis."""
    counts = audit.Counts()
    for n in LOOKS:
        counts = counts.plus(n, 0, 0)
    gaussian = worlds_of(params.target, params.built).gaussian and not target_of(params.target).bug
    return audit.bounds(counts, params.delta, gaussian=gaussian).ceiling
