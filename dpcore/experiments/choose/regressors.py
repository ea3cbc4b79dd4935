"""The regressions that are compared, all with one guarantee: (ε, δ) where one record is replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.choose.problem import Problem
from dpcore.regression import (
    Draws,
    Repair,
    ada_ssp,
    gaussian_statistics,
    gradient_descent,
    joint_release,
    output_perturbation,
)

__all__ = ["DESCENT", "RUNS", "coefficients", "predicted"]

Floats = NDArray[np.float64]
Run = Callable[[Problem, Floats, float, int], Floats]
_REPAIR = Repair(kind="floor", floor=2.0)  # for few records, whatever the data
DESCENT: dict[str, Any] = {"n_steps": 20, "learning_rate": 0.5, "clip_norm": 1.0}


def _joint(p: Problem, epsilons: Floats, delta: float, rng: np.random.Generator) -> Draws:
    return joint_release(p.sums, epsilons, 1, rng, repair=_REPAIR)


def _gaussian(p: Problem, epsilons: Floats, delta: float, rng: np.random.Generator) -> Draws:
    return gaussian_statistics(p.sums, epsilons, delta, 1, rng, repair=_REPAIR)


def _adassp(p: Problem, epsilons: Floats, delta: float, rng: np.random.Generator) -> Draws:
    return ada_ssp(p.sums, epsilons, delta, 1, rng)


def _output(p: Problem, epsilons: Floats, delta: float, rng: np.random.Generator) -> Draws:
    return output_perturbation(p.sums, epsilons, delta, 1, rng)


def _descent(p: Problem, epsilons: Floats, delta: float, rng: np.random.Generator) -> Draws:
    y = p.bounds.scale_target(p.y)
    return gradient_descent(p.X, y, epsilons, delta, 1, rng, **DESCENT)


_FITS: dict[str, Callable[..., Draws]] = {
    "joint": _joint,
    "gaussian": _gaussian,
    "adassp": _adassp,
    "output": _output,
    "descent": _descent,
}


def coefficients(
    method: str, problem: Problem, epsilons: Floats, delta: float, seed: int
) -> Floats:
    """Return the weights (E, d + 1) of one draw of a method at every ε, on [-1, 1]."""
    found = _FITS[method](problem, epsilons, delta, np.random.default_rng((seed, 7)))
    return np.asarray(found.coefficients[0])


def predicted(problem: Problem, theta: Floats, X: Floats) -> Floats:
    """Return what weights (E, d + 1) predict for people (m, d), in the target's unit and its bounds."""
    rows = np.column_stack([np.ones(len(X)), X])
    # A weight far out says as much as one at the end: predictions are put on the bounds.
    found = np.clip(np.nan_to_num(theta), -1e30, 1e30) @ rows.T
    return problem.bounds.unscale_target(np.clip(found, -1, 1))


def _run(method: str) -> Run:
    def run(problem: Problem, epsilons: Floats, delta: float, seed: int) -> Floats:
        theta = coefficients(method, problem, epsilons, delta, seed)
        return predicted(problem, theta, problem.X_test)

    return run


RUNS: dict[str, Run] = {method: _run(method) for method in _FITS}
"""Predictions (E, m) of the test people's targets at every ε, by one draw of the noise."""
