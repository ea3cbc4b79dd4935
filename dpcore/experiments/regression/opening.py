"""Jiang's opening example: two tables of patients that differ in one, and what an attacker makes of answers.

The question is how many of five suffer from diabetes. The attacker knows everybody but the last one, asks n times,
averages, and says "Chandler has it" where the average is nearer to 3 than to 2.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.grids import EPSILON_GRID

__all__ = [
    "ANSWERS", "ATTACKED", "PLACES", "TABLE", "averaged_density", "difference", "difference_right",
    "guesses_right",
]  # fmt: skip

Floats = NDArray[np.float64]
TABLE = (("Ross", 1), ("Monica", 1), ("Joey", 0), ("Phoebe", 0), ("Chandler", 1))
"""The first table as printed; in the second one the last person's entry is 0."""
ATTACKED = "Chandler"
ANSWERS: tuple[int, ...] = (1, 2, 5, 10, 20, 50, 100)
PLACES: Floats = np.linspace(-2.0, 7.0, 91)
_CELLS, _REACH = 2**15, 64.0


@lru_cache(maxsize=16)
def _unit(n: int) -> tuple[Floats, Floats, Floats]:
    """Places, density and distribution function of the mean of n standard Laplace numbers.

    By the inverse transform of its characteristic function (1 + t²/n²)^-n.
    """
    width = _REACH / np.sqrt(n)
    step = 2 * width / _CELLS
    places = (np.arange(_CELLS) - _CELLS // 2) * step
    t = 2 * np.pi * np.fft.fftfreq(_CELLS, step)
    density = np.fft.fftshift(np.fft.ifft((1 + np.square(t / n)) ** float(-n)).real) / step
    below = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2) * step])
    return places, np.maximum(density, 0), below / below[-1]


def averaged_density(n_answers: int) -> Floats:
    """Return the density of the mean of n noisy answers about the first table at `PLACES`, (E, 91)."""
    places, density, _ = _unit(n_answers)
    truth = sum(value for _, value in TABLE)
    scaled = np.array(EPSILON_GRID)[:, None]
    return scaled * np.interp(scaled * (PLACES - truth), places, density, left=0, right=0)


def guesses_right(n_answers: int) -> Floats:
    """Return how often the attacker is right, (E,): P[mean of n Laplace(1/ε) < 1/2]."""
    places, _, below = _unit(n_answers)
    return np.interp(np.array(EPSILON_GRID) / 2, places, below)


def difference(epsilon: float, seed: int) -> tuple[float, float]:
    """Return two noisy counts, of all five and of the first four: their difference is the last person's entry.

    Each gets Lap(1/ε). Both together cost 2ε for whoever is in both, and ε for the last one.
    """
    noise = np.random.default_rng((seed, 15)).laplace(scale=1 / epsilon, size=2)
    entries = [value for _, value in TABLE]
    return sum(entries) + float(noise[0]), sum(entries[:-1]) + float(noise[1])


def difference_right(epsilon: float) -> float:
    """Return how often a difference above ½ tells the truth: P[Z − Z' < ½] of two Laplace(1/ε).

    Examples
    --------
    >>> round(difference_right(1.0), 3)
    0.621
    """
    half = epsilon / 2
    return float(1 - (2 + half) * np.exp(-half) / 4)
