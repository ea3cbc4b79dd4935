"""Choose ε backwards: which ε is enough, which method is best within an ε, how many people it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore.datasets import RegressionDataset
from dpcore.experiments.choose.costs import NODES, Costs, between, one_draw
from dpcore.experiments.choose.params import ChooseParams
from dpcore.experiments.choose.problem import Problem
from dpcore.experiments.grids import EPSILON_GRID

__all__ = ["Answer", "Law", "People", "enough_people", "fit_law", "goal_error", "needed", "ranked"]

Floats = NDArray[np.float64]
_POWERS = np.array([0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0])
_SHARES = (0.15, 0.25, 0.4, 0.6, 0.8, 1.0)
_TRIES, _FARTHEST, _RESAMPLED, _POINTS = 7, 16.0, 40, 33


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The smallest ε of the grid that is enough, and by which method; ``error`` is what it then costs."""

    epsilon: float
    method: str
    error: float


def goal_error(problem: Problem, goal: int) -> float:
    """Return the error that a goal of so many thousandths means: a share, or of the target's range."""
    data = problem.dataset
    if not isinstance(data, RegressionDataset):
        return goal / 1000
    return goal / 1000 * (data.target_high - data.target_low)


def needed(
    costs: Costs, error: float, method: str = "best", *, tries: float = 0.5
) -> Answer | None:
    """Return the smallest ε from which on a method's error stays at most ``error``, or None.

    Parameters
    ----------
    costs : Costs
        What every ε costs.
    error : float
        As `goal_error` returns it.
    method : str
        A method that was tried, or "best": the one that needs the least ε.
    tries : 0.5 or 0.9
        In which share of the tries: half of them (the median), or 9 of 10.
    """
    row, found = (1 if tries == 0.5 else 2), []
    for name in [method] if method in costs.tried else costs.tried:
        errors = costs.tried[name].quantiles()[row]
        bad = np.flatnonzero(errors > error)
        first = int(bad[-1]) + 1 if len(bad) else 0
        if first < len(EPSILON_GRID):
            found.append(
                Answer(epsilon=EPSILON_GRID[first], method=name, error=float(errors[first]))
            )
    return min(found, key=lambda one: (one.epsilon, one.error), default=None)


def ranked(costs: Costs, epsilon: float) -> list[tuple[str, float]]:
    """Return all methods with their median errors at an ε of the grid, the best first."""
    at = EPSILON_GRID.index(epsilon)
    return sorted(
        ((name, float(one.quantiles()[1, at])) for name, one in costs.tried.items()),
        key=lambda pair: pair[1],
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Law:
    """error(n) = a + b n^-c: ``a``, ``b``, ``c`` of any shape."""

    a: Floats
    b: Floats
    c: Floats

    def at(self, sizes: Floats) -> Floats:
        """Return the errors (..., L) at sizes n (L,)."""
        return self.a[..., None] + self.b[..., None] * np.asarray(sizes) ** -self.c[..., None]


def fit_law(sizes: Floats, errors: Floats) -> Law:
    """Return the law of least squares with a, b ≥ 0 for errors (..., S) at sizes n (S,).

    c is one of seven powers from 1/4 to 2.

    Examples
    --------
    >>> found = fit_law(np.array([10.0, 20, 40, 80]), 0.1 + 2 / np.array([10.0, 20, 40, 80]))
    >>> [round(float(value), 6) for value in (found.a, found.b, found.c)]
    [0.1, 2.0, 1.0]
    """
    fits = [_at_power(np.asarray(sizes, float), errors, float(c)) for c in _POWERS]
    left = np.stack([rest for _, _, rest in fits])
    best = left.argmin(axis=0)

    def taken(part: int) -> Floats:
        every = np.stack([np.broadcast_to(fit[part], best.shape) for fit in fits])
        return cast(Floats, np.take_along_axis(every, best[None], axis=0)[0])

    return Law(a=taken(0), b=taken(1), c=_POWERS[best])


def _at_power(n: Floats, y: Floats, c: float) -> tuple[Floats, Floats, Floats]:
    """a, b ≥ 0 and the squares that are left, for one power."""
    x = n**-c
    spread = x - x.mean()
    b = np.maximum((y * spread).sum(-1) / np.square(spread).sum(), 0.0)
    a = y.mean(-1) - b * x.mean()
    through = (y * x).sum(-1) / np.square(x).sum()  # the best b where a would be negative
    a, b = np.where(a < 0, 0.0, a), np.where(a < 0, through, b)
    return a, b, np.square(y - a[..., None] - b[..., None] * x).sum(-1)


@dataclass(frozen=True, kw_only=True, eq=False)
class People:
    """Errors against the number of people, measured and extrapolated, at `NODES` (K).

    ``sizes`` (S,) with ``measured`` (S, K) medians; ``beyond`` (L,) from the last size on to sixteen times
    it with ``low``, ``middle``, ``high`` (L, K): 10, 50 and 90 % of the laws fitted to resampled tries. NaN
    where the measured errors do not fall with n: there nothing can be said.
    """

    method: str
    sizes: Floats
    measured: Floats
    beyond: Floats
    low: Floats
    middle: Floats
    high: Floats

    def enough(self, error: float) -> Floats:
        """Return from how many people on the error stays at most ``error``, (50,) on the grid of ε.

        Measured where it can be, else extrapolated: then it is more than the last of ``sizes``. NaN for none.
        """
        known, sizes = _from(between(self.measured) > error), self.sizes
        later, beyond = _from(~(between(self.middle[1:]) <= error)), self.beyond[1:]
        farther = np.append(beyond, np.nan)[later]
        return np.where(known < len(sizes), np.append(sizes, np.nan)[known], farther)

    def smallest(self, error: float, epsilon: float) -> tuple[float, bool] | None:
        """Return how many people are enough at an ε of the grid, and whether that is extrapolated; or None."""
        n = float(self.enough(error)[EPSILON_GRID.index(epsilon)])
        return None if np.isnan(n) else (n, bool(n > self.sizes[-1]))


def _from(bad: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The row after the last bad one, by column of (L, E): L where that is the last row."""
    after = len(bad) - bad[::-1].argmax(axis=0)
    return np.where(bad.any(axis=0), after, 0)


def enough_people(
    problem: Problem,
    params: ChooseParams,
    method: str,
    progress: Callable[[float], None] = lambda part: None,
    check: Callable[[], None] = lambda: None,
) -> People:
    """Return how the error of a method falls with the number of people.

    Random parts of the people are learned from, seven tries each; the law of `fit_law` goes on from there.
    """
    order = np.random.default_rng((params.seed, 9)).permutation(problem.n_samples)
    sizes = np.unique([max(12, round(share * problem.n_samples)) for share in _SHARES])
    sizes = sizes[sizes <= problem.n_samples].astype(float)
    tries = np.empty((_TRIES, len(sizes), len(NODES)))
    for at, size in enumerate(sizes):
        part = _first(problem, order[: int(size)])
        for k in range(_TRIES):
            check()
            losses = one_draw(
                part, method, np.array(NODES), params.delta, 100 * params.seed + 50 + k
            )
            tries[k, at] = problem.typical(losses.mean(axis=1))
        progress((at + 1) / len(sizes))
    return extrapolated(method, sizes, tries, params.seed)


def extrapolated(method: str, sizes: Floats, tries: Floats, seed: int) -> People:
    """Return the result for tries (T, S, K) at sizes (S,)."""
    rng = np.random.default_rng((seed, 10))
    rows = rng.integers(0, len(tries), (_RESAMPLED, len(tries), len(sizes)))
    resampled = np.median(tries[rows, np.arange(len(sizes))], axis=1)  # (B, S, K)
    measured = np.median(tries, axis=0)
    beyond = np.geomspace(sizes[-1], _FARTHEST * sizes[-1], _POINTS)
    laws = fit_law(sizes, np.moveaxis(resampled, 1, -1)).at(beyond)  # (B, K, L)
    low, middle, high = (np.quantile(laws, q, axis=0).T for q in (0.1, 0.5, 0.9))
    falls = measured[-1] < 0.97 * measured[0]
    low, middle, high = (np.where(falls, part, np.nan) for part in (low, middle, high))
    return People(
        method=method,
        sizes=sizes,
        measured=measured,
        beyond=beyond,
        low=low,
        middle=middle,
        high=high,
    )


def _first(problem: Problem, rows: NDArray[Any]) -> Problem:
    """The problem with some of its people; who is tested stays, and so do bounds and classes."""
    data = problem.dataset
    part = replace(data, X=data.X[: problem.n_samples][rows], y=problem.y[rows])
    return replace(problem, dataset=part)
