"""One training with many canaries against two worlds with as many trainings, both on DP-GLVQ.

Canaries stand in corners of the box at right angles to each other, so that they hardly disturb each
other; each is in by its own fair coin. The attacker sees every step and knows all but the
coins. How many canaries he guesses is fixed before the first training.

References
----------
T. Steinke, M. Nasr and M. Jagielski, "Privacy auditing with one (1) training run", NeurIPS, 2023.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import hadamard

from dpcore._random_state import SeededNoiseWarning
from dpcore._warnings import unwarned
from dpcore.audit import one_run, two_worlds
from dpcore.audit.prototype_attack import clipped_gradients
from dpcore.experiments.audit.params import AuditParams
from dpcore.lvq.private import DPGLVQ

__all__ = ["CANARIES", "GUESSED", "RUNS", "ManyCanaries", "many_canaries"]

Floats = NDArray[np.float64]
CANARIES, GUESSED = 100, 40  # half of the guesses say "in", half "out"
RUNS: tuple[int, ...] = (1, 2, 5, 10, 20, 50, 100)
_EPSILON, _DELTA, _STEPS, _CLIP, _RATE = 4.0, 1e-5, 20, 0.1, 0.05
_FEATURES = 128
_PLACES = hadamard(_FEATURES)[1 : CANARIES + 1].astype(float)
_ELSE = np.ones(_FEATURES)  # the one record of the other class, known to all


@dataclass(frozen=True, kw_only=True, eq=False)
class ManyCanaries:
    """What each way of auditing shows after so many trainings in all (R,), each bound alone at 95 %.

    ``many``: every training has 100 canaries; ``worlds``: half of the trainings with one canary, half
    without; each with its ceiling. nan where it is not known yet, or a training cannot be halved.
    ``correct``: right guesses of all so far, of ``guesses``.
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
    """Yield both bounds after 1, 2, 5, ..., 100 trainings of DP-GLVQ at (4, 1e-5).

    Independent trainings count together: a canary of one of them touches no other, so that R trainings
    of m canaries are one mechanism with R m canaries, each (ε, δ)-private.

    Parameters
    ----------
    params : AuditParams
        ``seed`` is used.
    check : callable
        As for `attack`.
    progress : callable
        Of the trainings done, and of all.

    Yields
    ------
    ManyCanaries
    """
    names = "many", "many_ceiling", "worlds", "worlds_ceiling"
    found = {name: np.full(len(RUNS), np.nan) for name in names}
    right, wrong = 0, []
    for k, runs in enumerate(RUNS):
        for run in range(RUNS[k - 1] if k else 0, runs):
            right += _correct(params.seed, run)
            wrong.append((_one_canary(params.seed, run, run % 2 == 1) > 0) != (run % 2 == 1))
            check()
            progress(run + 1, RUNS[-1])
        one = one_run(canaries=CANARIES * runs, guesses=GUESSED * runs, correct=right, delta=_DELTA)
        found["many"][k], found["many_ceiling"][k] = one.epsilon_lower, one.ceiling
        if runs >= 2:
            pairs = runs // 2
            counted = wrong[: 2 * pairs]
            two = two_worlds(sum(counted[::2]), sum(counted[1::2]), n=pairs, delta=_DELTA)
            found["worlds"][k], found["worlds_ceiling"][k] = two.epsilon_lower, two.ceiling
        yield ManyCanaries(
            **{name: values.copy() for name, values in found.items()},
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
    """The noise multiplier, from the accountant: the same for all trainings."""
    return float(_trained(np.array([0, 1]), np.random.default_rng(0)).noise_multiplier_)


def _trained(rows: NDArray[np.int64], rng: np.random.Generator) -> DPGLVQ:
    """Train on some canaries of class 0, and on one known record of class 1."""
    X, y = np.vstack([_PLACES[rows], _ELSE]), np.append(np.zeros(len(rows), np.int64), 1)
    with unwarned(SeededNoiseWarning):
        return _model().set_params(random_state=rng).fit(X, y)


def _evidence(model: DPGLVQ, canaries: NDArray[np.int64]) -> Floats:
    """The expected coin of each canary (c,), given all steps, as if coins were normal."""
    path = np.asarray(model.path_, float)
    steps = -np.diff(path.reshape(len(path), -1), axis=0) * (CANARIES / _RATE)
    steps -= clipped_gradients(_ELSE, 1, path[:-1], None, _CLIP)
    ways = np.array([clipped_gradients(_PLACES[i], 0, path[:-1], None, _CLIP).ravel() for i in canaries])  # fmt: skip
    loud = (_noise() * _CLIP) ** 2
    rest = ways @ (steps.ravel() - ways.sum(0) / 2) / loud
    return np.asarray(np.linalg.solve(ways @ ways.T / loud + 4 * np.eye(len(ways)), rest))


@lru_cache(maxsize=1024)
def _correct(seed: int, run: int) -> int:
    """Right guesses in one training: the fifth of the canaries that look most in, and most out."""
    rng = np.random.default_rng((seed, 5, run))
    inside = rng.random(CANARIES) < 0.5
    score = _evidence(_trained(np.flatnonzero(inside), rng), np.arange(CANARIES))
    order, half = np.argsort(score), GUESSED // 2
    return int(inside[order[-half:]].sum() + (~inside[order[:half]]).sum())


@lru_cache(maxsize=1024)
def _one_canary(seed: int, run: int, canary: bool) -> float:
    """The score of one training with or without the first canary; above 0 speaks for it."""
    rng = np.random.default_rng((seed, 6, run))
    rows = np.array([0] if canary else [], np.int64)
    return float(_evidence(_trained(rows, rng), np.array([0]))[0])
