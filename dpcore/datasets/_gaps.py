"""Empty cells of a table: refused, or dealt with row by row so that one person's row moves no other's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from dpcore import _checks
from dpcore._types import AnyArray
from dpcore.datasets._limits import DataError
from dpcore.datasets._parse import number, short

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["EmptyCells", "bounds_of", "cells", "filled", "kept"]

EmptyCells = Literal["refuse", "leave_out", "middle"]
Ends = tuple[AnyArray, AnyArray]


def cells(frame: pd.DataFrame, name: str) -> AnyArray:
    """Return a column as numbers (n,), NaN where it is empty; a DataError names any other cell."""
    column = frame[name]
    if column.dtype.kind not in "if":
        words = enumerate(column.where(column.notna(), "0"), start=2)
        found = next(((row, cell) for row, cell in words if number(cell) is None), None)
        if found:
            raise DataError(
                f"Column “{short(name)}” holds “{short(found[1])}” in row {found[0]}, which is not a number "
                "(decimal point, no thousands separator, between −1.8e308 and 1.8e308). Correct it or "
                "leave the column out."
            )
    numbers: AnyArray = column.to_numpy(float)
    bad = np.flatnonzero(np.isinf(numbers))
    if len(bad):
        raise DataError(
            f"Column “{short(name)}” has {_cells(len(bad), 'infinite')} (the first in row {bad[0] + 2}). "
            "Correct them or leave the column out."
        )
    return numbers


def kept(numbers: Mapping[str, AnyArray], target: AnyArray, how: EmptyCells) -> AnyArray:
    """Return the numbers of the rows that are used.

    Parameters
    ----------
    numbers : mapping of str to ndarray (n,)
        The features, NaN where a cell is empty.
    target : ndarray (n,) of bool
        Whether the cell to predict is empty: such rows are never used.
    how : "refuse", "leave_out" or "middle"
        Raise an error; leave out rows with an empty cell; keep rows whose features have some.

    Raises
    ------
    DataError
        When nothing is left, or an empty cell is refused.
    """
    _checks.one_of("empty_cells", how, get_args(EmptyCells))
    gone = target.copy()
    for name, column in numbers.items():
        empty = np.isnan(column)
        if how == "refuse" and empty.any():
            raise DataError(
                f"Column “{short(name)}” has {_cells(int(empty.sum()), 'empty')} (the first in row "
                f"{int(empty.argmax()) + 2}). Fill them, drop the rows, or leave the column out."
            )
        if empty.all():
            raise DataError(
                f"All {len(empty)} cells of column “{short(name)}” are empty: leave the column out."
            )
        gone |= empty & (how == "leave_out")
    if gone.all():
        raise DataError(
            f"Each of the {len(gone)} rows has an empty cell, so that no row is left. Leave out the "
            "columns with many empty cells, or fill the cells."
        )
    return np.flatnonzero(~gone)


def bounds_of(numbers: Mapping[str, AnyArray]) -> Ends:
    """Return the smallest and largest value of each column: read from the data, which leaks.

    Raises
    ------
    DataError
        When a column holds the same value everywhere: such bounds are no interval.
    """
    low = np.array([np.nanmin(column) for column in numbers.values()])
    high = np.array([np.nanmax(column) for column in numbers.values()])
    for name, a, b in zip(numbers, low, high, strict=True):
        if not a < b:
            raise DataError(
                f"Column “{short(name)}” holds {a:g} in every row, so that its bounds cannot be estimated. "
                "Leave the column out, or declare its bounds."
            )
    return low, high


def filled(X: AnyArray, ends: Ends) -> AnyArray:
    """Return records (n, d) with the middle of the bounds where a cell is empty.

    The middle is public where the bounds are; a mean of the other rows would leak.
    """
    return np.where(np.isnan(X), (np.asarray(ends[0]) + np.asarray(ends[1])) / 2, X)


def _cells(n: int, kind: str) -> str:
    return f"{n} {kind} cell{'s' * (n != 1)}"
