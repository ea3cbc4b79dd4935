"""Tables 1 to 3 as printed in Jain et al. (2021), and facts that follow from the printed digits."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpcore.autoencoder.bias_noise import EPSILONS

__all__ = ["TABLES", "Table", "complement", "complement_interval", "missing_pixels"]

_DIGIT = 1e-5  # the last printed digit


@dataclass(frozen=True)
class Table:
    """Table of Jain et al. (2021) for an image of a nine, with one row for each of seven values of ε.

    ``hellinger`` (7,) holds the Hellinger distance H between the histograms of the image and of its release, and
    ``bhattacharyya`` (7,) the Bhattacharyya coefficient BC of these histograms. ``epsilon`` (7,) holds the values of
    ε.
    """

    title: str
    hellinger: tuple[float, ...]
    bhattacharyya: tuple[float, ...]
    epsilon: tuple[float, ...] = EPSILONS


TABLES = {
    "hidden": Table(
        "Table 1: hidden layer",
        (0.10864, 0.10776, 0.09952, 0.09144, 0.09734, 0.08218, 0.08001),
        (0.96906, 0.96925, 0.97096, 0.97250, 0.97139, 0.97411, 0.97446),
    ),
    "output": Table(
        "Table 2: output layer",
        (0.16755, 0.12510, 0.11106, 0.08301, 0.10981, 0.09440, 0.07300),
        (0.95279, 0.96521, 0.96853, 0.97397, 0.96880, 0.97195, 0.97553),
    ),
    "both": Table(
        "Table 3: hidden and output layer",
        (0.19541, 0.28183, 0.18131, 0.07671, 0.15027, 0.15492, 0.07008),
        (0.94268, 0.90143, 0.94799, 0.97498, 0.95828, 0.95686, 0.97595),
    ),
}


def complement() -> NDArray[np.float64]:
    """Return BC + H² (3, 7) for the seven rows of each of Tables 1 to 3 in Jain et al. (2021).

    BC is the published Bhattacharyya coefficient, and H the published Hellinger distance. BC + H² equals (Σp + Σq)/2,
    where p is the histogram of the image and q the histogram of its release. If no pixel is missing from the
    histograms, BC + H² is 1.

    Examples
    --------
    >>> f"{complement().min():.6f} to {complement().max():.6f}"
    '0.980858 to 0.980865'
    """
    tables = TABLES.values()
    return np.array([t.bhattacharyya for t in tables]) + np.square([t.hellinger for t in tables])


def complement_interval(digits: str = "truncated") -> tuple[float, float]:
    """Return the interval of values of BC + H² that are compatible with all 21 rows in Jain et al. (2021).

    The published Bhattacharyya coefficient BC and Hellinger distance H have five digits, so each row is compatible
    with an interval of values of BC + H². The result is the intersection of these intervals.

    Parameters
    ----------
    digits : "truncated" or "rounded"
        How the numbers in the paper were cut to five digits.

    Returns
    -------
    low, high : float
        Ends of the interval. If ``low`` > ``high``, no value is compatible with all rows.

    Raises
    ------
    ValueError
        When ``digits`` has another value.
    """
    if digits not in ("truncated", "rounded"):
        raise ValueError(f"digits={digits!r} is not allowed: choose 'truncated' or 'rounded'.")
    start = 0.0 if digits == "truncated" else -_DIGIT / 2
    tables = TABLES.values()
    H = np.array([t.hellinger for t in tables]) + start
    BC = np.array([t.bhattacharyya for t in tables]) + start
    return float((BC + H**2).max()), float((BC + _DIGIT + (H + _DIGIT) ** 2).min())


def missing_pixels(n_pixels: int = 784, digits: str = "truncated") -> tuple[Fraction, ...]:
    """Return the numbers 1 - k/(2d), for integers k, that lie in the interval of `complement_interval`.

    If the histogram of an image and the histogram of its release together lack k pixels, BC + H² is 1 - k/(2d).

    Parameters
    ----------
    n_pixels : int
        Number d of pixels in a picture.
    digits : "truncated" or "rounded"
        How the numbers in the paper by Jain et al. were cut to five digits.

    Returns
    -------
    tuple of Fraction
        The numbers. For d = 784 and truncated digits the only one is 769/784, so k = 30 pixels are missing from the
        two histograms together. For rounded digits the tuple is empty.

    Examples
    --------
    >>> missing_pixels()
    (Fraction(769, 784),)
    """
    low, high = complement_interval(digits)
    fractions = (Fraction(2 * n_pixels - k, 2 * n_pixels) for k in range(2 * n_pixels))
    return tuple(f for f in fractions if low <= f <= high)
