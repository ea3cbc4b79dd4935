"""Who holds which record: a split of labelled data over parties, even or skewed."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks

__all__ = ["split_parties"]


def split_parties(
    y: ArrayLike, n_parties: int, skew: float = 0.0, *, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return which party holds each record.

    The records of each class go to the parties by shares drawn from a Dirichlet distribution of
    concentration 1/skew: 0 gives equal shares, inf gives every class to one party (class c to party
    c mod Q).

    Parameters
    ----------
    y : array-like (N,)
        Classes.
    n_parties : int
        Q ≥ 1.
    skew : float
        ≥ 0; inf allowed. 10/3 is Dirichlet(0.3).
    rng : numpy.random.Generator
        Shares, and who goes where.

    Returns
    -------
    ndarray (N,)
        In [0, Q). A party may be left with nothing.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    See Also
    --------
    Party, FederatedKAHMClassifier

    Examples
    --------
    >>> parties = split_parties([0] * 6 + [1] * 6, 3, rng=np.random.default_rng(0))
    >>> np.bincount(parties).tolist()
    [4, 4, 4]
    """
    Q = _checks.integer("n_parties", n_parties, low=1)
    if skew != math.inf:
        _checks.number("skew", skew, low=0)
    classes, index = np.unique(np.asarray(y), return_inverse=True)
    if math.isinf(skew):
        return index.astype(np.int64) % Q
    found = np.empty(len(index), np.int64)
    offset = 0
    for one in range(len(classes)):
        rows = rng.permutation(np.flatnonzero(index == one))
        if skew == 0:
            # Dealt in turn, going on where the class before stopped, so that parties stay equal.
            found[rows] = (np.arange(len(rows)) + offset) % Q
            offset += len(rows)
        else:
            shares = rng.dirichlet(np.full(Q, 1 / skew))
            ends = np.cumsum(shares)[:-1] * len(rows)
            found[rows] = np.searchsorted(ends, np.arange(len(rows)), side="right")
    return found
