"""Membership inference scores, which measure how well distances distinguish training records from other records.

A low score does not prove privacy, because it measures only one attack, while a guarantee holds for all attacks. The
scores are computed from the original records without noise. Publishing them is therefore itself a release.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.audit.total_variation import Array, histogram_tv, histogram_tvs, kde_tv, pooled

__all__ = [
    "MembershipScores",
    "auc",
    "ks",
    "membership_scores",
]


def ks(members: ArrayLike, others: ArrayLike) -> float:
    """Return the Kolmogorov-Smirnov distance max_t |TPR(t) - FPR(t)| over thresholds t on a score.

    The true-positive rate TPR(t) is the share of members whose score is at most t. The false-positive rate FPR(t) is
    the share of non-members whose score is at most t.

    Parameters
    ----------
    members, others : array-like (m,), (k,)
        Scores of m members and of k non-members.

    Returns
    -------
    float
        Distance in [0, 1], the largest advantage |TPR - FPR| of an attacker who guesses membership by a threshold.

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
    pool, member = pooled(members, others)
    return float(_ks(pool, member[None])[0])


def _ks(pool: Array, member: NDArray[np.bool_]) -> Array:
    order = np.argsort(pool, kind="stable")
    last = np.append(np.diff(pool[order]) > 0, True)  # equal scores cannot be told apart
    sorted_member = member[:, order]
    first = np.cumsum(sorted_member, 1)[:, last] / member.sum(1, keepdims=True)
    second = np.cumsum(~sorted_member, 1)[:, last] / (~member).sum(1, keepdims=True)
    return cast(Array, np.abs(first - second).max(1))


def auc(members: ArrayLike, others: ArrayLike) -> float:
    """Return P(member < other) + ½ P(equal), the area under the ROC curve of a distance attack.

    Parameters
    ----------
    members, others : array-like (m,), (k,)
        Distances of m members and of k non-members. Small distances speak for membership.

    Returns
    -------
    float
        Area in [0, 1]. It is ½ if members and non-members do not differ.

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
    pool, member = pooled(members, others)
    return float(_auc(pool, member[None])[0])


def _auc(pool: Array, member: NDArray[np.bool_]) -> Array:
    _, index, counts = np.unique(pool, return_inverse=True, return_counts=True)
    rank = (np.cumsum(counts) - (counts - 1) / 2)[index]  # mean ranks from 1
    m = member.sum(1)
    return cast(Array, 1 - (member @ rank - m * (m + 1) / 2) / (m * (~member).sum(1)))


@dataclass(frozen=True, kw_only=True)
class MembershipScores:
    """Scores of a membership inference attack, and their means under random relabelling.

    ``histogram_tv``, ``kde_tv``, ``ks`` and ``auc`` are the scores, which the functions of these names return. The
    fields that begin with ``null_`` are means of the scores over random choices of the members.

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
    """Return all membership inference scores of an attack, and their means under random relabelling.

    Random relabelling shows the scores of an attack that learns nothing about membership.

    Parameters
    ----------
    members, others : array-like (m,), (k,)
        Distances of m records that were in the **original** training data, and of k records that were not, even if
        the model was built on noisy data. Records of all classes are pooled.
    rng : numpy.random.Generator
        Source of the random relabelling.
    bins : int
        Number of bins of the histogram.
    n_null : int
        Number of random relabellings, ≥ 1.

    Returns
    -------
    MembershipScores
        The scores, and their means over the relabellings.

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
    pool, member = pooled(members, others)
    n = _checks.integer("n_null", n_null, low=1)
    chance = rng.permuted(np.broadcast_to(member, (n, len(member))), axis=1)
    return MembershipScores(
        histogram_tv=histogram_tv(members, others, bins=bins),
        kde_tv=kde_tv(members, others),
        ks=ks(members, others),
        auc=auc(members, others),
        null_histogram_tv=float(histogram_tvs(pool, chance, bins).mean()),
        null_ks=float(_ks(pool, chance).mean()),
        null_auc=float(_auc(pool, chance).mean()),
    )
