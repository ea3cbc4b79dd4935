"""What it costs to choose the best of several private runs on the same data, and what is found that way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from dpcore import _checks
from dpcore.accounting import GaussianEvent, LaplaceEvent, rdp
from dpcore.estimate import Estimate
from dpcore.experiments.choose.costs import NODES, Costs
from dpcore.experiments.choose.events import method_event, signal
from dpcore.experiments.choose.params import LABELS_OPEN, ChooseParams
from dpcore.experiments.choose.problem import Problem
from dpcore.experiments.grids import EPSILON_GRID

__all__ = ["MEAN_RUNS", "ChargedChoice", "charged_choice", "charged_epsilon", "selected_rdp"]

Floats = NDArray[np.float64]
MEAN_RUNS = 10.0
"""How many runs there are on average, each by a method drawn at random."""
_SIMULATED = 2000


def selected_rdp(run: Floats, mean_runs: float, orders: Floats = rdp.ORDERS) -> Floats:
    """Return the Rényi DP of the best of K runs, K logarithmic: of the published one with its score.

    ε′(λ) = ε(λ) + min_λ̂ [(1 - 1/λ̂) ε(λ̂) + ln(1/γ)/λ̂] + ln E[K]/(λ - 1), P[K = k] ∝ (1 - γ)^k/k
    (Papernot and Steinke 2022, Theorem 2 with η = 0). Of pure ε-DP runs the best is 2ε-DP; Liu and Talwar (2019)
    have 3ε with a geometric number of runs.

    Parameters
    ----------
    run : ndarray (n_orders,)
        RDP of one run: of its model and its score together.
    mean_runs : float
        E[K] > 1.
    orders : ndarray (n_orders,)
        λ ≥ 2.

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
    found = run + once + np.log(mean_runs) / (orders - 1)
    # RDP rises with the order: what a higher one has holds for a lower one too.
    return np.asarray(np.minimum.accumulate(found[::-1])[::-1])


@lru_cache(maxsize=16)
def _log_gamma(mean_runs: float) -> float:
    """ln γ with (1/γ - 1)/ln(1/γ) = E[K]."""
    return float(brentq(lambda t: np.expm1(-t) / -t - mean_runs, -50.0, -1e-9, xtol=1e-12))


def charged_epsilon(
    problem: Problem, methods: Sequence[str], epsilon: float, delta: float, n_releases: int = 1
) -> float:
    """Return the ε at δ of publishing the best of runs that cost (ε, δ) each, chosen by a noisy score.

    Every run draws a method at random, learns with ε from the training part, and counts its mistakes on the test
    part with noise of the same strength; a replaced record lies in one of the parts. The best score wins.

    Parameters
    ----------
    problem : Problem
        What is learned.
    methods : sequence of str
        The candidates; affine hulls have another guarantee and are none.
    epsilon, delta : float
        Of one run; δ also of the whole.
    n_releases : int
        How many results are published in this way.

    Returns
    -------
    float
        An upper bound: by Rényi DP, the only account of a choice that we have; for pure ε not above 2ε each.
    """
    run = np.max([_run_rdp(problem, name, epsilon, delta) for name in methods], axis=0)
    found = float(rdp.to_epsilon(n_releases * selected_rdp(run, MEAN_RUNS), delta))
    return min(found, 2 * epsilon * n_releases) if set(methods) == {"joint"} else found


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
    """Choosing on the private table itself, paid for: ``total`` is the ε that a run of ε costs when chosen.

    ``run`` is the ε that is left for each run where the whole may cost ε; ``error`` what is then found, with the
    middle 80 %: None where ``run`` is below the grid.
    """

    total: float
    run: float
    error: Estimate | None


def charged_choice(problem: Problem, params: ChooseParams, costs: Costs) -> ChargedChoice:
    """Return what choosing among all methods on the table costs at the ε of the parameters, and what it finds.

    The error is that of 2000 simulated choices: K runs, each a method and one of its tries at random, the best by
    its score with noise. No method is trained anew.
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
    place = np.interp(np.log(run), np.log(NODES), np.arange(float(len(NODES))))
    low = min(int(place), len(NODES) - 2)
    errors = np.array([costs.tried[name].errors[:draws] for name in names])  # (M, S, K)
    at_run = (1 - (place - low)) * errors[..., low] + (place - low) * errors[..., low + 1]
    runs = rng.logseries(-np.expm1(_log_gamma(MEAN_RUNS)), _SIMULATED)
    scored = _scores(problem, params, run, rng)
    found = []
    for k in np.minimum(runs, 500):
        error = rng.choice(at_run.ravel(), k)
        found.append(error[scored(error).argmin()])
    return Estimate.of(found, over="noise, method and number of runs", direction="lower")


def _scores(
    problem: Problem, params: ChooseParams, run: float, rng: np.random.Generator
) -> Callable[[Floats], Floats]:
    """The noisy mean losses of runs with these errors: a record moves the mean by the range of a loss over m."""
    m = len(problem.y_test)
    if problem.classifies:
        mu = signal(method_event(problem, "softmax", run, params.delta)) or 1.0
        return lambda error: error + rng.standard_normal(len(error)) / (mu * m)
    span = problem.bounds.target_high - problem.bounds.target_low
    return lambda error: error**2 + rng.laplace(size=len(error)) * span**2 / (run * m)
