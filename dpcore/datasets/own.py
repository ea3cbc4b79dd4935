"""A person's own table as a regression data set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpcore.datasets.csv import DataError, Table, declared
from dpcore.datasets.regression import RegressionDataset

__all__ = ["own_regression"]

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
    X = np.column_stack([table.numbers(name) for name in names])
    y = table.numbers(target)
    if len(y) < _FEWEST:
        raise DataError(f"The table has {len(y)} rows; at least {_FEWEST} are needed for a fit.")
    if estimate_bounds:
        ends, outer = (X.min(0), X.max(0)), (float(y.min()), float(y.max()))
    else:
        ends = declared(names, low, high)
        both = declared((target,), target_low, target_high)
        outer = (float(both[0][0]), float(both[1][0]))
    order = np.random.default_rng(seed).permutation(len(y))
    train, test = order[: len(y) * 4 // 5], order[len(y) * 4 // 5 :]
    return RegressionDataset(
        name="own", title="Your own data", description=f"{len(y)} rows of your own CSV.",
        X=X[train], y=y[train], X_test=X[test], y_test=y[test], feature_names=names,
        target_name=target, low=ends[0], high=ends[1], target_low=outer[0], target_high=outer[1],
        bounds_status="estimated" if estimate_bounds else "declared", source="your own CSV",
    )  # fmt: skip
