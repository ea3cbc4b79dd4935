"""When somebody looks at growing counts, and what that costs: every look has a share of β of its own.

The k-th look is made at a fixed number of trainings, with the confidence 1 - β/2^k of
`look_confidence`. All of them hold together at 95 %, and so does the largest bound so far; whoever adds
trainings later only makes the next looks of the same list.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.audit import error_bound, gaussian_bound, impossible_delta, look_confidence, two_worlds

__all__ = ["CONFIDENCE", "LOOKS", "Bounds", "Counts", "bounds", "interval"]

LOOKS: tuple[int, ...] = (20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
CONFIDENCE = 0.95
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Counts:
    """False alarms and misses of one attack, at each of its looks so far (L,).

    ``n``: trainings in each world; ``false`` of those without the canary, ``missed`` of those with it.
    """

    n: tuple[int, ...] = ()
    false: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()

    def plus(self, n: int, false: int, missed: int) -> Counts:
        """Return the counts with one more look."""
        return Counts(
            n=(*self.n, n), false=(*self.false, false), missed=(*self.missed, missed)
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False)
class Bounds:
    """What an attack shows at each of its looks, (L,) each, and all together at 95 %.

    ``bound``: the largest ε shown so far; ``ceiling``: the most that any attack could have shown by
    then; ``alone``: the last counts, as if they had been the only ones looked at; ``delta_lower``: δ shown
    by outputs that are impossible without the canary, so far.
    """

    bound: Floats
    ceiling: Floats
    alone: float
    delta_lower: float


def bounds(
    counts: Counts, delta: float, *, gaussian: bool = False, support: bool = False
) -> Bounds:
    """Return the bounds of counts at a claimed δ, every look at its own confidence.

    Parameters
    ----------
    counts : Counts
        Of an attack whose threshold they did not choose.
    delta : float
        δ in (0, 1).
    gaussian : bool
        By `gaussian_bound`: whoever says so knows that the trade-off curve is Gaussian.
    support : bool
        Whether a score above the threshold cannot happen without the canary at all.

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
            found = gaussian_bound(k0, k1, n=n, delta=delta, curve="gaussian", confidence=level)
        else:
            found = two_worlds(k0, k1, n=n, delta=delta, confidence=level)
        return found.epsilon_lower, found.ceiling

    looks = list(zip(counts.false, counts.missed, counts.n, strict=True))
    levels = [look_confidence(k + 1, confidence=CONFIDENCE) for k in range(len(looks))]
    each = [one(*look, level) for look, level in zip(looks, levels, strict=True)]
    shown = [
        impossible_delta(n - k1, n, confidence=level)
        for (k0, k1, n), level in zip(looks, levels, strict=True)
        if support and not k0
    ]
    return Bounds(
        bound=np.maximum.accumulate([found for found, _ in each]) if each else np.empty(0),
        ceiling=np.maximum.accumulate([most for _, most in each]) if each else np.empty(0),
        alone=one(*looks[-1], CONFIDENCE)[0] if looks else float("nan"),
        delta_lower=max(shown, default=0.0),
    )


def interval(k: int, n: int, look: int) -> tuple[float, float]:
    """Return a rate, k of n, and Clopper and Pearson's upper end for it at the look-th look.

    The ends that the bound of that look is computed from: both rates have its confidence together, each has
    half of its β.
    """
    beta = (1 - look_confidence(look, confidence=CONFIDENCE)) / 2
    return k / n, error_bound(k, n, beta=beta)
