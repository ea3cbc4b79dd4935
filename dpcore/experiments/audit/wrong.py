"""An auditor who is wrong: the bound for Gaussian noise, applied to a correct Laplace mechanism."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from dpcore.audit import count
from dpcore.experiments.audit.looks import LOOKS, Counts, bounds
from dpcore.mechanisms import gaussian_epsilon

__all__ = ["WRONG_DELTA", "WrongAuditor", "accuse", "accused_in_the_limit"]

Floats = NDArray[np.float64]
WRONG_DELTA = 1e-5


@dataclass(frozen=True, kw_only=True, eq=False)
class WrongAuditor:
    """Both bounds on one correct Laplace mechanism of ε = 1, at each look (9,).

    ``wrong`` takes its errors for those of Gaussian noise, ``right`` holds for every noise; ``limit`` is
    where the wrong one goes with more and more trainings. ``false`` and ``missed``: errors at the threshold 0.
    """

    wrong: Floats
    right: Floats
    limit: float
    false: float
    missed: float


def accused_in_the_limit(epsilon: float = 1.0, threshold: float = 0.0) -> float:
    """Return the ε that the Gaussian bound finds in a Laplace mechanism of ε, with endless trainings.

    μ = Φ⁻¹(1 - FPR) - Φ⁻¹(FNR) of a threshold t ≤ 1 in units of the sensitivity, at δ = 1e-5.

    Examples
    --------
    >>> round(accused_in_the_limit(), 2)
    3.88
    """
    false = 1 - _below(threshold, epsilon)
    missed = _below(threshold - 1, epsilon)
    return float(gaussian_epsilon(1 / float(-ndtri(false) - ndtri(missed)), 1.0, delta=WRONG_DELTA))


def accuse(seed: int) -> WrongAuditor:
    """Return what both auditors say of the same 10,000 trainings in each world, look by look.

    Parameters
    ----------
    seed : int
        Of the noise, ≥ 0.
    """
    rng = np.random.default_rng((seed, 3))
    without, there = (rng.laplace(size=LOOKS[-1]) + shift for shift in (0.0, 1.0))
    seen = Counts()
    for n in LOOKS:
        seen = seen.plus(n, *count(without[:n], there[:n], 0.0))
    wrong, right = (bounds(seen, WRONG_DELTA, gaussian=one).bound for one in (True, False))
    return WrongAuditor(
        wrong=wrong, right=right, limit=accused_in_the_limit(),
        false=seen.false[-1] / seen.n[-1], missed=seen.missed[-1] / seen.n[-1],
    )  # fmt: skip


def _below(t: float, epsilon: float) -> float:
    """P[noise ≤ t] of Laplace noise of scale 1/ε."""
    half = float(np.exp(-abs(t) * epsilon)) / 2
    return half if t < 0 else 1 - half
