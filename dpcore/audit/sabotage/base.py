"""Base of the sabotage tests: a known bug in a small copy of a mechanism, its correct twin, and an attack on both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._types import Floats
from dpcore.audit.bounds import AuditBound, impossible_delta, two_worlds
from dpcore.audit.worlds import Worlds
from dpcore.guarantee import Guarantee, Neighbouring

__all__ = ["Attack", "Release", "Sabotage", "attack", "claimed_guarantee", "clipped", "sabotage"]

Release = Callable[[bool, bool, np.random.Generator], float]
"""(broken?, canary in?, noise) -> score."""


@dataclass(frozen=True, kw_only=True)
class Sabotage:
    """Known privacy bug, with the audits of a small copy that has the bug and of its correct twin.

    Parameters
    ----------
    number : int
        1 to 16 for published bugs; from 17 on for bugs that were found in this project.
    name, source : str
        The bug in a few words; where it was published.
    broken, correct : Worlds
        Audits of the buggy copy and of its correct twin, with the same claim and thresholds from theory.
    trainings : int
        Trainings per data set, such that `attack` at its default confidence misses the bug with a
        probability below 1e-6.
    support : bool
        Whether the arithmetic of the copy makes scores above the threshold impossible without the
        canary. The frequency of such scores with the canary is then a lower bound on δ for any ε.
    """

    number: int
    name: str
    source: str
    broken: Worlds
    correct: Worlds
    trainings: int
    support: bool = False


@dataclass(frozen=True, kw_only=True)
class Attack:
    """Result of an attack on a copy: lower bounds on ε and on δ, and whether the claim is refuted (``caught``)."""

    bound: AuditBound
    delta_lower: float
    caught: bool


def attack(
    case: Sabotage, *, broken: bool, seed: int = 0, trainings: int | None = None,
    confidence: float = 1 - 2e-8,
) -> Attack:  # fmt: skip
    """Attack the buggy copy or its twin and return whether its claim is refuted.

    Each of the two bounds, on ε and on δ, refutes a true claim with probability at most 1 - ``confidence``. At the
    default confidence any of the twenty correct twins is refuted with probability below 1e-6 in total.

    Parameters
    ----------
    case : Sabotage
        The bug under attack.
    broken : bool
        Whether to attack the copy with the bug, or the correct twin.
    seed : int
        Seed of all noise, ≥ 0.
    trainings : int or None
        Trainings per data set; None stands for ``case.trainings``.
    confidence : float
        Confidence of each bound, in (0, 1).

    Returns
    -------
    Attack
        The bounds, and whether the claim is refuted.
    """
    n = case.trainings if trainings is None else _checks.integer("trainings", trainings, low=1)
    worlds = case.broken if broken else case.correct
    rng = np.random.default_rng([seed, case.number, int(broken)])
    cut, claim = worlds.threshold, worlds.claim()
    assert cut is not None
    k0, hits = (
        sum(worlds.release(canary, rng) > cut for _ in range(n)) for canary in (False, True)
    )
    bound = two_worlds(k0, n - hits, n=n, delta=claim.delta, confidence=confidence)
    shown = impossible_delta(hits, n, confidence=confidence) if case.support and not k0 else 0.0
    caught = bound.refutes(claim.epsilon) or shown > claim.delta
    return Attack(bound=bound, delta_lower=shown, caught=caught)


def claimed_guarantee(
    epsilon: float = 1.0, delta: float = 0.0, neighbouring: Neighbouring = "add_remove"
) -> Guarantee:
    """Return the guarantee that a buggy copy and its twin both claim."""
    return Guarantee(
        epsilon=epsilon, delta=delta, neighbouring=neighbouring, status="proved",
        argument="Claimed by the copy; true of the correct twin alone.",
    )  # fmt: skip


def sabotage(
    number: int, name: str, *, source: str, neighbours: str, canary: str, score: str,
    release: Release, thresholds: tuple[float, float], trainings: int,
    claim: Callable[[], Guarantee] = claimed_guarantee, support: bool = False,
) -> Sabotage:  # fmt: skip
    """Return a `Sabotage` with audits of a buggy copy and of its correct twin.

    ``release(True, ...)`` runs the buggy copy and ``release(False, ...)`` its twin. ``thresholds`` holds the attack's
    threshold for the buggy copy and the one for the twin.
    """
    broken, correct = (
        Worlds(
            name=f"{name} ({'sabotaged' if flawed else 'correct'})", threshold=cut, claim=claim,
            neighbours=neighbours, canary=canary, score=score, release=partial(release, flawed),
        )
        for flawed, cut in zip((True, False), thresholds, strict=True)
    )  # fmt: skip
    return Sabotage(
        number=number, name=name, source=source, broken=broken, correct=correct,
        trainings=trainings, support=support,
    )  # fmt: skip


def clipped(rows: NDArray[np.float64], clip_norm: float = 1.0) -> NDArray[np.float64]:
    """Return rows (n, d), each scaled down to the norm ``clip_norm`` if it is longer."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return cast(Floats, rows * np.minimum(1.0, clip_norm / np.maximum(norms, 1e-300)))
