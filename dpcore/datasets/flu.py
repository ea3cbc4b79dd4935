"""Synthetic data set of people with and without the flu, who differ in three of eight measurements."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks

__all__ = ["SHIFTS", "flu"]

_SEED = 15
_SPREAD = 1 / 3  # standard deviation, in half ranges: the bounds are three of them from the middle
_COLUMNS = {
    "age": (18, 90),  # years
    "fever": (35, 42),  # degrees Celsius
    "height": (140, 210),  # centimetres
    "pulse": (40, 160),  # beats a minute
    "shoe size": (34, 50),
    "cough": (0, 200),  # coughs a day
    "weight": (40, 130),  # kilograms
    "house no.": (1, 200),
}
SHIFTS = {"fever": 1.0, "cough": 0.9, "pulse": 0.8}
"""Shift of the mean by the flu, in standard deviations, for each measurement that depends on the flu."""


def flu(
    n_samples: int = 900, seed: int = _SEED
) -> tuple[NDArray[np.float64], NDArray[np.int64], dict[str, tuple[int, int]]]:
    """Return synthetic measurements of people, whether each person has the flu, and the bounds of the measurements.

    Every second person has the flu. All eight measurements are independent and normally distributed, with a standard
    deviation of a sixth of the range between the bounds. The means of three measurements are shifted, up for people
    with the flu and down for people without it, by 1 (fever), 0.9 (cough) and 0.8 (pulse) standard deviations. The
    other five measurements have the same distribution in both classes. Values outside the bounds are clipped.

    A classifier that knows these distributions and uses the three measurements is right with probability
    Φ(√(1² + 0.9² + 0.8²)) = 0.94. No classifier is better.

    Parameters
    ----------
    n_samples : int
        Number of people.
    seed : int
        Seed of the random numbers, ≥ 0.

    Returns
    -------
    X : ndarray (n_samples, 8)
        Measurements, inside the bounds.
    y : ndarray (n_samples,)
        1 for a person with the flu, and 0 for a person without it.
    columns : dict
        Public bounds of the measurements by name. They are known from the construction.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    Examples
    --------
    >>> X, y, columns = flu(4)
    >>> X.shape, y.tolist(), columns["fever"]
    ((4, 8), [0, 1, 0, 1], (35, 42))
    """
    n = _checks.integer("n_samples", n_samples, low=1)
    rng = np.random.default_rng(_checks.integer("seed", seed, low=0))
    y = np.arange(n) % 2
    shifts = np.array([SHIFTS.get(name, 0.0) for name in _COLUMNS])
    Z = rng.standard_normal((n, len(_COLUMNS))) + shifts * (2 * y - 1)[:, None]
    low, high = np.array(list(_COLUMNS.values()), float).T
    X = (low + high) / 2 + np.clip(_SPREAD * Z, -1, 1) * (high - low) / 2
    return X, y, dict(_COLUMNS)
