"""A person's own table: read with care, refused with a sentence that says what to do."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike

from dpcore._types import AnyArray
from dpcore.datasets._limits import DataError, Limits, checked, content
from dpcore.datasets._parse import Column, TableError, number, parse, short

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

        Raises
        ------
        DataError
            When something is missing or cannot be used.
        """
        from dpcore.datasets.dataset import Dataset, split

        names = self.features(target, features)
        X = np.column_stack([self.numbers(name) for name in names])
        classes, y = self._classes(target)
        bounds = (X.min(0), X.max(0)) if estimate_bounds else declared(names, low, high)
        train, test = split(y, 1 / 3, seed)
        return Dataset(
            name="own", title="Your own data", description=f"{len(y)} rows of your own CSV.",
            X=X[train], y=y[train], X_test=X[test], y_test=y[test], classes=classes,
            feature_names=names, low=bounds[0], high=bounds[1],
            bounds_status="estimated" if estimate_bounds else "declared", source="your own CSV",
        )  # fmt: skip

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

    def numbers(self, name: str) -> np.ndarray:
        """Return a column as finite numbers (n,), or raise a DataError that names the cell."""
        column = self.frame[name]
        if column.dtype.kind not in "if":
            cells = enumerate(column.where(column.notna(), "0"), start=2)
            row, cell = next((row, cell) for row, cell in cells if number(cell) is None)
            raise DataError(
                f"Column “{short(name)}” holds “{short(cell)}” in row {row}, which is not a number "
                "(decimal point, no thousands separator, between −1.8e308 and 1.8e308). Correct it or "
                "leave the column out."
            )
        numbers = column.to_numpy(float)
        bad = np.flatnonzero(~np.isfinite(numbers))
        if len(bad):
            raise DataError(
                f"Column “{short(name)}” has {len(bad)} empty or infinite cells (the first in row "
                f"{bad[0] + 2}). Fill them, drop the rows, or leave the column out."
            )
        return cast(AnyArray, numbers)

    def _classes(self, target: str) -> tuple[tuple[str, ...], np.ndarray]:
        column = self.frame[target]
        if column.isna().any():
            raise DataError(
                f"The class column “{short(target)}” has {int(column.isna().sum())} empty cells. "
                "Fill them or drop the rows."
            )
        classes, y = np.unique(column.astype(str).to_numpy(str), return_inverse=True)
        if len(classes) < 2:
            raise DataError(f"The class column “{short(target)}” holds one class: two are needed.")
        if len(classes) > self.limits.classes:
            raise DataError(
                f"The class column “{short(target)}” holds {len(classes)} different values; at "
                f"most {self.limits.classes} are allowed. Choose a column of categories."
            )
        counts = np.bincount(y)
        if counts.min() < self.limits.rows_of_a_class:
            raise DataError(
                f"Class “{short(classes[counts.argmin()])}” has {counts.min()} rows; at least "
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
            "numbers are needed."
        )
    if len(numeric) > limits.features:
        raise DataError(
            f"The table has {len(numeric)} numeric columns; at most {limits.features} are allowed. "
            "Leave some out."
        )
    kinds = {"int": np.int64, "float": np.float64, "text": object}
    arrays = {c.name: np.array(c.values, kinds[c.kind]) for c in columns}
    return Table(frame=pd.DataFrame(arrays), numeric=numeric, limits=limits)


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
