"""Demonstrations of the Audit page: many canaries in one training, floating-point noise, an invalid bound.

A canary is an extra record. For each canary a fair coin decides whether it is included or left out.
Canaries are at orthogonal corners of the box [-1, 1]^d, so that they hardly affect each other. The
attacker sees every step of a training and knows everything except the results of the coins. The number
of canaries to guess is fixed before the first training.

References
----------
T. Steinke, M. Nasr and M. Jagielski, "Privacy auditing with one (1) training run", NeurIPS, 2023.
I. Mironov, "On significance of the least significant bits for differential privacy", CCS, 2012.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import hadamard
from scipy.special import ndtri

from dpcore._random_state import SeededNoiseWarning
from dpcore._warnings import unwarned
from dpcore.audit import count, one_run, two_worlds
from dpcore.audit.prototype_attack import clipped_gradients
from dpcore.audit.sabotage.numbers import float_laplace, is_reachable
from dpcore.experiments.audit.attack import Counts, bounds
from dpcore.experiments.audit.params import LOOKS, AuditParams
from dpcore.lvq.private import DPGLVQ
from dpcore.mechanisms import gaussian_epsilon

__all__ = [
    "CANARIES",
    "GUESSED",
    "RUNS",
    "WRONG_DELTA",
    "ManyCanaries",
    "Reachable",
    "WrongAuditor",
    "accuse",
    "accused_in_the_limit",
    "many_canaries",
    "reachable",
]

Floats = NDArray[np.float64]
CANARIES, GUESSED = 100, 40  # half of the guesses say "in", half "out"
RUNS: tuple[int, ...] = (1, 2, 5, 10, 20, 50, 100)
_EPSILON, _DELTA, _STEPS, _CLIP, _RATE = 4.0, 1e-5, 20, 0.1, 0.05
_FEATURES = 128
_PLACES = hadamard(_FEATURES)[1 : CANARIES + 1].astype(float)
_ELSE = np.ones(_FEATURES)  # the one record of the other class, known to all


@dataclass(frozen=True, kw_only=True, eq=False)
class ManyCanaries:
    """Lower bounds on ε by two methods of auditing, at R increasing numbers of trainings.

    Each bound has a confidence of 95 %; the bounds do not hold jointly. A canary is an extra record.
    Bounds are NaN until computed.

    - ``many`` (R,): bound if every training has 100 canaries.
    - ``worlds`` (R,): bound if half of the trainings have one canary and half have none. It is NaN for
      a single training.
    - ``many_ceiling``, ``worlds_ceiling`` (R,): bounds of an attack without errors.
    - ``correct``: number of correct guesses so far with many canaries, out of ``guesses``.
    """

    many: Floats
    many_ceiling: Floats
    worlds: Floats
    worlds_ceiling: Floats
    correct: int
    guesses: int


def many_canaries(
    params: AuditParams,
    *,
    check: Callable[[], None] = lambda: None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[ManyCanaries]:
    """Yield lower bounds on ε by two methods of auditing, after 1, 2, 5, ..., 100 trainings of DP-GLVQ.

    Every training is (ε, δ)-DP with ε = 4 and δ = 1e-5. The first method has many canaries (extra
    records) in every training. The second method has a single canary in half of the trainings.

    Results of independent trainings can be combined, since each canary takes part in only one
    training. R trainings with m canaries are one mechanism with R m canaries, which is (ε, δ)-DP
    for every canary.

    Parameters
    ----------
    params : AuditParams
        ``seed`` is used.
    check : callable
        Called between trainings. It may raise to stop the work.
    progress : callable
        Called with the number of finished trainings and the number of all trainings.

    Yields
    ------
    ManyCanaries
    """
    names = "many", "many_ceiling", "worlds", "worlds_ceiling"
    curves = {name: np.full(len(RUNS), np.nan) for name in names}
    right, wrong = 0, []
    for k, runs in enumerate(RUNS):
        for run in range(RUNS[k - 1] if k else 0, runs):
            right += _correct(params.seed, run)
            wrong.append((_one_canary(params.seed, run, run % 2 == 1) > 0) != (run % 2 == 1))
            check()
            progress(run + 1, RUNS[-1])
        one = one_run(canaries=CANARIES * runs, guesses=GUESSED * runs, correct=right, delta=_DELTA)
        curves["many"][k], curves["many_ceiling"][k] = one.epsilon_lower, one.ceiling
        if runs >= 2:
            pairs = runs // 2
            counted = wrong[: 2 * pairs]
            two = two_worlds(sum(counted[::2]), sum(counted[1::2]), n=pairs, delta=_DELTA)
            curves["worlds"][k], curves["worlds_ceiling"][k] = two.epsilon_lower, two.ceiling
        yield ManyCanaries(
            **{name: values.copy() for name, values in curves.items()},
            correct=right, guesses=GUESSED * runs,
        )  # fmt: skip


def _model() -> DPGLVQ:
    return DPGLVQ(
        epsilon=_EPSILON, delta=_DELTA, clip_norm=_CLIP, sample_rate=1.0, epochs=_STEPS,
        learning_rate=_RATE, average=False, project=False, init="public", bounds=(-1.0, 1.0),
        expected_n=CANARIES, classes=(0, 1),
    )  # fmt: skip


@lru_cache(maxsize=1)
def _noise() -> float:
    """Return the noise multiplier of the audited training of DP-GLVQ.

    The training is (ε, δ)-DP with ε = 4 and δ = 1e-5.
    """
    return float(_trained(np.array([0, 1]), np.random.default_rng(0)).noise_multiplier_)


def _trained(rows: NDArray[np.int64], rng: np.random.Generator) -> DPGLVQ:
    """Return DP-GLVQ trained on one known record of class 1 and the canaries ``rows`` of class 0.

    ``rows``: indices of the canaries.
    """
    X, y = np.vstack([_PLACES[rows], _ELSE]), np.append(np.zeros(len(rows), np.int64), 1)
    with unwarned(SeededNoiseWarning):
        return _model().set_params(random_state=rng).fit(X, y)


def _evidence(model: DPGLVQ, canaries: NDArray[np.int64]) -> Floats:
    """Return a score (c,) for each of c canaries: an estimate of P[canary included] - ½, given all steps.

    The random variables that decide which canaries are included are approximated as normal. A positive
    score indicates that the canary was included.
    """
    path = np.asarray(model.path_, float)
    steps = -np.diff(path.reshape(len(path), -1), axis=0) * (CANARIES / _RATE)
    steps -= clipped_gradients(_ELSE, 1, path[:-1], None, _CLIP)
    ways = np.array([clipped_gradients(_PLACES[i], 0, path[:-1], None, _CLIP).ravel() for i in canaries])  # fmt: skip
    loud = (_noise() * _CLIP) ** 2
    rest = ways @ (steps.ravel() - ways.sum(0) / 2) / loud
    return np.asarray(np.linalg.solve(ways @ ways.T / loud + 4 * np.eye(len(ways)), rest))


@lru_cache(maxsize=1024)
def _correct(seed: int, run: int) -> int:
    """Return the number of correct guesses about many canaries in training number ``run``.

    The guess is "included" for the canaries with the highest scores, and "left out" for the same number
    of canaries with the lowest scores.
    """
    rng = np.random.default_rng((seed, 5, run))
    inside = rng.random(CANARIES) < 0.5
    score = _evidence(_trained(np.flatnonzero(inside), rng), np.arange(CANARIES))
    order, half = np.argsort(score), GUESSED // 2
    return int(inside[order[-half:]].sum() + (~inside[order[:half]]).sum())


@lru_cache(maxsize=1024)
def _one_canary(seed: int, run: int, canary: bool) -> float:
    """Return the first canary's score in training number ``run``, with or without the canary.

    A positive score means "included".
    """
    rng = np.random.default_rng((seed, 6, run))
    rows = np.array([0] if canary else [], np.int64)
    return float(_evidence(_trained(rows, rng), np.array([0]))[0])


_NEAR, _SPAN = 1.5, 60  # where the picture looks, and how many doubles wide
_DRAWS = 1500


@dataclass(frozen=True, kw_only=True, eq=False)
class Reachable:
    """Possible outputs of a floating-point Laplace mechanism for the answers 0 and 1, among K consecutive doubles.

    - ``place`` (K,): number of the double, from 0 on.
    - ``from_zero`` (K,): 1 if 0 plus noise can equal the double, else 0.
    - ``from_one`` (K,): 1 if 1 plus noise can equal the double, else 0.
    - ``share``: fraction of ``draws`` outputs for the answer 1 that are impossible for the answer
      0.
    """

    place: Floats
    from_zero: Floats
    from_one: Floats
    share: float
    draws: int


def reachable(seed: int) -> Reachable:
    """Return which doubles just above 1.5 can be outputs, and how many outputs reveal the exact answer.

    A double is reachable if the sampler's formula can give it. The sampler adds the logarithm of a
    53-bit number to the answer 0 or 1, and rounds the sum to double precision.

    Parameters
    ----------
    seed : int
        Seed of the draws, ≥ 0.
    """
    doubles = [_NEAR]
    for _ in range(_SPAN - 1):
        doubles.append(float(np.nextafter(doubles[-1], np.inf)))
    rng = np.random.default_rng((seed, 10))
    outputs = [1.0 + float_laplace(rng) for _ in range(_DRAWS)]
    return Reachable(
        place=np.arange(_SPAN, dtype=float),
        from_zero=np.array([float(is_reachable(z)) for z in doubles]),
        from_one=np.array([float(_from_one(z)) for z in doubles]),
        share=float(np.mean([not is_reachable(z) for z in outputs])),
        draws=_DRAWS,
    )


def _from_one(output: float) -> bool:
    """Return whether 1 plus floating-point Laplace noise can round to exactly ``output``."""
    noise = output - 1.0
    near = np.rint(np.exp(-abs(noise)) * 2.0**53) + np.arange(-64, 65)
    candidates = -np.log(near[(near > 0) & (near <= 2.0**53)] * 2.0**-53) * np.sign(noise or 1.0)
    return bool((1.0 + candidates == output).any())


WRONG_DELTA = 1e-5


@dataclass(frozen=True, kw_only=True, eq=False)
class WrongAuditor:
    """Valid and invalid lower bounds on the ε of a correct Laplace mechanism, at each of 9 evaluations.

    The mechanism has ε = 1.

    - ``wrong`` (9,): the bound for Gaussian noise, invalid here.
    - ``right`` (9,): the bound for any noise.
    - ``limit``: limit of ``wrong`` for infinitely many trainings.
    - ``false`` and ``missed``: rates of false alarms and misses at the threshold 0, after the last
      evaluation.
    """

    wrong: Floats
    right: Floats
    limit: float
    false: float
    missed: float


def accused_in_the_limit(epsilon: float = 1.0, threshold: float = 0.0) -> float:
    """Return the ε that the Gaussian bound wrongly attributes to a Laplace mechanism after infinitely many trainings.

    The Laplace mechanism has the true privacy parameter ``epsilon``. The attacker compares outputs with
    ``threshold`` t ≤ 1, in units of the sensitivity. The result is the ε at δ = 1e-5 of a Gaussian
    mechanism with μ = Φ⁻¹(1 - FPR) - Φ⁻¹(FNR). FPR and FNR are the attacker's rates of false alarms and
    of misses.

    Examples
    --------
    >>> round(accused_in_the_limit(), 2)
    3.88
    """
    false = 1 - _below(threshold, epsilon)
    missed = _below(threshold - 1, epsilon)
    return float(gaussian_epsilon(1 / float(-ndtri(false) - ndtri(missed)), 1.0, delta=WRONG_DELTA))


def accuse(seed: int) -> WrongAuditor:
    """Return a valid and an invalid lower bound on the ε of a Laplace mechanism, at every evaluation.

    Both bounds are computed from the same 10,000 outputs per data set.

    Parameters
    ----------
    seed : int
        Seed of the noise, ≥ 0.
    """
    rng = np.random.default_rng((seed, 3))
    without, there = (rng.laplace(size=LOOKS[-1]) + shift for shift in (0.0, 1.0))
    seen = Counts()
    for n in LOOKS:
        seen = seen.plus(n, *count(without[:n], there[:n], threshold=0.0))
    wrong, right = (bounds(seen, WRONG_DELTA, gaussian=one).bound for one in (True, False))
    return WrongAuditor(
        wrong=wrong, right=right, limit=accused_in_the_limit(),
        false=seen.false[-1] / seen.n[-1], missed=seen.missed[-1] / seen.n[-1],
    )  # fmt: skip


def _below(t: float, epsilon: float) -> float:
    """Return P[Z ≤ t] for Laplace noise Z of scale 1/ε."""
    half = float(np.exp(-abs(t) * epsilon)) / 2
    return half if t < 0 else 1 - half
