"""Noisy sufficient statistics of class Gaussians, with their sensitivity, noise and repair."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks, _draws
from dpcore._fixed_order import dots
from dpcore._types import Floats, Floats32
from dpcore.mechanisms import gaussian_sigma

__all__ = [
    "SHARES",
    "Statistics",
    "add_noise",
    "clip_codes",
    "cosine_basis",
    "draw_unit",
    "noise_scales",
    "repair",
    "shared_scales",
    "summarise",
]

SHARES = (0.04, 0.5, 0.46)  # of µ²: class sizes, sums, second moments


@dataclass(frozen=True, kw_only=True, eq=False)
class Statistics:
    """Size, sum Σ z and packed second moments Σ z zᵀ of the codes z of every class.

    For C classes and k numbers in a code, ``sizes`` is (..., C), ``sums`` is (..., C, k) and ``moments`` is (..., C,
    k(k + 1)/2). A symmetric matrix is packed as the vector of its upper triangle, with off-diagonal entries
    multiplied by √2. The Euclidean norm of this vector equals the Frobenius norm of the matrix.
    """

    sizes: NDArray[np.float64]
    sums: NDArray[np.float64]
    moments: NDArray[np.float64]


def cosine_basis(shape: tuple[int, int], n_frequencies: int) -> NDArray[np.float32]:
    """Return the orthonormal 2-D cosines of the lowest frequencies, which do not depend on the data.

    Parameters
    ----------
    shape : (height, width)
        Shape of a picture.
    n_frequencies : int
        Number f ≥ 1 of frequencies in each direction. If a side has fewer than f pixels, its number of frequencies is
        its number of pixels.

    Returns
    -------
    ndarray (k, height·width), float32
        Cosines, as k = min(f, height)·min(f, width) rows.

    Examples
    --------
    >>> basis = cosine_basis((8, 8), 6)
    >>> basis.shape, bool(np.allclose(basis @ basis.T, np.eye(36), atol=1e-6))
    ((36, 64), True)
    """
    most = _checks.integer("n_frequencies", n_frequencies, low=1)
    down, across = (_waves(side)[: min(most, side)] for side in shape)
    return cast(
        Floats32,
        np.einsum("ai,bj->abij", down, across).reshape(-1, shape[0] * shape[1]).astype("f4"),
    )


def _waves(side: int) -> NDArray[np.float64]:
    k = np.arange(side)
    waves = np.cos(np.pi * (k + 0.5) * k[:, None] / side) * math.sqrt(2 / side)
    waves[0] /= math.sqrt(2)
    return waves


def clip_codes(codes: NDArray[np.floating[Any]], clip_norm: float) -> NDArray[np.float64]:
    """Return codes (n, k) clipped to norm (1 - 10⁻⁵) R, where R is ``clip_norm``.

    The margin of 10⁻⁵ R is for rounding errors. In a sum of n codes these errors are at most n² 2⁻⁵² R, so the margin
    is sufficient for up to 200,000 codes.
    """
    full = np.asarray(codes, np.float64)
    most = (1 - 1e-5) * clip_norm
    norms = np.sqrt(dots(full, full))[:, None]
    return cast(Floats, full * (most / np.maximum(norms, most)))


def summarise(codes: NDArray[np.floating[Any]], y: NDArray[np.int64], n_classes: int) -> Statistics:
    """Return the exact statistics, which are secret, of codes (n, k) with class numbers y (n,)."""
    k = codes.shape[1]
    rows = [codes[y == label].astype(np.float64) for label in range(n_classes)]
    second = np.array([z.T @ z for z in rows])
    upper, weight = _packing(k)
    return Statistics(
        sizes=np.array([len(z) for z in rows], float),
        sums=np.array([z.sum(0) for z in rows]),
        moments=second[:, *upper] * weight,
    )


def _packing(k: int) -> tuple[tuple[NDArray[np.intp], NDArray[np.intp]], NDArray[np.float64]]:
    upper = np.triu_indices(k)
    return upper, np.where(upper[0] == upper[1], 1.0, math.sqrt(2))


def noise_scales(
    epsilon: float, delta: float, clip_norm: float, shares: tuple[float, float, float] = SHARES
) -> tuple[float, float, float]:
    """Return the noise scales on sizes, sums and packed moments for a joint release that is (ε, δ)-DP.

    Adding or removing an image with a code of norm ≤ R changes the size, the sum and the moments of one class by at
    most Δ₁ = 1, Δ₂ = R and Δ₃ = R². The noise scales are σᵢ = Δᵢ σ/√wᵢ with Σ wᵢ = 1. The three changes, each divided
    by its σᵢ, together have a norm of at most 1/σ. It is therefore sufficient that σ is the scale of the analytic
    Gaussian mechanism at sensitivity 1 (Balle and Wang 2018, Algorithm 1).

    Parameters
    ----------
    epsilon, delta : float
        Privacy budget of the joint release, with ε ≥ 1e-12 and δ in (0, 1). For ε = inf there is no noise.
    clip_norm : float
        Largest norm R of a code, in [1e-6, 1e6].
    shares : three floats
        Shares w₁, w₂, w₃ > 0 with the sum 1.

    Returns
    -------
    three floats
        Standard deviations of the noise on sizes, sums and packed moments.

    Raises
    ------
    ValueError
        When an argument is not allowed.
    """
    _checks.epsilon(epsilon, low=_checks.SMALLEST_EPSILON)
    return shared_scales(gaussian_sigma(1.0, epsilon, delta=delta), clip_norm, shares)


def shared_scales(
    sigma: float, clip_norm: float, shares: tuple[float, float, float] = SHARES
) -> tuple[float, float, float]:
    """Return the noise scales on sizes, sums and moments for a given joint noise multiplier σ ≥ 0.

    The joint release is as private as one Gaussian mechanism with noise multiplier σ.
    """
    R = _checks.number("clip_norm", clip_norm, low=1e-6, high=1e6)
    if len(shares) != 3 or min(shares) <= 0 or not math.isclose(sum(shares), 1, abs_tol=1e-9):
        raise ValueError(f"shares={shares!r} are not allowed: give three above 0 that sum to 1.")
    reach = zip((1.0, R, R * R), shares, strict=True)
    first, second, third = (s * sigma / math.sqrt(w) for s, w in reach)
    return first, second, third


def draw_unit(
    n_classes: int, k: int, rng: np.random.Generator, draws: tuple[int, ...] = ()
) -> Statistics:
    """Return standard normal noise in the shapes of the statistics, with leading axes ``draws``."""
    lead = (*draws, n_classes)
    return Statistics(
        sizes=_draws.normal(rng, lead),
        sums=_draws.normal(rng, (*lead, k)),
        moments=_draws.normal(rng, (*lead, k * (k + 1) // 2)),
    )


def add_noise(
    exact: Statistics, unit: Statistics, scales: tuple[float, float, float]
) -> Statistics:
    """Return exact + scale · unit for sizes, sums and moments.

    This addition of noise is the only step that releases data.
    """
    return Statistics(
        sizes=exact.sizes + scales[0] * unit.sizes,
        sums=exact.sums + scales[1] * unit.sums,
        moments=exact.moments + scales[2] * unit.moments,
    )


def repair(noisy: Statistics) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return means (..., C, k) and factors (..., C, k, k) of Gaussians, computed from noisy statistics.

    There are C classes and k numbers in a code. A Gaussian with mean m and factor A has the samples m + A u, where u
    is standard normal. Sizes below 1 are raised to 1. The eigenvalues of a covariance are replaced by the closest
    non-negative numbers with the same sum, so that the noise adds no variance. This function is post-processing.
    """
    k = noisy.sums.shape[-1]
    upper, weight = _packing(k)
    size = np.maximum(noisy.sizes, 1)[..., None]
    means = noisy.sums / size
    spread = np.zeros((*means.shape, k))
    spread[..., *upper] = noisy.moments / weight / size
    spread[..., *upper[::-1]] = spread[..., *upper]
    spread -= means[..., :, None] * means[..., None, :]
    # By a power of two, which is exact, so that strong noise stays in the range of a float32.
    unit = np.exp2(np.frexp(np.abs(spread).max((-2, -1), initial=1e-300))[1].astype(float))
    values, vectors = np.linalg.eigh((spread / unit[..., None, None]).astype(np.float32))
    lengths = _simplex(values.astype(float)) * unit[..., None]
    return means, vectors * np.sqrt(lengths)[..., None, :]


def _simplex(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the non-negative numbers (..., k) that are closest to ascending values (..., k) and have the same sum.

    If the sum of the values is negative, all returned numbers are 0.
    """
    down = values[..., ::-1]
    total = np.maximum(values.sum(-1, keepdims=True), 0)
    shift = (np.cumsum(down, -1) - total) / np.arange(1, values.shape[-1] + 1)
    last = np.maximum((down > shift).sum(-1, keepdims=True) - 1, 0)
    return cast(Floats, np.maximum(values - np.take_along_axis(shift, last, -1), 0))
