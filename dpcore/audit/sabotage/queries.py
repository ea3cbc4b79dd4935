"""Published bugs of noisy queries, in sensitivity, budget and release."""

from __future__ import annotations

from functools import partial

import numpy as np

from dpcore.audit.sabotage.base import claimed_guarantee, sabotage

__all__ = ["CASES"]


def _half_the_sensitivity(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    return (1.0 if canary else -1.0) + rng.laplace(0, 1 if broken else 2)


def _lower_bound_alone(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    low, high = 0.0, 1.0
    sensitivity = abs(low) if broken else max(abs(low), abs(high))
    x = np.clip([1.0, 1, 1, *([1.0] if canary else [])], low, high)
    return float(x.sum() + sensitivity * rng.laplace())


def _bounds_of_the_data(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    x = np.array([0.2, 0.5, 0.8, *([50.0] if canary else [])])
    low, high = (x.min(), x.max()) if broken else (0.0, 1.0)
    noisy = np.clip(x, low, high).sum() + max(abs(low), abs(high)) * rng.laplace()
    return float(high if broken else noisy)  # the range is part of what is released


def _budget_forgotten(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    scale = 1.0 if broken else 10.0
    answers = float(canary) + rng.laplace(0, scale, 10)
    return float((np.abs(answers) - np.abs(answers - 1)).sum() / scale)


def _mean_of_the_actual_size(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    x = np.ones(1) if canary else np.zeros(0)
    if not broken:
        return float(x.sum() + rng.laplace())  # over a public size of 1
    scale = 1 / len(x) if len(x) else 0.0  # the mean of nothing is 0 and cannot be moved
    mean = x.mean() if len(x) else 0.0
    return float(mean + scale * rng.laplace() != 0)


def _above(broken: bool, rng: np.random.Generator, answers: tuple[float, float]) -> list[bool]:
    threshold = rng.laplace(0, 2)
    noise = np.zeros(2) if broken else rng.laplace(0, 4, 2)
    return [a + z >= threshold for a, z in zip(answers, noise, strict=True)]


def _sparse_vector(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    return float(_above(broken, rng, (0.0, 1.0) if canary else (1.0, 0.0)) == [False, True])


def _written_back(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    weights = np.array([3.0, 1.0 if canary else 0.0])
    released = weights + rng.laplace(size=2)
    if broken:
        # The filter keeps the noisy value of what was above its threshold, the old one elsewhere.
        released = np.where(weights > 2, released, weights)
    return float(released[1] == 1.0) if broken else float(released[1])


_REPLACED = partial(claimed_guarantee, 1.0, 0.0, "replace_one")

CASES = (
    sabotage(
        3, "Sensitivity of add and remove where a record is replaced",
        source="TensorFlow Privacy, notes on micro-batching; How to DP-fy ML, section 5.6",
        neighbours="a sum of -1 and of 1: one record replaced",
        canary="the record 1 instead of -1", score="the noisy sum",
        release=_half_the_sensitivity, thresholds=(1.0, 1.0), claim=_REPLACED, trainings=2500,
    ),
    sabotage(
        4, "Sensitivity from the lower bound alone",
        source="diffprivlib, LinearRegression, issues 104 and 105",
        neighbours="three records of 1, and four", canary="one more record at the upper bound",
        score="the released sum",
        release=_lower_bound_alone, thresholds=(3.5, 4.0), trainings=60,
    ),
    sabotage(
        5, "Bounds read from the data",
        source="diffprivlib issue 20; hazy/dpart issue 6; PrivBayes",
        neighbours="three values in [0, 1], and one outlier more", canary="the value 50",
        score="the upper end of the released range (twin: the noisy sum)",
        release=_bounds_of_the_data, thresholds=(10.0, 2.5), trainings=60,
    ),
    sabotage(
        13, "Sparse vector without noise on the queries",
        source="Lyu, Su and Li 2017: two of six published variants are private",
        neighbours="answers (1, 0) and (0, 1) to two counts", canary="one record moves both counts by 1",
        score="whether the output is (below, above)",
        release=_sparse_vector, thresholds=(0.5, 0.5), trainings=1500,
    ),
    sabotage(
        14, "Parameters written back without noise",
        source="NVFlare issue 343",
        neighbours="weights (3, 0) and (3, 1)", canary="moves the second weight by 1",
        score="whether the second weight is exactly 1 (twin: its noisy value)",
        release=_written_back, thresholds=(0.5, 1.0), trainings=60,
    ),
    sabotage(
        15, "Budget that is not summed",
        source="diffprivlib issue 104; smartnoise-sdk issue 624; OhmConnect (0.843 was 4.72)",
        neighbours="a count of 0 and of 1", canary="the one record",
        score="the log likelihood ratio of all ten answers",
        release=_budget_forgotten, thresholds=(0.0, 0.0), trainings=500,
    ),
    sabotage(
        16, "Sensitivity of a mean from the actual number of records",
        source="smartnoise-core issue 356",
        neighbours="no record, and one record of 1", canary="the only record",
        score="whether the output is not exactly 0 (twin: the noisy sum over a public size)",
        release=_mean_of_the_actual_size, thresholds=(0.5, 1.0), trainings=60,
    ),
)  # fmt: skip
"""The bugs with the numbers 3 to 5 and 13 to 16."""
