"""Noise at four places of one task: in the records, the result, the objective, or every gradient."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpcore.descent.erm import RegularisedLogistic, minimise, output_sensitivity
from dpcore.descent.objective import objective_noise, perturbed_minimiser, unit_rows
from dpcore.experiments.descent.data import named_problem
from dpcore.experiments.descent.params import LAMBDA_GRID
from dpcore.mechanisms import gaussian_sigma

__all__ = ["N_PLACE_DRAWS", "PLACES", "PLACE_NODES", "Places", "Task", "run_places", "task"]

Floats = NDArray[np.float64]
PLACES: dict[str, str] = {
    "objective": "in the objective",
    "gradient": "on every gradient",
    "output": "on the result",
    "input": "on every record",
}
"""Where the noise goes, with words for it."""
PLACE_NODES: tuple[float, ...] = (0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 3.2, 5.0, 8.0, 12.0, 20.0)
"""The ε at which everything is computed."""
N_PLACE_DRAWS = 40
N_STEPS = 40
_EVERY = 5  # draws between two results


@dataclass(frozen=True, eq=False)
class Task:
    """Rows (n, d + 1) of norm at most 1 and labels 0 or 1 to learn from, and others to test on."""

    X: Floats
    y: Floats
    X_test: Floats
    y_test: Floats

    def accuracy(self, weights: Floats) -> Floats:
        """Return the test accuracy of weights (..., d + 1)."""
        return cast(Floats, ((weights @ self.X_test.T > 0) == (self.y_test > 0)).mean(-1))

    def strength(self, regularisation: float) -> float:
        """Return λ on rows of norm 1 for λ on rows of [-1, 1]^d: weights are √(d + 1) times as long."""
        return regularisation / float(self.X.shape[1])

    def plain(self, regularisation: float) -> Floats:
        """Return the minimiser without noise, (d + 1,)."""
        return minimise(RegularisedLogistic(self.X, self.y, self.strength(regularisation)))

    @property
    def trivial(self) -> float:
        """The accuracy of the more frequent class for everybody."""
        frequent = float(self.y.mean() > 0.5)
        return float((self.y_test == frequent).astype(float).mean())


@lru_cache(maxsize=8)
def task(dataset: str) -> Task:
    """Return the task of one of the page's data sets: both coordinates, their product, and a constant.

    The product lets a linear model learn the corners; it is in [-1, 1] as the coordinates are.
    """
    found = named_problem(dataset, "logistic")
    first, second = (
        unit_rows(np.column_stack([X[:, :2], X[:, 0] * X[:, 1]])) for X in (found.X, found.X_test)
    )
    return Task(first, found.y, second, found.y_test)


@dataclass(frozen=True, kw_only=True)
class Places:
    """D draws of the four places at K = 12 values of ε: ``accuracy`` (4, D, K) on the test.

    ``exact``: the same objective without noise; ``best``: with the best λ there is; ``trivial``: the more
    frequent class for everybody.
    """

    accuracy: Floats
    exact: float
    best: float
    trivial: float

    def quantiles(self) -> Floats:
        """Return what 10, 50 and 90 of 100 draws stay below, (3, 4, K)."""
        return np.quantile(self.accuracy, (0.1, 0.5, 0.9), axis=1)


def run_places(
    dataset: str,
    regularisation: float,
    delta: float,
    seed: int,
    *,
    n_draws: int = N_PLACE_DRAWS,
    check: Callable[[], None] = lambda: None,
) -> Iterator[Places]:
    """Yield better and better results, five draws more each time; the same noise at every ε.

    All four release one model with (ε, δ) where one record is replaced and n is public. The noise
    is Gaussian, and 2 is the most by which a record moves what it is added to: a signed row s·x, or a sum of
    gradients; the result moves by G/(nλ).

    Parameters
    ----------
    dataset : str
        As in `named_problem`.
    regularisation : float
        λ > 0 of λ‖w‖² for rows on [-1, 1]^d.
    delta : float
        δ in (0, 1).
    seed : int
        Names the noise.
    n_draws : int
        How many draws, ≥ 1.
    check : callable
        Asked between draws, ends the work by raising.

    Yields
    ------
    Places
    """
    problem = task(dataset)
    lines = {
        "exact": float(problem.accuracy(problem.plain(regularisation))),
        "best": max(float(problem.accuracy(problem.plain(s))) for s in LAMBDA_GRID),
        "trivial": problem.trivial,
    }
    rows: list[Floats] = []
    for draw in range(n_draws):
        check()
        weights = [make(problem, regularisation, delta, (seed, draw)) for make in _MAKE.values()]
        rows.append(problem.accuracy(np.array(weights)))
        if (draw + 1) % _EVERY == 0 or draw + 1 == n_draws:
            yield Places(accuracy=np.stack(rows, axis=1), **lines)


def _input(problem: Task, regularisation: float, delta: float, seed: tuple[int, int]) -> Floats:
    """Each signed row s·x gets noise; then an ordinary minimiser learns from what was published."""
    unit = np.random.default_rng([*seed, 1]).standard_normal(problem.X.shape)
    ones, found = np.ones(len(unit)), []
    for epsilon in PLACE_NODES:
        seen = noisy_rows(problem.X, problem.y, gaussian_sigma(2.0, epsilon, delta=delta), unit)
        found.append(minimise(RegularisedLogistic(seen, ones, problem.strength(regularisation))))
    return np.array(found)


def noisy_rows(X: Floats, y: Floats, sigma: float, unit: Floats) -> Floats:
    """Return rows (n, d + 1), turned round for class 0, with noise σ times ``unit`` (n, d + 1)."""
    return X * np.where(y > 0, 1.0, -1.0)[:, None] + sigma * unit


def _output(problem: Task, regularisation: float, delta: float, seed: tuple[int, int]) -> Floats:
    """Noise once, on the minimiser."""
    w = problem.plain(regularisation)
    reach = output_sensitivity(1.0, problem.strength(regularisation), n_samples=len(problem.y))
    unit = np.random.default_rng([*seed, 2]).standard_normal(len(w))
    return np.array([w + gaussian_sigma(reach, e, delta=delta) * unit for e in PLACE_NODES])


def _objective(problem: Task, regularisation: float, delta: float, seed: tuple[int, int]) -> Floats:
    """A random linear term, and the minimiser of what that makes."""
    found = []
    for epsilon in PLACE_NODES:
        strength = problem.strength(regularisation)
        noise = objective_noise(epsilon, delta, strength, len(problem.y))
        rng = np.random.default_rng([*seed, 3])
        found.append(perturbed_minimiser(problem.X, problem.y, noise, rng))
    return np.array(found)


def _gradient(problem: Task, regularisation: float, delta: float, seed: tuple[int, int]) -> Floats:
    """Forty steps on everybody, noise on every sum; T such Gaussians are one with σ/√T."""
    strength, n = problem.strength(regularisation), len(problem.y)
    unit = np.random.default_rng([*seed, 4]).standard_normal((N_STEPS, problem.X.shape[1]))
    sigma = np.array([gaussian_sigma(2.0, e, delta=delta) for e in PLACE_NODES]) * math.sqrt(
        N_STEPS
    )
    return descend_everybody(problem.X, problem.y, strength, sigma, unit, n)[:, -1]


def descend_everybody(
    X: Floats, y: Floats, strength: float, sigma: Floats, unit: Floats, n_samples: int
) -> Floats:
    """Return weights (K, T + 1, d + 1) through T steps with noise σ (K,) times ``unit`` (T, d + 1).

    No gradient is clipped: rows of norm at most 1 have none that is longer. The step 1/(1/4 + 2λ) suits
    all of them.
    """
    weights, step = np.zeros((len(sigma), X.shape[1])), 1 / (0.25 + 2 * strength)
    path = [weights]
    for z in unit:
        total = (expit(weights @ X.T) - y) @ X + sigma[:, None] * z
        weights = weights - step * (total / n_samples + 2 * strength * weights)
        path.append(weights)
    return np.stack(path, axis=1)


_MAKE: dict[str, Callable[[Task, float, float, tuple[int, int]], Floats]] = {
    "objective": _objective,
    "gradient": _gradient,
    "output": _output,
    "input": _input,
}
