"""Test cases for audits, which are small copies of mechanisms that can run with a known bug or without it.

The same attack is run in both cases.
"""

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
"""Function ``(broken, canary_in, rng)`` that runs a mechanism once and returns a score.

The mechanism has the bug if ``broken`` is True, and the data contain the canary if ``canary_in`` is True. ``rng`` is
the random generator for the noise.
"""


@dataclass(frozen=True, kw_only=True)
class Sabotage:
    """Known privacy bug, with the audit of a mechanism that has the bug and the audit of one that does not have it.

    Parameters
    ----------
    number : int
        Number of the bug: 1 to 16 for published bugs, and 17 to 20 for bugs that were found in this project.
    name, source : str
        The bug in a few words, and the place where it was published.
    broken, correct : Worlds
        Audits of the copies with and without the bug. Both copies claim the same guarantee, and the thresholds of
        both audits come from theory.
    trainings : int
        Number of trainings on each data set. With this number, `attack` at its default confidence misses the bug with
        a probability below 1e-6.
    support : bool
        Whether scores above the threshold are impossible without the canary, by the arithmetic of the copy. If so,
        the frequency of such scores with the canary gives a lower bound on δ, for any ε.
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
    """Result of an attack on a copy of a mechanism, with lower bounds on ε (``bound``) and on δ (``delta_lower``).

    ``caught`` is True if the claim is refuted.
    """

    bound: AuditBound
    delta_lower: float
    caught: bool


def attack(
    case: Sabotage, *, broken: bool, seed: int = 0, trainings: int | None = None,
    confidence: float = 1 - 2e-8,
) -> Attack:  # fmt: skip
    """Attack the copy with or without the bug; return the bounds and whether the claim is refuted.

    The bound on ε and the bound on δ each refute a true claim with probability at most 1 - ``confidence``. At the
    default confidence, the probability that the claim of any of the twenty correct copies is refuted is below 1e-6.

    Parameters
    ----------
    case : Sabotage
        The bug, with the audits of its two copies.
    broken : bool
        Whether to attack the copy with the bug.
    seed : int
        Seed of all noise, ≥ 0.
    trainings : int or None
        Number of trainings on each data set; None stands for ``case.trainings``.
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
    """Return the guarantee that both copies claim, the one with the bug and the one without."""
    return Guarantee(
        epsilon=epsilon, delta=delta, neighbouring=neighbouring, status="proved",
        argument="Claimed by the copy; true of the correct twin alone.",
    )  # fmt: skip


def sabotage(
    number: int, name: str, *, source: str, neighbours: str, canary: str, score: str,
    release: Release, thresholds: tuple[float, float], trainings: int,
    claim: Callable[[], Guarantee] = claimed_guarantee, support: bool = False,
) -> Sabotage:  # fmt: skip
    """Return the `Sabotage` of one bug: audits of a mechanism with the bug, and of the same mechanism without it.

    - ``number``, ``name``, ``source``, ``trainings`` and ``support`` are fields of the `Sabotage`.
    - ``neighbours``, ``canary``, ``score`` and ``claim`` are fields of the `Worlds` of both audits.
    - ``release(broken, canary_in, rng)`` runs the mechanism once, with the bug if ``broken`` is True, and returns the
      score.
    - ``thresholds`` holds the threshold on the score with the bug, and the threshold without it.
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
    """Return rows (n, d), clipped to the norm ``clip_norm``."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return cast(Floats, rows * np.minimum(1.0, clip_norm / np.maximum(norms, 1e-300)))
