"""Attack on a claimed (ε, δ) with an increasing number of trainings, and the lower bounds on ε that follow.

The attacker trains the software many times on two data sets: one with and one without an extra
record, the canary. From each output the attacker guesses whether the canary was included.

After fixed numbers of trainings the attacker's errors are counted, and a lower bound on ε is
computed. The k-th bound has the confidence 1 - β/2^k, with β = 5 %. So all bounds hold jointly at
95 %, and so does the largest bound so far.

The random numbers of a training are derived from the attacked software, the seed, the data set, the
number of the batch of trainings, and the use of the training: to choose the attacker's threshold,
or to count errors. So an interrupted attack can be continued.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.audit import (
    choose_threshold,
    count,
    error_bound,
    gaussian_bound,
    impossible_delta,
    look_confidence,
    two_worlds,
)
from dpcore.audit.plan import Chunk
from dpcore.audit.run import chunk_scores
from dpcore.audit.sabotage import SABOTAGES, Sabotage
from dpcore.experiments.audit.params import LOOKS, AuditParams, target_of, worlds_of
from dpcore.guarantee import Guarantee

__all__ = [
    "CHOOSING",
    "CONFIDENCE",
    "MOST_TRIALS",
    "NEVER",
    "Attack",
    "Bounds",
    "Caught",
    "Copy",
    "Counts",
    "attack",
    "bounds",
    "catch_all",
    "caught_after",
    "guarantee",
    "interval",
]

CONFIDENCE = 0.95
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Counts:
    """Error counts of one attack at each of L evaluations.

    The attacker guesses from an output whether the training data included the canary, an extra
    record.

    - ``n``: number of trainings per data set.
    - ``false``: number of wrong guesses "included".
    - ``missed``: number of wrong guesses "not included".
    """

    n: tuple[int, ...] = ()
    false: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()

    def plus(self, n: int, false: int, missed: int) -> Counts:
        """Return the counts with one more evaluation appended.

        ``n`` is the number of trainings per data set at the new evaluation. ``false`` and
        ``missed`` are the numbers of the two errors in these trainings.
        """
        return Counts(
            n=(*self.n, n), false=(*self.false, false), missed=(*self.missed, missed)
        )  # fmt: skip

    def first(self, looks: int) -> Counts:
        """Return the counts of the first ``looks`` evaluations."""
        return Counts(n=self.n[:looks], false=self.false[:looks], missed=self.missed[:looks])


@dataclass(frozen=True, kw_only=True, eq=False)
class Bounds:
    """Lower bounds on ε and δ from the error counts of an attack at each of its L evaluations.

    The canary is an extra record in the training data.

    - ``bound`` (L,): the largest lower bound on ε so far. The L values hold jointly with 95 %
      confidence.
    - ``ceiling`` (L,): the largest bound that an attack without errors could have reached with the same
      number of trainings.
    - ``alone``: the lower bound on ε from the last counts, with 95 % confidence if no other evaluation
      was planned.
    - ``delta_lower``: lower bound on δ from outputs that are impossible without the canary.
    """

    bound: Floats
    ceiling: Floats
    alone: float
    delta_lower: float


def bounds(
    counts: Counts, delta: float, *, gaussian: bool = False, support: bool = False
) -> Bounds:
    """Return the lower bounds on ε that an attack's error counts prove at a claimed δ.

    There is one bound for each evaluation.

    Parameters
    ----------
    counts : Counts
        Error counts of an attack. The score threshold that decides the attacker's guesses must not
        depend on the counted trainings.
    delta : float
        δ in (0, 1).
    gaussian : bool
        Whether to use `gaussian_bound`, which is valid only if the trade-off curve is Gaussian.
    support : bool
        Whether a score above the threshold is impossible without the canary.

    Returns
    -------
    Bounds

    Examples
    --------
    >>> found = bounds(Counts().plus(20, 0, 0).plus(50, 0, 0), 1e-5)
    >>> found.bound.round(2).tolist(), round(found.alone, 2)
    ([1.41, 2.24], 2.57)
    """

    def one(k0: int, k1: int, n: int, level: float) -> tuple[float, float]:
        if gaussian:
            bound = gaussian_bound(k0, k1, n=n, delta=delta, curve="gaussian", confidence=level)
        else:
            bound = two_worlds(k0, k1, n=n, delta=delta, confidence=level)
        return bound.epsilon_lower, bound.ceiling

    looks = list(zip(counts.false, counts.missed, counts.n, strict=True))
    levels = [look_confidence(k + 1, confidence=CONFIDENCE) for k in range(len(looks))]
    each = [one(*look, level) for look, level in zip(looks, levels, strict=True)]
    shown = [
        impossible_delta(n - k1, n, confidence=level)
        for (k0, k1, n), level in zip(looks, levels, strict=True)
        if support and not k0
    ]
    return Bounds(
        bound=np.maximum.accumulate([bound for bound, _ in each]) if each else np.empty(0),
        ceiling=np.maximum.accumulate([most for _, most in each]) if each else np.empty(0),
        alone=one(*looks[-1], CONFIDENCE)[0] if looks else float("nan"),
        delta_lower=max(shown, default=0.0),
    )


def interval(k: int, n: int, look: int) -> tuple[float, float]:
    """Return the error rate k/n and its Clopper-Pearson upper confidence limit at evaluation number ``look``.

    An evaluation with the confidence 1 - β has two error rates, of false alarms and of misses. The
    limit of each rate has the confidence 1 - β/2, so that both limits hold jointly with the confidence
    1 - β.
    """
    beta = (1 - look_confidence(look, confidence=CONFIDENCE)) / 2
    return k / n, error_bound(k, n, beta=beta)


CHOOSING = 200  # trainings in each world that choose a threshold and are not counted
_PART = 10  # trainings in a piece of work: it can be stopped between any two of them
_PAUSE = 0.3  # seconds between two better results


@dataclass(frozen=True, kw_only=True, eq=False)
class Copy:
    """Results of the attack on one version of the software, either the attacked or the corrected version.

    Parameters
    ----------
    counts : Counts
        Error counts at the evaluations so far, with ``threshold``.
    threshold : float
        Score above which the attacker guesses that the canary was included.
    reach : tuple of two floats
        Range that holds nearly all scores.
    scores : array (2, n)
        Scores of the n trainings without and with the canary, in the order of the trainings.
    """

    counts: Counts
    threshold: float
    reach: tuple[float, float]
    scores: Floats

    def first(self, looks: int) -> Copy:
        """Return the results as they were after the first ``looks`` evaluations."""
        counts = self.counts.first(looks)
        return replace(self, counts=counts, scores=self.scores[:, : counts.n[-1]])


@dataclass(frozen=True, kw_only=True, eq=False)
class Attack:
    """Results of an attack so far, for the attacked software and, if it has a bug, for its corrected version.

    ``done``: fraction of the requested trainings that are finished.
    """

    target: Copy
    twin: Copy | None
    done: float

    def first(self, looks: int) -> Attack:
        """Return the results as they were after the first ``looks`` evaluations."""
        twin = self.twin and self.twin.first(looks)
        return replace(self, target=self.target.first(looks), twin=twin)


def attack(
    params: AuditParams,
    *,
    check: Callable[[], None] = lambda: None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[Attack]:
    """Yield the results of an attack so far, after increasing numbers of trainings up to the requested number.

    Parameters
    ----------
    params : AuditParams
        The fields ``target``, ``built``, ``trainings``, ``threshold`` and ``seed`` are used.
    check : callable
        Called after every ten trainings of a data set. It may raise to stop the work.
    progress : callable
        Called with the finished and the requested number of trainings per data set. While the
        attacker's score threshold is being chosen, the finished number is 0.

    Yields
    ------
    Attack
    """
    twins = (False, True) if target_of(params.target).bug else (False,)
    copies = [_Growing(params, twin) for twin in twins]
    for copy in copies:
        progress(0, params.trainings)
        copy.choose(check)
    done, last_yield = 0, time.monotonic()
    for look in [n for n in LOOKS if n <= params.trainings]:
        while done < look:
            for copy in copies:
                copy.grow(done // _PART)
                check()
            done += _PART
            progress(done, params.trainings)
            if time.monotonic() > last_yield + _PAUSE and copies[0].reach is not None:
                yield _so_far(copies, done / params.trainings)
                last_yield = time.monotonic()
        for copy in copies:
            copy.look(look)
        yield _so_far(copies, done / params.trainings)
        last_yield = time.monotonic()


def _so_far(copies: list[_Growing], done: float) -> Attack:
    target, *twin = (copy.snapshot() for copy in copies)
    return Attack(target=target, twin=twin[0] if twin else None, done=done)


class _Growing:
    """Attack on one version of the software: scores of the trainings so far, the threshold and the error counts."""

    def __init__(self, params: AuditParams, twin: bool) -> None:
        self.place = params.target, params.built, params.seed, twin
        worlds = worlds_of(params.target, params.built, twin)
        theory = params.threshold == "theory"
        self.threshold = worlds.threshold if theory else None
        self.scores: dict[bool, list[Floats]] = {False: [], True: []}
        self.counts = Counts()
        self.reach: tuple[float, float] | None = None

    def choose(self, check: Callable[[], None]) -> None:
        """Choose the attacker's score threshold from trainings that are not used to count errors.

        If the parameters ask for the theoretical threshold and there is one, it is used instead,
        without trainings.
        """
        if self.threshold is not None:
            return
        scores: dict[bool, list[Floats]] = {False: [], True: []}
        for part in range(CHOOSING // _PART):
            for canary in (False, True):
                scores[canary].append(_scores(*self.place, "choose", canary, part))
                check()
        self.threshold = choose_threshold(*(np.concatenate(scores[c]) for c in (False, True)))

    def grow(self, part: int) -> None:
        """Train with and without the canary, and append the scores of the batch number ``part``."""
        for canary in (False, True):
            self.scores[canary].append(_scores(*self.place, "count", canary, part))

    def look(self, n: int) -> None:
        """Count the errors in all ``n`` trainings per data set so far, and append the totals to ``counts``."""
        assert self.threshold is not None
        false, missed = count(*self._all(), threshold=self.threshold)
        self.counts = self.counts.plus(n, false, missed)
        if self.reach is None:
            self.reach = _reach(np.concatenate(self._all()), self.threshold)

    def snapshot(self) -> Copy:
        """Return the current scores, threshold and counts as a `Copy`."""
        assert self.reach is not None
        assert self.threshold is not None
        return Copy(
            counts=self.counts, threshold=self.threshold, reach=self.reach,
            scores=np.stack(self._all()),
        )  # fmt: skip

    def _all(self) -> tuple[Floats, Floats]:
        return np.concatenate(self.scores[False]), np.concatenate(self.scores[True])


def _reach(scores: Floats, threshold: float) -> tuple[float, float]:
    """Return the range of scores that a picture of the scores shows.

    The range from the 2 % to the 98 % quantile of the scores is widened to include the threshold.
    Then it is extended on each side by a third of its width.
    """
    low, high = np.quantile(np.append(scores[np.abs(scores) < 1e8], threshold), [0.02, 0.98])
    low, high = min(low, threshold), max(high, threshold)
    room = (high - low) / 3 or 1.0
    return float(low - room), float(high + room)


@lru_cache(maxsize=16_384)
def _scores(
    target: str, built: float, seed: int, twin: bool, use: str, canary: bool, part: int
) -> Floats:
    """Return the attacker's scores of the ten trainings in batch number ``part``; results are cached.

    - ``built``: the ε that the software is built with.
    - ``twin``: whether the corrected version of the software is attacked.
    - ``use``: "choose" (the threshold) or "count" (the errors).
    - ``canary``: whether the training data include the canary.
    """
    worlds = worlds_of(target, built, twin)
    scores = np.array(chunk_scores(worlds, Chunk(worlds.name, use, canary, part, _PART), seed))
    scores.flags.writeable = False
    return scores


MOST_TRIALS = 500
"""Number of trainings per data set that suffices to catch every bug."""
NEVER = 2 * LOOKS[-1]
"""Value for “not caught” on an axis of numbers of trainings."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Caught:
    """Numbers of trainings that refute the claims of 20 programs with bugs and of their corrected versions.

    - ``bugs`` (20,): number of trainings per data set that refutes the claim of a program with a
      bug.
    - ``twins`` (20,): number of trainings per data set that refutes the same claim of the corrected
      version.

    Entries are `NEVER` if the claim is not refuted, NaN if not yet computed.
    """

    bugs: NDArray[np.float64]
    twins: NDArray[np.float64]


def caught_after(copy: Copy, case: Sabotage, epsilon: float, delta: float) -> int:
    """Return the number of trainings per data set that refutes a claim (ε, δ), or `NEVER`.

    Parameters
    ----------
    copy : Copy
        Error counts of the software with the bug, or of its correct version.
    case : Sabotage
        The bug under attack.
    epsilon, delta : float
        The claim to refute.
    """
    seen = Counts()
    for n, false, missed in zip(copy.counts.n, copy.counts.false, copy.counts.missed, strict=True):
        seen = seen.plus(n, false, missed)
        limits = bounds(seen, delta, support=case.support)
        if limits.bound[-1] > epsilon or limits.delta_lower > delta:
            return n
    return NEVER


def catch_all(
    params: AuditParams,
    *,
    check: Callable[[], None] = lambda: None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[Caught]:
    """Attack every program with a bug and test its claim (ε, δ); yield the results after each program.

    The attacker's threshold is the theoretical one.

    Parameters
    ----------
    params : AuditParams
        ``trainings`` and ``seed`` are used.
    check : callable
        Called after every ten trainings of a data set. It may raise to stop the work.
    progress : callable
        Called with the number of finished programs and the number of all programs.

    Yields
    ------
    Caught
    """
    bugs, twins = (np.full(len(SABOTAGES), np.nan) for _ in range(2))
    for k, case in enumerate(SABOTAGES):
        settings = AuditParams(
            target=f"bug{case.number}", trainings=params.trainings, seed=params.seed
        )
        *_, outcome = attack(settings, check=check)
        claim = case.broken.claim()
        delta = max(claim.delta, settings.delta)
        assert outcome.twin is not None
        bugs[k] = caught_after(outcome.target, case, claim.epsilon, delta)
        twins[k] = caught_after(outcome.twin, case, claim.epsilon, delta)
        progress(k + 1, len(SABOTAGES))
        yield Caught(bugs=bugs.copy(), twins=twins.copy())


def guarantee(params: AuditParams) -> Guarantee:
    """Return the guarantee of one release of the attacked software.

    If the software has a bug, the guarantee is only nominal: it is the claim (ε, δ) in ``params``,
    without a proof.
    """
    target = target_of(params.target)
    claim = worlds_of(params.target, params.built).claim()
    if not target.bug:
        return claim
    return replace(
        claim, epsilon=params.epsilon, delta=params.delta, status="nominal", claimed_epsilon=None,
        argument=f"None: this copy has the bug “{target.bug.name}”.",
        not_protected=("whoever is in the data: this copy has a bug",),
    )  # fmt: skip
