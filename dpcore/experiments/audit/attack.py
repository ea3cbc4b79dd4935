"""A claim is attacked live: trainings in two worlds, in batches that grow, and what they show so far.

Trainings are named by (target, seed, use, world, part): the same ones whoever asks, in whatever order, so
that work which was stopped goes on where it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.audit import choose_threshold, count
from dpcore.audit.plan import Chunk
from dpcore.audit.run import chunk_scores
from dpcore.experiments.audit.looks import LOOKS, Counts
from dpcore.experiments.audit.params import AuditParams
from dpcore.experiments.audit.targets import target_of, worlds_of

__all__ = ["BINS", "CHOOSING", "Attack", "Copy", "attack"]

Floats = NDArray[np.float64]
BINS = 40
CHOOSING = 200  # trainings in each world that choose a threshold and are not counted
_PART = 10  # trainings in a piece of work: it can be stopped between any two of them
_PAUSE = 0.3  # seconds between two better results


@dataclass(frozen=True, kw_only=True, eq=False)
class Copy:
    """One copy of the software under attack.

    Parameters
    ----------
    counts : Counts
        At the looks so far, at the threshold for the bound that holds for every noise.
    threshold : float
        The score above which the attacker says that the canary is in.
    edges : array (BINS + 1,)
        Of the histograms; scores outside are in the outer bins.
    without, there : array (BINS,)
        How many scores so far, in the world without the canary and with it.
    """

    counts: Counts
    threshold: float
    edges: Floats
    without: Floats
    there: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class Attack:
    """What is known so far: of the copy that is attacked, and of a bug's correct twin."""

    target: Copy
    twin: Copy | None
    done: float


def attack(
    params: AuditParams,
    *,
    check: Callable[[], None] = lambda: None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[Attack]:
    """Yield what the trainings show, better and better, up to the number that was asked for.

    Parameters
    ----------
    params : AuditParams
        ``target``, ``built``, ``trainings``, ``threshold`` and ``seed`` are used.
    check : callable
        Raises when nobody wants the result any more; asked after every ten trainings of a world.
    progress : callable
        Of the trainings done in each world, and of all that are wanted; 0 while a threshold is chosen.

    Yields
    ------
    Attack
    """
    twins = (False, True) if target_of(params.target).bug else (False,)
    copies = [_Growing(params, twin) for twin in twins]
    for copy in copies:
        progress(0, params.trainings)
        copy.choose(check)
    done, told = 0, time.monotonic()
    for look in [n for n in LOOKS if n <= params.trainings]:
        while done < look:
            for copy in copies:
                copy.grow(done // _PART)
                check()
            done += _PART
            progress(done, params.trainings)
            if time.monotonic() > told + _PAUSE and copies[0].edges is not None:
                yield _so_far(copies, done / params.trainings)
                told = time.monotonic()
        for copy in copies:
            copy.look(look)
        yield _so_far(copies, done / params.trainings)
        told = time.monotonic()


def _so_far(copies: list[_Growing], done: float) -> Attack:
    target, *twin = (copy.snapshot() for copy in copies)
    return Attack(target=target, twin=twin[0] if twin else None, done=done)


class _Growing:
    """Scores of one copy in both worlds, its threshold, and what was counted at each look."""

    def __init__(self, params: AuditParams, twin: bool) -> None:
        self.place = params.target, params.built, params.seed, twin
        worlds = worlds_of(params.target, params.built, twin)
        theory = params.threshold == "theory"
        self.threshold = worlds.threshold if theory else None
        self.scores: dict[bool, list[Floats]] = {False: [], True: []}
        self.counts = Counts()
        self.edges: Floats | None = None

    def choose(self, check: Callable[[], None]) -> None:
        """Choose a threshold where theory gives none, or none is wanted from it."""
        if self.threshold is not None:
            return
        found: dict[bool, list[Floats]] = {False: [], True: []}
        for part in range(CHOOSING // _PART):
            for canary in (False, True):
                found[canary].append(_scores(*self.place, "choose", canary, part))
                check()
        self.threshold = choose_threshold(*(np.concatenate(found[c]) for c in (False, True)))

    def grow(self, part: int) -> None:
        """Train in both worlds."""
        for canary in (False, True):
            self.scores[canary].append(_scores(*self.place, "count", canary, part))

    def look(self, n: int) -> None:
        """Count the errors among all trainings so far."""
        assert self.threshold is not None
        false, missed = count(*self._all(), self.threshold)
        self.counts = self.counts.plus(n, false, missed)
        if self.edges is None:
            self.edges = _edges(np.concatenate(self._all()), self.threshold)

    def snapshot(self) -> Copy:
        """Return what is known so far."""
        assert self.edges is not None
        assert self.threshold is not None
        without, there = (
            np.histogram(np.clip(found, self.edges[0], self.edges[-1]), self.edges)[0].astype(float)
            for found in self._all()
        )
        return Copy(
            counts=self.counts, threshold=self.threshold, edges=self.edges,
            without=without, there=there,
        )  # fmt: skip

    def _all(self) -> tuple[Floats, Floats]:
        return np.concatenate(self.scores[False]), np.concatenate(self.scores[True])


def _edges(scores: Floats, threshold: float) -> Floats:
    """Bins over what the first trainings gave, and a third more on each side; the threshold among them."""
    low, high = np.quantile(np.append(scores[np.abs(scores) < 1e8], threshold), [0.02, 0.98])
    low, high = min(low, threshold), max(high, threshold)
    room = (high - low) / 3 or 1.0
    return np.linspace(low - room, high + room, BINS + 1)


@lru_cache(maxsize=16_384)
def _scores(
    target: str, built: float, seed: int, twin: bool, use: str, canary: bool, part: int
) -> Floats:
    """The scores of ten trainings, kept so that the same question is never trained for twice."""
    worlds = worlds_of(target, built, twin)
    found = np.array(chunk_scores(worlds, Chunk(worlds.name, use, canary, part, _PART), seed))
    found.flags.writeable = False
    return found
