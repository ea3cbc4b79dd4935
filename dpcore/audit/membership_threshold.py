"""Membership inference by a threshold that is chosen on half of the people and evaluated on the other half."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from dpcore._types import Floats

__all__ = ["PointedAt", "pointed_at"]


@dataclass(frozen=True, kw_only=True, eq=False)
class PointedAt:
    """True-positive rate (``members``) and false-positive rate (``others``) of a membership test.

    Both rates are arrays (K,), with one entry for each of K cases, such as K values of ε. If S models were attacked
    in every case, ``each`` holds the rates (S, K) of the single models.

    The precision is the share of members among the people for whom the test is positive. If the share of members
    among all people is p, the precision is p·members/(p·members + (1 - p)·others). The area under the ROC curve does
    not determine the precision.

    See Also
    --------
    pointed_at, auc

    Examples
    --------
    >>> found = PointedAt(members=np.array([0.8]), others=np.array([0.2]))
    >>> found.right.tolist(), np.exp(found.log_odds).round(6).tolist()
    ([0.8], [4.0])
    """

    members: Floats
    others: Floats
    each: PointedAt | None = None

    @property
    def right(self) -> Floats:
        """Accuracy (K,) of the test if half of the people are members."""
        return (self.members + 1 - self.others) / 2

    @property
    def log_odds(self) -> Floats:
        """Increase (K,) of the log odds of membership by a positive test, which is the same for any prior."""
        return cast(Floats, np.log(self.members / self.others))


def pointed_at(members: ArrayLike, others: ArrayLike, *, rng: np.random.Generator) -> PointedAt:
    """Return the shares of members and of non-members whose distance is below a threshold.

    The threshold that best separates one half of the people is evaluated on the other half, and vice versa. On the
    half that it was chosen on, its accuracy would be too optimistic. A rate is (count + ½)/(people + 1), so that it
    is never 0.

    Parameters
    ----------
    members, others : array-like (S, K, n), (S, K, m)
        Distances of n members and of m non-members, for S models in each of K cases. Small distances speak for
        membership.
    rng : numpy.random.Generator
        Source of the random split into halves.

    Returns
    -------
    PointedAt
        Rates (K,) averaged over the models, and rates (S, K) of each model.

    Raises
    ------
    ValueError
        When shapes do not agree, or there are fewer than two members or fewer than two non-members.

    See Also
    --------
    auc, choose_threshold

    References
    ----------
    S. Yeom, I. Giacomelli, M. Fredrikson and S. Jha, "Privacy risk in machine learning: analyzing
    the connection to overfitting", CSF, 2018.

    Examples
    --------
    >>> pointed_at(np.zeros((2, 1, 9)), np.ones((2, 1, 9)), rng=np.random.default_rng(0)).right.tolist()
    [0.95]
    """
    scores = [np.asarray(part, float) for part in (members, others)]
    a, b = (part.shape for part in scores)
    if len(a) != 3 or a[:2] != b[:2] or min(a[-1], b[-1]) < 2:
        raise ValueError(
            f"scores of shapes {a} and {b} are not allowed: give (S, K, n) and (S, K, m), n and m at least 2."
        )
    first = [rng.permutation(part.shape[-1]) % 2 == 0 for part in scores]
    counts = np.zeros((2, *a[:2]))
    for tried in (first, [~side for side in first]):
        known = [part[..., ~side] for part, side in zip(scores, tried, strict=True)]
        limits = np.array([_limit(*(part[:, k] for part in known)) for k in range(a[1])])
        counts += [
            (part[..., side] < limits[:, None]).sum(axis=-1)
            for part, side in zip(scores, tried, strict=True)
        ]
    people = np.array([a[-1], b[-1]])
    each = (counts + 0.5) / (people[:, None, None] + 1)
    pointed, innocent = each.mean(axis=1)
    return PointedAt(
        members=pointed, others=innocent, each=PointedAt(members=each[0], others=each[1])
    )


def _limit(members: Floats, others: Floats) -> float:
    """Return the distance threshold at which the share of members below it most exceeds the share of others below."""
    pool = np.concatenate([members.ravel(), others.ravel()])
    order = pool.argsort(kind="stable")
    steps = np.where(order < members.size, 1 / members.size, -1 / others.size)
    at = int(steps.cumsum()[:-1].argmax())
    return float(pool[order[at : at + 2]].mean())
