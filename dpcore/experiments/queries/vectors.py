"""Many numbers at once: L1 against L2 sensitivity, Laplace against Gaussian noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import sensitivity
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.queries.params import NUMBERS, QueriesParams
from dpcore.guarantee import Guarantee, Neighbouring
from dpcore.mechanisms import Additive, Gaussian, Laplace, gaussian_sigma

__all__ = ["SHOWN", "Numbers", "mechanism", "numbers", "promise", "sensitivities"]

Floats = NDArray[np.float64]
SHOWN = 20
"""So many of the numbers are drawn at most."""
_COUNTS = np.array([38, 31, 27, 34, 22, 25, 17, 29, 13, 19, 24, 11, 16, 9, 21, 7, 12, 5, 8, 3.0])


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """E = 50 values of ε, D of δ, K how many numbers k.

    ``first``, ``second`` (K,): L1 and L2 sensitivity; ``laplace`` (E, K) and ``gaussian`` (E, D, K): the
    standard deviation of each number; ``noise`` (2, 20): unit Laplace and Gaussian draws; ``counts`` (20,)
    what is true; ``crossing`` (E, D): the k from which Gaussian noise is smaller, inf where it never is.
    """

    first: Floats
    second: Floats
    laplace: Floats
    gaussian: Floats
    noise: Floats
    counts: Floats
    crossing: Floats


def sensitivities(shape: str, n_numbers: int, neighbouring: Neighbouring) -> tuple[float, float]:
    """Return the L1 and L2 sensitivity of k counts.

    A histogram puts a person into one of k cells: 1 and 1 when a person is added or removed, 2 and √2 when
    replaced. k yes/no questions count a person up to k times: k and √k, also when replaced, as
    every count moves by 1 at most.

    Examples
    --------
    >>> sensitivities("histogram", 10, "replace_one")[0], sensitivities("vector", 9, "add_remove")
    (2.0, (9.0, 3.0))
    """
    if shape == "vector":
        return float(n_numbers), math.sqrt(n_numbers)
    if n_numbers == 1:  # one cell holds everybody: their number, public where one is replaced
        size = sensitivity.count(neighbouring=neighbouring)
        return size, size
    return (
        sensitivity.histogram(norm=1, neighbouring=neighbouring),
        sensitivity.histogram(norm=2, neighbouring=neighbouring),
    )


@lru_cache(maxsize=1)
def _sigmas() -> Floats:
    return np.array([[gaussian_sigma(1.0, e, delta=d) for d in DELTA_GRID] for e in EPSILON_GRID])


def numbers(params: QueriesParams) -> Numbers:
    """Return the noise of k numbers at every ε, δ and k.

    Examples
    --------
    >>> found = numbers(QueriesParams(topic="numbers", shape="vector"))
    >>> round(float(found.crossing[20, 3]), 3)   # ε = 1, δ = 1e-5
    6.959
    """
    relation = cast(Neighbouring, params.relation)
    reach = np.array([sensitivities(params.shape, k, relation) for k in NUMBERS])
    first, second = reach.T
    sigma, root = _sigmas(), np.sqrt(2) / np.array(EPSILON_GRID)
    crossing = np.square(sigma / root[:, None])
    rng = np.random.default_rng(params.seed)
    return Numbers(
        first=first, second=second, laplace=root[:, None] * first,
        gaussian=sigma[..., None] * second,
        noise=np.stack([Laplace(epsilon=math.sqrt(2)).sample(np.zeros(SHOWN), rng),
                        rng.standard_normal(SHOWN)]),
        counts=_COUNTS,
        crossing=crossing if params.shape == "vector" else np.full_like(crossing, np.inf),
    )  # fmt: skip


def mechanism(params: QueriesParams) -> Additive:
    """Return the noise for all k numbers together: Laplace of Δ₁, or Gaussian of Δ₂."""
    relation = cast(Neighbouring, params.relation)
    first, second = sensitivities(params.shape, params.n_numbers, relation)
    if params.noise == "gaussian":
        return Gaussian(
            epsilon=params.epsilon, delta=params.delta, sensitivity=second, neighbouring=relation
        )
    return Laplace(epsilon=params.epsilon, sensitivity=first, neighbouring=relation)


def promise(params: QueriesParams) -> Guarantee:
    """Return what all k noisy numbers promise together."""
    made = mechanism(params)
    norm = "L2" if params.noise == "gaussian" else "L1"
    who = "in one of them" if params.shape == "histogram" else "in all of them"
    return replace(
        made.privacy,
        argument=f"{made.name} noise on each of {params.n_numbers} counts; a person counts {who}, so that the "
        f"{norm} norm of all changes is at most {made.sensitivity:.3g}.",
    )
