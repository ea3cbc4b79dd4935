"""Run of audits, which train with and without the canary, count the errors of an attack, and judge the claims.

The releases of an audit are divided into chunks. The seed of the noise in a chunk is derived from the seed of the
plan and from the key of the chunk, so any process may run the chunk. A journal on disk stores the finished chunks and
the number of releases in which errors are counted. A run that is started again continues from the journal.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from dpcore._random_state import SeededNoiseWarning
from dpcore._warnings import unwarned
from dpcore.audit.findings import Finding, judge
from dpcore.audit.plan import Chunk, Plan, chunks, release_seconds
from dpcore.audit.thresholds import choose_threshold, count
from dpcore.audit.worlds import Worlds
from dpcore.journal import Journal

__all__ = ["Plan", "audit", "audit_one", "chunk_scores"]


def chunk_scores(worlds: Worlds, chunk: Chunk, seed: int) -> list[float]:
    """Return the attack scores of the releases in a chunk.

    The scores do not depend on the process that runs the chunk or on the order of the chunks.

    Raises
    ------
    ValueError
        When a score is not a number.
    """
    words = hashlib.sha256(chunk.key.encode()).digest()[:16]
    rng = np.random.default_rng([seed, *np.frombuffer(words, np.uint32).tolist()])
    with unwarned(SeededNoiseWarning):
        # An audit can be repeated: its noise comes from a seed on purpose, and nothing is released.
        scores = [float(worlds.release(chunk.canary, rng)) for _ in range(chunk.size)]
    if np.isnan(scores).any():
        raise ValueError(
            f"The audit {worlds.name!r} made a score that is not a number: a release that is not one "
            "tells something, and the score has to say what."
        )
    return scores


def audit_one(worlds: Worlds, plan: Plan) -> Finding:
    """Run one audit in this process, without a journal.

    Parameters
    ----------
    worlds : Worlds
        The two neighbouring data sets, the mechanism and the attack.
    plan : Plan
        Number of trainings and confidence of the verdict.

    Returns
    -------
    Finding
        Bounds that the attack shows, and verdict on the claim.
    """
    pieces = chunks(worlds, plan, plan.counted(release_seconds(worlds)))
    return _finding(
        worlds, plan, pieces, {c.key: chunk_scores(worlds, c, plan.seed) for c in pieces}
    )


def audit(
    every: Sequence[Worlds],
    plan: Plan,
    *,
    journal: Path | None = None,
    n_jobs: int = 1,
    tell: Callable[[str], None] = lambda line: None,
) -> Iterator[Finding]:
    """Run audits in parallel and yield each finding as soon as it is complete.

    Parameters
    ----------
    every : sequence of Worlds
        The audits. If ``n_jobs`` > 1, their functions must be importable by name.
    plan : Plan
        Number of trainings and confidence of the verdicts.
    journal : Path or None
        File that stores finished chunks. A run with the same plan skips the chunks in it.
    n_jobs : int
        Number of processes.
    tell : callable
        Function that is called with a line of text about the progress, after each chunk.

    Yields
    ------
    Finding
        The result of each audit, in the order of completion.

    Raises
    ------
    Refused
        When the journal is in use by another run, or was written with another plan or program version.
    """
    by_name = {worlds.name: worlds for worlds in every}
    with ExitStack() as stack:
        log = stack.enter_context(Journal(journal, plan.mark())) if journal else None
        done = {key: rows[0] for key, rows in log.done.items()} if log else {}
        scores = {key: row["scores"] for key, row in done.items() if "scores" in row}
        pieces = {name: chunks(w, plan, _counted(w, plan, log)) for name, w in by_name.items()}
        left = dict(pieces)
        todo = [c for group in left.values() for c in group if c.key not in scores]
        clock = _Clock(todo)
        for name in [n for n, group in left.items() if all(c.key in scores for c in group)]:
            left.pop(name)
            yield _finding(by_name[name], plan, pieces[name], scores)
        for chunk, new_scores, seconds in _run(by_name, todo, plan.seed, n_jobs):
            scores[chunk.key] = new_scores
            if log:
                log.add(chunk.key, [{"scores": new_scores}])
            tell(clock.line(chunk, seconds, n_jobs))
            if all(c.key in scores for c in left[chunk.name]):
                group = left.pop(chunk.name)
                yield _finding(by_name[chunk.name], plan, group, scores)


def _counted(worlds: Worlds, plan: Plan, log: Journal | None) -> int:
    """Return the number of releases on each data set in which errors are counted.

    The number depends on the time of a release. If an earlier run measured this time, the number is read from the
    journal.
    """
    key = f"{worlds.name}|counted"
    if log and key in log.done:
        return int(log.done[key][0]["counted"])
    seconds = release_seconds(worlds)
    if log:
        log.add(key, [{"counted": plan.counted(seconds), "seconds": seconds}])
    return plan.counted(seconds)


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


def _finding(
    worlds: Worlds, plan: Plan, pieces: Sequence[Chunk], scores: Mapping[str, list[float]]
) -> Finding:
    def of(use: str, canary: bool) -> list[float]:
        mine = [c for c in pieces if (c.use, c.canary) == (use, canary)]
        return [score for c in mine for score in scores[c.key]]

    cut, claim, gaussian = worlds.threshold, worlds.claim(), None
    without, there = of("count", False), of("count", True)
    if worlds.gaussian and cut is not None:
        gaussian = count(without, there, threshold=cut)
    if gaussian or cut is None:
        cut = choose_threshold(of("choose", False), of("choose", True), delta=claim.delta)
    k0, k1 = count(without, there, threshold=cut)
    return judge(
        worlds.name, claim, k0, k1, len(there), strict=plan.strict, gaussian=gaussian
    )  # fmt: skip


class _Clock:
    """Estimate of the remaining time of a run, computed from the mean time of a release in the finished chunks."""

    def __init__(self, todo: Sequence[Chunk]) -> None:
        self._total, self._left = len(todo), {c.key: c for c in todo}
        self._spent: dict[str, list[float]] = {}

    def line(self, chunk: Chunk, seconds: float, n_jobs: int) -> str:
        """Record a finished chunk, and return a progress line with the remaining time."""
        del self._left[chunk.key]
        self._spent.setdefault(chunk.name, []).append(seconds / chunk.size)
        means = {name: sum(times) / len(times) for name, times in self._spent.items()}
        usual = sum(means.values()) / len(means)
        left = sum(c.size * means.get(c.name, usual) for c in self._left.values()) / max(n_jobs, 1)
        done = self._total - len(self._left)
        return f"{done:5d}/{self._total}  about {left / 60:.1f} min left  {chunk.name}"
