"""Preparation of records from the rows of a user's table, where each record depends on only one row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._types import AnyArray
from dpcore.datasets import _empty_cells
from dpcore.datasets._empty_cells import EmptyCells, declared
from dpcore.datasets._limits import DataError
from dpcore.datasets._parse import short
from dpcore.datasets._sides import Rows, named, row_codes, sides
from dpcore.guarantee import Neighbouring

if TYPE_CHECKING:
    from dpcore.datasets.csv import Table

__all__ = ["SHARES", "Labels", "Prepared", "labels", "part_size", "prepared", "refuse"]

SHARES = {"classification": 2 / 3, "regression": 4 / 5}
"""Fraction of the rows that are used for training, for each task."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Labels:
    """Classes of the rows of a table.

    ``names`` holds the class names. ``index`` (n,) holds, for each row, the index of its class in ``names``, or -1 if
    the row has no class.
    """

    names: tuple[str, ...]
    index: Rows

    def turn(self, frame: Any, neighbouring: Neighbouring) -> Rows:
        """Return a class index (n,) for every row, which is used if the row has no class.

        The index is a number modulo the number of classes. Under add_remove this number is a hash of the row, and
        under replace_one it is the position of the row.
        """
        by_row = neighbouring == "add_remove"
        numbers = row_codes(frame) if by_row else np.arange(len(frame), dtype=np.uint64)
        return (numbers % np.uint64(len(self.names))).astype(np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class Prepared:
    """Records made from rows of a table, and their division into a training and a test part.

    - ``X`` (n, d): n records with d features.
    - ``y`` (n,): class index of each record, or target of each record in a regression.
    - ``rows`` (n,): index of the table row from which each record was made.
    - ``train``, ``test``: indices of the records for training, and indices of the records for testing.
    - ``low``, ``high`` (d,): bounds of the features.
    - ``outer``: bounds of the target in a regression; None in a classification.
    - ``n_filled``: number of empty cells that were filled with the middle of the bounds of their column.
    - ``n_labelled``: number of rows without a class to which ``Labels.turn`` assigned a class.
    """

    X: AnyArray
    y: AnyArray
    rows: Rows
    train: Rows
    test: Rows
    low: AnyArray
    high: AnyArray
    outer: tuple[float, float] | None
    n_filled: int
    n_labelled: int = 0

    def parts(self) -> dict[str, NDArray[Any]]:
        """Return the records and targets of both parts as the fields X, y, X_test and y_test of a data set."""
        train, test = self.train, self.test
        return {
            "X": self.X[train], "y": self.y[train], "X_test": self.X[test], "y_test": self.y[test]
        }  # fmt: skip


def part_size(n: int, share: float) -> int:
    """Return the declared size of the training part, which is the fraction ``share`` of n rows, and at least 1."""
    return max(1, int(share * n + 1e-9))


def prepared(
    table: Table,
    names: Sequence[str],
    target: str,
    classes: Labels | None,
    *,
    low: ArrayLike | None,
    high: ArrayLike | None,
    target_low: float | None = None,
    target_high: float | None = None,
    estimate_bounds: bool,
    empty_cells: EmptyCells,
    neighbouring: Neighbouring,
) -> Prepared:
    """Return the records prepared from a table; neighbouring tables give neighbouring sets of records.

    Parameters
    ----------
    table : Table
        The parsed table, as returned by `read_csv`.
    names : sequence of str
        Names of the d feature columns.
    target : str
        Name of the column that is predicted.
    classes : Labels or None
        Class of each row; None for a regression.
    low, high, target_low, target_high : array (d,) or float, or None
        Declared bounds of the features and of a regression target.
    estimate_bounds : bool
        Whether to read the bounds from the table instead. Bounds that are read from the table reveal data.
    empty_cells : "refuse", "leave_out" or "middle"
        Handling of rows with an empty cell. "refuse" raises an error, and "leave_out" leaves out these rows. "middle"
        fills an empty feature with the middle of its bounds, and an empty class with the class from ``Labels.turn``.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation, which determines how rows are divided into two parts
        (``dpcore.datasets._sides.sides``).

    Returns
    -------
    Prepared
        The records. Under add_remove, one more row in the table adds at most one training record and changes no other
        record. Under replace_one, a replaced row changes at most the record at its position. If rows are left out
        under replace_one, the number of records depends on the data and is not public.

    Raises
    ------
    DataError
        When bounds are missing, a column cannot be used, or the training or test part has no row.
    """
    frame = table.frame
    numbers = _empty_cells.cells(frame, names)
    if classes is None:
        goal: AnyArray = _empty_cells.cells(frame, [target])[target]
        missing = np.isnan(goal)
    else:
        goal, missing = classes.index, classes.index < 0
    if empty_cells == "refuse":
        refuse(target, missing)
    rows = _empty_cells.rows_to_use(numbers, missing, empty_cells)
    used = {name: column[rows] for name, column in numbers.items()}
    ends = _empty_cells.bounds_of(used) if estimate_bounds else declared(tuple(names), low, high)
    X, y = np.column_stack(list(used.values())), goal[rows]
    n_filled, n_labelled, outer = int(np.isnan(X).sum()), 0, None
    if classes is None:
        outer = _outer(target, y, estimate_bounds, target_low, target_high)
        n_filled += int(np.isnan(y).sum())
        y = np.where(np.isnan(y), (outer[0] + outer[1]) / 2, y)
    elif (y < 0).any():
        n_labelled = int((y < 0).sum())
        y = np.where(y < 0, classes.turn(frame, neighbouring)[rows], y)
    share = SHARES["regression" if classes is None else "classification"]
    train, test = (_places(part, rows, len(frame)) for part in sides(frame, share, neighbouring))
    for part, what in ((train, "learn from"), (test, "test on")):
        if not len(part):
            raise DataError(
                f"The table has {len(rows)} rows that can be used, and by chance none of them is there to {what}: "
                "give more rows."
            )
    return Prepared(
        X=_empty_cells.filled(X, ends), y=y, rows=rows, train=train, test=test, low=ends[0], high=ends[1],
        outer=outer, n_filled=n_filled, n_labelled=n_labelled,
    )  # fmt: skip


def refuse(target: str, missing: NDArray[np.bool_]) -> None:
    """Raise a DataError if any row lacks a value to predict; ``missing`` (n,) marks these rows."""
    if missing.any():
        raise DataError(
            f"Column “{short(target)}”, which is predicted, has {int(missing.sum())} empty cells, or cells of no "
            "declared class. Fill them or drop the rows."
        )


def _outer(
    target: str, y: AnyArray, estimate: bool, low: float | None, high: float | None
) -> tuple[float, float]:
    """Return the bounds of a regression target, which are estimated from the data or declared."""
    both = _empty_cells.bounds_of({target: y}) if estimate else declared((target,), low, high)
    return float(both[0][0]), float(both[1][0])


def _places(part: Rows, rows: Rows, n: int) -> Rows:
    """Return the positions of the rows ``part`` in the array ``rows``, in the order of ``part``.

    ``part`` holds the indices of the training rows or of the test rows of a table with n rows, and ``rows`` the
    indices of the rows that are used. Rows that are not used are left out.
    """
    place = np.full(n, -1)
    place[rows] = np.arange(len(rows))
    places = place[part]
    return places[places >= 0]


def labels(
    table: Table, target: str, classes: Sequence[str] | None, empty_cells: EmptyCells
) -> Labels:
    """Return the classes of the rows of a table.

    ``classes`` holds the declared classes. If it is None, the classes are read from the column ``target``.

    Raises
    ------
    DataError
        When there are too few or too many classes, when a class that was read from the column has too few rows, or
        when a cell is empty and ``empty_cells`` is "refuse".
    """
    names, most = named(table.frame[target]), table.limits.classes
    if empty_cells == "refuse":
        refuse(target, np.array([name is None for name in names]))
    known = tuple(sorted(set(names) - {None} if classes is None else set(classes)))
    if len(known) < 2:
        raise DataError(f"The class column “{short(target)}” holds one class: two are needed.")
    if len(known) > most:
        raise DataError(
            f"The class column “{short(target)}” holds {len(known)} different values; at most {most} are "
            "allowed. Choose a column of categories."
        )
    place = {name: at for at, name in enumerate(known)}
    index = np.array([place.get(name, -1) for name in names], np.int64)
    if classes is None:
        _enough(np.bincount(index[index >= 0]).tolist(), known, table.limits.rows_of_a_class)
    return Labels(names=known, index=index)


def _enough(counts: list[int], names: Sequence[str], fewest: int) -> None:
    least = min(counts)
    if least < fewest:
        rows_of = "1 row" if least == 1 else f"{least} rows"
        raise DataError(
            f"Class “{short(names[counts.index(least)])}” has {rows_of}; at least {fewest} are needed. Merge or drop "
            "rare classes."
        )
