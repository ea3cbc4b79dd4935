"""Treatment of empty cells in a table: an error, rows left out, or values filled in.

Every row is treated on its own, so one row does not affect the others.
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
    """Return columns as numbers (n,) by name, with NaN for empty cells.

    A DataError lists the cells that are neither empty nor a finite number.
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
    """Return the row numbers and contents of all cells in a text column that are not numbers.

    Rows are numbered as in the file.
    """
    cells = enumerate(column.where(column.notna(), "0"), start=2)
    return [(row, str(cell)) for row, cell in cells if number(cell) is None]


def rows_to_use(numbers: Mapping[str, AnyArray], missing: AnyArray, how: EmptyCells) -> AnyArray:
    """Return the indices of the rows to use, decided for every row from its own cells.

    Parameters
    ----------
    numbers : mapping of str to ndarray (n,)
        The features, with NaN for empty cells.
    missing : ndarray (n,) of bool
        Whether the row lacks a target, the value or class to predict.
    how : "refuse", "leave_out" or "middle"
        Handling of empty cells: raise an error, leave out rows with an empty cell, or use all rows because empty
        cells are filled later.

    Raises
    ------
    DataError
        When no row is left, or there is an empty cell and ``how`` is "refuse".
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
    """Return the smallest and largest values of columns as bounds; these bounds reveal data.

    Raises
    ------
    DataError
        When a column is empty, or holds the same value in every row, so that its bounds are equal.
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
    """Return the declared bounds (d,) of d named columns, or raise a DataError if any are invalid."""
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
    """Return records (n, d) with empty cells replaced by the middle of the column's bounds.

    The middle is public if the bounds are public. The mean of the other rows would reveal data.
    """
    return np.where(np.isnan(X), (np.asarray(ends[0]) + np.asarray(ends[1])) / 2, X)


def _cells(n: int, kind: str) -> str:
    return f"{n} {kind} cell{'s' * (n != 1)}"
