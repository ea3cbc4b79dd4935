"""Four statistics of one survey that share a budget ε: a count, a total, a mean and a histogram.

Each statistic gets Laplace noise and a share of ε in proportion to its weight. The shares add up to ε by basic
composition. The number n of people is public, and neighbouring surveys differ in the record of one person.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import stats

from dpcore import sensitivity
from dpcore._types import Floats
from dpcore.accounting import Event, Sequence
from dpcore.audit.likelihood_ratios import laplace_cut, laplace_evidence
from dpcore.audit.worlds import Worlds
from dpcore.datasets.census import census_synthetic
from dpcore.estimate import middle
from dpcore.experiments.budget.curves import WEIGHT_GRID, BudgetParams
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.guarantee import Guarantee, Part, from_event
from dpcore.mechanisms import Laplace
from dpcore.units import Neighbouring, Unit

__all__ = [
    "AGE_EDGES",
    "BOUNDS",
    "N_DRAWS",
    "N_PEOPLE",
    "PRESETS",
    "RELATION",
    "STATISTICS",
    "WORLDS",
    "Split",
    "Statistic",
    "closed_error",
    "event",
    "guarantee",
    "guarantees",
    "mechanisms",
    "neighbours",
    "preset",
    "release",
    "run",
    "shares",
    "smallest_worst",
    "survey",
    "weights",
]

N_PEOPLE = 100
N_DRAWS = 4000
"""Number of noise draws over which the median error is taken."""
AGE_EDGES = (16, 25, 35, 45, 55, 65, 75, 90)
RELATION: Neighbouring = "replace_one"
UNIT = Unit(singular="person", plural="people")
_COLUMNS = ("employed", "hours a week", "minutes to work", "age")
BOUNDS: Mapping[str, tuple[int, int]] = {
    "employed": (0, 1), "hours a week": (0, 100), "minutes to work": (0, 120), "age": (16, 90),
}  # fmt: skip
"""Bounds of the columns, known from the construction of the survey."""


@dataclass(frozen=True, kw_only=True)
class Statistic:
    """A statistic of a survey, and what is known about it without the records.

    - ``values(records)``: exact statistic (m,) of records (n, 4), which are first clipped to the
      bounds.
    - ``sensitivity``: L1 sensitivity, the largest sum of the absolute changes of the m numbers when one
      record is replaced.
    - ``declared``: public size of the statistic, with which an error is compared without using the
      records. It is the largest value that the bounds allow. For the histogram it is the height of a
      bar if all bars are equal.
    """

    name: str
    values: Callable[[Floats], Floats]
    sensitivity: float
    declared: float

    @property
    def n_numbers(self) -> int:
        """Number m of published numbers."""
        return len(self.values(np.zeros((1, len(_COLUMNS)))))


def _column(records: Floats, name: str) -> Floats:
    low, high = BOUNDS[name]
    return np.asarray(np.clip(np.asarray(records, float)[:, _COLUMNS.index(name)], low, high))


def _statistics() -> tuple[Statistic, ...]:
    (_, hours), (_, minutes) = BOUNDS["hours a week"], BOUNDS["minutes to work"]
    n, n_bars = N_PEOPLE, len(AGE_EDGES) - 1

    def mean(high: float) -> float:
        return sensitivity.mean(0, high, n_samples=n, neighbouring=RELATION)

    return (
        Statistic(
            name="count", values=lambda x: np.atleast_1d(_column(x, "employed").sum()),
            sensitivity=n * mean(1), declared=n,
        ),
        Statistic(
            name="total", values=lambda x: np.atleast_1d(_column(x, "hours a week").sum()),
            sensitivity=n * mean(hours), declared=n * hours,
        ),
        Statistic(
            name="mean", values=lambda x: np.atleast_1d(_column(x, "minutes to work").sum() / n),
            sensitivity=mean(minutes), declared=minutes,
        ),
        Statistic(
            name="histogram", values=lambda x: np.histogram(_column(x, "age"), AGE_EDGES)[0].astype(float),
            sensitivity=sensitivity.histogram(norm=1, neighbouring=RELATION), declared=n / n_bars,
        ),
    )  # fmt: skip


STATISTICS = _statistics()
"""The count of people with work, the total of their hours, the mean time to get to work and the histogram of ages."""


@lru_cache(maxsize=1)
def survey() -> Floats:
    """Return the records (100, 4) of the survey: employed, hours a week, minutes to work and age.

    The survey is synthetic and therefore public, see `census_synthetic`.
    """
    records, _, columns = census_synthetic(N_PEOPLE, seed=0)
    names = list(columns)
    chosen = records[:, [names.index(name) for name in _COLUMNS]]
    chosen.setflags(write=False)
    return chosen


def weights(params: BudgetParams) -> tuple[int, ...]:
    """Return the weights of the four statistics, in the order of `STATISTICS`."""
    return tuple(getattr(params, f"weight_{one.name}") for one in STATISTICS)


def shares(params: BudgetParams) -> tuple[float, ...]:
    """Return the share of ε for each statistic: the statistic's weight times ε, divided by the sum of all weights.

    Examples
    --------
    >>> shares(BudgetParams(epsilon=2.0, weight_histogram=24))
    (0.4, 0.4, 0.4, 0.8)
    """
    parts = weights(params)
    return tuple(params.epsilon * weight / sum(parts) for weight in parts)


def mechanisms(params: BudgetParams) -> tuple[Laplace, ...]:
    """Return the Laplace mechanism of each statistic, with the statistic's share of ε."""
    return tuple(
        Laplace(epsilon=share, sensitivity=one.sensitivity, neighbouring=RELATION)
        for share, one in zip(shares(params), STATISTICS, strict=True)
    )


def release(records: Floats, params: BudgetParams, rng: np.random.Generator) -> tuple[Floats, ...]:
    """Return one noisy release of the four statistics of records (n, 4)."""
    return tuple(
        mechanism.sample(one.values(records), rng)
        for mechanism, one in zip(mechanisms(params), STATISTICS, strict=True)
    )


def event(params: BudgetParams) -> Event:
    """Return the event of all four statistics together, for the accountants."""
    return Sequence(tuple(mechanism.event for mechanism in mechanisms(params)))


def guarantee(params: BudgetParams) -> Guarantee:
    """Return the guarantee of the four statistics together.

    Examples
    --------
    >>> guarantee(BudgetParams(epsilon=2.0, weight_total=100)).epsilon
    2.0
    """
    parts = tuple(
        Part(name=f"the {one.name}", epsilon=noise.epsilon, delta=0.0, mechanism=f"Laplace, scale {noise.scale:.3g}")
        for one, noise in zip(STATISTICS, mechanisms(params), strict=True)
    )  # fmt: skip
    return from_event(
        event(params), 0.0, calibrated_epsilon=params.epsilon, neighbouring=RELATION,
        argument="Each statistic has Laplace noise for its sensitivity and its share of ε, and the shares add up "
        "(basic composition).",
        public=(
            "the number of people",
            "the bounds of all columns, and the edges of the bars",
            "the weights, and the size of the noise",
        ),
        not_protected=("anything else released from the same survey",),
        parts=parts, n_records=N_PEOPLE, unit=UNIT,
    )  # fmt: skip


def guarantees(params: BudgetParams) -> list[Guarantee]:
    """Return the guarantee of the four statistics together, for each ε of the grid."""
    return guarantee(params).tabulated(EPSILON_GRID)


@dataclass(frozen=True, kw_only=True)
class Split:
    """Errors of the four statistics, for noise of scale 1, and one draw of the histogram's noise.

    - ``error`` (4,): median over the draws of the absolute error, in units of the noise scale. The
      error of the histogram is the mean absolute error of its bars. ``error_low`` and ``error_high``
      (4,) enclose the middle 80 % of the draws.
    - ``sensitivity`` (4,): L1 sensitivities. The noise scale of a statistic is its sensitivity divided
      by its share of ε.
    - ``truth`` (4,): size of the exact statistic; for the histogram the mean height of its bars.
    - ``bars`` (m,): exact heights of the bars of the histogram.
    - ``noise`` (m,): noise of these bars in the first draw, at scale 1.
    """

    error: Floats
    error_low: Floats
    error_high: Floats
    sensitivity: Floats
    truth: Floats
    bars: Floats
    noise: Floats


def run(params: BudgetParams) -> Split:
    """Return the errors of the four statistics for noise of scale 1.

    For every share of ε the same noise is scaled.

    Examples
    --------
    >>> found = run(BudgetParams(topic="split"))
    >>> bool(abs(found.error[0] - np.log(2)) < 0.05)
    True
    """
    rng, records = np.random.default_rng(params.seed), survey()
    unit = Laplace(epsilon=1.0)
    errors, noise = [], np.zeros(0)
    for one in STATISTICS:
        noise = unit.sample(np.zeros((N_DRAWS, one.n_numbers)), rng)
        errors.append(np.abs(noise).mean(1))
    low, median, high = middle(np.array(errors).T)
    exact = [one.values(records) for one in STATISTICS]
    return Split(
        error=median, error_low=low, error_high=high,
        sensitivity=np.array([one.sensitivity for one in STATISTICS]),
        truth=np.array([values.mean() for values in exact]), bars=exact[-1], noise=noise[0],
    )  # fmt: skip


def closed_error(one: Statistic) -> float:
    """Return the median absolute error of a statistic with noise of scale 1, in closed form.

    The absolute value of Laplace noise is exponential, and the mean of m exponential numbers has the distribution of
    a Gamma variable with shape m, divided by m. For one number the median is ln 2.
    """
    m = one.n_numbers
    return math.log(2) if m == 1 else float(stats.gamma.ppf(0.5, m)) / m


def _equal() -> tuple[int, ...]:
    return weights(BudgetParams())


def _by_sensitivity() -> tuple[int, ...]:
    """Return the weights of the grid that are nearest to the sensitivities, on a logarithmic scale.

    The sensitivities are divided by the smallest one, so that the smallest weight is 1.
    """
    steps = np.log([one.sensitivity for one in STATISTICS])
    near = np.abs(np.log(WEIGHT_GRID)[:, None] - (steps - steps.min())).argmin(0)
    return tuple(WEIGHT_GRID[k] for k in near)


@lru_cache(maxsize=8)
def smallest_worst(sizes: tuple[float, ...]) -> tuple[int, ...]:
    """Return the weights of the grid that make the largest relative error smallest.

    The relative error of a statistic is its expected absolute error, which is the noise scale, divided
    by its size. If several sets of weights are equally good, the one with the smallest sum of relative
    errors is returned.

    Parameters
    ----------
    sizes : tuple of float (4,)
        Size of each statistic, > 0.

    Returns
    -------
    tuple of int (4,)
        Weights. They are public if the sizes are, as the declared sizes of `STATISTICS` are.
    """
    grid = np.array(WEIGHT_GRID, float)
    all_weights = np.stack(np.meshgrid(*[grid] * len(STATISTICS), indexing="ij"), -1)
    unit = np.array([one.sensitivity / size for one, size in zip(STATISTICS, sizes, strict=True)])
    errors = unit * all_weights.sum(-1, keepdims=True) / all_weights
    worst = errors.max(-1)
    ties = np.where(np.isclose(worst, worst.min(), rtol=1e-9), errors.sum(-1), np.inf)
    best = np.unravel_index(int(ties.argmin()), ties.shape)
    return tuple(WEIGHT_GRID[k] for k in best)


def _for_declared_sizes() -> tuple[int, ...]:
    return smallest_worst(tuple(one.declared for one in STATISTICS))


PRESETS: Mapping[str, Callable[[], tuple[int, ...]]] = {
    "equal": _equal, "sensitivity": _by_sensitivity, "smallest_worst": _for_declared_sizes,
}  # fmt: skip
"""Rules for the weights, by name. They use the declared bounds only, and not the records."""


def preset(name: str, params: BudgetParams) -> BudgetParams:
    """Return the parameters with the weights of a rule of `PRESETS`.

    Raises
    ------
    ValueError
        When there is no rule with this name.

    Examples
    --------
    >>> weights(preset("equal", BudgetParams(weight_mean=100)))
    (12, 12, 12, 12)
    """
    if name not in PRESETS:
        raise ValueError(f"name={name!r} is not allowed: give one of {', '.join(PRESETS)}.")
    chosen = zip(STATISTICS, PRESETS[name](), strict=True)
    return params.but(**{f"weight_{one.name}": weight for one, weight in chosen})


def neighbours() -> tuple[Floats, Floats]:
    """Return two surveys (100, 4) that differ in the last record.

    The record has the lower bounds of all columns in the first survey, and the upper bounds in the second one. So
    each statistic changes by its sensitivity.
    """
    low, high = survey().copy(), survey().copy()
    low[-1], high[-1] = np.array(list(BOUNDS.values()), float).T
    return low, high


def _split() -> Worlds:
    """Return the audit of one release of the four statistics with different weights."""
    params = BudgetParams(
        topic="split", epsilon=1.5, weight_count=2, weight_total=4, weight_histogram=6
    )
    surveys = neighbours()
    before, after = (np.concatenate([one.values(x) for one in STATISTICS]) for x in surveys)
    scales = np.repeat([one.scale for one in mechanisms(params)], [one.n_numbers for one in STATISTICS])  # fmt: skip

    def _release(canary: bool, rng: np.random.Generator) -> float:
        seen = np.concatenate(release(surveys[canary], params, rng))
        return laplace_evidence(seen, before, after, scales)

    return Worlds(
        name="four statistics, split budget",
        neighbours="a survey of 100 people, and the same with other answers of one person; replace_one",
        canary="a person with the upper bounds of all columns, in the place of one with the lower bounds",
        score="the log-likelihood ratio of all ten noisy numbers",
        claim=lambda: guarantee(params),
        release=_release,
        threshold=laplace_cut((after - before) / scales),
    )


WORLDS: tuple[Worlds, ...] = (_split(),)
