"""All twenty bugs and their correct twins, attacked until each claim is refuted or the trainings end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.audit.sabotage import SABOTAGES, Sabotage
from dpcore.experiments.audit.attack import Copy, attack
from dpcore.experiments.audit.looks import LOOKS, Counts, bounds
from dpcore.experiments.audit.params import AuditParams

__all__ = ["MOST_TRIALS", "NEVER", "Caught", "catch_all", "caught_after"]

MOST_TRIALS = 500
"""Trainings in each world by which every bug is caught."""
NEVER = 2 * LOOKS[-1]
"""Stands for “not caught” on an axis of trainings."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Caught:
    """After how many trainings in each world each bug's claim is refuted, and its twin's (20,).

    `NEVER`: not by so many; nan: not known yet.
    """

    bugs: NDArray[np.float64]
    twins: NDArray[np.float64]


def caught_after(copy: Copy, case: Sabotage, epsilon: float, delta: float) -> int:
    """Return the first look at which a claim (ε, δ) is refuted; `NEVER` where none is.

    Parameters
    ----------
    copy : Copy
        The bug's, or its twin's.
    case : Sabotage
        Which bug.
    epsilon, delta : float
        The claim.
    """
    seen = Counts()
    for n, false, missed in zip(copy.counts.n, copy.counts.false, copy.counts.missed, strict=True):
        seen = seen.plus(n, false, missed)
        found = bounds(seen, delta, support=case.support)
        if found.bound[-1] > epsilon or found.delta_lower > delta:
            return n
    return NEVER


def catch_all(
    params: AuditParams,
    *,
    check: Callable[[], None] = lambda: None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[Caught]:
    """Yield what is known after each bug: every one claims its own (ε, δ), its thresholds are theory's.

    Parameters
    ----------
    params : AuditParams
        ``trainings`` and ``seed`` are used.
    check : callable
        As for `attack`.
    progress : callable
        Of the bugs done, and of all.

    Yields
    ------
    Caught
    """
    bugs, twins = (np.full(len(SABOTAGES), np.nan) for _ in range(2))
    for k, case in enumerate(SABOTAGES):
        asked = AuditParams(
            target=f"bug{case.number}", trainings=params.trainings, seed=params.seed
        )
        *_, found = attack(asked, check=check)
        claim = case.broken.claim()
        delta = max(claim.delta, asked.delta)
        assert found.twin is not None
        bugs[k] = caught_after(found.target, case, claim.epsilon, delta)
        twins[k] = caught_after(found.twin, case, claim.epsilon, delta)
        progress(k + 1, len(SABOTAGES))
        yield Caught(bugs=bugs.copy(), twins=twins.copy())
