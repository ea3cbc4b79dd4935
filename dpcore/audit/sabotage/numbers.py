"""Published bugs of random number generators and of floating-point arithmetic."""

from __future__ import annotations

from functools import partial

import numpy as np

from dpcore.audit.sabotage.base import claimed_guarantee, sabotage
from dpcore.mechanisms import gaussian_sigma

__all__ = ["CASES", "float_laplace", "is_reachable"]

_SIGMA = gaussian_sigma(1.0, 1.0, delta=1e-5)
_GRID = 2.0**-10


def _same_key(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    exact = np.array([float(canary), 0.0])
    released = exact + _SIGMA * (rng.standard_normal() if broken else rng.standard_normal(2))
    return float(released[0] - released[1] if broken else released[0])


def _fixed_seed(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    scales = np.array([1 / 0.4, 1 / 0.6])
    unit = [(np.random.default_rng(42) if broken else rng).laplace() for _ in scales]
    first, second = float(canary) + scales * unit
    if broken:
        return float((scales[1] * first - scales[0] * second) / (scales[1] - scales[0]))
    both = np.array([first, second])
    return float(((np.abs(both) - np.abs(both - 1)) / scales).sum())


def float_laplace(rng: np.random.Generator) -> float:
    """Return textbook Laplace noise of scale 1, a random sign times the logarithm of a 53-bit uniform number."""
    return float(np.log(1 - rng.random()) * (1 - 2 * rng.integers(2)))


def is_reachable(output: float) -> bool:
    """Return whether ``output`` is one of the numbers that `float_laplace` can return (Mironov 2012)."""
    near = np.rint(np.exp(-abs(output)) * 2.0**53) + np.arange(-8, 9)
    return bool((np.log(near[near > 0] * 2.0**-53) == -abs(output)).any())


def _textbook_laplace(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    if broken:
        output = float(canary) + float_laplace(rng)
    else:  # two-sided geometric noise on a public grid that holds every exact answer
        steps = rng.geometric(-np.expm1(-_GRID), 2)
        output = float(canary) + _GRID * float(steps[0] - steps[1])
    return float(not is_reachable(output)) if broken else output


def _float_sum(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    kind = np.float32 if broken else np.float64
    total = kind(2**24)  # so far
    for record in [2.0] * canary + [1.0] * 4:
        total = kind(total + kind(record))
    return float(total) + 2 * rng.laplace() - 2**24


def _wrap_around(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    records = np.array([2**31 - 1, int(canary)], np.int32 if broken else np.int64)
    total = int(np.add.reduce(records, dtype=records.dtype))
    noisy = total + rng.laplace()
    return float(-noisy if broken else noisy - (2**31 - 1))


_GAUSSIAN = partial(claimed_guarantee, 1.0, 1e-5)

CASES = (
    sabotage(
        6, "One key for several parameters",
        source="JAX pull request 3646 (2020)",
        neighbours="parameters (0, 0) and (1, 0)", canary="moves the first parameter by 1",
        score="the difference of both parameters (twin: the first)",
        release=_same_key, thresholds=(0.5, 0.5), claim=_GAUSSIAN, trainings=60,
    ),
    sabotage(
        7, "One seed for two releases",
        source="nearest published case: fedbiomed issue 1443 (a generator that is not cryptographic)",
        neighbours="a count of 0 and of 1", canary="the one record",
        score="the count that solves both equations (twin: the log likelihood ratio)",
        release=_fixed_seed, thresholds=(0.5, 0.0), trainings=60,
    ),
    sabotage(
        10, "Textbook Laplace in floating point",
        source="Mironov 2012; Haney et al. 2022",
        neighbours="a count of 0 and of 1", canary="the one record",
        score="whether the output cannot be reached from 0 (twin: the output)",
        release=_textbook_laplace, thresholds=(0.5, 1.0), trainings=250,
    ),
    sabotage(
        11, "A sum in single precision",
        source="Casacuberta et al. 2022",
        neighbours="a sum of 2^24 and four ones, and one more record of 2 before them",
        canary="a record of 2, which turns the rounding", score="the noisy sum less 2^24",
        release=_float_sum, thresholds=(4.0, 6.0), trainings=2500,
    ),
    sabotage(
        12, "An integer that wraps around",
        source="Casacuberta et al. 2022",
        neighbours="2^31 - 1 records, and one more", canary="the one that is too many",
        score="minus the noisy count (twin: the noisy count)",
        release=_wrap_around, thresholds=(0.0, 1.0), trainings=60,
    ),
)  # fmt: skip
"""The bugs with the numbers 6, 7 and 10 to 12."""
