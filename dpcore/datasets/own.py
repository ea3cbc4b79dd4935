"""A person's own table as a regression data set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from dpcore.datasets._gaps import EmptyCells
from dpcore.datasets.csv import DataError, Table
from dpcore.datasets.own_choices import without_n
from dpcore.datasets.own_classes import own_fields
from dpcore.datasets.preparation import Prepared, prepared
from dpcore.datasets.regression import RegressionDataset
from dpcore.units import Neighbouring

__all__ = ["own_regression", "regression_parts"]

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
    expected_n: int | None = None,
    rows_per_person: int = 1,
    neighbouring: Neighbouring = "replace_one",
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
        Refuse empty cells; leave out rows that have one; or keep these rows, with the middle of the bounds there.
    undeclared : sequence of str
        ("n",) when nobody has declared the number of records public: the data set is marked for it.
    expected_n : int, optional
        The declared size of the training part, ≥ 1.
    rows_per_person : int
        How many rows one person may have at most, ≥ 1: declared.
    neighbouring : "add_remove" or "replace_one"
        Which tables are neighbours, as of `Table.to_dataset`.

    Returns
    -------
    RegressionDataset
        Neighbouring tables have training parts that differ in one record at most. Under replace_one a row that is
        left out makes the training part smaller: "n" is then undeclared.

    Raises
    ------
    DataError
        When something is missing or cannot be used.
    """
    return regression_parts(
        table, target, features, low=low, high=high, target_low=target_low, target_high=target_high,
        estimate_bounds=estimate_bounds, empty_cells=empty_cells, undeclared=undeclared,
        expected_n=expected_n, rows_per_person=rows_per_person, neighbouring=neighbouring,
    )[0]  # fmt: skip


def regression_parts(
    table: Table,
    target: str,
    features: Sequence[str] | None,
    *,
    estimate_bounds: bool,
    empty_cells: EmptyCells,
    undeclared: Sequence[str],
    expected_n: int | None,
    rows_per_person: int,
    neighbouring: Neighbouring,
    **bounds: Any,
) -> tuple[RegressionDataset, Prepared]:
    """Return the data set of `own_regression`, and the rows that it was made of."""
    names = table.features(target, features)
    if len(table.frame) < _FEWEST:
        raise DataError(
            f"The table has {len(table.frame)} rows; at least {_FEWEST} are needed for a fit."
        )
    found = prepared(
        table, names, target, None, estimate_bounds=estimate_bounds, empty_cells=empty_cells,
        neighbouring=neighbouring, **bounds,
    )  # fmt: skip
    assert found.outer is not None  # a number is predicted
    data = RegressionDataset(
        **own_fields(found, names, estimate_bounds, empty_cells, rows_per_person), target_name=target,
        target_low=found.outer[0], target_high=found.outer[1],
        undeclared=without_n(tuple(undeclared), empty_cells, neighbouring),
        expected_n=expected_n, neighbouring=neighbouring,
    )  # fmt: skip
    return data, found
