"""Reader of uploaded CSV tables, whose error messages state the fault and the remedy."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from dpcore._types import AnyArray
from dpcore.datasets import _empty_cells
from dpcore.datasets._empty_cells import EmptyCells
from dpcore.datasets._limits import DataError, Limits, checked, content
from dpcore.datasets._parse import Column, TableError, parse, short
from dpcore.guarantee import Neighbouring

if TYPE_CHECKING:
    import pandas as pd

    from dpcore.datasets.dataset import Dataset

__all__ = ["DataError", "Limits", "Table", "read_csv"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """Parsed table, with the size limits for it.

    ``frame`` has unique column names. ``numeric`` lists the names of the columns of numbers.
    """

    frame: pd.DataFrame
    numeric: tuple[str, ...]
    limits: Limits

    def targets(self) -> tuple[str, ...]:
        """Return the names of the columns that can be predicted as a class.

        Such columns have from 2 to ``limits.classes`` distinct values.
        """
        return self._targets

    @cached_property
    def _targets(self) -> tuple[str, ...]:
        # Called at every rerun of a page: distinct values are counted once, and only if the first rows do not decide.
        most = self.limits.classes
        open_yet = [n for n in self.frame if self.frame[n].iloc[:1000].nunique() <= most]
        counts = {name: self.frame[name].nunique() for name in open_yet}
        return tuple(name for name, n in counts.items() if 2 <= n <= most)

    def to_dataset(
        self,
        target: str,
        features: Sequence[str] | None = None,
        *,
        low: ArrayLike | None = None,
        high: ArrayLike | None = None,
        estimate_bounds: bool = False,
        empty_cells: EmptyCells = "refuse",
        undeclared: Sequence[str] = (),
        classes: Sequence[str] | None = None,
        expected_n: int | None = None,
        rows_per_person: int = 1,
        neighbouring: Neighbouring = "add_remove",
    ) -> Dataset:
        """Return the table as a data set for classification, with about a third of its rows for testing.

        Parameters
        ----------
        target : str
            Name of the column that contains the class.
        features : sequence of str, optional
            Names of the numeric columns to use; by default all except the target.
        low, high : array (d,), optional
            Public bounds of the features, declared without looking at the data.
        estimate_bounds : bool
            Whether to read the bounds from the data instead. The bounds then reveal data, and ``bounds_status`` of
            the data set is "estimated".
        empty_cells : "refuse", "leave_out" or "middle"
            Handling of empty cells. "refuse" raises an error, and "leave_out" leaves out rows with an empty cell.
            "middle" fills an empty feature with the middle of its bounds, and assigns a class to every row without
            one (see ``Labels.turn``).
        undeclared : sequence of str
            Facts that were not declared public, among "n" (the number of rows) and "classes". If there is such a
            fact, ε is nominal.
        classes : sequence of str, optional
            The declared classes. A row with another class is treated as a row without a class. If it is None, the
            classes are read from the table.
        expected_n : int, optional
            Declared size of the training part, ≥ 1. Under add_remove, sizes of lots (batches) are computed from it.
        rows_per_person : int
            Declared maximum number of rows per person, ≥ 1.
        neighbouring : "add_remove" or "replace_one"
            Neighbouring relation. Whether a row is for training depends on its keyed hash under add_remove, and on
            its position in the table under replace_one.

        Returns
        -------
        Dataset
            The data set. The training parts of neighbouring tables differ in at most one record. If rows are left out
            under replace_one, the number of records depends on the data, so "n" is added to ``undeclared``.

        Raises
        ------
        DataError
            When an argument is missing or invalid, or a column cannot be used.
        """
        from dpcore.datasets.own_table import own_classification

        return own_classification(
            self, target, features, low=low, high=high, estimate_bounds=estimate_bounds,
            empty_cells=empty_cells, undeclared=undeclared, classes=classes, expected_n=expected_n,
            rows_per_person=rows_per_person, neighbouring=neighbouring,
        )[0]  # fmt: skip

    def features(self, target: str, features: Sequence[str] | None = None) -> tuple[str, ...]:
        """Return the names of the feature columns.

        These are the columns in ``features``, or by default all numeric columns except the target.
        """
        if target not in self.frame:
            raise DataError(f"There is no column “{short(target)}”: choose one of the table's.")
        names = tuple(features or (name for name in self.numeric if name != target))
        if not names:
            raise DataError(
                "No numeric column is left beside the one to predict: add at least one column of numbers."
            )
        unknown = [name for name in names if name not in self.frame or name == target]
        if unknown:
            raise DataError(f"“{short(unknown[0])}” cannot be a feature: choose another column.")
        return names

    def numbers(self, name: str) -> AnyArray:
        """Return a column as finite numbers (n,), or raise a DataError that names the first invalid cell."""
        columns = _empty_cells.cells(self.frame, [name])
        _empty_cells.rows_to_use(columns, np.zeros(len(self.frame), bool), "refuse")
        return columns[name]


def read_csv(source: bytes | str | os.PathLike[str], *, limits: Limits | None = None) -> Table:
    """Read a table with a header line and cells separated by comma, semicolon or tab.

    Parameters
    ----------
    source : bytes or path
        Content or path of the file.
    limits : Limits, optional
        Limits on the size of the table; by default ``Limits()``.

    Returns
    -------
    Table
        The parsed table.

    Raises
    ------
    DataError
        When the file is too large, is not a table, or has no column of numbers.

    Examples
    --------
    >>> read_csv(b"height,kind\\n1.5,a\\n1.7,b\\n").numeric
    ('height',)
    """
    limits = limits or Limits()
    text = checked(content(source, limits), limits)
    try:
        columns = parse(text, most=limits.columns)
    except TableError as error:
        raise DataError(str(error)) from None
    return table_of(columns, limits)


def table_of(columns: Sequence[Column], limits: Limits) -> Table:
    """Return parsed columns as a table; raise a DataError if no column is numeric, or if too many are."""
    import pandas as pd

    numeric = tuple(column.name for column in columns if column.numeric)
    if not numeric:
        raise DataError(
            "The table holds no column of numbers: a column to predict and at least one column of "
            "numbers are needed. Write a number as 1234.5, without a unit, % or thousands separator; dates "
            "count as text."
        )
    if len(numeric) > limits.features:
        raise DataError(
            f"The table has {len(numeric)} numeric columns; at most {limits.features} are allowed. "
            "Leave some out."
        )
    kinds = {"int": np.int64, "float": np.float64, "text": object}
    arrays = (np.array(c.values, kinds[c.kind]) for c in columns)
    frame = pd.DataFrame({at: pd.Series(a, dtype=a.dtype) for at, a in enumerate(arrays)})
    # Text and names stay Python's objects: Arrow, pandas' choice for them, keeps freed memory for itself.
    frame.columns = pd.Index([c.name for c in columns], dtype=object)
    return Table(frame=frame, numeric=numeric, limits=limits)
