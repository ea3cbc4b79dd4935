"""Train in both worlds of every audit, count the errors of its attack, and say which claims hold.

Work is cut into chunks with noise of their own, named by (seed, audit, world, use, chunk): any
process may do any of them, a journal keeps those that are done, and what is started again goes on.
"""

from __future__ import annotations

import hashlib
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dpcore import __version__, _checks
from dpcore._chance import SeededNoiseWarning
from dpcore.audit.findings import Finding, judge
from dpcore.audit.thresholds import choose_threshold, count
from dpcore.audit.worlds import Worlds
from dpcore.journal import Journal

__all__ = ["Plan", "audit", "audit_one", "chunk_scores", "chunks"]

_QUICK = 10  # times as many trainings where one takes less than 5 ms
_CHUNK = 20


class Chunk(NamedTuple):
    """Some releases of one audit in one world, either counted or for the choice of the threshold."""

    name: str
    use: str
    canary: bool
    part: int
    size: int

    @property
    def key(self) -> str:
        """What the journal calls it."""
        return f"{self.name}|{self.use}|{'with' if self.canary else 'without'}|{self.part}"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How much is trained, and how sure a verdict must be.

    Parameters
    ----------
    trainings : int
        Counted in each world, ≥ 4; ten times as many where a release is quick. Where theory gives
        no threshold, half as many more choose it.
    seed : int
        Of all noise, ≥ 0.
    false_alarms : float
        The chance that any true claim is called broken, over all ``claims`` together (Bonferroni).
    claims : int
        How many claims share that chance, ≥ 1.
    """

    trainings: int = 1000
    seed: int = 1
    false_alarms: float = 1e-3
    claims: int = 1

    def __post_init__(self) -> None:
        _checks.integer("trainings", self.trainings, low=4, high=10**7)
        _checks.integer("seed", self.seed, low=0)
        _checks.integer("claims", self.claims, low=1)
        _checks.number(
            "false_alarms", self.false_alarms, low=0, high=1, open_low=True, open_high=True
        )

    @property
    def strict(self) -> float:
        """Confidence of one verdict."""
        return 1 - self.false_alarms / self.claims

    def counted(self, worlds: Worlds) -> int:
        """Return how many releases are counted in each world."""
        return self.trainings * (_QUICK if worlds.quick else 1)

    def choosing(self, worlds: Worlds) -> int:
        """Return how many releases in each world choose the threshold."""
        return 0 if worlds.threshold is not None else max(self.counted(worlds) // 2, 2)

    def mark(self) -> dict[str, object]:
        """Return what a chunk's scores depend on."""
        return {"seed": self.seed, "trainings": self.trainings, "version": __version__}


def chunks(worlds: Worlds, plan: Plan) -> list[Chunk]:
    """Return the pieces of work of one audit."""
    size = _CHUNK * (_QUICK**2 if worlds.quick else 1)
    return [
        Chunk(worlds.name, use, canary, start // size, min(size, total - start))
        for use, total in (("choose", plan.choosing(worlds)), ("count", plan.counted(worlds)))
        for start in range(0, total, size)
        for canary in (False, True)
    ]


def chunk_scores(worlds: Worlds, chunk: Chunk, seed: int) -> list[float]:
    """Return the scores of the releases of a chunk: the same ones on any machine and in any order.

    Raises
    ------
    ValueError
        When a score is not a number.
    """
    words = hashlib.sha256(chunk.key.encode()).digest()[:16]
    rng = np.random.default_rng([seed, *np.frombuffer(words, np.uint32).tolist()])
    with warnings.catch_warnings():
        # An audit can be repeated: its noise comes from a seed on purpose, and nothing is released.
        warnings.simplefilter("ignore", SeededNoiseWarning)
        found = [float(worlds.release(chunk.canary, rng)) for _ in range(chunk.size)]
    if np.isnan(found).any():
        raise ValueError(
            f"The audit {worlds.name!r} made a score that is not a number: a release that is not one "
            "tells something, and the score has to say what."
        )
    return found


def audit_one(worlds: Worlds, plan: Plan) -> Finding:
    """Run one audit in this process, without a journal.

    Parameters
    ----------
    worlds : Worlds
        What is attacked, and how.
    plan : Plan
        How much is trained.

    Returns
    -------
    Finding
    """
    scores = {c.key: chunk_scores(worlds, c, plan.seed) for c in chunks(worlds, plan)}
    return _finding(worlds, plan, scores)


def audit(
    every: Sequence[Worlds],
    plan: Plan,
    *,
    journal: Path | None = None,
    n_jobs: int = 1,
    tell: Callable[[str], None] = lambda line: None,
) -> Iterator[Finding]:
    """Run audits, and yield what each found as soon as it is whole.

    Parameters
    ----------
    every : sequence of Worlds
        What is attacked; with ``n_jobs`` > 1 they have to be importable, as registered ones are.
    plan : Plan
        How much is trained.
    journal : Path or None
        Where finished chunks are kept; started again with the same plan, they are not run again.
    n_jobs : int
        Processes.
    tell : callable
        Told a line of progress after each chunk.

    Yields
    ------
    Finding
        In the order in which they were finished.

    Raises
    ------
    Refused
        When the journal is in use, or of another plan.
    """
    by_name = {worlds.name: worlds for worlds in every}
    with ExitStack() as stack:
        kept = stack.enter_context(Journal(journal, plan.mark())) if journal else None
        scores = {key: rows[0]["scores"] for key, rows in kept.done.items()} if kept else {}
        left = {name: chunks(worlds, plan) for name, worlds in by_name.items()}
        todo = [c for group in left.values() for c in group if c.key not in scores]
        clock = _Clock(todo)
        for name in [n for n, group in left.items() if all(c.key in scores for c in group)]:
            left.pop(name)
            yield _finding(by_name[name], plan, scores)
        for chunk, found, seconds in _run(by_name, todo, plan.seed, n_jobs):
            scores[chunk.key] = found
            if kept:
                kept.add(chunk.key, [{"scores": found}])
            tell(clock.line(chunk, seconds, n_jobs))
            if all(c.key in scores for c in left[chunk.name]):
                left.pop(chunk.name)
                yield _finding(by_name[chunk.name], plan, scores)


def _run(
    by_name: dict[str, Worlds], todo: list[Chunk], seed: int, n_jobs: int
) -> Iterator[tuple[Chunk, list[float], float]]:
    if n_jobs == 1:
        yield from (_timed(by_name[chunk.name], chunk, seed) for chunk in todo)
        return
    from joblib import Parallel, delayed

    run = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    yield from run(delayed(_timed)(by_name[chunk.name], chunk, seed) for chunk in todo)


def _timed(worlds: Worlds, chunk: Chunk, seed: int) -> tuple[Chunk, list[float], float]:
    start = time.perf_counter()
    return chunk, chunk_scores(worlds, chunk, seed), time.perf_counter() - start


def _finding(worlds: Worlds, plan: Plan, scores: dict[str, list[float]]) -> Finding:
    def of(use: str, canary: bool) -> list[float]:
        mine = [c for c in chunks(worlds, plan) if (c.use, c.canary) == (use, canary)]
        return [score for c in mine for score in scores[c.key]]

    cut, claim = worlds.threshold, worlds.claim()
    if cut is None:
        cut = choose_threshold(of("choose", False), of("choose", True), delta=claim.delta)
    k0, k1 = count(of("count", False), of("count", True), cut)
    return judge(worlds.name, claim, k0, k1, plan.counted(worlds), strict=plan.strict)


class _Clock:
    """How much is left, by the mean time of each audit's own chunks."""

    def __init__(self, todo: Sequence[Chunk]) -> None:
        self._total, self._left = len(todo), {c.key: c for c in todo}
        self._spent: dict[str, list[float]] = {}

    def line(self, chunk: Chunk, seconds: float, n_jobs: int) -> str:
        """Note that a chunk is done, and say how far the work is."""
        del self._left[chunk.key]
        self._spent.setdefault(chunk.name, []).append(seconds / chunk.size)
        means = {name: sum(times) / len(times) for name, times in self._spent.items()}
        usual = sum(means.values()) / len(means)
        left = sum(c.size * means.get(c.name, usual) for c in self._left.values()) / max(n_jobs, 1)
        done = self._total - len(self._left)
        return f"{done:5d}/{self._total}  about {left / 60:.1f} min left  {chunk.name}"
