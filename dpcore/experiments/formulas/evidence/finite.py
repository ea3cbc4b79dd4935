"""Small distributions, on which a definition or a theorem can be checked whole."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from dpcore._types import Floats
from dpcore.mechanisms import randomized_response

__all__ = ["definition_gap", "most_composed", "mutual_epsilon", "random_steps", "responses"]


def mutual_epsilon(p: Floats, q: Floats) -> float:
    """Return the least ε of two distributions at δ = 0: the largest |ln(p/q)|."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.nanmax(np.abs(np.log(p) - np.log(q))))


def definition_gap(p: Floats, q: Floats, epsilon: float) -> tuple[float, float]:
    """Return the least δ by every subset of the results, and by the sum over single results."""
    factor = math.exp(epsilon)
    whole = max(
        float(p[list(some)].sum() - factor * q[list(some)].sum())
        for size in range(len(p) + 1)
        for some in itertools.combinations(range(len(p)), size)
    )
    return whole, float(np.maximum(p - factor * q, 0).sum())


def responses(epsilon: float) -> tuple[Floats, Floats]:
    """Return what randomised response answers in either world, (2,) each."""
    truth = randomized_response(epsilon, 2).truth
    return np.array([truth, 1 - truth]), np.array([1 - truth, truth])


def random_steps(
    p: Floats, q: Floats, rng: np.random.Generator, n: int
) -> Iterator[tuple[Floats, Floats]]:
    """Return both worlds after n random further steps, the first of which changes nothing."""
    yield p, q
    for _ in range(n):
        step = rng.dirichlet(np.ones(3), size=len(p))
        yield p @ step, q @ step


def most_composed(epsilon: float, delta: float, n: int) -> float:
    """Return the δ at nε of n copies of the worst (ε, δ) mechanism (Kairouz, Oh and Viswanath 2017).

    The mechanism tells the world with probability δ and answers by randomised response otherwise.
    """
    p, q = responses(epsilon)
    p, q = np.append(p * (1 - delta), [delta, 0.0]), np.append(q * (1 - delta), [0.0, delta])
    together, other = np.ones(1), np.ones(1)
    for _ in range(n):
        together, other = np.outer(together, p).ravel(), np.outer(other, q).ravel()
    return float(np.maximum(together - math.exp(n * epsilon) * (1 + 1e-12) * other, 0).sum())
