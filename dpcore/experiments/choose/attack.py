"""What an attacker can do at an ε: the bound of the proof, and what two attacks reach.

Shares of right guesses where somebody is as likely in the data as another person is in their place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_softmax, ndtr

from dpcore import audit
from dpcore.experiments.choose import classifiers, regressors
from dpcore.experiments.choose.costs import NODES, between
from dpcore.experiments.choose.left import unit_sigmas
from dpcore.experiments.choose.params import ChooseParams
from dpcore.experiments.choose.problem import Problem

__all__ = ["knows_all", "most_right", "sees_model"]

Floats = NDArray[np.float64]
_DRAWS = 8


def most_right(epsilon: ArrayLike, delta: float) -> Floats:
    """Return the largest share of right guesses that (ε, δ) allows any attacker: (e^ε + δ)/(1 + e^ε).

    From FPR + e^ε FNR ≥ 1 - δ in both orders: the sum of the errors is at least 2(1 - δ)/(1 + e^ε).

    Examples
    --------
    >>> most_right([0.0, 1.0], 0.0).round(3).tolist()
    [0.5, 0.731]
    """
    odds = np.exp(np.asarray(epsilon, float))
    return cast(Floats, np.minimum((odds + delta) / (1 + odds), 1.0))


def knows_all(epsilons: ArrayLike, delta: float) -> Floats:
    """Return how often the best attacker on one Gaussian release is right: Φ(1/2σ), exactly.

    That attacker knows everybody else's record and both values the record may have, and compares the
    likelihoods (Neyman and Pearson); σ is the smallest noise with (ε, δ) at sensitivity 1.

    Examples
    --------
    >>> bool(knows_all([1.0], 1e-5)[0] < most_right(1.0, 1e-5))
    True
    """
    return cast(Floats, ndtr(0.5 / unit_sigmas(epsilons, delta)))


def sees_model(
    problem: Problem, params: ChooseParams, check: Callable[[], None] = lambda: None
) -> audit.PointedAt:
    """Return, measured on the grid of ε (50,), whom somebody points at who has only the published model.

    They call those members whom the model fits better than a limit; 8 draws.
    """
    found = []
    for draw in range(_DRAWS):
        check()
        found.append(_fits(problem, params.delta, 100 * params.seed + draw))
    members, others = (np.array(part) for part in zip(*found, strict=True))
    seen = audit.pointed_at(members, others, np.random.default_rng((params.seed, 11)))
    return audit.PointedAt(members=between(seen.members), others=between(seen.others))


def _fits(problem: Problem, delta: float, seed: int) -> tuple[Floats, Floats]:
    """How badly the model fits members (K, n) and others (K, m)."""
    epsilons, y, y_test = np.array(NODES), problem.y, problem.y_test
    if not problem.classifies:
        theta = regressors.coefficients("gaussian", problem, epsilons, delta, seed)
        return (
            np.abs(regressors.predicted(problem, theta, problem.X) - y),
            np.abs(regressors.predicted(problem, theta, problem.X_test) - y_test),
        )
    model, weights = classifiers.trained("softmax", problem, epsilons, delta, seed)

    def loss(X: Floats, labels: NDArray[np.int64]) -> Floats:
        scores = log_softmax(model.scores(weights, np.hstack([X, np.ones((len(X), 1))])), axis=-1)
        return cast(Floats, -scores[:, np.arange(len(labels)), labels])

    return loss(problem.X, y), loss(problem.X_test, y_test)
