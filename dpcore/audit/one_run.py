"""Lower bound on ε from a single training with many canaries.

Every canary is included with probability ½.

References
----------
Steinke, Nasr and Jagielski 2023, *Privacy Auditing with One (1) Training Run*, arXiv 2305.08846.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr, expit, logit

from dpcore import _checks

__all__ = ["OneRunBound", "one_run", "one_run_p_value"]


@dataclass(frozen=True, kw_only=True)
class OneRunBound:
    """Lower bound on ε from an attacker's guesses about which canaries were included in a single training.

    - ``epsilon_lower`` is the bound at the given ``delta`` and ``confidence``.
    - ``ceiling`` is the bound at δ = 0 that the attacker would have shown if all guesses had been correct.
    - ``canaries`` is the number of records that were included with probability ½ each.
    - ``guesses`` is the number of canaries about which the attacker guessed, and ``correct`` is the number of correct
      guesses.

    See Also
    --------
    one_run
    """

    epsilon_lower: float
    ceiling: float
    canaries: int
    guesses: int
    correct: int
    delta: float
    confidence: float


def one_run_p_value(
    epsilon: float, *, canaries: int, guesses: int, correct: int, delta: float = 0.0
) -> float:
    """Return an upper bound on the probability, under (ε, δ)-DP, of at least v correct guesses about canaries.

    For m canaries and r guesses, the bound is P[Bin(r, q) ≥ v] + 2 m δ max_{1 ≤ i ≤ v} P[v - i ≤ Bin(r, q) < v] / i,
    capped at 1, where q = e^ε/(1 + e^ε).

    Parameters
    ----------
    epsilon : float
        ε ≥ 0.
    canaries, guesses, correct : int
        Number m of canaries, number r of guesses, and number v of correct guesses, with m ≥ r ≥ v ≥ 0.
    delta : float
        δ in [0, 1).

    Returns
    -------
    float
        p-value in [0, 1].

    See Also
    --------
    one_run

    References
    ----------
    T. Steinke, M. Nasr and M. Jagielski, "Privacy auditing with one (1) training run", NeurIPS,
    2023.
    """
    e = _checks.number("epsilon", epsilon, low=0)
    m = _checks.integer("canaries", canaries, low=1)
    r = _checks.integer("guesses", guesses, low=1, high=m)
    v = _checks.integer("correct", correct, low=0, high=r)
    d = _checks.number("delta", delta, low=0, high=1, open_high=True)
    if v == 0:
        return 1.0
    below = bdtr(np.arange(v), r, expit(e))  # P[Bin ≤ k], k = 0 ... v - 1
    tail = float(bdtr(r - v, r, expit(-e)))  # P[Bin ≥ v] by the wrong guesses, to its last digit
    spans = below[-1] - np.append(below[:-1][::-1], 0.0)
    return min(1.0, tail + 2 * m * d * float((spans / np.arange(1, v + 1)).max()))


def one_run(
    *, canaries: int, guesses: int, correct: int, delta: float = 0.0, confidence: float = 0.95
) -> OneRunBound:
    """Return the lower bound on ε that correct guesses about the canaries of one training show.

    The bound is the largest ε that `one_run_p_value` rejects at ``confidence``, found by bisection. Each canary must
    have been included independently with probability ½. The attacker need not guess about all canaries, but the
    number of guesses must be fixed before any result is seen.

    Parameters
    ----------
    canaries, guesses, correct : int
        Number m of canaries, number r ≤ m of guesses, and number v ≤ r of correct guesses.
    delta : float
        δ in [0, 1); it enters the p-value with the factor 2 m.
    confidence : float
        Confidence of the bound, in (0, 1).

    Returns
    -------
    OneRunBound
        The bound, with the counts that it is computed from.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    See Also
    --------
    one_run_p_value, two_worlds

    References
    ----------
    T. Steinke, M. Nasr and M. Jagielski, "Privacy auditing with one (1) training run", NeurIPS,
    2023.

    Examples
    --------
    >>> round(one_run(canaries=100, guesses=100, correct=75).epsilon_lower, 3)
    0.702
    """
    level = _checks.number("confidence", confidence, low=0, high=1, open_low=True, open_high=True)
    beta = 1 - level
    counts = {"canaries": canaries, "guesses": guesses, "correct": correct, "delta": delta}
    low, high = 0.0, 1.0
    if one_run_p_value(0.0, **counts) >= beta:  # type: ignore[arg-type]
        high = 0.0
    while high and one_run_p_value(high, **counts) < beta:  # type: ignore[arg-type]
        low, high = high, 2 * high
    for _ in range(60 if high else 0):
        middle = (low + high) / 2
        refuted = one_run_p_value(middle, **counts) < beta  # type: ignore[arg-type]
        low, high = (middle, high) if refuted else (low, middle)
    most = float(logit(math.exp(math.log(beta) / guesses)))
    return OneRunBound(
        epsilon_lower=low, ceiling=max(0.0, most), canaries=canaries, guesses=guesses,
        correct=correct, delta=delta, confidence=confidence,
    )  # fmt: skip
