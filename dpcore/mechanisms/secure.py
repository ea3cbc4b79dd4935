"""Laplace noise by OpenDP that is safe for release, and the leak of textbook float64 samplers.

The other samplers of this package are for display only. Float64 noise is not continuous, and the set of possible
output numbers depends on the data (Mironov 2012).
"""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._missing import MissingPackage
from dpcore._types import Floats

__all__ = ["OpenDPMissing", "betrayed_share", "laplace_draw"]


class OpenDPMissing(MissingPackage):
    """Error: OpenDP is not installed; the message explains how to install it."""


def laplace_draw(value: float, sensitivity: float, epsilon: float) -> float:
    """Return one Laplace output that is safe to release, by OpenDP's exact arithmetic and secure randomness.

    Parameters
    ----------
    value : float
        f(D), finite.
    sensitivity : float
        Δ₁ > 0.
    epsilon : float
        ε > 0.

    Returns
    -------
    float
        f(D) plus noise of scale Δ₁/ε, on a grid of dyadic numbers.

    Raises
    ------
    OpenDPMissing
        When OpenDP is not installed.
    ValueError
        When an argument is outside its range.
    """
    number = _checks.number("value", value)
    scale = _checks.number("sensitivity", sensitivity, low=0, open_low=True) / _checks.number(
        "epsilon", epsilon, low=0, open_low=True
    )
    try:
        import opendp.prelude as dp
    except ImportError:
        raise OpenDPMissing("OpenDP is not installed: pip install opendp==0.16.0") from None
    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    return float(dp.m.make_laplace(*space, scale=scale)(number))


def betrayed_share(
    value: float, neighbour: float, epsilon: float, n_draws: int, rng: np.random.Generator
) -> float:
    """Return the share of textbook float64 Laplace outputs on D that are impossible on the neighbour D'.

    The textbook noise is -sign(v) ln(1 - 2|v|)/ε, with v uniform on multiples of 2⁻⁵³. An output z on D is impossible
    on D' if no v near the exact solution gives a noise for which f(D') plus the noise rounds to z.

    Parameters
    ----------
    value, neighbour : float
        f(D) and f(D').
    epsilon : float
        ε > 0; the sensitivity is 1.
    n_draws : int
        Number of simulated outputs, ≥ 1.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    float
        Share in [0, 1]. An impossible output distinguishes D from D' with certainty.

    Examples
    --------
    >>> 0.5 < betrayed_share(0.0, 1.0, 1.0, 500, np.random.default_rng(0)) < 0.8
    True
    """
    eps = _checks.number("epsilon", epsilon, low=0, open_low=True)
    n = _checks.integer("n_draws", n_draws, low=1)
    outputs = value + _naive(rng.random(n), eps)
    away = outputs - neighbour
    centre = np.where(away < 0, np.exp(eps * away) / 2, 1 - np.exp(-eps * away) / 2)
    near = np.rint(np.clip(centre, 0, 1) * 2**53)
    reach = np.arange(-64, 65)
    places = np.clip(near[:, None] + reach, 0, 2**53 - 1) / 2**53
    possible = (neighbour + _naive(places, eps) == outputs[:, None]).any(axis=1)
    return float(1 - possible.mean())


def _naive(u: NDArray[np.float64], epsilon: float) -> NDArray[np.float64]:
    v = u - 0.5
    with np.errstate(divide="ignore"):
        return cast(Floats, -np.sign(v) * np.log(1 - 2 * np.abs(v)) / epsilon)
