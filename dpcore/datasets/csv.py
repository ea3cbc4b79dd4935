"""A person's own table: read with care, refused with a sentence that says what to do."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore._types import AnyArray
from dpcore.datasets import _gaps
from dpcore.datasets._gaps import EmptyCells
from dpcore.datasets._limits import DataError, Limits, checked, content
from dpcore.datasets._parse import Column, TableError, parse, short

if TYPE_CHECKING:
    import pandas as pd

    from dpcore.datasets.dataset import Dataset

__all__ = ["DataError", "Limits", "Table", "read_csv"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """A table that was read: ``frame`` with unique column names, ``numeric`` the usable features."""

    frame: pd.DataFrame
    numeric: tuple[str, ...]
    limits: Limits

    def targets(self) -> tuple[str, ...]:
        """Return the columns that could be the class: 2 to ``limits.classes`` different values."""
        return self._targets

    @cached_property
    def _targets(self) -> tuple[str, ...]:
        # A page asks at every run: counted once, and only where the first rows leave it open.
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
        seed: int = 1,
    ) -> Dataset:
        """Return the table as a data set for classification, a third of it for testing.

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
            Refuse empty cells, leave out rows that have one, or put the middle of the bounds there. A row
            without a class is refused or left out.
        undeclared : sequence of str
            Of "n" and "classes", what nobody has declared public: the data set is marked for it.

        Raises
        ------
        DataError
            When something is missing or cannot be used.
        """
        from dpcore.datasets.dataset import Dataset, split

        names = self.features(target, features)
        X, rows, ends = self.records(target, names, low, high, estimate_bounds, empty_cells)
        classes, y = self._classes(target, rows)
        train, test = split(y, 1 / 3, seed)
        return Dataset(
            name="own", title="Your own data", description=f"{len(y)} rows of your own CSV.",
            X=X[train], y=y[train], X_test=X[test], y_test=y[test], classes=classes,
            feature_names=names, low=ends[0], high=ends[1], empty_cells=empty_cells,
            bounds_status="estimated" if estimate_bounds else "declared", source="your own CSV",
            undeclared=tuple(undeclared),
        )  # fmt: skip

    def records(
        self,
        target: str,
        names: Sequence[str],
        low: ArrayLike | None,
        high: ArrayLike | None,
        estimate_bounds: bool,
        empty_cells: EmptyCells,
    ) -> tuple[AnyArray, AnyArray, tuple[AnyArray, AnyArray]]:
        """Return features (n, d), the rows (n,) they stand in, and the bounds of each, (d,) and (d,)."""
        numbers = {name: _gaps.cells(self.frame, name) for name in names}
        missing = self.frame[target].isna().to_numpy()
        if empty_cells == "refuse" and missing.any():
            raise DataError(
                f"The class column “{short(target)}” has {int(missing.sum())} empty cells. "
                "Fill them or drop the rows."
            )
        rows = _gaps.kept(numbers, missing, empty_cells)
        numbers = {name: column[rows] for name, column in numbers.items()}
        ends = _gaps.bounds_of(numbers) if estimate_bounds else declared(tuple(names), low, high)
        return _gaps.filled(np.column_stack(list(numbers.values())), ends), rows, ends

    def features(self, target: str, features: Sequence[str] | None = None) -> tuple[str, ...]:
        """Return the columns used as features: those asked for, or all numeric ones but the target."""
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
        found = _gaps.cells(self.frame, name)
        _gaps.kept({name: found}, np.zeros(len(found), bool), "refuse")
        return found

    def _classes(self, target: str, rows: AnyArray) -> tuple[tuple[str, ...], np.ndarray]:
        column = self.frame[target].iloc[rows]
        classes, y = np.unique(named(column), return_inverse=True)
        if len(classes) < 2:
            raise DataError(f"The class column “{short(target)}” holds one class: two are needed.")
        if len(classes) > self.limits.classes:
            raise DataError(
                f"The class column “{short(target)}” holds {len(classes)} different values; at "
                f"most {self.limits.classes} are allowed. Choose a column of categories."
            )
        counts = np.bincount(y)
        if counts.min() < self.limits.rows_of_a_class:
            rows_of = "1 row" if counts.min() == 1 else f"{counts.min()} rows"
            raise DataError(
                f"Class “{short(classes[counts.argmin()])}” has {rows_of}; at least "
                f"{self.limits.rows_of_a_class} are needed. Merge or drop rare classes."
            )
        return tuple(str(c) for c in classes), y.astype(np.int64)


def read_csv(source: bytes | str | os.PathLike[str], *, limits: Limits | None = None) -> Table:
    """Read a table with a header line; comma, semicolon or tab between the cells.

    Parameters
    ----------
    source : bytes or path
        The file's content, or where it is.
    limits : Limits, optional
        How large it may be.

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


def named(column: pd.Series[Any]) -> AnyArray:
    """Return the cells of a column (n,) as names: whole numbers without a point."""
    if column.dtype.kind == "f":
        return np.array([str(int(x)) if float(x).is_integer() else str(x) for x in column], str)
    return np.asarray(column.astype(str).to_numpy(str))


def declared(names: tuple[str, ...], low: Any, high: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return declared bounds (d,), (d,) of the named columns, or raise a DataError."""
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
