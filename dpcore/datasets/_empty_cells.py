"""Treatment of empty cells in a table, by an error, by leaving out rows, or by filling in values.

Every row is treated independently of all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from dpcore import _checks
from dpcore._types import AnyArray
from dpcore.datasets._limits import DataError
from dpcore.datasets._parse import number, short

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["EmptyCells", "bounds_of", "cells", "declared", "filled", "rows_to_use"]

EmptyCells = Literal["refuse", "leave_out", "middle"]
Ends = tuple[AnyArray, AnyArray]
_NAMED = 5  # columns named in one message


def cells(frame: pd.DataFrame, names: Sequence[str]) -> dict[str, AnyArray]:
    """Return columns of a table as numbers (n,), by the names of the columns, with NaN for empty cells.

    If cells are neither empty nor a finite number, a DataError names such cells.
    """
    columns = {name: frame[name] for name in names}
    wrong = {name: _words(c) for name, c in columns.items() if c.dtype.kind not in "if"}
    wrong = {name: entries for name, entries in wrong.items() if entries}
    if wrong:
        said = [
            f"“{short(name)}” holds “{short(entries[0][1])}” in row {entries[0][0]}, which is not a number"
            + f" ({len(entries)} such cells)" * (len(entries) > 1)
            for name, entries in wrong.items()
        ]
        more = f"; and so do {len(said) - _NAMED} columns more" if len(said) > _NAMED else ""
        raise DataError(
            f"Column {'; column '.join(said[:_NAMED])}{more}. Write numbers without unit and thousands separator, "
            f"between −1.8e308 and 1.8e308; or empty such cells, or leave the column{'s' * (len(said) > 1)} out."
        )
    numbers: dict[str, AnyArray] = {name: c.to_numpy(float) for name, c in columns.items()}
    for name, column in numbers.items():
        bad = np.flatnonzero(np.isinf(column))
        if len(bad):
            raise DataError(
                f"Column “{short(name)}” has {_cells(len(bad), 'infinite')} (the first in row {bad[0] + 2}). "
                "Correct them or leave the column out."
            )
    return numbers


def _words(column: pd.Series[Any]) -> list[tuple[int, str]]:
    """Return the row number and content of every cell of a text column that is not a number.

    Rows are numbered as in the file, so the first row below the header has number 2.
    """
    cells = enumerate(column.where(column.notna(), "0"), start=2)
    return [(row, str(cell)) for row, cell in cells if number(cell) is None]


def rows_to_use(numbers: Mapping[str, AnyArray], missing: AnyArray, how: EmptyCells) -> AnyArray:
    """Return the indices of the rows to use; whether a row is used depends only on the cells of this row.

    Parameters
    ----------
    numbers : mapping of str to ndarray (n,)
        Features by name, with NaN for empty cells.
    missing : ndarray (n,) of bool
        Whether each row lacks a target, that is, the value or class to predict.
    how : "refuse", "leave_out" or "middle"
        Handling of empty cells. "refuse" raises an error, and "leave_out" leaves out rows with an empty cell.
        "middle" uses all rows, because empty cells are filled later.

    Raises
    ------
    DataError
        When no row is left, or when a feature has an empty cell and ``how`` is "refuse".
    """
    _checks.one_of("empty_cells", how, get_args(EmptyCells))
    if how == "middle":
        return np.arange(len(missing))
    gone = missing.copy()
    for name, column in numbers.items():
        empty = np.isnan(column)
        if how == "refuse" and empty.any():
            raise DataError(
                f"Column “{short(name)}” has {_cells(int(empty.sum()), 'empty')} (the first in row "
                f"{int(empty.argmax()) + 2}). Fill them, drop the rows, or leave the column out."
            )
        gone |= empty
    if gone.all():
        raise DataError(
            f"Each of the {len(gone)} rows has an empty cell, so that no row is left. Leave out the "
            "columns with many empty cells, or fill the cells."
        )
    return np.flatnonzero(~gone)


def bounds_of(numbers: Mapping[str, AnyArray]) -> Ends:
    """Return the smallest and the largest value of each column as its bounds; such bounds reveal data.

    Raises
    ------
    DataError
        When a column is empty, or contains the same value in every row.
    """
    for name, column in numbers.items():
        if np.isnan(column).all():
            raise DataError(
                f"All {len(column)} cells of column “{short(name)}” are empty: leave the column out."
            )
    low = np.array([np.nanmin(column) for column in numbers.values()])
    high = np.array([np.nanmax(column) for column in numbers.values()])
    for name, a, b in zip(numbers, low, high, strict=True):
        if not a < b:
            raise DataError(
                f"Column “{short(name)}” holds {a:g} in every row, so that its bounds cannot be estimated. "
                "Leave the column out, or declare its bounds."
            )
    return low, high


def declared(names: tuple[str, ...], low: Any, high: Any) -> Ends:
    """Return the declared lower and upper bounds (d,) of d named columns, or raise a DataError if any is invalid."""
    if low is None or high is None:
        raise DataError(
            "Give a lower and an upper bound for every feature, from what you know without looking "
            "at the data; or choose to estimate them, for a demonstration only."
        )
    ends = [np.broadcast_to(np.asarray(end, float), len(names)) for end in (low, high)]
    for name, a, b in zip(names, *ends, strict=True):
        if not (np.isfinite(a) and np.isfinite(b) and a < b):
            raise DataError(
                f"The bounds of “{short(name)}” are {a:g} and {b:g}: give two numbers, the lower "
                "one first."
            )
    return ends[0], ends[1]


def filled(X: AnyArray, ends: Ends) -> AnyArray:
    """Return records (n, d) in which every empty cell is replaced by the middle of the bounds of its column.

    The middle is public if the bounds are public. In contrast, the mean of the other rows would reveal data.
    """
    return np.where(np.isnan(X), (np.asarray(ends[0]) + np.asarray(ends[1])) / 2, X)


def _cells(n: int, kind: str) -> str:
    return f"{n} {kind} cell{'s' * (n != 1)}"
