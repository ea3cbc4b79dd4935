"""Choose ε from an acceptable error: the smallest sufficient ε, the best method, or the number of people.

`charged_choice` includes the privacy cost of selecting the best of several private runs on the same
data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from dpcore import _checks
from dpcore.accounting import GaussianEvent, LaplaceEvent, rdp
from dpcore.datasets import RegressionDataset
from dpcore.estimate import Estimate
from dpcore.experiments.choose.costs import NODES, Costs, between, one_draw
from dpcore.experiments.choose.estimators import method_event, signal
from dpcore.experiments.choose.problem import LABELS_OPEN, ChooseParams, Problem
from dpcore.experiments.grids import EPSILON_GRID

__all__ = [
    "MEAN_RUNS",
    "Answer",
    "ChargedChoice",
    "Law",
    "People",
    "charged_choice",
    "charged_epsilon",
    "enough_people",
    "fit_law",
    "goal_error",
    "needed",
    "ranked",
    "selected_rdp",
]

Floats = NDArray[np.float64]
_POWERS = np.array([0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0])
_SHARES = (0.15, 0.25, 0.4, 0.6, 0.8, 1.0)
_TRIES, _FARTHEST, _RESAMPLED, _POINTS = 7, 16.0, 40, 33


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Smallest ε of the grid that suffices for a goal, with a method that reaches the goal and the method's error."""

    epsilon: float
    method: str
    error: float


def goal_error(problem: Problem, goal: int) -> float:
    """Return a goal, which is given in thousandths, as the largest acceptable error.

    For classification the error is goal/1000, a fraction of mistakes. For regression it is goal/1000
    times the width of the target's range.
    """
    data = problem.dataset
    if not isinstance(data, RegressionDataset):
        return goal / 1000
    return goal / 1000 * (data.target_high - data.target_low)


def needed(
    costs: Costs, error: float, method: str = "best", *, tries: float = 0.5
) -> Answer | None:
    """Return the smallest ε such that a method's error is at most ``error`` at this and every larger ε.

    The result is an `Answer`, or None if there is no such ε on the grid.

    Parameters
    ----------
    costs : Costs
        Errors of the methods at every ε.
    error : float
        Largest acceptable error, as `goal_error` returns it.
    method : str
        Name of a method, or "best" for the method that needs the least ε.
    tries : 0.5 or 0.9
        Fraction of draws that must reach the goal: half (the median) or 9 of 10.
    """
    row, answers = (1 if tries == 0.5 else 2), []
    for name in [method] if method in costs.tried else costs.tried:
        errors = costs.tried[name].quantiles()[row]
        bad = np.flatnonzero(errors > error)
        first = int(bad[-1]) + 1 if len(bad) else 0
        if first < len(EPSILON_GRID):
            answers.append(
                Answer(epsilon=EPSILON_GRID[first], method=name, error=float(errors[first]))
            )
    return min(answers, key=lambda one: (one.epsilon, one.error), default=None)


def ranked(costs: Costs, epsilon: float) -> list[tuple[str, float]]:
    """Return all methods with their median errors at ``epsilon``, the best method first.

    ``epsilon`` is a value of the grid.
    """
    at = EPSILON_GRID.index(epsilon)
    return sorted(
        ((name, float(one.quantiles()[1, at])) for name, one in costs.tried.items()),
        key=lambda pair: pair[1],
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Law:
    """Law a + b n^-c for the error as a function of the number of records n.

    ``a``, ``b`` and ``c`` are arrays of the same shape, one law per entry.
    """

    a: Floats
    b: Floats
    c: Floats

    def at(self, sizes: Floats) -> Floats:
        """Return the errors (..., L) at L numbers of records."""
        return self.a[..., None] + self.b[..., None] * np.asarray(sizes) ** -self.c[..., None]


def fit_law(sizes: Floats, errors: Floats) -> Law:
    """Fit the law a + b n^-c with a, b ≥ 0 to errors by least squares.

    ``errors`` (..., S) were measured at the numbers of records n in ``sizes`` (S,). c is one of
    seven powers from 1/4 to 2.

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
    """Return the least-squares a, b ≥ 0 of y = a + b n^-c for a given c, and the residual sum of squares."""
    x = n**-c
    spread = x - x.mean()
    b = np.maximum((y * spread).sum(-1) / np.square(spread).sum(), 0.0)
    a = y.mean(-1) - b * x.mean()
    through = (y * x).sum(-1) / np.square(x).sum()  # the best b where a would be negative
    a, b = np.where(a < 0, 0.0, a), np.where(a < 0, through, b)
    return a, b, np.square(y - a[..., None] - b[..., None] * x).sum(-1)


@dataclass(frozen=True, kw_only=True, eq=False)
class People:
    """Errors of a method as a function of the number of records, at the K values of ε in `NODES`.

    - ``sizes`` (S,): numbers of records in trainings.
    - ``measured`` (S, K): median errors of these trainings.
    - ``beyond`` (L,): larger numbers of records, up to sixteen times the last of ``sizes``.
    - ``low``, ``middle``, ``high`` (L, K): 10, 50 and 90 % quantiles of the errors extrapolated to
      ``beyond``. They are from power laws fitted to bootstrap resamples, and NaN where the measured
      errors do not decrease with the number.
    """

    method: str
    sizes: Floats
    measured: Floats
    beyond: Floats
    low: Floats
    middle: Floats
    high: Floats

    def enough(self, error: float) -> Floats:
        """Return the number of records (50,) from which on the error is at most ``error``, for every ε.

        The number is one of ``sizes`` if possible, otherwise one of ``beyond``. It is NaN if no
        number suffices.
        """
        known, sizes = _from(between(self.measured) > error), self.sizes
        later, beyond = _from(~(between(self.middle[1:]) <= error)), self.beyond[1:]
        farther = np.append(beyond, np.nan)[later]
        return np.where(known < len(sizes), np.append(sizes, np.nan)[known], farther)

    def smallest(self, error: float, epsilon: float) -> tuple[float, bool] | None:
        """Return the number of records that suffices for an error at ε, and whether it is extrapolated.

        The result is None if no number suffices.
        """
        n = float(self.enough(error)[EPSILON_GRID.index(epsilon)])
        return None if np.isnan(n) else (n, bool(n > self.sizes[-1]))


def _from(bad: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the index after the last True in each column of ``bad`` (L, E).

    The index is 0 if a column has no True, and L if its last row is True.
    """
    after = len(bad) - bad[::-1].argmax(axis=0)
    return np.where(bad.any(axis=0), after, 0)


def enough_people(
    problem: Problem,
    params: ChooseParams,
    method: str,
    progress: Callable[[float], None] = lambda part: None,
    check: Callable[[], None] = lambda: None,
) -> People:
    """Return the error of a method as a function of the number of training records.

    For each number, seven trainings use the same random subset of the records. `fit_law`
    extrapolates the errors to numbers larger than the data set.
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
    """Return measured and extrapolated errors of a method as a function of the number of records.

    - ``sizes`` (S,): the numbers of records.
    - ``tries`` (T, S, K): errors of T trainings at these numbers and K values of ε.
    """
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
    """Return the problem with only the training records ``rows``.

    Test records, bounds and classes are unchanged.
    """
    data = problem.dataset
    part = replace(data, X=data.X[: problem.n_samples][rows], y=problem.y[rows])
    return replace(problem, dataset=part)


MEAN_RUNS = 10.0
"""Mean number of runs in a private selection; each run uses a method drawn at random."""
_SIMULATED = 2000


def selected_rdp(run: Floats, mean_runs: float, orders: Floats = rdp.ORDERS) -> Floats:
    """Return the Rényi DP of publishing the best of K runs and its score.

    K has the logarithmic distribution P[K = k] ∝ (1 - γ)^k/k. If ε(λ) is the RDP of order λ of one
    run, the RDP of the best run is

    ε′(λ) = ε(λ) + min_λ̂ [(1 - 1/λ̂) ε(λ̂) + ln(1/γ)/λ̂] + ln E[K]/(λ - 1)

    (Papernot and Steinke 2022, Theorem 2 with η = 0). If every run is ε-DP, the best one is 2ε-DP.
    The bound of Liu and Talwar (2019), for a geometric number of runs, is 3ε.

    Parameters
    ----------
    run : ndarray (n_orders,)
        RDP of one run, for its model and its score together, at ``orders``.
    mean_runs : float
        Expected number of runs E[K] > 1.
    orders : ndarray (n_orders,)
        Orders λ ≥ 2.

    Returns
    -------
    ndarray (n_orders,)

    References
    ----------
    J. Liu and K. Talwar, "Private selection from private candidates", STOC, 2019.
    N. Papernot and T. Steinke, "Hyperparameter tuning with Rényi differential privacy", ICLR, 2022.
    """
    log_gamma = _log_gamma(_checks.number("mean_runs", mean_runs, low=1, open_low=True))
    once = float(np.min((1 - 1 / orders) * run - log_gamma / orders))
    curve = run + once + np.log(mean_runs) / (orders - 1)
    # RDP rises with the order: what a higher one has holds for a lower one too.
    return np.asarray(np.minimum.accumulate(curve[::-1])[::-1])


@lru_cache(maxsize=16)
def _log_gamma(mean_runs: float) -> float:
    """Return ln γ of the logarithmic distribution with mean E[K] = ``mean_runs``.

    γ solves (1/γ - 1)/ln(1/γ) = E[K].
    """
    return float(brentq(lambda t: np.expm1(-t) / -t - mean_runs, -50.0, -1e-9, xtol=1e-12))


def charged_epsilon(
    problem: Problem, methods: Sequence[str], epsilon: float, delta: float, n_releases: int = 1
) -> float:
    """Return the ε at δ of publishing the best of several (ε, δ)-DP runs, chosen by a noisy score.

    The number of runs is random, with mean `MEAN_RUNS`. A run draws one of the methods at random,
    and trains this method on the training records, with (ε, δ)-DP. The score of the run is the loss
    on the test records plus noise, which makes the score (ε, δ)-DP too. The run with the best score
    is published.

    Two neighbouring data sets differ in one replaced record, in the training or in the test part.
    A run therefore costs no more for its model and its score together than for one of the two.

    Parameters
    ----------
    problem : Problem
        The learning problem.
    methods : sequence of str
        The candidates, without affine hulls, which have a different guarantee.
    epsilon, delta : float
        ε and δ of one run. The returned ε is at the same δ.
    n_releases : int
        Number of results that are published in this way.

    Returns
    -------
    float
        Upper bound on ε by Rényi DP; if all methods are pure DP, at most 2ε per result.
    """
    run = np.max([_run_rdp(problem, name, epsilon, delta) for name in methods], axis=0)
    cost = float(rdp.to_epsilon(n_releases * selected_rdp(run, MEAN_RUNS), delta))
    return min(cost, 2 * epsilon * n_releases) if set(methods) == {"joint"} else cost


def _run_rdp(problem: Problem, method: str, epsilon: float, delta: float) -> Floats:
    event = method_event(problem, method, epsilon, delta)
    if isinstance(event, LaplaceEvent):
        return rdp.curve(LaplaceEvent(event.noise_multiplier / 2))
    mu = signal(event)
    if mu is None:
        raise ValueError(
            f"method={method!r} is not allowed: give one whose noise protects the class too."
        )
    return rdp.curve(GaussianEvent(1 / mu))


@dataclass(frozen=True, kw_only=True)
class ChargedChoice:
    """Privacy cost and error of selecting a method on the private table.

    - ``total``: ε of the selection if every run has the requested ε.
    - ``run``: ε of each run if the selection is to have the requested ε in total.
    - ``error``: error of the selected run, with the middle 80 % of simulations. It is None if
      ``run`` is below the grid of ε.
    """

    total: float
    run: float
    error: Estimate | None


def charged_choice(problem: Problem, params: ChooseParams, costs: Costs) -> ChargedChoice:
    """Return the privacy cost and the error of selecting a method on the private table, at the ε of the parameters.

    The error is from 2000 simulated selections of the best noisy score among K runs. A simulated
    run is one of the existing runs of a random method, so no method is trained again.
    """
    names = [name for name in costs.tried if name not in LABELS_OPEN]
    delta, whole = params.delta, params.epsilon

    def left(log_run: float) -> float:
        return charged_epsilon(problem, names, float(np.exp(log_run)), delta) - whole

    low = np.log(whole / 20)
    # The root is taken from below: what is left for a run is never said to be more.
    run = (
        float(np.exp(brentq(left, low, np.log(whole), xtol=1e-4) - 1e-4)) if left(low) < 0 else 0.0
    )
    total = charged_epsilon(problem, names, whole, delta)
    error = _simulated(problem, params, costs, names, run) if run >= EPSILON_GRID[0] else None
    return ChargedChoice(total=total, run=run, error=error)


def _simulated(
    problem: Problem, params: ChooseParams, costs: Costs, names: Sequence[str], run: float
) -> Estimate:
    rng = np.random.default_rng((params.seed, 13))
    draws = min(len(costs.tried[name].errors) for name in names)
    errors = np.array([costs.tried[name].errors[:draws] for name in names])  # (M, S, K)
    at_run = between(errors, run)
    runs = rng.logseries(-np.expm1(_log_gamma(MEAN_RUNS)), _SIMULATED)
    scored = _scores(problem, params, run, rng)
    selected_errors = []
    for k in np.minimum(runs, 500):
        error = rng.choice(at_run.ravel(), k)
        selected_errors.append(error[scored(error).argmin()])
    return Estimate.of(selected_errors, over="noise, method and number of runs", direction="lower")


def _scores(
    problem: Problem, params: ChooseParams, run: float, rng: np.random.Generator
) -> Callable[[Floats], Floats]:
    """Return a function that adds noise to the mean losses of runs on the m test records.

    Replacing a record changes a mean loss by at most the range of a loss divided by m.
    """
    m = len(problem.y_test)
    if problem.classifies:
        mu = signal(method_event(problem, "softmax", run, params.delta)) or 1.0
        return lambda error: error + rng.standard_normal(len(error)) / (mu * m)
    span = problem.bounds.target_high - problem.bounds.target_low
    return lambda error: error**2 + rng.laplace(size=len(error)) * span**2 / (run * m)
