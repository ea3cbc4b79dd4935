"""Error of every method at every ε, from repeated runs with independent noise.

The module also has the errors of noisy counts and means, and the effect of bounds that are wider
than needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.estimate import Difference, Estimate, difference
from dpcore.experiments.choose import estimators
from dpcore.experiments.choose.problem import (
    LABELS_OPEN,
    N_LOOKALIKES,
    ChooseParams,
    Problem,
    lookalike,
    named_problem,
)
from dpcore.experiments.grids import EPSILON_GRID

__all__ = [
    "NODES",
    "N_DRAWS",
    "Costs",
    "FarValues",
    "Tried",
    "between",
    "count_error",
    "far_values",
    "grow",
    "mean_error",
    "methods_at",
    "one_draw",
    "run",
]

Floats = NDArray[np.float64]
NODES: tuple[float, ...] = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 3.2, 5.0, 8.0, 12.0, 20.0)
"""Values of ε at which results are computed; curves are interpolated linearly in log ε."""
N_DRAWS = 17
_FIRST, _STEP = 3, 7
_MANY = 300_000  # values times classes, from which on each method is shown as soon as it is there
_SLOW = ("gmlvq", "network", "hulls", "descent")


def between(values: Floats, epsilons: ArrayLike = EPSILON_GRID) -> Floats:
    """Return values (..., E) at E given ε, interpolated from values (..., K) at the ε of `NODES`.

    The interpolation is linear in log ε. By default the given ε are the 50 of the grid.

    Examples
    --------
    >>> bool(between(np.log(NODES))[-1].round(3) == np.log(20).round(3))
    True
    """
    place = np.interp(np.log(epsilons), np.log(NODES), np.arange(float(len(NODES))))
    low = np.minimum(place.astype(int), len(NODES) - 2)
    part = place - low
    return cast(Floats, (1 - part) * values[..., low] + part * values[..., low + 1])


@dataclass(frozen=True, kw_only=True, eq=False)
class Tried:
    """Results of one method in S runs with independent noise.

    A run has one training at each of the K values of ε in `NODES`.

    - ``errors`` (S, K): error of each run.
    - ``losses`` (K, m): loss of each of m test records, averaged over runs.
    """

    errors: Floats
    losses: Floats

    def quantiles(self) -> Floats:
        """Return the 10, 50 and 90 % quantiles (3, 50) of the error over the runs, at every ε of the grid."""
        return self._quantiles

    @cached_property
    def _quantiles(self) -> Floats:  # every sentence of every ε asks for it
        return between(np.quantile(self.errors, (0.1, 0.5, 0.9), axis=0))

    def more(self, errors: Floats, losses: Floats) -> Tried:
        """Return the results with further runs added.

        ``errors`` are appended. ``losses`` are averaged over all runs.
        """
        old, new = len(self.errors), len(errors)
        mean = (old * self.losses + new * losses) / (old + new)
        return Tried(errors=np.concatenate([self.errors, errors]), losses=mean)


@dataclass(frozen=True, kw_only=True, eq=False)
class Costs:
    """Results of all methods from the runs finished so far.

    - ``tried``: results (`Tried`) by name of the method.
    - ``whole``: whether all runs of every method are finished.
    - ``best`` and ``trivial``: error of the best model without privacy, and error of a constant
      prediction.
    - ``fixed`` (50,): the best method at every ε, chosen on synthetic data. It is None for public
      data, where the best method follows from the results.
    """

    tried: dict[str, Tried]
    best: float
    trivial: float
    whole: bool
    fixed: tuple[str, ...] | None = None

    @property
    def draws(self) -> int:
        """Number of runs that are finished for every method."""
        return min((len(one.errors) for one in self.tried.values()), default=0)

    def medians(self) -> Floats:
        """Return the median error (M, 50) of each of the M methods at every ε."""
        return np.array([one.quantiles()[1] for one in self.tried.values()])

    def winners(self) -> NDArray[np.int64]:
        """Return the index (50,) of the best method at every ε.

        For public data the best method has the smallest median error. For a user's table it is
        chosen on synthetic data. Affine hulls are excluded, since they do not protect the class of
        a record.
        """
        return self._winners

    @cached_property
    def _winners(self) -> NDArray[np.int64]:
        if self.fixed is not None:
            return np.array([list(self.tried).index(name) for name in self.fixed])
        hidden = np.array([np.inf if name in LABELS_OPEN else 0.0 for name in self.tried])
        return cast("NDArray[np.int64]", (self.medians() + hidden[:, None]).argmin(axis=0))

    def of(self, method: str, which: Callable[[Tried], Floats]) -> Floats:
        """Return a quantity (..., 50) of one method at every ε, computed by ``which`` from the method's results.

        If ``method`` is "best", the results at each ε are those of the best method at this ε.
        """
        if method in self.tried:
            return which(self.tried[method])
        every = np.stack([which(one) for one in self.tried.values()])
        return every[self.winners(), ..., np.arange(len(EPSILON_GRID))].T

    def quantiles(self, method: str = "best") -> Floats:
        """Return the 10, 50 and 90 % quantiles (3, 50) of a method's error at every ε.

        The method "best" is the best method at each ε.
        """
        return self.of(method, Tried.quantiles)

    def by_group(
        self, problem: Problem, number: int, method: str = "best", least: int = 1
    ) -> Floats:
        """Return a method's mean error (G, 50) on each of G groups of test records, at every ε.

        The mean is over runs. ``number``: index of the column that defines the groups. Groups with
        fewer than ``least`` records are omitted.
        """
        groups = [members for _, members in problem.groups(number, least)]
        if not groups:
            return np.empty((0, len(EPSILON_GRID)))

        def part(one: Tried) -> Floats:
            rows = np.array([one.losses[:, members].mean(axis=1) for members in groups])
            return cast(Floats, problem.typical(between(rows)))

        return self.of(method, part)

    def everybody(self, problem: Problem, method: str = "best") -> Floats:
        """Return a method's mean error (50,) on all test records at every ε, averaged over runs."""
        return self.of(method, lambda one: problem.typical(between(one.losses.mean(axis=1))))


def methods_at(params: ChooseParams, problem: Problem, costs: Costs | None) -> list[str | None]:
    """Return the method that the parameters select at each of the 50 values of ε.

    If they select "best" and the best method is not known yet, the entries are None.
    """
    chosen = params.chosen(problem.methods)
    if chosen != "best":
        return [chosen] * len(EPSILON_GRID)
    if costs is None:
        return [None] * len(EPSILON_GRID)
    names = list(costs.tried)
    return [names[k] for k in costs.winners()]


def one_draw(problem: Problem, method: str, epsilons: Floats, delta: float, seed: int) -> Floats:
    """Return the losses (E, m) of one run of a method, for E values of ε > 0 and m test records.

    The loss is the one that `Problem.losses` computes.
    """
    runs = estimators.CLASSIFIER_RUNS if problem.classifies else estimators.REGRESSOR_RUNS
    return problem.losses(runs[method](problem, np.asarray(epsilons, float), delta, seed))


def grow(
    problem: Problem,
    params: ChooseParams,
    progress: Callable[[float], None] = lambda part: None,
    check: Callable[[], None] = lambda: None,
) -> Iterator[Costs]:
    """Yield the errors of all methods, updated after every few runs.

    The first results have three runs of the quick methods only. The last result has 17 runs of all
    methods.

    Parameters
    ----------
    problem : Problem
        The learning problem.
    params : ChooseParams
        δ and the seed are used.
    progress, check : callables
        ``progress`` is called with the fraction done. ``check`` is called between runs and may raise to
        stop the work.

    Yields
    ------
    Costs
    """
    tried: dict[str, Tried] = {}
    plan = _plan(problem)
    choice = _Choice(problem, params.delta, check) if problem.is_own else None
    for done, (names, draws) in enumerate(plan, start=1):
        if choice is not None:
            choice.go_on(names, quick=done == 1)
        for name in names:
            errors, losses = _draw_errors(problem, name, params, draws, check)
            tried[name] = (
                tried[name].more(errors, losses) if name in tried
                else Tried(errors=errors, losses=losses)
            )  # fmt: skip
        progress(done / len(plan))
        order = {name: tried[name] for name in problem.methods if name in tried}
        yield Costs(
            tried=order, best=problem.best, trivial=problem.trivial, whole=done == len(plan),
            fixed=None if choice is None else choice.fixed(),
        )  # fmt: skip


class _Choice:
    """Choice of the best method at every ε for a user's table, without reading the table.

    Methods are compared on synthetic tables with the size, bounds and classes that the user
    declared.
    """

    def __init__(self, problem: Problem, delta: float, check: Callable[[], None]) -> None:
        self._lookalikes = [lookalike(problem, k) for k in range(N_LOOKALIKES)]
        self._delta, self._check = delta, check
        self._errors: dict[str, list[Floats]] = {}

    def go_on(self, names: list[str], *, quick: bool) -> None:
        """Run the methods ``names`` on the synthetic tables; only on the first one if ``quick``."""
        later = [] if quick else list(self._errors)
        candidates = [name for name in names if name not in LABELS_OPEN]
        for name in dict.fromkeys([*candidates, *later]):
            done = self._errors.setdefault(name, [])
            for k in range(len(done), 1 if quick else N_LOOKALIKES):
                self._check()
                table = self._lookalikes[k]
                losses = one_draw(table, name, np.array(NODES), self._delta, k)
                done.append(table.typical(losses.mean(axis=1)))

    def fixed(self) -> tuple[str, ...]:
        """Return the method with the least mean error at each of the 50 values of ε.

        The mean is over the synthetic tables on which all methods were run.
        """
        names = list(self._errors)
        common = min(len(self._errors[name]) for name in names)
        means = between(np.array([np.mean(self._errors[name][:common], axis=0) for name in names]))
        return tuple(names[k] for k in means.argmin(axis=0))


def _plan(problem: Problem) -> list[tuple[list[str], range]]:
    """Return the steps of the computation, in order.

    Each step is a pair of method names and numbers of the runs to compute for these methods.
    """
    quick = [name for name in problem.methods if name not in _SLOW]
    slow = [[name] for name in problem.methods if name in _SLOW]
    first, many = range(_FIRST), problem.X.size * problem.n_classes > _MANY
    at_once = [[name] for name in quick] if many else [quick]  # the first curve comes within 2 s
    plan = [(names, first) for names in (*at_once, *slow)]
    for start in range(_FIRST, N_DRAWS, _STEP):
        draws = range(start, min(start + _STEP, N_DRAWS))
        plan += [(quick, draws), *((names, draws) for names in slow)]
    return plan


def _draw_errors(
    problem: Problem, name: str, params: ChooseParams, draws: range, check: Callable[[], None]
) -> tuple[Floats, Floats]:
    """Return errors (S, K) and mean losses (K, m) of one method in the runs with numbers ``draws``.

    There are S runs, the K values of ε in `NODES` and m test records. Losses are averaged over
    runs.
    """
    errors, total = [], np.zeros((len(NODES), len(problem.y_test)))
    for draw in draws:
        check()
        losses = one_draw(problem, name, np.array(NODES), params.delta, 100 * params.seed + draw)
        errors.append(problem.typical(losses.mean(axis=1)))
        total += losses
    return np.array(errors), total / len(draws)


def run(params: ChooseParams, problem: Problem | None = None) -> Costs:
    """Return the errors of all methods after all runs.

    The data are ``problem`` or, by default, the data set named in the parameters.

    Examples
    --------
    >>> found = run(ChooseParams(dataset="diabetes"))
    >>> found.draws, found.best < float(found.quantiles()[1, 20]) < found.trivial
    (17, True)
    """
    if problem is None and params.dataset == "own":
        raise ValueError("Own data are not known by name: give problem=Problem(dataset).")
    return list(grow(problem or named_problem(params.dataset), params))[-1]


_TRIES, _LEFT_OUT = 11, 0.01


@dataclass(frozen=True, kw_only=True)
class FarValues:
    """Error of a method under the present bounds of the values, and under narrower bounds.

    - ``wide``: error under the present bounds.
    - ``narrow``: error under bounds that exclude the lowest and highest 1 % of each column.
    - ``more``: difference of the two errors.
    """

    method: str
    wide: Estimate
    narrow: Estimate
    more: Difference


def far_values(
    problem: Problem, params: ChooseParams, check: Callable[[], None] = lambda: None
) -> FarValues:
    """Return the error of a quick method under the present and under narrower bounds of the values.

    The ε is from the parameters. Both errors are from 11 runs with the same noise. The narrow
    bounds are read from the table without privacy, so no release may use them.
    """
    data = problem.dataset
    low, high = np.quantile(data.X, (_LEFT_OUT, 1 - _LEFT_OUT), axis=0)
    flat = high <= low
    ends: Any = {"low": np.where(flat, data.low, low), "high": np.where(flat, data.high, high)}
    narrow = Problem(replace(cast(Any, data), **ends))
    method = "softmax" if problem.classifies else "adassp"
    errors = []
    for one in (problem, narrow):
        for draw in range(_TRIES):
            check()
            losses = one_draw(
                one, method, np.array([params.epsilon]), params.delta, 100 * params.seed + draw
            )
            errors.append(float(one.typical(losses.mean())))
    wide, close = errors[:_TRIES], errors[_TRIES:]
    return FarValues(
        method=method,
        wide=Estimate.of(wide, over="noise", direction="lower"),
        narrow=Estimate.of(close, over="noise", direction="lower"),
        more=difference(wide, close, over="noise", direction="lower"),
    )


def count_error(epsilons: ArrayLike, share: float = 0.5) -> Floats:
    """Return the error (E,) that a noisy count does not exceed with probability ``share``.

    The error is -ln(1 - share)/ε. The noise is Laplace of scale 1/ε, since replacing a record changes a
    count by at most 1.

    Examples
    --------
    >>> count_error([1.0]).round(3).tolist()
    [0.693]
    """
    part = _checks.number("share", share, low=0, high=1, open_low=True, open_high=True)
    return cast(Floats, -np.log1p(-part) / np.asarray(epsilons, float))


def mean_error(epsilons: ArrayLike, n_samples: int, share: float = 0.5) -> Floats:
    """Return the error (E,) that a noisy mean of n people does not exceed with probability ``share``.

    The error is in units of the width of the values' public range. n = ``n_samples`` ≥ 1 is public.
    See `count_error`.
    """
    n = _checks.integer("n_samples", n_samples, low=1)
    return count_error(epsilons, share) / n
