"""A user's declarations about a table before they are complete, without widgets and without a data set."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from dpcore.datasets import DataError, OwnChoices, Table
from dpcore.datasets._empty_cells import EmptyCells, cells
from dpcore.datasets._sides import named
from dpcore.datasets.own_table import Task, status_of, undeclared, without_n
from dpcore.units import Neighbouring
from ui.words.text import load_text

__all__ = [
    "Draft", "bounds", "classes", "constants", "first_features", "gaps", "numbered", "pair", "targets",
    "trouble",
]  # fmt: skip

T = load_text(__file__)
How = Literal["", "each", "same", "estimate"]
SAME = ""  # in place of a column, whose name is never empty: all of them
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,4})?"
_PAIR = re.compile(rf"\s*({_NUMBER})\s*(?:,|;|\.\.|to|\s)\s*({_NUMBER})\s*")
_LONGEST = 80  # characters of two numbers
_MANY = 30  # rows from which on different numbers in all of them are no chance


@dataclass(frozen=True, kw_only=True)
class Draft:
    """Incomplete declarations of a user about a table.

    - ``token``: identifier of the upload.
    - ``step``: which of the three steps of the form is open.
    - ``either``: whether the page can predict a class or a number.
    - ``is_chosen``: whether the user has chosen one of the two.
    - ``how``: source of the bounds.
    - ``pairs``: bounds as typed, by column.
    - ``neighbouring``: the neighbouring relation of the page's guarantee.
    """

    token: str
    step: int = 1
    task: Task = "classification"
    either: bool = False
    is_chosen: bool = False
    target: str | None = None
    features: tuple[str, ...] = ()
    group: str | None = None
    how: How = ""
    pairs: Mapping[str, str] = field(default_factory=dict)
    public: tuple[str, ...] = ()
    empty_cells: EmptyCells | None = None
    rows_per_person: int = 1
    neighbouring: Neighbouring = "replace_one"

    @property
    def status(self) -> str:
        """Text on why ε is only nominal, because some facts were read from the data; "" if ε is not nominal."""
        read = ("bounds",) * (self.how == "estimate")
        others = undeclared(self.task, self.public)
        return status_of(
            (*read, *without_n(others, self.empty_cells or "middle", self.neighbouring))
        )

    @property
    def bounded(self) -> tuple[str, ...]:
        """Names of the columns whose bounds are needed."""
        outer = (self.target,) if self.task == "regression" and self.target else ()
        return (*self.features, *outer)

    def choices(self, table: Table) -> OwnChoices:
        """Return the user's declarations about the table if they are complete.

        Raise DataError if some are missing.

        Facts that are declared public are stored with their values. A rule for empty cells is stored even if no
        cell is empty, so that the number of used rows does not depend on any single row.
        """
        if not self.target:
            raise DataError(T("missing.target"))
        declares = "classes" in self.public and self.task == "classification"
        return OwnChoices(
            task=self.task, target=self.target, features=self.features, group=self.group or "",
            bounds=bounds(self), public=self.public, rows_per_person=self.rows_per_person,
            empty_cells=(gaps(table, self) and self.empty_cells) or "middle",
            classes=classes(table, self.target) if declares else (),
            n_rows=len(table.frame) if "n" in self.public else None,
        )  # fmt: skip


def targets(table: Table, draft: Draft) -> tuple[str, ...]:
    """Return the columns that can be predicted.

    Raise DataError, with the reason, if there are none.
    """
    columns = table.targets() if draft.task == "classification" else table.numeric
    if draft.either:
        both = {*table.targets(), *table.numeric}
        columns = tuple(str(name) for name in table.frame if name in both)
    if not columns:
        raise DataError(T("missing.targets", classes=table.limits.classes))
    return columns


def trouble(table: Table, draft: Draft) -> str:
    """Return the reason why the first step is incomplete, or "".

    Cells are parsed column by column.
    """
    if draft.task == "classification" and draft.target not in table.targets():
        return T("missing.class", column=str(draft.target)[:40], classes=table.limits.classes)
    if not draft.features:
        return T("missing.features")
    try:
        numbers = cells(table.frame, draft.bounded)
    except DataError as error:
        return str(error)
    empty = [name for name, column in numbers.items() if np.isnan(column).all()]
    return T("missing.cells", column=empty[0][:40]) if empty else ""


def classes(table: Table, target: str) -> tuple[str, ...]:
    """Return the names of the classes in a column, sorted."""
    return tuple(sorted(set(named(table.frame[target])) - {None}))


def first_features(table: Table, target: str) -> tuple[str, ...]:
    """Return the columns that are features initially: all numeric ones except row numbers."""
    rest = tuple(name for name in table.numeric if name != target)
    ids = numbered(table, rest)
    return tuple(name for name in rest if name not in ids) or rest


def constants(table: Table, names: Sequence[str]) -> list[str]:
    """Return the constant columns among ``names``, which are useless for learning."""
    return [name for name in names if table.frame[name].nunique() < 2]


def numbered(table: Table, names: Sequence[str]) -> list[str]:
    """Return the columns among ``names`` that may be row numbers: all their values are different whole numbers."""
    frame = table.frame
    whole = [name for name in names if frame[name].dtype.kind == "i"]
    return [name for name in whole if len(frame) >= _MANY and frame[name].is_unique]


def gaps(table: Table, draft: Draft) -> dict[str, int]:
    """Return the numbers of empty cells, by used column.

    Columns without empty cells are left out.
    """
    used = dict.fromkeys((*draft.features, *((draft.target,) if draft.target else ())))
    counts = {name: int(table.frame[name].isna().sum()) for name in used}
    return {name: count for name, count in counts.items() if count}


def bounds(draft: Draft) -> dict[str, tuple[float, float]] | None:
    """Return the declared bounds by column.

    Return None if the bounds are to be estimated.

    Raises
    ------
    DataError
        When the source of the bounds is not chosen, or a pair is missing or not an interval.
    """
    if draft.how == "estimate":
        return None
    if not draft.how:
        raise DataError(T("missing.bounds"))
    same = pair(SAME, draft.pairs.get(SAME, "")) if draft.how == "same" else None
    return {name: same or pair(name, draft.pairs.get(name, "")) for name in draft.bounded}


def pair(name: str, text: str) -> tuple[float, float]:
    """Return the two numbers in a text like "0, 120".

    Raise DataError for any other text.

    ``name`` is the name of the column, for the message of the error.

    Examples
    --------
    >>> pair("age", "0, 120"), pair("t", "−5 to 5")
    ((0.0, 120.0), (-5.0, 5.0))
    """
    about = T("pair.column", column=name[:40]) if name else T("pair.all")
    if not text.strip():
        raise DataError(T("pair.none", bounds=about))
    match = _PAIR.fullmatch(text.replace("−", "-")) if len(text) <= _LONGEST else None
    if match is None:
        raise DataError(T("pair.no_pair", bounds=about, given=text[:40]))
    low, high = float(match[1]), float(match[2])
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise DataError(T("pair.no_interval", bounds=about, low=low, high=high))
    return low, high
