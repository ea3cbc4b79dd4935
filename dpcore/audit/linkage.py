"""Linkage attacks, which link released rows to their original rows, or to rows of a public table with names."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpcore._types import Bools, Floats, Integers

__all__ = ["group_sizes", "linkability", "shared_secrets"]

_CELLS = 2**21


def linkability(original: ArrayLike, released: ArrayLike, *, y: ArrayLike) -> float:
    """Return the share of released rows for which the nearest original row of the same class is the true one.

    Parameters
    ----------
    original, released : array-like (N, p)
        Tables in which row i of ``released`` was made from row i of ``original``.
    y : array-like (N,)
        Class of each row. The attacker knows it and searches only the original rows of this class.

    Returns
    -------
    float
        Share in [0, 1]. A random guess reaches about the number of classes divided by N. Original rows with equal
        values count as the same row.

    Raises
    ------
    ValueError
        When shapes do not agree.

    See Also
    --------
    group_sizes, membership_scores

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


def group_sizes(released: ArrayLike, register: ArrayLike | None = None) -> Integers:
    """Return for each released row the number of rows in a register that have the same values.

    If this number is 1, and the register is public and has names, the released row is linked to a name. Without a
    register the released rows are compared with each other. The released table is then k-anonymous if every number is
    at least k.

    Parameters
    ----------
    released : array-like (n, p)
        Values of p columns (quasi-identifiers) in n released rows. p may be 0.
    register : array-like (N, p), optional
        Values of the same columns in the register; by default the released rows themselves.

    Returns
    -------
    ndarray of int (n,)

    Raises
    ------
    ValueError
        When shapes do not agree.

    See Also
    --------
    shared_secrets, linkability

    References
    ----------
    L. Sweeney, "k-anonymity: a model for protecting privacy", International Journal of Uncertainty, Fuzziness and
    Knowledge-Based Systems 10(5), 2002.

    Examples
    --------
    >>> group_sizes([[0, 1950], [1, 1960]], register=[[0, 1950], [0, 1950], [1, 1960]]).tolist()
    [2, 1]
    """
    rows = np.asarray(released)
    listed = rows if register is None else np.asarray(register)
    if rows.ndim != 2 or listed.ndim != 2 or rows.shape[1] != listed.shape[1]:
        raise ValueError(
            f"shapes {rows.shape}, {listed.shape} are not allowed: give (n, p), (N, p) with the same columns."
        )
    groups = _groups(np.concatenate([rows, listed]))
    counts = np.bincount(groups[len(rows) :], minlength=groups.max(initial=0) + 1)
    return np.asarray(counts[groups[: len(rows)]], np.int64)


def shared_secrets(released: ArrayLike, secrets: ArrayLike) -> Bools:
    """Return for each released row whether all released rows with the same values have the same secret.

    If so, anybody who knows that a person is in the table, and who knows the values of this person, also knows the
    secret of the person, no matter how many such rows there are. This is the homogeneity attack on k-anonymity.

    Parameters
    ----------
    released : array-like (n, p)
        Values of p columns in n released rows. p may be 0.
    secrets : array-like (n,)
        A further value of each released row, such as a diagnosis.

    Returns
    -------
    ndarray of bool (n,)

    Raises
    ------
    ValueError
        When shapes do not agree.

    See Also
    --------
    group_sizes

    References
    ----------
    A. Machanavajjhala, J. Gehrke, D. Kifer and M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity",
    ICDE, 2006.

    Examples
    --------
    >>> shared_secrets([[0], [0], [1], [1]], secrets=["flu", "flu", "flu", "burn"]).tolist()
    [True, True, False, False]
    """
    rows, values = np.asarray(released), np.asarray(secrets)
    if rows.ndim != 2 or values.shape != rows.shape[:1]:
        raise ValueError(f"shapes {rows.shape}, {values.shape} are not allowed: give (n, p), (n,).")
    _, kinds = np.unique(values, return_inverse=True)
    with_secret = np.column_stack([rows, kinds])
    return np.asarray(group_sizes(rows) == group_sizes(with_secret))


def _groups(rows: Floats | Integers) -> Integers:
    """Return the group number (n,) of each row (n, p), where rows with equal values form a group."""
    same = np.column_stack(
        [np.zeros(len(rows), int), rows]
    )  # rows without columns are all the same
    _, groups = np.unique(same, axis=0, return_inverse=True)
    return np.asarray(groups.ravel(), np.int64)
