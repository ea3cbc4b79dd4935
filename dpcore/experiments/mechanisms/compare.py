"""Mechanisms against each other: error, dimensions, local against central noise."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.mechanisms.guarantee import noise_of
from dpcore.experiments.mechanisms.params import PEOPLE_GRID
from dpcore.mechanisms import gaussian_sigma, randomized_response

__all__ = ["DIMENSIONS", "Comparison", "compare"]

Floats = NDArray[np.float64]
DIMENSIONS = np.unique(np.rint(np.geomspace(1, 100, 31)))


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Errors of several mechanisms; E = 50 values of ε, D = 6 of δ. All in units of Δ or of a share.

    ``errors``: mean |noise| by name, (E,) or (E, D); ``spread_laplace`` (E, n), ``spread_gaussian``
    and ``spread_classical`` (E, D, n): standard deviation per coordinate of a vector of n numbers
    that one record moves by 1 each; ``crossing`` and ``crossing_classical`` (E, D): the n from which
    Gaussian noise is the smaller; ``central`` (E, p) and ``local`` (E, p): standard deviation of the
    error of a sum of p people; ``response`` (E, p): of a count by randomized response.
    """

    errors: dict[str, Floats]
    spread_laplace: Floats
    spread_gaussian: Floats
    spread_classical: Floats
    crossing: Floats
    crossing_classical: Floats
    central: Floats
    local: Floats
    response: Floats


@lru_cache(maxsize=1)
def compare() -> Comparison:
    """Return the comparison at every ε and δ; nothing in it depends on data.

    Returns
    -------
    Comparison
        Made once: leave its arrays (E, D, n) as they are.
    """
    eps = np.array(EPSILON_GRID)
    exact, printed = (
        np.array(
            [[gaussian_sigma(1.0, e, delta=d, calibration=kind) for d in DELTA_GRID] for e in eps]
        )
        for kind in ("analytic", "classical")
    )
    laplace = np.sqrt(2) / eps
    people = np.array(PEOPLE_GRID, float)
    one = np.sqrt(2 / np.pi)
    stairs = np.array([noise_of("staircase", e, 0.5).mean_error() for e in EPSILON_GRID])
    answers = [[_response(e, n) for n in PEOPLE_GRID] for e in EPSILON_GRID]
    return Comparison(
        errors={
            "laplace": 1 / eps, "staircase": stairs, "geometric": geometric_error(eps), "gaussian": one * exact,
            "classical": one * printed,
        },
        spread_laplace=laplace[:, None] * DIMENSIONS,
        spread_gaussian=exact[..., None] * np.sqrt(DIMENSIONS),
        spread_classical=printed[..., None] * np.sqrt(DIMENSIONS),
        crossing=np.square(exact / laplace[:, None]),
        crossing_classical=np.square(printed / laplace[:, None]),
        central=np.broadcast_to(laplace[:, None], (len(eps), len(people))),
        local=laplace[:, None] * np.sqrt(people),
        response=np.array(answers),
    )  # fmt: skip


def geometric_error(epsilon: ArrayLike) -> Floats:
    """Return the mean |error| 2a/(1 - a²), a = e^{-ε}, of two-sided geometric noise on a count, any shape.

    P[Z = z] = (1 - a)/(1 + a) a^{|z|} on whole numbers z: (ε, 0)-private for a count that one record moves by 1.

    References
    ----------
    A. Ghosh, T. Roughgarden and M. Sundararajan, "Universally utility-maximizing privacy mechanisms",
    SIAM Journal on Computing 41(6), 2012.
    """
    a = np.exp(-np.asarray(epsilon, float))
    return np.asarray(2 * a / (1 - a**2))


def _response(epsilon: float, n_people: int) -> float:
    """Deviation of a count estimated by randomized response when half of the people say yes."""
    return n_people * float(randomized_response(epsilon).standard_error(0.5, n_people))
