"""What a person says of their own table, and the data set made of it: nothing is taken from it unsaid."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore.datasets._parse import short
from dpcore.datasets._sides import named
from dpcore.datasets.csv import DataError, Table
from dpcore.datasets.dataset import Dataset
from dpcore.datasets.own import regression_parts
from dpcore.datasets.own_choices import OwnChoices, Task, status_of
from dpcore.datasets.own_classes import own_classification
from dpcore.datasets.preparation import SHARES, Prepared, part_size
from dpcore.datasets.regression import RegressionDataset
from dpcore.guarantee import Neighbouring

__all__ = ["GROUPS", "Groups", "OwnTable", "left_out", "own_table"]

D = TypeVar("D", Dataset, RegressionDataset)
GROUPS = 12  # a column of groups has at most as many


@dataclass(frozen=True, eq=False)
class Groups:
    """The group of each record: ``train`` (n,) and ``test`` (n_test,) are indices into ``names``."""

    name: str
    names: tuple[str, ...]
    train: NDArray[np.int64]
    test: NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class OwnTable(Generic[D]):
    """A person's own table as they declared it, ready for training.

    Parameters
    ----------
    data : Dataset or RegressionDataset
        Records, bounds, and in ``estimated`` what was read from the data without being declared.
    choices : OwnChoices
        What was said of it: task, target, features, group, declared bounds.
    dropped : tuple of (str, str)
        Columns that are not used, and why.
    n_rows, n_used : int
        Rows of the table, and those that are used.
    n_filled, n_labelled : int
        Empty cells that hold the middle of the bounds now, and rows without a class that got one in turn.
    neighbouring : "add_remove" or "replace_one"
        Which tables are neighbours: decides what may divide rows into training and test part.
    groups : Groups or None
        The groups to compare, by record of the training and the test part.
    table : Table
        What it was made of.
    """

    data: D
    choices: OwnChoices
    dropped: tuple[tuple[str, str], ...]
    n_rows: int
    n_used: int
    n_filled: int
    n_labelled: int
    neighbouring: Neighbouring
    groups: Groups | None = None
    table: Table = field(repr=False)

    def under(self, neighbouring: Neighbouring) -> OwnTable[D]:
        """Return the same table made ready for a guarantee about other neighbours."""
        return self if neighbouring == self.neighbouring else self._others

    @cached_property
    def _others(self) -> OwnTable[D]:
        other: Neighbouring = "add_remove" if self.neighbouring == "replace_one" else "replace_one"
        return own_table(self.table, self.choices, neighbouring=other)

    @property
    def estimated(self) -> tuple[str, ...]:
        """What was read from the data and nothing pays for: of "bounds", "n" and "classes"."""
        return self.data.estimated

    @property
    def status(self) -> str:
        """Say what an ε is worth: "" where everything was declared, else "nominal: ... estimated ..."."""
        return status_of(self.estimated)

    @property
    def gaps(self) -> str:
        """Say what was done with empty cells."""
        gone = self.n_rows - self.n_used
        said = (
            f"{gone} of {self.n_rows} rows with an empty cell were left out." * bool(gone),
            f"{self.n_filled} empty cells hold the middle of their bounds." * bool(self.n_filled),
            f"{self.n_labelled} rows without a class got one of the classes in turn."
            * bool(self.n_labelled),
        )
        return " ".join(filter(None, said)) or "There was no empty cell."


def own_table(
    table: Table, choices: OwnChoices, *, neighbouring: Neighbouring = "replace_one"
) -> OwnTable[Any]:
    r"""Return the data set that a person's answers make of their table.

    Every row is judged by itself: neighbouring tables have training parts that differ in one record at most.

    Parameters
    ----------
    table : Table
        As `read_csv` returns it.
    choices : OwnChoices
        What was said of it.
    neighbouring : "add_remove" or "replace_one"
        Which tables are neighbours: under add_remove a row is for training by a keyed hash of the row, under
        replace_one by its place.

    Returns
    -------
    OwnTable

    Raises
    ------
    DataError
        When something is missing or cannot be used.

    Examples
    --------
    >>> from dpcore.datasets import read_csv
    >>> table = read_csv(b"height,name,kind\n" + b"1.5,x,a\n1.7,y,b\n" * 9)
    >>> said = OwnChoices(task="classification", target="kind", features=("height",))
    >>> made = own_table(table, said)
    >>> made.status
    'nominal: the bounds, the number of rows and the classes were estimated from the data'
    >>> made.dropped
    (('name', 'text'),)
    """
    _checks.one_of("task", choices.task, get_args(Task))
    if not choices.features:
        raise DataError("No column to learn from is chosen: choose at least one column of numbers.")
    ends = _ends(choices, choices.features)
    options: dict[str, Any] = {
        "low": ends[0], "high": ends[1], "estimate_bounds": choices.bounds is None,
        "empty_cells": choices.empty_cells, "undeclared": choices.undeclared,
        "expected_n": _expected(table, choices) if neighbouring == "add_remove" else None,
        "rows_per_person": choices.rows_per_person,
        "neighbouring": neighbouring,
    }  # fmt: skip
    data: Dataset | RegressionDataset
    if choices.task == "classification":
        options["classes"] = choices.classes or None
        data, found = own_classification(table, choices.target, choices.features, **options)
    else:
        low, high = _ends(choices, (choices.target,))
        outer = {"target_low": low and low[0], "target_high": high and high[0]}
        data, found = regression_parts(table, choices.target, choices.features, **options, **outer)
    return OwnTable(
        data=data, choices=choices, dropped=left_out(table, choices), n_rows=len(table.frame),
        n_used=len(found.rows), n_filled=found.n_filled, n_labelled=found.n_labelled,
        neighbouring=neighbouring, groups=_groups(table, choices, found), table=table,
    )  # fmt: skip


def _expected(table: Table, choices: OwnChoices) -> int | None:
    """The declared size of the training part; None where nobody has declared how many rows there are."""
    if "n" not in choices.public:
        return None
    n = len(table.frame) if choices.n_rows is None else choices.n_rows
    return part_size(n, SHARES[choices.task])


def left_out(table: Table, choices: OwnChoices) -> tuple[tuple[str, str], ...]:
    """Return the columns that are not used, each with the reason: "empty", "text" or "your choice"."""
    used = {choices.target, choices.group, *choices.features}
    return tuple((str(name), _why(table, name)) for name in table.frame if name not in used)


def _why(table: Table, name: str) -> str:
    if name in table.numeric:
        return "your choice"
    return "empty" if table.frame[name].isna().all() else "text"


def _ends(choices: OwnChoices, names: tuple[str, ...]) -> tuple[Any, Any]:
    if choices.bounds is None:
        return None, None
    missing = [name for name in names if name not in choices.bounds]
    if missing:
        raise DataError(
            f"The bounds of “{short(missing[0])}” are not given: give its lowest and highest possible "
            "value, or choose to estimate all bounds."
        )
    pairs = [choices.bounds[name] for name in names]
    return [low for low, _ in pairs], [high for _, high in pairs]


def _groups(table: Table, choices: OwnChoices, found: Prepared) -> Groups | None:
    if not choices.group:
        return None
    if choices.group not in table.frame:
        raise DataError(f"There is no column “{short(choices.group)}”: choose one of the table's.")
    full = named(table.frame[choices.group])[found.rows]
    full[full == None] = "(empty)"  # noqa: E711  (cell by cell)
    names, codes = np.unique(full.astype(str), return_inverse=True)
    if not 2 <= len(names) <= GROUPS:
        raise DataError(
            f"Column “{short(choices.group)}” has {len(names)} different groups: choose one with 2 to "
            f"{GROUPS}, or none."
        )
    codes = codes.astype(np.int64)
    return Groups(choices.group, tuple(map(str, names)), codes[found.train], codes[found.test])
