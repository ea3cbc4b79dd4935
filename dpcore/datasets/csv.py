"""A person's own table: read with care, refused with a sentence that says what to do."""

from __future__ import annotations

import csv as _csv
import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    import pandas as pd

    from dpcore.datasets.dataset import Dataset

__all__ = ["DataError", "Limits", "Table", "read_csv"]


class DataError(ValueError):
    """A table that cannot be used as it is; the message says why and what to do."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How large a table may be."""

    megabytes: float = 20.0
    rows: int = 100_000
    features: int = 500
    classes: int = 30
    rows_of_a_class: int = 5


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """A table that was read: ``frame`` with unique column names, ``numeric`` the usable features."""

    frame: pd.DataFrame
    numeric: tuple[str, ...]
    limits: Limits

    def targets(self) -> tuple[str, ...]:
        """Return the columns that could be the class: 2 to ``limits.classes`` different values."""
        counts = {name: self.frame[name].nunique() for name in self.frame}
        return tuple(name for name, n in counts.items() if 2 <= n <= self.limits.classes)

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
            raise DataError(f"There is no column “{_short(target)}”: choose one of the table's.")
        names = tuple(features or (name for name in self.numeric if name != target))
        if not names:
            raise DataError(
                "No numeric column is left beside the one to predict: add at least one column of numbers."
            )
        unknown = [name for name in names if name not in self.frame or name == target]
        if unknown:
            raise DataError(f"“{_short(unknown[0])}” cannot be a feature: choose another column.")
        return names

    def numbers(self, name: str) -> np.ndarray:
        """Return a column as finite numbers (n,), or raise a DataError that names the cell."""
        import pandas as pd

        column = self.frame[name]
        numbers = pd.to_numeric(column, errors="coerce").to_numpy(float)
        wrong = np.flatnonzero(np.isnan(numbers) & column.notna().to_numpy())
        if len(wrong):
            raise DataError(
                f"Column “{_short(name)}” holds “{_short(column.iloc[wrong[0]])}” in row "
                f"{wrong[0] + 2}, which is not a number (decimal point, no thousands separator). "
                "Correct it or leave the column out."
            )
        bad = np.flatnonzero(~np.isfinite(numbers))
        if len(bad):
            raise DataError(
                f"Column “{_short(name)}” has {len(bad)} empty or infinite cells (the first in row "
                f"{bad[0] + 2}). Fill them, drop the rows, or leave the column out."
            )
        return numbers

    def _classes(self, target: str) -> tuple[tuple[str, ...], np.ndarray]:
        column = self.frame[target]
        if column.isna().any():
            raise DataError(
                f"The class column “{_short(target)}” has {int(column.isna().sum())} empty cells. "
                "Fill them or drop the rows."
            )
        classes, y = np.unique(column.astype(str).to_numpy(str), return_inverse=True)
        if len(classes) < 2:
            raise DataError(f"The class column “{_short(target)}” holds one class: two are needed.")
        if len(classes) > self.limits.classes:
            raise DataError(
                f"The class column “{_short(target)}” holds {len(classes)} different values; at "
                f"most {self.limits.classes} are allowed. Choose a column of categories."
            )
        counts = np.bincount(y)
        if counts.min() < self.limits.rows_of_a_class:
            raise DataError(
                f"Class “{_short(classes[counts.argmin()])}” has {counts.min()} rows; at least "
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
    text = _text(_raw(source, limits), limits)
    frame = _frame(text)
    numeric = tuple(name for name in frame if _mostly_numbers(frame[name]))
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
    return Table(frame=frame, numeric=numeric, limits=limits)


def _raw(source: bytes | str | os.PathLike[str], limits: Limits) -> bytes:
    size = len(source) if isinstance(source, bytes) else os.stat(source).st_size
    if size > limits.megabytes * 2**20:
        raise DataError(
            f"The file has {size / 2**20:.0f} MB; at most {limits.megabytes:g} MB are allowed. "
            "Take a random sample of its rows."
        )
    if isinstance(source, bytes):
        return source
    with open(source, "rb") as file:
        return file.read()


def _text(raw: bytes, limits: Limits) -> str:
    if b"\0" in raw:
        raise DataError("The file is not text: save the table as CSV (UTF-8).")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError("The file is not UTF-8 text: save the table as CSV in UTF-8.") from None
    n_lines = text.count("\n")
    if n_lines > limits.rows + 1:
        raise DataError(
            f"The table has about {n_lines:,} rows; at most {limits.rows:,} are allowed. "
            "Take a random sample of its rows."
        )
    if not text.strip():
        raise DataError("The file is empty: it needs a header line and rows.")
    return text


def _frame(text: str) -> Any:
    import pandas as pd

    first = text.lstrip("\n").split("\n", 1)[0]
    separator = max(",;\t", key=first.count)
    try:
        header = next(_csv.reader(io.StringIO(first), delimiter=separator))
        frame = pd.read_csv(io.StringIO(text), sep=separator, low_memory=False, index_col=False)
    except (ValueError, _csv.Error, pd.errors.ParserError, StopIteration) as error:
        raise DataError(
            f"The file could not be read as a table ({_short(error)}): check that every row has as "
            "many cells as the header."
        ) from None
    header = [name.strip() for name in header]
    if len(header) < 2:
        raise DataError("The table has one column; one to predict and a numeric one are needed.")
    double = [name for name in header if header.count(name) > 1]
    if double:
        raise DataError(f"Two columns are called “{_short(double[0])}”: give each its own name.")
    if len(frame.columns) != len(header):
        raise DataError("The header and the rows differ in length: give every column a name.")
    frame.columns = [name or f"column {i + 1}" for i, name in enumerate(header)]
    if not len(frame):
        raise DataError("The table has a header but no rows.")
    return frame


def _mostly_numbers(column: Any) -> bool:
    import pandas as pd

    if column.dtype == bool:
        return False
    known = column.dropna()
    return len(known) > 0 and bool(pd.to_numeric(known, errors="coerce").notna().mean() > 0.5)


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
                f"The bounds of “{_short(name)}” are {a:g} and {b:g}: give two numbers, the lower "
                "one first."
            )
    return ends[0], ends[1]


def _short(value: Any) -> str:
    text = str(value).replace("\n", " ")
    return text if len(text) <= 40 else text[:39] + "…"
