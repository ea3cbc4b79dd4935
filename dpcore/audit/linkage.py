"""Linkage attack: the share of released rows that can be linked to the original row they were made from."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpcore._types import Floats

__all__ = ["linkability"]

_CELLS = 2**21


def linkability(original: ArrayLike, released: ArrayLike, *, y: ArrayLike) -> float:
    """Return the share of released rows whose nearest original of the same class is the row they were made from.

    Parameters
    ----------
    original, released : array-like (N, p)
        Row i of ``released`` was made from row i of ``original``.
    y : array-like (N,)
        Class of each row, known to the attacker, who searches this class only.

    Returns
    -------
    float
        In [0, 1]; a random guess reaches about the number of classes over N. A released row is also
        linked if its nearest original equals the one it was made from.

    Raises
    ------
    ValueError
        When shapes do not agree.

    See Also
    --------
    membership_scores

    Examples
    --------
    >>> linkability([[0.0], [1.0]], [[0.1], [0.2]], y=[0, 0])
    0.5
    """
    A, B, labels = np.asarray(original, float), np.asarray(released, float), np.asarray(y)
    if A.shape != B.shape or A.ndim != 2 or labels.shape != A.shape[:1]:
        raise ValueError(
            f"shapes {A.shape}, {B.shape}, {labels.shape} are not allowed: give (N, p), (N, p), (N,)."
        )
    rows = [np.flatnonzero(labels == one) for one in np.unique(labels)]
    return float(sum(_linked(A[r], B[r]) for r in rows) / len(A))


def _linked(A: Floats, B: Floats) -> int:
    half, hits = 0.5 * np.square(A).sum(1), 0
    for part in np.array_split(np.arange(len(B)), -(-len(B) * len(A) // _CELLS)):
        nearest = (half - B[part] @ A.T).argmin(1)
        hits += int((A[nearest] == A[part]).all(1).sum())
    return hits
