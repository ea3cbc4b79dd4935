"""What an attacker gains in practice: membership scores of distances.

Low scores are no proof: they measure the attack that was tried, a guarantee holds for all of them.
Scores read the original records, so publishing one is itself a release.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks

__all__ = [
    "MembershipScores",
    "auc",
    "histogram_tv",
    "kde_tv",
    "ks",
    "membership_scores",
]

Array = NDArray[np.float64]
_CELLS = 2**21


def _sample(name: str, values: ArrayLike) -> Array:
    found = np.asarray(values, float)
    if found.ndim != 1 or not len(found) or not np.isfinite(found).all():
        raise ValueError(
            f"{name} of shape {found.shape} is not allowed: give one row of finite scores."
        )
    return found


def _pooled(members: ArrayLike, others: ArrayLike) -> tuple[Array, NDArray[np.bool_]]:
    a, b = _sample("members", members), _sample("others", others)
    return np.concatenate([a, b]), np.arange(len(a) + len(b)) < len(a)


def histogram_tv(members: ArrayLike, others: ArrayLike, *, bins: int = 20) -> float:
    """Return ½ Σ_b |p_a(b) - p_b(b)| over bins of equal pooled weight: total variation.

    Free of any scale. Finite samples give more than 0 without any difference: see the null of
    `membership_scores`. Which distance of densities the KAHM paper means is not said; our choice.

    Parameters
    ----------
    members, others : array-like (m,), (k,)
        Scores (for example distances) of members and non-members.
    bins : int
        ≥ 1.

    Returns
    -------
    float
        In [0, 1].

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
    pool, member = _pooled(members, others)
    return float(_histogram_tv(pool, member[None], _checks.integer("bins", bins, low=1))[0])


def _histogram_tv(pool: Array, member: NDArray[np.bool_], bins: int) -> Array:
    """For R ways (R, n) to call members: (R,)."""
    edges = np.unique(np.quantile(pool, np.linspace(0, 1, bins + 1)[1:-1]))
    cell = np.searchsorted(edges, pool, side="left")
    inside = (cell[:, None] == np.arange(len(edges) + 1)).astype(float)
    first = member @ inside / member.sum(1, keepdims=True)
    second = (~member) @ inside / (~member).sum(1, keepdims=True)
    return cast(Array, 0.5 * np.abs(first - second).sum(1))


def kde_tv(members: ArrayLike, others: ArrayLike, *, grid: int = 512) -> float:
    """Return ½ ∫ |f_a - f_b| of Gaussian kernel densities with one common bandwidth.

    h = 0.9 min(sd, IQR/1.349) m^{-1/5} of the pool with m the smaller sample size, on a grid that
    reaches 4h beyond the pool (Silverman's rule). 0 when all scores coincide.

    Parameters
    ----------
    members, others : array-like (m,), (k,)
        Scores of members and non-members.
    grid : int
        Points, ≥ 2.

    Returns
    -------
    float
        In [0, 1].

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
    pool, member = _pooled(members, others)
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
    total = np.zeros(len(points))
    for part in np.array_split(sample, -(-sample.size * points.size // _CELLS)):
        total += np.exp(-0.5 * np.square((points[:, None] - part) / h)).sum(1)
    return cast(Array, total / (len(sample) * h * np.sqrt(2 * np.pi)))


def ks(members: ArrayLike, others: ArrayLike) -> float:
    """Return max_t |TPR(t) - FPR(t)| of threshold attacks, the Kolmogorov-Smirnov distance.

    Parameters
    ----------
    members, others : array-like (m,), (k,)
        Scores of members and non-members.

    Returns
    -------
    float
        In [0, 1]: the best advantage of guessing membership by a threshold.

    Raises
    ------
    ValueError
        When a sample is empty or not finite.

    See Also
    --------
    auc, membership_scores

    References
    ----------
    S. Yeom, I. Giacomelli, M. Fredrikson and S. Jha, "Privacy risk in machine learning: analyzing
    the connection to overfitting", CSF, 2018.

    Examples
    --------
    >>> ks([1.0, 2.0], [2.0, 3.0])
    0.5
    """
    pool, member = _pooled(members, others)
    return float(_ks(pool, member[None])[0])


def _ks(pool: Array, member: NDArray[np.bool_]) -> Array:
    order = np.argsort(pool, kind="stable")
    last = np.append(np.diff(pool[order]) > 0, True)  # equal scores cannot be told apart
    sorted_member = member[:, order]
    first = np.cumsum(sorted_member, 1)[:, last] / member.sum(1, keepdims=True)
    second = np.cumsum(~sorted_member, 1)[:, last] / (~member).sum(1, keepdims=True)
    return cast(Array, np.abs(first - second).max(1))


def auc(members: ArrayLike, others: ArrayLike) -> float:
    """Return P(member < other) + ½ P(equal): how often a member is the closer one.

    Parameters
    ----------
    members, others : array-like (m,), (k,)
        Scores of members and non-members; small ones speak for membership.

    Returns
    -------
    float
        In [0, 1]; ½ for no difference.

    Raises
    ------
    ValueError
        When a sample is empty or not finite.

    See Also
    --------
    ks, membership_scores

    Examples
    --------
    >>> auc([1.0, 2.0], [2.0, 3.0])
    0.875
    """
    pool, member = _pooled(members, others)
    return float(_auc(pool, member[None])[0])


def _auc(pool: Array, member: NDArray[np.bool_]) -> Array:
    _, index, counts = np.unique(pool, return_inverse=True, return_counts=True)
    rank = (np.cumsum(counts) - (counts - 1) / 2)[index]  # mean ranks from 1
    m = member.sum(1)
    return cast(Array, 1 - (member @ rank - m * (m + 1) / 2) / (m * (~member).sum(1)))


@dataclass(frozen=True, kw_only=True)
class MembershipScores:
    """How well members are told from others, and what chance alone gives (``null_``: mean).

    ``histogram_tv``, ``kde_tv``, ``ks`` in [0, 1], ``auc`` in [0, 1] with ½ for no difference.

    See Also
    --------
    membership_scores
    """

    histogram_tv: float
    kde_tv: float
    ks: float
    auc: float
    null_histogram_tv: float
    null_ks: float
    null_auc: float


def membership_scores(
    members: ArrayLike,
    others: ArrayLike,
    *,
    rng: np.random.Generator,
    bins: int = 20,
    n_null: int = 100,
) -> MembershipScores:
    """Return all membership-inference scores of one attack, with their values under no difference.

    Parameters
    ----------
    members, others : array-like (m,), (k,)
        Scores of records that were in the **original** training data and of records that were not,
        also when the model was built on noisy data; pooled over classes.
    rng : numpy.random.Generator
        Relabels the pool at random for the null.
    bins : int
        Of the histogram.
    n_null : int
        Relabellings, ≥ 1.

    Returns
    -------
    MembershipScores

    Raises
    ------
    ValueError
        When a sample is empty or not finite, or a count is too small.

    See Also
    --------
    ks, auc, histogram_tv, kde_tv

    References
    ----------
    R. Shokri, M. Stronati, C. Song and V. Shmatikov, "Membership inference attacks against machine
    learning models", IEEE Symposium on Security and Privacy, 2017.
    S. Yeom, I. Giacomelli, M. Fredrikson and S. Jha, "Privacy risk in machine learning: analyzing
    the connection to overfitting", CSF, 2018.

    Examples
    --------
    >>> found = membership_scores([1.0, 2], [3.0, 4], rng=np.random.default_rng(0))
    >>> found.ks, found.auc
    (1.0, 1.0)
    """
    pool, member = _pooled(members, others)
    n = _checks.integer("n_null", n_null, low=1)
    chance = rng.permuted(np.broadcast_to(member, (n, len(member))), axis=1)
    return MembershipScores(
        histogram_tv=histogram_tv(members, others, bins=bins),
        kde_tv=kde_tv(members, others),
        ks=ks(members, others),
        auc=auc(members, others),
        null_histogram_tv=float(_histogram_tv(pool, chance, bins).mean()),
        null_ks=float(_ks(pool, chance).mean()),
        null_auc=float(_auc(pool, chance).mean()),
    )
