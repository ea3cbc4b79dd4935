"""Tables 1 to 3 of Jain et al. 2021 as printed, and facts that follow from the printed digits."""

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
    """Table of Jain et al. 2021 for an image of a nine, with a row for each of seven ε.

    ``hellinger`` (7,) is the Hellinger distance H between the histograms of the image and of its release.
    ``bhattacharyya`` (7,) is their Bhattacharyya coefficient BC. The ε are `dpcore.autoencoder.EPSILONS`.
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
    """Return BC + H² for every row of Tables 1 to 3 of Jain et al. 2021, as an array (3 tables, 7 ε).

    BC is the published Bhattacharyya coefficient, H the published Hellinger distance. BC + H² equals (Σp + Σq)/2 for
    the histograms p of the image and q of its release. It is 1 if no pixel is missing from them.

    Examples
    --------
    >>> f"{complement().min():.6f} to {complement().max():.6f}"
    '0.980858 to 0.980865'
    """
    tables = TABLES.values()
    return np.array([t.bhattacharyya for t in tables]) + np.square([t.hellinger for t in tables])


def complement_interval(digits: str = "truncated") -> tuple[float, float]:
    """Return the interval of values of BC + H² that are possible for all 21 rows of Jain et al. 2021.

    The published Bhattacharyya coefficient BC and Hellinger distance H have five digits, so each row allows an
    interval of values of BC + H². The result is the intersection of these intervals.

    Parameters
    ----------
    digits : "truncated" or "rounded"
        How the paper obtained the fifth digit.

    Returns
    -------
    low, high : float
        Ends of the interval.

    Raises
    ------
    ValueError
        When ``digits`` is neither of the two.
    """
    if digits not in ("truncated", "rounded"):
        raise ValueError(f"digits={digits!r} is not allowed: choose 'truncated' or 'rounded'.")
    start = 0.0 if digits == "truncated" else -_DIGIT / 2
    tables = TABLES.values()
    H = np.array([t.hellinger for t in tables]) + start
    BC = np.array([t.bhattacharyya for t in tables]) + start
    return float((BC + H**2).max()), float((BC + _DIGIT + (H + _DIGIT) ** 2).min())


def missing_pixels(n_pixels: int = 784, digits: str = "truncated") -> tuple[Fraction, ...]:
    """Return the values 1 - k/(2d), for integers k, in the interval of `complement_interval`.

    If k pixels in all are missing from the histograms of an image and of its release, BC + H² is 1 - k/(2d).

    Parameters
    ----------
    n_pixels : int
        Number d of pixels in a picture.
    digits : "truncated" or "rounded"
        How the paper by Jain et al. obtained the fifth digit.

    Returns
    -------
    tuple of Fraction
        (769/784,) for truncated digits: k = 30 pixels are missing from the two histograms together. For rounded
        digits the tuple is empty.

    Examples
    --------
    >>> missing_pixels()
    (Fraction(769, 784),)
    """
    low, high = complement_interval(digits)
    fractions = (Fraction(2 * n_pixels - k, 2 * n_pixels) for k in range(2 * n_pixels))
    return tuple(f for f in fractions if low <= f <= high)
