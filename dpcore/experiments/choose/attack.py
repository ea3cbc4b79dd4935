"""What an attacker can do at an ε: the bound of the proof, and what two attacks reach.

Shares of right guesses where somebody is as likely in the data as another person is in their place.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.interpolate import PchipInterpolator
from scipy.special import log_softmax, ndtr

from dpcore import audit
from dpcore._memo import ACCOUNTS
from dpcore.accounting import LaplaceEvent, Repeated, pld
from dpcore.accounting import Sequence as Sequential
from dpcore.experiments.choose import estimators
from dpcore.experiments.choose.costs import NODES, between
from dpcore.experiments.choose.params import ChooseParams
from dpcore.experiments.choose.problem import Problem
from dpcore.experiments.choose.releases import signals
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.regression import sensitivity

__all__ = [
    "MODELS_ATTACKED",
    "best_attack",
    "most_right",
    "sees_model",
]

Floats = NDArray[np.float64]
MODELS_ATTACKED = 8


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


def best_attack(problem: Problem, methods: Sequence[str | None], delta: float) -> Floats:
    """Return how often the best attack that we know on a method's own noise is right, (50,) at 50 to 50.

    The attacker knows everybody else's record and the two records that one may be, sees every number that the
    noise was added to, and takes the likelier one (Neyman and Pearson): half of one plus the total variation of
    two neighbours that we know. No test is better on these two; on others one may be.

    - Steps of descent and of learning vector quantization: gradients of the clipping norm, one the other's
      opposite. Φ(μ/2) with μ = 2/σ over all steps, the most that their noise allows any attack.
    - The generator: two records of different classes, codes of the clipping norm. Φ(μ/√8).
    - Noisy objective, sums and AdaSSP (whose eigenvalue is left out): the best of the pairs in corners of the
      public box that ``_shifts`` lists.
    - Affine hulls: every value moves through its whole range. Exact.
    - Noise on the result: no pair is known that moves it by its bound. NaN.

    Parameters
    ----------
    problem : Problem
        What is learned; the number of features counts.
    methods : sequence of 50 str or None
        The method at each ε of `EPSILON_GRID`; None gives NaN.
    delta : float
        δ in (0, 1).

    Examples
    --------
    >>> from dpcore.experiments.choose import named_problem
    >>> found = best_attack(named_problem("iris"), ["softmax"] * 50, 1e-5)
    >>> round(float(found[EPSILON_GRID.index(1.0)]), 4)
    0.5533
    """
    mu, found = signals(problem, methods, delta), np.full(len(EPSILON_GRID), np.nan)
    d = problem.n_features
    for at, name in enumerate(methods):
        if name in _REACHED:
            found[at] = ndtr(mu[at] * _REACHED[name] / 2)
        elif name in ("gaussian", "adassp"):
            found[at] = ndtr(mu[at] * _corner_share(name, d) / 2)
        elif name in ("joint", "hulls"):
            found[at] = _laplace_attack(name, d, delta)[at]
    return found


_REACHED = {
    "softmax": 1.0, "network": 1.0, "glvq": 1.0, "gmlvq": 1.0, "descent": 1.0, "generator": math.sqrt(0.5),
}  # fmt: skip
"""Which share of the largest signal two known neighbours reach."""


@lru_cache(maxsize=256)
def _corner_share(method: str, n_features: int) -> float:
    """The L2 distance of the farthest known pair over the sensitivity that the noise is made for."""
    reach = []
    for A, c in _shifts(n_features):
        diagonal, above = np.square(np.diag(A)).sum(), np.square(np.triu(A, 1)).sum()
        linear = np.square(c).sum()
        if method == "gaussian":
            reach.append((diagonal + 2 * above + 2 * linear) / sensitivity.svec(n_features) ** 2)
        else:  # three Gaussians of equal weight: A at √2 B², c at 2B, B² = d + 1
            B2 = n_features + 1
            reach.append(((diagonal + above) / (2 * B2**2) + linear / (4 * B2)) / 3)
    return math.sqrt(max(reach))


def _shifts(n_features: int) -> Iterator[tuple[Floats, Floats]]:
    """By how much Σxxᵀ and Σyx (intercept first) differ for pairs of corner records."""
    x = np.ones(n_features + 1)
    for flipped in range(n_features + 1):
        for value, y in itertools.product((-1.0, 0.0), (1.0, -1.0)):
            z = x.copy()
            z[1 : flipped + 1] = value
            yield np.outer(x, x) - np.outer(z, z), x - y * z


@ACCOUNTS.of
def _laplace_attack(method: str, n_features: int, delta: float) -> Floats:
    """The best known share of right guesses on Laplace noise, (50,): exact at `NODES`, monotone cubics between."""
    at_nodes = [_at_node(method, n_features, epsilon, delta) for epsilon in NODES]
    curve = PchipInterpolator(np.log(NODES), at_nodes)
    return cast(Floats, np.clip(curve(np.log(EPSILON_GRID)), 0.5, 1.0))


def _at_node(method: str, n_features: int, epsilon: float, delta: float) -> float:
    if method == "hulls":
        one = estimators.element_epsilon(epsilon, n_features, delta)
        return _right_on({one: n_features})
    shifts = [
        np.abs(np.concatenate([A[np.triu_indices(n_features + 1)], c]))
        for A, c in _shifts(n_features)
    ]
    # The pair that moves the sums farthest in either norm: the first for little noise, the second for much.
    farthest = (max(shifts, key=np.sum), max(shifts, key=lambda moved: float(moved @ moved)))
    return max(_right_on(_in_scales(moved, n_features, epsilon)) for moved in farthest)


def _in_scales(moved: Floats, n_features: int, epsilon: float) -> dict[float, int]:
    sizes, counts = np.unique(moved[moved > 0], return_counts=True)
    scales = epsilon * sizes / sensitivity.joint(n_features)
    return dict(zip(scales.tolist(), counts.tolist(), strict=True))


@lru_cache(maxsize=4096)
def _right_on_parts(parts: tuple[tuple[float, int], ...]) -> float:
    loss = sum(shift * count for shift, count in parts)
    event = Sequential(tuple(Repeated(LaplaceEvent(1 / shift), count) for shift, count in parts))
    found = pld.fine_distribution(event, neighbouring="add_remove", rough=loss)
    return (1 + float(found.get_delta_for_epsilon(0.0))) / 2


def _right_on(shifts: dict[float, int]) -> float:
    """Half of one plus the total variation of numbers with Laplace noise that move by so many scales each."""
    return _right_on_parts(tuple(sorted(shifts.items())))


def sees_model(
    problem: Problem, params: ChooseParams, check: Callable[[], None] = lambda: None
) -> audit.PointedAt:
    """Return, measured on the grid of ε (50,), whom somebody points at who has only the published model.

    They call those members whom the model fits better than a limit; 8 draws.
    """
    found = []
    for draw in range(MODELS_ATTACKED):
        check()
        found.append(_fits(problem, params.delta, 100 * params.seed + draw))
    members, others = (np.array(part) for part in zip(*found, strict=True))
    seen = audit.pointed_at(members, others, rng=np.random.default_rng((params.seed, 11)))
    return _on_grid(seen)


def _on_grid(seen: audit.PointedAt) -> audit.PointedAt:
    each = None if seen.each is None else _on_grid(seen.each)
    return audit.PointedAt(members=between(seen.members), others=between(seen.others), each=each)


def _fits(problem: Problem, delta: float, seed: int) -> tuple[Floats, Floats]:
    """How badly the model fits members (K, n) and others (K, m)."""
    epsilons, y, y_test = np.array(NODES), problem.y, problem.y_test
    if not problem.classifies:
        theta = estimators.coefficients("gaussian", problem, epsilons, delta, seed)
        return (
            np.abs(estimators.predicted(problem, theta, problem.X) - y),
            np.abs(estimators.predicted(problem, theta, problem.X_test) - y_test),
        )
    model, weights = estimators.trained("softmax", problem, epsilons, delta, seed)

    def loss(X: Floats, labels: NDArray[np.int64]) -> Floats:
        scores = log_softmax(model.scores(weights, np.hstack([X, np.ones((len(X), 1))])), axis=-1)
        return cast(Floats, -scores[:, np.arange(len(labels)), labels])

    return loss(problem.X, y), loss(problem.X_test, y_test)
