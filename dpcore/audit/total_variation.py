"""Total variation distance between the distributions of a score for members and for non-members."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks

__all__ = ["Array", "histogram_tv", "kde_tv"]

Array = NDArray[np.float64]
_CELLS, _FINE = 2**21, 16


def _sample(name: str, values: ArrayLike) -> Array:
    sample = np.asarray(values, float)
    if sample.ndim != 1 or not len(sample) or not np.isfinite(sample).all():
        raise ValueError(
            f"{name} of shape {sample.shape} is not allowed: give one row of finite scores."
        )
    return sample


def pooled(members: ArrayLike, others: ArrayLike) -> tuple[Array, NDArray[np.bool_]]:
    a, b = _sample("members", members), _sample("others", others)
    return np.concatenate([a, b]), np.arange(len(a) + len(b)) < len(a)


def histogram_tv(members: ArrayLike, others: ArrayLike, *, bins: int = 20) -> float:
    """Return ½ Σ_b |p_a(b) - p_b(b)|, the total variation distance of two histograms of scores.

    p_a(b) and p_b(b) are the shares of members and of non-members whose score is in bin b. The bins contain equal
    numbers of scores. The distance does not change if the scores are rescaled. For finite samples it is positive even
    if members and non-members do not differ, see the null values of `membership_scores`. The KAHM paper does not
    define its distance between densities; this definition is our choice.

    Parameters
    ----------
    members, others : array-like (m,), (k,)
        Scores (for example distances) of members and non-members.
    bins : int
        Number of bins, ≥ 1.

    Returns
    -------
    float
        Distance in [0, 1].

    Raises
    ------
    ValueError
        When a sample is empty or not finite, or ``bins`` < 1.

    See Also
    --------
    kde_tv, membership_scores

    Examples
    --------
    >>> histogram_tv([1.0, 2], [4.0, 5])
    1.0
    """
    pool, member = pooled(members, others)
    return float(histogram_tvs(pool, member[None], _checks.integer("bins", bins, low=1))[0])


def histogram_tvs(pool: Array, member: NDArray[np.bool_], bins: int) -> Array:
    """Return the results (R,) of `histogram_tv` for R choices of the members among n scores.

    ``pool`` (n,) holds the scores. ``member`` (R, n) is True where a score counts as the score of a member.
    """
    edges = np.unique(np.quantile(pool, np.linspace(0, 1, bins + 1)[1:-1]))
    cell = np.searchsorted(edges, pool, side="left")
    inside = (cell[:, None] == np.arange(len(edges) + 1)).astype(float)
    first = member @ inside / member.sum(1, keepdims=True)
    second = (~member) @ inside / (~member).sum(1, keepdims=True)
    return cast(Array, 0.5 * np.abs(first - second).sum(1))


def kde_tv(members: ArrayLike, others: ArrayLike, *, grid: int = 512) -> float:
    """Return ½ ∫ |f_a - f_b| for Gaussian kernel density estimates f_a and f_b of two samples of scores.

    Both estimates have the bandwidth h = 0.9 min(sd, IQR/1.349) m^{-1/5} (Silverman's rule). sd and IQR are the
    standard deviation and the interquartile range of all scores, and m is the smaller sample size. The integral is
    computed on a grid that reaches 4h beyond all scores. If all scores are equal, the result is 0.

    Parameters
    ----------
    members, others : array-like (m,), (k,)
        Scores of members and non-members.
    grid : int
        Number of grid points, ≥ 2.

    Returns
    -------
    float
        Distance in [0, 1].

    Raises
    ------
    ValueError
        When a sample is empty or not finite.

    See Also
    --------
    histogram_tv, membership_scores

    References
    ----------
    B. W. Silverman, "Density estimation for statistics and data analysis", Chapman and Hall, 1986.
    """
    pool, member = pooled(members, others)
    size = _checks.integer("grid", grid, low=2)
    spread = float(np.diff(np.quantile(pool, [0.25, 0.75]))[0]) / 1.349
    deviation = float(pool.std())
    if deviation == 0:
        return 0.0
    least = min(member.sum(), (~member).sum())
    h = 0.9 * (min(deviation, spread) or deviation) * least**-0.2
    points = np.linspace(pool.min() - 4 * h, pool.max() + 4 * h, size)
    gap = np.abs(_density(pool[member], points, h) - _density(pool[~member], points, h))
    return float(min(0.5 * np.trapezoid(gap, points), 1.0))


def _density(sample: Array, points: Array, h: float) -> Array:
    """Return the kernel density Σ_i exp(-(x - s_i)²/2)/(n h √2π) (G,) of a sample at G equally spaced points x.

    In this formula, the points x and the sample s are in units of the bandwidth h. The points are divided into groups
    of 16. A point is x = c + f, where c is the centre of its group and f its offset. Since (x - s)² = (c - s)² - 2fs
    + 2fc + f², the sum is a matrix product of exponentials that depend on c and on f. This needs only about a tenth
    of the exponentials of all pairs of x and s.
    """
    middle = (points[0] + points[-1]) / 2
    x, s = (points - middle) / h, (sample - middle) / h
    fine = (x[1] - x[0]) * (np.arange(_FINE) - (_FINE - 1) / 2)
    if fine[-1] * x[-1] > 300:  # e³⁰⁰, twice, is within the range of floats
        return _density_directly(sample, points, h)
    coarse, total = x[::_FINE] - fine[0], np.zeros((-(-len(x) // _FINE), _FINE))
    for part in np.array_split(s, -(-s.size * len(coarse) // _CELLS)):
        total += np.exp(-0.5 * np.square(coarse[:, None] - part)) @ np.exp(part[:, None] * fine)
    total *= np.exp(-fine * (coarse[:, None] + 0.5 * fine))
    return cast(Array, total.ravel()[: len(x)] / (len(s) * h * np.sqrt(2 * np.pi)))


def _density_directly(sample: Array, points: Array, h: float) -> Array:
    total = np.zeros(len(points))
    for part in np.array_split(sample, -(-sample.size * points.size // _CELLS)):
        total += np.exp(-0.5 * np.square((points[:, None] - part) / h)).sum(1)
    return cast(Array, total / (len(sample) * h * np.sqrt(2 * np.pi)))
