"""What is left of a budget: several releases a year, for years, about people who are in several tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from dpcore.accounting import Repeated, spent
from dpcore.experiments.choose.events import method_event, signal
from dpcore.experiments.choose.laplace_table import (
    COUNTS,
    ONES,
    RELEASES_GRID,
    TABLES_GRID,
    YEARS_GRID,
    laplace_table,
)
from dpcore.experiments.choose.problem import Problem
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.mechanisms.calibration import gaussian_epsilons

__all__ = [
    "RELEASES_GRID",
    "TABLES_GRID",
    "YEARS_GRID",
    "each_may_cost",
    "hulls_together",
    "signals",
    "together",
]

Floats = NDArray[np.float64]
Methods = Sequence[str | None]
_MARGIN = 0.998  # between the nodes of the table an inverse is a straight line in logarithms


def together(problem: Problem, methods: Methods, delta: float, n_releases: Iterable[int]) -> Floats:
    """Return the ε at δ of k results, (K, 50), each with ε of the grid and by the method given for that ε.

    The composition of the method's own event. Gaussian noise, exactly: k results with noise σ are one with
    noise σ/√k. Laplace noise: from the distribution of the privacy loss, rounded up. NaN
    where the method is None; for affine hulls see `hulls_together`.

    Parameters
    ----------
    problem : Problem
        What is learned.
    methods : sequence of 50 str or None
        The method at each ε of `EPSILON_GRID`.
    delta : float
        δ of `DELTA_GRID`.
    n_releases : iterable of int
        k, of `COUNTS`.

    Examples
    --------
    >>> from dpcore.experiments.choose import named_problem
    >>> problem, at = named_problem("diabetes"), EPSILON_GRID.index(1.0)
    >>> for name in ("gaussian", "joint"):
    ...     print(name, round(float(together(problem, [name] * 50, 1e-5, [12])[0, at]), 2))
    gaussian 4.02
    joint 11.96
    """
    counts = np.array(list(n_releases))
    mu, names = signals(problem, methods, delta), np.array([name or "" for name in methods])
    found = np.full((len(counts), len(EPSILON_GRID)), np.nan)
    gaussian = np.isfinite(mu)
    if gaussian.any():
        found[:, gaussian] = gaussian_epsilons(1 / (mu[gaussian] * _root(counts)), delta)
    rows = laplace_table()[DELTA_GRID.index(delta)][[COUNTS.index(k) for k in counts]]
    laplace = names == "joint"
    found[:, laplace] = rows[:, len(ONES) - len(EPSILON_GRID) :][:, laplace]
    return found


def each_may_cost(
    problem: Problem, methods: Methods, delta: float, n_releases: Iterable[int]
) -> Floats:
    """Return the ε at δ that each of k results may cost so that all cost (ε, δ) together: (K, 50).

    The account of `together` inverted, from below: exactly for Gaussian noise, within 0.5 % for Laplace noise.
    NaN where the method is None or affine hulls.
    """
    counts = np.array(list(n_releases))
    mu, names = signals(problem, methods, delta), np.array([name or "" for name in methods])
    found = np.full((len(counts), len(EPSILON_GRID)), np.nan)
    gaussian = np.isfinite(mu)
    if gaussian.any():
        found[:, gaussian] = gaussian_epsilons(_root(counts) / mu[gaussian], delta)
    table, grid = laplace_table()[DELTA_GRID.index(delta)], np.array(EPSILON_GRID)
    laplace = names == "joint"
    for row, k in enumerate(counts):
        totals = np.maximum(table[COUNTS.index(k)], 1e-12)  # 0 where δ alone is enough
        inverse = _MARGIN * np.exp(np.interp(np.log(grid), np.log(totals), np.log(ONES)))
        found[row, laplace] = np.maximum(inverse, grid / k)[laplace]
    return found


def signals(problem: Problem, methods: Methods, delta: float) -> Floats:
    """Return the `signal` of every ε's method, (50,); NaN where its noise is not Gaussian, or there is none."""
    found = [
        _signal(problem, name, e, delta) for name, e in zip(methods, EPSILON_GRID, strict=True)
    ]
    return np.array([np.nan if one is None else one for one in found])


def _signal(problem: Problem, method: str | None, epsilon: float, delta: float) -> float | None:
    if method in (None, "joint", "hulls"):
        return None
    return signal(method_event(problem, str(method), epsilon, delta))


def hulls_together(
    problem: Problem, delta: float, n_releases: int, check: Callable[[], None] = lambda: None
) -> Floats:
    """Return what `together` has for k results of affine hulls, (50,): some seconds."""
    found = []
    for epsilon in EPSILON_GRID:
        check()
        event = Repeated(method_event(problem, "hulls", epsilon, delta), n_releases)
        found.append(spent(event, delta, neighbouring="replace_one"))
    return np.array(found)


def _root(counts: NDArray[np.int64]) -> Floats:
    return np.asarray(np.sqrt(counts.astype(float))[:, None])
