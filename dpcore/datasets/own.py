"""A person's own table as a regression data set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpcore._types import AnyArray
from dpcore.datasets._gaps import EmptyCells, bounds_of, cells
from dpcore.datasets.csv import DataError, Table, declared
from dpcore.datasets.regression import RegressionDataset

__all__ = ["own_regression", "parted"]

_FEWEST = 25


def own_regression(
    table: Table,
    target: str,
    features: Sequence[str] | None = None,
    *,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    target_low: float | None = None,
    target_high: float | None = None,
    estimate_bounds: bool = False,
    empty_cells: EmptyCells = "refuse",
    undeclared: Sequence[str] = (),
    seed: int = 1,
) -> RegressionDataset:
    """Return the table as a data set for regression, a fifth of it for testing.

    Parameters
    ----------
    table : Table
        As `read_csv` returns it.
    target : str
        The numeric column to predict.
    features : sequence of str, optional
        Numeric columns; all but the target when not given.
    low, high : array (d,), optional
        Public bounds of each feature, declared without looking at the data.
    target_low, target_high : float, optional
        Public bounds of the target.
    estimate_bounds : bool
        Read all bounds from the data instead: this leaks, the data set is marked for it.
    empty_cells : "refuse", "leave_out" or "middle"
        Refuse empty cells, leave out rows that have one, or put the middle of the bounds there. A row
        without a target is refused or left out.
    undeclared : sequence of str
        ("n",) when nobody has declared the number of records public: the data set is marked for it.
    seed : int
        Of the division into training and test part.

    Returns
    -------
    RegressionDataset

    Raises
    ------
    DataError
        When something is missing or cannot be used.
    """
    names = table.features(target, features)
    X, rows, ends = table.records(target, names, low, high, estimate_bounds, empty_cells)
    y = cells(table.frame, target)[rows]
    if len(y) < _FEWEST:
        raise DataError(f"The table has {len(y)} rows; at least {_FEWEST} are needed for a fit.")
    both = (
        bounds_of({target: y}) if estimate_bounds else declared((target,), target_low, target_high)
    )
    outer = (float(both[0][0]), float(both[1][0]))
    train, test = parted(len(y), seed)
    return RegressionDataset(
        name="own", title="Your own data", description=f"{len(y)} rows of your own CSV.",
        X=X[train], y=y[train], X_test=X[test], y_test=y[test], feature_names=names,
        target_name=target, low=ends[0], high=ends[1], target_low=outer[0], target_high=outer[1],
        bounds_status="estimated" if estimate_bounds else "declared", source="your own CSV",
        undeclared=tuple(undeclared), empty_cells=empty_cells,
    )  # fmt: skip


def parted(n: int, seed: int = 1) -> tuple[AnyArray, AnyArray]:
    """Return the numbers of training rows, four fifths of n, and of test rows; seeded."""
    order = np.random.default_rng(seed).permutation(n)
    return order[: n * 4 // 5], order[n * 4 // 5 :]
