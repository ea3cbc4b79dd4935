"""Reading of uploaded CSV tables, with messages that name fault and remedy."""

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
    """Parsed table: ``frame`` with unique column names, ``numeric`` the usable features."""

    frame: pd.DataFrame
    numeric: tuple[str, ...]
    limits: Limits

    def targets(self) -> tuple[str, ...]:
        """Return the columns usable as a class: 2 to ``limits.classes`` distinct values."""
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
        """Return the table as a data set for classification, about a third of it for testing.

        Parameters
        ----------
        target : str
            The column that holds the class.
        features : sequence of str, optional
            Numeric columns; all but the target when not given.
        low, high : array (d,), optional
            Public bounds of each feature, declared without looking at the data.
        estimate_bounds : bool
            Read the bounds from the data instead: this leaks, the data set is marked for it.
        empty_cells : "refuse", "leave_out" or "middle"
            Refuse empty cells; leave out rows that have one; or keep these rows, with the middle of the bounds
            there, and one of the classes in turn where the class is empty.
        undeclared : sequence of str
            Facts not declared public, of "n" and "classes"; ε is then nominal.
        classes : sequence of str, optional
            The declared classes: rows of another class count as rows without one. None reads them from the
            table.
        expected_n : int, optional
            The declared size of the training part, ≥ 1, by which lots are planned under add_remove.
        rows_per_person : int
            Declared maximum number of rows per person, ≥ 1.
        neighbouring : "add_remove" or "replace_one"
            Which tables are neighbours, and so what may decide which rows are for training: under add_remove a
            keyed hash of the row, under replace_one its place.

        Returns
        -------
        Dataset
            Neighbouring tables have training parts that differ in one record at most. Under replace_one a row
            that is left out makes the training part smaller: "n" is then undeclared.

        Raises
        ------
        DataError
            When something is missing or cannot be used.
        """
        from dpcore.datasets.own_table import own_classification

        return own_classification(
            self, target, features, low=low, high=high, estimate_bounds=estimate_bounds,
            empty_cells=empty_cells, undeclared=undeclared, classes=classes, expected_n=expected_n,
            rows_per_person=rows_per_person, neighbouring=neighbouring,
        )[0]  # fmt: skip

    def features(self, target: str, features: Sequence[str] | None = None) -> tuple[str, ...]:
        """Return the feature columns: those given, or all numeric ones except the target."""
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
        """Return a column as finite numbers (n,), or raise a DataError that names the cell."""
        found = _empty_cells.cells(self.frame, [name])
        _empty_cells.rows_to_use(found, np.zeros(len(self.frame), bool), "refuse")
        return found[name]


def read_csv(source: bytes | str | os.PathLike[str], *, limits: Limits | None = None) -> Table:
    """Read a table with a header line; comma, semicolon or tab between the cells.

    Parameters
    ----------
    source : bytes or path
        The file's content, or where it is.
    limits : Limits, optional
        Limits on the size of the file.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        When it is too large, not a table, or holds no column of numbers.

    Examples
    --------
    >>> read_csv(b"height,kind\\n1.5,a\\n1.7,b\\n").numeric
    ('height',)
    """
    limits = limits or Limits()
    text = checked(content(source, limits), limits)
    try:
        columns = parse(text)
    except TableError as error:
        raise DataError(str(error)) from None
    return table_of(columns, limits)


def table_of(columns: Sequence[Column], limits: Limits) -> Table:
    """Return parsed columns as a table, or raise a DataError when none or too many are numeric."""
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
    arrays = {c.name: np.array(c.values, kinds[c.kind]) for c in columns}
    return Table(frame=pd.DataFrame(arrays), numeric=numeric, limits=limits)
