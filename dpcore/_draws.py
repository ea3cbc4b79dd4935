"""Samplers for Laplace, normal, Gumbel, exponential and gamma noise with unbounded tails.

numpy's exponential draws are at most 44, its Laplace draws at most 36.04 scales, its normal draws at most 12.2
standard deviations and its Gumbel draws at most 36.7, because numpy computes them from 53 random bits. With such
noise some outputs are possible on only one of two neighbouring data sets, so no finite ε holds with δ = 0. This
module replaces a draw beyond a threshold (probability 10⁻⁹ or less) by a new draw from the tail beyond the threshold.
All other draws are equal to numpy's, bit for bit. A gamma draw of integer shape is a sum of such exponential draws.

These samplers do not prevent leaks by floating-point arithmetic: the last digits of a sum depend on the number that
the noise is added to (Mironov 2012).
"""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from dpcore._types import Floats

__all__ = ["RARE", "exponential", "gamma", "gumbel", "laplace", "log_tail", "normal"]

_Shape = int | tuple[int, ...]
_FAR = 30.0  # of exponentials, Laplace and Gumbel draws
_FAR_NORMAL = 7.0  # standard deviations
RARE = 2.0**-33  # of a uniform number: its lattice of 2⁻⁵³ is fine enough above


def exponential(rng: np.random.Generator, shape: _Shape = ()) -> Floats:
    """Return standard exponential draws with an unbounded tail.

    A draw above 30 is replaced by 30 plus a new draw.
    """
    draws = np.asarray(rng.standard_exponential(shape))
    far = draws > _FAR
    if far.any():
        draws[far] = _FAR + exponential(rng, int(far.sum()))
    return draws


def gamma(rng: np.random.Generator, k: int) -> float:
    """Return one Gamma(k) variate of scale 1 with an unbounded tail, for integer k ≥ 1."""
    return float(exponential(rng, (k,)).sum())


def laplace(rng: np.random.Generator, shape: _Shape = ()) -> Floats:
    """Return Laplace draws of scale 1 with unbounded tails.

    A draw beyond ±30 is replaced by a draw of the same sign: 30 plus an exponential draw.
    """
    draws = np.asarray(rng.laplace(size=shape))
    far = np.abs(draws) > _FAR
    if far.any():
        draws[far] = np.sign(draws[far]) * (_FAR + exponential(rng, int(far.sum())))
    return draws


def normal(rng: np.random.Generator, shape: _Shape = ()) -> Floats:
    """Return standard normal draws with unbounded tails.

    A draw beyond ±7 is replaced by a draw of the same sign from the normal tail beyond 7.
    """
    draws = np.asarray(rng.standard_normal(shape))
    far = np.abs(draws) > _FAR_NORMAL
    if far.any():
        from scipy.special import log_ndtr, ndtri_exp

        rest = log_ndtr(-_FAR_NORMAL) - exponential(rng, int(far.sum()))
        draws[far] = np.sign(draws[far]) * -ndtri_exp(rest)
    return draws


def gumbel(rng: np.random.Generator, shape: _Shape = ()) -> Floats:
    """Return standard Gumbel draws with an unbounded upper tail.

    A draw above 30 is replaced by 30 plus an exponential draw. The density of this sum is equal to the density of
    Gumbel draws above 30, up to a factor of 1 ± 10⁻¹³.
    """
    draws = np.asarray(rng.gumbel(size=shape))
    far = draws > _FAR
    if far.any():
        draws[far] = _FAR + exponential(rng, int(far.sum()))
    return draws


def log_tail(rng: np.random.Generator, shape: _Shape = ()) -> Floats:
    """Return ln(1 - u) for uniform draws u in [0, 1) that have unlimited precision near 1.

    To simulate an event of probability p, test whether the result is larger than ln(1 - p).
    """
    u = np.asarray(rng.random(shape))
    draws = np.asarray(np.log1p(-u))
    far = u > 1 - RARE
    if far.any():
        draws[far] = math.log(RARE) - exponential(rng, int(far.sum()))
    return cast(Floats, draws)
